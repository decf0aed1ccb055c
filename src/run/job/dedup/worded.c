/* run/job/dedup/worded.c - the words of documents that are in passages, in a file for each rank. */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/cut.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"
#include "pardup/corpus/splice.h"
#include "run/job/dedup/claims.h"
#include "run/job/dedup/word_bits.h"
#include "run/job/dedup/worded.h"

enum {
    SOURCES_OF_TASK = 256, /* sources of an index that a rank looks through at a time */
    SAMPLES = 1000,        /* documents of a rank that tell which places it gets */
    PLACED_U64S = 2        /* the order of a document and its number: the key of its place */
};

/* ---- writing words ---- */

struct writing {
    struct pd_dedup *d;
    struct pd_wordeds read;      /* documents written by this rank */
    struct pd_ordering ordering; /* values of the keys of --keep */
    struct pd_wanted_rows wanted;
    struct pd_table_reader told;   /* what the result says of documents, if keys need it */
    struct pd_table_reader asides; /* what is set aside of documents, by row */
    uint64_t aside;                /* the next row of it */
    struct pd_bytes buffer;
    struct pd_word_bits bits; /* the words of a document */
};

static void append_padded(struct pd_bytes *to, const void *bytes, size_t n)
{
    static const char zeros[8];
    pd_bytes_append(to, bytes, n);
    pd_bytes_append(to, zeros, (8 - n % 8) % 8);
}

/*
 * Describe a record, and say how many bytes of its head are enough to write it again, because its
 * content is the cleaned text; 0: it is read again.
 */
static size_t describe(const struct pd_dedup_cursor *c, const struct pd_raw *raw,
                       const struct pd_document *t, struct pd_dedup_record *record)
{
    bool exact;
    const size_t head = pd_splice_head(raw, t->text, t->text_n, &exact);
    *record = (struct pd_dedup_record){.changed = c->file.changed,
                                       .body_hash = pd_hash_bytes(raw->body, raw->n),
                                       .record_n = raw->record_n,
                                       .stored = raw->stored,
                                       .whole = raw->kind == PD_RECORD_FILE,
                                       .item = raw->kind == PD_RECORD_JSON &&
                                               raw->record[raw->record_n - 1] == '}'};
    return exact ? head : 0;
}

/* Go to the first aside of the document or of one behind it. Ask for documents in any order. */
static int find_asides(struct writing *w, uint64_t doc)
{
    struct pd_table_reader *t = &w->asides;
    uint64_t lo = w->aside, hi = t->rows;
    if (lo > 0)
        PD_TRY(pd_table_at(t, lo - 1));
    if (lo > 0 && pd_table_count(t, 0) >= doc)
        lo = 0;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo > 64 ? (hi - lo) / 2 : 0);
        PD_TRY(pd_table_at(t, mid));
        if (pd_table_count(t, 0) < doc)
            lo = mid + 1;
        else
            hi = mid;
    }
    w->aside = lo;
    return PD_OK;
}

/* Append what is set aside of a document. *n: how many spans. */
static int append_asides(struct writing *w, uint64_t doc, uint64_t *n)
{
    struct pd_table_reader *t = &w->asides;
    *n = 0;
    if (!w->d->seeks || t->rows == 0)
        return PD_OK;
    PD_TRY(find_asides(w, doc));
    for (; w->aside < t->rows; w->aside++, ++*n) {
        PD_TRY(pd_table_at(t, w->aside));
        if (pd_table_count(t, 0) != doc)
            break;
        const struct pd_cut span = {(uint32_t)pd_table_count(t, 1), (uint32_t)pd_table_count(t, 2)};
        pd_bytes_append(&w->buffer, &span, sizeof span);
    }
    return PD_OK;
}

