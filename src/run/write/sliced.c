/*
 * run/write/sliced.c - see src/run/write/sliced.h
 *
 * In the tables slices follow one another. Within a slice the ranks follow one another, and within
 * a rank its files. Each file is read once, and both tables are made from it, one range of rows
 * after the other. A range ends where a slice ends, as far as whole chunks allow: all ranks have
 * about equally many rows of a slice, so all have something to write.
 */
#include "sliced.h"

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/passage/folded.h"
#include "pardup/passage/pair.h"
#include "pardup/result/writer.h"
#include "pardup/store/cursor.h"

enum {
    RANGE_CHUNKS = 2,  /* least chunks of a rank in a range: each range costs collective calls */
    TAKEN_APART = 512, /* rows taken apart at a time: they stay in the first-level cache */
};

/* A number in both tables: how many rows each has, or the index of a row in each. */
struct both {
    uint64_t rows;  /* in /passages */
    uint64_t pairs; /* in /pairs */
};
PD_VEC(boths, struct both);

/* This rank's files of the slices, read one after the other. */
struct reading {
    struct pd_job *job;
    struct boths starts;    /* where each file begins in the tables */
    struct boths ends;      /* where each slice ends in the tables */
    size_t next_file;       /* index of the file after the open one */
    uint64_t rows_left;     /* rows of the open file that have not been read */
    struct both at;         /* where the next rows of the open file go in the tables */
    uint64_t npairs;        /* pairs read so far, from all files */
    struct pd_packed *file; /* the open file */
    struct pd_cursor cursor;
    struct pd_rows rows;       /* rows that have been read but not taken apart */
    struct pd_pairs row_pairs; /* the pairs of `rows` */
    struct pd_u64s scratch;    /* for pd_pair_of() */
    struct pd_columns passage_columns, pair_columns;
};

int pd_sliced_stopping(void)
{
    const int signal = pd_comm_stopping();
    return signal ? pd_fail(PD_ESTOP, "stopped by signal %d", signal) : PD_OK;
}

uint64_t pd_rows_at_once(const struct pd_job *job, uint64_t bytes)
{
    const uint64_t n =
        pd_transport_budget(&job->transport, PD_BUDGET_WRITE) / bytes * (uint64_t)job->comm->size;
    return pd_max_u64(n, PD_CHUNK_ROWS) / PD_CHUNK_ROWS * PD_CHUNK_ROWS;
}

/* COLLECTIVE. Find where this rank's files begin in the tables, and where all slices end. */
static void find_positions(struct reading *r)
{
    const struct pd_slices *slices = &r->job->aligned.slices;
    const struct pd_comm *c = r->job->comm;
    struct both end = {0};
    for (uint64_t slice = 0, k = 0; slice < r->job->aligned.nslices; slice++) {
        const uint64_t begin = k;
        struct both mine = {0};
        for (; k < slices->n && slices->v[k].slice == slice; k++) {
            mine.rows += slices->v[k].rows;
            mine.pairs += slices->v[k].pairs;
        }
        struct both at = {end.rows + pd_comm_before(c, mine.rows),
                          end.pairs + pd_comm_before(c, mine.pairs)};
        for (uint64_t file = begin; file < k; file++) {
            boths_push(&r->starts, at);
            at.rows += slices->v[file].rows;
            at.pairs += slices->v[file].pairs;
        }
        uint64_t sums[] = {mine.rows, mine.pairs};
        pd_comm_sum(c, sums, 2);
        end.rows += sums[0];
        end.pairs += sums[1];
        boths_push(&r->ends, end);
    }
}

/* If the open file has been read, open the next file that has rows. */
static int open_next(struct reading *r)
{
    struct pd_job *job = r->job;
    while (r->rows_left == 0 && r->next_file < r->starts.n) {
        const struct pd_slice *s = &job->aligned.slices.v[r->next_file];
        r->at = r->starts.v[r->next_file++];
        r->rows_left = s->rows;
        if (!r->rows_left)
            continue;
        pd_packed_close(r->file);
        r->file = pd_packed_open(pd_scratch_path_of(&job->scratch, PD_ROW_FILES, s->file));
        if (!r->file)
            return PD_EIO;
        pd_cursor_begin(&r->cursor, r->file, 0, pd_packed_blocks(r->file));
    }
    return PD_OK;
}

