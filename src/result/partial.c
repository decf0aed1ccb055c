/* result/partial.c - see src/result/partial.h */
#include "partial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/open.h"
#include "pardup/base/rename.h"
#include "pardup/comm/comm.h"

/* ---- signals ---- */

/*
 * The signal handler itself removes the file, because the launcher may kill the job soon after the
 * signal. The name of the file is at file scope, because a signal handler gets no argument but the
 * signal.
 */
static const int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
static char *volatile open_temporary;

static void remove_temporary(int signal_number)
{
    if (open_temporary)
        unlink(open_temporary);
    pd_comm_ask_to_stop(signal_number);
}

/* Remove `temporary` when a signal comes; NULL: remove nothing. */
static void remove_on_signal(char *temporary)
{
    open_temporary = temporary;
    for (size_t k = 0; k < sizeof stopping / sizeof *stopping; k++)
        signal(stopping[k], temporary ? remove_temporary : pd_comm_ask_to_stop);
}

void pd_partial_remove_on_signal(const struct pd_partial *p)
{
    remove_on_signal(p->temporary);
    if (pd_comm_stopping()) /* the signal came before its handler could know the name */
        unlink(p->temporary);
}

/* ---- the file ---- */

void pd_partial_init(struct pd_partial *p, const char *path)
{
    *p = (struct pd_partial){pd_printed("%s", path), pd_printed("%s.part", path), -1};
}

void pd_partial_release(struct pd_partial *p)
{
    if (open_temporary == p->temporary)
        remove_on_signal(NULL);
    if (p->lock >= 0)
        close(p->lock);
    PD_FREE(p->path, p->temporary);
}

/*
 * Remove a temporary file that a killed job has left. Anything else under its name stays: a link, a
 * pipe, a file that another job is writing.
 */
static int remove_left(const char *temporary)
{
    struct stat st;
    if (lstat(temporary, &st) != 0)
        return PD_OK;
    if (!S_ISREG(st.st_mode))
        return pd_fail(PD_EIO, "%s: is not a file of pardup: remove it, or choose another -o",
                       temporary);
    const int fd = open(temporary, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const bool locked = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!locked)
        unlink(temporary);
    if (fd >= 0)
        close(fd);
    return locked ? pd_fail(PD_EIO, "%s: another job is writing it", temporary) : PD_OK;
}

int pd_partial_create(struct pd_partial *p)
{
    struct stat st;
    if (stat(p->path, &st) == 0 && !S_ISREG(st.st_mode))
        return pd_fail(PD_EIO, "%s: cannot be written: not a regular file", p->path);
    PD_TRY(remove_left(p->temporary));
    p->lock = open(p->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (p->lock < 0)
        return pd_fail(PD_EIO, "%s: cannot be written: %s", p->path, strerror(errno));
    (void)flock(p->lock, LOCK_EX | LOCK_NB); /* some file systems have no locks */
    return PD_OK;
}

int pd_partial_copy(const struct pd_partial *p, const char *from)
{
    char some[1 << 16];
    ssize_t n = 1;
    const int fd = pd_open_regular(from);
    if (fd < 0)
        return PD_EIO;
    bool written = true;
    while (written && (n = read(fd, some, sizeof some)) > 0)
        for (ssize_t at = 0, more; at < n && written; at += more) {
            more = write(p->lock, some + at, (size_t)(n - at));
            written = more > 0;
        }
    const int reason = errno;
    close(fd);
    return written && n == 0
               ? PD_OK
               : pd_fail(PD_EIO, "%s: %s", written ? from : p->path, strerror(reason));
}

void pd_partial_remove(const struct pd_partial *p) { unlink(p->temporary); }

int pd_partial_rename(const struct pd_partial *p)
{
    const int fd = open(p->temporary, O_RDONLY);
    /* a signal that comes after the rename finds no temporary file: the result stays */
    if (fd >= 0 && pd_sync(fd) == 0 && close(fd) == 0 && !pd_comm_stopping() &&
        pd_rename(p->temporary, p->path) == 0)
        return PD_OK;
    PD_TRY(pd_comm_check_stop());
    return pd_fail(PD_EIO, "%s: %s", p->path, strerror(errno));
}
