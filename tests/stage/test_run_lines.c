/*
 * tests/stage/test_run_lines.c - what `check` does with lines: a stream in parts, clients of a
 * socket, lines of standard input, and sources that are kept for the next line.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/run/check.h"
#include "pardup/run/index.h"
#include "pd_random.h"
#include "run/job/check/line_buffer.h"
#include "run/job/check/recent.h"
#include "run/job/check/socket.h"
#include "stage.h"

/* ---- a stream in parts ---- */

enum { LINE_MOST = 12 };

/*
 * Random lines, some of blanks, some too long. The last one may have no end, if it is not too long:
 * of a line that is too long nothing is kept, so nobody knows of it when the stream ends.
 */
static void make_stream(struct pd_bytes *b, uint64_t *seed)
{
    static const char letters[] = "ab \t\rc";
    b->n = 0;
    if (pd_random_below(seed, 2))
        pd_bytes_append(b, "\xef\xbb\xbf", 3);
    for (uint32_t lines = pd_random_below(seed, 9); lines > 0; lines--) {
        const uint32_t set = 2 + pd_random_below(seed, 5), n = pd_random_below(seed, LINE_MOST + 4);
        for (uint32_t k = 0; k < n; k++)
            pd_bytes_push(b, (unsigned char)letters[6 - set + pd_random_below(seed, set)]);
        if (lines > 1 || n + 3 > LINE_MOST || pd_random_below(seed, 2))
            pd_bytes_push(b, '\n');
    }
}

/* The next line from *at on, by its definition. False: there is none. */
static bool slow_next(const struct pd_bytes *b, size_t *at, bool first, const char **line,
                      size_t *n)
{
    if (*at == b->n)
        return false;
    size_t end = *at;
    while (end < b->n && b->v[end] != '\n')
        end++;
    *line = (const char *)b->v + *at;
    *n = end - *at;
    *at = end < b->n ? end + 1 : end;
    if (first && *n >= 3 && memcmp(*line, "\xef\xbb\xbf", 3) == 0) {
        *line += 3;
        *n -= 3;
    }
    size_t blanks = 0;
    while (blanks < *n && strchr(" \t\r", (*line)[blanks]))
        blanks++;
    *n = blanks == *n ? 0 : *n;
    return true;
}

/* Read a stream that comes through a pipe in random parts. */
static void try_stream(const struct pd_bytes *b, uint64_t *seed)
{
    struct pd_line_buffer in = {.most = LINE_MOST};
    const char *line, *expected;
    size_t n, m, at = 0, sent = 0;
    uint64_t lines = 0;
    int ends[2];
    PD_CHECK(pipe(ends) == 0);
    while (!in.ended) {
        const size_t part = pd_random_below(seed, (uint32_t)(b->n - sent) + 1);
        PD_CHECK(part == 0 || write(ends[1], b->v + sent, part) == (ssize_t)part);
        sent += part;
        if (sent == b->n && part == 0)
            close(ends[1]);
        if (part > 0 || sent == b->n)
            CU_ASSERT_TRUE(pd_line_read(&in, ends[0]));
        while (pd_line_next(&in, &line, &n)) {
            CU_ASSERT_TRUE(slow_next(b, &at, lines == 0, &expected, &m));
            CU_ASSERT_EQUAL(in.line, ++lines);
            /* a line may be too long by blanks alone, or by the mark in front of the first one */
            const bool by_mark = lines == 1 && m + 3 > LINE_MOST;
            CU_ASSERT_TRUE(n == (m > LINE_MOST ? SIZE_MAX : m) ||
                           (n == SIZE_MAX && (m == 0 || by_mark)));
            CU_ASSERT_TRUE(n == 0 || n == SIZE_MAX || memcmp(line, expected, n) == 0);
        }
        if (sent == b->n && part == 0)
            break;
    }
    CU_ASSERT_TRUE(in.ended);
    CU_ASSERT_FALSE(slow_next(b, &at, lines == 0, &expected, &m));
    CU_ASSERT_FALSE(pd_line_next(&in, &line, &n));
    close(ends[0]);
    pd_bytes_release(&in.in);
}

static void test_parts(void)
{
    struct pd_bytes b = {0};
    uint64_t seed = 7;
    for (int k = 0; k < 600; k++) {
        make_stream(&b, &seed);
        try_stream(&b, &seed);
    }
    pd_bytes_release(&b);
}

/* ---- clients of a socket ---- */

/* Answer with the number of the line and the line, several times for a long answer. */
static int echo(void *ctx, const char *text, size_t n, uint64_t line, struct pd_bytes *out)
{
    char head[32];
    (void)ctx;
    const int digits = snprintf(head, sizeof head, "%u ", (unsigned)line);
    for (int k = 0; k < (n > 3 && n != SIZE_MAX ? 1000 : 1); k++) {
        pd_bytes_append(out, head, (size_t)digits);
        pd_bytes_append(out, n == SIZE_MAX ? "long" : text, n == SIZE_MAX ? 4 : n);
        pd_bytes_append(out, "\n", 1);
    }
    return PD_OK;
}

