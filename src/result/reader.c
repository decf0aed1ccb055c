/*
 * result/reader.c - see include/pardup/result/reader.h
 *
 * A result may come from a stranger. Each column is measured before it is read: class, rank, width,
 * rows and storage must be what a result has. Only data inside of the file is read: links to other
 * files, external storage and virtual datasets are refused.
 */
#include "pardup/result/reader.h"

#include <errno.h>
#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter.h"
#include "pardup/base/error.h"
#include "pardup/base/open.h"
#include "pardup/result/schema.h"

enum {
    NAME_ROOM = 256,    /* bytes for the name of a column with its table */
    COLUMNS_MOST = 256, /* columns of a table */
    TEXT_MOST = 1 << 20 /* bytes of a text in a column or an attribute */
};

struct pd_result {
    hid_t file;
    char *path;
    uint64_t bytes;           /* bytes of the file */
    uint64_t rows[PD_TABLES]; /* rows of a table plus 1; 0: not counted yet */
};

/* A dataset that is open for reading. */
struct opened {
    hid_t set, type;                /* the dataset, and the type of its values in the file */
    uint64_t rows;                  /* values of the dataset */
    size_t width;                   /* bytes of a value in memory */
    enum pd_values kind;            /* what the values are read as */
    const struct pd_column *column; /* what the schema says of it; NULL: nothing */
    char name[NAME_ROOM];           /* "table/column" */
};

/* ---- the file ---- */

int pd_result_open(const char *path, struct pd_result **r)
{
    struct stat st;
    *r = NULL;
    const int fd = pd_open_regular(path);
    if (fd < 0)
        return PD_EIO;
    const bool measured = fstat(fd, &st) == 0;
    close(fd);
    if (!measured)
        return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    PD_TRY(pd_filter_register());
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5PLset_loading_state(0); /* no filter from a library that the file names */
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        return pd_fail(PD_EFORMAT, "%s: not a readable HDF5 file", path);
    *r = pd_zeroed(1, sizeof **r);
    (*r)->file = file;
    (*r)->bytes = (uint64_t)st.st_size;
    (*r)->path = pd_printed("%s", path);
    return PD_OK;
}

const char *pd_result_path(const struct pd_result *r) { return r->path; }

void pd_result_close(struct pd_result *r)
{
    if (!r)
        return;
    H5Fclose(r->file);
    PD_FREE(r->path, r);
}

static int refuse(const struct pd_result *r, const char *name, const char *what)
{
    return pd_fail(PD_EFORMAT, "%s: cannot read /%s: %s", r->path, name, what);
}

/* A result of an earlier release has not all that this one writes. */
static int not_there(const struct pd_result *r, const char *name)
{
    const bool families = strncmp(name, "families", strlen("families")) == 0;
    const bool aside = strcmp(name, "aside") == 0;
    const bool of_check = strncmp(name, "decisions", strlen("decisions")) == 0 ||
                          strncmp(name, "ranking", strlen("ranking")) == 0;
    return refuse(r, name,
                  aside ? "a result of an earlier release has /common and /templates instead"
                  : families
                      ? "is this a result of pardup detect? pardup families makes the families "
                        "of an older result anew"
                  : of_check ? "pardup check writes it"
                             : "is this a result of pardup detect? An older result has to be made "
                               "anew by its command");
}

