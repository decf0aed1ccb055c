/*
 * run/align/source.h - a source of passages, and a reader that takes them one by one.
 *
 * The steps of a slice hand passages on by sources, so that none holds all of them: align.c finds
 * passages (or regions), refine.c makes passages of regions, visit.c makes rows.
 */
#ifndef PARDUP_RUN_ALIGN_SOURCE_H
#define PARDUP_RUN_ALIGN_SOURCE_H

#include <stdbool.h>

#include "pardup/base/record.h"

/* A source of passages whose first documents this rank holds, in order of pair. */
struct pd_passage_source {
    /* as in struct pd_route; writes whole struct pd_passage */
    int (*fill)(void *ctx, unsigned char *to, size_t cap, size_t *n);
    void *ctx;
};

/* Zeroed: empty. Released with pd_passages_release(&r.taken). */
struct pd_passage_reader {
    const struct pd_passage_source *source; /* borrowed */
    struct pd_passages taken;               /* what the source gave last */
    size_t at;                              /* the next one of them */
    bool ended;                             /* the source has no more */
};

/* Begin to read a source. The room of the reader is kept. */
void pd_passage_reader_begin(struct pd_passage_reader *r, const struct pd_passage_source *source);

/*
 * *p becomes the next passage, which the caller may change, and which is valid until the next call;
 * NULL: there is none. Returns PD_OK or the failure of the source.
 */
int pd_passage_reader_next(struct pd_passage_reader *r, struct pd_passage **p);

#endif
