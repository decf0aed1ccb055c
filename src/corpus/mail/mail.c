/* corpus/mail/mail.c - files that are one message each; for its text see mail.h */
#include "mail.h"

#include <string.h>
#include <strings.h>

#include "corpus/media.h"
#include "mail_parts.h"
#include "pardup/base/error.h"
#include "pardup/base/scan.h"

#define PAD 64 /* readable bytes behind a body */

/* Where the header of a file begins: behind a byte order mark and empty lines. */
static size_t header_at(const unsigned char *s, size_t n)
{
    size_t k = n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (k < n && (s[k] == '\n' || s[k] == '\r'))
        k++;
    return k;
}

static bool begins_message(const struct pd_beginning *file)
{
    const size_t from = header_at(file->s, file->n);
    return pd_fields_begin_message(file->s + from, file->n - from);
}

/* ---- transfer encodings ---- */

/* The six bits that a base64 character stands for; -1 when it is none. */
static int sextet(unsigned char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/*
 * Is s[0, n) base64? A text that is only called so has blanks and marks between its words: more
 * than one byte in eight that base64 does not have, line ends aside.
 */
static bool is_base64(const unsigned char *s, size_t n)
{
    size_t foreign = 0, k = 0;
    for (; k < n && s[k] != '='; k++)
        foreign += sextet(s[k]) < 0 && s[k] != '\n' && s[k] != '\r';
    return foreign * 8 <= k;
}

static void decode_base64(const unsigned char *s, size_t n, struct pd_bytes *out)
{
    uint32_t bits = 0;
    int held = 0;
    for (size_t k = 0; k < n && s[k] != '='; k++) {
        const int x = sextet(s[k]);
        if (x < 0)
            continue; /* line ends and other characters, which RFC 2045 says to ignore */
        bits = bits << 6 | (uint32_t)x;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out->v[out->n++] = (unsigned char)(bits >> held);
        }
    }
}

static void decode_quoted(const unsigned char *s, size_t n, struct pd_bytes *out)
{
    for (size_t k = 0; k < n; k++) {
        if (s[k] != '=') {
            out->v[out->n++] = s[k];
            continue;
        }
        if (k + 2 < n && pd_scan_hex_digit(s[k + 1]) >= 0 && pd_scan_hex_digit(s[k + 2]) >= 0) {
            out->v[out->n++] =
                (unsigned char)(pd_scan_hex_digit(s[k + 1]) << 4 | pd_scan_hex_digit(s[k + 2]));
            k += 2;
            continue;
        }
        size_t end = k + 1; /* a soft line break: the line goes on */
        while (end < n && (s[end] == ' ' || s[end] == '\t' || s[end] == '\r'))
            end++;
        if (end < n && s[end] == '\n')
            k = end;
        else
            out->v[out->n++] = '=';
    }
}

/*
 * Is c a control character to drop? Old terminals and mail programs left such characters, for which
 * document/ would take the text for binary data. ESC, SO and SI stay, since ISO 2022 uses them. A
 * zero byte stays, as a body with one is no text.
 */
static bool is_control(unsigned char c)
{
    return (c > 0 && c < '\t') || (c > 0x0f && c < ' ' && c != 0x1b) || c == 0x7f;
}

static void drop_controls(struct pd_bytes *out, size_t from)
{
    size_t n = from;
    for (size_t k = from; k < out->n; k++)
        if (!is_control(out->v[k]))
            out->v[n++] = out->v[k];
    out->n = n;
}

/* Bytes of the line at s[0, n), with its line end; *text: without it. */
static size_t line_bytes(const unsigned char *s, size_t n, size_t *text)
{
    const unsigned char *lf = memchr(s, '\n', n);
    *text = lf ? (size_t)(lf - s) : n;
    const size_t bytes = *text + (lf != NULL);
    *text -= *text > 0 && s[*text - 1] == '\r';
    return bytes;
}

/*
 * Bytes of the file in the code of uuencode that begins at s[0, n); 0: there is none. A line begins
 * with the number of its bytes, and four letters stand for three bytes; blanks at its end may be
 * lost.
 */
static size_t uucoded(const unsigned char *s, size_t n)
{
    enum { MODE = 3, LINE = 61 };
    size_t text, at = line_bytes(s, n, &text), lines = 0, next;
    if (text < 12 || memcmp(s, "begin ", 6) != 0)
        return 0;
    for (int k = 0; k < MODE; k++)
        if (s[6 + k] < '0' || s[6 + k] > '7')
            return 0;
    for (; at < n; at += next, lines++) {
        next = line_bytes(s + at, n - at, &text);
        if (text == 3 && memcmp(s + at, "end", 3) == 0)
            return lines > 0 ? at + next : 0;
        const size_t bytes = text > 0 ? (s[at] - ' ') % 64u : 0, most = (bytes + 2) / 3 * 4 + 1;
        if (text > LINE + 1 || text > most + 1 || (bytes > 0 && text + 4 < most))
            return 0;
    }
    return 0;
}

