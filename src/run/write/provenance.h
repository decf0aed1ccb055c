/* run/write/provenance.h - what was run on what, and what it took: for the result file and for people. */
#ifndef PARDUP_RUN_PROVENANCE_H
#define PARDUP_RUN_PROVENANCE_H

#include "run/job.h"

/* Where options go, by name. */
struct pd_settings {
    void (*text)(void *ctx, const char *name, const char *value);
    void (*count)(void *ctx, const char *name, uint64_t value);
    void (*real)(void *ctx, const char *name, double value);
    void *ctx;
};

/* Not collective, in an order that does not change. The options that shape the result. */
void pd_provenance_options(const struct pd_options *o, const struct pd_settings *to);

/* COLLECTIVE. The attributes of the root: version, options in force, totals, times. */
void pd_provenance_write(const struct pd_job *job, struct pd_writer *w);

/* COLLECTIVE. The closing summary, on rank 0's standard error. */
void pd_provenance_summary(const struct pd_job *job);

#endif
