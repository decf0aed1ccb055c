/*
 * run/rows.c - see src/run/rows.h
 *
 * Each rank sorts a range of first documents, so ranks' rows follow each other in the tables.
 */
#include "rows.h"

#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/comm/exchange.h"
#include "pardup/passage/inner.h"
#include "pardup/passage/pair.h"

enum { ROWS_SHARE = 4 }; /* rows of a slice may fill this part of --memory */

size_t pd_row_bin(const struct pd_detect *job, pd_doc doc)
{
    return (size_t)((unsigned __int128)doc * PD_ROW_BINS / job->collection.totals.documents);
}

/* The least d with d * PD_ROW_BINS / documents >= bin. */
pd_doc pd_row_bin_start(const struct pd_detect *job, size_t bin)
{
    const uint64_t ndocs = job->collection.totals.documents;
    return (pd_doc)(((unsigned __int128)bin * ndocs + PD_ROW_BINS - 1) / PD_ROW_BINS);
}

static int owner_of_row(const void *rec, int nranks, void *ctx)
{
    const struct pd_gathering_rows *g = ctx;
    (void)nranks;
    return g->rank_of_bin[pd_row_bin(g->job, ((const struct pd_row *)rec)->a) - g->from];
}

static int take_rows(const void *recs, size_t bytes, void *ctx)
{
    return pd_sorter_push(((struct pd_gathering_rows *)ctx)->sorter, recs, bytes);
}

void pd_rows_begin(struct pd_gathering_rows *g, struct pd_detect *job, size_t from, size_t to,
                   const uint64_t *weights)
{
    const struct pd_sorting how = {.size = sizeof(struct pd_row),
                                   .keys = PD_ROW_WORDS, /* no ties: one order */
                                   .memory = job->collection.memory / ROWS_SHARE,
                                   .path = pd_scratch_path(&job->scratch, "rows")};
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

int pd_rows_send(struct pd_gathering_rows *g)
{
    struct pd_rows *rows = &g->job->rows;
    g->source = (struct pd_source){rows->v, rows->n, sizeof *rows->v, 0};
    const struct pd_route route = {sizeof *rows->v, pd_fill_from, owner_of_row, take_rows, g};
    const int status = pd_exchange(g->job->comm, &route, &g->job->stages.moved);
    rows->n = 0;
    return status;
}

/* The files of a slice: made when there is something to be written. */
struct files {
    struct pd_packed *rows, *pairs;
};

static int open_files(struct pd_detect *job, struct files *files, struct pd_slice *slice)
{
    if (files->rows)
        return PD_OK;
    files->rows = pd_packed_create(pd_scratch_path(&job->scratch, PD_ROW_FILES));
    slice->row_file = pd_scratch_last(&job->scratch);
    if (!files->rows)
        return PD_EIO;
    files->pairs = pd_packed_create(pd_scratch_path(&job->scratch, PD_PAIR_FILES));
    slice->pair_file = pd_scratch_last(&job->scratch);
    return files->pairs ? PD_OK : PD_EIO;
}

/* One pair's rows, and their pair, to the files. */
static int write_pair(struct pd_gathering_rows *g, struct pd_rows *rows, struct files *files,
                      struct pd_slice *slice)
{
    if (g->job->options->edges == PD_EDGES_FAR) /* extended edges can reach over other passages */
        rows->n = pd_inner_drop(rows->v, rows->n, &g->keys);
    PD_TRY(open_files(g->job, files, slice));
    pd_u64s_reserve(&g->scratch, rows->n + 1);
    struct pd_pair pair = pd_pair_of(rows->v, rows->n, g->scratch.v);
    if (g->job->form.kind == PD_UNITS_WHOLE)
        pair.resemblance = pair.score; /* of the one passage, which is all of both */
    for (size_t k = 0; k < rows->n; k++)
        PD_TRY(pd_packed_append(files->rows, &rows->v[k], sizeof *rows->v, NULL));
    slice->rows += rows->n;
    slice->pairs++;
    rows->n = 0;
    return pd_packed_append(files->pairs, &pair, sizeof pair, NULL);
}

static int write_rows(struct pd_gathering_rows *g, struct files *files, struct pd_slice *slice)
{
    struct pd_rows rows = {0}; /* of the pair at hand */
    const unsigned char *recs;
    size_t n;
    int status = pd_sorter_finish(g->sorter);
    while (status >= 0 && (status = pd_sorter_next(g->sorter, &recs, &n)) == PD_OK) {
        const struct pd_row *v = (const struct pd_row *)(const void *)recs;
        for (size_t k = 0; k < n / sizeof *v && status >= 0; k++) {
            if (rows.n && (rows.v[0].a != v[k].a || rows.v[0].b != v[k].b))
                status = write_pair(g, &rows, files, slice);
            pd_rows_push(&rows, v[k]);
        }
    }
    if (status >= 0 && rows.n)
        status = write_pair(g, &rows, files, slice);
    pd_rows_release(&rows);
    if (status >= 0 && files->rows)
        status = pd_packed_finish(files->rows, true);
    if (status >= 0 && files->pairs)
        status = pd_packed_finish(files->pairs, true);
    return status < 0 ? status : PD_OK;
}

int pd_rows_end(struct pd_gathering_rows *g)
{
    struct pd_detect *job = g->job;
    struct files files = {0};
    struct pd_slice slice = {.slice = job->nslices++,
                             .part = (uint64_t)job->comm->rank,
                             .from = pd_row_bin_start(job, g->from),
                             .to = pd_row_bin_start(job, g->to),
                             .dots = job->dots};
    const int status = write_rows(g, &files, &slice);
    pd_packed_close(files.rows);
    pd_packed_close(files.pairs);
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
    pd_u64s_release(&g->scratch);
    pd_inner_keys_release(&g->keys);
    *g = (struct pd_gathering_rows){0};
}
