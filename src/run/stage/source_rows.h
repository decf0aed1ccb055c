/* run/stage/source_rows.h - the sources of an index, as rows of a result file. */
#ifndef PARDUP_RUN_SOURCE_ROWS_H
#define PARDUP_RUN_SOURCE_ROWS_H

#include "pardup/base/bytes.h"
#include "pardup/index/index.h"

/* Bytes of the longest id of a source, at least 1. */
size_t pd_source_id_width(const struct pd_index *index);

/*
 * Append the row of a source to `to`: a struct pd_document_row of row_bytes bytes, whose texts but
 * the id are empty. PD_OK or PD_EFORMAT.
 *   file_base  number of the first file of the index
 *   family     the family of the source
 */
int pd_source_row(const struct pd_index *index, pd_doc source, uint64_t file_base, int64_t family,
                  size_t row_bytes, struct pd_bytes *to);

/* Files of all segments. */
uint64_t pd_source_files(const struct pd_index *index);

/*
 * Call `file` with the path of each file of the sources, ended by NUL, and its bytes, in order.
 * PD_OK or PD_EFORMAT.
 */
int pd_source_each_file(const struct pd_index *index,
                        void (*file)(void *ctx, const char *path, uint64_t bytes), void *ctx);

/*
 * The path of a file of a source, as it is called from here. To be freed.
 *   directory  the folder from which the paths of the index are meant
 */
char *pd_source_path(const char *directory, const char *path);

#endif
