/* app/eval_report.h - the measures of pardup eval, for people and for programs. */
#ifndef PARDUP_APP_EVAL_REPORT_H
#define PARDUP_APP_EVAL_REPORT_H

#include "pardup/result/measures.h"
#include "pardup/result/truth.h"
#include "pardup/run/options.h"

struct pd_eval {
    const struct pd_options *options;
    struct pd_truth truth;
    struct pd_matches found; /* detections to be judged */
    uint64_t outside;        /* detections that are not: see pd_truth.only_listed */
    uint64_t ignored;        /* detections dropped because of truth.ignored */
    bool characters;         /* unit of lengths; else bytes */
    struct pd_score *scores; /* all, then the classes */
};

/* On standard output, as options->eval.report says. */
void pd_eval_report(const struct pd_eval *e);

#endif
