/* tools/eval/options.h - the options of `pardup eval`. */
#ifndef PARDUP_TOOLS_EVAL_OPTIONS_H
#define PARDUP_TOOLS_EVAL_OPTIONS_H

#include "pardup/run/options.h"

enum pd_truth_format { PD_TRUTH_AUTO, PD_TRUTH_TSV, PD_TRUTH_PAN };
enum pd_report { PD_REPORT_TABLE, PD_REPORT_TSV, PD_REPORT_JSON, PD_REPORT_PAN };
enum pd_sheet { PD_SHEET_NONE, PD_SHEET_MATCHES, PD_SHEET_PASSAGES, PD_SHEET_PAIRS };
enum pd_offset_kind { PD_OFFSETS_AUTO, PD_OFFSETS_CHAR, PD_OFFSETS_BYTE };

/*
 * The truth that a result is judged by, and the form of the report. The parser of the command line
 * fills it in.
 */
struct pd_eval_options {
    struct pd_options all;
    struct pd_texts truth; /* files and folders that say what is duplicate */
    enum pd_truth_format truth_format;
    bool mosaic;              /* no truth: how much text is copied (mosaic.h) */
    const char *ignore;       /* file that says which text is not judged; NULL: none */
    enum pd_report report;    /* PD_REPORT_PAN: a table, and truth_format is PD_TRUTH_PAN */
    enum pd_offset_kind unit; /* unit of offsets when lengths are compared */
    enum pd_sheet sheet;      /* what is drawn into a sheet to be labelled */
    int64_t count;            /* rows of the sheet */
    struct pd_texts labels;   /* sheets that came back, one a labeller */
    int64_t bootstrap;        /* resamples for the intervals; 0: no intervals */
    int64_t seed;             /* seed of the resamples, or of the rows that are drawn */
};

#endif
