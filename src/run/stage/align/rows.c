/*
 * run/stage/align/rows.c - see src/run/stage/align/rows.h
 *
 * The rows of a pair are folded (passage/folded.h) where they are made. They travel and are sorted
 * in that form, in two fifths of their bytes. Each rank keeps the pairs of a range of first
 * documents, so that in the result's tables the rows of one rank follow the rows of another.
 */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"
#include "pardup/passage/folded.h"

enum { ROWS_MOST = 1536 }; /* rows in one record */

/* The rows of a pair, or some of them if the pair has more than ROWS_MOST rows. Order: a, b. */
struct folded_rows {
    uint32_t size;        /* bytes of the record */
    uint8_t padding;      /* zero bytes at the end of the record */
    uint8_t some;         /* 1: other records have more rows of the pair; 0: no other has */
    uint16_t zero;        /* 0: in place of padding */
    pd_doc a, b;          /* the documents of the pair */
    unsigned char rows[]; /* the rows, folded */
};
_Static_assert(sizeof(struct folded_rows) + PD_FOLDED_MOST(ROWS_MOST) <= PD_EXCHANGE_RECORD,
               "a record must fit");

size_t pd_row_bin(const struct pd_job *job, pd_doc doc)
{
    return (size_t)(doc * PD_ROW_BINS / job->collection.totals.documents);
}

/* The least number d for which d * PD_ROW_BINS / documents >= bin. */
pd_doc pd_row_bin_start(const struct pd_job *job, size_t bin)
{
    const uint64_t ndocs = job->collection.totals.documents;
    return (pd_doc)(((unsigned __int128)bin * ndocs + PD_ROW_BINS - 1) / PD_ROW_BINS);
}

/* Partitions follow bins, so that pairs are sorted in the cache. */
static uint32_t partition_of_pair(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct pd_gathering_rows *g = ctx;
    const size_t bin = pd_row_bin(g->job, ((const struct folded_rows *)rec)->a) - g->from;
    return (uint32_t)(bin * npartitions / (g->to - g->from));
}

static int owner_of_pair(const void *rec, int nranks, void *ctx)
{
    const struct pd_gathering_rows *g = ctx;
    (void)nranks;
    return g->rank_of_bin[pd_row_bin(g->job, ((const struct folded_rows *)rec)->a) - g->from];
}

static const struct pd_flow rows_flow = {.name = "rows",
                                         .budget = PD_BUDGET_ROWS,
                                         .key_at = 1,
                                         .keys = 2,
                                         .owner = owner_of_pair,
                                         .partition = partition_of_pair};

void pd_rows_begin(struct pd_gathering_rows *g, struct pd_job *job, size_t from, size_t to,
                   const uint64_t *weights)
{
    uint64_t all = 0, before = 0;
    *g = (struct pd_gathering_rows){.job = job, .from = from, .to = to};
    g->rank_of_bin = pd_realloc(NULL, to - from, sizeof *g->rank_of_bin);
    for (size_t k = from; k < to; k++)
        all += weights[k];
    for (size_t k = from; k < to; before += weights[k++])
        g->rank_of_bin[k - from] =
            all ? (int)((unsigned __int128)before * (unsigned)job->comm->size / all) : 0;
    pd_shuffle_open(&g->pairs, &job->transport, &rows_flow, g, &job->spare);
}

/* Make the file of this rank's part of a slice, unless there is one. */
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

/*
 * Sort rows, and with far edges drop rows that lie inside other rows. Returns how many rows are
 * left.
 */
static size_t put_in_order(struct pd_gathering_rows *g, struct pd_row *rows, size_t n)
{
    pd_sort_records(rows, n, PD_ROW_U64S, PD_ROW_U64S);
    if (g->job->options->method.edges == PD_EDGES_FAR) /* far edges reach over other passages */
        n = pd_inner_drop(rows, n, &g->keys);
    return n;
}

/* Append a record of n rows of one pair to g->folded. */
static void pack_some(struct pd_gathering_rows *g, const struct pd_row *rows, size_t n, bool some)
{
    const size_t begin = g->folded.n, head = sizeof(struct folded_rows);
    struct folded_rows rec = {.some = some, .a = rows->a, .b = rows->b};
    pd_bytes_append(&g->folded, &rec, head);
    pd_rows_fold(rows, n, &g->folded);
    while (g->folded.n % sizeof(uint64_t)) {
        pd_bytes_push(&g->folded, 0);
        rec.padding++;
    }
    rec.size = (uint32_t)(g->folded.n - begin);
    memcpy(g->folded.v + begin, &rec, head);
}

