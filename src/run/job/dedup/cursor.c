/* run/job/dedup/cursor.c - tasks, and the walk through the wanted documents of a file. */
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "run/job/dedup/job.h"

enum { MANY = 4 }; /* a file is read as a whole if one document in MANY is wanted */

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

int pd_dedup_do(struct pd_dedup *d, struct pd_dedup_step step, uint64_t n,
                int (*task)(void *ctx, uint64_t number), void *ctx)
{
    uint64_t number;
    int status = PD_OK;
    d->units = step.units;
    pd_progress_begin(&d->progress, step.name);
    pd_queue_open(d->comm, &d->queue, n);
    while (status >= 0 && (number = pd_queue_take(&d->queue)) != PD_NO_TASK)
        status = task(ctx, number);
    if (status < 0)
        pd_queue_stop(&d->queue);
    pd_queue_close(&d->queue);
    d->queue.comm = NULL;
    pd_progress_end(&d->progress);
    return status;
}

void pd_dedup_did(struct pd_dedup *d, uint64_t units)
{
    pd_queue_add(&d->queue, units, 0);
    if (d->comm->rank == 0) /* which hears of the others when they take a task */
        pd_progress_tell(&d->progress, d->queue.documents, d->units, 0, 0);
}

void pd_dedup_reached(struct pd_dedup *d, uint64_t units, uint64_t all)
{
    pd_dedup_did(d, units - d->reached);
    d->reached = units < all ? units : 0;
}

int pd_dedup_poll(struct pd_dedup *d)
{
    if (d->queue.comm && d->comm->rank == 0) /* the other ranks have nothing to report */
        pd_queue_poll(&d->queue);
    return pd_comm_check_stop();
}

int pd_dedup_cursor_changed(const struct pd_dedup_cursor *c, uint64_t doc)
{
    uint64_t offset;
    PD_TRY(pd_dedup_doc(c->d, PD_DOC_OFFSET, doc, &offset));
    return pd_fail(PD_EFORMAT,
                   "%s: the document at byte %llu has changed since the result was made: run "
                   "detect again",
                   c->file.path, (unsigned long long)offset);
}

int pd_dedup_cursor_raw(struct pd_dedup_cursor *c, uint64_t doc, struct pd_raw *raw)
{
    struct pd_reader *reader = c->d->fetch.reader;
    uint64_t offset, skip;
    int status;
    PD_TRY(pd_dedup_doc(c->d, PD_DOC_OFFSET, doc, &offset));
    PD_TRY(pd_dedup_doc(c->d, PD_DOC_SKIP, doc, &skip));
    if (c->sequential) {
        while ((status = pd_reader_next(reader, raw)) == PD_OK &&
               (raw->offset != offset || raw->skip != skip))
            ;
    } else {
        status = pd_reader_fetch(reader, &c->file, offset, skip, raw);
    }
    PD_TRY(status);
    return status == PD_OK ? PD_OK : pd_dedup_cursor_changed(c, doc);
}

int pd_dedup_cursor_document(struct pd_dedup_cursor *c, uint64_t doc, bool words,
                             struct pd_raw *raw)
{
    struct pd_document *t = &c->d->fetch.document;
    uint64_t bytes, hash;
    enum pd_skip why;
    PD_TRY(pd_dedup_doc(c->d, PD_DOC_TEXT_BYTES, doc, &bytes));
    PD_TRY(pd_dedup_doc(c->d, PD_DOC_TEXT_HASH, doc, &hash));
    PD_TRY(pd_dedup_cursor_raw(c, doc, raw));
    const int status = words ? pd_document_read(t, raw, &why) : pd_document_read_text(t, raw, &why);
    if (status != PD_OK || t->text_n != bytes ||
        (c->d->fetch.hashed && pd_hash_bytes(t->text, t->text_n) != hash))
        return pd_dedup_cursor_changed(c, doc);
    return PD_OK;
}
