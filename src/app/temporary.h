/* app/temporary.h - a folder for a result that nobody keeps. */
#ifndef PARDUP_APP_TEMPORARY_H
#define PARDUP_APP_TEMPORARY_H

#include <limits.h>
#include <stdbool.h>

#include "pardup/run/options.h"

enum { PD_TEMPORARY_ROOM = 64 }; /* bytes of PATH_MAX that stay free for a name in the folder */

/*
 * Make a folder in the scratch of the job, and remove what killed processes have left there. `path`
 * receives its name. It is locked until the process ends, so one process makes one folder at a
 * time. PD_OK or PD_EIO.
 */
int pd_temporary_make(const struct pd_options *o, char path[PATH_MAX]);

/* Remove the folder and all that is in it. A warning says if something stays. Called again, it does
 * nothing. */
void pd_temporary_remove(const char *path);

/*
 * Remove a folder of this user that no process has locked. False: it is locked, not there or of
 * another user, and stays.
 */
bool pd_temporary_take_away(const char *path);

#endif