/* Drop the files in out->v[from, out->n) that are in the code of uuencode. */
static void drop_uucoded(struct pd_bytes *out, size_t from)
{
    size_t n = from, text;
    for (size_t k = from, line; k < out->n; k += line) {
        const size_t coded = uucoded(out->v + k, out->n - k);
        line = coded > 0 ? coded : line_bytes(out->v + k, out->n - k, &text);
        if (coded == 0) {
            memmove(out->v + n, out->v + k, line);
            n += line;
        }
    }
    out->n = n;
}

/* ---- the document ---- */

/* May s[0, n) have lines in the code of uuencode? Most mails have not, and memmem() takes its time. */
static bool may_be_uucoded(const unsigned char *s, size_t n)
{
    const unsigned char *end = s + n, *at = s;
    while ((at = memchr(at, 'b', (size_t)(end - at))) && end - at >= 6)
        if (memcmp(at++, "begin ", 6) == 0)
            return true;
    return false;
}

/* Append the decoded body of the part to `out`. */
static void decode(const struct pd_mail_part *p, struct pd_bytes *out)
{
    const struct pd_field encoding = pd_field_main(&p->encoding);
    const size_t from = out->n;
    pd_bytes_reserve(out, out->n + p->n + PAD);
    if (pd_field_is(&encoding, "base64") && is_base64(p->s, p->n))
        decode_base64(p->s, p->n, out);
    else if (pd_field_is(&encoding, "quoted-printable"))
        decode_quoted(p->s, p->n, out);
    else
        pd_bytes_append(out, p->s, p->n);
    if (p->media == PD_MEDIA_TEXT)
        drop_controls(out, from);
    if (p->media == PD_MEDIA_TEXT && may_be_uucoded(out->v + from, out->n - from))
        drop_uucoded(out, from);
}

/* Is s[0, n) ASCII without escape sequences, and so the same in nearly every character set? */
static bool is_ascii(const unsigned char *s, size_t n)
{
    size_t k = 0;
    while (k < n && s[k] < 0x80 && s[k] != 0x1b)
        k++;
    return k == n;
}

/* Turn the plain text out->v[from, out->n) into HTML. */
static void make_html(struct pd_bytes *out, size_t from)
{
    struct pd_bytes text = {0};
    pd_bytes_append(&text, out->v + from, out->n - from);
    out->n = from;
    pd_bytes_append(out, "<pre>", 5);
    for (size_t k = 0; k < text.n; k++) {
        const char *as = text.v[k] == '<' ? "&lt;" : text.v[k] == '&' ? "&amp;" : NULL;
        pd_bytes_append(out, as ? (const void *)as : text.v + k, as ? strlen(as) : 1);
    }
    pd_bytes_append(out, "</pre>", 6);
    pd_bytes_release(&text);
}

static bool has_html(const struct pd_mail_parts *parts)
{
    for (size_t k = 0; k < parts->n; k++)
        if (parts->v[k].media == PD_MEDIA_HTML)
            return true;
    return false;
}

/*
 * Join the parts in `out`, and set the media and charset of *raw. All parts must be in one
 * character set: that of the first one that is not ASCII. Returns how many are left out.
 */
static size_t join(const struct pd_mail_parts *parts, struct pd_bytes *out, struct pd_raw *raw)
{
    const bool html = has_html(parts);
    bool decided = false;
    size_t left_out = 0;
    raw->media = html ? PD_MEDIA_HTML : PD_MEDIA_TEXT;
    for (size_t k = 0; k < parts->n; k++) {
        const struct pd_mail_part *p = &parts->v[k];
        const size_t begin = out->n;
        while (begin > 0 && out->n > 0 && out->v[out->n - 1] == '\n')
            out->n--;
        if (out->n > 0)
            pd_bytes_append(out, "\n\n", 2);
        const size_t from = out->n;
        decode(p, out);
        const struct pd_field charset = pd_media_charset(&p->type);
        const bool plain = is_ascii(out->v + from, out->n - from);
        const bool same = raw->charset_n == charset.n &&
                          (charset.n == 0 || strncasecmp(raw->charset, charset.v, charset.n) == 0);
        if (!plain && decided && !same) {
            out->n = begin;
            left_out++;
            continue;
        }
        if (!decided && (!plain || k == 0)) {
            raw->charset = charset.v;
            raw->charset_n = charset.n;
        }
        decided |= !plain;
        if (html && p->media == PD_MEDIA_TEXT)
            make_html(out, from);
    }
    return left_out;
}

