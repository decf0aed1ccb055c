/*
 * run/write/skipped.c - see skipped.h
 *
 * A few kilobytes of bad data can hold millions of skipped records. They stay in the volumes until
 * here, travel to the ranks that write them, and spill there.
 */
#include "skipped.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/result/rows.h"
#include "run/table/table.h"

enum { SKIP_U64S = sizeof(struct pd_skiprec) / 8 }; /* of a skipped record, all of them its key */

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

static int next_skip(void *ctx, void *rec)
{
    struct sending *s = ctx;
    const int status = pd_collection_next_skip(s->col, &s->volume, &s->next, rec);
    if (status == PD_OK)
        s->counts[((const struct pd_skiprec *)rec)->file]++;
    return status;
}

/* Make a row of the next record that has arrived. */
static int next_row(void *ctx, struct pd_bytes *to)
{
    struct pd_shuffle *s = ctx;
    const void *rec;
    PD_PASS(pd_shuffle_next(s, &rec));
    const struct pd_skiprec *skip = rec;
    struct pd_skipped_row row = {.file = skip->file, .offset = skip->offset, .skip = skip->skip};
    const char *reason = pd_skip_name((enum pd_skip)skip->why);
    memcpy(row.reason, reason, strlen(reason));
    pd_bytes_append(to, &row, sizeof row);
    return PD_OK;
}

/* COLLECTIVE. Write the records that have arrived. */
static int write_rows(struct pd_job *job, struct pd_writer *w, struct pd_shuffle *s)
{
    struct pd_handed_rows rows = {.table = PD_TABLE_SKIPPED,
                                  .size = sizeof(struct pd_skipped_row),
                                  .n = pd_sorter_bytes(s->sorter) / sizeof(struct pd_skiprec),
                                  .next = next_row,
                                  .ctx = s};
    rows.at = pd_comm_before(job->comm, rows.n);
    return pd_table_write(job, w, &rows);
}

int pd_skipped_write(struct pd_job *job, struct pd_writer *w, uint64_t *counts)
{
    struct sending s = {.col = &job->collection, .counts = counts};
    pd_shuffle_open(&s.arriving, &job->transport, &skips_flow, &s, NULL);
    int status = pd_shuffle_make(&s.arriving, next_skip, &s);
    PD_THEN(status, write_rows(job, w, &s.arriving));
    pd_shuffle_close(&s.arriving);
    return status;
}
