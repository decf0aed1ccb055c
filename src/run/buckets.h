/* run/buckets.h - do two signature sets share a bucket of --join lsh? */
#ifndef PARDUP_RUN_BUCKETS_H
#define PARDUP_RUN_BUCKETS_H

#include <stdbool.h>

#include "pardup/feature/superimposed.h"
#include "pardup/run/options.h"

struct pd_buckets {
    const struct pd_method_options *method; /* borrowed */
    struct pd_bit_sampling sampling;
};

/* Make ready for the tables that the options ask for. */
void pd_buckets_make(struct pd_buckets *b, const struct pd_method_options *method);

/*
 * Do sets v[0, n) and w[0, m), n, m > 0, share a bucket of some table? A set of more than
 * PD_SET_MOST signatures goes to no bucket and is compared with all sets: then the answer is true.
 */
bool pd_buckets_share(const struct pd_buckets *b, const pd_sig *v, size_t n, const pd_sig *w,
                      size_t m);

#endif
