/*
 * Postings in order: sorting in place, through a sorter in memory, there without most that are
 * alone, through one that spills; and collapsing them to classes. Of the units three in ten occur
 * again somewhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "pardup/join/classes.h"
#include "pardup/store/sorter.h"
#include "pd_random.h"

enum { POSTINGS = 4000000, UNITS = 64, PUSHED = 32768 /* at a time: a round of an exchange */ };

struct sorting {
    struct pd_postings made, sorted;
    size_t memory;
    bool lone_useless;
    char path[64];
    uint64_t spilled;
};

static void make(struct pd_postings *to)
{
    uint64_t seed = 1;
    pd_postings_reserve(to, POSTINGS);
    for (uint32_t k = 0; k < POSTINGS; k++) {
        const bool again = k && pd_random_below(&seed, 10) < 3;
        const uint64_t sig = again ? to->v[pd_random_below(&seed, k)].sig : pd_random(&seed);
        pd_postings_push(to, pd_posting_of(sig, pd_mix(sig), k / UNITS, k % UNITS, 0));
    }
}

static uint64_t sort(void *ctx, double *pause)
{
    struct sorting *s = ctx;
    const double start = bench_seconds();
    s->sorted.n = 0;
    pd_postings_append(&s->sorted, s->made.v, s->made.n);
    *pause = bench_seconds() - start;
    pd_sort_records(s->sorted.v, s->sorted.n, PD_POSTING_U64S, PD_POSTING_U64S);
    return s->sorted.n;
}

static uint32_t part_of(const void *rec, uint32_t npartitions, void *ctx)
{
    (void)ctx;
    return (uint32_t)pd_hash_range(((const struct pd_posting *)rec)->sig, (int)npartitions);
}

static uint64_t sort_through(void *ctx, double *pause)
{
    struct sorting *s = ctx;
    const struct pd_sorting how = {.size = sizeof(struct pd_posting),
                                   .keys = PD_POSTING_U64S,
                                   .memory = s->memory,
                                   .path = s->path,
                                   .partition = part_of,
                                   .lone_useless = s->lone_useless};
    struct pd_sorter *sorter = pd_sorter_new(&how);
    const unsigned char *recs;
    size_t n;
    uint64_t bytes = 0;
    int status = PD_OK;
    (void)pause;
    for (size_t k = 0, step; k < s->made.n && status >= 0; k += step) {
        step = s->made.n - k < PUSHED ? s->made.n - k : PUSHED;
        status = pd_sorter_push(sorter, s->made.v + k, step * sizeof *s->made.v);
    }
    if (status >= 0)
        status = pd_sorter_finish(sorter);
    s->spilled = pd_sorter_spilled(sorter);
    while (status >= 0 && (status = pd_sorter_next(sorter, &recs, &n)) == PD_OK)
        bytes += n;
    pd_sorter_free(sorter);
    if (status < 0) {
        fprintf(stderr, "%s\n", pd_error_text());
        exit(1);
    }
    return bytes / sizeof(struct pd_posting);
}

static int count_class(void *ctx, const struct pd_class *class)
{
    *(uint64_t *)ctx += class->n;
    return PD_OK;
}

static uint64_t collapse(void *ctx, double *pause)
{
    const struct sorting *s = ctx;
    struct pd_commons aside = {0};
    uint64_t units = 0;
    struct pd_collapse c = {.max_df = 300, .aside = &aside, .keep = count_class, .ctx = &units};
    (void)pause;
    (void)!pd_collapse_postings(&c, s->sorted.v, s->sorted.n);
    (void)!pd_collapse_end(&c);
    pd_collapse_release(&c);
    pd_commons_release(&aside);
    return units;
}

int main(void)
{
    const char *folder = getenv("TMPDIR");
    struct sorting s = {.memory = SIZE_MAX / 2};
    snprintf(s.path, sizeof s.path, "%s/bench_sort.%d", folder ? folder : "/tmp", (int)getpid());
    make(&s.made);
    bench_repeat("sort", "M postings/s", POSTINGS, sort, &s);
    bench_repeat("collapse", "M postings/s", POSTINGS, collapse, &s);
    s.memory = (size_t)1 << 30;
    bench_repeat("sorter, memory", "M postings/s", POSTINGS, sort_through, &s);
    s.lone_useless = true;
    bench_repeat("sorter, shared", "M postings/s", POSTINGS, sort_through, &s);
    s.lone_useless = false;
    s.memory = (size_t)16 << 20;
    bench_repeat("sorter, disk", "M postings/s", POSTINGS, sort_through, &s);
    pd_postings_release(&s.made);
    pd_postings_release(&s.sorted);
    return 0;
}
