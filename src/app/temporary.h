/* app/temporary.h - a folder for a result that nobody keeps. */
#ifndef PARDUP_APP_TEMPORARY_H
#define PARDUP_APP_TEMPORARY_H

#include <limits.h>

#include "pardup/run/options.h"

enum { PD_TEMPORARY_ROOM = 64 }; /* bytes of PATH_MAX that stay free for a name in the folder */

/* Make a folder in the scratch of the job. `path` receives its name. PD_OK or PD_EIO. */
int pd_temporary_make(const struct pd_options *o, char path[PATH_MAX]);

/* Remove the folder and all that is in it, as far as it can be removed. */
void pd_temporary_remove(const char *path);

#endif
