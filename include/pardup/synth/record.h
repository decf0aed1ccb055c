/* synth/record.h - a page as a record of a collection: WARC, JSON lines or text, packed or not. */
#ifndef PARDUP_SYNTH_RECORD_H
#define PARDUP_SYNTH_RECORD_H

#include "pardup/synth/page.h"

#define PD_SYNTH_ID 64 /* bytes: room for an id with NUL */

struct libdeflate_compressor;

struct pd_synth_packer {
    struct libdeflate_compressor *deflate;
    struct pd_bytes plain;
    struct pd_bytes packed;
    struct pd_bytes url;
};

void pd_synth_packer_init(struct pd_synth_packer *k);
void pd_synth_packer_release(struct pd_synth_packer *k);

/* Relative to the collection's directory for PD_SYNTH_TEXT, where a document is a file. */
void pd_synth_id(const struct pd_synth_maker *m, uint64_t document, char id[PD_SYNTH_ID]);

/* The record of a page, as it is stored; borrowed until the next call. */
const struct pd_bytes *pd_synth_record(const struct pd_synth_maker *m, uint64_t document,
                                       const struct pd_synth_page *page, struct pd_synth_packer *k);

/* A WARC response of any body and content type, plain. */
void pd_synth_warc(const char *id, const struct pd_bytes *url, const char *type, const void *body,
                   size_t n, struct pd_bytes *out);

/* `in` as one gzip member, appended to `out`. */
void pd_synth_gzip(struct pd_synth_packer *k, const struct pd_bytes *in, struct pd_bytes *out);

#endif
