/* run/progress.c - see include/pardup/run/progress.h */
#include "pardup/run/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pardup/base/log.h"
#include "pardup/base/width.h"

static const double bar_every = 0.2, log_every = 30; /* seconds between two reports */
enum { BAR_CELLS = 24, BAR_LEAST = 8 };              /* characters in a bar */
enum { NAME_LEAST = 6 };                             /* columns of the name of a step */

double pd_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/*
 * Under mpirun, standard error is a pipe to mpirun. Does mpirun's standard error go to a terminal?
 */
static bool launcher_on_terminal(void)
{
    char link[64], target[64];
    snprintf(link, sizeof link, "/proc/%d/fd/2", (int)getppid());
    const ssize_t n = readlink(link, target, sizeof target - 1);
    if (n < 0)
        return false;
    target[n] = '\0';
    return strncmp(target, "/dev/pts/", 9) == 0 || strncmp(target, "/dev/tty", 8) == 0;
}

void pd_progress_open(struct pd_progress *p, const struct pd_comm *c, enum pd_progress_kind kind)
{
    *p = (struct pd_progress){.kind = kind, .on = c->rank == 0};
    if (kind == PD_PROGRESS_AUTO) {
        const char *term = getenv("TERM");
        const bool redraws = term && strcmp(term, "dumb") != 0;
        const bool person = isatty(STDERR_FILENO) || (c->size > 1 && launcher_on_terminal());
        p->kind = person && redraws ? PD_PROGRESS_BAR : PD_PROGRESS_LOG;
    }
    p->on &= p->kind != PD_PROGRESS_NONE;
}

void pd_progress_begin(struct pd_progress *p, const char *step)
{
    pd_progress_end(p);
    p->step = step;
    p->started = pd_clock();
    p->shown = p->kind == PD_PROGRESS_BAR ? 0 : p->started;
}

void pd_progress_end(struct pd_progress *p)
{
    if (p->on && p->kind == PD_PROGRESS_BAR)
        pd_log_bar(NULL);
}

/* Print seconds as h and min, or as min:s. */
static void duration(char *out, size_t n, double seconds)
{
    const unsigned long t = (unsigned long)(seconds + 0.5);
    if (t >= 3600)
        snprintf(out, n, "%lu h %02lu min", t / 3600, t / 60 % 60);
    else
        snprintf(out, n, "%lu:%02lu", t / 60, t % 60);
}

/* How far a step is, in words. */
struct report {
    char left[32]; /* how long the rest of the step will take */
    char rate[96]; /* how fast documents are read; "" in steps other than read */
};

static struct report describe(const struct pd_progress *p, double now, double fraction,
                              uint64_t documents, uint64_t bytes)
{
    struct report r = {.left = "?", .rate = ""};
    const double took = now - p->started;
    if (fraction > 0.01 && took > 0)
        duration(r.left, sizeof r.left, took / fraction * (1 - fraction));
    if (documents && took > 0)
        snprintf(r.rate, sizeof r.rate, "  %llu documents  %.1f MB/s",
                 (unsigned long long)documents, (double)bytes / took / 1e6);
    return r;
}

/*
 * Draw the bar on one line of the terminal, which would scroll if the line were longer. What there
 * is no room for is left out: first cells of the bar, then the rate.
 */
static void draw(const struct pd_progress *p, double fraction, const struct report *r)
{
    char text[160], cells[BAR_CELLS + 1], line[256];
    const int room = (int)pd_width(STDERR_FILENO) - 1; /* the cursor stands behind the line */
    const char *rate = r->rate;
    const int name = strlen(p->step) < NAME_LEAST ? NAME_LEAST : (int)strlen(p->step);
    int n = 0, most = 0;
    for (int attempt = 0; attempt < 2 && most < BAR_LEAST; attempt++) {
        rate = attempt == 0 ? r->rate : "";
        n = snprintf(text, sizeof text, "%3.0f %%%s  %s left", 100 * fraction, rate, r->left);
        most = room - n - name - (int)sizeof "pardup:  [] " + 1;
    }
    most = most > BAR_CELLS ? BAR_CELLS : most < 0 ? 0 : most;
    for (int k = 0; k < most; k++)
        cells[k] = k < (int)(fraction * most) ? '#' : '.';
    cells[most] = '\0';
    snprintf(line, sizeof line, "pardup: %-*s [%s] %s", name, p->step, cells, text);
    if (room < (int)sizeof line)
        line[room] = '\0';
    pd_log_bar(line);
}

void pd_progress_tell(struct pd_progress *p, uint64_t done, uint64_t all, uint64_t documents,
                      uint64_t bytes)
{
    if (!p->on)
        return;
    const bool bar = p->kind == PD_PROGRESS_BAR;
    const double now = pd_clock();
    if (now - p->shown < (bar ? bar_every : log_every))
        return;
    p->shown = now;
    const double fraction = all == 0 ? 1 : done >= all ? 1 : (double)done / (double)all;
    const struct report r = describe(p, now, fraction, documents, bytes);
    if (bar)
        draw(p, fraction, &r);
    else
        pd_log(PD_LOG_INFO, "%s: %3.0f %%%s  %s left", p->step, 100 * fraction, r.rate, r.left);
}
