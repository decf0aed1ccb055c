/* run/stages.c - see include/pardup/run/stages.h */
#include "pardup/run/stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "pardup/base/log.h"
#include "pardup/base/width.h"

const char *const pd_stage_names[PD_STAGES] = {"read", "count", "gather", "join", "align", "write"};

static const double bar_every = 0.2, log_every = 30; /* seconds between two reports */
enum { BAR_CELLS = 24, BAR_LEAST = 8 };              /* characters in a bar */

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

void pd_stages_open(struct pd_stages *s, const struct pd_comm *c, enum pd_progress_kind progress)
{
    *s = (struct pd_stages){.comm = c, .job_started = pd_clock(), .progress = progress};
    if (progress == PD_PROGRESS_AUTO) {
        const char *term = getenv("TERM");
        const bool redraws = term && strcmp(term, "dumb") != 0;
        const bool person = isatty(STDERR_FILENO) || (c->size > 1 && launcher_on_terminal());
        s->progress = person && redraws ? PD_PROGRESS_BAR : PD_PROGRESS_LOG;
    }
}

uint64_t pd_peak_memory(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (uint64_t)u.ru_maxrss << 10;
}

static double processor_time(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

/*
 * Give free memory back to the system. Otherwise it counts as used, although the next stage may not
 * use it, since that needs memory in blocks of other sizes.
 */
static void give_back_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void pd_forget_peak_memory(void)
{
    give_back_memory();
    FILE *f = fopen("/proc/self/clear_refs", "w"); /* Linux; see proc(5) */
    if (f) {
        fputs("5", f);
        fclose(f);
    }
}

void pd_stages_begin(struct pd_stages *s, enum pd_stage_id id)
{
    give_back_memory();
    s->now = id;
    s->moved = (struct pd_traffic){0};
    s->started = pd_clock();
    s->waited = pd_comm_waited();
    s->processor = processor_time();
    s->shown = s->progress == PD_PROGRESS_BAR ? 0 : s->started;
}

int pd_stages_end(struct pd_stages *s, int status)
{
    const double busy = pd_clock() - s->started - (pd_comm_waited() - s->waited);
    status = pd_comm_agree(s->comm, status);
    double times[3] = {pd_clock() - s->started, busy, -busy}; /* the maximum of each is taken */
    pd_comm_max_double(s->comm, times, 3);
    uint64_t sums[3] = {s->moved.bytes, (uint64_t)(busy * 1e6),
                        (uint64_t)((processor_time() - s->processor) * 1e6)};
    uint64_t largest[3] = {s->moved.bytes, s->moved.rounds, pd_peak_memory()};
    pd_comm_sum(s->comm, sums, 3);
    pd_comm_max(s->comm, largest, 3);
    s->stage[s->now] = (struct pd_stage){.seconds = times[0],
                                         .processor = (double)sums[2] * 1e-6,
                                         .least = -times[2],
                                         .mean = (double)sums[1] * 1e-6 / s->comm->size,
                                         .most = times[1],
                                         .exchanged = sums[0],
                                         .most_sent = largest[0],
                                         .rounds = largest[1],
                                         .peak = largest[2]};
    if (s->comm->rank == 0 && s->progress == PD_PROGRESS_BAR)
        pd_log_bar(NULL);
    return status;
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

/* How far a stage is, in words. */
struct report {
    char left[32]; /* how long the rest of the stage will take */
    char rate[96]; /* how fast documents are read; "" in stages other than read */
};

static struct report describe(const struct pd_stages *s, double now, double fraction,
                              uint64_t documents, uint64_t bytes)
{
    struct report r = {.left = "?", .rate = ""};
    const double took = now - s->started;
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
static void draw(const struct pd_stages *s, double fraction, const struct report *r)
{
    char text[160], cells[BAR_CELLS + 1], line[256];
    const int room = (int)pd_width(STDERR_FILENO) - 1; /* the cursor stands behind the line */
    const char *rate = r->rate;
    int n = 0, most = 0;
    for (int attempt = 0; attempt < 2 && most < BAR_LEAST; attempt++) {
        rate = attempt == 0 ? r->rate : "";
        n = snprintf(text, sizeof text, "%3.0f %%%s  %s left", 100 * fraction, rate, r->left);
        most = room - n - (int)sizeof "pardup: gather [] " + 1;
    }
    most = most > BAR_CELLS ? BAR_CELLS : most < 0 ? 0 : most;
    for (int k = 0; k < most; k++)
        cells[k] = k < (int)(fraction * most) ? '#' : '.';
    cells[most] = '\0';
    snprintf(line, sizeof line, "pardup: %-6s [%s] %s", pd_stage_names[s->now], cells, text);
    if (room < (int)sizeof line)
        line[room] = '\0';
    pd_log_bar(line);
}

void pd_stages_progress(struct pd_stages *s, uint64_t done, uint64_t all, uint64_t documents,
                        uint64_t bytes)
{
    if (s->comm->rank != 0 || s->progress == PD_PROGRESS_NONE)
        return;
    const bool bar = s->progress == PD_PROGRESS_BAR;
    const double now = pd_clock();
    if (now - s->shown < (bar ? bar_every : log_every))
        return;
    s->shown = now;
    const double fraction = all == 0 ? 1 : done >= all ? 1 : (double)done / (double)all;
    const struct report r = describe(s, now, fraction, documents, bytes);
    if (bar)
        draw(s, fraction, &r);
    else
        pd_log(PD_LOG_INFO, "%s: %3.0f %%%s  %s left", pd_stage_names[s->now], 100 * fraction,
               r.rate, r.left);
}
