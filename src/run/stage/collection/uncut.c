/* run/stage/collection/uncut.c - see include/pardup/run/uncut.h */
#include "pardup/run/uncut.h"

#include "collection.h"
#include "pardup/base/error.h"
#include "pardup/corpus/reader.h"

static struct pd_reader *new_reader(const struct pd_options *o)
{
    const struct pd_reader_options ro = {.format = o->input.format,
                                         .id_field = o->input.id_field,
                                         .text_field = o->input.text_field,
                                         .url_field = o->input.url_field};
    return pd_reader_new(&ro);
}

/* Refuse a file whose documents cannot be left out, or whose parts cannot be cut out. */
static int check_file(struct pd_reader *r, const char *path, bool cuts)
{
    bool rows;
    const char *what = pd_reader_uncut(r, path, &rows);
    if (what)
        return pd_fail(PD_EFORMAT,
                       "%s: %s cannot be written without some of its documents: choose --as jsonl",
                       path, what);
    if (cuts && !rows && pd_reader_is_fixed(r, path))
        return pd_fail(
            PD_EFORMAT,
            "%s: parts of records of this format cannot be cut out: choose --as jsonl, or "
            "--remove documents",
            path);
    return PD_OK;
}

int pd_uncut_check(const struct pd_options *o)
{
    struct pd_files files = {0};
    size_t targets = 0;
    if (o->dedup.as == PD_WRITTEN_JSONL)
        return PD_OK;
    int status = pd_collection_list(&files, o, &targets);
    struct pd_reader *r = new_reader(o);
    for (size_t k = 0; k < targets && status >= 0; k++)
        status = check_file(r, files.v[k].path, o->dedup.remove == PD_REMOVE_PASSAGES);
    pd_reader_free(r);
    pd_files_free(&files);
    return status;
}

size_t pd_uncut_count(const struct pd_options *o, const struct pd_files *files, size_t n,
                      size_t *first)
{
    struct pd_reader *r = new_reader(o);
    size_t count = 0;
    for (size_t k = 0; k < n; k++) {
        if (check_file(r, files->v[k].path, true) >= 0)
            continue;
        pd_error_clear();
        *first = count++ ? *first : k;
    }
    pd_reader_free(r);
    return count;
}
