/*
 * run/stage/write/sliced.c - see src/run/stage/write/tables.h
 *
 * In the tables slices follow one another. Within a slice the ranks follow one another, and within
 * a rank its files. Each file is read once, and both tables are made from it, one range of rows
 * after the other. A range ends where a slice ends, as far as whole chunks allow: all ranks have
 * about equally many rows of a slice, so all have something to write.
 */
#include "tables.h"

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/result/rows.h"
#include "pardup/result/writer.h"
#include "run/stage/families/families.h"
#include "run/stage/table/slices.h"
#include "run/stage/table/table.h"

enum {
    TABLES_SHARE = 7,  /* the other tables take a seventh of the time of the passages */
    RANGE_CHUNKS = 2,  /* least chunks of a rank in a range: each range costs collective calls */
    TAKEN_APART = 512, /* rows taken apart at a time: they stay in the first-level cache */
};

/* Rows on their way from the files of the slices to the tables. */
struct reading {
    struct pd_slices_reader from;
    struct pd_rows rows;            /* rows that have been read but not taken apart */
    struct pd_pairs row_pairs;      /* the pairs of `rows` */
    struct pd_written_rows written; /* `rows` with their families */
    struct pd_columns passage_columns, pair_columns;
};

static int read_rows(struct reading *r)
{
    const struct pd_both at = r->from.at;
    struct pd_job *job = r->from.job;
    r->rows.n = r->row_pairs.n = 0;
    while (r->from.rows_left > 0 && r->rows.n < TAKEN_APART) {
        struct pd_pair pair;
        PD_TRY(pd_slices_pair(&r->from, &r->rows, &pair));
        pd_pairs_push(&r->row_pairs, pair);
    }
    r->written.n = 0;
    for (size_t k = 0; k < r->rows.n; k++) {
        struct pd_written_row row = {.row = r->rows.v[k]};
        PD_TRY(pd_families_of(job->families, at.rows + k, &row.family));
        pd_written_rows_push(&r->written, row);
    }
    pd_columns_add(&r->passage_columns, at.rows, r->written.v, sizeof *r->written.v, r->written.n);
    pd_columns_add(&r->pair_columns, at.pairs, r->row_pairs.v, sizeof *r->row_pairs.v,
                   r->row_pairs.n);
    pd_writer_compress(job->writer, &r->passage_columns);
    pd_writer_compress(job->writer, &r->pair_columns);
    return PD_OK;
}

/* Read at least the rows of this rank whose index is below `to`, and make their pairs. */
static int read_until(struct reading *r, uint64_t to)
{
    const struct pd_boths *ends = &r->from.ends;
    const uint64_t all = ends->n ? ends->v[ends->n - 1].rows : 0;
    for (;;) {
        pd_stages_progress(&r->from.job->stages, r->from.at.rows, all + all / TABLES_SHARE, 0, 0);
        PD_TRY(pd_slices_next_file(&r->from));
        if (r->from.rows_left == 0 || r->from.at.rows >= to)
            return pd_comm_check_stop();
        PD_TRY(read_rows(r));
    }
}

static uint64_t whole_chunks(uint64_t rows) { return rows / PD_CHUNK_ROWS * PD_CHUNK_ROWS; }

/*
 * Where the range ends that begins at `from`: with a slice, if it is large enough and fits memory.
 */
static uint64_t end_of_range(const struct reading *r, uint64_t from)
{
    const uint64_t most =
        from + pd_rows_at_once(r->from.job, sizeof(struct pd_row) + sizeof(struct pd_pair));
    const uint64_t least = from + (uint64_t)r->from.job->comm->size * RANGE_CHUNKS * PD_CHUNK_ROWS;
    size_t k = 0;
    while (k + 1 < r->from.ends.n && r->from.ends.v[k].rows < least)
        k++;
    const uint64_t end = r->from.ends.v[k].rows;
    const uint64_t to = k + 1 < r->from.ends.n ? whole_chunks(end) : end;
    return pd_min_u64(to, most);
}

/*
 * Reserve room for the rows that usually wait in the columns: the chunks of a range, and at both
 * ends a chunk that is shared with another rank.
 */
static void make_room(struct reading *r)
{
    const uint64_t most = (RANGE_CHUNKS + 2) * PD_CHUNK_ROWS;
    struct pd_both mine = {0};
    for (size_t k = 0; k < r->from.job->aligned.slices.n; k++) {
        mine.rows += r->from.job->aligned.slices.v[k].rows;
        mine.pairs += r->from.job->aligned.slices.v[k].pairs;
    }
    pd_columns_expect(&r->passage_columns, pd_min_u64(mine.rows, most));
    pd_columns_expect(&r->pair_columns, pd_min_u64(mine.pairs, most));
}

static int write_ranges(struct reading *r)
{
    const struct pd_boths *ends = &r->from.ends;
    const struct pd_both all = ends->n ? ends->v[ends->n - 1] : (struct pd_both){0, 0};
    const struct pd_comm *c = r->from.job->comm;
    struct pd_writer *w = r->from.job->writer;
    uint64_t to = 0;
    do { /* once also without rows: the tables are made */
        to = to < all.rows ? end_of_range(r, to) : 0;
        PD_TRY(pd_comm_agree(c, read_until(r, to)));
        pd_writer_put(w, &r->passage_columns, to, all.rows);
        uint64_t pairs =
            r->from.npairs; /* summed: all rows of /pairs with lower numbers were read */
        pd_comm_sum(c, &pairs, 1);
        pd_writer_put(w, &r->pair_columns, pairs, all.pairs);
    } while (to < all.rows);
    return PD_OK;
}

int pd_sliced_write(struct pd_job *job)
{
    struct reading r = {0};
    pd_columns_init(&r.passage_columns, &pd_schema[PD_TABLE_PASSAGES], NULL);
    pd_columns_init(&r.pair_columns, &pd_schema[PD_TABLE_PAIRS], NULL);
    pd_progress_begin(&job->stages.progress, "write");
    pd_slices_open(&r.from, job);
    make_room(&r);
    const int status = write_ranges(&r);
    pd_slices_close(&r.from);
    pd_rows_release(&r.rows);
    pd_written_rows_release(&r.written);
    pd_pairs_release(&r.row_pairs);
    PD_RELEASE(pd_columns, &r.passage_columns, &r.pair_columns);
    return status;
}