/* Does `name` in `group` lead to an object of this file? A link of any other kind is refused. */
static bool is_inside(hid_t group, const char *name)
{
    H5L_info_t link;
    return H5Lget_info(group, name, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

/* Is there an object of this name that is no group, so that nothing is in it? */
static bool is_leaf(const struct pd_result *r, const char *name)
{
    const hid_t object = H5Oopen(r->file, name, H5P_DEFAULT);
    const bool leaf = object >= 0 && H5Iget_type(object) != H5I_GROUP;
    if (object >= 0)
        H5Oclose(object);
    return leaf;
}

/* What HDF5 says of the existence of `name` in `group`: what cannot be read is not absent. */
static bool exists(const struct pd_result *r, htri_t said, const char *group, const char *name)
{
    if (said < 0 && !is_leaf(r, group))
        pd_panic("%s: cannot tell whether /%s is there: damaged, not readable, or no memory",
                 r->path, name);
    return said > 0;
}

static bool has(const struct pd_result *r, const char *group, const char *name)
{
    return exists(r, H5Lexists(r->file, name, H5P_DEFAULT), group, name) &&
           is_inside(r->file, name);
}

bool pd_result_has(struct pd_result *r, const char *table, const char *column)
{
    char name[NAME_ROOM];
    snprintf(name, sizeof name, "%s/%s", table, column);
    return has(r, "/", table) && has(r, table, name);
}

/* ---- what a column is ---- */

/* Is a chunk of the dataset stored for each range of rows, and each by a filter that we know? */
static const char *check_chunks(const struct opened *d, hid_t create)
{
    hsize_t chunk = 0, stored = 0;
    if (H5Pget_chunk(create, 1, &chunk) != 1 || chunk == 0)
        return "its chunks have more than one dimension";
    const hid_t space = H5Dget_space(d->set);
    const bool counted = H5Dget_num_chunks(d->set, space, &stored) >= 0;
    H5Sclose(space);
    if (!counted || stored != d->rows / chunk + (d->rows % chunk != 0))
        return "its chunks are not as many as its rows need";
    const int filters = H5Pget_nfilters(create);
    for (int k = 0; k < filters; k++) {
        unsigned flags, config;
        size_t n = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(create, (unsigned)k, &flags, &n, NULL, 0, NULL, &config);
        if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_DEFLATE &&
            filter != H5Z_FILTER_FLETCHER32 && filter != PD_FILTER_ZSTD)
            return "it is compressed by a filter that pardup does not use";
    }
    return NULL;
}

/* NULL, or what is wrong with how the values are stored. */
static const char *check_storage(const struct pd_result *r, const struct opened *d)
{
    const hid_t create = H5Dget_create_plist(d->set);
    const char *wrong = NULL;
    const size_t stored = H5Tget_size(d->type);
    if (H5Pget_external_count(create) != 0)
        wrong = "its values lie in another file";
    else if (H5Pget_layout(create) == H5D_CHUNKED)
        wrong = check_chunks(d, create);
    else if (H5Pget_layout(create) != H5D_CONTIGUOUS && H5Pget_layout(create) != H5D_COMPACT)
        wrong = "its values lie in other datasets";
    else if (d->rows > r->bytes / stored || H5Dget_storage_size(d->set) != d->rows * stored)
        wrong = "it has more rows than are stored";
    H5Pclose(create);
    return wrong;
}

/* Set kind and width of the values. NULL, or what is wrong with their type. */
static const char *check_type(struct opened *d)
{
    const H5T_class_t class = H5Tget_class(d->type);
    const size_t width = H5Tget_size(d->type);
    d->width = sizeof(uint64_t);
    if (class == H5T_STRING) {
        if (H5Tis_variable_str(d->type) != 0)
            return "its texts are of variable length";
        if (width == 0 || width > TEXT_MOST)
            return "its texts are too long";
        d->kind = PD_VALUES_TEXT;
        d->width = width;
        return NULL;
    }
    if ((class != H5T_INTEGER && class != H5T_FLOAT) || width == 0 || width > sizeof(uint64_t))
        return "its values are neither numbers nor texts";
    d->kind = class == H5T_FLOAT ? PD_VALUES_REAL : PD_VALUES_COUNT;
    return NULL;
}

/* Set the number of values. NULL, or what is wrong with their shape. */
static const char *check_shape(struct opened *d)
{
    const hid_t space = H5Dget_space(d->set);
    hsize_t rows = 0;
    const bool sound = H5Sget_simple_extent_ndims(space) == 1 &&
                       H5Sget_simple_extent_dims(space, &rows, NULL) == 1;
    H5Sclose(space);
    d->rows = rows;
    if (!sound)
        return "it is not a list of values";
    return rows > SIZE_MAX / 2 / d->width ? "it has more rows than fit into memory" : NULL;
}

/* What the schema says of a column; NULL: nothing. */
static const struct pd_column *find_column(const char *table, const char *column)
{
    for (size_t t = 0; t < PD_TABLES; t++)
        for (const struct pd_column *c = pd_schema[t].columns;
             strcmp(pd_schema[t].name, table) == 0 && c->name; c++)
            if (strcmp(c->name, column) == 0)
                return c;
    return NULL;
}

/* The kind of values that a column has. */
static enum pd_values kind_of(const struct pd_column *c)
{
    return c->type == PD_TYPE_TEXT  ? PD_VALUES_TEXT
           : c->type == PD_TYPE_F64 ? PD_VALUES_REAL
           : c->type == PD_TYPE_I64 ? PD_VALUES_SIGNED
                                    : PD_VALUES_COUNT;
}

static void close_column(struct opened *d)
{
    if (d->type >= 0)
        H5Tclose(d->type);
    if (d->set >= 0)
        H5Dclose(d->set);
    d->set = d->type = H5I_INVALID_HID;
}

/* Open a column that can be read. The caller closes it, unless this fails. */
static int open_column(struct pd_result *r, const char *table, const char *column, struct opened *d)
{
    const char *wrong = NULL;
    *d = (struct opened){.set = H5I_INVALID_HID, .type = H5I_INVALID_HID};
    snprintf(d->name, sizeof d->name, "%s/%s", table, column);
    if (!is_inside(r->file, table) || !is_inside(r->file, d->name) ||
        (d->set = H5Dopen2(r->file, d->name, H5P_DEFAULT)) < 0)
        return not_there(r, d->name);
    d->type = H5Dget_type(d->set);
    wrong = check_type(d);
    d->column = wrong ? NULL : find_column(table, column);
    const enum pd_values kind = d->column ? kind_of(d->column) : d->kind;
    if (kind == PD_VALUES_SIGNED && d->kind == PD_VALUES_COUNT)
        d->kind = PD_VALUES_SIGNED;
    if (!wrong && kind != d->kind)
        wrong = kind == PD_VALUES_TEXT   ? "its values should be texts"
                : kind == PD_VALUES_REAL ? "its values should be real numbers"
                                         : "its values should be whole numbers";
    if (!wrong)
        wrong = check_shape(d);
    if (!wrong)
        wrong = check_storage(r, d);
    if (!wrong)
        return PD_OK;
    close_column(d);
    return refuse(r, d->name, wrong);
}

/* ---- tables ---- */

/* Compare the rows of column k with *rows. For column 0, *rows is set. */
static int check_column(struct pd_result *r, hid_t group, const char *table, hsize_t k,
                        uint64_t *rows)
{
    char column[NAME_ROOM / 2] = "";
    struct opened d;
    const ssize_t n = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, column,
                                         sizeof column, H5P_DEFAULT);
    if (n <= 0 || (size_t)n >= sizeof column)
        return refuse(r, table, "a column without a name, or with a long one");
    PD_TRY(open_column(r, table, column, &d));
    const uint64_t mine = d.rows;
    close_column(&d);
    if (k == 0)
        *rows = mine;
    return mine == *rows ? PD_OK : refuse(r, d.name, "its columns are not equally long");
}

