/*
 * result/writer.h - the result file: HDF5, made by all ranks together.
 *
 * One dataset a column, chunked and compressed (README.md, "The result file"). Ranks pack the chunks, which leaves a tenth
 * of the bytes, and rank 0 writes them: HDF5's collective writes are hundreds of messages, and inflate chunks that ranks
 * share once more. The file has a temporary name (PATH.part) until it is whole and synced.
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
 * COLLECTIVE. Can `path` be made? To be asked before hours of work: makes PATH.part and removes it.
 * PD_OK or PD_EIO, agreed.
 */
int pd_writer_check(const struct pd_comm *c, const char *path);

/* COLLECTIVE. Open PATH.part for writing. *w is NULL on failure. PD_OK or PD_EIO, agreed. */
int pd_writer_open(const struct pd_comm *c, const char *path, enum pd_compress compress,
                   struct pd_writer **w);

/* Rows in memory: `n` structs of `size` bytes, this rank's; all borrowed. */
struct pd_table_rows {
    const struct pd_column *columns;
    size_t ncolumns;
    const void *rows;
    size_t size;
    size_t n;
};

/* COLLECTIVE. Write a group whole: the ranks' rows one after the other in order of rank. */
void pd_writer_table(struct pd_writer *w, const char *group, const struct pd_table_rows *rows);

/*
 * Not collective. Pack the chunks at the end of the lot that are whole, so that their rows take no memory any more;
 * to be called whenever rows have been added to it, or never.
 */
void pd_writer_compress(struct pd_writer *w, struct pd_columns *lot);

/*
 * COLLECTIVE. Write the chunks of the ranks' lots that are whole with the rows below `to`, and remove their rows from the
 * lots, which are to have all those. The table has `total` rows in the end; the first call makes it, one with `to` ==
 * `total` ends it.
 */
void pd_writer_put(struct pd_writer *w, struct pd_columns *lot, uint64_t to, uint64_t total);

/* COLLECTIVE. Attributes of the root, the same value on all ranks. */
void pd_writer_text(struct pd_writer *w, const char *name, const char *value);
void pd_writer_count(struct pd_writer *w, const char *name, uint64_t value);
void pd_writer_real(struct pd_writer *w, const char *name, double value);

/* COLLECTIVE. Close, sync and rename. Takes w. PD_OK or PD_EIO, agreed. */
int pd_writer_commit(struct pd_writer *w);

/* COLLECTIVE. Close and remove what was written. w may be NULL. */
void pd_writer_discard(struct pd_writer *w);

#endif