/* Set media, charset and body of *raw from its only part. */
static void take_part(const struct pd_mail_part *p, struct pd_bytes *decoded, struct pd_raw *raw)
{
    const struct pd_field charset = pd_media_charset(&p->type);
    const struct pd_field encoding = pd_field_main(&p->encoding);
    bool as_is = !pd_field_is(&encoding, "base64") && !pd_field_is(&encoding, "quoted-printable") &&
                 !may_be_uucoded(p->s, p->n);
    for (size_t k = 0; as_is && p->media == PD_MEDIA_TEXT && k < p->n; k++)
        as_is = !is_control(p->s[k]);
    raw->media = p->media;
    raw->charset = charset.v;
    raw->charset_n = charset.n;
    raw->body = p->s;
    raw->n = p->n;
    if (as_is)
        return;
    decode(p, decoded);
    raw->body = decoded->v;
    raw->n = decoded->n;
}

/* What a message has that its document has not. */
struct unread {
    size_t left_out; /* texts in another character set */
    size_t beyond;   /* parts that are not looked into */
};

/* pd_mail_extract(), without telling what is not read. */
static bool read_message(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw,
                         struct unread *unread)
{
    struct pd_mail_parts parts = {0};
    struct pd_bytes *decoded = &r->text;
    decoded->n = 0;
    unread->left_out = 0;
    unread->beyond = pd_mail_find_parts(s, n, &r->arena, &parts);
    const bool any = parts.n > 0;
    if (parts.n == 1) {
        take_part(&parts.v[0], decoded, raw);
    } else if (any) {
        unread->left_out = join(&parts, decoded, raw);
        pd_bytes_reserve(decoded, decoded->n + PAD);
        raw->body = decoded->v;
        raw->n = decoded->n;
    }
    pd_mail_parts_release(&parts);
    return any;
}

/* May c stand in a mail address? White space and the marks around addresses do not. */
static bool is_of_address(char c) { return (unsigned char)c > ' ' && !strchr("<>()\",;:", c); }

/* Set the sender of *raw: the first address in the field From of the message s[0, n). */
static void take_sender(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw)
{
    struct pd_field from = {.name = "From"};
    pd_fields_read(s, pd_fields_end(s, n), &from, 1, &r->arena);
    const char *const at = from.n ? memchr(from.v, '@', from.n) : NULL;
    raw->sender_n = 0;
    if (!at)
        return;
    const char *begin = at, *end = at;
    while (begin > from.v && is_of_address(begin[-1]))
        begin--;
    while (end < from.v + from.n && is_of_address(*end))
        end++;
    raw->sender = begin;
    raw->sender_n = (size_t)(end - begin);
}

/* Keep what the header of the message s[0, n) says, if fields with its names are kept. */
static void take_kept(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw)
{
    struct pd_field fields[] = {{.name = "Subject"}, {.name = "From"}, {.name = "Date"}};
    static const char *const names[] = {"title", "author", "date"};
    const struct pd_keeping *keep = r->options.keep;
    struct pd_kept *values = NULL;
    for (size_t k = 0; keep && !raw->kept && k < keep->n; k++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (strcmp(keep->names[k], names[i]) != 0)
                continue;
            if (!values) {
                pd_fields_read(s, pd_fields_end(s, n), fields, 3, &r->arena);
                values = pd_arena_alloc(&r->arena, keep->n * sizeof *values);
                memset(values, 0, keep->n * sizeof *values);
            }
            values[k] = (struct pd_kept){.v = fields[i].v, .n = fields[i].n};
        }
    if (values)
        raw->kept = values;
}

bool pd_mail_extract(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw)
{
    struct unread unread;
    const bool any = read_message(r, s, n, raw, &unread);
    take_sender(r, s, n, raw);
    take_kept(r, s, n, raw);
    if (unread.beyond > 0)
        pd_reader_tell(r, PD_SKIP_TOO_LARGE,
                       "the message has too many parts, or too many inside each other");
    if (unread.left_out > 0)
        pd_reader_tell(r, PD_SKIP_CHARSET,
                       "%zu texts of the message are in another character set than its first one",
                       unread.left_out);
    return any;
}

static int extract_text(struct pd_reader *r, struct pd_raw *raw)
{
    const size_t from = header_at(raw->body, raw->n);
    return pd_mail_extract(r, raw->body + from, raw->n - from, raw) ? PD_OK : PD_END;
}

const struct pd_layout pd_layout_mail = {
    .recognises = begins_message, .next = pd_whole_next, .extract = extract_text};
