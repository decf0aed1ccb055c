/*
 * run/write/skipped.c - see skipped.h
 *
 * A few kilobytes of bad data can hold millions of skipped records. They stay in the volumes until
 * here, travel to the ranks that write them, and spill there.
 */
#include "skipped.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/result/rows.h"
#include "sliced.h"

enum {
    SKIP_U64S = sizeof(struct pd_skiprec) / 8, /* u64s of a skipped record, all of them its key */
    TAKEN_APART = 4096                         /* rows that are taken apart into columns at once */
};

/* Skipped records on their way from the ranks that read them to the ranks that write them. */
struct sending {
    struct pd_collection *col;
    uint64_t *counts;           /* records of each file */
    size_t volume;              /* volume that is sent from */
    size_t next;                /* record of that volume that is sent next */
    struct pd_shuffle arriving; /* the records that this rank writes */
};

static int owner_of(const void *rec, int nranks, void *ctx)
{
    const struct sending *s = ctx;
    return (int)((unsigned __int128)((const struct pd_skiprec *)rec)->file * (unsigned)nranks /
                 s->col->files.n);
}

static const struct pd_flow skips_flow = {.name = "skipped",
                                          .budget = PD_BUDGET_SKIPS,
                                          .size = sizeof(struct pd_skiprec),
                                          .keys = SKIP_U64S,
                                          .owner = owner_of};

static int fill(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct sending *s = ctx;
    struct pd_skiprec rec;
    *n = 0;
    for (;;) {
        const int status = pd_collection_next_skip(s->col, &s->volume, &s->next, &rec);
        if (status != PD_OK)
            return status;
        memcpy(to + *n, &rec, sizeof rec);
        s->counts[rec.file]++;
        *n += sizeof rec;
        if (*n + sizeof rec > cap)
            return PD_OK;
    }
}

/* Add the next rows of this rank, up to row `to` of the table. *at: the row that is read next. */
static int add_rows(struct pd_shuffle *s, uint64_t *at, uint64_t to, struct pd_columns *cols)
{
    struct pd_skipped_rows rows = {0};
    int status = PD_OK;
    while (status == PD_OK && *at < to) {
        const void *rec;
        rows.n = 0;
        while (*at + rows.n < to && rows.n < TAKEN_APART &&
               (status = pd_shuffle_look(s, &rec)) == PD_OK) {
            const struct pd_skiprec *skip = rec;
            struct pd_skipped_row row = {
                .file = skip->file, .offset = skip->offset, .skip = skip->skip};
            const char *reason = pd_skip_name((enum pd_skip)skip->why);
            memcpy(row.reason, reason, strlen(reason));
            pd_skipped_rows_push(&rows, row);
            pd_shuffle_pass(s, sizeof *skip);
        }
        if (rows.n > 0)
            pd_columns_add(cols, *at, rows.v, sizeof *rows.v, rows.n);
        *at += rows.n;
    }
    pd_skipped_rows_release(&rows);
    return status < 0 ? status : PD_OK;
}

/* COLLECTIVE. Write the records that have arrived. */
static int write_rows(struct pd_job *job, struct pd_writer *w, struct pd_shuffle *s)
{
    const uint64_t mine = pd_sorter_bytes(s->sorter) / sizeof(struct pd_skiprec);
    const uint64_t step = pd_rows_at_once(job, sizeof(struct pd_skipped_row));
    uint64_t at = pd_comm_before(job->comm, mine), total = mine, to = 0;
    struct pd_columns cols;
    int status;
    pd_comm_sum(job->comm, &total, 1);
    pd_columns_init(&cols, &pd_schema[PD_TABLE_SKIPPED], NULL);
    do { /* once also without rows: the table is made */
        to = pd_min_u64(to + step, total);
        status = pd_comm_agree(job->comm, add_rows(s, &at, to, &cols));
        if (status >= 0)
            pd_writer_put(w, &cols, to, total);
    } while (status >= 0 && to < total);
    pd_columns_release(&cols);
    return status;
}

int pd_skipped_write(struct pd_job *job, struct pd_writer *w, uint64_t *counts)
{
    struct sending s = {.col = &job->collection, .counts = counts};
    pd_shuffle_open(&s.arriving, &job->transport, &skips_flow, &s, NULL);
    int status = pd_shuffle_send(&s.arriving, fill, &s);
    if (status >= 0)
        status = pd_shuffle_sort(&s.arriving);
    if (status >= 0)
        status = write_rows(job, w, &s.arriving);
    pd_shuffle_close(&s.arriving);
    return status;
}
