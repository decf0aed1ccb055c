/*
 * run/stage/table/slices.h - this rank's files of the slices, read one after the other, pair by
 * pair.
 *
 * The align stage has left one file for each slice and rank (struct pd_slice in run/stage/job.h).
 * In the tables the rows of slice 0 of rank 0 come first, then slice 0 of rank 1, ..., then slice 1
 * of rank 0. So a reader also says which row of each table comes next.
 *
 *     pd_slices_open(&r, job);                                             COLLECTIVE
 *     while ((status = pd_slices_next_file(&r)) == PD_OK && r.rows_left > 0)
 *         status = pd_slices_pair(&r, &rows, &pair);
 *     pd_slices_close(&r);
 */
#ifndef PARDUP_RUN_SLICES_H
#define PARDUP_RUN_SLICES_H

#include "pardup/base/row.h"
#include "pardup/store/cursor.h"
#include "run/stage/job.h"

/* A number in both tables: how many rows each has, or the index of a row in each. */
struct pd_both {
    uint64_t rows;  /* in /passages */
    uint64_t pairs; /* in /pairs */
};
PD_VEC(pd_boths, struct pd_both);

struct pd_slices_reader {
    struct pd_job *job;
    struct pd_boths starts; /* where each file begins in the tables */
    struct pd_boths ends;   /* where each slice ends in the tables */
    size_t next_file;       /* index of the file after the open one */
    uint64_t rows_left;     /* rows of the open file that have not been read */
    struct pd_both at;      /* where the next rows of the open file go in the tables */
    uint64_t npairs;        /* pairs read so far, from all files */
    struct pd_packed *file; /* the open file */
    struct pd_cursor cursor;
    struct pd_u64s scratch; /* for pd_pair_of() */
};

/* COLLECTIVE. Begin before the first row. The job is borrowed until the reader is closed. */
void pd_slices_open(struct pd_slices_reader *r, struct pd_job *job);
void pd_slices_close(struct pd_slices_reader *r);

/*
 * If the open file has been read, open the next file that has rows: then r->at says where the next
 * pair goes. PD_OK (r->rows_left is 0: there are no more rows), PD_EIO or PD_EFORMAT.
 */
int pd_slices_next_file(struct pd_slices_reader *r);

/*
 * Append the rows of the next pair of the open file, which has rows left, and set `pair` from them.
 * r->at moves behind them. PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_slices_pair(struct pd_slices_reader *r, struct pd_rows *rows, struct pd_pair *pair);

#endif