void pd_rows_add(struct pd_gathering_rows *g, struct pd_row *rows, size_t n)
{
    n = put_in_order(g, rows, n);
    for (size_t from = 0, most; from < n; from += most) {
        most = n - from < ROWS_MOST ? n - from : ROWS_MOST;
        pack_some(g, rows + from, most, n > ROWS_MOST);
    }
}

bool pd_rows_wait(const struct pd_gathering_rows *g) { return g->sent < g->folded.n; }

size_t pd_rows_send(struct pd_gathering_rows *g, unsigned char *to, size_t cap)
{
    size_t n = 0;
    while (pd_rows_wait(g)) {
        const struct folded_rows *rec =
            (const struct folded_rows *)(const void *)(g->folded.v + g->sent);
        if (rec->size > cap - n)
            return n;
        memcpy(to + n, rec, rec->size);
        n += rec->size;
        g->sent += rec->size;
    }
    g->folded.n = g->sent = 0;
    return n;
}

/* Write all rows of a pair, which are folded, to the file. */
static int write_pair(struct pd_gathering_rows *g, const unsigned char *folded, size_t bytes,
                      struct pd_slice *slice)
{
    PD_TRY(open_file(g, slice));
    slice->rows += pd_rows_folded(folded);
    slice->pairs++;
    return pd_packed_append(g->file, folded, bytes, NULL);
}

/*
 * Write the rows of a pair that came in several records, if there are any in `rows`, and empty it.
 */
static int write_parts(struct pd_gathering_rows *g, struct pd_rows *rows, struct pd_slice *slice)
{
    if (rows->n == 0)
        return PD_OK;
    pd_sort_records(rows->v, rows->n, PD_ROW_U64S, PD_ROW_U64S);
    g->folded.n = 0;
    pd_rows_fold(rows->v, rows->n, &g->folded);
    rows->n = 0;
    return write_pair(g, g->folded.v, g->folded.n, slice);
}

/*
 * Write the rows of a record, or add them to `parts` if other records have more rows of the pair.
 */
static int write_record(struct pd_gathering_rows *g, const struct folded_rows *rec,
                        struct pd_rows *parts, struct pd_slice *slice)
{
    if (parts->n && (!rec->some || parts->v->a != rec->a || parts->v->b != rec->b))
        PD_TRY(write_parts(g, parts, slice));
    if (!rec->some)
        return write_pair(g, rec->rows, rec->size - rec->padding - sizeof *rec, slice);
    pd_rows_unfold(rec->rows, parts);
    return PD_OK;
}

/* Write all rows that this rank keeps of the slice. */
static int write_rows(struct pd_gathering_rows *g, struct pd_slice *slice)
{
    struct pd_rows parts = {0}; /* rows of a pair that comes in several records */
    const void *rec;
    int status = pd_shuffle_sort_own(&g->pairs);
    while (status >= 0 && (status = pd_shuffle_look(&g->pairs, &rec)) == PD_OK) {
        status = write_record(g, rec, &parts, slice);
        pd_shuffle_pass(&g->pairs, ((const struct folded_rows *)rec)->size);
    }
    PD_THEN(status, write_parts(g, &parts, slice));
    pd_rows_release(&parts);
    if (status >= 0 && g->file)
        status = pd_packed_finish(g->file);
    return status < 0 ? status : PD_OK;
}

int pd_rows_end(struct pd_gathering_rows *g)
{
    struct pd_job *job = g->job;
    struct pd_slice slice = {.slice = job->aligned.nslices++,

                             .from = pd_row_bin_start(job, g->from),
                             .to = pd_row_bin_start(job, g->to),
                             .dots = job->aligned.dots};
    const int status = write_rows(g, &slice);
    slice.left_out = job->aligned.left_out;
    job->aligned.left_out = (struct pd_left_out){0};
    pd_slices_push(&job->aligned.slices, slice);
    return pd_comm_agree(job->comm, status);
}

void pd_rows_abandon(struct pd_gathering_rows *g)
{
    pd_shuffle_close(&g->pairs);
    free(g->rank_of_bin);
    pd_packed_close(g->file);
    pd_bytes_release(&g->folded);
    pd_inner_keys_release(&g->keys);
    *g = (struct pd_gathering_rows){0};
}
