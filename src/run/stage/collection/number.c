/* run/stage/collection/number.c - see src/run/stage/collection/number.h */
#include "number.h"

#include "pardup/base/error.h"
#include "pardup/base/sort.h"

enum {
    BATCH_U64S = sizeof(struct pd_batch) / 8, /* u64s of a batch */
    BATCH_KEYS = 3,                           /* u64s of its key: file, piece_key, fragment */
    SKIP_U64S = sizeof(struct pd_skiprec) / 8 /* u64s of a skipped record */
};

/*
 * A batch of this rank before its documents have numbers: documents [at, at + n) of a volume.
 * Order: as struct pd_batch.
 */
struct unnumbered {
    uint64_t file, piece_key, fragment;
    uint64_t n, volume, at;
};
PD_VEC(unnumbereds, struct unnumbered);
enum { UNNUMBERED_U64S = sizeof(struct unnumbered) / 8, UNNUMBERED_KEYS = 3 };

/* List the batches of this rank in collection order. */
static int list_batches(struct pd_collection *col, struct unnumbereds *list)
{
    for (size_t v = 0; v < col->library.shelf.n; v++) {
        struct pd_volume *volume;
        PD_TRY(pd_library_volume(&col->library, v, &volume));
        for (size_t k = 0; k < volume->docs.n; k++) {
            const struct pd_docrec *d = &volume->docs.v[k];
            struct unnumbered *last = list->n ? &list->v[list->n - 1] : NULL;
            if (last && last->volume == v && last->file == d->file &&
                last->piece_key == d->piece_key && last->fragment == d->fragment)
                last->n++;
            else
                unnumbereds_push(list,
                                 (struct unnumbered){d->file, d->piece_key, d->fragment, 1, v, k});
        }
    }
    pd_sort_records(list->v, list->n, UNNUMBERED_U64S, UNNUMBERED_KEYS);
    return PD_OK;
}

/* COLLECTIVE. List all batches of all ranks in collection order, and give each its base. */
static void agree_on_batches(struct pd_collection *col, const struct unnumbereds *list)
{
    struct pd_batches mine = {0};
    struct pd_bytes all = {0};
    for (size_t k = 0; k < list->n; k++) {
        const struct unnumbered *batch = &list->v[k];
        pd_batches_push(&mine, (struct pd_batch){.file = batch->file,
                                                 .piece_key = batch->piece_key,
                                                 .fragment = batch->fragment,
                                                 .documents = batch->n,
                                                 .rank = (uint64_t)col->comm->rank});
    }
    pd_comm_gather(col->comm, mine.v, mine.n * sizeof *mine.v, &all);
    pd_batches_append(&col->batches, all.v, all.n / sizeof *mine.v);
    pd_sort_records(col->batches.v, col->batches.n, BATCH_U64S, BATCH_KEYS);
    uint64_t base = 0;
    for (size_t k = 0; k < col->batches.n; k++) {
        col->batches.v[k].base = base;
        base += col->batches.v[k].documents;
    }
    pd_batches_release(&mine);
    pd_bytes_release(&all);
}

/*
 * Number the documents of this rank's batches. They are in `list` in the same order as in
 * col->batches.
 */
static void give_numbers(struct pd_collection *col, const struct unnumbereds *list, uint64_t limit)
{
    const struct unnumbered *next = list->v;
    for (size_t k = 0; k < col->batches.n; k++) {
        const struct pd_batch *batch = &col->batches.v[k];
        if (batch->rank != (uint64_t)col->comm->rank)
            continue;
        const uint64_t room = batch->base < limit ? limit - batch->base : 0;
        const uint64_t n = next->n < room ? next->n : room;
        if (n)
            pd_numbereds_push(&col->numbered, (struct pd_numbered_docs){batch->base, n, col->ndocs,
                                                                        next->volume, next->at});
        if (n < next->n)
            pd_numbereds_push(&col->beyond, (struct pd_numbered_docs){UINT64_MAX, next->n - n, 0,
                                                                      next->volume, next->at + n});
        col->ndocs += n;
        next++;
    }
    PD_CHECK(next == unnumbereds_behind(list));
}

/* Does the skipped record lie before `cut` in the collection? */
static int before(const struct pd_skiprec *skip, const struct pd_skiprec *cut)
{
    if (skip->file != cut->file)
        return skip->file < cut->file;
    return skip->offset != cut->offset ? skip->offset < cut->offset : skip->skip < cut->skip;
}

int pd_collection_next_skip(struct pd_collection *col, size_t *volume, size_t *at,
                            struct pd_skiprec *skip)
{
    for (; *volume < col->skips.n; ++*volume, *at = 0) {
        struct pd_volume *v;
        if (*at >= col->skips.v[*volume])
            continue;
        PD_TRY(pd_library_volume(&col->library, *volume, &v));
        while (*at < v->skips.n) {
            *skip = v->skips.v[(*at)++];
            if (before(skip, &col->skips_end))
                return PD_OK;
        }
    }
    return PD_END;
}

/* Count the skipped records of this rank that count. */
static int count_skips(struct pd_collection *col)
{
    size_t volume = 0, at = 0;
    struct pd_skiprec skip;
    int status;
    col->totals.skipped = col->totals.doubtful = 0;
    while ((status = pd_collection_next_skip(col, &volume, &at, &skip)) == PD_OK) {
        col->totals.skipped++;
        col->totals.doubtful += skip.why == PD_SKIP_DOUBTFUL;
    }
    return status < 0 ? status : PD_OK;
}

/* COLLECTIVE. Leave out the skipped records behind the last document that has a number. */
static int limit_skips(struct pd_collection *col, uint64_t limit)
{
    struct pd_skiprec last = {0}; /* where that document lies; 0 on ranks that do not hold it */
    struct pd_held held;
    uint64_t documents = col->ndocs;
    int status = pd_comm_agree(col->comm, pd_collection_doc(col, limit - 1, &held));
    PD_TRY(status);
    if (held.rec)
        last = (struct pd_skiprec){held.rec->file, held.rec->offset, held.rec->skip, 0};
    pd_comm_max(col->comm, (uint64_t *)&last, SKIP_U64S);
    pd_comm_sum(col->comm, &documents, 1);
    if (documents < limit) /* the collection is smaller than the limit */
        return PD_OK;
    col->skips_end = last;
    status = count_skips(col);
    size_t kept = 0;
    for (size_t k = 0; k < col->unread.n; k++)
        if (before(&col->unread.v[k], &last))
            col->unread.v[kept++] = col->unread.v[k];
    col->unread.n = kept;
    return pd_comm_agree(col->comm, status);
}

/* COLLECTIVE. Number the documents, up to --limit-docs. */
static int number_documents(struct pd_collection *col)
{
    struct unnumbereds list = {0};
    const uint64_t limit =
        col->options->input.limit_docs ? (uint64_t)col->options->input.limit_docs : UINT64_MAX;
    col->skips_end = (struct pd_skiprec){.file = UINT64_MAX};
    const int status = pd_comm_agree(col->comm, list_batches(col, &list));
    if (status >= 0) {
        agree_on_batches(col, &list);
        give_numbers(col, &list, limit);
    }
    unnumbereds_release(&list);
    return status >= 0 && limit != UINT64_MAX ? limit_skips(col, limit) : status;
}

int pd_collection_number(struct pd_collection *col)
{
    PD_TRY(number_documents(col));
    return pd_collection_survey(col);
}
