/*
 * run/dedup/dedup.h - the data of a dedup job on one rank, and its steps in order.
 *
 * Every rank has the tables of documents, passages and removals; words of documents lie in files
 * below the output folder, which all ranks see.
 */
#ifndef PARDUP_RUN_DEDUP_DEDUP_H
#define PARDUP_RUN_DEDUP_DEDUP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pardup/comm/queue.h"
#include "pardup/corpus/splice.h"
#include "pardup/index/index.h"
#include "pardup/run/dedup.h"
#include "pardup/run/fetch.h"
#include "pardup/run/options.h"
#include "run/budget.h"
#include "run/dedup/held.h"

/* What the job has in the output folder, besides the files of the collection. */
#define PD_DEDUP_WORK    "dedup-work" /* folder: files of a job that is not done */
#define PD_DEDUP_REMOVED "removed.jsonl.zst"
#define PD_DEDUP_SUMMARY "summary.json"

/* ---- plan: what the result says ---- */

/* A row of /documents. */
struct pd_dedup_doc {
    uint64_t file, offset, skip, text_bytes, text_hash;
    uint64_t words;  /* 0 if the result does not say it */
    uint64_t worded; /* 1 plus its entry in pd_dedup.worded; 0: it is in no passage */
};

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

/* A passage, from the document that may lose it to the one that keeps it. */
struct pd_claim {
    uint64_t gone;       /* row of /documents */
    uint64_t kept_order; /* place of `kept` in the order of --keep */
    uint64_t kept;       /* row of /documents */
    uint64_t row;        /* of /passages */
    uint64_t gone_bytes; /* first byte and end in the text of `gone`: two 32-bit numbers */
    uint64_t kept_bytes; /* the same in the text of `kept` */
};
PD_VEC(pd_claims, struct pd_claim);
enum { PD_CLAIM_U64S = 6, PD_CLAIM_KEYS = 4 };

/* ---- words: documents that are in passages ---- */

/* Where the words of a document lie. */
struct pd_worded {
    uint64_t doc;             /* row of /documents */
    uint64_t rank, at;        /* which file, and where it begins there */
    uint64_t id_n;            /* bytes of its id */
    uint64_t head_n;          /* bytes of its record's head, if they are all that is needed; or 0 */
    uint64_t units, nwords;   /* how many it has */
    uint64_t order;           /* documents with lower numbers come first in the order of --keep */
    uint64_t first, removed;  /* its removals: which is the first one, how many there are */
    uint64_t gone;            /* 1: it goes whole */
    uint64_t claims, nclaims; /* passages that may take text from it: the first, how many */
    uint64_t copied, ncopied; /* its copied units in d->copied: the first, how many */
    uint64_t follow;          /* 1: its units that stay are to be looked for once more */
    uint64_t seen;            /* what had gone when they were looked for last, as a hash */
    uint64_t blocked;         /* 1: a unit stays, as no text found so far that has its words does */
};
PD_VEC(pd_wordeds, struct pd_worded);

/* Facts by which a record is left out or written again. */
struct pd_dedup_record {
    uint64_t changed;   /* when the file was changed, as pd_file has it */
    uint64_t body_hash; /* pd_hash_bytes() of its body, by which it is known again */
    uint64_t record_n;  /* its decoded bytes */
    uint64_t stored;    /* stored bytes of the members that it fills, or 0 */
    uint64_t whole;     /* 1: the record is a file that is one document */
    uint64_t item;      /* 1: it may be an item of a list */
};

struct pd_located {
    uint64_t term;
    uint32_t begin, end; /* bytes of the text */
};

/* The words of a document, read back. */
struct pd_dedup_words {
    uint64_t doc;          /* UINT64_MAX: none */
    struct pd_held *held;  /* where words that are read stay; NULL: in `bytes` only */
    struct pd_bytes bytes; /* words that are not held */
    const struct pd_sentence *units;
    const struct pd_located *words;
    size_t nunits, nwords;
};

/* ---- verify: units whose words stand in another document ---- */

struct pd_copied {
    uint64_t order, doc;           /* of the document that may lose the unit */
    uint64_t begin;                /* first byte of the unit */
    uint64_t kept_order, kept;     /* the document that keeps the text */
    uint64_t row;                  /* the passage */
    uint32_t end, next;            /* end of the unit; begin of the next one, or the same */
    uint32_t unit, words;          /* its number; its words */
    uint32_t matched, kept_words;  /* words that stand in both; words of the kept text */
    uint32_t kept_from, kept_to;   /* the kept text in words of its document */
    uint32_t kept_begin, kept_end; /* the kept text in bytes */
};
PD_VEC(pd_copieds, struct pd_copied);
enum { PD_COPIED_U64S = 11 };
_Static_assert(sizeof(struct pd_copied) == 8 * PD_COPIED_U64S, "copied unit has padding");

