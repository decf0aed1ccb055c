/*
 * tools/synth/record.h - a page as a record of a collection: WARC, JSON lines or text, with or
 * without gzip.
 */
#ifndef PARDUP_TOOLS_SYNTH_RECORD_H
#define PARDUP_TOOLS_SYNTH_RECORD_H

#include "page.h"

#define PD_SYNTH_ID 64 /* bytes: room for the longest id and its NUL */

struct libdeflate_compressor;

/* Makes records; its memory is reused from record to record. */
struct pd_synth_packer {
    struct libdeflate_compressor *deflate;
    struct pd_bytes plain;  /* the record */
    struct pd_bytes packed; /* the record as a gzip member */
    struct pd_bytes url;
};

/* Make a packer ready; the caller releases it. */
void pd_synth_packer_init(struct pd_synth_packer *packer);
void pd_synth_packer_release(struct pd_synth_packer *packer);

/*
 * Write the id of a document, with NUL. For PD_SYNTH_TEXT a document is a file, and its id is the
 * path of the file relative to the folder of the collection.
 */
void pd_synth_id(const struct pd_synth_maker *m, uint64_t document, char id[PD_SYNTH_ID]);

/* The record of a page as it is stored. Borrowed until the next call. */
const struct pd_bytes *pd_synth_record(const struct pd_synth_maker *m, uint64_t document,
                                       const struct pd_synth_page *page,
                                       struct pd_synth_packer *packer);

/*
 * Append a WARC response record with this body of n bytes, not compressed.
 *   type  content type of the body
 */
void pd_synth_warc(const char *id, const struct pd_bytes *url, const char *type, const void *body,
                   size_t n, struct pd_bytes *out);

/* Append `in` to `out` as one gzip member. */
void pd_synth_gzip(struct pd_synth_packer *packer, const struct pd_bytes *in, struct pd_bytes *out);

#endif
