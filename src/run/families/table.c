/* run/families/table.c - see src/run/families/table.h */
#include "table.h"

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "run/write/sliced.h"

enum { TAKEN_APART = 4096 };

void pd_job_spool(struct pd_job *job, struct pd_spool *s, size_t size, enum pd_budget budget,
                  const char *name)
{
    const struct pd_spooling how = {.size = size,
                                    .memory = pd_transport_budget(&job->transport, budget),
                                    .path = pd_scratch_path(&job->scratch, name),
                                    .spare = &job->spare};
    pd_spool_init(s, &how);
}

/* Add the next rows of this rank, up to row `to` of the table. *at: the row that is read next. */
static int add_rows(struct pd_spool *rows, uint64_t *at, uint64_t to, struct pd_columns *cols)
{
    struct pd_bytes some = {0};
    int status = PD_OK;
    while (status == PD_OK && *at < to) {
        const void *rec;
        uint64_t n = 0;
        for (some.n = 0;
             *at + n < to && n < TAKEN_APART && (status = pd_spool_look(rows, &rec)) == PD_OK;
             n++, pd_spool_pass(rows))
            pd_bytes_append(&some, rec, rows->how.size);
        if (n > 0)
            pd_columns_add(cols, *at, some.v, rows->how.size, n);
        *at += n;
    }
    pd_bytes_release(&some);
    return status < 0 ? status : PD_OK;
}

int pd_job_write_spool(struct pd_job *job, struct pd_writer *w, enum pd_table table,
                       struct pd_spool *rows, uint64_t at)
{
    const uint64_t step = pd_rows_at_once(job, rows->how.size);
    uint64_t total = rows->n, to = 0;
    struct pd_columns cols;
    int status;
    pd_comm_sum(job->comm, &total, 1);
    pd_columns_init(&cols, &pd_schema[table], NULL);
    do { /* once also without rows: the table is made */
        to = pd_min_u64(to + step, total);
        status = pd_comm_agree(job->comm, add_rows(rows, &at, to, &cols));
        if (status >= 0)
            pd_writer_put(w, &cols, to, total);
    } while (status >= 0 && to < total);
    pd_columns_release(&cols);
    return status;
}
