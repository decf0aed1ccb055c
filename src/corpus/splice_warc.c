/* corpus/splice_warc.c - records of web archives written again, see pardup/corpus/splice.h */
#include <string.h>
#include <strings.h>

#include "fields.h"
#include "splice_inside.h"

/* What becomes of a header. */
enum head {
    HEAD_CUT,       /* the content is as it was, but shorter */
    HEAD_CONVERTED, /* the content becomes plain text */
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
