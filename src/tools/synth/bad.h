/* tools/synth/bad.h - broken and odd records, such as real collections have. */
#ifndef PARDUP_TOOLS_SYNTH_BAD_H
#define PARDUP_TOOLS_SYNTH_BAD_H

#include "record.h"

/*
 * Append WARC records, each a gzip member of its own, for the cases named in `list`. Cases always
 * come in the order of the list below, so a member that is cut comes last.
 *   list  names separated by commas: empty, huge, repeat, charset, binary, twice, cut
 * Returns PD_OK, or PD_EUSAGE for an unknown name.
 */
int pd_synth_bad(struct pd_synth_maker *m, const char *list, struct pd_synth_packer *packer,
                 struct pd_bytes *out);

/* Check the names in `list` before anything is written. Returns PD_OK or PD_EUSAGE. */
int pd_synth_bad_check(const char *list);

#endif
