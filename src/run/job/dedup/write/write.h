/*
 * run/job/dedup/write/write.h - the files of the new collection, or what takes their place, and the
 * report.
 *
 * Files are written one by one, by whichever rank is free, from the result and from the documents
 * that lose text (changed.h). The report is rank 0's.
 */
#ifndef PARDUP_RUN_DEDUP_WRITE_H
#define PARDUP_RUN_DEDUP_WRITE_H

#include "pardup/corpus/packer.h"
#include "pardup/corpus/splice.h"
#include "run/job/dedup/changed.h"

/* ---- before a file is written ---- */

/* How documents are grouped: file, host or field:NAME. */
const char *pd_dedup_by(const struct pd_dedup *d);

/* For rank 0. Refuse what --max-loss does not allow, and --by if no document is in a group. */
int pd_dedup_check_loss(struct pd_dedup *d);

/* Can file k, a Parquet file, be written again? PD_OK, PD_EIO or PD_EFORMAT. */
int pd_dedup_check_rows(struct pd_dedup *d, uint64_t k);

/* ---- files ---- */

/* What became of one file, before and after. */
struct pd_shard {
    uint64_t file, documents, left, changed, whole, spans;
    uint64_t words, words_left;         /* 0 if the result does not say it */
    uint64_t text_bytes, text_left;     /* bytes of cleaned text */
    uint64_t stored_bytes, stored_left; /* bytes of the file */
    uint64_t inexact;                   /* records whose cleaned text took the place of the text */
    uint64_t rests, rest_words; /* documents with a rest that went without proof; its words */
    uint64_t revisits;          /* records that say whose copy the document was */
};
enum { PD_SHARD_U64S = 16 };

/* COLLECTIVE. Write the files. Agreed: PD_OK or a failure. */
int pd_dedup_write(struct pd_dedup *d);

/* Room in which bodies are cut; reused from document to document. A zeroed struct is ready. */
struct pd_dedup_bodies {
    struct pd_trace trace;
    struct pd_cuts cuts; /* of the body */
    struct pd_spliced spliced;
    struct pd_bytes wanted; /* the text that is to be left */
};

/* What the name of a file says of its packing. */
static inline enum pd_packing pd_dedup_packing(const char *name)
{
    return pd_dedup_ends_with(name, ".gz")    ? PD_PACK_GZIP
           : pd_dedup_ends_with(name, ".zst") ? PD_PACK_ZSTD
                                              : PD_PACK_NONE;
}

/* What documents are written with as JSON lines; reused from file to file. */
struct pd_json_lines {
    struct pd_dedup *d;
    struct pd_changes changes;
    struct pd_table_reader told; /* addresses and kept fields of documents */
    struct pd_packer packer;
    struct pd_bytes line, text; /* of a document */
    struct pd_cuts cuts;
};

/* PD_OK or a failure to read the result; to be closed in any case. */
int pd_json_lines_open(struct pd_json_lines *j, struct pd_dedup *d);
void pd_json_lines_close(struct pd_json_lines *j);

/*
 * Write the documents of file k that stay to `to`, a line each. *none: there is none. PD_OK or a
 * failure.
 */
int pd_json_lines_write(struct pd_json_lines *j, uint64_t k, FILE *to, bool *none);

/* What records are written with; reused from file to file. */
struct pd_records {
    struct pd_dedup *d;
    struct pd_changes changes, others; /* the others: of documents that keep text */
    struct pd_cuts cuts;
    struct pd_dedup_bodies bodies;
    struct pd_bytes text;   /* the cleaned text of a document */
    struct pd_bytes head;   /* what is known of its record */
    struct pd_bytes record; /* the changed record */
    struct pd_reader *kept; /* of the records that others are copies of; NULL: copies just go */
};

void pd_records_open(struct pd_records *r, struct pd_dedup *d);
void pd_records_close(struct pd_records *r);

/*
 * Write file k to `to`, in the format that it has. *whole_file: it was one document, which goes.
 * PD_OK or a failure.
 */
int pd_records_write(struct pd_records *r, uint64_t k, FILE *to, struct pd_shard *shard,
                     bool *whole_file);

/* Write file k, a Parquet file with documents that change, to `to`. */
int pd_dedup_write_rows(struct pd_dedup *d, uint64_t k, FILE *to, struct pd_shard *shard);

/* Write a line for each document of file k to its file of attributes. */
int pd_dedup_write_attributes(struct pd_dedup *d, uint64_t k);

/* ---- the report ---- */

/* For rank 0. Write the proof, the summary and lists, and say what was done. */
int pd_dedup_report(struct pd_dedup *d, struct pd_dedup_made *made);

/* Append the options by which the job has decided, as members of an object of JSON. */
void pd_dedup_print_options(const struct pd_dedup *d, struct pd_bytes *to);

/* Append a path as a string. A byte that is no UTF-8 is written as \xHH, as in ids. */
void pd_dedup_quote_name(struct pd_bytes *to, const char *name);

/*
 * For rank 0. Write the texts that the result sets aside in documents of passages, each once as a
 * rule, with an empty line between two, to PD_DEDUP_ASIDE; there is no file without a text. PD_OK,
 * PD_EIO or PD_EFORMAT (/aside_spans).
 */
int pd_dedup_write_asides(struct pd_dedup *d);

/*
 * For rank 0. Append to summary.json, by name, the hosts that lose text, and the values of the
 * field of --by that do. PD_OK or a failure to read the result.
 */
int pd_dedup_print_groups(struct pd_dedup *d, struct pd_bytes *to);

/* For rank 0. With --by, say in six lines what the groups lose. PD_OK or a failure to read. */
int pd_dedup_say_groups(struct pd_dedup *d);

/*
 * Not collective. Name the files of the new collection, and the sources, to a caller that goes on
 * with them.
 */
void pd_dedup_hand_over(const struct pd_dedup *d, struct pd_dedup_made *made);

/* For rank 0. Remove the files of the job; of one that has failed also its folders, if empty. */
void pd_dedup_clean(const struct pd_dedup *d, bool failed);

#endif
