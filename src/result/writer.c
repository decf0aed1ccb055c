/* result/writer.c - see include/pardup/result/writer.h */
#include "pardup/result/writer.h"

#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "pardup/base/error.h"
#include "writer_inside.h"

int pd_writer_check(const struct pd_comm *c, const char *path)
{
    int status = PD_OK;
    if (c->rank == 0) {
        struct pd_partial partial;
        pd_partial_init(&partial, path);
        status = pd_partial_create(&partial);
        if (status >= 0)
            pd_partial_remove(&partial);
        pd_partial_release(&partial);
    }
    return pd_comm_agree(c, status);
}

static void writer_free(struct pd_writer *w)
{
    pd_partial_release(&w->partial);
    pd_chunks_release(&w->chunks);
    PD_RELEASE(pd_bytes, &w->values, &w->shuffled, &w->received);
    free(w);
}

static void create_file(struct pd_writer *w)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* errors are reported by give_up() */
    const hid_t create = H5Pcreate(H5P_FILE_CREATE);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_obj_track_times(create, 0); /* no times in the file: equal jobs write equal files */
    H5Pset_file_locking(access, 0, 1); /* the file is locked already */
    pd_writer_must(w, w->file = H5Fcreate(w->partial.temporary, H5F_ACC_TRUNC, create, access),
                   "create");
    H5Pclose(access);
    H5Pclose(create);
}

/* Open the copy of a result, for changes. */
static int open_copy(struct pd_writer *w, const char *from)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    int status = pd_partial_copy(&w->partial, from);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(access, 0, 1); /* the file is locked already */
    if (status >= 0 && (w->file = H5Fopen(w->partial.temporary, H5F_ACC_RDWR, access)) < 0)
        status = pd_fail(PD_EFORMAT, "%s: not a readable HDF5 file", from);
    H5Pclose(access);
    return status;
}

/* Make the temporary file; for a copy of the result `from`, unless NULL, also open it with HDF5. */
static int begin_file(struct pd_writer *w, const char *from)
{
    /* the file is locked already, and some cluster file systems have no locks */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    PD_TRY(pd_partial_create(&w->partial));
    int status = pd_filter_register();
    if (status >= 0 && from)
        status = open_copy(w, from);
    if (status < 0)
        pd_partial_remove(&w->partial);
    return status;
}

int pd_writer_open(const struct pd_comm *c, const char *path, enum pd_compress compress,
                   struct pd_writer **out)
{
    return pd_writer_open_copy(c, NULL, path, compress, out);
}

int pd_writer_open_copy(const struct pd_comm *c, const char *from, const char *path,
                        enum pd_compress compress, struct pd_writer **out)
{
    struct pd_writer *w = pd_realloc(NULL, 1, sizeof *w);
    *w = (struct pd_writer){.comm = c, .compress = compress, .from = from};
    pd_partial_init(&w->partial, path);
    *out = NULL;
    const int status = pd_comm_agree(c, c->rank == 0 ? begin_file(w, from) : PD_OK);
    if (status < 0) {
        writer_free(w);
        return status;
    }
    if (c->rank == 0) {
        if (!from)
            create_file(w); /* opens it several times: the handler must not remove it yet */
        pd_partial_remove_on_signal(&w->partial);
    }
    *out = w;
    return PD_OK;
}

/* The table that is being written. */
struct table {
    struct pd_columns *cols;
    uint64_t to;    /* rows below this number are written in this call */
    uint64_t total; /* rows of the complete table */
    hid_t *sets;    /* the datasets of the columns; rank 0 only */
};

/* The header of a packed chunk. */
struct packed {
    uint64_t column; /* index of the column */
    uint64_t chunk;  /* number of the chunk in the column */
    uint64_t bytes;  /* bytes after the header */
};

/* Open the datasets of the columns, which are created first if the table is new. */
static void open_columns(struct pd_writer *w, struct table *t)
{
    const struct pd_columns *cols = t->cols;
    if (cols->placed == 0)
        pd_writer_create_table(w, cols, t->total);
    const hid_t group = H5Gopen2(w->file, cols->table->name, H5P_DEFAULT);
    pd_writer_must(w, group, cols->table->name);
    t->sets = pd_realloc(NULL, cols->ncolumns, sizeof *t->sets);
    for (size_t k = 0; k < cols->ncolumns; k++)
        pd_writer_must(w, t->sets[k] = H5Dopen2(group, cols->table->columns[k].name, H5P_DEFAULT),
                       cols->table->name);
    pd_writer_must(w, H5Gclose(group), cols->table->name);
}

static void close_columns(struct pd_writer *w, struct table *t)
{
    for (size_t k = 0; k < t->cols->ncolumns; k++)
        pd_writer_must(w, H5Dclose(t->sets[k]), t->cols->table->columns[k].name);
    free(t->sets);
}

/* Write packed chunks to the file, and empty `packed`. */
static void write_packed(struct pd_writer *w, const struct table *t, struct pd_bytes *packed)
{
    for (size_t at = 0; at < packed->n;) {
        struct packed header;
        memcpy(&header, packed->v + at, sizeof header);
        at += sizeof header;
        const hsize_t row = header.chunk * PD_CHUNK_ROWS;
        pd_writer_must(w,
                       H5Dwrite_chunk(t->sets[header.column], H5P_DEFAULT, 0, &row, header.bytes,
                                      packed->v + at),
                       t->cols->table->columns[header.column].name);
        at += header.bytes;
    }
    packed->n = 0;
}

