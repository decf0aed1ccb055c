/* run/table/file_rows.c - see src/run/table/file_rows.h */
#include "file_rows.h"

#include <string.h>

#include "pardup/base/minmax.h"

struct pd_file_row *pd_file_rows_add(struct pd_file_rows *f, const char *path, uint64_t bytes)
{
    const size_t n = strlen(path);
    if (!f->row_bytes) {
        f->width = pd_max_size(f->width, n);
        return NULL;
    }
    pd_bytes_reserve(&f->rows, f->rows.n + f->row_bytes);
    struct pd_file_row *row = (struct pd_file_row *)(void *)(f->rows.v + f->rows.n);
    memset(row, 0, f->row_bytes);
    row->bytes = bytes;
    memcpy(row->path, path, n);
    f->rows.n += f->row_bytes;
    return row;
}

void pd_file_rows_begin(struct pd_file_rows *f)
{
    f->width = pd_max_size(f->width, 1);
    f->row_bytes = sizeof(struct pd_file_row) + (f->width + 7) / 8 * 8;
}

struct pd_table_rows pd_file_rows_table(const struct pd_file_rows *f)
{
    return (struct pd_table_rows){.rows = f->rows.v,
                                  .size = f->row_bytes,
                                  .n = f->rows.n / f->row_bytes,
                                  .text_widths = &f->width};
}
