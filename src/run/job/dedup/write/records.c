/* run/job/dedup/write/records.c - a file of the new collection in the format that it had. */
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/corpus/copier.h"
#include "run/job/dedup/write/write.h"

/* ---- records cut in their own bytes, and proved by reading them again ---- */

/* The text without white space at its end, which HTML cannot have. */
static size_t trimmed(const unsigned char *text, size_t n)
{
    while (n > 0 && memchr(" \t\r\n\f", text[n - 1], 5))
        n--;
    return n;
}

/* Read the text of a document as detect did; with the trace of how it is made if `t` is wanted. */
static bool read_text(struct pd_dedup *d, const struct pd_raw *raw, struct pd_trace *t)
{
    enum pd_skip why;
    d->fetch.document.trace = t;
    const int status = pd_document_read_text(&d->fetch.document, raw, &why);
    d->fetch.document.trace = NULL;
    return status == PD_OK;
}

/* Is the text that was read last the text[0, n)? */
static bool is_text(const struct pd_dedup *d, const unsigned char *text, size_t n)
{
    const struct pd_document *t = &d->fetch.document;
    return t->text_n == n && (n == 0 || memcmp(t->text, text, n) == 0);
}

/*
 * Write the record of a document to b->spliced.record without the bytes of its body that the cut
 * text was made of. The record is read again as detect read it: its text must be the text that is
 * left, byte for byte, but for white space at its end.
 *   raw   the record, which d->fetch.reader has read last
 * PD_OK; PD_END when the record cannot be cut so, or its body is the text as it is; or PD_EFORMAT
 * as pd_splice().
 */
static int cut_body(struct pd_dedup *d, struct pd_dedup_bodies *b, const struct pd_raw *raw,
                    const struct pd_trimmed *text)
{
    if (raw->n == text->n && (raw->n == 0 || memcmp(raw->body, text->text, raw->n) == 0))
        return PD_END; /* pd_splice() cuts it in place, and nothing has to be followed */
    if (!read_text(d, raw, &b->trace) || !is_text(d, text->text, text->n) ||
        !pd_trace_cut(&b->trace, text->cuts, &b->cuts))
        return PD_END;
    PD_PASS(pd_splice_body(d->fetch.reader, raw, d->text_field, &b->cuts, &b->spliced));
    b->wanted.n = 0;
    pd_cut_text(text, &b->wanted);
    return read_text(d, &b->spliced.again, NULL) &&
                   is_text(d, b->wanted.v, trimmed(b->wanted.v, b->wanted.n))
               ? PD_OK
               : PD_END;
}

/* ---- changed records ---- */

void pd_records_open(struct pd_records *r, struct pd_dedup *d)
{
    const struct pd_dedup_options *o = &d->options->dedup;
    *r = (struct pd_records){.d = d, .changes = {.d = d}, .others = {.d = d}};
    r->changes.all = o->count_field != NULL;
    if (o->revisit)
        r->kept = pd_reader_new(&(struct pd_reader_options){.format = PD_FORMAT_AUTO});
}

void pd_records_close(struct pd_records *r)
{
    PD_RELEASE(pd_changes, &r->changes, &r->others);
    PD_RELEASE(pd_cuts, &r->cuts, &r->bodies.cuts);
    pd_trace_release(&r->bodies.trace);
    pd_spliced_release(&r->bodies.spliced);
    PD_RELEASE(pd_bytes, &r->text, &r->head, &r->record, &r->bodies.wanted);
    pd_reader_free(r->kept);
}

/*
 * Is a document read again? Not if it goes without a trace, or if its head is known.
 *   w   what becomes of it; NULL: it stays whole, and its record is needed
 */
static bool is_read(const struct pd_records *r, const struct pd_changed *w)
{
    return !w || (w->gone ? r->kept != NULL : w->w.head_n == 0 || w->removed == 0);
}

/*
 * Make the record of a document that stays, without what goes of its text.
 *   raw     its record, if it is read again; otherwise r->head has its head
 */
