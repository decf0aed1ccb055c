/* app/temporary.c - see src/app/temporary.h */
#include "temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/folder.h"
#include "pardup/base/log.h"

/*
 * A folder is made under the first name, and gets the second one when it is locked. So a folder of
 * the second name without a lock is one whose process has ended, and the next process removes it.
 */
#define MADE   "pardup-making-XXXXXX"
#define LOCKED "pardup-result-"

enum { FOLDERS_OPEN = 16, SUFFIX = 6 };

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)st, (void)kind, (void)walk;
    (void)remove(path); /* what cannot be removed stays */
    return 0;
}

static void remove_all(const char *path)
{
    (void)nftw(path, remove_entry, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
}

/* Open a folder of this user and lock it. Returns its descriptor, or -1. */
static int lock(const char *path)
{
    struct stat st;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Remove the folders that processes have left which were killed. */
static void remove_left(const char *parent)
{
    const struct dirent *entry;
    DIR *folder = opendir(parent);
    while (folder && (entry = readdir(folder)) != NULL) {
        if (strncmp(entry->d_name, LOCKED, strlen(LOCKED)) != 0)
            continue;
        char *path = pd_printed("%s/%s", parent, entry->d_name);
        (void)pd_temporary_take_away(path);
        free(path);
    }
    if (folder)
        closedir(folder);
}

int pd_temporary_make(const struct pd_options *o, char path[PATH_MAX])
{
    const char *tmp = getenv("TMPDIR");
    const char *parent = o->job.scratch ? o->job.scratch : tmp && *tmp ? tmp : "/tmp";
    char made[PATH_MAX];
    const int n = snprintf(made, PATH_MAX, "%s/" MADE, parent);
    if (n >= PATH_MAX - PD_TEMPORARY_ROOM)
        return pd_fail(PD_EIO, "scratch: path too long (another place: --scratch)");
    if (o->job.scratch)
        PD_TRY(pd_folder_make(o->job.scratch));
    remove_left(parent);
    if (!mkdtemp(made))
        return pd_fail(PD_EIO, "%s: %s (scratch; another place: --scratch)", parent,
                       strerror(errno));
    (void)!lock(made); /* the lock ends with the process; some file systems have none */
    snprintf(path, PATH_MAX, "%s/" LOCKED "%s", parent, made + n - SUFFIX);
    if (rename(made, path) == 0)
        return PD_OK;
    const int why = errno;
    rmdir(made);
    return pd_fail(PD_EIO, "%s: %s (scratch; another place: --scratch)", path, strerror(why));
}

bool pd_temporary_take_away(const char *path)
{
    const int fd = lock(path);
    if (fd < 0)
        return false;
    pd_temporary_remove(path);
    close(fd);
    return true;
}

void pd_temporary_remove(const char *path)
{
    struct stat st;
    remove_all(path);
    if (lstat(path, &st) != 0)
        return;
    remove_all(path); /* a call that was interrupted works the second time */
    if (lstat(path, &st) == 0)
        pd_log(PD_LOG_WARN, "%s: cannot be removed: remove it", path);
}
