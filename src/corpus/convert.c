/*
 * corpus/convert.c - see include/pardup/corpus/convert.h
 *
 * A rank of MPI must not fork(): libraries below it may have registered memory. vfork() runs none
 * of their handlers and copies no memory; the child makes system calls only, then becomes the
 * program.
 */
#include "pardup/corpus/convert.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pardup/base/error.h"

enum {
    WORDS_MOST = 64,      /* words of a command */
    SECONDS_MOST = 120,   /* on the clock, for one file */
    SECONDS_CPU = 60,     /* of a processor, for one process of the converter */
    POLL_MS = 200,        /* how often stopping() is asked */
    SAID_MOST = 200,      /* bytes kept of what the program says about a failure */
    READ_STEP = 64 << 10, /* bytes of one read */
    STATUS_MISSING =
        127 /* exit status of a child that could not become the program, as in shells */
};
#define MEMORY_MOST ((rlim_t)4 << 30) /* bytes of addresses of one process of the converter */
#define FILE_MOST   ((rlim_t)1 << 30) /* bytes of a file that it writes */

/* The first row of a kind whose program is installed is taken. */
static const struct pd_converter own[] = {
    {"pdf", "%PDF-", "pdftotext -enc UTF-8 -nopgbrk {} -", "poppler-utils", PD_MEDIA_TEXT},
    {"rtf", "{\\rtf", "pandoc -f rtf -t plain --wrap=none {}", "pandoc", PD_MEDIA_TEXT},
    {"rtf", "{\\rtf", "soffice --headless --cat {}", "libreoffice-writer", PD_MEDIA_TEXT},
    {"doc", "\xd0\xcf\x11\xe0", "antiword -w 0 -m UTF-8.txt {}", "antiword", PD_MEDIA_TEXT},
    {"doc", "\xd0\xcf\x11\xe0", "catdoc -w -d utf-8 {}", "catdoc", PD_MEDIA_TEXT},
    {"doc", "\xd0\xcf\x11\xe0", "soffice --headless --cat {}", "libreoffice-writer", PD_MEDIA_TEXT},
    {"djvu", "AT&TFORM", "djvutxt {}", "djvulibre-bin", PD_MEDIA_TEXT}};
enum { OWN = sizeof own / sizeof *own, GIVEN_MOST = PD_CONVERTERS - OWN };

static struct pd_converter given[GIVEN_MOST];
static int ngiven;

/* ---- the table ---- */

int pd_converter_add(const char *row)
{
    const char *equals = strchr(row, '=');
    if (!equals || equals == row || equals[1 + strspn(equals + 1, " ")] == '\0')
        return pd_fail(PD_EUSAGE, "--convert '%s': expected 'ENDING=COMMAND {}'", row);
    if (!strstr(equals, "{}"))
        return pd_fail(PD_EUSAGE, "--convert '%s': the command needs {} where the file stands",
                       row);
    if (ngiven == GIVEN_MOST)
        return pd_fail(PD_EUSAGE, "--convert: more than %d", GIVEN_MOST);
    row += *row == '.';
    given[ngiven++] = (struct pd_converter){.kind = pd_printed("%.*s", (int)(equals - row), row),
                                            .command = equals + 1};
    return PD_OK;
}

const struct pd_converter *pd_converter(int number)
{
    return number < OWN ? &own[number] : &given[number - OWN];
}

void pd_converter_program(const struct pd_converter *c, struct pd_bytes *to)
{
    const char *s = c->command + strspn(c->command, " ");
    pd_bytes_append(to, s, strcspn(s, " "));
    pd_bytes_push(to, '\0');
    to->n--;
}

/* Is the program of the row in a folder of $PATH? */
static bool is_installed(const struct pd_converter *c)
{
    const char *path = getenv("PATH");
    struct pd_bytes name = {0};
    bool found = false;
    for (size_t n; path && !found; path = path[n] ? path + n + 1 : NULL) {
        n = strcspn(path, ":");
        name.n = 0;
        pd_bytes_append(&name, path, n);
        pd_bytes_push(&name, '/');
        pd_converter_program(c, &name);
        found = access((const char *)name.v, X_OK) == 0;
    }
    pd_bytes_release(&name);
    return found;
}

