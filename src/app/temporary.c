/* app/temporary.c - see src/app/temporary.h */
#include "temporary.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/folder.h"

enum { FOLDERS_OPEN = 16 };

int pd_temporary_make(const struct pd_options *o, char path[PATH_MAX])
{
    const char *tmp = getenv("TMPDIR");
    const char *parent = o->job.scratch ? o->job.scratch : tmp && *tmp ? tmp : "/tmp";
    const int n = snprintf(path, PATH_MAX, "%s/pardup-result-XXXXXX", parent);
    if (n >= PATH_MAX - PD_TEMPORARY_ROOM)
        return pd_fail(PD_EIO, "scratch: path too long (another place: --scratch)");
    if (o->job.scratch)
        PD_TRY(pd_folder_make(o->job.scratch));
    if (!mkdtemp(path))
        return pd_fail(PD_EIO, "%s: %s (scratch; another place: --scratch)", parent,
                       strerror(errno));
    return PD_OK;
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)st, (void)kind, (void)walk;
    (void)remove(path); /* what cannot be removed stays */
    return 0;
}

void pd_temporary_remove(const char *path)
{
    (void)nftw(path, remove_entry, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
}
