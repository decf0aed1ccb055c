/* run/table/file_rows.h - rows of /files and /source_files, which are as wide as the longest path. */
#ifndef PARDUP_RUN_TABLE_FILE_ROWS_H
#define PARDUP_RUN_TABLE_FILE_ROWS_H

#include "pardup/base/bytes.h"
#include "pardup/result/rows.h"
#include "pardup/result/writer.h"

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