void pd_dedup_put_words(struct pd_bytes *b, struct pd_word_bits *bits, const struct pd_document *t)
{
    append_padded(b, t->sentences.v, t->sentences.n * sizeof *t->sentences.v);
    pd_word_bits_begin(bits, t->words.n, PD_DEDUP_WORD_BITS);
    for (size_t k = 0; k < t->words.n; k++) {
        const struct pd_located word = {t->words.v[k].term, t->words.v[k].begin, t->words.v[k].end};
        pd_bytes_append(b, &word, sizeof word);
        pd_word_bits_add(bits, word.term);
    }
    append_padded(b, t->text, t->text_n);
    pd_bytes_append(b, bits->v.v, bits->v.n);
}

/*
 * Write the words of a document, which was read as `t`.
 *   record   its description, and the head[0, head_n) of it
 */
static int write_document(struct writing *w, uint64_t doc, const struct pd_document *t,
                          const struct pd_dedup_record *record, const unsigned char *head,
                          size_t head_n)
{
    struct pd_bytes *b = &w->buffer;
    const char *id;
    size_t id_n;
    PD_TRY(pd_dedup_find_id(w->d, doc, &id, &id_n)); /* one made from a path may read anew */
    b->n = 0;
    append_padded(b, record, sizeof *record);
    append_padded(b, head, head_n);
    append_padded(b, id, id_n);
    pd_dedup_put_words(b, &w->bits, t);
    struct pd_worded worded = {.doc = doc,
                               .rank = (uint64_t)w->d->comm->rank,
                               .id_n = id_n,
                               .head_n = head_n,
                               .units = t->sentences.n,
                               .nwords = t->words.n,
                               .text_bytes = t->text_n};
    PD_TRY(append_asides(w, doc, &worded.asides));
    PD_TRY(pd_shared_append(&w->d->shared, b->v, b->n, &worded.at));
    pd_wordeds_push(&w->read, worded);
    return PD_OK;
}

/* How many documents of a file are wanted, and have some of them a skip? */
static int count_wanted(struct writing *w, const struct pd_dedup_file *f, uint64_t *n, bool *inside)
{
    *n = 0;
    *inside = false;
    for (uint64_t doc = f->first; doc < f->last; doc++) {
        bool wanted;
        uint64_t skip = 0;
        PD_TRY(pd_is_wanted(&w->wanted, doc, &wanted));
        if (wanted && !*inside)
            PD_TRY(pd_dedup_doc(w->d, PD_DOC_SKIP, doc, &skip));
        *n += wanted;
        *inside |= skip > 0;
    }
    return PD_OK;
}

/* Write the words of the wanted documents of a file. */
static int write_file(struct writing *w, uint64_t k)
{
    const struct pd_dedup_file *f = &w->d->files[k];
    struct pd_dedup_cursor cursor;
    struct pd_dedup_record record;
    struct pd_raw raw;
    uint64_t n;
    bool inside;
    PD_TRY(count_wanted(w, f, &n, &inside));
    PD_TRY(n > 0 ? pd_dedup_cursor_open(&cursor, w->d, k, n, inside) : PD_OK);
    for (uint64_t doc = f->first; doc < f->last && n > 0; doc++) {
        bool wanted;
        PD_TRY(pd_is_wanted(&w->wanted, doc, &wanted));
        pd_dedup_did(w->d, 1);
        if (!wanted)
            continue;
        PD_TRY(pd_dedup_poll(w->d));
        PD_TRY(pd_dedup_cursor_document(&cursor, doc, true, &raw));
        const struct pd_document *t = &w->d->fetch.document;
        const size_t head_n = describe(&cursor, &raw, t, &record);
        PD_TRY(write_document(w, doc, t, &record, raw.record, head_n));
        if (w->ordering.keys.n)
            PD_TRY(pd_keep_append(&w->ordering.keys, doc, t, raw.order, raw.order_n, &w->told));
    }
    return PD_OK;
}

/*
 * Write the words of the wanted documents among [from, to), which are sources of an index or of a
 * store.
 */
