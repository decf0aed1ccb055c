/*
 * run/align.c - classes to blocks of dots, those to the rank that owns the document pair, there to
 * passages.
 *
 * Blocks are sorted by pair, on disk if need be; then all ranks go through them in step, slice by
 * slice of the first document's number, and each slice's rows are finished before the next.
 */
#include <stdlib.h>
#include <string.h>

#include "expand.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/comm/exchange.h"
#include "pardup/passage/diagonal.h"
#include "pardup/passage/pair.h"
#include "pardup/run/checkpoint.h"
#include "rows.h"

enum {
    BLOCKS_SHARE = 2, /* blocks may fill this part of --memory ... */
    SLICE_SHARE = 16, /* ... and those of a slice this: passages need more bytes than theirs */
    SLICES_MOST = 512,
    BATCH_SHARE = 16, /* of --memory, for passages that visit their documents together: ... */
    BATCH_MOST = 1 << 18,
    BATCH_LEAST = 1 << 10,
    VISIT_BYTES = 256, /* ... a visit's, with its words, about */
    CROWD =
        2 /* batches that may arrive at one rank: documents differ in how many passages they have */
};

PD_VEC(block_list, const struct pd_block *);

struct aligning {
    struct pd_detect *job;
    struct pd_expanding expanding;
    struct pd_sorter *blocks;
    uint64_t *bins;            /* bytes of blocks by first document */
    const unsigned char *recs; /* of the blocks in order, those at hand ... */
    size_t nrecs, rec;
    struct pd_bytes pair; /* ... all of one document pair */
    struct block_list list;
    struct pd_diagonals diagonals;
    struct pd_passages passages;
    size_t batch;
    int *out, *in; /* counts, a rank each */
    uint64_t dots;
    uint64_t done, all; /* bytes of blocks, for the progress shown */
};

/* High bits of the hash name the rank. */
static int owner_of_pair(const void *rec, int nranks, void *ctx)
{
    const struct pd_block *block = rec;
    (void)ctx;
    return pd_part(pd_mix(block->a * 0x9E3779B97F4A7C15u ^ pd_mix(block->b + 1)), nranks);
}

static const struct pd_block *block_at(const unsigned char *recs, size_t at)
{
    return (const struct pd_block *)(const void *)(recs + at);
}

static int take_blocks(const void *recs, size_t bytes, void *ctx)
{
    struct aligning *s = ctx;
    for (size_t at = 0; at < bytes; at += block_at(recs, at)->size) {
        const struct pd_block *block = block_at(recs, at);
        s->bins[pd_row_bin(s->job, block->a)] += block->size;
        s->dots += (uint64_t)block->ni * block->nj;
    }
    return pd_sorter_push(s->blocks, recs, bytes);
}

static int fill_blocks(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    return pd_expanding_fill(&((struct aligning *)ctx)->expanding, to, cap, n);
}

static uint32_t part_of_block(const void *rec, uint32_t nparts, void *ctx)
{
    const struct aligning *s = ctx;
    return (uint32_t)((unsigned __int128)((const struct pd_block *)rec)->a * nparts /
                      s->job->collection.totals.documents);
}

/* COLLECTIVE. All blocks to the owners of their pairs, in order. */
static int gather_blocks(struct aligning *s, pd_doc from)
{
    struct pd_detect *job = s->job;
    const struct pd_sorting how = {.key_at = 1,
                                   .keys = 2,
                                   .memory = job->collection.memory / BLOCKS_SHARE,
                                   .path = pd_scratch_path(&job->scratch, "blocks"),
                                   .part = part_of_block,
                                   .ctx = s};
    const struct pd_route route = {0, fill_blocks, owner_of_pair, take_blocks, s};
    s->bins = pd_realloc(NULL, PD_ROW_BINS, sizeof *s->bins);
    memset(s->bins, 0, PD_ROW_BINS * sizeof *s->bins);
    s->blocks = pd_sorter_new(&how);
    pd_expanding_begin(&s->expanding, job, from);
    const int status = pd_exchange(job->comm, &route, &job->stages.moved);
    pd_expanding_release(&s->expanding);
    PD_TRY(status);
    pd_comm_sum(job->comm, &s->dots, 1);
    if (from == 0) /* else they are known from the first time */
        job->dots = s->dots;
    pd_comm_sum(job->comm, s->bins, PD_ROW_BINS);
    for (size_t k = 0; k < PD_ROW_BINS; k++)
        s->all += s->bins[k];
    job->block_bytes = s->all;
    return pd_comm_agree(job->comm, pd_sorter_finish(s->blocks));
}

