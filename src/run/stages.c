/* run/stages.c - see include/pardup/run/stages.h */
#include "pardup/run/stages.h"

#include <stdio.h>
#include <sys/resource.h>

#include "pardup/base/log.h"
#include "pardup/base/memory_limit.h"
#include "pardup/base/numbers.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

const char *const pd_stage_names[PD_STAGES] = {"read", "count", "gather", "join", "align", "write"};

void pd_stages_open(struct pd_stages *s, const struct pd_comm *c, enum pd_progress_kind progress)
{
    *s = (struct pd_stages){.comm = c, .job_started = pd_clock()};
    pd_progress_open(&s->progress, c, progress);
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
    pd_progress_begin(&s->progress, pd_stage_names[id]);
    s->started = s->progress.started;
    s->waited = pd_comm_waited();
    s->processor = processor_time();
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
    pd_progress_end(&s->progress);
    return status;
}

void pd_stages_progress(struct pd_stages *s, uint64_t done, uint64_t all, uint64_t documents,
                        uint64_t bytes)
{
    pd_progress_tell(&s->progress, done, all, documents, bytes);
}

void pd_stages_tell(const struct pd_stages *s, bool maps, const char *behind)
{
    uint64_t most[2] = {pd_peak_memory(), pd_mapped_memory()};
    char mapped[64] = "";
    pd_comm_max(s->comm, most, 2);
    if (maps)
        snprintf(mapped, sizeof mapped, ", %s MB of it mapped files",
                 pd_grouped((most[1] + 500000) / 1000000));
    pd_log(PD_LOG_INFO, "  %.1f s, peak memory a rank %s MB%s%s", pd_clock() - s->job_started,
           pd_grouped((most[0] + 500000) / 1000000), mapped, behind);
}
