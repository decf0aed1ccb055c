/* run/dedup/words.c - the words of documents that are in passages, in a file for each rank. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/open.h"
#include "pardup/corpus/splice.h"
#include "run/dedup/dedup.h"
#include "run/dedup/word_bits.h"

enum {
    ROUND_BYTES = 4 << 20,   /* bytes of a rank that are gathered at a time */
    MANY = 4,                /* a file is read as a whole if one document in MANY is wanted */
    BITS_OF_WORD = 8,        /* bits for each word of a document */
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

/* ---- the walk through a file ---- */

int pd_dedup_cursor_open(struct pd_dedup_cursor *c, struct pd_dedup *d, uint64_t k, uint64_t wanted,
                         bool inside)
{
    const struct pd_dedup_file *f = &d->files[k];
    const struct pd_piece whole = {.nstripes = 1, .to = f->bytes};
    *c = (struct pd_dedup_cursor){.d = d, .file = {.path = f->found}};
    PD_TRY(pd_file_look(&c->file));
    c->file.bytes = f->bytes;
    c->sequential = inside || wanted > (f->last - f->first) / MANY;
    return c->sequential ? pd_reader_open(d->fetch.reader, &c->file, &whole) : PD_OK;
}

int pd_dedup_cursor_changed(const struct pd_dedup_cursor *c, uint64_t doc)
{
    return pd_fail(PD_EFORMAT,
                   "%s: the document at byte %llu has changed since the result was made: run "
                   "detect again",
                   c->file.path, (unsigned long long)c->d->docs[doc].offset);
}

int pd_dedup_cursor_raw(struct pd_dedup_cursor *c, uint64_t doc, struct pd_raw *raw)
{
    const struct pd_dedup_doc *at = &c->d->docs[doc];
    int status;
    if (c->sequential) {
        while ((status = pd_reader_next(c->d->fetch.reader, raw)) == PD_OK &&
               (raw->offset != at->offset || raw->skip != at->skip))
            ;
    } else if (c->fetched) {
        status = pd_reader_fetch_more(c->d->fetch.reader, at->offset, at->skip, raw);
    } else {
        status = pd_reader_fetch(c->d->fetch.reader, &c->file, at->offset, at->skip, raw);
        c->fetched = true;
    }
    PD_TRY(status);
    return status == PD_OK ? PD_OK : pd_dedup_cursor_changed(c, doc);
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
 * Describe a record, and say how many bytes of its head are enough to write it again; 0: it is read
 * again.
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
                                               raw->record[raw->record_n - 1] == '}',
                                       .exact = exact};
    return head;
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
    pd_word_bits_begin(&w->bits, t->words.n, BITS_OF_WORD);
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

/* ---- reading words ---- */

struct pd_worded *pd_dedup_worded(const struct pd_dedup *d, uint64_t doc)
{
    const uint64_t k = d->docs[doc].worded;
    return k ? &d->worded.v[k - 1] : NULL;
}

static int open_word_file(struct pd_dedup *d, uint64_t rank)
{
    if (d->word_files[rank] >= 0)
        return PD_OK;
    char *path = pd_dedup_work_path(d, "words", rank);
    d->word_files[rank] = pd_open_regular(path);
    free(path);
    return d->word_files[rank] < 0 ? PD_EIO : PD_OK;
}

static size_t padded(size_t n) { return (n + 7) / 8 * 8; }

/* Read n bytes of a rank's file of words. */
static int read_bytes(struct pd_dedup *d, uint64_t rank, uint64_t from, size_t n, unsigned char *to)
{
    PD_TRY(open_word_file(d, rank));
    for (size_t done = 0; done < n;) {
        const ssize_t got = pread(d->word_files[rank], to + done, n - done, (off_t)(from + done));
        if (got <= 0)
            return pd_fail(PD_EIO, "%s: words of documents cannot be read back: %s", d->work,
                           got ? strerror(errno) : "the file is too short");
        done += (size_t)got;
    }
    return PD_OK;
}

static int read_back(struct pd_dedup *d, uint64_t rank, uint64_t from, size_t n,
                     struct pd_bytes *to)
{
    pd_bytes_reserve(to, n + 1);
    to->n = n;
    return read_bytes(d, rank, from, n, to->v);
}

/*
 * Read n bytes of document w at *v, if they are not held.
 *   from   where they begin in the file
 *   held   NULL: nothing is held
 *   own    takes what cannot be held
 */
static int read_held(struct pd_dedup *d, const struct pd_worded *w, uint64_t from, size_t n,
                     struct pd_held *held, struct pd_bytes *own, const unsigned char **v)
{
    const size_t thing = (size_t)(w - d->worded.v);
    *v = held ? pd_held_find(held, thing) : NULL;
    if (*v)
        return PD_OK;
    unsigned char *place = held ? pd_held_put(held, thing, n) : NULL;
    if (!place)
        pd_bytes_reserve(own, n + 1);
    *v = place ? place : own->v;
    return read_bytes(d, w->rank, from, n, place ? place : own->v);
}

/* Bytes of a document in the file before its id. */
static size_t before_id(const struct pd_worded *w)
{
    return sizeof(struct pd_dedup_record) + padded(w->head_n);
}

/* Bytes of a document in the file from its id to its text. */
static size_t before_text(const struct pd_worded *w)
{
    return padded(w->id_n) + padded(w->units * sizeof(struct pd_sentence)) +
           w->nwords * sizeof(struct pd_located);
}

int pd_dedup_id(struct pd_dedup *d, uint64_t doc, struct pd_bytes *id)
{
    const struct pd_worded *w = pd_dedup_worded(d, doc);
    PD_CHECK(w);
    return read_back(d, w->rank, w->at + before_id(w), w->id_n, id);
}

int pd_dedup_record(struct pd_dedup *d, const struct pd_worded *w, struct pd_dedup_record *record,
                    struct pd_bytes *head)
{
    PD_TRY(read_back(d, w->rank, w->at, before_id(w), head));
    memcpy(record, head->v, sizeof *record);
    return PD_OK;
}

int pd_dedup_text(struct pd_dedup *d, const struct pd_worded *w, struct pd_bytes *text)
{
    return read_back(d, w->rank, w->at + before_id(w) + before_text(w), d->docs[w->doc].text_bytes,
                     text);
}

int pd_dedup_word_set(struct pd_dedup *d, uint64_t doc, struct pd_held *held, struct pd_bytes *own,
                      struct pd_word_set *set)
{
    const struct pd_worded *w = pd_dedup_worded(d, doc);
    PD_CHECK(w);
    set->log = pd_word_bits_log(w->nwords, BITS_OF_WORD);
    return read_held(d, w, w->at + before_id(w) + before_text(w) + padded(d->docs[doc].text_bytes),
                     (size_t)1 << set->log >> 3, held, own, &set->v);
}

int pd_dedup_words(struct pd_dedup *d, uint64_t doc, struct pd_dedup_words *w)
{
    const struct pd_worded *at = pd_dedup_worded(d, doc);
    const unsigned char *v;
    if (w->doc == doc)
        return PD_OK;
    w->doc = UINT64_MAX;
    PD_CHECK(at);
    const size_t id = padded(at->id_n), units = padded(at->units * sizeof *w->units);
    PD_TRY(read_held(d, at, at->at + before_id(at) + id, before_text(at) - id, w->held, &w->bytes,
                     &v));
    w->doc = doc;
    w->units = (const struct pd_sentence *)(const void *)v;
    w->words = (const struct pd_located *)(const void *)(v + units);
    w->nunits = at->units;
    w->nwords = at->nwords;
    return PD_OK;
}

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
