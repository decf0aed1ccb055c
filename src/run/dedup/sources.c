/* run/dedup/sources.c - the sources of a result of check: documents that are in an index. */
#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "run/dedup/job.h"

/*
 * Open the index, if it is there and has the texts of the sources. Otherwise their files are read.
 */
static void open_index(struct pd_dedup *d)
{
    struct pd_index *x = &d->index;
    pd_fetch_find(&d->fetch, &d->index_path);
    if (pd_index_open(x, d->index_path) >= 0 && x->nsegments && x->segments[0].counts.with_text &&
        x->manifest.head.documents >= d->foreign) {
        pd_fetch_use_index(&d->source_fetch, x);
        return;
    }
    pd_error_clear();
    pd_index_close(x);
}

int pd_dedup_open_sources(struct pd_dedup *d)
{
    if (!pd_result_has(d->result, "sources", "id"))
        return PD_OK;
    PD_TRY(pd_result_rows(d->result, "sources", &d->foreign));
    PD_TRY(pd_result_text(d->result, "source_index", &d->index_path));
    PD_TRY(pd_fetch_init_second(&d->source_fetch, d->result));
    open_index(d);
    return PD_OK;
}

void pd_dedup_close_sources(struct pd_dedup *d)
{
    if (d->index_path)
        pd_fetch_release(&d->source_fetch);
    pd_index_close(&d->index);
    free(d->index_path);
}

/* Has the source at hand the text that it had when the result was made? */
static int is_same(struct pd_dedup *d, uint64_t doc, bool *same)
{
    const struct pd_document *t = &d->source_fetch.document;
    uint64_t bytes, hash;
    PD_TRY(pd_dedup_doc(d, PD_DOC_TEXT_BYTES, doc, &bytes));
    PD_TRY(pd_dedup_doc(d, PD_DOC_TEXT_HASH, doc, &hash));
    *same = t->text_n == bytes && pd_hash_bytes(t->text, t->text_n) == hash;
    return PD_OK;
}

int pd_dedup_read_source(struct pd_dedup *d, uint64_t doc)
{
    struct pd_fetch *f = &d->source_fetch;
    bool same = true;
    PD_TRY(pd_fetch_row(f, doc - d->targets));
    PD_TRY(f->index ? is_same(d, doc, &same) : PD_OK);
    if (same)
        return PD_OK;
    pd_fetch_use_index(f, NULL); /* it was made again since; the files may be as they were */
    f->doc = UINT64_MAX;
    return pd_fetch_row(f, doc - d->targets);
}