static int make_record(struct pd_records *r, const struct pd_changed *w, const struct pd_raw *raw,
                       bool *exact)
{
    struct pd_dedup *d = r->d;
    PD_TRY(pd_changes_removals(&r->changes, w));
    pd_cuts_of(&r->changes.removals, &r->cuts);
    PD_TRY(pd_dedup_text(d, &w->w, &r->text));
    const struct pd_trimmed text = {r->text.v, r->text.n, &r->cuts};
    *exact = true;
    if (w->w.head_n) {
        pd_splice_behind(r->head.v + sizeof(struct pd_dedup_record), w->w.head_n, true, &text,
                         &r->record);
        return PD_OK;
    }
    const int status = cut_body(d, &r->bodies, raw, &text);
    if (status != PD_OK)
        return status < 0 ? status : pd_splice(raw, d->text_field, &text, &r->record, exact);
    r->record.n = 0;
    pd_bytes_append(&r->record, r->bodies.spliced.record.v, r->bodies.spliced.record.n);
    return PD_OK;
}

/* The next document that is written anew, from *doc on, before `end`. PD_OK, PD_END or a failure. */
static int next_document(struct pd_records *r, uint64_t end, uint64_t *doc,
                         const struct pd_changed **w)
{
    if (!r->changes.all) {
        PD_TRY(pd_changes_next(&r->changes, end, w));
        *doc = *w ? (*w)->doc : end;
        return *w ? PD_OK : PD_END;
    }
    return *doc < end ? pd_changes_of(&r->changes, *doc, w) : PD_END;
}

/* ---- records of archives that name what they repeat ---- */

/* Read the record of a document that stays as it is. *found: it does, and is there. */
static int read_kept(struct pd_records *r, uint64_t doc, struct pd_raw *raw, bool *found)
{
    struct pd_dedup *d = r->d;
    const struct pd_changed *w;
    uint64_t file, offset, skip;
    *found = false;
    PD_TRY(pd_changes_of(&r->others, doc, &w));
    if (w || pd_dedup_is_foreign(d, doc))
        return PD_OK;
    PD_TRY(pd_dedup_doc(d, PD_DOC_FILE, doc, &file));
    PD_TRY(pd_dedup_doc(d, PD_DOC_OFFSET, doc, &offset));
    PD_TRY(pd_dedup_doc(d, PD_DOC_SKIP, doc, &skip));
    struct pd_file f = {.path = d->files[file].found};
    PD_TRY(pd_file_look(&f));
    const int status =
        d->files[file].written ? pd_reader_fetch(r->kept, &f, offset, skip, raw) : PD_END;
    *found = status == PD_OK;
    return status < 0 ? status : PD_OK;
}

/* Put a record into r->record that says whose copy the document is, which goes; or nothing. */
static int make_revisit(struct pd_records *r, const struct pd_changed *w, const struct pd_raw *raw,
                        struct pd_shard *shard)
{
    struct pd_worded kept;
    struct pd_raw other;
    bool found;
    if (raw->kind != PD_RECORD_WARC)
        return PD_OK;
    PD_TRY(pd_changes_removals(&r->changes, w));
    for (size_t k = 1; k < r->changes.removals.n; k++)
        if (r->changes.removals.v[k].kept != r->changes.removals.v[0].kept)
            return PD_OK;
    PD_TRY(pd_dedup_worded(r->d, r->changes.removals.v[0].kept, &kept));
    PD_TRY(read_kept(r, kept.doc, &other, &found));
    shard->revisits += found && pd_splice_revisit(raw, &other, &r->record);
    return PD_OK;
}

/* ---- documents ---- */

/* Put into r->record what takes the place of a record; nothing: it goes. */
static int replace_record(struct pd_records *r, const struct pd_changed *w,
                          const struct pd_raw *raw, struct pd_shard *shard)
{
    const char *field = r->d->options->dedup.count_field;
    bool exact = true;
    r->record.n = 0;
    if (w && w->gone)
        return r->kept ? make_revisit(r, w, raw, shard) : PD_OK;
    if (w && w->removed)
        PD_TRY(make_record(r, w, raw, &exact));
    else
        pd_bytes_append(&r->record, raw->record, raw->record_n);
    shard->inexact += !exact;
    return field ? pd_splice_number(raw, field, 1 + (w ? w->copies : 0), &r->record) : PD_OK;
}

