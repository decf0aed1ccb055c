/* run/preset.h - which preset suits a collection. */
#ifndef PARDUP_RUN_PRESET_H
#define PARDUP_RUN_PRESET_H

#include "pardup/run/options.h"
#include "run/collection/collection.h"

enum { PD_PRESET_WHY = 160 }; /* room for the reason, bytes with the NUL */

/*
 * The preset for a collection: one that is neither PD_PRESET_AUTO nor PD_PRESET_PAPER.
 *   share  the share of the collection that the totals are of, (0, 1]
 *   why    set to the reason, for a person
 */
enum pd_preset pd_preset_for(const struct pd_totals *t, double share, char why[PD_PRESET_WHY]);

#endif
