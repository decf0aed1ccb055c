/*
 * result/writer.h - write the result file: HDF5, made by all ranks together.
 *
 * Each column is a dataset, chunked and compressed (README.md, "The result file"). Ranks pack the
 * chunks, which leaves a tenth of the bytes, and rank 0 writes them. HDF5's collective writes would
 * send hundreds of messages, and would inflate chunks that ranks share once more. The file has a
 * temporary name (PATH.part) until it is complete and synced.
 *
 * When an HDF5 call fails, rank 0 prints the reason, removes the temporary file and ends the job
 * (pd_comm_abort, exit status 1). What can be checked beforehand (the folder exists, a file
 * can be made there) is an ordinary, agreed error of pd_writer_open.
 */
#ifndef PARDUP_RESULT_WRITER_H
#define PARDUP_RESULT_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/comm/comm.h"
#include "pardup/result/columns.h"
#include "pardup/result/compress.h"

struct pd_writer;

/*
 * COLLECTIVE. Check that `path` can be written, by making PATH.part and removing it. A job does so
 * before hours of work. Returns PD_OK or PD_EIO, agreed.
 */
int pd_writer_check(const struct pd_comm *c, const char *path);

/*
 * COLLECTIVE. Open PATH.part for writing. *w is NULL on failure; else end it with pd_writer_commit
 * or pd_writer_discard. `c` is borrowed until then. `path` is copied. Returns PD_OK or PD_EIO,
 * agreed.
 */
int pd_writer_open(const struct pd_comm *c, const char *path, enum pd_compress compress,
                   struct pd_writer **w);

/*
 * COLLECTIVE. As pd_writer_open, but the file begins as a copy of the result `from`, which is
 * borrowed, too. `from` may be `path`: then its file is replaced when the copy is committed. Returns PD_OK, PD_EIO or PD_EFORMAT
 * (`from` is no HDF5 file), agreed.
 */
int pd_writer_open_copy(const struct pd_comm *c, const char *from, const char *path,
                        enum pd_compress compress, struct pd_writer **w);

/* COLLECTIVE. Remove a table ("families") or a column ("passages/family"), if it is there. */
void pd_writer_remove(struct pd_writer *w, const char *name);

/* Rows in memory, of this rank. The pointer is borrowed. */
struct pd_table_rows {
    const void *rows;          /* n structs of `size` bytes */
    size_t size;               /* bytes of a row's struct */
    size_t n;                  /* rows */
    const size_t *text_widths; /* as for pd_columns_init */
};

/* COLLECTIVE. Write a whole table: the rows of rank 0, then the rows of rank 1, and so on. */
void pd_writer_table(struct pd_writer *w, const struct pd_table_schema *table,
                     const struct pd_table_rows *rows);

/*
 * Not collective. Pack the chunks that the last run of rows in `cols` fills, and remove their rows
 * from memory. Either call this every time after rows have been added, or never.
 */
void pd_writer_compress(struct pd_writer *w, struct pd_columns *cols);

/*
 * COLLECTIVE. Write the rows below `to`, up to the last whole chunk, and remove them from memory.
 * The first call for a table creates what is missing of it. The call with `to` == `total` also
 * writes the last, shorter chunk. Rows may lie on any rank, but all rows below `to` must have been
 * added.
 *   to     the same on all ranks, not below that of the call before
 *   total  rows of the complete table, the same on all ranks and in all calls
 */
void pd_writer_put(struct pd_writer *w, struct pd_columns *cols, uint64_t to, uint64_t total);

/* COLLECTIVE. Write an attribute of the root, or replace it. The value is the same on all ranks. */
void pd_writer_text(struct pd_writer *w, const char *name, const char *value);
void pd_writer_count(struct pd_writer *w, const char *name, uint64_t value);
void pd_writer_real(struct pd_writer *w, const char *name, double value);

/* COLLECTIVE. Write an attribute of a table that has been written. */
void pd_writer_group_text(struct pd_writer *w, const char *table, const char *name,
                          const char *value);

/*
 * COLLECTIVE. Close the file, sync it and give it its final name. Frees w in any case.
 * Returns PD_OK, PD_EIO or PD_ESTOP (a signal came), agreed.
 */
int pd_writer_commit(struct pd_writer *w);

/* COLLECTIVE. Remove what was written and free w, which may be NULL. */
void pd_writer_discard(struct pd_writer *w);

#endif
