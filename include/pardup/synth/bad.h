/* synth/bad.h - records that no collection should hold and every collection does. */
#ifndef PARDUP_SYNTH_BAD_H
#define PARDUP_SYNTH_BAD_H

#include "pardup/synth/record.h"

/*
 * Append WARC records for the cases named in `list` (separated by commas): empty, huge, repeat,
 * charset, binary, twice, cut. A cut member comes last. PD_OK, or PD_EUSAGE for an unknown name.
 */
int pd_synth_bad(struct pd_synth_maker *m, const char *list, struct pd_synth_packer *k,
                 struct pd_bytes *out);

int pd_synth_bad_check(const char *list); /* PD_OK or PD_EUSAGE, before anything is written */

#endif
