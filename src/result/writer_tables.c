/*
 * result/writer_tables.c - tables and attributes as HDF5 has them: see writer_inside.h and
 * include/pardup/result/writer.h
 */
#include <string.h>
#include <sys/statvfs.h>

#include "filter.h"
#include "pardup/base/log.h"
#include "writer_inside.h"

enum { FULL_DISK = 4 << 10 /* bytes: with less free space, a failed write means a full disk */ };

/*
 * End the job because an HDF5 call failed. After that, the file cannot be closed in good order, and
 * the other ranks wait for rank 0.
 */
_Noreturn static void give_up(const struct pd_writer *w, const char *what)
{
    struct statvfs disk;
    const bool full = statvfs(w->partial.temporary, &disk) == 0 &&
                      disk.f_bavail * disk.f_frsize < (uint64_t)FULL_DISK;
    pd_partial_remove(&w->partial);
    if (w->from && !full)
        pd_log_rank(PD_LOG_ERROR,
                    "%s: is damaged: its copy %s cannot be changed (%s) and is removed", w->from,
                    w->partial.path, what);
    else
        pd_log_rank(PD_LOG_ERROR, "%s: %s (%s); the temporary file is removed", w->partial.path,
                    full ? "No space left on device" : "HDF5 could not write", what);
    pd_comm_abort(w->comm, 1);
}

void pd_writer_must(const struct pd_writer *w, int64_t code, const char *what)
{
    if (code < 0)
        give_up(w, what);
}

static const unsigned zstd_level = PD_ZSTD_LEVEL;

/* The type of a column in the file, with values of `width` bytes. The caller closes it. */
static hid_t type_of(const struct pd_column *col, size_t width)
{
    if (col->type == PD_TYPE_TEXT) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, width);
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        H5Tset_cset(type, H5T_CSET_UTF8);
        return type;
    }
    if (col->type == PD_TYPE_F64)
        return H5Tcopy(H5T_IEEE_F64LE);
    if (col->type == PD_TYPE_I64)
        return H5Tcopy(H5T_STD_I64LE);
    return H5Tcopy(width == sizeof(uint64_t) ? H5T_STD_U64LE : H5T_STD_U32LE);
}

/* How a dataset is stored: in chunks of `chunk` rows, compressed. The caller closes the result. */
static hid_t storage_of(const struct pd_writer *w, hsize_t chunk)
{
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    pd_writer_must(w, H5Pset_obj_track_times(create, 0), "times");
    pd_writer_must(w, H5Pset_chunk(create, 1, &chunk), "chunks");
    /* every row is written */
    pd_writer_must(w, H5Pset_fill_time(create, H5D_FILL_TIME_NEVER), "fill time");
    if (w->compress != PD_COMPRESS_NONE)
        pd_writer_must(w, H5Pset_shuffle(create), "shuffle");
    if (w->compress == PD_COMPRESS_DEFLATE)
        pd_writer_must(w, H5Pset_deflate(create, PD_DEFLATE_LEVEL), "deflate");
    if (w->compress == PD_COMPRESS_ZSTD)
        pd_writer_must(w, H5Pset_filter(create, PD_FILTER_ZSTD, H5Z_FLAG_MANDATORY, 1, &zstd_level),
                       "zstd");
    return create;
}

/* Add an attribute to the object `object` below `at`; "." is `at` itself. */
static void add_attribute(const struct pd_writer *w, hid_t at, const char *object, const char *name,
                          hid_t type, const void *value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        H5Acreate_by_name(at, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    pd_writer_must(w, attribute, name);
    pd_writer_must(w, H5Awrite(attribute, type, value), name);
    pd_writer_must(w, H5Aclose(attribute), name);
    H5Sclose(space);
}

/* The type of a text attribute. The caller closes it. */
static hid_t text_type(const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* Say in the file what a column is. */
static void describe(const struct pd_writer *w, hid_t set, const char *name, const char *text)
{
    if (!text)
        return;
    const hid_t type = text_type(text);
    add_attribute(w, set, ".", name, type, text);
    H5Tclose(type);
}

/* Create the dataset for `total` values of column k, unless it is there. */
static void create_column(struct pd_writer *w, hid_t group, const struct pd_columns *cols, size_t k,
                          hsize_t total)
{
    const struct pd_column *col = &cols->table->columns[k];
    if (H5Lexists(group, col->name, H5P_DEFAULT) > 0)
        return;
    const hsize_t unlimited = H5S_UNLIMITED;
    const hid_t type = type_of(col, cols->widths[k]), create = storage_of(w, pd_chunk_rows(total));
    const hid_t space = H5Screate_simple(1, &total, &unlimited);
    const hid_t set = H5Dcreate2(group, col->name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    pd_writer_must(w, set, col->name);
    describe(w, set, "description", col->description);
    describe(w, set, "unit", col->unit);
    pd_writer_must(w, H5Dclose(set), col->name);
    H5Sclose(space);
    H5Pclose(create);
    H5Tclose(type);
}

void pd_writer_create_table(struct pd_writer *w, const struct pd_columns *cols, uint64_t total)
{
    const char *name = cols->table->name;
    const hid_t create = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(create, 0); /* HDF5 2 writes the times of groups, too */
    const hid_t group = H5Lexists(w->file, name, H5P_DEFAULT) > 0
                            ? H5Gopen2(w->file, name, H5P_DEFAULT)
                            : H5Gcreate2(w->file, name, H5P_DEFAULT, create, H5P_DEFAULT);
    H5Pclose(create);
    pd_writer_must(w, group, cols->table->name);
    for (size_t k = 0; k < cols->ncolumns; k++)
        create_column(w, group, cols, k, total);
    pd_writer_must(w, H5Gclose(group), cols->table->name);
}

void pd_writer_remove(struct pd_writer *w, const char *name)
{
    if (w->comm->rank != 0)
        return;
    const htri_t exists = H5Lexists(w->file, name, H5P_DEFAULT);
    pd_writer_must(w, exists, name);
    if (exists)
        pd_writer_must(w, H5Ldelete(w->file, name, H5P_DEFAULT), name);
}

/* Write an attribute of `group`, which is a table's name or "/". */
static void write_attribute(struct pd_writer *w, const char *group, const char *name, hid_t type,
                            const void *value)
{
    if (w->comm->rank != 0)
        return;
    if (H5Aexists_by_name(w->file, group, name, H5P_DEFAULT) > 0)
        pd_writer_must(w, H5Adelete_by_name(w->file, group, name, H5P_DEFAULT), name);
    add_attribute(w, w->file, group, name, type, value);
}

void pd_writer_group_text(struct pd_writer *w, const char *group, const char *name,
                          const char *value)
{
    const hid_t type = text_type(value);
    write_attribute(w, group, name, type, value);
    H5Tclose(type);
}

void pd_writer_text(struct pd_writer *w, const char *name, const char *value)
{
    pd_writer_group_text(w, "/", name, value);
}

void pd_writer_count(struct pd_writer *w, const char *name, uint64_t value)
{
    write_attribute(w, "/", name, H5T_STD_U64LE, &value);
}

void pd_writer_real(struct pd_writer *w, const char *name, double value)
{
    write_attribute(w, "/", name, H5T_IEEE_F64LE, &value);
}
