/* app/synth_report.h - synth.json: the properties asked for and the properties planted. */
#ifndef PARDUP_APP_SYNTH_REPORT_H
#define PARDUP_APP_SYNTH_REPORT_H

#include <stdio.h>

#include "pardup/synth/truth.h"

/* Write the report to `f`. Shares and percentiles are pairs, [asked, planted]. */
void pd_synth_report(const struct pd_synth_maker *m, const struct pd_synth_stats *s,
                     uint64_t shards, FILE *f);

#endif
