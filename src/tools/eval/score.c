/* tools/eval/score.c - the measures of sums: see src/tools/eval/measures.h */
#include <math.h>

#include "measures.h"

/*
 * part / whole. If `whole` is 0, then 1 if `other` is 0, too, else 0: `whole` and `other` are the
 * numbers of cases and of detections, and measures.h says what holds if there are none.
 */
static double ratio(double part, double whole, double other)
{
    return whole > 0 ? part / whole : other > 0 ? 0 : 1;
}

/* Write three values that follow one another in enum pd_measure. */
static void precision_recall_f1(double *value, double precision, double recall)
{
    value[0] = precision;
    value[1] = recall;
    value[2] = precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

void pd_measures_of(const struct pd_sums *sums, double *value)
{
    const double *s = sums->v;
    precision_recall_f1(value + PD_PRECISION,
                        ratio(s[PD_SUM_PRECISE], s[PD_SUM_FOUND], s[PD_SUM_CASES]),
                        ratio(s[PD_SUM_RECALLED], s[PD_SUM_CASES], s[PD_SUM_FOUND]));
    value[PD_GRANULARITY] = s[PD_SUM_DETECTED] > 0 ? s[PD_SUM_OVERLAPS] / s[PD_SUM_DETECTED] : 1;
    value[PD_PLAGDET] = value[PD_F1] / log2(1 + value[PD_GRANULARITY]);
    precision_recall_f1(
        value + PD_MICRO_PRECISION,
        ratio(s[PD_SUM_FOUND_TEXT_TRUE], s[PD_SUM_FOUND_TEXT], s[PD_SUM_CASE_TEXT]),
        ratio(s[PD_SUM_CASE_TEXT_FOUND], s[PD_SUM_CASE_TEXT], s[PD_SUM_FOUND_TEXT]));
    precision_recall_f1(value + PD_PAIR_PRECISION,
                        ratio(s[PD_SUM_BOTH_PAIRS], s[PD_SUM_FOUND_PAIRS], s[PD_SUM_TRUE_PAIRS]),
                        ratio(s[PD_SUM_BOTH_PAIRS], s[PD_SUM_TRUE_PAIRS], s[PD_SUM_FOUND_PAIRS]));
}

void pd_measures_of_documents(const struct pd_documents_judged *d, double *value)
{
    const double both = (double)d->both;
    const double all_true = (double)(d->both + d->only_true);
    const double all_found = (double)(d->both + d->only_found);
    precision_recall_f1(value + PD_DOCUMENT_PRECISION, ratio(both, all_found, all_true),
                        ratio(both, all_true, all_found));
}
