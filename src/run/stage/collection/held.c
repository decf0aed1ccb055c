/*
 * run/stage/collection/held.c - where a document lies, and the documents that this rank holds: see
 * src/run/stage/collection/collection.h
 */
#include "collection.h"
#include "pardup/base/error.h"
#include "pardup/base/search.h"

const struct pd_batch *pd_collection_batch(const struct pd_collection *col, pd_doc number)
{
    const struct pd_batch *v = col->batches.v;
    return v +
           pd_search_last(v, col->batches.n, sizeof *v, offsetof(struct pd_batch, base), number);
}

pd_doc pd_collection_first_source(const struct pd_collection *col)
{
    for (size_t k = 0; k < col->batches.n; k++)
        if (col->batches.v[k].file >= col->target_files)
            return col->batches.v[k].base < col->totals.documents ? col->batches.v[k].base
                                                                  : col->totals.documents;
    return col->totals.documents;
}

int pd_collection_holder(const struct pd_collection *col, pd_doc number)
{
    return (int)pd_collection_batch(col, number)->rank;
}

int pd_to_holder(const void *rec, int nranks, void *col)
{
    (void)nranks;
    return pd_collection_holder(col, *(const pd_doc *)rec);
}

/*
 * The last batch of this rank that begins at or before `key`: a document's number if `number` is
 * true, else its position among this rank's documents. NULL: this rank has no batch.
 */
static const struct pd_numbered_docs *batch_of(const struct pd_collection *col, uint64_t key,
                                               bool number)
{
    const struct pd_numbered_docs *v = col->numbered.v;
    const size_t offset = number ? offsetof(struct pd_numbered_docs, first)
                                 : offsetof(struct pd_numbered_docs, before);
    return col->numbered.n ? v + pd_search_last(v, col->numbered.n, sizeof *v, offset, key) : NULL;
}

/* Document k of a batch. */
static int hold(struct pd_collection *col, const struct pd_numbered_docs *batch, uint64_t k,
                struct pd_held *held)
{
    struct pd_volume *volume;
    PD_TRY(pd_library_volume(&col->library, batch->volume, &volume));
    *held = (struct pd_held){.number = batch->first + k,
                             .volume = batch->volume,
                             .at = batch->at + k,
                             .rec = &volume->docs.v[batch->at + k]};
    return PD_OK;
}

int pd_collection_nth(struct pd_collection *col, uint64_t k, struct pd_held *held)
{
    const struct pd_numbered_docs *batch = batch_of(col, k, false);
    PD_CHECK(batch && k - batch->before < batch->n);
    return hold(col, batch, k - batch->before, held);
}

int pd_collection_doc(struct pd_collection *col, pd_doc number, struct pd_held *held)
{
    const struct pd_numbered_docs *batch = batch_of(col, number, true);
    *held = (struct pd_held){.number = number};
    if (!batch || number < batch->first || number - batch->first >= batch->n)
        return PD_END;
    return hold(col, batch, number - batch->first, held);
}

void pd_collection_expect_next(const struct pd_collection *col, const struct pd_held *held)
{
    pd_library_expect(&col->library, held->volume, held->rec + 1);
}

/* The part of a document that is compared. */
static enum pd_blob_part part_of(const struct pd_collection *col)
{
    return col->options->method.frame == PD_TEMPLATES_ASIDE ? PD_BLOB_WITHOUT_FRAME : PD_BLOB_ALL;
}

static int open_part(struct pd_collection *col, const struct pd_held *held, enum pd_blob_part part,
                     struct pd_stored *stored)
{
    const unsigned char *blob;
    PD_TRY(pd_library_blob(&col->library, held->volume, held->rec, &blob));
    pd_blob_open(blob, part, stored);
    return PD_OK;
}

int pd_collection_open(struct pd_collection *col, const struct pd_held *held,
                       struct pd_stored *stored)
{
    return open_part(col, held, part_of(col), stored);
}

int pd_collection_open_whole(struct pd_collection *col, const struct pd_held *held,
                             struct pd_stored *stored)
{
    return open_part(col, held, PD_BLOB_ALL, stored);
}
