/* result/writer.c - see include/pardup/result/writer.h */
#include "pardup/result/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/result/filter.h"

enum { DEFLATE_LEVEL = 1, ZSTD_LEVEL = 1, FULL_DISK = 4 << 10 /* bytes */ };
static const unsigned zstd_level = ZSTD_LEVEL;

struct pd_writer {
    const struct pd_comm *comm;
    char *path, *part; /* final and temporary name */
    enum pd_compress compress;
    hid_t file, together; /* `together`: transfer property list of collective writes */
};

/*
 * An HDF5 call failed here, the other ranks may be stuck in the next one: nothing to agree on. Of ranks that fail at
 * once, the one that removes the file says why; the others leave it the time to.
 */
_Noreturn static void give_up(const struct pd_writer *w, const char *what)
{
    struct statvfs disk;
    const bool full =
        statvfs(w->part, &disk) == 0 && disk.f_bavail * disk.f_frsize < (uint64_t)FULL_DISK;
    if (unlink(w->part) != 0 && errno == ENOENT)
        sleep(1);
    else
        pd_log_rank(PD_LOG_ERROR, "%s: %s (%s); the temporary file is removed", w->path,
                    full ? "No space left on device" : "HDF5 could not write", what);
    pd_comm_abort(w->comm, 1);
}

static void must(const struct pd_writer *w, int64_t code, const char *what)
{
    if (code < 0)
        give_up(w, what);
}

/* Rank 0 makes the temporary file the ordinary way first: its errors are clear and can be agreed. */
static int try_create(const char *part, const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return pd_fail(PD_EIO, "%s: cannot be written: not a regular file", path);
    const int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || close(fd) != 0)
        return pd_fail(PD_EIO, "%s: cannot be written: %s", path, strerror(errno));
    return PD_OK;
}

static char *part_of(const char *path)
{
    const size_t n = strlen(path) + sizeof ".part";
    char *part = pd_realloc(NULL, n, 1);
    snprintf(part, n, "%s.part", path);
    return part;
}

int pd_writer_check(const struct pd_comm *c, const char *path)
{
    int status = PD_OK;
    if (c->rank == 0) {
        char *part = part_of(path);
        status = try_create(part, path);
        if (status >= 0)
            unlink(part);
        free(part);
    }
    return pd_comm_agree(c, status);
}

/*
 * A job that is stopped while it writes leaves no temporary file, even if its launcher kills it before it gets
 * so far. The one file-scope state: a signal handler is given nothing else. Only rank 0 names a file here, and
 * only while it is open.
 */
static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
static char *volatile doomed;

static void remove_doomed(int signal_number)
{
    if (doomed)
        unlink(doomed);
    pd_comm_ask_to_stop(signal_number);
}

static void doom(char *part)
{
    doomed = part;
    for (size_t k = 0; k < sizeof stopping / sizeof *stopping; k++)
        signal(stopping[k], part ? remove_doomed : pd_comm_ask_to_stop);
}

static void writer_free(struct pd_writer *w)
{
    if (doomed == w->part)
        doom(NULL);
    free(w->path);
    free(w->part);
    free(w);
}

int pd_writer_open(const struct pd_comm *c, const char *path, enum pd_compress compress,
                   struct pd_writer **out)
{
    struct pd_writer *w = pd_realloc(NULL, 1, sizeof *w);
    *w = (struct pd_writer){.comm = c, .compress = compress, .part = part_of(path)};
    w->path = pd_realloc(NULL, strlen(path) + 1, 1);
    strcpy(w->path, path);
    *out = NULL;
    int status = c->rank == 0 ? try_create(w->part, path) : PD_OK;
    if (status >= 0)
        status = pd_filter_register();
    status = pd_comm_agree(c, status);
    if (status < 0) {
        writer_free(w);
        return status;
    }
    if (c->rank == 0)
        doom(w->part);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* we speak for ourselves */
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    must(w, H5Pset_fapl_mpio(access, c->mpi, MPI_INFO_NULL), "MPI-IO");
    /* metadata goes in few collective writes: piecemeal, every dataset waits for the network */
    H5Pset_all_coll_metadata_ops(access, true);
    H5Pset_coll_metadata_write(access, true);
    H5Pset_obj_track_times(create, 0); /* no clock inside: equal runs give equal files */
    must(w, w->file = H5Fcreate(w->part, H5F_ACC_TRUNC, create, access), "create");
    w->together = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(w->together, H5FD_MPIO_COLLECTIVE);
    H5Pclose(create);
    H5Pclose(access);
    *out = w;
    return PD_OK;
}

