/* run/job/check/line_buffer.c - see src/run/job/check/line_buffer.h */
#include "line_buffer.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/comm/comm.h"

enum { READ_BYTES = 1 << 16 }; /* bytes that are read at a time */

/* Leave out a byte order mark in front of the first line, and a line of nothing but blanks. */
static void trim(const char **line, size_t *n, bool first)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (first && *n >= sizeof mark - 1 && memcmp(*line, mark, sizeof mark - 1) == 0) {
        *line += sizeof mark - 1;
        *n -= sizeof mark - 1;
    }
    size_t k = *n;
    while (k > 0 && memchr(" \t\r", (*line)[k - 1], 3))
        k--;
    *n = k > 0 ? *n : 0;
}

bool pd_line_next(struct pd_line_buffer *b, const char **line, size_t *n)
{
    const size_t left = b->in.n - b->at;
    const unsigned char *begin = left ? b->in.v + b->at : NULL;
    const unsigned char *end =
        left > b->seen ? memchr(begin + b->seen, '\n', left - b->seen) : NULL;
    if (end || (b->ended && left)) {
        *line = (const char *)begin;
        *n = b->passing ? SIZE_MAX : end ? (size_t)(end - begin) : left;
        if (!b->passing)
            trim(line, n, b->line == 0);
        if (*n > b->most)
            *n = SIZE_MAX;
        b->at += end ? (size_t)(end - begin) + 1 : left;
        b->passing = false;
        b->seen = 0;
        b->line++;
        return true;
    }
    b->seen = left;
    if (left > b->most) { /* keep nothing of a line that is too long */
        b->passing = true;
        b->at = b->in.n;
        b->seen = 0;
    }
    return false;
}

bool pd_line_read(struct pd_line_buffer *b, int fd)
{
    if (b->at > 0) /* else there may be no memory yet */
        memmove(b->in.v, b->in.v + b->at, b->in.n - b->at);
    b->in.n -= b->at;
    b->at = 0;
    pd_bytes_reserve(&b->in, b->in.n + READ_BYTES);
    const ssize_t n = read(fd, b->in.v + b->in.n, READ_BYTES);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR;
    b->ended = n == 0;
    b->in.n += (size_t)n;
    return true;
}

/*
 * Signals are held back except while waiting, so that none comes between looking for one and
 * waiting.
 */
int pd_line_wait(struct pollfd *v, nfds_t n, int seconds)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGXCPU};
    const struct timespec longest = {.tv_sec = seconds};
    sigset_t held, before;
    sigemptyset(&held);
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
        sigaddset(&held, signals[k]);
    sigprocmask(SIG_BLOCK, &held, &before);
    int ready = 0;
    while (!pd_comm_stopping() &&
           (ready = ppoll(v, n, seconds < 0 ? NULL : &longest, &before)) < 0 && errno == EINTR)
        continue;
    const int why = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pd_comm_stopping())
        return PD_END;
    return ready < 0 ? pd_fail(PD_EIO, "waiting for lines: %s", strerror(why)) : PD_OK;
}