/* ---- choose: what goes ---- */

/* A run of units that go, and the text that proves it. */
struct pd_removal {
    uint64_t doc, kept, row;
    uint32_t begin, end;           /* of what goes, with the white space behind it */
    uint32_t kept_begin, kept_end; /* of the text that stays */
    uint32_t words, matched, kept_words;
    uint32_t last_unit, kept_to; /* while the run grows */
    uint32_t zero;
};
PD_VEC(pd_removals, struct pd_removal);

static inline double pd_removal_agreement(const struct pd_removal *r)
{
    const uint32_t longer = r->words > r->kept_words ? r->words : r->kept_words;
    return longer ? (double)r->matched / longer : 0;
}

/* ---- shards: the files of the new collection ---- */

/* Files [from, to) are written by one rank, and taken up by --resume, together. */
struct pd_bundle {
    uint64_t from, to;
};
PD_VEC(pd_bundles, struct pd_bundle);

/* What became of one file, before and after. */
struct pd_shard {
    uint64_t file, documents, left, changed, whole, spans;
    uint64_t words, words_left;         /* 0 if the result does not say it */
    uint64_t text_bytes, text_left;     /* bytes of cleaned text */
    uint64_t stored_bytes, stored_left; /* bytes of the file */
    uint64_t inexact;                   /* records whose cleaned text took the place of the text */
};
enum { PD_SHARD_U64S = 13 };

struct pd_dedup {
    const struct pd_comm *comm;
    const struct pd_options *options;
    struct pd_result *result;
    struct pd_fetch fetch;        /* reads documents as the job did */
    struct pd_fetch source_fetch; /* the same for sources of an index */
    struct pd_index index;        /* has their texts; no segments: their files have them */
    char *index_path;             /* where it is; NULL: the result is not of check */
    char *text_field;             /* as the job was told */
    char *work;                   /* path of the folder for files of this job */
    uint64_t memory;              /* bytes that this rank may use */
    bool bound;                   /* the work folder is this job's */
    bool keep;                    /* its files are for a later try, if this one fails */

    struct pd_dedup_doc *docs;
    uint64_t ndocs, targets; /* documents; documents behind the first `targets` are never changed */
    uint64_t foreign; /* after check: the last documents, which are the rows of /sources; else 0 */
    struct pd_dedup_file *files;
    uint64_t nfiles;
    struct pd_bundles bundles;
    bool has_words;                    /* the result has the words of documents */
    uint64_t least_words, least_units; /* of a passage: words in a row, whole units */
    bool skips;                        /* the user has left out pairs of documents */

    uint64_t *families; /* of each row of /passages; NULL: the result has no families */
    struct pd_claims claims;
    struct pd_wordeds worded; /* in order of doc */
    int *word_files;          /* descriptors by rank; -1: not open */
    struct pd_copieds copied;
    struct pd_removals removals;
    struct pd_shard *shards; /* by file; shards of files that are not written stay zero */
};

/* Read the tables of the result. Not collective. */
int pd_dedup_load(struct pd_dedup *d);

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
 * Read the ids of documents from `doc` on, up to some thousand: *n of them, of targets or of
 * sources only. PD_OK or a failure to read the result.
 */
int pd_dedup_read_ids(const struct pd_dedup *d, uint64_t doc, struct pd_cells *ids, uint64_t *n);

/*
 * Read such a document into d->source_fetch.document. PD_OK, PD_EIO or PD_EFORMAT (it has changed).
 */
int pd_dedup_read_source(struct pd_dedup *d, uint64_t doc);

/* Does the name s end with `end`? */
bool pd_dedup_ends_with(const char *s, const char *end);

/* Not collective. Are the names of the files good, and the output folder fit? For rank 0. */
int pd_dedup_name_files(struct pd_dedup *d);

/* COLLECTIVE. Write the words of all documents in passages to files, and agree on their order. */
int pd_dedup_read_words(struct pd_dedup *d);

/*
 * Set `order` of all documents in passages.
 *   values   of the field of --keep: for each document its number, bytes, and the value, padded
 */
