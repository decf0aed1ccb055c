/*
 * run/collection.h - the collection as this rank holds it: what every command and stage starts from.
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
#include "pardup/feature/vocabulary.h"
#include "pardup/run/options.h"
#include "pardup/run/stages.h"
#include "pardup/store/docstore.h"

/* A document on the rank that read it; its sentences and words are in the store under `stored`. */
struct pd_docrec {
    pd_doc number;
    uint64_t segment;
    uint64_t offset, skip, length; /* as in struct pd_raw */
    uint64_t host;                 /* hash of the host it came from; 0: unknown */
    uint64_t body_bytes, text_bytes;
    uint64_t id_at; /* its id: ids.v[id_at], id_n bytes */
    uint64_t stored;
    uint32_t id_n, file;
    uint32_t sentences, words;
};
PD_VEC(pd_docrecs, struct pd_docrec);

/* Consecutive documents of one file on one rank. All ranks know all segments. */
struct pd_segment {
    uint64_t file, segment; /* sorted by these */
    uint64_t documents;
    uint64_t base; /* number of its first document */
    uint64_t rank;
};
PD_VEC(pd_segments, struct pd_segment);

/* Something set aside while reading. Sorted by all of it: the order does not depend on ranks. */
struct pd_skiprec {
    uint64_t file, offset, skip, why;
};
PD_VEC(pd_skiprecs, struct pd_skiprec);

struct pd_totals {
    uint64_t documents, with_sentences, sentences, words;
    uint64_t bytes; /* of document bodies, decoded */
    uint64_t skipped, ignored, replaced, repaired, same_id;
};

struct pd_collection {
    const struct pd_comm *comm;
    const struct pd_options *options;
    struct pd_files files;
    struct pd_pieces pieces;
    struct pd_docrecs docs; /* ascending number once numbered */
    struct pd_bytes ids;
    struct pd_docstore store;
    struct pd_vocabulary vocabulary;
    struct pd_segments segments;
    struct pd_skiprecs skips;
    struct pd_totals totals; /* this rank's while reading, the collection's once numbered */
};

/* Not collective: the files of o->inputs and o->files_from. PD_OK, PD_EIO, PD_EFORMAT (none). */
int pd_collection_list(struct pd_files *files, const struct pd_options *o);

/* List the inputs and cut them into pieces. PD_OK, PD_EIO, or PD_EFORMAT (no input at all). */
int pd_collection_plan(struct pd_collection *col, const struct pd_comm *c,
                       const struct pd_options *options);

/*
 * Read the pieces, each by whichever rank is free, into store and vocabulary; then number the
 * documents. PD_OK, PD_EIO, or PD_EFORMAT (no document found; bad data under --strict).
 */
int pd_collection_read(struct pd_collection *col, struct pd_stages *stages);

/* Not collective: the rank that holds document `number`, and its place in docs on that rank. */
int pd_collection_holder(const struct pd_collection *col, pd_doc number);
const struct pd_docrec *pd_collection_doc(const struct pd_collection *col, pd_doc number);

void pd_collection_release(struct pd_collection *col);

#endif
