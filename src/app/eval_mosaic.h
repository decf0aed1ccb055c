/* app/eval_mosaic.h - pardup eval --mosaic: how much text of a result is copied. */
#ifndef PARDUP_APP_EVAL_MOSAIC_H
#define PARDUP_APP_EVAL_MOSAIC_H

#include "pardup/result/reader.h"
#include "pardup/run/options.h"

/* Print it in the format options->eval.report. PD_OK or a failure. */
int pd_eval_mosaic(const struct pd_options *o, struct pd_result *r);

#endif