int pd_dedup_set_order(struct pd_dedup *d, const struct pd_bytes *values);

/* The document's entry; NULL: it is in no passage. */
struct pd_worded *pd_dedup_worded(const struct pd_dedup *d, uint64_t doc);

/* Bring the words of a document into `w`. */
int pd_dedup_words(struct pd_dedup *d, uint64_t doc, struct pd_dedup_words *w);

/*
 * Bring the set of its words into *set: fewer bytes than its words are.
 *   held   where sets that are read stay
 *   own    takes a set that cannot be held
 */
struct pd_word_set;
enum { PD_DEDUP_WORD_BITS = 8 }; /* for each word of a document */
int pd_dedup_word_set(struct pd_dedup *d, uint64_t doc, struct pd_held *held, struct pd_bytes *own,
                      struct pd_word_set *set);

/* Bring the id of a document into `id`. */
int pd_dedup_id(struct pd_dedup *d, uint64_t doc, struct pd_bytes *id);

/* Bring what is known of the record of a document into *record, and its head into `head`. */
int pd_dedup_record(struct pd_dedup *d, const struct pd_worded *w, struct pd_dedup_record *record,
                    struct pd_bytes *head);

/* Bring the cleaned text of a document into `text`, so that no page is parsed again. */
int pd_dedup_text(struct pd_dedup *d, const struct pd_worded *w, struct pd_bytes *text);

/* Claims about units of a document that stay, and buffers that are used again. */
struct pd_follow {
    struct pd_claims claims;
    struct pd_bytes buffer;
};

static inline void pd_follow_release(struct pd_follow *f)
{
    pd_claims_release(&f->claims);
    pd_bytes_release(&f->buffer);
}

/*
 * Set `follow` of the documents for which pd_dedup_follow() can have something new by the choice
 * that was made last; the same on every rank. False: there is none.
 */
bool pd_dedup_mark_follows(struct pd_dedup *d);

/*
 * List where text of a document that stays may stand, too:
 *  - its units were found in text of another document, which has gone because of a third text;
 *  - it has the same text twice, and one has gone: passages with one other document need not have
 *    both.
 *   words   of the document
 * PD_OK, or PD_EFULL if that takes more than its budget.
 */
int pd_dedup_follow(const struct pd_dedup *d, const struct pd_worded *w,
                    const struct pd_dedup_words *words, struct pd_follow *f);

/*
 * COLLECTIVE. Decide what goes. A unit is looked for in the documents that its passages lead to, in
 * the order of --keep, until its words are found. If that text does not stay, the search goes on.
 */
int pd_dedup_decide(struct pd_dedup *d);

/* A record without text: a unit has been looked for in all documents. */
#define PD_DEDUP_NOWHERE UINT64_MAX /* in `kept` */

/* The first removal of a document, counted from its own first, that ends behind byte `begin`. */
uint64_t pd_dedup_removal_behind(const struct pd_dedup *d, const struct pd_worded *w,
                                 uint32_t begin);

/* Does all of the text stay, by the choice that was made last? */
bool pd_dedup_stays(const struct pd_dedup *d, uint64_t doc, uint32_t begin, uint32_t end);

/* Choose among d->copied what goes; the same on every rank. True: some documents are blocked. */
bool pd_dedup_choose(struct pd_dedup *d);

/* For rank 0. Refuse what --max-loss does not allow. */
int pd_dedup_check_loss(struct pd_dedup *d);

/*
 * Move removals of a document so that its lines and paragraphs stay apart. White space stays in one
 * place of a run that goes: before it, unless more line ends are behind it, or in it. A removal
 * around white space that stays is divided.
 */
void pd_dedup_keep_lines(struct pd_dedup *d, struct pd_worded *w, const struct pd_bytes *text);

/* What goes of the text of a document that stays, as cuts. */
void pd_dedup_cuts(const struct pd_dedup *d, const struct pd_worded *w, struct pd_cuts *cuts);

/* Room in which bodies are cut; reused from document to document. A zeroed struct is ready. */
struct pd_dedup_bodies {
    struct pd_trace trace;
    struct pd_cuts cuts; /* of the body */
    struct pd_spliced spliced;
    struct pd_bytes wanted; /* the text that is to be left */
};

/*
 * Write the record of a document to b->spliced.record without the bytes of its body that the cut
 * text was made of. The record is read again as detect read it: its text must be the text that is
 * left, byte for byte, but for white space at its end.
 *   raw   the record, which d->fetch.reader has read last
 * PD_OK; PD_END when the record cannot be cut so, or its body is the text as it is; or PD_EFORMAT as
 * pd_splice().
 */
