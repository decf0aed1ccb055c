/*
 * run/align.c - classes to blocks of dots, those to the rank that owns the document pair, there to
 * passages.
 *
 * Slice by slice of the first document's number, so that the blocks in flight fit --memory.
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
#include "pardup/passage/pair.h"
#include "pardup/run/detect.h"

enum {
    BINS = 1 << 14, /* grain of the slices: ranges of first documents */
    BLOCK_SHARE =
        16, /* blocks may fill this part of --memory: passages need more bytes than theirs */
    BATCH = 1 << 18 /* passages that visit their documents together */
};

/* A block among those of its bucket, keyed by document pair. */
struct place {
    pd_doc a, b;
    const struct pd_block *block;
};
PD_VEC(places, struct place);
PD_VEC(block_list, const struct pd_block *);

struct aligning {
    struct pd_detect *job;
    struct pd_expansion expansion;
    struct pd_buckets *blocks; /* of the slice, by hash of the pair */
    int bucket;                /* the bucket at hand, -1 before the first ... */
    struct places places;
    size_t place; /* ... and its next pair */
    struct block_list list;
    struct pd_diagonals diagonals;
    struct pd_passages passages;
    uint64_t taken, all; /* bytes of blocks, for the progress shown */
};

static int fill_blocks(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    return pd_joined_expand(&((struct aligning *)ctx)->expansion, to, cap, n) ? PD_END : PD_OK;
}

static uint64_t hash_of_pair(const struct pd_block *block)
{
    return pd_mix(block->a * 0x9E3779B97F4A7C15u ^ pd_mix(block->b + 1));
}

/* High bits of the hash name the rank, low bits the bucket there. */
static int owner_of_pair(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_part(hash_of_pair(rec), nranks);
}

static int take_blocks(const void *recs, size_t bytes, void *ctx)
{
    struct aligning *s = ctx;
    for (size_t at = 0; at < bytes;) {
        const struct pd_block *block =
            (const struct pd_block *)(const void *)((const unsigned char *)recs + at);
        pd_buckets_push(s->blocks, hash_of_pair(block) % PD_BUCKETS, block, block->size);
        at += block->size;
    }
    s->taken += bytes;
    pd_stages_progress(&s->job->stages, s->taken * (uint64_t)s->job->comm->size, s->all, 0, 0);
    return PD_OK;
}

/* The blocks of one bucket in order of their pairs. */
static void sort_bucket(struct aligning *s, const struct pd_bytes *bucket)
{
    s->places.n = 0;
    for (size_t at = 0; at < bucket->n;) {
        const struct pd_block *block = (const struct pd_block *)(const void *)(bucket->v + at);
        places_push(&s->places, (struct place){block->a, block->b, block});
        at += block->size;
    }
    pd_sort_records(s->places.v, s->places.n, sizeof *s->places.v / sizeof(uint64_t), 2);
}

/* The blocks from place `begin` on that are of one pair, to passages. Returns the place behind. */
static size_t find_in_pair(struct aligning *s, size_t begin)
{
    const struct pd_options *o = s->job->options;
    const struct place *v = s->places.v;
    uint64_t rows = 0;
    size_t end = begin;
    s->list.n = 0;
    for (; end < s->places.n && v[end].a == v[begin].a && v[end].b == v[begin].b; end++) {
        block_list_push(&s->list, v[end].block);
        rows += v[end].block->ni;
    }
    const size_t before = s->passages.n;
    if (rows > (uint64_t)o->gamma) /* a passage takes a new row for each matched pair */
        pd_diagonals_find(&s->diagonals, s->list.v, s->list.n, (uint32_t)o->gamma, (uint32_t)o->gap,
                          &s->passages);
    if (s->passages.n > before && !pd_pair_passes(s->passages.v + before, s->passages.n - before,
                                                  o->theta_d, (uint64_t)o->delta)) {
        s->passages.n = before;
        s->job->below++;
    }
    return end;
}

