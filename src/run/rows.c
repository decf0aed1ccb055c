/*
 * run/rows.c - see src/run/rows.h
 *
 * Each rank sorts a range of first documents, so ranks' rows follow each other in the tables.
 */
#include "rows.h"

#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/passage/folded.h"
#include "pardup/passage/inner.h"

enum { ROWS_SHARE = 4 }; /* rows of a slice may fill this part of --memory */

size_t pd_row_bin(const struct pd_detect *job, pd_doc doc)
{
    return (size_t)(doc * PD_ROW_BINS / job->collection.totals.documents);
}

/* The least d with d * PD_ROW_BINS / documents >= bin. */
pd_doc pd_row_bin_start(const struct pd_detect *job, size_t bin)
{
    const uint64_t ndocs = job->collection.totals.documents;
    return (pd_doc)(((unsigned __int128)bin * ndocs + PD_ROW_BINS - 1) / PD_ROW_BINS);
}

/* By bin: rows are sorted in the cache, and only a part of them twice in memory. */
static uint32_t part_of_row(const void *rec, uint32_t nparts, void *ctx)
{
    const struct pd_gathering_rows *g = ctx;
    const size_t bin = pd_row_bin(g->job, ((const struct pd_row *)rec)->a) - g->from;
    return (uint32_t)(bin * nparts / (g->to - g->from));
}

void pd_rows_begin(struct pd_gathering_rows *g, struct pd_detect *job, size_t from, size_t to,
                   const uint64_t *weights)
{
    const struct pd_sorting how = {.size = sizeof(struct pd_row),
                                   .keys = PD_ROW_WORDS, /* no ties: one order */
                                   .memory = job->collection.memory / ROWS_SHARE,
                                   .path = pd_scratch_path(&job->scratch, "rows"),
                                   .part = part_of_row,
                                   .ctx = g,
                                   .spare = &job->spare};
    uint64_t all = 0, before = 0;
    *g = (struct pd_gathering_rows){.job = job, .from = from, .to = to};
    g->rank_of_bin = pd_realloc(NULL, to - from, sizeof *g->rank_of_bin);
    for (size_t k = from; k < to; k++)
        all += weights[k];
    for (size_t k = from; k < to; before += weights[k++])
        g->rank_of_bin[k - from] =
            all ? (int)((unsigned __int128)before * (unsigned)job->comm->size / all) : 0;
    g->sorter = pd_sorter_new(&how);
}

/* The file of a slice: made when there is something to be written. */
static int open_file(struct pd_gathering_rows *g, struct pd_slice *slice)
{
    struct pd_scratch *scratch = &g->job->scratch;
    if (g->file)
        return PD_OK;
    g->file = pd_packed_create(pd_scratch_path(scratch, PD_ROW_FILES));
    slice->file = pd_scratch_last(scratch);
    if (!g->file)
        return PD_EIO;
    pd_packed_store_plain(g->file, true);
    return PD_OK;
}

/* One pair's rows to the file. */
static int write_pair(struct pd_gathering_rows *g, struct pd_rows *rows, struct pd_slice *slice)
{
    if (g->job->options->edges == PD_EDGES_FAR) /* extended edges can reach over other passages */
        rows->n = pd_inner_drop(rows->v, rows->n, &g->keys);
    PD_TRY(open_file(g, slice));
    slice->rows += rows->n;
    slice->pairs++;
    g->folded.n = 0;
    pd_rows_fold(rows->v, rows->n, &g->folded);
    rows->n = 0;
    return pd_packed_append(g->file, g->folded.v, g->folded.n, NULL);
}

static int write_rows(struct pd_gathering_rows *g, struct pd_slice *slice)
{
    struct pd_rows rows = {0}; /* of the pair at hand */
    const unsigned char *recs;
    size_t n;
    int status = pd_sorter_finish(g->sorter);
    while (status >= 0 && (status = pd_sorter_next(g->sorter, &recs, &n)) == PD_OK) {
        const struct pd_row *v = (const struct pd_row *)(const void *)recs;
        for (size_t k = 0; k < n / sizeof *v && status >= 0; k++) {
            if (rows.n && (rows.v[0].a != v[k].a || rows.v[0].b != v[k].b))
                status = write_pair(g, &rows, slice);
            pd_rows_push(&rows, v[k]);
        }
    }
    if (status >= 0 && rows.n)
        status = write_pair(g, &rows, slice);
    pd_rows_release(&rows);
    if (status >= 0 && g->file)
        status = pd_packed_finish(g->file);
    return status < 0 ? status : PD_OK;
}

int pd_rows_end(struct pd_gathering_rows *g)
{
    struct pd_detect *job = g->job;
    struct pd_slice slice = {.slice = job->nslices++,
                             .part = (uint64_t)job->comm->rank,
                             .from = pd_row_bin_start(job, g->from),
                             .to = pd_row_bin_start(job, g->to),
                             .dots = job->dots};
    const int status = write_rows(g, &slice);
    slice.same_host = job->same_host;
    slice.too_short = job->too_short;
    slice.below = job->below;
    job->same_host = job->too_short = job->below = 0;
    pd_slices_push(&job->slices, slice);
    return pd_comm_agree(job->comm, status);
}

void pd_rows_abandon(struct pd_gathering_rows *g)
{
    pd_sorter_free(g->sorter);
    free(g->rank_of_bin);
    pd_packed_close(g->file);
    pd_bytes_release(&g->folded);
    pd_inner_keys_release(&g->keys);
    *g = (struct pd_gathering_rows){0};
}
