/* base/rename.c - see include/pardup/base/rename.h */
#include "pardup/base/rename.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool nothing_lasts;

void pd_sync_nothing(void) { nothing_lasts = true; }

int pd_sync(int fd) { return nothing_lasts ? 0 : fsync(fd); }

/* Sync the folder of a file. Returns 0, or EIO if the disk fails. */
static int sync_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) /* a folder that may be written but not read */
        return 0;
    const int why = pd_sync(fd) != 0 && errno == EIO ? EIO : 0;
    close(fd);
    return why;
}

/* Exchange two names, if the second one is a file and the file system can. */
static bool exchange(const char *from, const char *to)
{
    struct stat st;
    return lstat(to, &st) == 0 && S_ISREG(st.st_mode) &&
           renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0;
}

int pd_rename(const char *from, const char *to)
{
    struct stat st;
    const bool new = lstat(to, &st) != 0 && errno == ENOENT;
    const bool exchanged = !new &&exchange(from, to); /* the old file can come back */
    if (!exchanged && rename(from, to) != 0)
        return -1;
    const int why = sync_folder(to);
    if (why && new)
        (void)rename(to, from);
    else if (why && exchanged)
        (void)exchange(from, to);
    else if (exchanged)
        unlink(from);
    errno = why;
    return why ? -1 : 0;
}
