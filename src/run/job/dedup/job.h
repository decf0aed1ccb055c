/*
 * run/job/dedup/job.h - what all steps of a dedup job read: the result, its files, where things
 * lie.
 *
 * The steps, and what each hands to the next one:
 *     loading.c  files, rows and options of the result; names.c: the same
 *     claims.h   rows of /documents that are wanted, then passages at their owners
 *     worded.h   the words of wanted documents, and their places in the order of --keep
 *     choose/verify.h  units whose words stand in another document (compare.h), and which go
 *                (choose.h)
 *     changed.h  the documents that lose text, by row
 *     write/write.h  the files of the new collection, and the report
 *     write/certificate.h  digests of what was read and written
 *
 * No rank has a table of all documents or passages: ranges of places and of rows have owners
 * (owners.h), which ask one another with shuffles, and put into files what all may read (shared.h).
 */
#ifndef PARDUP_RUN_DEDUP_JOB_H
#define PARDUP_RUN_DEDUP_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pardup/comm/queue.h"
#include "pardup/index/index.h"
#include "pardup/result/table.h"
#include "pardup/run/dedup.h"
#include "pardup/run/fetch.h"
#include "pardup/run/options.h"
#include "pardup/run/progress.h"
#include "run/job/dedup/shared.h"
#include "run/shuffle.h"

/* What the folder of the proof has. */
#define PD_DEDUP_REMOVED     "removed.jsonl.zst"
#define PD_DEDUP_SUMMARY     "summary.json"
#define PD_DEDUP_CERTIFICATE "certificate.json" /* with --certificate */

struct pd_worded; /* worded.h */

/* A row of /files. */
struct pd_dedup_file {
    char *path;           /* as the result has it */
    char *found;          /* where it is */
    char *name;           /* below the output folder */
    uint64_t bytes;       /* as stored */
    uint64_t changed;     /* when it was changed, in ns; on rank 0, of files that are written */
    uint64_t first, last; /* its documents are rows [first, last) of /documents */
    bool written;         /* it has targets: it is written */
};

/* Files [from, to) are read or written by one rank, and taken up by --resume, together. */
struct pd_bundle {
    uint64_t from, to;
};
PD_VEC(pd_bundles, struct pd_bundle);

/* What the result says of a document, besides its id; 0 if it does not say it. */
enum pd_doc_column {
    PD_DOC_FILE,
    PD_DOC_OFFSET,
    PD_DOC_SKIP,
    PD_DOC_TEXT_BYTES,
    PD_DOC_TEXT_HASH,
    PD_DOC_WORDS
};

struct pd_dedup {
    const struct pd_comm *comm;
    const struct pd_options *options;
    struct pd_result *result;
    struct pd_fetch fetch;        /* reads documents as the job did */
    struct pd_fetch source_fetch; /* the same for sources of an index */
    struct pd_index index;        /* has their texts; no segments: their files have them */
    char *index_path;             /* where it is; NULL: the result is not of check */
    char *known;                  /* path of the store of detect --known; else NULL */
    char *text_field;             /* as the job was told */
    char *work;                   /* path of the folder for files of this job */
    char *proof;                  /* path of the folder of the proof, the summary and the lists */
    uint64_t memory;              /* bytes that this rank may use */
    int lock;                     /* rank 0: the output folder, locked; else -1 */
    bool bound;                   /* the work folder is this job's */
    bool keep;                    /* its files are for a later try, if this one fails */
    struct pd_transport transport;
    struct pd_spare spare;     /* memory of the shuffles of a step */
    struct pd_scratch scratch; /* the work folder */
    struct pd_shared shared;

    uint64_t ndocs, targets; /* documents; documents behind the first `targets` are never changed */
    uint64_t foreign;  /* after check: the last documents, which are the rows of /sources; else 0 */
    uint64_t passages; /* rows of /passages */
    struct pd_dedup_file *files;
    uint64_t nfiles;
    struct pd_bundles bundles;
    bool has_words;                      /* the result has the words of documents */
    bool has_families;                   /* the result has families */
    uint64_t least_words, least_units;   /* of a passage: words in a row, whole units */
    uint64_t min_run;                    /* words in a row that may go; 1: single sentences may */
    bool careful;                        /* nothing goes whose numbers or names differ */
    bool skips;                          /* the user has left out pairs of documents */
    bool seeks;                          /* text that stays is compared once more (seek.c) */
    uint64_t most;                       /* more documents have common text; 0: no text is common */
    bool most_places;                    /* more places have it, in all documents */
    bool common_first;                   /* common text is compared with its first document */
    uint64_t gram_words;                 /* decontaminate: words of a run that is compared */
    uint64_t *item_words;                /* and words of each item (leaks.h) */
    struct pd_table_reader documents[2]; /* of /documents, of /sources: enum pd_doc_column */
    struct pd_table_reader ids[2];       /* the same: their ids */
    struct pd_queue queue;               /* of the tasks of a step, while there is one */
    uint64_t units;                      /* of work that all tasks of the step have */
    uint64_t reached;                    /* of what is under way */
    uint64_t walked;                     /* claims that this rank has come past (claims.h) */
    struct pd_progress progress;
    const struct pd_worded
        *own;         /* the documents of this rank, while what goes is decided; or NULL */
    uint64_t *firsts; /* by rank, and at the end: the first place of its documents (worded.h) */
};

