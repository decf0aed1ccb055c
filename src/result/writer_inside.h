/*
 * result/writer_inside.h - what the two parts of the writer share: writer.c writes rows, and
 * writer_tables.c makes tables and attributes.
 */
#ifndef PARDUP_RESULT_WRITER_INSIDE_H
#define PARDUP_RESULT_WRITER_INSIDE_H

#include <hdf5.h>
#include <stdbool.h>

#include "chunks.h"
#include "pardup/result/writer.h"
#include "partial.h"

struct pd_writer {
    const struct pd_comm *comm;
    enum pd_compress compress;
    struct pd_partial partial; /* the file as the file system sees it; created on rank 0 only */
    hid_t file;                /* the file as HDF5 sees it; rank 0 only */
    const char *from; /* the result that the file is a copy of, borrowed; NULL: there is none */
    struct pd_chunks chunks;  /* the chunks that are being written */
    struct pd_bytes values;   /* the values of one chunk */
    struct pd_bytes shuffled; /* the same values, shuffled */
    struct pd_bytes received; /* packed chunks from another rank */
};

/* End the job if an HDF5 call returned a negative code. */
void pd_writer_must(const struct pd_writer *w, int64_t code, const char *what);

/* A table that is shorter than a chunk has one chunk of its own length. */
static inline hsize_t pd_chunk_rows(uint64_t total)
{
    return total < 1 ? 1 : total < PD_CHUNK_ROWS ? total : PD_CHUNK_ROWS;
}

/* Rank 0: create what is missing of a table of `total` rows. */
void pd_writer_create_table(struct pd_writer *w, const struct pd_columns *cols, uint64_t total);

#endif
