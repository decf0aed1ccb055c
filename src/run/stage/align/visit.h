/*
 * run/stage/align/visit.h - passages get their byte offsets from the texts of both documents, and
 * become rows.
 *
 * A passage is found by the holder of its first document, which knows the offsets there. The
 * offsets in the second document are asked for by message, since another rank may hold that
 * document.
 */
#ifndef PARDUP_RUN_VISIT_H
#define PARDUP_RUN_VISIT_H

#include "holders.h"
#include "rows.h"
#include "run/stage/job.h"

/* ---- a source of passages, and a reader that takes them one by one ---- */

/*
 * The steps of a slice hand passages on by sources, so that none holds all of them: align.c finds
 * passages (or regions), refine.c makes passages of regions, visit.c makes rows.
 */

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

/* ---- a slice ---- */

struct pd_visiting;

/* Make ready for slices. `job` and `holders` are borrowed until pd_visiting_free. */
struct pd_visiting *pd_visiting_new(struct pd_job *job, const struct pd_holders *holders);
void pd_visiting_free(struct pd_visiting *v);

/*
 * COLLECTIVE. Give all passages of a slice, from the sources of all ranks, their byte offsets,
 * extend their edges, and hand them to `rows`. Passages that --skip-same-host or
 * --min-passage-words leaves out are counted in job->aligned.left_out. Agreed: PD_OK, PD_EIO,
 * PD_EFORMAT or PD_ESTOP.
 */
int pd_visiting_go(struct pd_visiting *v, const struct pd_passage_source *source,
                   struct pd_gathering_rows *rows);

/* Bytes of the replies that this rank has sent for the passages of the newest slice. */
uint64_t pd_visiting_replied(const struct pd_visiting *v);

#endif