/* Count the rows of a table, all of whose columns are measured. */
static int count_rows(struct pd_result *r, const char *table, uint64_t *rows)
{
    H5G_info_t info = {.nlinks = 0};
    *rows = 0;
    const hid_t group =
        is_inside(r->file, table) ? H5Gopen2(r->file, table, H5P_DEFAULT) : H5I_INVALID_HID;
    if (group < 0 || H5Gget_info(group, &info) < 0)
        info.nlinks = 0;
    int status = info.nlinks == 0 ? not_there(r, table) : PD_OK;
    if (info.nlinks > COLUMNS_MOST)
        status = refuse(r, table, "too many columns");
    for (hsize_t k = 0; k < info.nlinks && status >= 0; k++)
        status = check_column(r, group, table, k, rows);
    if (group >= 0)
        H5Gclose(group);
    return status;
}

int pd_result_rows(struct pd_result *r, const char *table, uint64_t *rows)
{
    size_t t = 0;
    while (t < PD_TABLES && strcmp(pd_schema[t].name, table) != 0)
        t++;
    if (t == PD_TABLES)
        return count_rows(r, table, rows);
    if (r->rows[t] == 0) {
        PD_TRY(count_rows(r, table, rows));
        r->rows[t] = *rows + 1;
    }
    *rows = r->rows[t] - 1;
    return PD_OK;
}

/* The table whose rows the values of a column are; NULL: they are something else. */
static const char *rows_of(struct pd_result *r, const struct pd_column *c)
{
    static const char before[] = "row of /";
    if (!c || !c->unit || strncmp(c->unit, before, strlen(before)) != 0)
        return NULL;
    const bool source = strcmp(c->name, "doc_b") == 0 && pd_result_has(r, "sources", "id");
    return source ? "sources" : c->unit + strlen(before);
}

/* Check what the unit of a column says of its values. */
static int check_values(struct pd_result *r, const struct opened *d, const struct pd_cells *cells,
                        uint64_t n)
{
    static const double most = 1 + 1e-9; /* sums are rounded */
    const bool share = d->column && d->column->unit && strcmp(d->column->unit, "share") == 0;
    const char *to = n ? rows_of(r, d->column) : NULL;
    uint64_t rows = 0;
    if (to && !is_inside(r->file, to)) /* whoever looks a row up fails there */
        to = NULL;
    if (to)
        PD_TRY(pd_result_rows(r, to, &rows));
    for (uint64_t k = 0; k < n && to; k++) {
        const uint64_t row = pd_cells_count(cells, k);
        if (row >= rows && !(d->kind == PD_VALUES_SIGNED && row == UINT64_MAX))
            return pd_fail(PD_EFORMAT, "%s: /%s names row %llu of /%s, which has %llu", r->path,
                           d->name, (unsigned long long)row, to, (unsigned long long)rows);
    }
    for (uint64_t k = 0; k < n && share; k++)
        if (pd_cells_real(cells, k) < 0 || pd_cells_real(cells, k) > most)
            return refuse(r, d->name, "a share that is not in [0, 1]");
    return PD_OK;
}

