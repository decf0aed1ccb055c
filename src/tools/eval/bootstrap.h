/* tools/eval/bootstrap.h - what intervals of one result and of two have in common. */
#ifndef PARDUP_TOOLS_EVAL_BOOTSTRAP_H
#define PARDUP_TOOLS_EVAL_BOOTSTRAP_H

#include <stdint.h>

/* Where the draws of document pairs for a resample start; the k-th one is pd_draw(start, k, n). */
uint64_t pd_bootstrap_start(uint64_t seed, uint64_t resample);

/* Sort n > 0 values, and set [*low, *high] to their 95 % percentile interval. */
void pd_bootstrap_interval(double *values, uint64_t n, double *low, double *high);

#endif
