/* run/job/check/lines.c - answer JSON lines: see pd_check_lines in include/pardup/run/check.h */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "line_buffer.h"
#include "pardup/base/error.h"
#include "pardup/run/check.h"
#include "socket.h"
#include "target.h"

struct answering {
    struct pd_job job; /* options and form only */
    struct pd_index index;
    struct pd_query query;
    struct pd_target target; /* the line at hand */
    uint64_t line;           /* its number, from 1 */
    struct pd_bytes out;     /* the answer */
};

/* ---- answers ---- */

static void put(struct answering *s, const char *text)
{
    pd_bytes_append(&s->out, text, strlen(text));
}

static void put_text(struct answering *s, const char *name, const char *text)
{
    put(s, name);
    pd_answer_text(&s->out, text, strlen(text));
}

/* Begin an answer with the id of its line: a string, a number as it is written, or null. */
static void put_id(struct answering *s)
{
    const struct pd_raw *raw = &s->target.raw;
    s->out.n = 0;
    put(s, "{\"id\":");
    if (raw->id && raw->id_number)
        pd_bytes_append(&s->out, raw->id, raw->id_n);
    else if (raw->id)
        pd_answer_text(&s->out, raw->id, raw->id_n);
    else
        put(s, "null");
}

/* Answer that a line is not checked. */
static void refuse(struct answering *s, const char *why)
{
    char number[48];
    put_id(s);
    put_text(s, ",\"error\":", why);
    snprintf(number, sizeof number, ",\"line\":%llu}\n", (unsigned long long)s->line);
    put(s, number);
}

/* Answer what the target shares. PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP. */
static int answer_target(struct answering *s)
{
    struct pd_signing *signing = &s->target.signing;
    put_id(s);
    if (s->target.mended)
        put_text(s, ",\"warning\":", "the line is not sound JSON; it was mended");
    PD_TRY(pd_query_ask(&s->query, signing, &s->target.rec));
    return pd_answer_query(&s->out, &s->query, signing->units->n);
}

/*
 * Answer a line into s->out; n is SIZE_MAX for a line that was too long to be kept. An index or a
 * source that cannot be read is told in the answer. PD_OK or PD_ESTOP.
 */
static int answer(struct answering *s, const char *line, size_t n)
{
    int status = pd_target_read(&s->target, line, n);
    if (status == PD_END) {
        refuse(s, s->target.reason);
        return PD_OK;
    }
    if (status == PD_OK)
        status = answer_target(s);
    if (status == PD_EIO || status == PD_EFORMAT) {
        refuse(s, pd_error_text());
        pd_error_clear();
        status = PD_OK;
    }
    return status;
}

/* ---- lines ---- */

/* Take the next line of standard input. PD_OK, PD_END (its end, or a signal) or PD_EIO. */
static int next_line(struct pd_line_buffer *in, const char **line, size_t *n)
{
    while (!pd_line_next(in, line, n)) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        if (in->ended)
            return PD_END;
        PD_PASS(pd_line_wait(&input, 1, -1));
        if (!pd_line_read(in, STDIN_FILENO))
            return pd_fail(PD_EIO, "standard input: %s", strerror(errno));
    }
    return PD_OK;
}

static int answer_all(struct answering *s, struct pd_line_buffer *in)
{
    const char *line;
    size_t n;
    int status;
    while ((status = next_line(in, &line, &n)) == PD_OK) {
        if (n == 0)
            continue;
        s->line = in->line;
        PD_TRY(answer(s, line, n));
        if (fwrite(s->out.v, 1, s->out.n, stdout) != s->out.n || fflush(stdout) != 0)
            return pd_fail(PD_EIO, "standard output: %s", strerror(errno));
    }
    return status < 0 ? status : PD_OK;
}

/* An answer of a service (socket.h). */
static int answer_client(void *ctx, const char *line, size_t n, uint64_t number,
                         struct pd_bytes *out)
{
    struct answering *s = ctx;
    s->line = number;
    PD_TRY(answer(s, line, n));
    pd_bytes_append(out, s->out.v, s->out.n);
    return PD_OK;
}

/* Answer the lines of standard input, or of the clients of a socket, until a signal ends it. */
static int answer_until_stopped(struct answering *s)
{
    const struct pd_options *o = s->job.options;
    const size_t most = (size_t)o->input.max_document;
    struct pd_line_buffer in = {.most = most};
    const struct pd_service service = {o->check.socket, most, answer_client, s};
    int status = o->check.socket ? pd_service_run(&service) : answer_all(s, &in);
    pd_bytes_release(&in.in);
    if (status == PD_ESTOP) {
        pd_error_clear();
        status = PD_OK;
    }
    return status;
}

/* ---- the command ---- */

int pd_check_lines(const struct pd_comm *c, const struct pd_options *o)
{
    struct answering s = {.line = 0};
    pd_job_init(&s.job, c, o);
    int status = pd_ignore_read(&s.job.ignore, c, o);
    if (c->rank == 0 && status >= 0)
        status = pd_index_open(&s.index, o->check.index);
    if (c->rank == 0 && status >= 0) {
        pd_query_init(&s.query, &s.job, &s.index);
        pd_target_init(&s.target, &s.job, &s.index);
        status = answer_until_stopped(&s);
        pd_query_release(&s.query);
        pd_target_release(&s.target);
    }
    pd_index_close(&s.index);
    pd_bytes_release(&s.out);
    pd_job_release(&s.job);
    return status;
}
