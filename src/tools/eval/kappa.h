/*
 * tools/eval/kappa.h - how far labellers agree, and what a sample says of all.
 *
 * Sources: Cohen, "A Coefficient of Agreement for Nominal Scales", Educational and Psychological
 * Measurement 1960; Fleiss, "Measuring Nominal Scale Agreement among Many Raters", Psychological
 * Bulletin 1971; Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
 * Journal of the American Statistical Association 1927.
 */
#ifndef PARDUP_TOOLS_EVAL_KAPPA_H
#define PARDUP_TOOLS_EVAL_KAPPA_H

#include <stddef.h>
#include <stdint.h>

struct pd_kappa {
    size_t items;    /* labelled by all labellers; the others do not count */
    double observed; /* share of the pairs of labels of one item that are equal; NaN: no items */
    double kappa;    /* NaN: no items, or all labels are equal */
};

/*
 * The agreement of at least two labellers: Cohen's kappa of two, Fleiss' kappa of more.
 *   labels   items * labellers numbers in [0, nlabels], item by item; 0: not labelled
 */
struct pd_kappa pd_kappa_of(const uint32_t *labels, size_t items, size_t labellers, size_t nlabels);

/* Set [*low, *high] to the 95 % interval of the share part / all (Wilson's score), all > 0. */
void pd_share_interval(uint64_t part, uint64_t all, double *low, double *high);

#endif