/* What a client gets for `lines` lines, which tell the client. */
static void expect_answers(int client, uint32_t lines, struct pd_bytes *out)
{
    for (uint32_t k = 1; k <= lines; k++) {
        char line[8];
        const int n = snprintf(line, sizeof line, "%c%u", 'a' + client, k);
        PD_CHECK(echo(NULL, line, (size_t)n, k, out) == PD_OK);
    }
}

static int knock(const char *path)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    for (int tries = 0; connect(fd, (const struct sockaddr *)&at, sizeof at) != 0; tries++) {
        PD_CHECK(tries < 2000);
        usleep(5000);
    }
    return fd;
}

static void send_text(int fd, const char *text)
{
    PD_CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
}

/* Read all answers of a client. */
static void expect_all(int fd, const struct pd_bytes *expected)
{
    struct pd_bytes got = {0};
    char part[4096];
    ssize_t n;
    while ((n = read(fd, part, sizeof part)) > 0)
        pd_bytes_append(&got, part, (size_t)n);
    CU_ASSERT_TRUE(got.n == expected->n && memcmp(got.v, expected->v, got.n) == 0);
    pd_bytes_release(&got);
}

static pid_t start_service(const char *path)
{
    const pid_t child = fork();
    if (child == 0) {
        const struct pd_service how = {path, LINE_MOST, echo, NULL};
        signal(SIGTERM, pd_comm_ask_to_stop);
        alarm(60); /* nothing stays behind if the test ends early */
        _exit(pd_service_run(&how) == PD_OK ? 0 : 9);
    }
    return child;
}

enum { CLIENTS = 5, LINES = 40 };

/* Clients send in turns, one goes away in the middle, and a signal ends it. */
static void test_clients(void)
{
    char path[4200], line[64];
    int fd[CLIENTS], status;
    struct stat st;
    snprintf(path, sizeof path, "%s/socket", stage_folder());
    const pid_t child = start_service(path);
    for (int k = 0; k < CLIENTS; k++)
        fd[k] = knock(path);
    for (uint32_t n = 1; n <= LINES; n++)
        for (int k = 0; k < CLIENTS; k++) {
            snprintf(line, sizeof line, "%c%u", 'a' + k, n);
            send_text(fd[k], line);
            send_text(fd[k], "\n");
            if (k == 1 && n == LINES / 2) {
                close(fd[k]);
                fd[k] = knock(path);
            }
        }
    for (int k = 0; k < CLIENTS; k++) {
        struct pd_bytes expected = {0};
        if (k != 1)
            expect_answers(k, LINES, &expected);
        shutdown(fd[k], SHUT_WR);
        if (k != 1)
            expect_all(fd[k], &expected);
        close(fd[k]);
        pd_bytes_release(&expected);
    }
    CU_ASSERT_TRUE(stat(path, &st) == 0 && (st.st_mode & 0077) == 0);
    CU_ASSERT_EQUAL(kill(child, SIGTERM), 0);
    CU_ASSERT_TRUE(waitpid(child, &status, 0) == child && WIFEXITED(status) &&
                   WEXITSTATUS(status) == 0);
    CU_ASSERT_TRUE(stat(path, &st) != 0 && errno == ENOENT);
}

/* Lines that are too long or of blanks; a path that is taken, or too long. */
static void test_odd_clients(void)
{
    char path[4200], too_long[256];
    int status;
    struct pd_bytes expected = {0};
    snprintf(path, sizeof path, "%s/odd", stage_folder());
    const pid_t child = start_service(path);
    const int fd = knock(path);
    send_text(fd, "\xef\xbb\xbf"
                  "x\n  \t\nabcdefghijklmnop\ny");
    shutdown(fd, SHUT_WR);
    pd_bytes_append(&expected, "1 x\n3 long\n4 y\n", 15);
    expect_all(fd, &expected);
    close(fd);
    pd_bytes_release(&expected);
    struct pd_service how = {path, LINE_MOST, echo, NULL};
    CU_ASSERT_EQUAL(pd_service_run(&how), PD_EIO);
    pd_error_clear();
    memset(too_long, 'x', sizeof too_long);
    too_long[sizeof too_long - 1] = '\0';
    how.path = too_long;
    CU_ASSERT_EQUAL(pd_service_run(&how), PD_EUSAGE);
    pd_error_clear();
    CU_ASSERT_EQUAL(kill(child, SIGTERM), 0);
    CU_ASSERT_TRUE(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 0);
}

/* ---- lines of standard input ---- */

