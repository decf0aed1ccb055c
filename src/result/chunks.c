/* result/chunks.c - see src/result/chunks.h */
#include "chunks.h"

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"

/* List this rank's rows below `to`, cut where chunks end. */
static void list_ranges(const struct pd_chunks *m, uint64_t to, struct pd_row_ranges *held)
{
    for (size_t k = 0; k < m->cols->runs.n; k++) {
        const struct pd_run_of_rows *run = &m->cols->runs.v[k];
        const uint64_t end = pd_min_u64(run->at + run->n, to);
        for (uint64_t at = run->at, n; at < end; at += n) {
            n = pd_min_u64(end, (at / PD_CHUNK_ROWS + 1) * PD_CHUNK_ROWS) - at;
            pd_row_ranges_push(held, (struct pd_row_range){at, n, (uint64_t)m->comm->rank});
        }
    }
}

/* COLLECTIVE. List the rows of all ranks below `to`, ascending. */
static void gather_ranges(struct pd_chunks *m, uint64_t to)
{
    struct pd_row_ranges mine = {0};
    struct pd_bytes all = {0};
    list_ranges(m, to, &mine);
    pd_comm_gather(m->comm, mine.v, mine.n * sizeof *mine.v, &all);
    m->held.n = 0;
    pd_row_ranges_append(&m->held, (const void *)all.v, all.n / sizeof *mine.v);
    pd_sort_records(m->held.v, m->held.n, sizeof *mine.v / sizeof(uint64_t), 1);
    pd_row_ranges_release(&mine);
    pd_bytes_release(&all);
}

/* The chunk that begins with range number `begin`. */
static struct pd_chunk chunk_from(const struct pd_chunks *m, size_t begin)
{
    const struct pd_row_range *held = m->held.v;
    struct pd_chunk chunk = {held[begin].at / PD_CHUNK_ROWS, 0, begin, begin};
    size_t longest = begin;
    for (; chunk.end < m->held.n && held[chunk.end].at / PD_CHUNK_ROWS == chunk.number; chunk.end++)
        if (held[chunk.end].n > held[longest].n)
            longest = chunk.end;
    chunk.rank = held[longest].rank;
    return chunk;
}

static void list_chunks(struct pd_chunks *m)
{
    m->list.n = 0;
    for (size_t begin = 0; begin < m->held.n; begin = m->list.v[m->list.n - 1].end)
        pd_chunk_list_push(&m->list, chunk_from(m, begin));
}

/* Send this rank's rows of a chunk, column by column, as the receiver asks for them. */
static void send_rows(struct pd_chunks *m, const struct pd_chunk *chunk)
{
    const struct pd_columns *cols = m->cols;
    for (size_t k = 0; k < cols->ncolumns; k++)
        for (size_t p = chunk->begin; p < chunk->end; p++) {
            const struct pd_row_range *range = &m->held.v[p];
            const size_t width = cols->widths[k];
            if (range->rank == (uint64_t)m->comm->rank)
                pd_comm_begin_send(m->comm, (int)chunk->rank,
                                   cols->values[k].v + pd_columns_below(cols, range->at) * width,
                                   range->n * width, &m->sends);
        }
}

void pd_chunks_begin(struct pd_chunks *m, const struct pd_comm *c, const struct pd_columns *cols,
                     uint64_t to)
{
    m->comm = c;
    m->cols = cols;
    gather_ranges(m, to);
    list_chunks(m);
    for (size_t k = 0; k < m->list.n; k++)
        if (m->list.v[k].rank != (uint64_t)c->rank)
            send_rows(m, &m->list.v[k]);
}

void pd_chunks_values(struct pd_chunks *m, const struct pd_chunk *chunk, size_t k, uint64_t n,
                      unsigned char *values)
{
    const struct pd_columns *cols = m->cols;
    const uint64_t from = chunk->number * PD_CHUNK_ROWS;
    const size_t width = cols->widths[k];
    uint64_t rows = pd_columns_copy(cols, k, from, from + n, values);
    for (size_t p = chunk->begin; p < chunk->end; p++) {
        const struct pd_row_range *range = &m->held.v[p];
        if (range->rank == (uint64_t)m->comm->rank)
            continue;
        pd_comm_begin_receive(m->comm, (int)range->rank, values + (range->at - from) * width,
                              range->n * width, &m->receipts);
        rows += range->n;
    }
    PD_CHECK(rows == n);
    pd_comm_end(&m->receipts);
}

void pd_chunks_end(struct pd_chunks *m) { pd_comm_end(&m->sends); }

void pd_chunks_release(struct pd_chunks *m)
{
    pd_row_ranges_release(&m->held);
    pd_chunk_list_release(&m->list);
    PD_RELEASE(pd_transfers, &m->sends, &m->receipts);
}