/* Go on through buckets and pairs until there is a batch of passages, or no more pair. */
static void find_passages(struct aligning *s)
{
    while (s->passages.n < BATCH && s->bucket < PD_BUCKETS) {
        if (s->place < s->places.n) {
            s->place = find_in_pair(s, s->place);
            continue;
        }
        if (s->bucket >= 0)
            s->blocks->v[s->bucket].n = 0; /* its pairs are done */
        if (++s->bucket < PD_BUCKETS)
            sort_bucket(s, &s->blocks->v[s->bucket]);
        s->place = 0;
    }
}

/* All passages of the slice visit their documents, batch by batch: they need room on the way. */
static int visit_passages(struct aligning *s)
{
    struct pd_detect *job = s->job;
    s->bucket = -1;
    s->place = s->places.n = 0;
    for (;;) {
        find_passages(s);
        uint64_t left = s->passages.n;
        pd_comm_max(job->comm, &left, 1);
        if (left == 0)
            return PD_OK;
        for (size_t done = 0; done < left;
             done += BATCH) { /* a single pair can give many batches */
            const size_t mine = s->passages.n > done ? s->passages.n - done : 0;
            PD_TRY(pd_detect_visit(job, s->passages.v + (mine ? done : 0),
                                   mine < BATCH ? mine : BATCH));
        }
        s->passages.n = 0;
    }
}

static int align_slice(struct aligning *s, pd_doc from, pd_doc to)
{
    struct pd_detect *job = s->job;
    const struct pd_route route = {0, fill_blocks, owner_of_pair, take_blocks, s};
    s->expansion = (struct pd_expansion){.joined = &job->joined, .from = from, .to = to};
    PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
    PD_TRY(visit_passages(s));
    job->slices++;
    PD_TRY(pd_stages_end(&job->stages, PD_OK));
    PD_TRY(pd_detect_write_rows(job, from, to));
    pd_stages_begin(&job->stages, PD_STAGE_ALIGN);
    return PD_OK;
}

/* Bytes of blocks that may be in flight at once in the whole job. */
static uint64_t bytes_at_once(const struct pd_detect *job)
{
    return pd_detect_memory(job) / BLOCK_SHARE * (uint64_t)job->comm->size;
}

/* The first document of bin k: the least d with d * BINS / ndocs >= k. */
static pd_doc bin_start(uint64_t k, uint64_t ndocs)
{
    return (pd_doc)(((unsigned __int128)k * ndocs + BINS - 1) / BINS);
}

static int align_slices(struct aligning *s)
{
    struct pd_detect *job = s->job;
    const uint64_t ndocs = job->collection.totals.documents, most = bytes_at_once(job);
    uint64_t *bins = pd_realloc(NULL, BINS, sizeof *bins);
    int status = PD_OK;
    memset(bins, 0, BINS * sizeof *bins);
    job->dots = pd_joined_measure(&job->joined, ndocs, bins, BINS);
    pd_comm_sum(job->comm, &job->dots, 1);
    pd_comm_sum(job->comm, bins, BINS);
    for (size_t k = 0; k < BINS; k++)
        s->all += bins[k];
    for (size_t begin = 0, end; begin < BINS && status >= 0; begin = end) {
        uint64_t bytes = bins[begin];
        for (end = begin + 1; end < BINS && bytes + bins[end] <= most; end++)
            bytes += bins[end];
        if (bytes)
            status = align_slice(s, bin_start(begin, ndocs), bin_start(end, ndocs));
    }
    free(bins);
    return status;
}

int pd_detect_align(struct pd_detect *job)
{
    struct aligning s = {.job = job, .blocks = pd_buckets_new()};
    pd_stages_begin(&job->stages, PD_STAGE_ALIGN);
    int status = align_slices(&s);
    if (status >= 0)
        status = pd_stages_end(&job->stages, status);
    pd_buckets_free(s.blocks);
    places_release(&s.places);
    block_list_release(&s.list);
    pd_diagonals_release(&s.diagonals);
    pd_passages_release(&s.passages);
    pd_comm_sum(job->comm, &job->same_host, 1);
    pd_comm_sum(job->comm, &job->too_short, 1);
    pd_comm_sum(job->comm, &job->below, 1);
    return status;
}
