/*
 * run/families.h - the families of a result that is there already: an older one, or one that
 * was made with another --family-coverage.
 */
#ifndef PARDUP_RUN_FAMILIES_H
#define PARDUP_RUN_FAMILIES_H

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

/*
 * COLLECTIVE. Write a copy of the result o->operands.v[0] to o->output, or in its place, with the
 * families that detect would write. Agreed: PD_OK, or a failure: PD_EIO; PD_EFORMAT (no result, a
 * damaged one, or one of check); PD_ESTOP.
 */
int pd_families_remake(const struct pd_comm *c, const struct pd_options *o);

#endif
