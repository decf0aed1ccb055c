/* run/dedup/cursor.c - the walk through the wanted documents of a file. */
#include "pardup/base/error.h"
#include "run/dedup/dedup.h"

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