/* Read rows [from, from + n) of an open column. */
static int read_values(struct pd_result *r, const struct opened *d, uint64_t from, uint64_t n,
                       struct pd_cells *cells)
{
    const hsize_t start = from, count = n;
    const hid_t type = d->kind == PD_VALUES_TEXT     ? d->type
                       : d->kind == PD_VALUES_REAL   ? H5T_NATIVE_DOUBLE
                       : d->kind == PD_VALUES_SIGNED ? H5T_NATIVE_INT64
                                                     : H5T_NATIVE_UINT64;
    pd_bytes_reserve(&cells->values, n * d->width + 1);
    cells->values.n = n * d->width;
    cells->width = d->width;
    cells->kind = d->kind;
    if (n == 0)
        return PD_OK;
    const hid_t space = H5Dget_space(d->set), memory = H5Screate_simple(1, &count, NULL);
    herr_t done = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
    PD_THEN(done, H5Dread(d->set, type, memory, space, H5P_DEFAULT, cells->values.v));
    H5Sclose(memory);
    H5Sclose(space);
    return done < 0 ? refuse(r, d->name, "damaged") : PD_OK;
}

int pd_result_read(struct pd_result *r, const char *table, const char *column, uint64_t from,
                   uint64_t n, struct pd_cells *cells)
{
    struct opened d;
    PD_TRY(open_column(r, table, column, &d));
    int status = from > d.rows || n > d.rows - from ? refuse(r, d.name, "it has too few rows")
                                                    : read_values(r, &d, from, n, cells);
    close_column(&d);
    PD_THEN(status, check_values(r, &d, cells, n));
    return status;
}

/* ---- attributes ---- */

/* NULL, or what is wrong with a text attribute. */
static const char *check_text(hid_t attribute, hid_t type)
{
    const hid_t space = H5Aget_space(attribute);
    const bool one = H5Sget_simple_extent_npoints(space) == 1;
    H5Sclose(space);
    if (H5Tget_class(type) != H5T_STRING)
        return "it is not a text";
    if (!one)
        return "it is not one text";
    if (H5Tis_variable_str(type) != 0)
        return "its text is of variable length";
    return H5Tget_size(type) > TEXT_MOST ? "its text is too long" : NULL;
}

int pd_result_text(struct pd_result *r, const char *name, char **text)
{
    *text = NULL;
    if (!exists(r, H5Aexists(r->file, name), "/", name))
        return not_there(r, name);
    const hid_t attribute = H5Aopen(r->file, name, H5P_DEFAULT);
    if (attribute < 0)
        return refuse(r, name, "damaged");
    const hid_t type = H5Aget_type(attribute);
    const char *wrong = check_text(attribute, type);
    if (!wrong) {
        const size_t n = H5Tget_size(type);
        *text = pd_realloc(NULL, n + 1, 1);
        memset(*text, 0, n + 1);
        if (H5Aread(attribute, type, *text) < 0)
            wrong = "damaged";
    }
    H5Tclose(type);
    H5Aclose(attribute);
    return wrong ? refuse(r, name, wrong) : PD_OK;
}

int pd_result_real(struct pd_result *r, const char *name, double *real)
{
    const hid_t attribute = H5Aopen(r->file, name, H5P_DEFAULT);
    const char *wrong = NULL;
    if (attribute < 0)
        return not_there(r, name);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    if (H5Tget_class(type) != H5T_FLOAT || H5Sget_simple_extent_npoints(space) != 1)
        wrong = "it is not a number";
    else if (H5Aread(attribute, H5T_NATIVE_DOUBLE, real) < 0)
        wrong = "damaged";
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return wrong ? refuse(r, name, wrong) : PD_OK;
}

bool pd_result_count(struct pd_result *r, const char *name, uint64_t *count)
{
    if (!exists(r, H5Aexists(r->file, name), "/", name))
        return false;
    const hid_t attribute = H5Aopen(r->file, name, H5P_DEFAULT);
    const hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    const bool one = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    const bool read = one && H5Aread(attribute, H5T_NATIVE_UINT64, count) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (attribute >= 0)
        H5Aclose(attribute);
    return read;
}
