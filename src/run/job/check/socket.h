/*
 * run/job/check/socket.h - a Unix socket at which lines are answered with lines.
 *
 * Several clients are served at the same time by one thread: one line of each in turn. A client
 * that goes away, or does not read its answers, holds up nobody else. What waits for a client that
 * does not read is bounded: its lines are then left unread. A long line is taken in from one client
 * at a time, so what clients send takes little more memory than the longest line.
 */
#ifndef PARDUP_RUN_SOCKET_H
#define PARDUP_RUN_SOCKET_H

#include <stdint.h>

#include "pardup/base/bytes.h"

struct pd_service {
    const char *path; /* of the socket; made by pd_service_run, and removed in the end */
    size_t most;      /* bytes of the longest line; a longer one comes with n = SIZE_MAX */
    /*
     * Append the answer to line number `line` to `out`. PD_OK; any other status ends the service.
     */
    int (*answer)(void *ctx, const char *text, size_t n, uint64_t line, struct pd_bytes *out);
    void *ctx;
};

/*
 * Serve until a signal asks to stop. PD_OK, PD_EUSAGE (the path is too long), PD_EIO (there is
 * something at the path, or no socket can be made), or the status of `answer`.
 */
int pd_service_run(const struct pd_service *how);

#endif
