/* result/reader.c - see include/pardup/result/reader.h */
#include "pardup/result/reader.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "filter.h"
#include "pardup/base/error.h"

struct pd_result {
    hid_t file;
    char *path;
};

int pd_result_open(const char *path, struct pd_result **r)
{
    *r = NULL;
    if (access(path, R_OK) != 0)
        return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    PD_TRY(pd_filter_register());
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        return pd_fail(PD_EFORMAT, "%s: not a readable HDF5 file", path);
    *r = pd_realloc(NULL, 1, sizeof **r);
    (*r)->file = file;
    (*r)->path = strcpy(pd_realloc(NULL, strlen(path) + 1, 1), path);
    return PD_OK;
}

void pd_result_close(struct pd_result *r)
{
    if (!r)
        return;
    H5Fclose(r->file);
    free(r->path);
    free(r);
}

static int not_readable(const struct pd_result *r, const char *table, const char *column)
{
    return pd_fail(PD_EFORMAT, "%s: cannot read /%s/%s: is this a result of pardup detect?",
                   r->path, table, column);
}

static hid_t open_column(struct pd_result *r, const char *table, const char *column)
{
    char name[256];
    snprintf(name, sizeof name, "%s/%s", table, column);
    return H5Dopen2(r->file, name, H5P_DEFAULT);
}

int pd_result_rows(struct pd_result *r, const char *table, uint64_t *rows)
{
    char name[256] = "";
    *rows = 0;
    const hid_t group = H5Gopen2(r->file, table, H5P_DEFAULT);
    if (group >= 0) {
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, 0, name, sizeof name,
                           H5P_DEFAULT);
        H5Gclose(group);
    }
    const hid_t set = open_column(r, table, name);
    if (set < 0)
        return not_readable(r, table, name);
    const hid_t space = H5Dget_space(set);
    *rows = (uint64_t)H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Dclose(set);
    return PD_OK;
}

/* The type as which a column is read; the caller closes it. Sets kind and width of the cells. */
static hid_t memory_type(hid_t set, struct pd_cells *cells)
{
    const hid_t stored = H5Dget_type(set);
    const H5T_class_t class = H5Tget_class(stored);
    cells->width = class == H5T_STRING ? H5Tget_size(stored) : sizeof(uint64_t);
    cells->kind = class == H5T_STRING  ? PD_VALUES_TEXT
                  : class == H5T_FLOAT ? PD_VALUES_REAL
                                       : PD_VALUES_COUNT;
    if (class == H5T_STRING)
        return stored;
    H5Tclose(stored);
    return H5Tcopy(class == H5T_FLOAT ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT64);
}

int pd_result_read(struct pd_result *r, const char *table, const char *column, uint64_t from,
                   uint64_t n, struct pd_cells *cells)
{
    const hid_t set = open_column(r, table, column);
    if (set < 0)
        return not_readable(r, table, column);
    const hsize_t start = from, count = n;
    const hid_t space = H5Dget_space(set), type = memory_type(set, cells);
    const hid_t memory = H5Screate_simple(1, &count, NULL);
    pd_bytes_reserve(&cells->values, n * cells->width + 1);
    cells->values.n = n * cells->width;
    herr_t done = 0;
    if (n > 0) {
        done = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
        if (done >= 0)
            done = H5Dread(set, type, memory, space, H5P_DEFAULT, cells->values.v);
    }
    H5Sclose(memory);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return done < 0 ? not_readable(r, table, column) : PD_OK;
}

int pd_result_text(struct pd_result *r, const char *name, char **text)
{
    const hid_t attribute = H5Aopen(r->file, name, H5P_DEFAULT);
    *text = NULL;
    if (attribute < 0)
        return not_readable(r, "", name);
    const hid_t type = H5Aget_type(attribute);
    const size_t n = H5Tget_size(type);
    *text = pd_realloc(NULL, n + 1, 1);
    (*text)[n] = '\0';
    const herr_t done = H5Tget_class(type) == H5T_STRING ? H5Aread(attribute, type, *text) : -1;
    H5Tclose(type);
    H5Aclose(attribute);
    return done < 0 ? not_readable(r, "", name) : PD_OK;
}
