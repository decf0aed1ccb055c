/* run/dedup/words.c - the words of documents that are in passages, in a file for each rank. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/corpus/splice.h"
#include "run/dedup/dedup.h"
#include "run/dedup/word_bits.h"

enum {
    ROUND_BYTES = 4 << 20,   /* bytes of a rank that are gathered at a time */
    WRITE_BYTES = 256 << 10, /* written at a time: Linux then holds the file in larger parts */
    SOURCES_OF_TASK = 256    /* sources of an index that a rank looks through at a time */
};

void pd_dedup_gather(const struct pd_comm *c, const void *mine, size_t n, struct pd_bytes *all)
{
    for (int rank = 0; rank < c->size; rank++) {
        const unsigned char *bytes = mine;
        uint64_t left = rank == c->rank ? n : 0;
        for (pd_comm_max(c, &left, 1); left > 0;) {
            const size_t take = left < ROUND_BYTES ? (size_t)left : ROUND_BYTES;
            pd_comm_gather(c, bytes, rank == c->rank ? take : 0, all);
            if (rank == c->rank)
                bytes += take;
            left -= take;
        }
    }
}

/* Read the record of the document into *raw, and the document into d->fetch.document. */
static int read_document(struct pd_dedup_cursor *c, uint64_t doc, struct pd_raw *raw)
{
    const struct pd_dedup_doc *at = &c->d->docs[doc];
    struct pd_document *document = &c->d->fetch.document;
    enum pd_skip why;
    PD_TRY(pd_dedup_cursor_raw(c, doc, raw));
    if (pd_document_read(document, raw, &why) != PD_OK || document->text_n != at->text_bytes ||
        (c->d->fetch.hashed && pd_hash_bytes(document->text, document->text_n) != at->text_hash))
        return pd_dedup_cursor_changed(c, doc);
    return PD_OK;
}

/* ---- writing words ---- */

struct writing {
    struct pd_dedup *d;
    FILE *file;
    uint64_t at;              /* bytes written */
    struct pd_wordeds worded; /* documents written by this rank */
    struct pd_cells meta;     /* kept fields of a document */
    struct pd_bytes value;    /* the field of --keep among them */
    struct pd_bytes orders;   /* values of the field of --keep: number, bytes, value */
    struct pd_bytes buffer;
    struct pd_word_bits bits; /* the words of a document */
    struct pd_cells ids;      /* ids of some rows of /documents */
    uint64_t ids_from, ids_n; /* which rows `ids` has */
};

static void append_padded(struct pd_bytes *to, const void *bytes, size_t n)
{
    static const char zeros[8];
    pd_bytes_append(to, bytes, n);
    pd_bytes_append(to, zeros, (8 - n % 8) % 8);
}

/* The id of a document in the result. An id made from a path may be another one when read again. */
static int find_id(struct writing *w, uint64_t doc, const char **id, size_t *n)
{
    if (doc < w->ids_from || doc - w->ids_from >= w->ids_n) {
        w->ids_from = doc;
        PD_TRY(pd_dedup_read_ids(w->d, doc, &w->ids, &w->ids_n));
    }
    *id = pd_cells_text(&w->ids, doc - w->ids_from, n);
    return PD_OK;
}

/*
 * Find the value of the field of --keep: of the record, or else of the fields that detect has kept.
 */
static int find_order(struct writing *w, uint64_t doc, const struct pd_raw *raw, const char **v,
                      size_t *n)
{
    const char *keep = w->d->options->dedup.keep;
    size_t meta_n;
    *v = raw->order;
    *n = raw->order_n;
    if (*v || strncmp(keep, "field:", 6) != 0 || !pd_result_has(w->d->result, "documents", "meta"))
        return PD_OK;
    PD_TRY(pd_result_read(w->d->result, "documents", "meta", doc, 1, &w->meta));
    const char *meta = pd_cells_text(&w->meta, 0, &meta_n);
    if (pd_kept_find(meta, meta_n, keep + 6, &w->value)) {
        *v = (const char *)w->value.v;
        *n = w->value.n;
    }
    return PD_OK;
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
    PD_TRY(find_id(w, doc, &id, &id_n));
    b->n = 0;
    append_padded(b, record, sizeof *record);
    append_padded(b, head, head_n);
    append_padded(b, id, id_n);
    append_padded(b, t->sentences.v, t->sentences.n * sizeof *t->sentences.v);
    for (size_t k = 0; k < t->words.n; k++) {
        const struct pd_located word = {t->words.v[k].term, t->words.v[k].begin, t->words.v[k].end};
        pd_bytes_append(b, &word, sizeof word);
    }
    append_padded(b, t->text, t->text_n);
    pd_word_bits_begin(&w->bits, t->words.n, PD_DEDUP_WORD_BITS);
    for (size_t k = 0; k < t->words.n; k++)
        pd_word_bits_add(&w->bits, t->words.v[k].term);
    pd_bytes_append(b, w->bits.v.v, w->bits.v.n);
    pd_wordeds_push(&w->worded, (struct pd_worded){.doc = doc,
                                                   .rank = (uint64_t)w->d->comm->rank,
                                                   .at = w->at,
                                                   .id_n = id_n,
                                                   .head_n = head_n,
                                                   .units = t->sentences.n,
                                                   .nwords = t->words.n});
    w->at += b->n;
    return fwrite(b->v, 1, b->n, w->file) == b->n
               ? PD_OK
               : pd_fail(PD_EIO, "%s: %s", w->d->work, strerror(errno));
}

