/* corpus/mail.c - files that are one message each; for its text see mail.h */
#include "mail.h"

#include <string.h>
#include <strings.h>

#include "inside.h"

#define PAD           64                /* readable bytes behind a body */
#define HEADER_MOST   ((size_t)1 << 20) /* bytes of the header of a message or part */
#define DEPTH_MOST    8                 /* levels of multipart content inside each other */
#define PARTS_MOST    1000              /* parts of a message that are looked at */
#define NAME_MOST     ((size_t)80)      /* bytes of a header field's name */
#define BOUNDARY_MOST ((size_t)100)     /* bytes of a boundary; RFC 2046 allows 70 */

/* The header fields that are read. */
enum { TYPE, ENCODING, DISPOSITION, NFIELDS };

/* A message, or a part of one, that is text. */
struct part {
    const unsigned char *s;   /* its body, still encoded */
    size_t n;                 /* bytes of s */
    struct pd_field type;     /* Content-Type */
    struct pd_field encoding; /* Content-Transfer-Encoding */
    enum pd_media media;      /* PD_MEDIA_UNKNOWN: no text has been found */
};

/* The search for the text of a message. */
struct search {
    struct pd_arena *arena;
    int parts;        /* parts that have been looked at */
    struct part best; /* the text that is taken if no better one follows */
};

/* ---- is it a message? ---- */

/* Bytes of the field name at the start of the line s[0, n); 0 when there is none. */
static size_t field_name(const unsigned char *s, size_t n)
{
    size_t k = 0;
    while (k < n && k < NAME_MOST && s[k] > ' ' && s[k] < 0x7f && s[k] != ':')
        k++;
    return k < n && s[k] == ':' ? k : 0;
}

/* Does the file begin with the header of a message? White space before a header is not allowed. */
static bool begins_message(const struct pd_beginning *file)
{
    const unsigned char *s = file->s;
    const size_t n = file->n;
    static const char *const others[] = {"Subject",    "Date", "Message-ID", "Newsgroups",
                                         "References", "Path", "Received",   "To"};
    bool from = false, other = false;
    for (size_t line = 0; line < n;) {
        const unsigned char *lf = memchr(s + line, '\n', n - line);
        const size_t end = lf ? (size_t)(lf - s) : n;
        if (lf && (end == line || (end == line + 1 && s[line] == '\r')))
            return from && other;
        const size_t name = field_name(s + line, end - line);
        const bool more = line > 0 && (s[line] == ' ' || s[line] == '\t');
        if (name == 0 && !more && lf)
            return false;
        from |= name == 4 && strncasecmp((const char *)s + line, "From", 4) == 0;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            other |= name == strlen(others[k]) &&
                     strncasecmp((const char *)s + line, others[k], name) == 0;
        line = end + 1;
    }
    return from && other; /* s ends inside the header */
}

/* ---- parts ---- */

static void find_text(struct search *f, const unsigned char *s, size_t n, int depth);

/* Offset of the first line in s[from, n) that begins with delimiter[0, m); n when there is none. */
static size_t find_boundary(const unsigned char *s, size_t from, size_t n, const char *delimiter,
                            size_t m)
{
    for (size_t k = from; k < n; k++) {
        const unsigned char *hit = memmem(s + k, n - k, delimiter, m);
        if (!hit)
            break;
        k = (size_t)(hit - s);
        if (k == 0 || s[k - 1] == '\n')
            return k;
    }
    return n;
}

/* Look for text in the parts of the multipart content s[0, n), until plain text is found. */
static void find_in_parts(struct search *f, const unsigned char *s, size_t n,
                          const struct pd_field *boundary, int depth)
{
    char delimiter[BOUNDARY_MOST + 2];
    if (boundary->n == 0 || boundary->n > BOUNDARY_MOST)
        return;
    memcpy(delimiter, "--", 2);
    memcpy(delimiter + 2, boundary->v, boundary->n);
    const size_t m = boundary->n + 2;
    size_t at = find_boundary(s, 0, n, delimiter, m);
    while (at < n && f->best.media != PD_MEDIA_TEXT && f->parts++ < PARTS_MOST) {
        const unsigned char *lf = memchr(s + at, '\n', n - at);
        if (!lf || (n - at >= m + 2 && memcmp(s + at + m, "--", 2) == 0))
            return;
        const size_t from = (size_t)(lf - s) + 1, next = find_boundary(s, from, n, delimiter, m);
        size_t end = next;
        if (next < n && end > from) /* the line end before a boundary belongs to the boundary */
            end -= end > from + 1 && s[end - 2] == '\r' ? 2 : 1;
        find_text(f, s + from, end - from, depth + 1);
        at = next;
    }
}

