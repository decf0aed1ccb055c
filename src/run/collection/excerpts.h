/*
 * run/collection/excerpts.h - the part of a collection that a dry run reads, and what follows from it.
 *
 * A dry run reads excerpts: stretches of consecutive pieces, evenly spread over the collection, and of pieces that are
 * too long only their beginnings. What holds for excerpts alone is decided here, so that the stages need not know.
 */
#ifndef PARDUP_RUN_EXCERPTS_H
#define PARDUP_RUN_EXCERPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/record.h"
#include "pardup/corpus/reader.h"

/* Zeroed: no excerpts, the whole collection is read. */
struct pd_excerpts {
    double share; /* of the stored bytes of the collection; 0: all is read */
    struct pd_start {
        uint64_t file, from; /* a piece: its file, and the stored byte where it begins */
    } * starts;              /* the first piece of each excerpt, ascending; borrowed */
    size_t n;                /* excerpts */
    uint64_t
        beginning; /* stored bytes: longer pieces are read only so far; 0: all are read whole */
    uint64_t
        unread; /* stored bytes of pieces of this rank that were left out because of `beginning` */
};

/*
 * Has enough of `piece` been read, now that the reader has reached stored byte `reached` of its file? Then the bytes
 * that are left out are added to e->unread.
 */
bool pd_excerpts_enough(struct pd_excerpts *e, const struct pd_piece *piece, uint64_t reached);

/* The excerpt that a document of `file` with this piece key (pd_raw) is from. */
size_t pd_excerpts_find(const struct pd_excerpts *e, uint64_t file, uint64_t piece_key);

/*
 * Would a class with these documents be in more than max_df documents of the whole collection? `first` and `last` are
 * the excerpts of its first and its last document. If all documents are in one of several excerpts, the class is taken
 * to be from there. Otherwise the excerpts have their share of its documents.
 */
bool pd_excerpts_common(const struct pd_excerpts *e, uint64_t df, size_t first, size_t last,
                        uint64_t max_df);

#endif
