/* run/stage/source_rows.c - see src/run/stage/source_rows.h */
#include "run/stage/source_rows.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/result/rows.h"

size_t pd_source_id_width(const struct pd_index *index)
{
    size_t width = 1;
    for (size_t k = 0; k < index->nsegments; k++)
        width = pd_max_size(width, index->segments[k].counts.longest_id);
    return width;
}

int pd_source_row(const struct pd_index *index, pd_doc source, uint64_t file_base, int64_t family,
                  size_t row_bytes, struct pd_bytes *to)
{
    const struct pd_segment *s = pd_index_segment(index, source);
    struct pd_indexed d;
    PD_TRY(pd_segment_document(s, source, &d));
    for (const struct pd_segment *before = index->segments; before < s; before++)
        file_base += before->counts.files;
    pd_bytes_reserve(to, to->n + row_bytes);
    struct pd_document_row *row = (struct pd_document_row *)(void *)(to->v + to->n);
    memset(row, 0, row_bytes);
    *row = (struct pd_document_row){.size = (uint32_t)row_bytes,
                                    .id_n = (uint32_t)(d.before_n + d.id_n),
                                    .number = source,
                                    .file = file_base + d.file,
                                    .offset = d.offset,
                                    .skip = d.skip,
                                    .length = d.length,
                                    .sentences = d.sentences,
                                    .words = d.words,
                                    .text_bytes = d.text_bytes,
                                    .text_hash = d.text_hash,
                                    .family = family};
    if (d.before_n)
        memcpy(row->id, d.before, d.before_n);
    memcpy(row->id + d.before_n, d.id, d.id_n);
    to->n += row_bytes;
    return PD_OK;
}

uint64_t pd_source_files(const struct pd_index *index)
{
    uint64_t n = 0;
    for (size_t k = 0; k < index->nsegments; k++)
        n += index->segments[k].counts.files;
    return n;
}

int pd_source_each_file(const struct pd_index *index,
                        void (*file)(void *ctx, const char *path, uint64_t bytes), void *ctx)
{
    struct pd_bytes path = {0};
    uint64_t bytes = 0;
    int status = PD_OK;
    for (size_t k = 0; k < index->nsegments; k++)
        for (uint64_t f = 0; status >= 0 && f < index->segments[k].counts.files; f++) {
            status = pd_segment_file(&index->segments[k], f, &path, &bytes);
            if (status >= 0)
                file(ctx, (const char *)path.v, bytes);
        }
    pd_bytes_release(&path);
    return status;
}

char *pd_source_path(const char *directory, const char *path)
{
    char here[PATH_MAX];
    const bool same = getcwd(here, sizeof here) && strcmp(here, directory) == 0;
    const char *before = same || *path == '/' ? "" : directory;
    return pd_printed("%s%s%s", before, *before ? "/" : "", path);
}