/* The next block in order; *block NULL: there are no more. */
static int next_block(struct aligning *s, const struct pd_block **block)
{
    *block = NULL;
    if (s->rec == s->nrecs) {
        const int status = pd_sorter_next(s->blocks, &s->recs, &s->nrecs);
        s->rec = 0;
        if (status != PD_OK)
            return status < 0 ? status : PD_OK;
    }
    *block = block_at(s->recs, s->rec);
    return PD_OK;
}

/* All blocks of the next pair whose first document is below `to`, in s->pair; empty: there is none. */
static int next_pair(struct aligning *s, pd_doc to)
{
    const struct pd_block *block;
    pd_doc a = 0, b = 0;
    s->pair.n = 0;
    for (;;) {
        PD_TRY(next_block(s, &block));
        if (!block || (s->pair.n ? block->a != a || block->b != b : block->a >= to))
            return PD_OK;
        a = block->a;
        b = block->b;
        pd_bytes_append(&s->pair, block, block->size);
        s->rec += block->size;
    }
}

/* The passages of the pair at hand. */
static void find_in_pair(struct aligning *s)
{
    const struct pd_options *o = s->job->options;
    const size_t before = s->passages.n;
    uint64_t rows = 0;
    s->list.n = 0;
    for (size_t at = 0; at < s->pair.n; at += block_at(s->pair.v, at)->size) {
        block_list_push(&s->list, block_at(s->pair.v, at));
        rows += block_at(s->pair.v, at)->ni;
    }
    if (rows > (uint64_t)o->gamma) /* a passage takes a new row for each matched pair */
        pd_diagonals_find(&s->diagonals, s->list.v, s->list.n, (uint32_t)o->gamma, (uint32_t)o->gap,
                          &s->passages);
    if (s->passages.n > before && !pd_pair_passes(s->passages.v + before, s->passages.n - before,
                                                  o->theta_d, (uint64_t)o->delta)) {
        s->passages.n = before;
        s->job->below++;
    }
}

/* Go on through the pairs of the slice until there is a batch of passages, or no more pair. */
static int find_passages(struct aligning *s, pd_doc to)
{
    while (s->passages.n < s->batch) {
        if (pd_comm_stopping())
            return pd_fail(PD_ESTOP, "stopped by signal %d", pd_comm_stopping());
        PD_TRY(next_pair(s, to));
        if (!s->pair.n)
            return PD_OK;
        find_in_pair(s);
        s->done += s->pair.n;
        pd_stages_progress(&s->job->stages, s->done * (uint64_t)s->job->comm->size, s->all, 0, 0);
    }
    return PD_OK;
}

/* COLLECTIVE. The most passages that arrive at a rank, where all send n of theirs at most. */
static uint64_t most_arriving(struct aligning *s, const struct pd_passage *v, size_t n)
{
    const struct pd_comm *c = s->job->comm;
    const size_t nranks = (size_t)c->size;
    uint64_t arriving[2] = {0, 0}; /* at the holders of a, of b */
    for (int hop = 0; hop < 2; hop++) {
        memset(s->out, 0, nranks * sizeof *s->out);
        for (size_t k = 0; k < n; k++)
            s->out[pd_collection_holder(&s->job->collection, hop ? v[k].b : v[k].a)]++;
        pd_comm_counts(c, s->out, s->in);
        for (size_t p = 0; p < nranks; p++)
            arriving[hop] += (uint64_t)s->in[p];
    }
    pd_comm_max(c, arriving, 2);
    return arriving[0] > arriving[1] ? arriving[0] : arriving[1];
}