static bool has_prefix(const struct pd_field *f, const char *prefix)
{
    return f->v && f->n >= strlen(prefix) && strncasecmp(f->v, prefix, strlen(prefix)) == 0;
}

/* Is content of this type no text? Old messages have text of types that no list knows. */
static bool is_other(const struct pd_field *type)
{
    static const char *const kinds[] = {"multipart/", "message/", "application/", "image/",
                                        "audio/",     "video/",   "model/",       "font/"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (has_prefix(type, kinds[k]))
            return true;
    return false;
}

/* Look for text in the message or part s[0, n), which is a header, an empty line and a body. */
static void find_text(struct search *f, const unsigned char *s, size_t n, int depth)
{
    struct pd_field field[NFIELDS] = {[TYPE] = {.name = "Content-Type"},
                                      [ENCODING] = {.name = "Content-Transfer-Encoding"},
                                      [DISPOSITION] = {.name = "Content-Disposition"}};
    const size_t most = n < HEADER_MOST ? n : HEADER_MOST, end = pd_fields_end(s, most);
    const size_t header = end > 0 ? end : most;
    pd_fields_read(s, header, field, NFIELDS, f->arena);
    s += header;
    n -= header;
    const struct pd_field type = pd_field_main(&field[TYPE]);
    const struct pd_field disposition = pd_field_main(&field[DISPOSITION]);
    if (pd_field_is(&disposition, "attachment"))
        return;
    if (has_prefix(&type, "multipart/") && depth < DEPTH_MOST) {
        const struct pd_field boundary = pd_field_parameter(&field[TYPE], "boundary");
        find_in_parts(f, s, n, &boundary, depth);
        return;
    }
    if (pd_field_is(&type, "message/rfc822") && depth < DEPTH_MOST) {
        find_text(f, s, n, depth + 1);
        return;
    }
    const bool html = pd_field_is(&type, "text/html");
    const bool text = !html && !is_other(&type);
    if (text || (html && f->best.media == PD_MEDIA_UNKNOWN))
        f->best =
            (struct part){s, n, field[TYPE], field[ENCODING], html ? PD_MEDIA_HTML : PD_MEDIA_TEXT};
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

static int hex_digit(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void decode_quoted(const unsigned char *s, size_t n, struct pd_bytes *out)
{
    for (size_t k = 0; k < n; k++) {
        if (s[k] != '=') {
            out->v[out->n++] = s[k];
            continue;
        }
        if (k + 2 < n && hex_digit(s[k + 1]) >= 0 && hex_digit(s[k + 2]) >= 0) {
            out->v[out->n++] = (unsigned char)(hex_digit(s[k + 1]) << 4 | hex_digit(s[k + 2]));
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

static void drop_controls(struct pd_raw *raw, struct pd_bytes *out)
{
    size_t k = 0, n = 0;
    while (k < raw->n && !is_control(raw->body[k]))
        k++;
    if (k == raw->n)
        return;
    if (raw->body != out->v) {
        out->n = 0;
        pd_bytes_reserve(out, raw->n + PAD);
    }
    for (k = 0; k < raw->n; k++)
        if (!is_control(raw->body[k]))
            out->v[n++] = raw->body[k];
    out->n = raw->n = n;
    raw->body = out->v;
}

static void decode(const struct part *p, bool base64, struct pd_bytes *out, struct pd_raw *raw)
{
    out->n = 0;
    pd_bytes_reserve(out, p->n + PAD);
    if (base64)
        decode_base64(p->s, p->n, out);
    else
        decode_quoted(p->s, p->n, out);
    raw->body = out->v;
    raw->n = out->n;
}

bool pd_mail_read(const unsigned char *s, size_t n, struct pd_arena *arena,
                  struct pd_bytes *decoded, struct pd_raw *raw)
{
    struct search f = {.arena = arena};
    find_text(&f, s, n, 0);
    const struct part *p = &f.best;
    if (p->media == PD_MEDIA_UNKNOWN)
        return false;
    const struct pd_field charset = pd_field_parameter(&p->type, "charset");
    const struct pd_field encoding = pd_field_main(&p->encoding);
    raw->media = p->media;
    raw->charset = charset.v;
    raw->charset_n = charset.n;
    raw->body = p->s;
    raw->n = p->n;
    const bool base64 = pd_field_is(&encoding, "base64");
    if (base64 || pd_field_is(&encoding, "quoted-printable"))
        decode(p, base64, decoded, raw);
    if (p->media == PD_MEDIA_TEXT)
        drop_controls(raw, decoded);
    return true;
}

static bool extract_text(struct pd_reader *r, struct pd_raw *raw)
{
    return pd_mail_read(raw->body, raw->n, &r->arena, &r->text, raw);
}

const struct pd_layout pd_layout_mail = {
    .recognises = begins_message, .next = pd_whole_next, .extract = extract_text};
