/* tools/eval/kappa.c - see src/tools/eval/kappa.h */
#include "kappa.h"

#include <math.h>
#include <stdlib.h>

#include "pardup/base/vec.h"

/* The share of pairs of labels of an item that are equal; -1: a labeller has none. */
static double equal_share(const uint32_t *labels, size_t labellers)
{
    size_t equal = 0;
    for (size_t i = 0; i < labellers; i++)
        if (labels[i] == 0)
            return -1;
    for (size_t i = 0; i < labellers; i++)
        for (size_t j = i + 1; j < labellers; j++)
            equal += labels[i] == labels[j];
    return 2 * (double)equal / ((double)labellers * (double)(labellers - 1));
}

/*
 * The agreement that chance gives: for two labellers by the shares of each, for more by the shares
 * of all labels.
 *   counts  per label, how often each labeller has given it
 */
static double expected(const uint64_t *counts, size_t labellers, size_t nlabels, size_t items)
{
    double sum = 0;
    for (size_t l = 0; l < nlabels; l++, counts += labellers) {
        double all = 0, product = 1;
        for (size_t i = 0; i < labellers; i++) {
            const double share = (double)counts[i] / (double)items;
            all += share / (double)labellers;
            product *= share;
        }
        sum += labellers == 2 ? product : all * all;
    }
    return sum;
}

struct pd_kappa pd_kappa_of(const uint32_t *labels, size_t items, size_t labellers, size_t nlabels)
{
    struct pd_kappa a = {0, NAN, NAN};
    uint64_t *counts = pd_zeroed(nlabels * labellers + 1, sizeof *counts);
    double observed = 0;
    for (size_t k = 0; k < items; k++, labels += labellers) {
        const double equal = equal_share(labels, labellers);
        if (equal < 0)
            continue;
        a.items++;
        observed += equal;
        for (size_t i = 0; i < labellers; i++)
            counts[(labels[i] - 1) * labellers + i]++;
    }
    if (a.items) {
        const double chance = expected(counts, labellers, nlabels, a.items);
        a.observed = observed / (double)a.items;
        a.kappa = chance < 1 ? (a.observed - chance) / (1 - chance) : NAN;
    }
    free(counts);
    return a;
}

void pd_share_interval(uint64_t part, uint64_t all, double *low, double *high)
{
    const double z = 1.959963984540054; /* the quantile 0.975 of the normal distribution */
    const double n = (double)all, p = (double)part / n;
    const double middle = p + z * z / (2 * n);
    const double half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    *low = part ? (middle - half) / (1 + z * z / n) : 0;
    *high = part < all ? (middle + half) / (1 + z * z / n) : 1;
}
