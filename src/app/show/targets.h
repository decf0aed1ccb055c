/* app/show/targets.h - what `check` found, for a person: target by target, in a terminal. */
#ifndef PARDUP_APP_SHOW_TARGETS_H
#define PARDUP_APP_SHOW_TARGETS_H

#include "pardup/run/options.h"

/*
 * Print the result `path` of `check` with the options `o`: whether each target is a duplicate, how
 * many of its words come from which sources, and its passages side by side. Texts of sources come
 * from the index, or from their files; where neither has them, offsets are printed.
 *   temporary  folder of the result, removed as soon as the result is open; NULL: it stays
 *   why        no text of a source is read, and why; NULL: they are read
 * PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_check_show(const struct pd_options *o, const char *path, const char *temporary,
                  const char *why);

#endif
