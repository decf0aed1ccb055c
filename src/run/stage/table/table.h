/*
 * run/stage/table/table.h - tables whose rows the ranks hand over in order, and rows that wait in
 * spools until the result is written.
 */
#ifndef PARDUP_RUN_TABLE_TABLE_H
#define PARDUP_RUN_TABLE_TABLE_H

#include "pardup/store/spool.h"
#include "run/stage/job.h"

/* The rows of this rank. */
struct pd_handed_rows {
    enum pd_table table;
    size_t size; /* bytes of a row, as the table has it (result/rows.h) */
    uint64_t n;  /* rows of this rank */
    uint64_t
        at; /* number in the table of the row that comes next; at first that of the first one */

    const size_t *widths; /* of its texts (result/writer.h); NULL: it has none */

    /* Append the next row to `to`. PD_OK, PD_END or a failure. Not collective. */
    int (*next)(void *ctx, struct pd_bytes *to);
    void *ctx;
};

/*
 * How many rows of `bytes` each all ranks together may hold in memory for writing: a multiple of
 * PD_CHUNK_ROWS, at least one chunk.
 */
uint64_t pd_rows_at_once(const struct pd_job *job, uint64_t bytes);

/*
 * An owner of rows that begin with the number of a document: each rank writes the rows of a range
 * of documents. `job`: struct pd_job.
 */
int pd_to_writer(const void *rec, int nranks, void *job);

/* COLLECTIVE. Write a table from the rows of all ranks. Agreed: PD_OK or a failure. */
int pd_table_write(struct pd_job *job, struct pd_writer *w, struct pd_handed_rows *rows);

/*
 * COLLECTIVE. Write a table from the rows of `size` bytes that have arrived at all ranks, in order.
 * The shuffle is sorted, or closed: there are none. Agreed: PD_OK or a failure.
 */
int pd_job_write_arrived(struct pd_job *job, struct pd_writer *w, enum pd_table table, size_t size,
                         struct pd_shuffle *rows);

/* Not collective. Begin a spool of the job's scratch for records of `size` bytes. */
void pd_job_spool(struct pd_job *job, struct pd_spool *s, size_t size, enum pd_budget budget,
                  const char *name);

/*
 * COLLECTIVE. Write a table from the rows of all ranks.
 *   rows  the rows of this rank, as the table has them; not yet read
 *   at    number of the first of them in the table
 * Agreed: PD_OK or a failure.
 */
int pd_job_write_spool(struct pd_job *job, struct pd_writer *w, enum pd_table table,
                       struct pd_spool *rows, uint64_t at);

/* ---- rows of /files and /source_files, which are as wide as the longest path ---- */

/* Files are added twice: for the width, and then for the rows. A zeroed struct has none. */
struct pd_file_rows {
    size_t width;         /* bytes of the longest path, at least 1 once rows begin */
    size_t row_bytes;     /* 0: only the width is asked for */
    struct pd_bytes rows; /* row by row; to be released */
};

/* Add a file. Its row, which stays until the next call; NULL: only the width was asked for. */
struct pd_file_row *pd_file_rows_add(struct pd_file_rows *f, const char *path, uint64_t bytes);

/* All widths are known: the files that are added from now on get rows. */
void pd_file_rows_begin(struct pd_file_rows *f);

/* The rows as the writer takes them. They borrow from f. */
struct pd_table_rows pd_file_rows_table(const struct pd_file_rows *f);

#endif
