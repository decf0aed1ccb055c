/*
 * run/stage/collection/excerpts.h - the part of a collection that a dry run reads, and what follows
 * from it.
 *
 * A dry run reads several excerpts, evenly spread over the collection. An excerpt is a few
 * consecutive pieces. If a piece is too long, only its beginning is read. Decisions that are
 * special to excerpts are made here, so that stages need not know about dry runs.
 */
#ifndef PARDUP_RUN_EXCERPTS_H
#define PARDUP_RUN_EXCERPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/corpus/reader.h"

/* A zeroed struct has no excerpts: the whole collection is read. */
struct pd_excerpts {
    double share; /* the share of the collection's stored bytes that is read; 0: all of them */
    struct pd_start {
        uint64_t file, from; /* a piece: its file, and the stored byte where it begins */
    } * starts;              /* the first piece of each excerpt, ascending; borrowed */
    size_t n;                /* how many excerpts */
    uint64_t beginning;      /* stored bytes that are read of a longer piece; 0: all of them */
    uint64_t unread;         /* stored bytes that this rank has left out because of `beginning` */
};

/*
 * Has enough of `piece` been read, when the reader has reached stored byte `reached` of its file?
 * If so, the bytes of the piece that are left out are added to e->unread.
 */
bool pd_excerpts_enough(struct pd_excerpts *e, const struct pd_piece *piece, uint64_t reached);

/*
 * The number of the excerpt that a document of `file` with this piece key (struct pd_raw) is from.
 */
size_t pd_excerpts_find(const struct pd_excerpts *e, uint64_t file, uint64_t piece_key);

/*
 * Would a class be in more than max_df documents of the whole collection, if it is in `df`
 * documents of the excerpts? `first` and `last` are the excerpts of its first and its last
 * document. A class whose documents are all in one of several excerpts is taken to be found there
 * only. Otherwise the excerpts are taken to have their share of its documents. max_df 0: there is
 * no limit.
 */
bool pd_excerpts_common(const struct pd_excerpts *e, uint64_t df, size_t first, size_t last,
                        uint64_t max_df);

#endif
