/* run/stage/table/table.c - see src/run/stage/table/table.h */
#include "table.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/result/rows.h"

enum { TAKEN_APART = 4096 }; /* rows that are taken apart into columns at once */

uint64_t pd_rows_at_once(const struct pd_job *job, uint64_t bytes)
{
    const uint64_t n =
        pd_transport_budget(&job->transport, PD_BUDGET_WRITE) / bytes * (uint64_t)job->comm->size;
    return pd_max_u64(n, PD_CHUNK_ROWS) / PD_CHUNK_ROWS * PD_CHUNK_ROWS;
}

int pd_to_writer(const void *rec, int nranks, void *job)
{
    const uint64_t documents = ((const struct pd_job *)job)->collection.totals.documents;
    return (int)((unsigned __int128)*(const uint64_t *)rec * (unsigned)nranks / documents);
}

/* Add the next rows of this rank, up to row `to` of the table. */
static int add_rows(struct pd_handed_rows *rows, uint64_t to, struct pd_columns *cols)
{
    struct pd_bytes some = {0};
    int status = PD_OK;
    while (status == PD_OK && rows->at < to) {
        uint64_t n = 0;
        some.n = 0;
        while (rows->at + n < to && n < TAKEN_APART &&
               (status = rows->next(rows->ctx, &some)) == PD_OK)
            n++;
        if (n > 0)
            pd_columns_add(cols, rows->at, some.v, rows->size, n);
        rows->at += n;
    }
    pd_bytes_release(&some);
    return status < 0 ? status : PD_OK;
}

int pd_table_write(struct pd_job *job, struct pd_writer *w, struct pd_handed_rows *rows)
{
    const uint64_t step = pd_rows_at_once(job, rows->size);
    uint64_t total = rows->n, to = 0;
    struct pd_columns cols;
    int status;
    pd_comm_sum(job->comm, &total, 1);
    pd_columns_init(&cols, &pd_schema[rows->table], rows->widths);
    do { /* once also without rows: the table is made */
        to = pd_min_u64(to + step, total);
        status = pd_comm_agree(job->comm, add_rows(rows, to, &cols));
        if (status >= 0)
            pd_writer_put(w, &cols, to, total);
    } while (status >= 0 && to < total);
    pd_columns_release(&cols);
    return status;
}

/* ---- rows that arrive in a shuffle ---- */

static int next_arrived(void *ctx, struct pd_bytes *to)
{
    struct pd_shuffle *rows = ctx;
    const void *rec;
    const int status = pd_shuffle_next(rows, &rec);
    if (status == PD_OK)
        pd_bytes_append(to, rec, rows->flow.size);
    return status;
}

int pd_job_write_arrived(struct pd_job *job, struct pd_writer *w, enum pd_table table, size_t size,
                         struct pd_shuffle *rows)
{
    const uint64_t n = rows->sorter ? pd_sorter_bytes(rows->sorter) / size : 0;
    return pd_table_write(job, w,
                          &(struct pd_handed_rows){.table = table,
                                                   .size = size,
                                                   .n = n,
                                                   .at = pd_comm_before(job->comm, n),
                                                   .next = next_arrived,
                                                   .ctx = rows});
}

/* ---- rows in spools ---- */

void pd_job_spool(struct pd_job *job, struct pd_spool *s, size_t size, enum pd_budget budget,
                  const char *name)
{
    const struct pd_spooling how = {.size = size,
                                    .memory = pd_transport_budget(&job->transport, budget),
                                    .path = pd_scratch_path(&job->scratch, name),
                                    .spare = &job->spare};
    pd_spool_init(s, &how);
}

static int next_spooled(void *ctx, struct pd_bytes *to)
{
    struct pd_spool *rows = ctx;
    const void *rec;
    const int status = pd_spool_next(rows, &rec);
    if (status == PD_OK)
        pd_bytes_append(to, rec, rows->how.size);
    return status;
}

int pd_job_write_spool(struct pd_job *job, struct pd_writer *w, enum pd_table table,
                       struct pd_spool *rows, uint64_t at)
{
    return pd_table_write(job, w,
                          &(struct pd_handed_rows){.table = table,
                                                   .size = rows->how.size,
                                                   .n = rows->n,
                                                   .at = at,
                                                   .next = next_spooled,
                                                   .ctx = rows});
}

/* ---- rows of files ---- */

struct pd_file_row *pd_file_rows_add(struct pd_file_rows *f, const char *path, uint64_t bytes)
{
    const size_t n = strlen(path);
    if (!f->row_bytes) {
        f->width = pd_max_size(f->width, n);
        return NULL;
    }
    pd_bytes_reserve(&f->rows, f->rows.n + f->row_bytes);
    struct pd_file_row *row = (struct pd_file_row *)(void *)(f->rows.v + f->rows.n);
    memset(row, 0, f->row_bytes);
    row->bytes = bytes;
    memcpy(row->path, path, n);
    f->rows.n += f->row_bytes;
    return row;
}

void pd_file_rows_begin(struct pd_file_rows *f)
{
    f->width = pd_max_size(f->width, 1);
    f->row_bytes = sizeof(struct pd_file_row) + (f->width + 7) / 8 * 8;
}

struct pd_table_rows pd_file_rows_table(const struct pd_file_rows *f)
{
    return (struct pd_table_rows){.rows = f->rows.v,
                                  .size = f->row_bytes,
                                  .n = f->rows.n / f->row_bytes,
                                  .text_widths = &f->width};
}
