/* result/chunks.c - see include/pardup/result/chunks.h */
#include "pardup/result/chunks.h"

#include <stdbool.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"

enum { PATCH = 64 << 10 /* bytes of values in a record, at most, or one row */ };

/* Rows on their way to the owner of their chunk. */
struct sent {
    uint32_t size, n;
    uint64_t at;
    unsigned char values[];
};

struct sending {
    struct pd_chunks *m;
    const struct pd_lot *lot;
    uint64_t to, rank;
    size_t row_bytes;
    size_t run;      /* of the lot, ... */
    uint64_t done;   /* ... so many of its rows have been looked at ... */
    uint64_t before; /* ... and these are those of earlier ones */
};

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Chunks that begin below a row. */
static uint64_t chunks_below(uint64_t row) { return (row + PD_CHUNK_ROWS - 1) / PD_CHUNK_ROWS; }

static uint64_t owner_of(const struct pd_chunks *m, uint64_t row)
{
    return m->owners.v[row / PD_CHUNK_ROWS - m->first] - 1;
}

/* Whoever has the first row of a chunk says so. */
static void find_owners(struct pd_chunks *m, const struct pd_comm *c, const struct pd_lot *lot,
                        uint64_t to)
{
    m->first = chunks_below(lot->placed);
    m->owners.n = 0;
    for (uint64_t k = m->first; k < chunks_below(to); k++)
        pd_owners_push(&m->owners, 0);
    for (size_t k = 0; k < lot->runs.n; k++) {
        const struct pd_run_of_rows *run = &lot->runs.v[k];
        const uint64_t end = chunks_below(least(run->at + run->n, to));
        for (uint64_t chunk = chunks_below(run->at); chunk < end; chunk++)
            m->owners.v[chunk - m->first] = (uint64_t)c->rank + 1;
    }
    pd_comm_sum(c, m->owners.v, (int)m->owners.n);
}

/* The next rows that another rank wants: at most a patch of one chunk. False: there are no more. */
static bool find_patch(struct sending *s, uint64_t *at, uint64_t *n)
{
    const uint64_t most = PATCH / s->row_bytes ? PATCH / s->row_bytes : 1;
    while (s->run < s->lot->runs.n) {
        const struct pd_run_of_rows *run = &s->lot->runs.v[s->run];
        const uint64_t behind = least(run->at + run->n, s->to);
        *at = run->at + s->done;
        if (*at >= behind) {
            s->before += run->n;
            s->done = 0;
            s->run++;
            continue;
        }
        *n = least(behind, (*at / PD_CHUNK_ROWS + 1) * PD_CHUNK_ROWS) - *at;
        if (owner_of(s->m, *at) != s->rank) {
            *n = least(*n, most);
            return true;
        }
        s->done += *n;
    }
    return false;
}

static void write_patch(const struct sending *s, struct sent *to, uint64_t at, uint64_t n)
{
    unsigned char *values = to->values;
    to->n = (uint32_t)n;
    to->at = at;
    for (size_t k = 0; k < s->lot->ncolumns; k++) {
        const size_t width = pd_column_width(&s->lot->columns[k]);
        memcpy(values, s->lot->values[k].v + (s->before + s->done) * width, n * width);
        values += n * width;
    }
}

static int fill(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct sending *s = ctx;
    uint64_t at, rows;
    for (*n = 0; find_patch(s, &at, &rows); s->done += rows) {
        const size_t bytes = (sizeof(struct sent) + rows * s->row_bytes + 7) / 8 * 8;
        struct sent *rec = (struct sent *)(void *)(to + *n);
        if (*n + bytes > cap)
            return PD_OK;
        memset(to + *n + bytes - sizeof(uint64_t), 0, sizeof(uint64_t)); /* the padding */
        write_patch(s, rec, at, rows);
        rec->size = (uint32_t)bytes;
        *n += bytes;
    }
    return PD_END;
}

static int owner_of_patch(const void *rec, int nranks, void *ctx)
{
    const struct sending *s = ctx;
    (void)nranks;
    return (int)owner_of(s->m, ((const struct sent *)rec)->at);
}

static int take(const void *recs, size_t bytes, void *ctx)
{
    pd_bytes_append(&((struct sending *)ctx)->m->got, recs, bytes);
    return PD_OK;
}

static void list_patches(struct pd_chunks *m)
{
    m->patches.n = 0;
    for (size_t at = 0; at < m->got.n;) {
        const struct sent *rec = (const struct sent *)(const void *)(m->got.v + at);
        const struct pd_patch patch = {rec->at, rec->n, at + offsetof(struct sent, values)};
        pd_patches_push(&m->patches, patch);
        at += rec->size;
    }
    pd_sort_records(m->patches.v, m->patches.n, sizeof *m->patches.v / sizeof(uint64_t), 1);
}

int pd_chunks_meet(struct pd_chunks *m, const struct pd_comm *c, const struct pd_lot *lot,
                   uint64_t to)
{
    struct sending s = {.m = m, .lot = lot, .to = to, .rank = (uint64_t)c->rank};
    const struct pd_route route = {0, fill, owner_of_patch, take, &s};
    for (size_t k = 0; k < lot->ncolumns; k++)
        s.row_bytes += pd_column_width(&lot->columns[k]);
    m->got.n = 0;
    find_owners(m, c, lot, to);
    const int status = pd_exchange(c, &route, NULL);
    list_patches(m);
    return status;
}

void pd_chunks_values(const struct pd_chunks *m, const struct pd_lot *lot, size_t k, uint64_t from,
                      uint64_t to, unsigned char *values)
{
    const size_t width = pd_column_width(&lot->columns[k]);
    size_t per_row = 0;
    uint64_t n = pd_lot_copy(lot, k, from, to, values);
    for (size_t c = 0; c < k; c++)
        per_row += pd_column_width(&lot->columns[c]);
    for (size_t p = 0; p < m->patches.n && m->patches.v[p].at < to; p++) {
        const struct pd_patch *patch = &m->patches.v[p];
        if (patch->at < from)
            continue;
        memcpy(values + (patch->at - from) * width, m->got.v + patch->place + per_row * patch->n,
               patch->n * width);
        n += patch->n;
    }
    PD_CHECK(n == to - from);
}

void pd_chunks_release(struct pd_chunks *m)
{
    pd_owners_release(&m->owners);
    pd_patches_release(&m->patches);
    pd_bytes_release(&m->got);
}
