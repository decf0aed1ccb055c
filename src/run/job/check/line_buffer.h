/* run/job/check/line_buffer.h - lines of a stream that arrives in parts. */
#ifndef PARDUP_RUN_LINE_BUFFER_H
#define PARDUP_RUN_LINE_BUFFER_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/bytes.h"

/* A zeroed struct but for `most` is empty; its bytes are to be released in the end. */
struct pd_line_buffer {
    size_t most;        /* bytes of the longest line that is kept */
    uint64_t line;      /* number of the line that was taken last, from 1 */
    bool ended;         /* the stream has ended */
    bool passing;       /* the rest of a line that is too long is passed over */
    struct pd_bytes in; /* what was read; the next line begins at `at` */
    size_t at, seen;    /* `seen` bytes behind `at` have no end of a line */
};

/*
 * Take the next line, without its end and without a byte order mark in front of the first one. *n
 * is 0 for a line of blanks, and SIZE_MAX if it is too long. The line is borrowed until the next
 * read. False: more has to be read first, or the stream has ended.
 */
bool pd_line_next(struct pd_line_buffer *b, const char **line, size_t *n);

/* Read some bytes that are there. False: errno says why not. */
bool pd_line_read(struct pd_line_buffer *b, int fd);

/*
 * Wait for an event of a descriptor, as poll() does, or for a signal that asks to stop, at most so
 * many seconds; -1: as long as it takes. PD_OK, PD_END (the signal) or PD_EIO.
 */
int pd_line_wait(struct pollfd *v, nfds_t n, int seconds);

#endif