/* Append a packed chunk with n values of column k to cols->packed. */
static void pack_values(struct pd_writer *w, struct pd_columns *cols, size_t k, uint64_t chunk,
                        const unsigned char *values, size_t n)
{
    struct packed header = {k, chunk, 0};
    const size_t at = cols->packed.n;
    pd_bytes_append(&cols->packed, &header, sizeof header);
    pd_chunk_compress(w->compress, values, cols->widths[k], n, &w->shuffled, &cols->packed);
    header.bytes = cols->packed.n - at - sizeof header;
    memcpy(cols->packed.v + at, &header, sizeof header);
}

void pd_writer_compress(struct pd_writer *w, struct pd_columns *cols)
{
    if (cols->runs.n == 0)
        return;
    const struct pd_run_of_rows run = cols->runs.v[cols->runs.n - 1];
    const uint64_t begin = (run.at + PD_CHUNK_ROWS - 1) / PD_CHUNK_ROWS;
    const uint64_t end = (run.at + run.n) / PD_CHUNK_ROWS;
    const uint64_t before = pd_columns_below(cols, run.at);
    for (uint64_t chunk = begin; chunk < end; chunk++)
        for (size_t k = 0; k < cols->ncolumns; k++) {
            const size_t width = cols->widths[k];
            const uint64_t at = before + chunk * PD_CHUNK_ROWS - run.at;
            pack_values(w, cols, k, chunk, cols->values[k].v + at * width, PD_CHUNK_ROWS);
        }
    if (begin < end)
        pd_columns_cut(cols, begin * PD_CHUNK_ROWS, end * PD_CHUNK_ROWS);
}

/*
 * Pack a chunk that has rows of other ranks, or the last chunk of the table. HDF5 stores whole
 * chunks, so the last chunk is filled up with zeros.
 */
static void pack_gathered(struct pd_writer *w, const struct table *t, const struct pd_chunk *chunk)
{
    const uint64_t from = chunk->number * PD_CHUNK_ROWS, whole = pd_chunk_rows(t->total);
    const uint64_t n = t->to - from < whole ? t->to - from : whole;
    for (size_t k = 0; k < t->cols->ncolumns; k++) {
        const size_t width = t->cols->widths[k];
        pd_bytes_reserve(&w->values, whole * width);
        pd_chunks_values(&w->chunks, chunk, k, n, w->values.v);
        memset(w->values.v + n * width, 0, (whole - n) * width);
        pack_values(w, t->cols, k, chunk->number, w->values.v, whole);
    }
}

/* COLLECTIVE. Rank 0 writes its own packed chunks, then the packed chunks of the other ranks. */
static void write_chunks(struct pd_writer *w, const struct table *t)
{
    const struct pd_comm *c = w->comm;
    for (size_t k = 0; k < w->chunks.list.n; k++)
        if (w->chunks.list.v[k].rank == (uint64_t)c->rank)
            pack_gathered(w, t, &w->chunks.list.v[k]);
    if (c->rank != 0) {
        pd_comm_send(c, 0, &t->cols->packed);
        t->cols->packed.n = 0;
        return;
    }
    write_packed(w, t, &t->cols->packed);
    for (int from = 1; from < c->size; from++) {
        pd_comm_receive(c, from, &w->received);
        write_packed(w, t, &w->received);
    }
}

void pd_writer_put(struct pd_writer *w, struct pd_columns *cols, uint64_t to, uint64_t total)
{
    struct table t = {.cols = cols, .to = to, .total = total};
    if (to < total)
        t.to = to / PD_CHUNK_ROWS * PD_CHUNK_ROWS;
    pd_chunks_begin(&w->chunks, w->comm, cols, t.to);
    if (w->comm->rank == 0)
        open_columns(w, &t);
    write_chunks(w, &t);
    if (w->comm->rank == 0)
        close_columns(w, &t);
    pd_chunks_end(&w->chunks);
    pd_columns_cut(cols, 0, t.to);
    cols->placed = t.to;
}

void pd_writer_table(struct pd_writer *w, const struct pd_table_schema *table,
                     const struct pd_table_rows *rows)
{
    uint64_t total = rows->n;
    struct pd_columns cols;
    pd_comm_sum(w->comm, &total, 1);
    pd_columns_init(&cols, table, rows->text_widths);
    pd_columns_add(&cols, pd_comm_before(w->comm, rows->n), rows->rows, rows->size, rows->n);
    pd_writer_put(w, &cols, total, total);
    pd_columns_release(&cols);
}

static void close_file(struct pd_writer *w)
{
    if (w->comm->rank != 0)
        return;
    pd_writer_must(w, H5Fflush(w->file, H5F_SCOPE_GLOBAL), "flush");
    pd_writer_must(w, H5Fclose(w->file), "close");
}

int pd_writer_commit(struct pd_writer *w)
{
    close_file(w);
    const int status =
        pd_comm_agree(w->comm, w->comm->rank == 0 ? pd_partial_rename(&w->partial) : PD_OK);
    if (status < 0 && w->comm->rank == 0)
        pd_partial_remove(&w->partial);
    writer_free(w);
    return status;
}

void pd_writer_discard(struct pd_writer *w)
{
    if (!w)
        return;
    close_file(w);
    if (w->comm->rank == 0)
        pd_partial_remove(&w->partial);
    writer_free(w);
}
