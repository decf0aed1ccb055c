/* run/number.c - see include/pardup/run/number.h */
#include "pardup/run/number.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"

enum { SEGMENT_WORDS = sizeof(struct pd_segment) / 8, SKIP_WORDS = sizeof(struct pd_skiprec) / 8 };

static int by_place(const void *pa, const void *pb)
{
    const struct pd_docrec *a = pa, *b = pb;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->segment != b->segment)
        return a->segment < b->segment ? -1 : 1;
    return (a->stored > b->stored) - (a->stored < b->stored);
}

/* Documents were stored in order within a segment; segments may have been read in any order. */
static void agree_on_segments(struct pd_collection *col)
{
    struct pd_segments mine = {0};
    struct pd_bytes all = {0};
    if (col->docs.n) /* an empty array may be NULL, which qsort must not get */
        qsort(col->docs.v, col->docs.n, sizeof *col->docs.v, by_place);
    for (size_t k = 0; k < col->docs.n; k++) {
        const struct pd_docrec *d = &col->docs.v[k];
        struct pd_segment *last = mine.n ? &mine.v[mine.n - 1] : NULL;
        if (last && last->file == d->file && last->segment == d->segment)
            last->documents++;
        else
            pd_segments_push(
                &mine, (struct pd_segment){d->file, d->segment, 1, 0, (uint64_t)col->comm->rank});
    }
    pd_comm_gather(col->comm, mine.v, mine.n * sizeof *mine.v, &all);
    pd_segments_append(&col->segments, all.v, all.n / sizeof *mine.v);
    pd_sort_records(col->segments.v, col->segments.n, SEGMENT_WORDS, 2);
    uint64_t base = 0;
    for (size_t k = 0; k < col->segments.n; k++) {
        col->segments.v[k].base = base;
        base += col->segments.v[k].documents;
    }
    pd_segments_release(&mine);
    pd_bytes_release(&all);
}

static void give_numbers(struct pd_collection *col)
{
    const struct pd_segments *segments = &col->segments;
    size_t k = 0;
    for (size_t s = 0; s < segments->n; s++)
        if (segments->v[s].rank == (uint64_t)col->comm->rank)
            for (uint64_t d = 0; d < segments->v[s].documents; d++)
                col->docs.v[k++].number = segments->v[s].base + d;
    PD_CHECK(k == col->docs.n);
}

/* A document beyond the limit leaves no trace in the frequencies. */
static void uncount(struct pd_collection *col, const struct pd_docrec *doc, uint32_t stamp,
                    struct pd_stored *stored)
{
    pd_docstore_read(&col->store, doc->stored, stored);
    for (size_t k = 0; k < stored->tokens.n; k++) {
        struct pd_entry *e = &col->vocabulary.entries.v[stored->tokens.v[k].term];
        e->df -= e->last != stamp;
        e->last = stamp;
    }
}

static int before(const struct pd_skiprec *skip, const struct pd_skiprec *cut)
{
    if (skip->file != cut->file)
        return skip->file < cut->file;
    return skip->offset != cut->offset ? skip->offset < cut->offset : skip->skip < cut->skip;
}

/* Keep the documents numbered below the limit and the skips before the last of them. */
static void apply_limit(struct pd_collection *col, uint64_t limit)
{
    struct pd_stored stored = {0};
    size_t kept = 0;
    for (size_t k = 0; k < col->docs.n; k++) {
        if (col->docs.v[k].number < limit)
            col->docs.v[kept++] = col->docs.v[k];
        else
            uncount(col, &col->docs.v[k], UINT32_MAX - (uint32_t)k, &stored);
    }
    col->docs.n = kept;
    pd_stored_release(&stored);

    struct pd_skiprec last = {0}; /* place of document limit - 1: on one rank, 0 on the others */
    if (kept && col->docs.v[kept - 1].number == limit - 1) {
        const struct pd_docrec *d = &col->docs.v[kept - 1];
        last = (struct pd_skiprec){d->file, d->offset, d->skip, 0};
    }
    pd_comm_max(col->comm, (uint64_t *)&last, SKIP_WORDS);
    uint64_t limited = kept;
    pd_comm_sum(col->comm, &limited, 1);
    if (limited < limit) /* the collection is smaller than the limit */
        return;
    kept = 0;
    for (size_t k = 0; k < col->skips.n; k++)
        if (before(&col->skips.v[k], &last))
            col->skips.v[kept++] = col->skips.v[k];
    col->skips.n = kept;
}

/* An id's hash on its way to the rank that sees all documents with that id. */
struct id {
    uint64_t hash;
    pd_doc number;
};
PD_VEC(ids, struct id);

