/* tests/support/pd_root.h - a made-up root, with the files of /proc and /sys that a test wants. */
#ifndef PD_ROOT_H
#define PD_ROOT_H

#include "pardup/base/folder.h"
#include "pd_scratch.h"

static char root[4200]; /* the folder that stands for "/" */

/* Begin with a root that is not there yet. */
static inline void root_begin(const char *name)
{
    snprintf(root, sizeof root, "%s", scratch_path(name));
}

/* Write a file below the root, with the folders above it. */
static inline void root_write(const char *path, const char *text)
{
    char all[4400], folder[4400];
    snprintf(all, sizeof all, "%s/%s", root, path);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(all, '/') - all), all);
    PD_CHECK(pd_folder_make(folder) == 0);
    FILE *f = fopen(all, "w");
    if (!f || fputs(text, f) < 0 || fclose(f))
        pd_panic("%s: cannot be written", all);
}

#endif