static int write_sources(struct writing *w, uint64_t from, uint64_t to)
{
    const struct pd_dedup_record none = {.changed = 0};
    const bool foreign = w->d->foreign > 0;
    for (uint64_t doc = from; doc < to; doc++) {
        bool wanted;
        PD_TRY(pd_is_wanted(&w->wanted, doc, &wanted));
        pd_dedup_did(w->d, 1);
        if (!wanted)
            continue;
        PD_TRY(pd_dedup_poll(w->d));
        PD_TRY(foreign ? pd_dedup_read_source(w->d, doc) : pd_fetch_row(&w->d->fetch, doc));
        PD_TRY(write_document(w, doc,
                              foreign ? &w->d->source_fetch.document : &w->d->fetch.document, &none,
                              NULL, 0));
    }
    return PD_OK;
}

/* A task is a bundle of files, or some sources of an index. */
static int write_task(void *ctx, uint64_t task)
{
    struct writing *w = ctx;
    const struct pd_dedup *d = w->d;
    if (task >= d->bundles.n) {
        const uint64_t from = d->targets + (task - d->bundles.n) * SOURCES_OF_TASK;
        return write_sources(w, from, pd_min_u64(d->ndocs, from + SOURCES_OF_TASK));
    }
    for (uint64_t k = d->bundles.v[task].from; k < d->bundles.v[task].to; k++)
        PD_TRY(d->fetch.store && !d->files[k].written
                   ? write_sources(w, d->files[k].first, d->files[k].last)
                   : write_file(w, k));
    return PD_OK;
}

/* COLLECTIVE. */
static int write_words(struct writing *w)
{
    struct pd_dedup *d = w->d;
    const uint64_t n = d->bundles.n + (d->foreign + SOURCES_OF_TASK - 1) / SOURCES_OF_TASK;
    const struct pd_dedup_step step = {"read", d->ndocs};
    int status = pd_dedup_do(d, step, n, write_task, w);
    PD_THEN(status, pd_shared_show(&d->shared));
    return pd_comm_agree(d->comm, status);
}

/* ---- places ---- */

/* How many samples this rank takes: all ranks take one of equally many documents. COLLECTIVE. */
static size_t count_samples(const struct pd_comm *c, size_t read)
{
    const uint64_t most = SAMPLES * (uint64_t)c->size;
    uint64_t total = read;
    pd_comm_sum(c, &total, 1);
    return total > most ? (size_t)((unsigned __int128)read * most / total) : read;
}

/* COLLECTIVE. Set the first document of each rank, as keys of places, from samples. */
static void divide(struct pd_dedup *d, const struct pd_wordeds *read, uint64_t *keys)
{
    const size_t ranks = (size_t)d->comm->size, n = count_samples(d->comm, read->n);
    uint64_t *mine = pd_realloc(NULL, n + 1, PLACED_U64S * sizeof *mine);
    struct pd_bytes all = {0};
    for (size_t k = 0; k < n; k++)
        memcpy(mine + PLACED_U64S * k, &read->v[read->n * k / n], PLACED_U64S * sizeof *mine);
    pd_comm_gather(d->comm, mine, n * PLACED_U64S * sizeof *mine, &all);
    const size_t samples = all.n / (PLACED_U64S * sizeof *mine);
    pd_sort_records(all.v, samples, PLACED_U64S, PLACED_U64S);
    memset(keys, 0, ranks * PLACED_U64S * sizeof *keys);
    for (size_t rank = 1; rank < ranks && samples; rank++)
        memcpy(keys + PLACED_U64S * rank,
               all.v + samples * rank / ranks * PLACED_U64S * sizeof *keys,
               PLACED_U64S * sizeof *keys);
    free(mine);
    pd_bytes_release(&all);
}

struct placing {
    struct pd_dedup *d;
    const struct pd_wordeds *read;
    size_t next;
    const uint64_t *keys; /* by rank: the key from which on documents are its */
};

static int next_placed(void *ctx, void *rec)
{
    struct placing *p = ctx;
    if (p->next == p->read->n)
        return PD_END;
    memcpy(rec, &p->read->v[p->next++], sizeof *p->read->v);
    return PD_OK;
}