struct id_stage {
    struct pd_source source;
    struct ids seen;
};

static int id_owner(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_part(((const struct id *)rec)->hash, nranks);
}

static int id_sink(const void *recs, size_t bytes, void *ctx)
{
    struct id_stage *s = ctx;
    ids_append(&s->seen, recs, bytes / sizeof(struct id));
    return PD_OK;
}

/* Count documents whose id an earlier one has; *first becomes the least of their numbers. */
static int find_same_ids(struct pd_collection *col, struct pd_stages *stages, uint64_t *first)
{
    struct ids mine = {0};
    struct id_stage s = {0};
    for (size_t k = 0; k < col->docs.n; k++) {
        const struct pd_docrec *d = &col->docs.v[k];
        ids_push(&mine, (struct id){pd_hash_bytes(col->ids.v + d->id_at, d->id_n), d->number});
    }
    s.source = (struct pd_source){mine.v, mine.n, sizeof *mine.v, 0};
    const struct pd_route route = {sizeof *mine.v, pd_fill_from, id_owner, id_sink, &s};
    const int status = pd_exchange(col->comm, &route, &stages->moved);
    pd_sort_records(s.seen.v, s.seen.n, 2, 2);
    *first = UINT64_MAX;
    for (size_t k = 1; k < s.seen.n; k++)
        if (s.seen.v[k].hash == s.seen.v[k - 1].hash) {
            col->totals.same_id++;
            *first = s.seen.v[k].number < *first ? s.seen.v[k].number : *first;
        }
    ids_release(&mine);
    ids_release(&s.seen);
    return status;
}

static void sum_up(struct pd_collection *col)
{
    struct pd_totals *t = &col->totals;
    for (size_t k = 0; k < col->docs.n; k++) {
        const struct pd_docrec *d = &col->docs.v[k];
        t->documents++;
        t->with_sentences += d->sentences > 0;
        t->sentences += d->sentences;
        t->words += d->words;
        t->bytes += d->body_bytes;
    }
    t->skipped = col->skips.n;
    pd_comm_sum(col->comm, (uint64_t *)t, sizeof *t / sizeof(uint64_t));
}

/* The holder of the first document with a known id says its name. */
static int tell_same_ids(struct pd_collection *col, uint64_t first)
{
    first = UINT64_MAX - first;
    pd_comm_max(col->comm, &first, 1);
    const struct pd_docrec *d = pd_collection_doc(col, UINT64_MAX - first);
    int status = PD_OK;
    if (d && col->options->strict)
        status =
            pd_fail(PD_EFORMAT, "%s: document id %.*s occurs twice in the collection",
                    col->files.v[d->file].path, (int)d->id_n, (const char *)col->ids.v + d->id_at);
    else if (d)
        pd_log_rank(PD_LOG_WARN,
                    "%llu documents have an id that an earlier one has (first: %.*s in %s); all "
                    "are kept, rows tell them apart",
                    (unsigned long long)col->totals.same_id, (int)d->id_n,
                    (const char *)col->ids.v + d->id_at, col->files.v[d->file].path);
    return pd_comm_agree(col->comm, status);
}

int pd_collection_number(struct pd_collection *col, struct pd_stages *stages)
{
    const struct pd_options *o = col->options;
    uint64_t first;
    agree_on_segments(col);
    give_numbers(col);
    if (o->limit_docs)
        apply_limit(col, (uint64_t)o->limit_docs);
    PD_TRY(find_same_ids(col, stages, &first));
    sum_up(col);
    if (col->totals.documents == 0)
        return pd_fail(PD_EFORMAT, "%s: no documents in it (%llu records set aside, %llu ignored)",
                       o->ninputs ? o->inputs[0] : o->files_from,
                       (unsigned long long)col->totals.skipped,
                       (unsigned long long)col->totals.ignored);
    return col->totals.same_id ? tell_same_ids(col, first) : PD_OK;
}

int pd_collection_holder(const struct pd_collection *col, pd_doc number)
{
    size_t lo = 0, hi = col->segments.n;
    while (hi - lo > 1) {
        const size_t mid = lo + (hi - lo) / 2;
        if (col->segments.v[mid].base <= number)
            lo = mid;
        else
            hi = mid;
    }
    return (int)col->segments.v[lo].rank;
}

const struct pd_docrec *pd_collection_doc(const struct pd_collection *col, pd_doc number)
{
    size_t lo = 0, hi = col->docs.n;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (col->docs.v[mid].number < number)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < col->docs.n && col->docs.v[lo].number == number ? &col->docs.v[lo] : NULL;
}