/* Memory and file type are one: a conversion would make HDF5 refuse to filter in parallel. */
static hid_t type_of(const struct pd_column *col)
{
    if (col->type == PD_TYPE_TEXT) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, col->width);
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        H5Tset_cset(type, H5T_CSET_UTF8);
        return type;
    }
    if (col->type == PD_TYPE_F64)
        return H5Tcopy(H5T_IEEE_F64LE);
    return H5Tcopy(pd_column_width(col) == sizeof(uint64_t) ? H5T_STD_U64LE : H5T_STD_U32LE);
}

static hid_t storage(const struct pd_writer *w, hsize_t chunk)
{
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(create, 0);
    H5Pset_chunk(create, 1, &chunk);
    H5Pset_fill_time(create, H5D_FILL_TIME_NEVER); /* every row is written */
    if (w->compress != PD_COMPRESS_NONE)
        H5Pset_shuffle(create);
    if (w->compress == PD_COMPRESS_DEFLATE)
        H5Pset_deflate(create, DEFLATE_LEVEL);
    if (w->compress == PD_COMPRESS_ZSTD)
        must(w, H5Pset_filter(create, PD_FILTER_ZSTD, H5Z_FLAG_MANDATORY, 1, &zstd_level), "zstd");
    return create;
}

/* A dataset for `total` values of `col`. */
static hid_t create_column(struct pd_writer *w, hid_t group, const struct pd_column *col,
                           hsize_t total)
{
    const hsize_t unlimited = H5S_UNLIMITED;
    const hsize_t chunk = total < 1 ? 1 : total < PD_CHUNK_ROWS ? total : PD_CHUNK_ROWS;
    const hid_t type = type_of(col), create = storage(w, chunk);
    const hid_t space = H5Screate_simple(1, &total, &unlimited);
    const hid_t set = H5Dcreate2(group, col->name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    must(w, set, col->name);
    H5Sclose(space);
    H5Pclose(create);
    H5Tclose(type);
    return set;
}

/* Rows of one call, this rank's. */
struct share {
    const struct pd_lot *lot;
    hsize_t to;    /* their places are below */
    hsize_t n;     /* of them */
    hsize_t total; /* of the table in the end */
};

static void select_runs(hid_t space, const struct share *mine)
{
    const struct pd_runs_of_rows *runs = &mine->lot->runs;
    H5S_seloper_t first_or_more = H5S_SELECT_SET;
    for (size_t k = 0; k < runs->n && runs->v[k].at < mine->to; k++) {
        const hsize_t at = runs->v[k].at, left = mine->to - at;
        const hsize_t n = runs->v[k].n < left ? runs->v[k].n : left;
        H5Sselect_hyperslab(space, first_or_more, &at, NULL, &n, NULL);
        first_or_more = H5S_SELECT_OR;
    }
}

/* Write the share's values of column k. */
static void write_column(struct pd_writer *w, hid_t set, size_t k, const struct share *mine)
{
    const struct pd_column *col = &mine->lot->columns[k];
    static const unsigned char nothing;
    const hid_t type = type_of(col);
    const hsize_t in_memory = mine->n ? mine->n : 1;
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &in_memory, NULL);
    if (mine->n) {
        select_runs(space, mine);
    } else { /* no rows here, but the write is collective all the same */
        H5Sselect_none(space);
        H5Sselect_none(memory);
    }
    const void *values = mine->n ? mine->lot->values[k].v : &nothing;
    must(w, H5Dwrite(set, type, memory, space, w->together, values), col->name);
    H5Sclose(memory);
    H5Sclose(space);
    H5Tclose(type);
}

