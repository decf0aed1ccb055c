/* corpus/copy/splice_warc.c - records of web archives written again, see pardup/corpus/splice.h */
#include <string.h>
#include <strings.h>

#include "corpus/fields.h"
#include "splice_inside.h"

/* What becomes of a header. */
enum head {
    HEAD_CUT,       /* the content is as it was, but shorter */
    HEAD_CONVERTED, /* the content becomes plain text */
    HEAD_REVISIT,   /* the content becomes the header of HTTP alone */
    HEAD_HTTP       /* the same as HEAD_CUT for the header of HTTP; the content has no coding */
};

static bool is_field(const unsigned char *line, size_t n, const char *name)
{
    const size_t m = strlen(name);
    return n > m && line[m] == ':' && strncasecmp((const char *)line, name, m) == 0;
}

/* Does a field no longer hold when the content has changed? */
static bool is_stale(const unsigned char *line, size_t n, enum head head)
{
    static const char *const warc[] = {"WARC-Block-Digest", "WARC-Payload-Digest",
                                       "WARC-Identified-Payload-Type", NULL};
    static const char *const http[] = {
        "Transfer-Encoding", "Content-Encoding", "Content-MD5", "Content-Digest",
        "Repr-Digest",       "Digest",           NULL};
    const char *const *names = head == HEAD_HTTP ? http : warc;
    while (*names && !is_field(line, n, *names))
        names++;
    return *names != NULL;
}

/* Append a line of a header whose content has so many bytes. */
static void append_line(const unsigned char *line, size_t n, size_t content, enum head head,
                        struct pd_bytes *to)
{
    if (is_stale(line, n, head))
        return;
    if (is_field(line, n, "Content-Length"))
        pd_bytes_print(to, "Content-Length: %zu\r\n", content);
    else if (head == HEAD_CONVERTED && is_field(line, n, "Content-Type"))
        pd_bytes_print(to, "Content-Type: text/plain; charset=utf-8\r\n");
    else if (head == HEAD_CONVERTED && is_field(line, n, "WARC-Type"))
        pd_bytes_print(to, "WARC-Type: conversion\r\n");
    else if (head == HEAD_REVISIT && is_field(line, n, "WARC-Type"))
        pd_bytes_print(to, "WARC-Type: revisit\r\n");
    else if (head == HEAD_REVISIT && content == 0 && is_field(line, n, "Content-Type"))
        return;
    else
        pd_bytes_append(to, line, n);
}

/* Append the header s[0, n). A line that goes on a field that was changed or dropped goes, too. */
static void append_head(const unsigned char *s, size_t n, size_t content, enum head head,
                        struct pd_bytes *to)
{
    bool dropped = false;
    for (size_t k = 0, line; k < n; k += line) {
        const unsigned char *at = s + k, *end = memchr(at, '\n', n - k);
        line = end ? (size_t)(end - at) + 1 : n - k;
        const bool goes_on = *at == ' ' || *at == '\t';
        const size_t before = to->n;
        if (!goes_on || !dropped)
            append_line(at, line, content, head, to);
        dropped = goes_on ? dropped : to->n != before + line;
    }
}

size_t pd_splice_head(const struct pd_raw *raw, const unsigned char *text, size_t n, bool *exact)
{
    const size_t head = raw->kind == PD_RECORD_WARC ? pd_fields_end(raw->record, raw->record_n) : 0;
    *exact = head && raw->body == raw->record + head && pd_splice_is_body(raw, text, n);
    return head;
}

void pd_splice_behind(const unsigned char *head, size_t head_n, bool exact,
                      const struct pd_trimmed *t, struct pd_bytes *to)
{
    struct pd_bytes content = {0};
    to->n = 0;
    pd_cut_text(t, &content);
    append_head(head, head_n, content.n, exact ? HEAD_CUT : HEAD_CONVERTED, to);
    pd_bytes_append(to, content.v, content.n);
    pd_bytes_append(to, "\r\n\r\n", 4);
    pd_bytes_release(&content);
}

