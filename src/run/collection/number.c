/* run/collection/number.c - see src/run/collection/number.h */
#include "number.h"
#include "unread.h"

#include <limits.h>

#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/base/minmax.h"
#include "pardup/base/search.h"
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
            pd_numbereds_push(&col->numbered, (struct pd_numbered){batch->base, n, col->ndocs,
                                                                   next->volume, next->at});
        if (n < next->n)
            pd_numbereds_push(&col->beyond, (struct pd_numbered){UINT64_MAX, next->n - n, 0,
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
    col->totals.skipped = 0;
    while ((status = pd_collection_next_skip(col, &volume, &at, &skip)) == PD_OK)
        col->totals.skipped++;
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

/*
 * The hash of a document's id. Goes to the owner of the hash, which sees all documents with the id.
 * Order: hash, number.
 */
struct id {
    uint64_t hash;
    pd_doc number;
};

struct sending {
    struct pd_collection *col;
    struct pd_shuffle ids; /* struct id, at the owners of the hashes */
    uint64_t next;         /* index of this rank's document whose id is sent next */
};

static void sum_up(struct pd_totals *t, const struct pd_docrec *d)
{
    t->documents++;
    t->with_sentences += d->sentences > 0;
    t->sentences += d->sentences;
    t->words += d->words;
    t->frame_sentences += d->frame_sentences;
    t->frame_words += d->frame_words;
    t->pages += d->page;
    t->text_bytes += d->text_bytes;
    t->bytes += d->body_bytes;
    t->dated += d->date != PD_NO_DATE;
}

/*
 * Write the ids of the next documents. Each document is looked at once here, so totals are added up
 * too.
 */
static int fill_ids(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct sending *s = ctx;
    struct pd_collection *col = s->col;
    struct id *out = (struct id *)(void *)to;
    size_t k = 0;
    for (; k < cap / sizeof *out && s->next < col->ndocs; s->next++, k++) {
        struct pd_held held;
        PD_TRY(pd_collection_nth(col, s->next, &held));
        const struct pd_bytes *ids = &pd_collection_volume(col, &held)->ids;
        out[k] = (struct id){pd_hash_bytes(ids->v + held.rec->id_at, held.rec->id_n), held.number};
        col->id_width = pd_max_u64(col->id_width, held.rec->id_n);
        col->url_width = pd_max_u64(col->url_width, held.rec->url_n);
        col->site_width = pd_max_u64(col->site_width, held.rec->site_n);
        col->meta_width = pd_max_u64(col->meta_width, held.rec->meta_n);
        sum_up(&col->totals, held.rec);
    }
    *n = k * sizeof *out;
    return s->next == col->ndocs ? PD_END : PD_OK;
}

static int owner_of_id(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_hash_range(((const struct id *)rec)->hash, nranks);
}

static const struct pd_flow ids_flow = {.name = "ids",
                                        .budget = PD_BUDGET_IDS,
                                        .size = sizeof(struct id),
                                        .keys = 2,
                                        .owner = owner_of_id};

/*
 * Count the documents whose id an earlier document has. *first becomes the smallest of their
 * numbers if that is smaller than *first.
 */
static int count_same(struct pd_collection *col, struct pd_shuffle *ids, uint64_t *first)
{
    struct id last = {0, UINT64_MAX};
    const void *rec;
    int status;
    while ((status = pd_shuffle_look(ids, &rec)) == PD_OK) {
        const struct id id = *(const struct id *)rec;
        if (last.number != UINT64_MAX && id.hash == last.hash) {
            col->totals.same_id++;
            *first = id.number < *first ? id.number : *first;
        }
        last = id;
        pd_shuffle_pass(ids, sizeof id);
    }
    return status < 0 ? status : PD_OK;
}

/*
 * COLLECTIVE. Add up the totals, and look for ids that occur twice. *first: the smallest number
 * that this rank knows of a document whose id an earlier document has; UINT64_MAX: it knows of
 * none.
 */
static int look_at_documents(struct pd_collection *col, uint64_t *first)
{
    struct sending s = {.col = col};
    *first = UINT64_MAX;
    pd_shuffle_open(&s.ids, col->transport, &ids_flow, NULL, NULL);
    int status = pd_shuffle_send(&s.ids, fill_ids, &s);
    if (status >= 0)
        status = pd_shuffle_sort(&s.ids);
    if (status >= 0)
        status = pd_comm_agree(col->comm, count_same(col, &s.ids, first));
    pd_shuffle_close(&s.ids);
    pd_comm_sum(col->comm, (uint64_t *)&col->totals, sizeof col->totals / sizeof(uint64_t));
    uint64_t widths[] = {col->id_width, col->url_width, col->site_width, col->meta_width};
    pd_comm_max(col->comm, widths, 4);
    col->id_width = widths[0];
    col->url_width = widths[1];
    col->site_width = widths[2];
    col->meta_width = widths[3];
    return status;
}

/* Fail, or without --strict warn, because of a document whose id an earlier document has. */
static int complain_same_id(const struct pd_collection *col, const struct pd_held *held)
{
    const struct pd_docrec *d = held->rec;
    const char *id = (const char *)pd_collection_volume(col, held)->ids.v + d->id_at;
    if (col->options->input.strict)
        return pd_fail(PD_EFORMAT, "%s: document id %.*s occurs twice in the collection",
                       col->files.v[d->file].path, (int)d->id_n, id);
    pd_log_rank(PD_LOG_WARN,
                "%llu document%s an id that an earlier one has (first: %.*s in %s); all are kept, "
                "rows tell them apart",
                (unsigned long long)col->totals.same_id,
                col->totals.same_id == 1 ? " has" : "s have", (int)d->id_n, id,
                col->files.v[d->file].path);
    return PD_OK;
}

/* COLLECTIVE. The holder of the first document whose id an earlier document has complains of it. */
static int tell_same_ids(struct pd_collection *col, uint64_t first)
{
    struct pd_held held;
    first = UINT64_MAX - first; /* so the maximum over all ranks finds the least number */
    pd_comm_max(col->comm, &first, 1);
    int status = pd_collection_doc(col, UINT64_MAX - first, &held);
    if (status == PD_OK)
        status = complain_same_id(col, &held);
    return pd_comm_agree(col->comm, status < 0 ? status : PD_OK);
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

/* Count for each id of --docs-from the documents of this rank that have it. */
static int count_wanted(struct pd_collection *col, uint64_t *found)
{
    struct pd_held held;
    for (uint64_t k = 0; k < col->ndocs; k++) {
        PD_TRY(pd_collection_nth(col, k, &held));
        const char *id = (const char *)pd_collection_volume(col, &held)->ids.v + held.rec->id_at;
        found[pd_names_find(&col->wanted.ids, id, held.rec->id_n, UINT64_MAX)]++;
    }
    return PD_OK;
}

/* COLLECTIVE. Tell which ids of --docs-from no document has. */
static int tell_wanted(struct pd_collection *col)
{
    const size_t n = col->wanted.ids.names.n;
    if (n == 0)
        return PD_OK;
    uint64_t *found = pd_realloc(NULL, n, sizeof *found);
    memset(found, 0, n * sizeof *found);
    const int status = pd_comm_agree(col->comm, count_wanted(col, found));
    PD_CHECK(n <= INT_MAX);
    pd_comm_sum(col->comm, found, (int)n);
    if (status >= 0 && col->totals.documents > 0)
        pd_wanted_tell(&col->wanted, found, col->totals.unlisted);
    free(found);
    return status;
}

/* Count for each row of --metadata, and for each kept field, the documents that have it. */
static int count_metadata(struct pd_collection *col, uint64_t *found, uint64_t *fields)
{
    const struct pd_metadata *m = &col->metadata;
    struct pd_held held;
    struct pd_bytes value = {0};
    int status = PD_OK;
    for (uint64_t k = 0; k < col->ndocs && status >= 0; k++) {
        status = pd_collection_nth(col, k, &held);
        if (status < 0)
            break;
        const struct pd_docrec *d = held.rec;
        const char *id = (const char *)pd_collection_volume(col, &held)->ids.v + d->id_at;
        const uint64_t row = pd_metadata_row(m, id, d->id_n);
        if (row != UINT64_MAX)
            found[row]++;
        for (size_t field = 0; field < m->keep.n; field++) /* one is enough */
            if (fields[field] == 0)
                fields[field] = pd_kept_find(id + d->id_n + d->url_n + d->site_n, d->meta_n,
                                             m->keep.names[field], &value);
    }
    pd_bytes_release(&value);
    return status;
}

/* COLLECTIVE. Tell what of --keep-fields and --metadata no document has, or was cut. */
static int tell_metadata(struct pd_collection *col)
{
    const struct pd_metadata *m = &col->metadata;
    const size_t n = m->ids.names.n;
    uint64_t fields[PD_KEPT_FIELDS] = {0};
    if (m->keep.n == 0)
        return PD_OK;
    uint64_t *found = pd_realloc(NULL, n + 1, sizeof *found);
    memset(found, 0, (n + 1) * sizeof *found);
    const int status = pd_comm_agree(col->comm, count_metadata(col, found, fields));
    PD_CHECK(n < INT_MAX);
    pd_comm_sum(col->comm, found, (int)n + 1);
    pd_comm_sum(col->comm, fields, PD_KEPT_FIELDS);
    if (status >= 0 && col->totals.documents > 0)
        pd_metadata_tell(m, found, fields, col->totals.documents);
    free(found);
    if (col->totals.cut)
        pd_log(PD_LOG_WARN, "kept values that are cut at %d bytes, or left out: %llu",
               PD_KEPT_VALUE, (unsigned long long)col->totals.cut);
    if (col->totals.undated)
        pd_log(PD_LOG_WARN, "documents whose %s cannot be read as a date: %llu",
               col->options->input.date_field, (unsigned long long)col->totals.undated);
    return status;
}

int pd_collection_number(struct pd_collection *col)
{
    const struct pd_options *o = col->options;
    uint64_t first;
    PD_TRY(number_documents(col));
    PD_TRY(look_at_documents(col, &first));
    PD_TRY(tell_wanted(col));
    PD_TRY(tell_metadata(col));
    if (col->totals.documents > 0 || col->totals.fields.objects > 0)
        PD_TRY(pd_unread_check(col));
    if (col->totals.documents == 0 && col->totals.unlisted > 0)
        return pd_wanted_none(&col->wanted, col->totals.unlisted);
    if (col->totals.documents == 0)
        return pd_fail(PD_EFORMAT, "%s: no documents in it (%llu records set aside, %llu ignored)",
                       o->operands.n ? o->operands.v[0] : o->input.files_from,
                       (unsigned long long)col->totals.skipped,
                       (unsigned long long)col->totals.ignored);
    return col->totals.same_id ? tell_same_ids(col, first) : PD_OK;
}

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

/*
 * The last batch of this rank that begins at or before `key`: a document's number if `number` is
 * true, else its position among this rank's documents. NULL: this rank has no batch.
 */
static const struct pd_numbered *batch_of(const struct pd_collection *col, uint64_t key,
                                          bool number)
{
    const struct pd_numbered *v = col->numbered.v;
    const size_t offset =
        number ? offsetof(struct pd_numbered, first) : offsetof(struct pd_numbered, before);
    return col->numbered.n ? v + pd_search_last(v, col->numbered.n, sizeof *v, offset, key) : NULL;
}

/* Document k of a batch. */
static int hold(struct pd_collection *col, const struct pd_numbered *batch, uint64_t k,
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
    const struct pd_numbered *batch = batch_of(col, k, false);
    PD_CHECK(batch && k - batch->before < batch->n);
    return hold(col, batch, k - batch->before, held);
}

int pd_collection_doc(struct pd_collection *col, pd_doc number, struct pd_held *held)
{
    const struct pd_numbered *batch = batch_of(col, number, true);
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

#define N(x) ((unsigned long long)(x))

void pd_collection_tell_frame(const struct pd_collection *col)
{
    const struct pd_totals *t = &col->totals;
    if (col->options->method.frame == PD_TEMPLATES_ASIDE && t->frame_sentences)
        pd_log(PD_LOG_INFO,
               "  menus and other frame: %llu of %llu sentences aside, %.0f %% of words",
               N(t->frame_sentences), N(t->sentences),
               t->words ? 100 * (double)t->frame_words / (double)t->words : 0);
}

int pd_collection_stored(struct pd_collection *col, const struct pd_held *held,
                         struct pd_stored *stored)
{
    const unsigned char *blob;
    PD_TRY(pd_library_blob(&col->library, held->volume, held->rec, &blob));
    pd_blob_decode(blob, part_of(col), stored);
    return PD_OK;
}
