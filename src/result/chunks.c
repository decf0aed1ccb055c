/* result/chunks.c - see src/result/chunks.h */
#include "chunks.h"

#include "pardup/base/error.h"
#include "pardup/base/sort.h"

enum { TAG = 5 /* of messages; comm/exchange.c and comm/queue.c use other tags */ };
static const uint64_t message_most = 1 << 30; /* bytes of a message: MPI counts in int */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* List this rank's rows below `to`, cut where chunks end. */
static void list_pieces(const struct pd_comm *c, const struct pd_columns *lot, uint64_t to,
                        struct pd_pieces_of_rows *pieces)
{
    for (size_t k = 0; k < lot->runs.n; k++) {
        const struct pd_run_of_rows *run = &lot->runs.v[k];
        const uint64_t end = least(run->at + run->n, to);
        for (uint64_t at = run->at, n; at < end; at += n) {
            n = least(end, (at / PD_CHUNK_ROWS + 1) * PD_CHUNK_ROWS) - at;
            pd_pieces_of_rows_push(pieces, (struct pd_piece_of_rows){at, n, (uint64_t)c->rank});
        }
    }
}

/* COLLECTIVE. List the rows of all ranks below `to`, ascending. */
static void gather_pieces(struct pd_chunks *m, const struct pd_comm *c,
                          const struct pd_columns *lot, uint64_t to)
{
    struct pd_pieces_of_rows mine = {0};
    struct pd_bytes all = {0};
    list_pieces(c, lot, to, &mine);
    pd_comm_gather(c, mine.v, mine.n * sizeof *mine.v, &all);
    m->pieces.n = 0;
    pd_pieces_of_rows_append(&m->pieces, (const void *)all.v, all.n / sizeof *mine.v);
    pd_sort_records(m->pieces.v, m->pieces.n, sizeof *mine.v / sizeof(uint64_t), 1);
    pd_pieces_of_rows_release(&mine);
    pd_bytes_release(&all);
}

/* The chunk that begins with the piece number `begin`. */
static struct pd_chunk chunk_from(const struct pd_chunks *m, size_t begin)
{
    const struct pd_piece_of_rows *pieces = m->pieces.v;
    struct pd_chunk chunk = {pieces[begin].at / PD_CHUNK_ROWS, 0, begin, begin};
    size_t longest = begin;
    for (; chunk.end < m->pieces.n && pieces[chunk.end].at / PD_CHUNK_ROWS == chunk.number;
         chunk.end++)
        if (pieces[chunk.end].n > pieces[longest].n)
            longest = chunk.end;
    chunk.rank = pieces[longest].rank;
    return chunk;
}

static void list_chunks(struct pd_chunks *m)
{
    m->list.n = 0;
    for (size_t begin = 0; begin < m->pieces.n; begin = m->list.v[m->list.n - 1].end)
        pd_chunk_list_push(&m->list, chunk_from(m, begin));
}

static void send(struct pd_chunks *m, const struct pd_comm *c, uint64_t to,
                 const unsigned char *values, uint64_t bytes)
{
    for (uint64_t done = 0, bite; done < bytes; done += bite) {
        MPI_Request begun;
        bite = least(bytes - done, message_most);
        MPI_Isend(values + done, (int)bite, MPI_BYTE, (int)to, TAG, c->mpi, &begun);
        pd_requests_push(&m->sends, begun);
    }
}

static void receive(struct pd_chunks *m, const struct pd_comm *c, uint64_t from,
                    unsigned char *values, uint64_t bytes)
{
    for (uint64_t done = 0, bite; done < bytes; done += bite) {
        MPI_Request begun;
        bite = least(bytes - done, message_most);
        MPI_Irecv(values + done, (int)bite, MPI_BYTE, (int)from, TAG, c->mpi, &begun);
        pd_requests_push(&m->receipts, begun);
    }
}

/* Send column by column, the order in which the receiver asks for them. */
static void send_pieces(struct pd_chunks *m, const struct pd_comm *c, const struct pd_columns *lot,
                        const struct pd_chunk *chunk)
{
    for (size_t k = 0; k < lot->ncolumns; k++)
        for (size_t p = chunk->begin; p < chunk->end; p++) {
            const struct pd_piece_of_rows *piece = &m->pieces.v[p];
            const size_t width = pd_column_width(&lot->columns[k]);
            if (piece->rank == (uint64_t)c->rank)
                send(m, c, chunk->rank, lot->values[k].v + pd_columns_below(lot, piece->at) * width,
                     piece->n * width);
        }
}

void pd_chunks_meet(struct pd_chunks *m, const struct pd_comm *c, const struct pd_columns *lot,
                    uint64_t to)
{
    gather_pieces(m, c, lot, to);
    list_chunks(m);
    for (size_t k = 0; k < m->list.n; k++)
        if (m->list.v[k].rank != (uint64_t)c->rank)
            send_pieces(m, c, lot, &m->list.v[k]);
}

void pd_chunks_values(struct pd_chunks *m, const struct pd_comm *c, const struct pd_columns *lot,
                      const struct pd_chunk *chunk, size_t k, uint64_t n, unsigned char *values)
{
    const uint64_t from = chunk->number * PD_CHUNK_ROWS;
    const size_t width = pd_column_width(&lot->columns[k]);
    uint64_t rows = pd_columns_copy(lot, k, from, from + n, values);
    for (size_t p = chunk->begin; p < chunk->end; p++) {
        const struct pd_piece_of_rows *piece = &m->pieces.v[p];
        if (piece->rank == (uint64_t)c->rank)
            continue;
        receive(m, c, piece->rank, values + (piece->at - from) * width, piece->n * width);
        rows += piece->n;
    }
    PD_CHECK(rows == n);
    pd_comm_wait_all((int)m->receipts.n, m->receipts.v);
    m->receipts.n = 0;
}

void pd_chunks_part(struct pd_chunks *m)
{
    pd_comm_wait_all((int)m->sends.n, m->sends.v);
    m->sends.n = 0;
}

void pd_chunks_release(struct pd_chunks *m)
{
    pd_pieces_of_rows_release(&m->pieces);
    pd_chunk_list_release(&m->list);
    pd_requests_release(&m->sends);
    pd_requests_release(&m->receipts);
}