/* All passages found visit their documents, batch by batch: they need room where they arrive. */
static int visit_batches(struct aligning *s, struct pd_gathering_rows *rows)
{
    struct pd_detect *job = s->job;
    size_t done = 0, batch = s->batch;
    for (;;) {
        const size_t left = s->passages.n - done, mine = left < batch ? left : batch;
        const struct pd_passage *v = mine ? s->passages.v + done : NULL;
        uint64_t more = left;
        pd_comm_max(job->comm, &more, 1);
        if (more == 0)
            return PD_OK;
        if (most_arriving(s, v, mine) > CROWD * s->batch && batch > BATCH_LEAST) {
            batch /= 2;
            continue;
        }
        PD_TRY(pd_detect_visit(job, v, mine));
        PD_TRY(pd_rows_send(rows));
        done += mine;
    }
}

static int visit_passages(struct aligning *s, struct pd_gathering_rows *rows, pd_doc to)
{
    struct pd_detect *job = s->job;
    for (;;) {
        s->passages.n = 0;
        PD_TRY(pd_comm_agree(job->comm, find_passages(s, to)));
        uint64_t found = s->passages.n;
        pd_comm_max(job->comm, &found, 1);
        if (found == 0)
            return PD_OK;
        PD_TRY(visit_batches(s, rows));
    }
}

static int align_slice(struct aligning *s, size_t from, size_t to)
{
    struct pd_detect *job = s->job;
    struct pd_gathering_rows rows;
    pd_rows_begin(&rows, job, from, to, s->bins);
    int status = visit_passages(s, &rows, pd_row_bin_start(job, to));
    if (status >= 0)
        status = pd_rows_end(&rows);
    pd_rows_abandon(&rows);
    return status < 0 ? status : pd_checkpoint_save_slice(job);
}

static int align_slices(struct aligning *s)
{
    struct pd_detect *job = s->job;
    const uint64_t fits = job->collection.memory / SLICE_SHARE * (uint64_t)job->comm->size;
    const uint64_t most = fits > s->all / SLICES_MOST ? fits : s->all / SLICES_MOST;
    for (size_t begin = 0, end; begin < PD_ROW_BINS; begin = end) {
        uint64_t bytes = s->bins[begin];
        for (end = begin + 1; end < PD_ROW_BINS && bytes + s->bins[end] <= most; end++)
            bytes += s->bins[end];
        if (bytes)
            PD_TRY(align_slice(s, begin, end));
    }
    return PD_OK;
}

static size_t batch_of(const struct pd_detect *job)
{
    const uint64_t n = job->collection.memory / BATCH_SHARE / VISIT_BYTES;
    return n < BATCH_LEAST ? BATCH_LEAST : n > BATCH_MOST ? BATCH_MOST : (size_t)n;
}

static int align(struct aligning *s)
{
    pd_doc from;
    PD_TRY(pd_checkpoint_take_slices(s->job, &from));
    if (from >= s->job->collection.totals.documents)
        return PD_OK;
    PD_TRY(gather_blocks(s, from));
    return align_slices(s);
}

int pd_detect_align(struct pd_detect *job)
{
    const size_t nranks = (size_t)job->comm->size;
    struct aligning s = {.job = job,
                         .batch = batch_of(job),
                         .out = pd_realloc(NULL, nranks, sizeof *s.out),
                         .in = pd_realloc(NULL, nranks, sizeof *s.in)};
    pd_stages_begin(&job->stages, PD_STAGE_ALIGN);
    const int status = align(&s);
    free(s.bins);
    free(s.out);
    free(s.in);
    pd_sorter_free(s.blocks);
    pd_bytes_release(&s.pair);
    block_list_release(&s.list);
    pd_diagonals_release(&s.diagonals);
    pd_passages_release(&s.passages);
    return pd_stages_end(&job->stages, status);
}
