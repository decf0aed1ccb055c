/* tools/eval/eval_report.h - the measures of pardup eval, for people and for programs. */
#ifndef PARDUP_TOOLS_EVAL_REPORT_H
#define PARDUP_TOOLS_EVAL_REPORT_H

#include "measures.h"
#include "options.h"
#include "truth.h"

/* A result that is judged. */
struct pd_eval {
    const struct pd_eval_options *options;
    struct pd_truth truth;
    struct pd_matches found; /* detections that are judged */
    uint64_t outside;        /* detections not judged: see pd_truth.only_listed */
    uint64_t ignored;        /* detections not judged: their text is in truth.ignored */
    bool told;               /* documents that are in the truth only were named before */
    bool characters;         /* lengths are in characters; false: in bytes */
    struct pd_score *scores; /* over all classes, then of class 1, 2 ... of the truth */
};

/* Print the report on standard output, in the format options->report. */
void pd_eval_report(const struct pd_eval *e);

#endif
