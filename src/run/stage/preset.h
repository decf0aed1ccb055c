/* run/stage/preset.h - which preset suits a collection. */
#ifndef PARDUP_RUN_PRESET_H
#define PARDUP_RUN_PRESET_H

#include "pardup/corpus/files.h"
#include "pardup/run/options.h"
#include "run/stage/collection/collection.h"

enum { PD_PRESET_WHY = 160 }; /* room for the reason, bytes with the NUL */

/*
 * Not collective. Are most of the files program text, by the endings of their names or, where a
 * name has none, by a first line that begins with "#!"? This is asked before they are read, as it
 * decides what words are.
 */
bool pd_preset_is_code(const struct pd_files *files);

/*
 * Are most of the documents letters? Then what a preset for texts compares is the texts without
 * headers, signatures, and what a sender repeats. A few letters are compared whole.
 *   share  as below
 */
bool pd_preset_for_letters(const struct pd_totals *t, double share);

/*
 * The preset for a collection: one that is neither PD_PRESET_AUTO nor PD_PRESET_PAPER.
 *   share  the share of the collection that the totals are of, (0, 1]
 *   kind   what its words are
 *   why    set to the reason, for a person
 */
enum pd_preset pd_preset_for(const struct pd_totals *t, double share, enum pd_words_kind kind,
                             char why[PD_PRESET_WHY]);

#endif