/* ---- plan ---- */

/* COLLECTIVE. Read what the result says of files and options. Agreed: PD_OK or a failure. */
int pd_dedup_load(struct pd_dedup *d);

/* The value of a column for a row of /documents, or behind the last of /sources. */
int pd_dedup_doc(struct pd_dedup *d, enum pd_doc_column column, uint64_t doc, uint64_t *value);

/* The id of a document in the result. PD_OK or a failure to read it. */
int pd_dedup_find_id(struct pd_dedup *d, uint64_t doc, const char **id, size_t *n);

/* PD_OK, or PD_EFULL if n bytes of what is said are more than their budget. */
int pd_dedup_plan(const struct pd_dedup *d, const char *what, uint64_t n, enum pd_budget budget);

/*
 * Not collective. If the result is of check: count the sources of its index, and find out where
 * their texts are. PD_OK or PD_EFORMAT.
 */
int pd_dedup_open_sources(struct pd_dedup *d);
void pd_dedup_close_sources(struct pd_dedup *d);

/* Is the document a source of an index? */
static inline bool pd_dedup_is_foreign(const struct pd_dedup *d, uint64_t doc)
{
    return d->foreign && doc >= d->targets;
}

/*
 * Read such a document into d->source_fetch.document. PD_OK, PD_EIO or PD_EFORMAT (it has changed).
 */
int pd_dedup_read_source(struct pd_dedup *d, uint64_t doc);

/* Does the name s end with `end`? */
bool pd_dedup_ends_with(const char *s, const char *end);

/*
 * The path from the root, without `.`, `..` and empty parts; it begins in `folder` if it is none
 * from the root. Links are not followed. To be freed.
 */
char *pd_dedup_whole_path(const char *folder, const char *path);

/* Not collective. Are the names of the files good, and both folders fit? For rank 0. */
int pd_dedup_name_files(struct pd_dedup *d);

/* ---- reading the files again ---- */

/* A walk through the wanted documents of a file. */
struct pd_dedup_cursor {
    struct pd_dedup *d;
    struct pd_file file;
    bool sequential; /* documents are read one after the other, wanted or not */
};
/*
 * Open file k; `wanted` of its documents will be asked for, in order; `inside`: some with a skip.
 */
int pd_dedup_cursor_open(struct pd_dedup_cursor *c, struct pd_dedup *d, uint64_t k, uint64_t wanted,
                         bool inside);
/* Read the record of document `doc` into *raw. PD_OK, PD_EIO or PD_EFORMAT (it is not there). */
int pd_dedup_cursor_raw(struct pd_dedup_cursor *c, uint64_t doc, struct pd_raw *raw);

/*
 * Read the record of document `doc`, and the document into d->fetch.document: the text alone, or
 * with `words` its sentences and words, too. PD_OK, PD_EIO or PD_EFORMAT (it is not what it was).
 */
int pd_dedup_cursor_document(struct pd_dedup_cursor *c, uint64_t doc, bool words,
                             struct pd_raw *raw);

/* A failure: the document is not what it was. */
int pd_dedup_cursor_changed(const struct pd_dedup_cursor *c, uint64_t doc);

/* ---- tasks ---- */

/* What a step does, for a person: its name, and how many units of work it has. */
struct pd_dedup_step {
    const char *name;
    uint64_t units;
};

/* COLLECTIVE. Do tasks 0 to n - 1, each by whichever rank is free. This rank's own status. */
int pd_dedup_do(struct pd_dedup *d, struct pd_dedup_step step, uint64_t n,
                int (*task)(void *ctx, uint64_t number), void *ctx);

/* This rank has done some more units of the step. */
void pd_dedup_did(struct pd_dedup *d, uint64_t units);

/*
 * This rank has done `units` in all of what is under way, which ends with `all`. So a file is told
 * in steps: its documents count twice, when their proof is written and when their text is.
 */
void pd_dedup_reached(struct pd_dedup *d, uint64_t units, uint64_t all);

/*
 * Call it between small steps of work: rank 0 gives out tasks then. PD_OK; or PD_ESTOP: the job was
 * asked to stop.
 */
int pd_dedup_poll(struct pd_dedup *d);

#endif
