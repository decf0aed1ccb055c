/*
 * run/align.c - classes to dots, dots to the rank that owns the document pair, dots to passages.
 *
 * Slice by slice of the first document's number, so that the dots in flight fit --memory.
 */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/buckets.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"
#include "pardup/join/classes.h"
#include "pardup/passage/diagonal.h"
#include "pardup/run/detect.h"

enum {
    BINS = 1 << 14,  /* grain of the slices: ranges of first documents */
    DOT_SHARE = 4,   /* dots may fill this part of --memory; passages and rows need the rest */
    MEMORY_SHARE = 2 /* without --memory: half of the node, shared by its ranks */
};

struct aligning {
    struct pd_detect *job;
    struct pd_expansion expansion;
    struct pd_buckets *dots; /* of the slice, by hash of the pair */
    struct pd_diagonals diagonals;
    struct pd_passages passages;
    uint64_t taken, all; /* dots, for the progress shown */
};

static int fill_dots(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct aligning *s = ctx;
    const size_t most = cap / sizeof(struct pd_dot);
    const size_t k = pd_classes_expand(&s->expansion, (struct pd_dot *)(void *)to, most);
    *n = k * sizeof(struct pd_dot);
    return k < most ? PD_END : PD_OK;
}

static uint64_t hash_of_pair(const struct pd_dot *dot)
{
    return pd_mix(dot->a * 0x9E3779B97F4A7C15u ^ pd_mix(dot->b + 1));
}

/* High bits of the hash name the rank, low bits the bucket there. */
static int owner_of_pair(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_part(hash_of_pair(rec), nranks);
}

static int take_dots(const void *recs, size_t bytes, void *ctx)
{
    struct aligning *s = ctx;
    const struct pd_dot *dots = recs;
    const size_t n = bytes / sizeof *dots;
    for (size_t k = 0; k < n; k++)
        pd_buckets_push(s->dots, hash_of_pair(&dots[k]) % PD_BUCKETS, &dots[k], sizeof *dots);
    s->taken += n;
    pd_stages_progress(&s->job->stages, s->taken * (uint64_t)s->job->comm->size, s->all, 0, 0);
    return PD_OK;
}

/* The dots of some pairs, pair by pair, to passages. */
static void find_passages(struct aligning *s, struct pd_dot *dots, size_t n)
{
    const struct pd_options *o = s->job->options;
    pd_sort_records(dots, n, PD_DOT_WORDS, PD_DOT_WORDS);
    for (size_t begin = 0, end; begin < n; begin = end) {
        end = begin + 1;
        while (end < n && dots[end].a == dots[begin].a && dots[end].b == dots[begin].b)
            end++;
        if (end - begin > (size_t)o->gamma) /* fewer dots cannot make a passage */
            pd_diagonals_find(&s->diagonals, dots + begin, end - begin, (uint32_t)o->gamma,
                              (uint32_t)o->gap, &s->passages);
    }
}

static int align_slice(struct aligning *s, pd_doc from, pd_doc to)
{
    struct pd_detect *job = s->job;
    const struct pd_route route = {sizeof(struct pd_dot), fill_dots, owner_of_pair, take_dots, s};
    s->expansion = (struct pd_expansion){.postings = &job->postings, .from = from, .to = to};
    PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
    for (size_t k = 0; k < PD_BUCKETS; k++) {
        struct pd_bytes *bucket = &s->dots->v[k];
        find_passages(s, (struct pd_dot *)(void *)bucket->v, bucket->n / sizeof(struct pd_dot));
        bucket->n = 0;
    }
    job->slices++;
    return pd_detect_visit(job, &s->passages);
}

/* Dots that may be in flight at once in the whole job. */
static uint64_t dots_at_once(const struct pd_detect *job)
{
    uint64_t bytes = (uint64_t)job->options->memory;
    if (!bytes)
        bytes = pd_comm_memory_share(job->comm) / MEMORY_SHARE;
    return bytes / DOT_SHARE / sizeof(struct pd_dot) * (uint64_t)job->comm->size;
}

/* The first document of bin k: the least d with d * BINS / ndocs >= k. */
static pd_doc bin_start(uint64_t k, uint64_t ndocs)
{
    return (pd_doc)(((unsigned __int128)k * ndocs + BINS - 1) / BINS);
}

static int align_slices(struct aligning *s)
{
    struct pd_detect *job = s->job;
    const uint64_t ndocs = job->collection.totals.documents, most = dots_at_once(job);
    uint64_t *bins = pd_realloc(NULL, BINS, sizeof *bins);
    int status = PD_OK;
    memset(bins, 0, BINS * sizeof *bins);
    pd_classes_count_dots(&job->postings, ndocs, bins, BINS);
    pd_comm_sum(job->comm, bins, BINS);
    for (size_t k = 0; k < BINS; k++)
        s->all += bins[k];
    job->dots = s->all;
    for (size_t begin = 0, end; begin < BINS && status >= 0; begin = end) {
        uint64_t dots = bins[begin];
        for (end = begin + 1; end < BINS && dots + bins[end] <= most; end++)
            dots += bins[end];
        if (dots)
            status = align_slice(s, bin_start(begin, ndocs), bin_start(end, ndocs));
    }
    free(bins);
    return status;
}

int pd_detect_align(struct pd_detect *job)
{
    struct aligning s = {.job = job, .dots = pd_buckets_new()};
    pd_stages_begin(&job->stages, PD_STAGE_ALIGN);
    const int status = align_slices(&s);
    pd_buckets_free(s.dots);
    pd_diagonals_release(&s.diagonals);
    pd_passages_release(&s.passages);
    pd_comm_sum(job->comm, &job->same_host, 1);
    return pd_stages_end(&job->stages, status);
}
