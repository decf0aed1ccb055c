/* run/align/visit.h - passages visit the ranks that hold their documents, to become rows. */
#ifndef PARDUP_RUN_VISIT_H
#define PARDUP_RUN_VISIT_H

#include "holders.h"
#include "rows.h"
#include "run/job.h"

/* Where passages come from: `fill` as in comm/exchange.h, whole struct pd_passage, whose a this rank holds. */
struct pd_passage_source {
    int (*fill)(void *ctx, unsigned char *to, size_t cap, size_t *n);
    void *ctx;
};

struct pd_visiting;

/* Both are borrowed. */
struct pd_visiting *pd_visiting_new(struct pd_job *job, const struct pd_holders *holders);
void pd_visiting_free(struct pd_visiting *v);

/*
 * COLLECTIVE. Give all passages of a slice, from every rank's source, in order of pair, their byte offsets, with edges
 * extended, and hand them to `rows` (those of one host left out when asked). What is sorted for a hop may take 1/4 of
 * --memory, two hops at a time, passages that wait for the answer 1/8; beyond that it is on disk.
 */
int pd_visiting_go(struct pd_visiting *v, const struct pd_passage_source *source,
                   struct pd_gathering_rows *rows);

#endif
