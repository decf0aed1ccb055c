/* run/job/check/socket.c - see src/run/job/check/socket.h */
#include "socket.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "line_buffer.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"

enum {
    CLIENTS_MOST = 1000,    /* clients that are served at the same time; others wait */
    WAITING_MOST = 1 << 20, /* bytes of answers that wait for a client, beyond one answer */
    WAITING_ALL = 1 << 26,  /* the same for all clients, who share it */
    LONG_LINE = 1 << 17,    /* bytes of a line that only one client at a time may go beyond */
    SILENT_MOST = 10,       /* seconds that this client may be silent while others wait */
};

struct client {
    int fd;
    struct pd_line_buffer in;
    struct pd_bytes out; /* answers; the first `sent` bytes are sent */
    size_t sent;
    bool has_line; /* perhaps: the last turn answered a line */
};

struct serving {
    const struct pd_service *how;
    int door;      /* the socket at which clients knock */
    ino_t inode;   /* the name of the socket in its folder */
    bool full;     /* the system has no descriptor for another client */
    int long_one;  /* descriptor of the client that sends a long line; -1: there is none */
    time_t heard;  /* when it has sent something */
    bool kept_out; /* another client waits with a long line */
    struct client clients[CLIENTS_MOST];
    size_t n;
};

static size_t waiting(const struct client *c) { return c->out.n - c->sent; }

/* Does the client read so little that its lines have to wait? */
static bool is_deaf(const struct serving *s, const struct client *c)
{
    const size_t share = WAITING_ALL / s->n;
    return waiting(c) >= (share < WAITING_MOST ? share : WAITING_MOST);
}

static bool sends_long(const struct client *c) { return c->in.in.n - c->in.at > LONG_LINE; }

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
    struct stat st;
    if (bound && listen(s->door, SOMAXCONN) == 0 && lstat(path, &st) == 0) {
        s->inode = st.st_ino;
        return PD_OK;
    }
    if (bound)
        unlink(path);
    close(s->door);
    return why == EADDRINUSE
               ? pd_fail(PD_EIO, "%s: there already; remove it if no other pardup answers there",
                         path)
               : pd_fail(PD_EIO, "%s: %s", path, strerror(bound ? errno : why));
}

/* Remove the name of the socket, unless another pardup has put its own there. */
static void close_door(const struct serving *s)
{
    struct stat st;
    close(s->door);
    if (lstat(s->how->path, &st) == 0 && S_ISSOCK(st.st_mode) && st.st_ino == s->inode)
        unlink(s->how->path);
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
    if (c->fd == s->long_one)
        s->long_one = -1;
    close(c->fd);
    PD_RELEASE(pd_bytes, &c->in.in, &c->out);
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

/* Answer the next line of a client, if there is one and if the client takes its answers. */
static int answer_line(const struct serving *s, struct client *c, bool *gone)
{
    const char *line;
    size_t n;
    *gone = !send_answers(c);
    c->has_line = !*gone && !is_deaf(s, c) && pd_line_next(&c->in, &line, &n);
    if (c->has_line && n)
        PD_TRY(s->how->answer(s->how->ctx, line, n, c->in.line, &c->out));
    *gone = *gone || !send_answers(c);
    const bool empty = c->in.at == c->in.in.n;
    *gone |= c->in.ended && empty && waiting(c) == 0;
    if (empty && c->in.in.cap > LONG_LINE) { /* of a long line, which is answered */
        pd_bytes_release(&c->in.in);
        c->in.at = 0;
    }
    return PD_OK;
}

/* Read from a client. False: it has gone away. */
static bool hear(struct serving *s, struct client *c)
{
    const bool there = pd_line_read(&c->in, c->fd);
    if (there && sends_long(c) && s->long_one < 0)
        s->long_one = c->fd;
    if (c->fd == s->long_one)
        s->heard = time(NULL);
    return there;
}

/*
 * A turn of a client: what it sends is read, and one line is answered. A client that has closed its
 * socket altogether is gone with what it had asked; one that has only ended its lines is not.
 */
static int take_turn(struct serving *s, struct client *c, short events, short revents, bool *gone)
{
    *gone = (revents & (POLLHUP | POLLERR)) || (revents & events & POLLIN && !hear(s, c));
    if (!*gone)
        PD_TRY(answer_line(s, c, gone));
    if (c->fd == s->long_one && !sends_long(c))
        s->long_one = -1;
    return PD_OK;
}

/* ---- the service ---- */

/* The events of a client that are waited for. */
static short wanted(struct serving *s, const struct client *c)
{
    const bool keeps_out = sends_long(c) && s->long_one >= 0 && s->long_one != c->fd;
    const bool reads = !c->in.ended && !c->has_line && !is_deaf(s, c);
    s->kept_out |= reads && keeps_out;
    return (short)((reads && !keeps_out ? POLLIN : 0) | (waiting(c) ? POLLOUT : 0));
}

/* Wait for the door and the clients: not at all if a client has a line that is not answered. */
static int wait_for_events(struct serving *s, struct pollfd *v)
{
    bool lines = false;
    s->kept_out = false;
    v[0] = (struct pollfd){.fd = s->n < CLIENTS_MOST && !s->full ? s->door : -1, .events = POLLIN};
    for (size_t k = 0; k < s->n; k++) {
        v[1 + k] = (struct pollfd){.fd = s->clients[k].fd, .events = wanted(s, &s->clients[k])};
        lines |= s->clients[k].has_line && !is_deaf(s, &s->clients[k]);
    }
    return pd_line_wait(v, 1 + s->n, lines ? 0 : s->kept_out ? 1 : -1);
}

static int serve(struct serving *s)
{
    struct pollfd v[1 + CLIENTS_MOST];
    for (;;) {
        const int status = wait_for_events(s, v);
        if (status != PD_OK)
            return status < 0 ? status : PD_OK;
        const bool silent = s->kept_out && time(NULL) > s->heard + SILENT_MOST;
        for (size_t k = s->n; k-- > 0;) { /* backwards: the last one may move to place k */
            struct client *c = &s->clients[k];
            bool gone = silent && c->fd == s->long_one;
            if (!gone && (v[1 + k].revents || c->has_line))
                PD_TRY(take_turn(s, c, v[1 + k].events, v[1 + k].revents, &gone));
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
    *s = (struct serving){.how = how, .long_one = -1};
    int status = open_door(s);
    if (status >= 0) {
        pd_log(PD_LOG_INFO, "%s: answers JSON lines", how->path);
        status = serve(s);
        while (s->n)
            let_go(s, s->n - 1);
        close_door(s);
    }
    free(s);
    return status;
}
