/* base/folder.c - see include/pardup/base/folder.h */
#include "pardup/base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "pardup/base/error.h"

enum { ANYBODY = 0777 }; /* mode of the folder, less what the umask takes away */

static int make_one(const char *path)
{
    struct stat st;
    if (mkdir(path, ANYBODY) == 0 || errno == EEXIST)
        return PD_OK;
    const int why = errno;
    return stat(path, &st) == 0 ? PD_OK : pd_fail(PD_EIO, "%s: %s", path, strerror(why));
}

int pd_folder_make(const char *path)
{
    char part[PATH_MAX];
    struct stat st;
    if (stat(path, &st) == 0)
        return PD_OK;
    snprintf(part, sizeof part, "%s", path);
    for (char *at = part + 1; *part && *at; at++)
        if (*at == '/') {
            *at = '\0';
            PD_TRY(make_one(part));
            *at = '/';
        }
    return make_one(part);
}

int pd_folder_lock(const char *path, int *lock)
{
    *lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return *lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
               ? pd_fail(PD_EIO, "%s: in use by another job that writes the same folder", path)
               : PD_OK;
}
