/* base/open.c - see include/pardup/base/open.h */
#include "pardup/base/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pardup/base/error.h"

static int unreadable(const char *path) { return pd_fail(PD_EIO, "%s: %s", path, strerror(errno)); }

static int check_kind(const char *path, const struct stat *st, bool pipes)
{
    if (S_ISREG(st->st_mode) || (pipes && S_ISFIFO(st->st_mode)))
        return PD_OK;
    return pd_fail(PD_EIO, "%s: %s", path,
                   S_ISDIR(st->st_mode) ? strerror(EISDIR) : "not a regular file");
}

/* Open a path without waiting. Returns its descriptor, or -1 after pd_fail. */
static int open_checked(const char *path, bool pipes)
{
    struct stat st;
    /* to open a device can have an effect: look first */
    if (stat(path, &st) != 0)
        return unreadable(path), -1;
    if (check_kind(path, &st, pipes) < 0)
        return -1;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return unreadable(path), -1;
    const int status = fstat(fd, &st) == 0 ? check_kind(path, &st, pipes) : unreadable(path);
    if (status >= 0)
        return fd;
    close(fd);
    return -1;
}

int pd_open_regular(const char *path) { return open_checked(path, false); }

int pd_read_regular(const char *path, struct pd_bytes *to)
{
    enum { READ_AT_ONCE = 1 << 16 };
    const int fd = pd_open_regular(path);
    if (fd < 0)
        return PD_EIO;
    ssize_t n;
    do {
        pd_bytes_reserve(to, to->n + READ_AT_ONCE);
        n = read(fd, to->v + to->n, READ_AT_ONCE);
        to->n += n > 0 ? (size_t)n : 0;
    } while (n > 0);
    const int status = n < 0 ? unreadable(path) : PD_OK;
    close(fd);
    return status;
}

/* Find out if somebody writes to a pipe. All later reads wait for the writer. */
static int check_writer(const char *path, FILE *f)
{
    errno = 0;
    const int c = fgetc(f);
    if (c == EOF && !(ferror(f) && errno == EAGAIN))
        return pd_fail(PD_EIO, "%s: a pipe with nothing in it", path);
    clearerr(f);
    if (c != EOF)
        ungetc(c, f);
    const int flags = fcntl(fileno(f), F_GETFL);
    return fcntl(fileno(f), F_SETFL, flags & ~O_NONBLOCK) == 0 ? PD_OK : unreadable(path);
}

FILE *pd_open_list(const char *path)
{
    struct stat st;
    const int fd = open_checked(path, true);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "rb");
    if (!f) {
        if (fd >= 0) {
            (void)unreadable(path);
            close(fd);
        }
        return NULL;
    }
    if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) && check_writer(path, f) < 0) {
        fclose(f);
        return NULL;
    }
    return f;
}
