/* run/check/socket.c - see src/run/check/socket.h */
#include "socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "line_buffer.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"

enum {
    CLIENTS_MOST = 64,      /* clients that are served at the same time; others wait */
    WAITING_MOST = 1 << 20, /* bytes of answers that wait for a client, beyond one answer */
};

struct client {
    int fd;
    struct pd_line_buffer in;
    struct pd_bytes out; /* answers; the first `sent` bytes are sent */
    size_t sent;
};

struct serving {
    const struct pd_service *how;
    int door;  /* the socket at which clients knock */
    bool full; /* the system has no descriptor for another client */
    struct client clients[CLIENTS_MOST];
    size_t n;
};

static size_t waiting(const struct client *c) { return c->out.n - c->sent; }

/* ---- the door ---- */

static int open_door(struct serving *s)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    const char *path = s->how->path;
    if (strlen(path) >= sizeof at.sun_path)
        return pd_fail(PD_EUSAGE, "--socket %s: the path of a socket has at most %zu bytes", path,
                       sizeof at.sun_path - 1);
    strcpy(at.sun_path, path);
    s->door = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s->door < 0)
        return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    const mode_t before = umask(S_IRWXG | S_IRWXO); /* answers show sources: for the owner only */
    const bool bound = bind(s->door, (const struct sockaddr *)&at, sizeof at) == 0;
    const int why = errno;
    umask(before);
    if (bound && listen(s->door, SOMAXCONN) == 0)
        return PD_OK;
    if (bound)
        unlink(path);
    close(s->door);
    return why == EADDRINUSE
               ? pd_fail(PD_EIO, "%s: there already; remove it if no other pardup answers there",
                         path)
               : pd_fail(PD_EIO, "%s: %s", path, strerror(bound ? errno : why));
}

static void let_in(struct serving *s)
{
    const int fd = accept4(s->door, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    s->full = fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM);
    if (fd >= 0)
        s->clients[s->n++] = (struct client){.fd = fd, .in = {.most = s->how->most}};
}

/* End the connection of client k. The last client takes its place. */
static void let_go(struct serving *s, size_t k)
{
    struct client *c = &s->clients[k];
    close(c->fd);
    pd_bytes_release(&c->in.in);
    pd_bytes_release(&c->out);
    *c = s->clients[--s->n];
    s->full = false;
}

/* ---- a client ---- */

/* Send what the client takes. False: it has gone away. */
static bool send_answers(struct client *c)
{
    while (waiting(c)) {
        const ssize_t n = send(c->fd, c->out.v + c->sent, waiting(c), MSG_NOSIGNAL);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        c->sent += (size_t)n;
    }
    c->out.n = c->sent = 0;
    return true;
}

/* Answer the lines of a client that are there, as long as it takes the answers. */
static int answer_lines(const struct serving *s, struct client *c, bool *gone)
{
    const char *line;
    size_t n;
    *gone = !send_answers(c);
    while (!*gone && waiting(c) < WAITING_MOST && pd_line_next(&c->in, &line, &n)) {
        if (n)
            PD_TRY(s->how->answer(s->how->ctx, line, n, c->in.line, &c->out));
        *gone = !send_answers(c);
    }
    *gone |= c->in.ended && c->in.at == c->in.in.n && waiting(c) == 0;
    return PD_OK;
}

/* ---- the service ---- */

static short wanted(const struct client *c)
{
    const bool reads = !c->in.ended && waiting(c) < WAITING_MOST;
    return (short)((reads ? POLLIN : 0) | (waiting(c) ? POLLOUT : 0));
}

static int serve(struct serving *s)
{
    struct pollfd v[1 + CLIENTS_MOST];
    for (;;) {
        const bool open = s->n < CLIENTS_MOST && !s->full;
        v[0] = (struct pollfd){.fd = open ? s->door : -1, .events = POLLIN};
        for (size_t k = 0; k < s->n; k++)
            v[1 + k] = (struct pollfd){.fd = s->clients[k].fd, .events = wanted(&s->clients[k])};
        const int status = pd_line_wait(v, 1 + s->n);
        if (status != PD_OK)
            return status < 0 ? status : PD_OK;
        for (size_t k = s->n; k-- > 0;) { /* backwards: the last one may move to place k */
            struct client *c = &s->clients[k];
            bool gone = false;
            if (v[1 + k].revents == 0)
                continue;
            if (wanted(c) & POLLIN && !pd_line_read(&c->in, c->fd))
                gone = true;
            else
                PD_TRY(answer_lines(s, c, &gone));
            if (gone)
                let_go(s, k);
        }
        if (v[0].revents)
            let_in(s);
    }
}

int pd_service_run(const struct pd_service *how)
{
    struct serving *s = pd_realloc(NULL, 1, sizeof *s);
    *s = (struct serving){.how = how};
    int status = open_door(s);
    if (status >= 0) {
        pd_log(PD_LOG_INFO, "%s: answers JSON lines", how->path);
        status = serve(s);
        while (s->n)
            let_go(s, s->n - 1);
        close(s->door);
        unlink(how->path);
    }
    free(s);
    return status;
}