/*
 * Write a document in place of its record. *whole_file: the record is the file, and goes.
 *   w   what becomes of it; NULL: it stays whole
 */
static int change_document(struct pd_records *r, struct pd_dedup_cursor *cursor,
                           struct pd_copier *copier, uint64_t doc, const struct pd_changed *w,
                           struct pd_shard *shard, bool *whole_file)
{
    struct pd_dedup_record stored = {0};
    uint64_t offset, skip;
    PD_TRY(pd_dedup_doc(r->d, PD_DOC_OFFSET, doc, &offset));
    PD_TRY(pd_dedup_doc(r->d, PD_DOC_SKIP, doc, &skip));
    if (w)
        PD_TRY(pd_dedup_record(r->d, &w->w, &stored, &r->head));
    struct pd_raw raw = {.offset = offset,
                         .skip = skip,
                         .record_n = (size_t)stored.record_n,
                         .stored = stored.stored};
    if (is_read(r, w))
        PD_TRY(pd_dedup_cursor_raw(cursor, doc, &raw));
    if (w && (is_read(r, w) ? pd_hash_bytes(raw.body, raw.n) != stored.body_hash
                            : cursor->file.changed != stored.changed))
        return pd_dedup_cursor_changed(cursor, doc);
    *whole_file = w && w->gone && stored.whole;
    if (w && w->gone && stored.item)
        return pd_copier_drop(copier, &raw);
    PD_TRY(replace_record(r, w, &raw, shard));
    return pd_copier_replace(copier, &raw, r->record.v, r->record.n);
}

/* Open file k for the documents that are read again. */
static int open_changed(struct pd_records *r, uint64_t k, struct pd_dedup_cursor *cursor)
{
    const struct pd_dedup_file *f = &r->d->files[k];
    const struct pd_changed *w;
    uint64_t wanted = 0, skip, doc = f->first;
    bool inside = false;
    int status = pd_changes_seek(&r->changes, doc);
    for (; status >= 0 && (status = next_document(r, f->last, &doc, &w)) == PD_OK; doc++) {
        if (!is_read(r, w))
            continue;
        PD_TRY(pd_dedup_doc(r->d, PD_DOC_SKIP, doc, &skip));
        wanted++;
        inside |= skip > 0;
    }
    return status < 0 ? status : pd_dedup_cursor_open(cursor, r->d, k, wanted, inside);
}

/* Write file k without what goes of its documents. */
static int change_documents(struct pd_records *r, uint64_t k, struct pd_copier *copier,
                            struct pd_shard *shard, bool *whole_file)
{
    const struct pd_dedup_file *f = &r->d->files[k];
    struct pd_dedup_cursor cursor;
    const struct pd_changed *w;
    uint64_t doc = f->first;
    PD_TRY(open_changed(r, k, &cursor));
    int status = pd_changes_seek(&r->changes, doc);
    for (; status >= 0 && (status = next_document(r, f->last, &doc, &w)) == PD_OK; doc++) {
        pd_dedup_reached(r->d, shard->documents + doc - f->first, 2 * shard->documents);
        PD_TRY(change_document(r, &cursor, copier, doc, w, shard, whole_file));
        PD_TRY(pd_dedup_poll(r->d));
    }
    return status < 0 ? status : pd_copier_finish(copier);
}

int pd_records_write(struct pd_records *r, uint64_t k, FILE *to, struct pd_shard *shard,
                     bool *whole_file)
{
    const struct pd_dedup *d = r->d;
    struct pd_copier *copier;
    bool rows = false;
    if (shard->spans > 0)
        pd_reader_uncut(d->fetch.reader, d->files[k].found, &rows);
    if (rows)
        return pd_dedup_write_rows(r->d, k, to, shard);
    int status = pd_copier_open(&copier, d->files[k].found, to);
    PD_THEN(status, change_documents(r, k, copier, shard, whole_file));
    pd_copier_close(copier);
    return status;
}
