/* run/dedup/bodies.c - records cut in their own bytes, and proved by reading them again. */
#include <string.h>

#include "pardup/base/error.h"
#include "run/dedup/write.h"

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

int pd_dedup_cut_body(struct pd_dedup *d, struct pd_dedup_bodies *b, const struct pd_raw *raw,
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

void pd_dedup_bodies_release(struct pd_dedup_bodies *b)
{
    pd_trace_release(&b->trace);
    pd_cuts_release(&b->cuts);
    pd_spliced_release(&b->spliced);
    pd_bytes_release(&b->wanted);
}