static bool fits(const struct pd_converter *c, const char *path, const unsigned char *s, size_t n)
{
    if (c->magic)
        return n >= strlen(c->magic) && memcmp(s, c->magic, strlen(c->magic)) == 0;
    const size_t m = strlen(c->kind), all = strlen(path);
    return all > m && path[all - m - 1] == '.' && strcasecmp(path + all - m, c->kind) == 0;
}

/* How many of s[0, n) stand before the begin of the format: a byte order mark, white space. */
static size_t before_magic(const unsigned char *s, size_t n)
{
    size_t k = n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (k < n && memchr(" \t\r\n", s[k], 4))
        k++;
    return k;
}

int pd_converter_next(int number)
{
    for (int k = number + 1; k < OWN; k++)
        if (strcmp(own[k].kind, own[number].kind) == 0 && is_installed(&own[k]))
            return k;
    return -1;
}

int pd_converter_find(const char *path, const unsigned char *s, size_t n)
{
    const size_t before = before_magic(s, n);
    s += before;
    n -= before;
    for (int k = 0; k < ngiven; k++)
        if (fits(&given[k], path, s, n))
            return OWN + k;
    int first = -1;
    for (int k = 0; k < OWN; k++)
        if (fits(&own[k], path, s, n)) {
            if (is_installed(&own[k]))
                return k;
            first = first < 0 ? k : first;
        }
    return first;
}

/* ---- the command ---- */

/* The words of a command. A zeroed struct is ready for use. */
struct words {
    char *v[WORDS_MOST + 1]; /* allocated; NULL behind the last */
    size_t n;
};

/* Append s[0, n) to `to`, with the path for each {}. */
static void put_word(struct pd_bytes *to, const char *s, size_t n, const char *path)
{
    for (size_t k = 0; k < n; k++)
        if (k + 1 < n && s[k] == '{' && s[k + 1] == '}') {
            if (*path == '-')
                pd_bytes_append(to, "./", 2); /* else it would be an option */
            pd_bytes_append(to, path, strlen(path));
            k++;
        } else {
            pd_bytes_push(to, (unsigned char)s[k]);
        }
}

static void split(const char *command, const char *path, struct words *w)
{
    for (const char *s = command; w->n < WORDS_MOST && *(s += strspn(s, " "));) {
        struct pd_bytes word = {0};
        const size_t n = strcspn(s, " ");
        put_word(&word, s, n, path);
        pd_bytes_push(&word, '\0');
        w->v[w->n++] = (char *)word.v;
        s += n;
    }
}

/* ---- the process ---- */

/* A converter that runs. */
struct running {
    pid_t process;
    int out, err; /* what it prints; -1: closed */
};

static void limit(int what, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) == 0 && (now.rlim_max == RLIM_INFINITY || now.rlim_max > most)) {
        now = (struct rlimit){most, most};
        setrlimit(what, &now);
    }
}

/* In the child, which shares the memory of its parent until it becomes the program. */
static void become(char *const *words, const int out[2], const int err[2])
{
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    syscall(SYS_close_range, (unsigned)STDERR_FILENO + 1, ~0U, 0U);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CPU, SECONDS_CPU);
    limit(RLIMIT_AS, MEMORY_MOST);
    limit(RLIMIT_FSIZE, FILE_MOST);
    limit(RLIMIT_CORE, 0);
    if (unshare(CLONE_NEWNET) != 0)
        (void)!unshare(CLONE_NEWUSER | CLONE_NEWNET); /* refused: it keeps the network */
    execvp(words[0], words);
    _exit(STATUS_MISSING);
}

