/* app/eval_paired.h - pardup eval of two results: is one better, or is it chance? */
#ifndef PARDUP_APP_EVAL_PAIRED_H
#define PARDUP_APP_EVAL_PAIRED_H

#include "pardup/result/paired.h"
#include "pardup/result/reader.h"
#include "pardup/run/options.h"

/* Fail unless both results have the same documents in the same order. PD_OK or PD_EFORMAT. */
int pd_eval_same_documents(struct pd_result *first, struct pd_result *second);

/* Print the comparison of two results by their judged pairs. */
void pd_eval_paired(const struct pd_options *o, const struct pd_judged_pairs lists[2]);

#endif