/* Keep the value of the field of --keep, if the document has one. */
static int write_order(struct writing *w, uint64_t doc, const struct pd_raw *raw)
{
    const char *order;
    size_t order_n;
    PD_TRY(find_order(w, doc, raw, &order, &order_n));
    const uint64_t head[2] = {doc, order_n};
    if (order) {
        pd_bytes_append(&w->orders, head, sizeof head);
        append_padded(&w->orders, order, order_n);
    }
    return PD_OK;
}

static int stop(void) { return pd_fail(PD_ESTOP, "stopped by a signal: --resume goes on"); }

/* Write the words of the wanted documents of a file. */
static int write_file(struct writing *w, uint64_t k, const unsigned char *wanted)
{
    const struct pd_dedup_file *f = &w->d->files[k];
    struct pd_dedup_cursor cursor;
    struct pd_dedup_record record;
    struct pd_raw raw;
    uint64_t n = 0;
    bool inside = false;
    for (uint64_t doc = f->first; doc < f->last; doc++) {
        n += wanted[doc];
        inside |= wanted[doc] && w->d->docs[doc].skip > 0;
    }
    PD_TRY(n > 0 ? pd_dedup_cursor_open(&cursor, w->d, k, n, inside) : PD_OK);
    for (uint64_t doc = f->first; doc < f->last && n > 0; doc++) {
        if (!wanted[doc])
            continue;
        if (pd_comm_stopping())
            return stop();
        PD_TRY(read_document(&cursor, doc, &raw));
        const struct pd_document *t = &w->d->fetch.document;
        const size_t head_n = describe(&cursor, &raw, t, &record);
        PD_TRY(write_document(w, doc, t, &record, raw.record, head_n));
        PD_TRY(write_order(w, doc, &raw));
    }
    return PD_OK;
}

/* Write the words of the wanted documents among [from, to), which are sources of an index. */
static int write_sources(struct writing *w, uint64_t from, uint64_t to, const unsigned char *wanted)
{
    const struct pd_dedup_record none = {.changed = 0};
    for (uint64_t doc = from; doc < to; doc++) {
        if (!wanted[doc])
            continue;
        if (pd_comm_stopping())
            return stop();
        PD_TRY(pd_dedup_read_source(w->d, doc));
        PD_TRY(write_document(w, doc, &w->d->source_fetch.document, &none, NULL, 0));
    }
    return PD_OK;
}

/* A task is a bundle of files, or some sources of an index. */
static int write_task(struct writing *w, uint64_t task, const unsigned char *wanted)
{
    const struct pd_dedup *d = w->d;
    if (task >= d->bundles.n) {
        const uint64_t from = d->targets + (task - d->bundles.n) * SOURCES_OF_TASK;
        return write_sources(
            w, from, d->ndocs - from < SOURCES_OF_TASK ? d->ndocs : from + SOURCES_OF_TASK, wanted);
    }
    for (uint64_t k = d->bundles.v[task].from; k < d->bundles.v[task].to; k++)
        PD_TRY(write_file(w, k, wanted));
    return PD_OK;
}

static int write_words(struct writing *w, const unsigned char *wanted)
{
    struct pd_queue queue;
    uint64_t task;
    int status = PD_OK;
    char *path = pd_dedup_work_path(w->d, "words", (uint64_t)w->d->comm->rank);
    char *buffer = pd_realloc(NULL, WRITE_BYTES, 1);
    w->file = fopen(path, "wb");
    if (!w->file)
        status = pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    else
        setvbuf(w->file, buffer, _IOFBF, WRITE_BYTES);
    pd_queue_open(w->d->comm, &queue,
                  w->d->bundles.n + (w->d->foreign + SOURCES_OF_TASK - 1) / SOURCES_OF_TASK);
    while (status >= 0 && (task = pd_queue_take(&queue)) != PD_NO_TASK)
        status = write_task(w, task, wanted);
    if (status < 0)
        pd_queue_stop(&queue);
    pd_queue_close(&queue);
    if (w->file && fclose(w->file) && status >= 0)
        status = pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    free(buffer);
    free(path);
    return pd_comm_agree(w->d->comm, status);
}

/* ---- what was written ---- */

static int by_doc(const void *x, const void *y)
{
    const uint64_t a = ((const struct pd_worded *)x)->doc, b = ((const struct pd_worded *)y)->doc;
    return a < b ? -1 : a > b;
}

int pd_dedup_read_words(struct pd_dedup *d)
{
    struct writing w = {.d = d};
    struct pd_bytes all = {0}, orders = {0};
    unsigned char *wanted = pd_realloc(NULL, d->ndocs + 1, 1);
    memset(wanted, 0, d->ndocs + 1);
    for (size_t k = 0; k < d->claims.n; k++)
        wanted[d->claims.v[k].gone] = wanted[d->claims.v[k].kept] = 1;
    int status = write_words(&w, wanted);
    if (status >= 0) {
        pd_dedup_gather(d->comm, w.worded.v, w.worded.n * sizeof *w.worded.v, &all);
        pd_dedup_gather(d->comm, w.orders.v, w.orders.n, &orders);
        pd_wordeds_append(&d->worded, all.v, all.n / sizeof *d->worded.v);
        if (d->worded.n)
            qsort(d->worded.v, d->worded.n, sizeof *d->worded.v, by_doc);
        for (size_t k = 0; k < d->worded.n; k++)
            d->docs[d->worded.v[k].doc].worded = k + 1;
        status = pd_comm_agree(d->comm, pd_dedup_set_order(d, &orders));
    }
    free(wanted);
    pd_bytes_release(&all);
    pd_bytes_release(&orders);
    pd_bytes_release(&w.orders);
    pd_bytes_release(&w.meta.values);
    pd_bytes_release(&w.value);
    pd_bytes_release(&w.buffer);
    pd_bytes_release(&w.bits.v);
    pd_bytes_release(&w.ids.values);
    pd_wordeds_release(&w.worded);
    return status;
}