int pd_dedup_cut_body(struct pd_dedup *d, struct pd_dedup_bodies *b, const struct pd_raw *raw,
                      const struct pd_trimmed *text);
void pd_dedup_bodies_release(struct pd_dedup_bodies *b);

/* Can file k, a Parquet file, be written again? PD_OK, PD_EIO or PD_EFORMAT. */
int pd_dedup_check_rows(struct pd_dedup *d, uint64_t k);

/* Write file k, a Parquet file with documents that change, to `to`. */
int pd_dedup_write_rows(struct pd_dedup *d, uint64_t k, FILE *to, struct pd_shard *shard);

/* Rows of /skipped of one file: records that are no document. */
struct pd_dedup_skipped {
    uint64_t row, end;            /* the next row of the file; the end of its rows */
    uint64_t from, n;             /* the rows at hand */
    struct pd_cells offset, skip; /* of these rows */
    struct pd_cells reason;
};

/* Go to the rows of file k. PD_OK or a failure to read the result. */
int pd_dedup_skipped_open(const struct pd_dedup *d, uint64_t k, struct pd_dedup_skipped *s);
void pd_dedup_skipped_close(struct pd_dedup_skipped *s);

/*
 * Pass the rows of records before a place in the file. *lines: how many of the records were lines.
 */
int pd_dedup_skipped_pass(const struct pd_dedup *d, struct pd_dedup_skipped *s, uint64_t offset,
                          uint64_t skip, uint64_t *lines);

/* Write a line for each document of file k to its file of attributes. */
int pd_dedup_write_attributes(struct pd_dedup *d, uint64_t k);

/* COLLECTIVE. Write the files. */
int pd_dedup_write(struct pd_dedup *d);

/*
 * Open NAME.part in the output folder for writing; NULL: failure. *path and *part are for
 * pd_dedup_close_part(), also then.
 */
FILE *pd_dedup_open_part(const struct pd_dedup *d, const char *name, char **path, char **part);

/* Give the file its name unless `status` is a failure. Returns the status. */
int pd_dedup_close_part(FILE *f, char *path, char *part, int status);

/* For rank 0. Write keep.txt and drop.txt. */
int pd_dedup_write_lists(struct pd_dedup *d);

/* For rank 0. Write removed.jsonl.zst, summary.json and lists, and say what was done. */
int pd_dedup_report(struct pd_dedup *d, struct pd_dedup_made *made);

/*
 * For rank 0. Append "hosts" of summary.json: the hosts that lose text, by name. PD_OK or a
 * failure to read the result.
 */
int pd_dedup_print_hosts(struct pd_dedup *d, struct pd_bytes *to);

/*
 * Not collective. Name the files of the new collection, and the sources, to a caller that goes on
 * with them.
 */
void pd_dedup_hand_over(const struct pd_dedup *d, struct pd_dedup_made *made);

/* For rank 0. Remove the files of the job, and the output folder if it is empty. */
void pd_dedup_clean(const struct pd_dedup *d);

/* The path of a file in the work folder, by what it holds and a number; to be freed. */
char *pd_dedup_work_path(const struct pd_dedup *d, const char *what, uint64_t number);

/* A walk through the wanted documents of a file. */
struct pd_dedup_cursor {
    struct pd_dedup *d;
    struct pd_file file;
    bool sequential; /* documents are read one after the other, wanted or not */
    bool fetched;    /* a document has been fetched: the file is open */
};
/*
 * Open file k; `wanted` of its documents will be asked for, in order; `inside`: some with a skip.
 */
int pd_dedup_cursor_open(struct pd_dedup_cursor *c, struct pd_dedup *d, uint64_t k, uint64_t wanted,
                         bool inside);
/* Read the record of document `doc` into *raw. PD_OK, PD_EIO or PD_EFORMAT (it is not there). */
int pd_dedup_cursor_raw(struct pd_dedup_cursor *c, uint64_t doc, struct pd_raw *raw);

/* A failure: the document is not what it was. */
int pd_dedup_cursor_changed(const struct pd_dedup_cursor *c, uint64_t doc);

/*
 * COLLECTIVE. Append the n bytes of all ranks to `all`, however many they are; rank by rank in
 * rounds.
 */
void pd_dedup_gather(const struct pd_comm *c, const void *mine, size_t n, struct pd_bytes *all);

#endif