/* Start the command. False: there is no room for a process. */
static bool start(char *const *words, struct running *p)
{
    int out[2], err[2];
    if (pipe2(out, O_CLOEXEC) != 0)
        return false;
    if (pipe2(err, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return false;
    }
    p->process = vfork();
    if (p->process == 0)
        become(words, out, err);
    close(out[1]);
    close(err[1]);
    p->out = out[0];
    p->err = err[0];
    return p->process > 0;
}

/* Read what has come to the pipe *fd; `most` bytes are kept. The pipe is closed at its end. */
static void take(int *fd, struct pd_bytes *to, size_t most)
{
    char step[READ_STEP];
    const ssize_t n = read(*fd, step, sizeof step);
    if (n > 0 && to->n <= most)
        pd_bytes_append(to, step, (size_t)n);
    if (n == 0 || (n < 0 && errno != EINTR)) {
        close(*fd);
        *fd = -1;
    }
}

static time_t seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Read all that the process prints. PD_CONVERTED: it has closed its outputs. */
static enum pd_conversion listen_to(struct running *p, size_t most, int (*stopping)(void),
                                    struct pd_bytes *text, struct pd_bytes *said)
{
    const time_t end = seconds() + SECONDS_MOST;
    while (p->out >= 0 || p->err >= 0) {
        struct pollfd fds[2] = {{p->out, POLLIN, 0}, {p->err, POLLIN, 0}};
        poll(fds, 2, POLL_MS);
        if (fds[0].revents)
            take(&p->out, text, most);
        if (fds[1].revents)
            take(&p->err, said, SAID_MOST);
        if (text->n > most)
            return PD_CONVERT_LARGE;
        if (stopping && stopping())
            return PD_CONVERT_STOPPED;
        if (seconds() > end)
            return PD_CONVERT_FAILED;
    }
    return PD_CONVERTED;
}

/* One line of what the program has said, or how it has ended. */
static void explain(int status, const struct pd_bytes *said, bool late, struct pd_bytes *why)
{
    size_t n = 0;
    while (n < said->n && n < SAID_MOST && said->v[n] != '\n' && said->v[n] != '\r')
        n++;
    why->n = 0;
    if (late)
        pd_bytes_print(why, "it took more than %d seconds", SECONDS_MOST);
    else if (WIFSIGNALED(status))
        pd_bytes_print(why, "it was ended by signal %d", WTERMSIG(status));
    else
        pd_bytes_print(why, "it ended with status %d", WEXITSTATUS(status));
    if (n > 0 && !late)
        pd_bytes_print(why, ": %.*s", (int)n, (const char *)said->v);
    pd_bytes_push(why, '\0');
}

enum pd_conversion pd_converter_run(const struct pd_converter *c, const char *path, size_t most,
                                    int (*stopping)(void), struct pd_bytes *text,
                                    struct pd_bytes *why)
{
    struct words words = {.n = 0};
    struct running p = {.out = -1};
    struct pd_bytes said = {0};
    enum pd_conversion result = PD_CONVERT_FAILED;
    int status = 0;
    text->n = 0;
    split(c->command, path, &words);
    if (start(words.v, &p)) {
        result = listen_to(&p, most, stopping, text, &said);
        const bool late = result == PD_CONVERT_FAILED;
        if (result != PD_CONVERTED)
            kill(-p.process, SIGKILL);
        while (waitpid(p.process, &status, 0) < 0 && errno == EINTR)
            continue;
        if (result == PD_CONVERTED && status != 0)
            result = PD_CONVERT_FAILED;
        if (result == PD_CONVERT_FAILED && WIFEXITED(status) &&
            WEXITSTATUS(status) == STATUS_MISSING && !late)
            result = PD_CONVERT_MISSING;
        explain(status, &said, late, why);
    } else {
        why->n = 0;
        pd_bytes_print(why, "%s", strerror(errno));
        pd_bytes_push(why, '\0');
    }
    if (p.out >= 0)
        close(p.out);
    if (p.err >= 0)
        close(p.err);
    for (size_t k = 0; k < words.n; k++)
        free(words.v[k]);
    pd_bytes_release(&said);
    return result;
}