/* Run pd_check_lines over a file; the answers go to another. */
static void answer_file(const char *options, const char *from, const char *to)
{
    struct stage s;
    const int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);
    const int f = open(from, O_RDONLY), g = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    fflush(stdout);
    dup2(f, STDIN_FILENO);
    dup2(g, STDOUT_FILENO);
    stage_parse(&s, "check", options);
    CU_ASSERT_EQUAL(pd_check_lines(&test_comm, &s.options), PD_OK);
    stage_close(&s);
    fflush(stdout);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    close(in);
    close(out);
    close(f);
    close(g);
}

/* A line for each line: an id, a passage of an equal document, a reason for what is no document. */
static void test_answers(void)
{
    static const struct stage_random how = {
        .docs = 6, .units = 5, .words = 4, .different = 500, .copied = 0};
    struct stage_docs d = {0};
    struct stage s;
    uint64_t seed = 3;
    char options[1200], from[600], to[600], *line = NULL;
    size_t room = 0, lines = 0;
    stage_docs_random(&d, &seed, &how);
    snprintf(from, sizeof from, "%.500s", stage_write_lines(&d, 0, "lines.jsonl"));
    snprintf(options, sizeof options,
             "--method sentence-fp --units sentence --gamma 0 -o %.400s/lines %s", stage_folder(),
             from);
    stage_parse(&s, "index", options);
    CU_ASSERT_EQUAL(pd_index_make(&test_comm, &s.options), PD_OK);
    stage_close(&s);
    FILE *f = fopen(from, "a");
    fputs("\n{\"id\": 7}\n", f);
    fclose(f);
    snprintf(to, sizeof to, "%.500s/answers", stage_folder());
    snprintf(options, sizeof options, "--index %.400s/lines --stdin", stage_folder());
    answer_file(options, from, to);
    f = fopen(to, "r");
    for (; getline(&line, &room, f) > 0; lines++) {
        char id[32], units[32];
        snprintf(id, sizeof id, "{\"id\":\"d%zu\"", lines);
        if (lines == d.docs.n) {
            CU_ASSERT_PTR_NOT_NULL(strstr(line, "{\"id\":7,\"error\":"));
            CU_ASSERT_PTR_NOT_NULL(strstr(line, ",\"line\":8}"));
            continue;
        }
        snprintf(units, sizeof units, "\"units\":%u", d.docs.v[lines].nunits);
        CU_ASSERT_EQUAL(strncmp(line, id, strlen(id)), 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(line, units));
        CU_ASSERT_PTR_NOT_NULL(strstr(line, "\"agreement\":1"));
    }
    CU_ASSERT_EQUAL(lines, d.docs.n + 1);
    fclose(f);
    free(line);
    stage_docs_release(&d);
}

/* ---- sources that were read ---- */

enum { SOURCES = 30, MEMORY = 40000 };

static uint64_t bytes_of(const struct pd_recent_half *half)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < half->list.n; k++)
        sum += half->list.v[k] ? half->list.v[k]->bytes : 0;
    return sum;
}

/* Sources come and are asked for; what came last is there, and memory is kept to. */
static void test_recent(void)
{
    struct pd_recent_sources k = {.most = MEMORY};
    uint64_t seed = 5, last = UINT64_MAX, found = 0;
    for (int round = 0; round < 5000; round++) {
        const uint64_t number = pd_random_below(&seed, SOURCES);
        const bool there = pd_recent_look(&k, number) != NULL;
        struct pd_recent_source *s = pd_recent_find(&k, number);
        CU_ASSERT_EQUAL(there, s != NULL);
        CU_ASSERT_TRUE(s || number != last);
        found += there;
        if (!s) {
            s = pd_realloc(NULL, 1, sizeof *s);
            *s = (struct pd_recent_source){.number = number};
            pd_bytes_reserve(&s->text, 500 + 100 * number);
            pd_recent_add(&k, s);
        } else if (pd_random_below(&seed, 4) == 0) {
            pd_u64s_reserve(&s->terms, s->terms.cap < 200 ? s->terms.cap + 20 : 0);
            pd_recent_count(&k, s);
        }
        CU_ASSERT_TRUE(s->number == number && s->text.cap >= 500 + 100 * number);
        CU_ASSERT_TRUE(s->bytes > s->text.cap + s->terms.cap * sizeof(uint64_t));
        CU_ASSERT_PTR_EQUAL(pd_recent_look(&k, number), s);
        CU_ASSERT_EQUAL(k.newer.bytes, bytes_of(&k.newer));
        CU_ASSERT_EQUAL(k.older.bytes, bytes_of(&k.older));
        /* each half may go beyond its share by the source that came last, which may grow */
        CU_ASSERT_TRUE(k.newer.bytes <= MEMORY / 2 + 16000 && k.older.bytes <= MEMORY / 2 + 16000);
        last = number;
    }
    CU_ASSERT_TRUE(found > 1000 && found < 4900);
    pd_recent_release(&k);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_parts),       PD_TEST(test_clients),
                                        PD_TEST(test_odd_clients), PD_TEST(test_answers),
                                        PD_TEST(test_recent),      CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/job/check: lines", tests);
}