/* Read the rows of the next pair of the open file, and make the pair from them. */
static int read_pair(struct reading *r)
{
    const unsigned char *recs;
    const size_t before = r->rows.n;
    size_t n;
    const int status = pd_cursor_look(&r->cursor, &recs, &n);
    PD_CHECK(status != PD_END);
    PD_TRY(status);
    r->cursor.at += pd_rows_unfold(recs, &r->rows);
    n = r->rows.n - before;
    PD_CHECK(n <= r->rows_left);
    r->rows_left -= n;
    pd_u64s_reserve(&r->scratch, n);
    struct pd_pair pair = pd_pair_of(r->rows.v + before, n, r->scratch.v);
    if (r->job->form.kind == PD_FORM_WHOLE)
        pair.resemblance = pair.score; /* the one passage is all of both documents */
    pd_pairs_push(&r->row_pairs, pair);
    return PD_OK;
}

static int read_rows(struct reading *r)
{
    r->rows.n = r->row_pairs.n = 0;
    while (r->rows_left > 0 && r->rows.n < TAKEN_APART)
        PD_TRY(read_pair(r));
    pd_columns_add(&r->passage_columns, r->at.rows, r->rows.v, sizeof *r->rows.v, r->rows.n);
    pd_columns_add(&r->pair_columns, r->at.pairs, r->row_pairs.v, sizeof *r->row_pairs.v,
                   r->row_pairs.n);
    pd_writer_compress(r->job->writer, &r->passage_columns);
    pd_writer_compress(r->job->writer, &r->pair_columns);
    r->at.rows += r->rows.n;
    r->at.pairs += r->row_pairs.n;
    r->npairs += r->row_pairs.n;
    return PD_OK;
}

/* Read at least the rows of this rank whose index is below `to`, and make their pairs. */
static int read_until(struct reading *r, uint64_t to)
{
    for (;;) {
        PD_TRY(open_next(r));
        if (r->rows_left == 0 || r->at.rows >= to)
            return pd_sliced_stopping();
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
        from + pd_rows_at_once(r->job, sizeof(struct pd_row) + sizeof(struct pd_pair));
    const uint64_t least = from + (uint64_t)r->job->comm->size * RANGE_CHUNKS * PD_CHUNK_ROWS;
    size_t k = 0;
    while (k + 1 < r->ends.n && r->ends.v[k].rows < least)
        k++;
    const uint64_t end = r->ends.v[k].rows;
    const uint64_t to = k + 1 < r->ends.n ? whole_chunks(end) : end;
    return pd_min_u64(to, most);
}

/*
 * Reserve room for the rows that usually wait in the columns: the chunks of a range, and at both
 * ends a chunk that is shared with another rank.
 */
static void make_room(struct reading *r)
{
    const uint64_t most = (RANGE_CHUNKS + 2) * PD_CHUNK_ROWS;
    struct both mine = {0};
    for (size_t k = 0; k < r->job->aligned.slices.n; k++) {
        mine.rows += r->job->aligned.slices.v[k].rows;
        mine.pairs += r->job->aligned.slices.v[k].pairs;
    }
    pd_columns_expect(&r->passage_columns, pd_min_u64(mine.rows, most));
    pd_columns_expect(&r->pair_columns, pd_min_u64(mine.pairs, most));
}

static int write_ranges(struct reading *r)
{
    const struct both all = r->ends.n ? r->ends.v[r->ends.n - 1] : (struct both){0, 0};
    const struct pd_comm *c = r->job->comm;
    struct pd_writer *w = r->job->writer;
    uint64_t to = 0;
    do { /* once also without rows: the tables are made */
        to = to < all.rows ? end_of_range(r, to) : 0;
        PD_TRY(pd_comm_agree(c, read_until(r, to)));
        pd_writer_put(w, &r->passage_columns, to, all.rows);
        uint64_t pairs = r->npairs; /* summed: all rows of /pairs with lower numbers were read */
        pd_comm_sum(c, &pairs, 1);
        pd_writer_put(w, &r->pair_columns, pairs, all.pairs);
    } while (to < all.rows);
    return PD_OK;
}

int pd_sliced_write(struct pd_job *job)
{
    struct reading r = {.job = job};
    pd_columns_init(&r.passage_columns, &pd_schema[PD_TABLE_PASSAGES], 0);
    pd_columns_init(&r.pair_columns, &pd_schema[PD_TABLE_PAIRS], 0);
    find_positions(&r);
    make_room(&r);
    const int status = write_ranges(&r);
    boths_release(&r.starts);
    boths_release(&r.ends);
    pd_packed_close(r.file);
    pd_cursor_release(&r.cursor);
    pd_rows_release(&r.rows);
    pd_pairs_release(&r.row_pairs);
    pd_u64s_release(&r.scratch);
    pd_columns_release(&r.passage_columns);
    pd_columns_release(&r.pair_columns);
    return status;
}
