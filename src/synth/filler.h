/* synth/filler.h - the parts of a page that are not text: style sheets, scripts, data. */
#ifndef PARDUP_SYNTH_FILLER_H
#define PARDUP_SYNTH_FILLER_H

#include "pardup/base/bytes.h"
#include "pardup/synth/random.h"

/* Each function appends n bytes of filler. */
void pd_synth_filler_style(struct pd_synth_random *r, size_t n, struct pd_bytes *out);
void pd_synth_filler_script(struct pd_synth_random *r, size_t n, struct pd_bytes *out);
void pd_synth_filler_data(struct pd_synth_random *r, size_t n, struct pd_bytes *out);

#endif