void pd_splice_warc(const struct pd_raw *raw, const struct pd_trimmed *t, struct pd_bytes *to)
{
    const size_t warc = pd_fields_end(raw->record, raw->record_n);
    struct pd_bytes content = {0};
    size_t body = t->n;
    for (size_t k = 0; k < t->cuts->n; k++)
        body -= t->cuts->v[k].end - t->cuts->v[k].begin;
    append_head(raw->record + warc, raw->head_n - warc, body, HEAD_HTTP, &content);
    pd_cut_text(t, &content);
    append_head(raw->record, warc, content.n, HEAD_CUT, to);
    pd_bytes_append(to, content.v, content.n);
    pd_bytes_append(to, "\r\n\r\n", 4);
    pd_bytes_release(&content);
}

/* ---- revisits ---- */

enum { ID, ADDRESS, DATE, DIGEST, WANTED };

/* What the header of a record of an archive says; values live in the arena. */
static void read_head(const struct pd_raw *raw, struct pd_field v[WANTED], struct pd_arena *arena)
{
    static const char *const names[] = {"WARC-Record-ID", "WARC-Target-URI", "WARC-Date",
                                        "WARC-Payload-Digest"};
    for (int k = 0; k < WANTED; k++)
        v[k] = (struct pd_field){.name = names[k]};
    pd_fields_read(raw->record, pd_fields_end(raw->record, raw->record_n), v, WANTED, arena);
}

static void append_field(const char *name, const struct pd_field *f, struct pd_bytes *to)
{
    if (f->v)
        pd_bytes_print(to, "%s: %.*s\r\n", name, (int)f->n, f->v);
}

/* Is the digest that the crawler found, where it found one, the same? */
static bool agree(const struct pd_field *a, const struct pd_field *b)
{
    if (!a->v || !b->v)
        return a->v || b->v;
    return a->n == b->n && memcmp(a->v, b->v, a->n) == 0;
}

static bool is_same_payload(const struct pd_raw *a, const struct pd_raw *b)
{
    return a->kind == PD_RECORD_WARC && b->kind == PD_RECORD_WARC && a->n == b->n &&
           (a->n == 0 || memcmp(a->body, b->body, a->n) == 0);
}

/* Append the record. The fields of both records are known. */
static void append_revisit(const struct pd_raw *gone, const struct pd_field *was,
                           const struct pd_field *kept, struct pd_bytes *to)
{
    const size_t warc = pd_fields_end(gone->record, gone->record_n), n = gone->head_n - warc;
    const bool late = warc > 8 && memcmp(gone->record, "WARC/1.1", 8) == 0;
    append_head(gone->record, warc, n, HEAD_REVISIT, to);
    while (to->n > 0 && (to->v[to->n - 1] == '\n' || to->v[to->n - 1] == '\r'))
        to->n--;
    pd_bytes_print(to,
                   "\r\nWARC-Profile: http://netpreserve.org/warc/%s/revisit/"
                   "identical-payload-digest\r\n",
                   late ? "1.1" : "1.0");
    append_field("WARC-Refers-To", &kept[ID], to);
    append_field("WARC-Refers-To-Target-URI", &kept[ADDRESS], to);
    append_field("WARC-Refers-To-Date", &kept[DATE], to);
    append_field("WARC-Payload-Digest", was[DIGEST].v ? &was[DIGEST] : &kept[DIGEST], to);
    pd_bytes_print(to, "\r\n");
    pd_bytes_append(to, gone->record + warc, n);
    pd_bytes_append(to, "\r\n\r\n", 4);
}

bool pd_splice_revisit(const struct pd_raw *gone, const struct pd_raw *kept, struct pd_bytes *to)
{
    struct pd_field was[WANTED], stays[WANTED];
    struct pd_arena arena = {0};
    bool same = is_same_payload(gone, kept);
    if (same) {
        read_head(gone, was, &arena);
        read_head(kept, stays, &arena);
        same = stays[ID].v && agree(&was[DIGEST], &stays[DIGEST]);
    }
    if (same)
        append_revisit(gone, was, stays, to);
    pd_arena_release(&arena);
    return same;
}