static void write_table(struct pd_writer *w, const struct share *mine)
{
    const struct pd_lot *lot = mine->lot;
    const bool exists = H5Lexists(w->file, lot->group, H5P_DEFAULT) > 0;
    const hid_t group =
        exists ? H5Gopen2(w->file, lot->group, H5P_DEFAULT)
               : H5Gcreate2(w->file, lot->group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    must(w, group, lot->group);
    for (size_t k = 0; k < lot->ncolumns; k++) {
        const struct pd_column *col = &lot->columns[k];
        const hid_t set = exists ? H5Dopen2(group, col->name, H5P_DEFAULT)
                                 : create_column(w, group, col, mine->total);
        must(w, set, col->name);
        if (mine->total > 0)
            write_column(w, set, k, mine);
        must(w, H5Dclose(set), col->name);
    }
    must(w, H5Gclose(group), lot->group);
}

void pd_writer_place(struct pd_writer *w, struct pd_lot *lot, uint64_t to, uint64_t total)
{
    const struct share mine = {lot, to, pd_lot_below(lot, to), total};
    write_table(w, &mine);
    pd_lot_drop(lot, to);
}

void pd_writer_table(struct pd_writer *w, const char *name, const struct pd_table_rows *rows)
{
    uint64_t total = rows->n;
    struct pd_lot lot;
    pd_comm_sum(w->comm, &total, 1);
    pd_lot_init(&lot, name, rows->columns, rows->ncolumns);
    pd_lot_add(&lot, pd_comm_before(w->comm, rows->n), rows->rows, rows->size, rows->n);
    pd_writer_place(w, &lot, total, total);
    pd_lot_release(&lot);
}

static void attribute(struct pd_writer *w, const char *name, hid_t type, const void *value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t at = H5Acreate2(w->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    must(w, at, name);
    must(w, H5Awrite(at, type, value), name);
    must(w, H5Aclose(at), name);
    H5Sclose(space);
}

void pd_writer_text(struct pd_writer *w, const char *name, const char *value)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(value) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    attribute(w, name, type, value);
    H5Tclose(type);
}

void pd_writer_count(struct pd_writer *w, const char *name, uint64_t value)
{
    attribute(w, name, H5T_STD_U64LE, &value);
}

void pd_writer_real(struct pd_writer *w, const char *name, double value)
{
    attribute(w, name, H5T_IEEE_F64LE, &value);
}

static void close_file(struct pd_writer *w)
{
    must(w, H5Fflush(w->file, H5F_SCOPE_GLOBAL), "flush");
    must(w, H5Pclose(w->together), "close");
    must(w, H5Fclose(w->file), "close");
}

/* The file is closed by all: make it last, then give it its name. */
static int publish(const struct pd_writer *w)
{
    const int fd = open(w->part, O_RDONLY);
    if (pd_comm_stopping()) /* whose handler has taken the file away */
        return pd_fail(PD_ESTOP, "stopped by signal %d", pd_comm_stopping());
    if (fd < 0 || fsync(fd) != 0 || close(fd) != 0 || rename(w->part, w->path) != 0)
        return pd_fail(PD_EIO, "%s: %s", w->path, strerror(errno));
    return PD_OK;
}

int pd_writer_commit(struct pd_writer *w)
{
    close_file(w);
    const int status = pd_comm_agree(w->comm, w->comm->rank == 0 ? publish(w) : PD_OK);
    if (status < 0 && w->comm->rank == 0)
        unlink(w->part);
    writer_free(w);
    return status;
}

void pd_writer_discard(struct pd_writer *w)
{
    if (!w)
        return;
    close_file(w);
    if (w->comm->rank == 0)
        unlink(w->part);
    writer_free(w);
}
