/*
 * run/collection/collection.h - the collection as this rank holds it: what every command and stage starts from.
 *
 * COLLECTIVE throughout. Files and pieces are known to all ranks; documents lie on the rank that
 * read them. Numbers are given afterwards, in collection order, so they do not depend on who read
 * what.
 */
#ifndef PARDUP_RUN_COLLECTION_H
#define PARDUP_RUN_COLLECTION_H

#include "pardup/base/record.h"
#include "pardup/comm/comm.h"
#include "pardup/corpus/reader.h"
#include "pardup/run/options.h"
#include "pardup/run/stages.h"
#include "pardup/store/library.h"
#include "run/scratch/scratch.h"
#include "run/shuffle.h"

/* Consecutive documents of one file in one volume. All ranks know all segments. */
struct pd_batch {
    uint64_t file, piece_key, fragment; /* sorted by these */
    uint64_t documents;
    uint64_t base; /* number of its first document */
    uint64_t rank;
};
PD_VEC(pd_batches, struct pd_batch);

/* Documents numbered [first, first + n): they are documents at, at + 1 ... of a volume. */
struct pd_numbered {
    pd_doc first;
    uint64_t n, before; /* of this rank's documents, those before these */
    uint64_t volume, at;
};
PD_VEC(pd_numbereds, struct pd_numbered);

/* Of a dry run: what is read of the collection. */
struct pd_excerpts {
    double share; /* of its stored bytes; 0: it is not a sample, all is read */
    /* Where its starts of consecutive pieces begin: files and stored bytes, ascending. */
    struct pd_start {
        uint64_t file, from;
    } * starts;
    size_t n;
    uint64_t beginning; /* pieces longer than this are read only so far; 0: none */
    uint64_t unread;    /* stored bytes that this left out, of those this rank read */
};

struct pd_totals {
    uint64_t documents, with_sentences, sentences, words;
    uint64_t bytes; /* of document bodies, decoded */
    uint64_t skipped, ignored, replaced, repaired, same_id;
};

struct pd_collection {
    const struct pd_comm *comm;
    const struct pd_options *options;
    struct pd_scratch *scratch;
    const struct pd_transport *transport; /* of the job; borrowed */
    struct pd_excerpts excerpts;
    int cut_for; /* ranks that the pieces are cut for: those of the first try */
    struct pd_files files;
    struct pd_pieces pieces;
    struct pd_library library;    /* of this rank's documents */
    struct pd_numbereds numbered; /* their numbers, ascending ... */
    struct pd_numbereds beyond;   /* ... but those beyond --limit-docs have none and do not count */
    uint64_t ndocs;               /* of this rank, with a number */
    uint64_t id_width;            /* bytes of the longest id */
    struct pd_batches batches;
    struct pd_skiprecs skips;
    struct pd_totals totals;
};

/* Not collective: the files of o->operands.v and o->files_from. PD_OK, PD_EIO, PD_EFORMAT (none). */
int pd_collection_list(struct pd_files *files, const struct pd_options *o);

/*
 * List the inputs; the members before `files` are set. PD_OK, PD_EIO, or PD_EFORMAT (no input at
 * all). Then cut them into pieces. PD_OK or PD_EIO.
 */
int pd_collection_list_files(struct pd_collection *col);
int pd_collection_cut(struct pd_collection *col);

/*
 * Read the pieces, each by whichever rank is free, into store and vocabulary; then number the
 * documents. PD_OK, PD_EIO, or PD_EFORMAT (no document found; bad data under --strict).
 */
int pd_collection_read(struct pd_collection *col, struct pd_stages *stages);

/* Not collective: the segment that document `number` is in, and the rank that holds it. */
const struct pd_batch *pd_collection_batch(const struct pd_collection *col, pd_doc number);
int pd_collection_holder(const struct pd_collection *col, pd_doc number);

/* A document of this rank; its record is the library's until another document is asked for. */
struct pd_held {
    pd_doc number;
    uint64_t volume, at;
    const struct pd_docrec *rec;
};

/*
 * Not collective: this rank's k-th document, k < ndocs, in order of number; or the one of a number
 * (PD_END: another rank's). PD_OK, PD_EIO or PD_EFORMAT (scratch cannot be read back).
 */
int pd_collection_nth(struct pd_collection *col, uint64_t k, struct pd_held *held);
int pd_collection_doc(struct pd_collection *col, pd_doc number, struct pd_held *held);

/*
 * Not collective: its sentences and words; or its sentences, and words when asked for (pd_stored_words, until
 * another document is asked for). PD_OK, PD_EIO, PD_EFORMAT.
 */
int pd_collection_open(struct pd_collection *col, const struct pd_held *held,
                       struct pd_stored *stored);
int pd_collection_stored(struct pd_collection *col, const struct pd_held *held,
                         struct pd_stored *stored);

/* Not collective: bring to the cache what the one that was read after it begins with. */
void pd_collection_expect_next(const struct pd_collection *col, const struct pd_held *held);

/* Not collective: the words (and flags) that its word numbers stand for. */
static inline const struct pd_volume *pd_collection_volume(const struct pd_collection *col,
                                                           const struct pd_held *held)
{
    return &col->library.shelf.v[held->volume].volume;
}

void pd_collection_release(struct pd_collection *col);

#endif
