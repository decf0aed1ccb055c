/* base/rename.c - see include/pardup/base/rename.h */
#include "pardup/base/rename.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int pd_rename(const char *from, const char *to)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(to, '/');
    if (rename(from, to) != 0)
        return -1;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - to) + 1 : 1, slash ? to : ".");
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) /* a folder that may be written but not read */
        return 0;
    const int why = fsync(fd) != 0 && errno == EIO ? EIO : 0;
    close(fd);
    errno = why;
    return why ? -1 : 0;
}