static int owner_of_placed(const void *rec, int nranks, void *ctx)
{
    const struct placing *p = ctx;
    const struct pd_worded *w = rec;
    int rank = nranks - 1;
    while (rank > 0 &&
           (w->order < p->keys[PLACED_U64S * rank] ||
            (w->order == p->keys[PLACED_U64S * rank] && w->doc < p->keys[PLACED_U64S * rank + 1])))
        rank--;
    return rank;
}

static const struct pd_flow placed_flow = {.name = "placed",
                                           .budget = PD_BUDGET_CLAIMS,
                                           .size = sizeof(struct pd_worded),
                                           .keys = PLACED_U64S,
                                           .owner = owner_of_placed};

/* Take the documents of this rank out of the shuffle. */
static int take_placed(struct pd_dedup *d, struct pd_shuffle *placed, struct pd_wordeds *own)
{
    const void *rec;
    int status;
    while ((status = pd_shuffle_next(placed, &rec)) == PD_OK)
        pd_wordeds_push(own, *(const struct pd_worded *)rec);
    PD_TRY(status);
    return pd_dedup_plan(d, "its tables", own->n * PD_PLACE_BYTES, PD_BUDGET_DOCUMENTS);
}

/* COLLECTIVE. Give each document that was read to the rank that owns its place. */
static int place(struct pd_dedup *d, struct pd_wordeds *read, struct pd_wordeds *own)
{
    const int ranks = d->comm->size;
    struct pd_shuffle placed = {0};
    struct pd_bytes counts = {0};
    uint64_t *keys = pd_realloc(NULL, (size_t)ranks, PLACED_U64S * sizeof *keys);
    struct placing placing = {d, read, 0, keys};
    pd_sort_records(read->v, read->n, PD_WORDED_U64S, PLACED_U64S);
    divide(d, read, keys);
    pd_shuffle_open(&placed, &d->transport, &placed_flow, &placing, &d->spare);
    int status = pd_shuffle_make(&placed, next_placed, &placing);
    pd_wordeds_release(read);
    PD_THEN(status, pd_comm_agree(d->comm, take_placed(d, &placed, own)));
    pd_shuffle_close(&placed);
    const uint64_t n = own->n;
    pd_comm_gather(d->comm, &n, sizeof n, &counts);
    d->firsts = pd_realloc(NULL, (size_t)ranks + 1, sizeof *d->firsts);
    d->firsts[0] = 0;
    for (int rank = 0; rank < ranks; rank++)
        d->firsts[rank + 1] = d->firsts[rank] + ((const uint64_t *)(const void *)counts.v)[rank];
    pd_bytes_release(&counts);
    free(keys);
    return status;
}

int pd_dedup_read_words(struct pd_dedup *d, struct pd_wordeds *own)
{
    static const char *const told[] = PD_KEEP_COLUMNS;
    static const char *const asides[] = {"doc", "begin", "end", NULL};
    struct writing w = {.d = d, .wanted = {.d = d}};
    int status = pd_ordering_open(d, &w.ordering);
    if (status >= 0 && w.ordering.keys.n)
        status = pd_comm_agree(d->comm, pd_table_open(&w.told, d->result, "documents", told));
    if (status >= 0 && d->seeks && pd_result_has(d->result, "aside_spans", "doc"))
        status = pd_comm_agree(d->comm, pd_table_open(&w.asides, d->result, "aside_spans", asides));
    PD_THEN(status, write_words(&w));
    PD_THEN(status, pd_dedup_set_order(d, &w.ordering, &w.read));
    pd_ordering_close(&w.ordering);
    PD_THEN(status, place(d, &w.read, own));
    pd_wanted_rows_release(&w.wanted);
    pd_table_close(&w.told);
    pd_table_close(&w.asides);
    PD_RELEASE(pd_bytes, &w.buffer, &w.bits.v);
    pd_wordeds_release(&w.read);
    return status;
}
