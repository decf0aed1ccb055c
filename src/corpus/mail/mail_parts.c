/* corpus/mail/mail_parts.c - see mail_parts.h */
#include "mail_parts.h"

#include <string.h>
#include <strings.h>

#include "corpus/media.h"
#include "pardup/base/scan.h"

#define HEADER_MOST ((size_t)1 << 20) /* bytes of the header of a message or part */
#define DEPTH_MOST  64                /* levels of messages and parts inside each other */
#define PARTS_MOST  1000              /* parts of a message that are looked at */
#define GUESS_LOOK                                                                                 \
    ((size_t)64 << 10) /* bytes in which a boundary that is not named is looked for */
#define GUESSES_MOST 8 /* lines that are tried as a boundary */

/* The header fields that are read. */
enum { TYPE, ENCODING, DISPOSITION, NFIELDS };

/* The search for the texts of a message. */
struct search {
    struct pd_arena *arena;
    struct pd_mail_parts *parts; /* the texts that have been found */
    int seen;                    /* parts that have been looked at */
    size_t left;                 /* messages and parts that are not looked into */
};

static void find_text(struct search *f, const unsigned char *s, size_t n, bool digest, int depth);

/* ---- boundaries ---- */

/* Is what follows a delimiter, s[0, n), the rest of its line: blanks, or "--" and blanks? */
static bool ends_line(const unsigned char *s, size_t n)
{
    size_t k = n >= 2 && memcmp(s, "--", 2) == 0 ? 2 : 0;
    while (k < n && (s[k] == ' ' || s[k] == '\t' || s[k] == '\r'))
        k++;
    return k == n || s[k] == '\n';
}

/* Offset of the first line in s[from, n) that is the delimiter d[0, m); n when there is none. */
static size_t find_boundary(const unsigned char *s, size_t from, size_t n, const char *d, size_t m)
{
    for (size_t k = from; k < n; k++) {
        const unsigned char *hit = memmem(s + k, n - k, d, m);
        if (!hit)
            break;
        k = (size_t)(hit - s);
        if ((k == 0 || s[k - 1] == '\n') && ends_line(hit + m, n - k - m))
            return k;
    }
    return n;
}

/*
 * The delimiter of the multipart content s[0, n), if its header does not name it: the first line
 * that begins with "--" and is followed by a field such as Content-Type, or by an empty line.
 * Returns its bytes; 0 when there is none.
 */
static size_t guess_delimiter(const unsigned char *s, size_t n, const char **delimiter)
{
    int guesses = 0;
    for (size_t at = 0; at < n && at < GUESS_LOOK;) {
        const size_t line = pd_scan_line(s + at, n - at), next = at + line;
        size_t m = line;
        while (m > 0 && strchr(" \t\r\n", s[at + m - 1]))
            m--;
        const bool field = n - next >= 8 && strncasecmp((const char *)s + next, "Content-", 8) == 0;
        const bool empty = next < n && (s[next] == '\n' || s[next] == '\r');
        *delimiter = (const char *)s + at;
        if (m > 2 && memcmp(s + at, "--", 2) == 0 && s[at + 2] != ' ' &&
            (field ||
             (empty && guesses++ < GUESSES_MOST && find_boundary(s, next, n, *delimiter, m) < n)))
            return m;
        at = next;
    }
    return 0;
}

/*
 * The delimiter that the header of the multipart content s[0, n) names, or else a guess. Returns
 * the bytes of the delimiter; 0 when the content has none.
 */
static size_t find_delimiter(struct search *f, const unsigned char *s, size_t n,
                             const struct pd_field *boundary, const char **delimiter)
{
    if (boundary->n > 0) {
        char *named = pd_arena_alloc(f->arena, boundary->n + 2);
        memcpy(named, "--", 2);
        memcpy(named + 2, boundary->v, boundary->n);
        *delimiter = named;
        if (find_boundary(s, 0, n, named, boundary->n + 2) < n)
            return boundary->n + 2;
    }
    return guess_delimiter(s, n, delimiter);
}

/* ---- parts ---- */

static bool has_prefix(const struct pd_field *f, const char *prefix)
{
    return f->v && f->n >= strlen(prefix) && strncasecmp(f->v, prefix, strlen(prefix)) == 0;
}

static bool is_blank(const unsigned char *s, size_t n)
{
    while (n > 0 && memchr(" \t\r\n", s[n - 1], 4))
        n--;
    return n == 0;
}

/* Is one of these texts plain, and not empty? */
static bool has_plain(const struct pd_mail_parts *parts, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        if (parts->v[k].media == PD_MEDIA_TEXT && !is_blank(parts->v[k].s, parts->v[k].n))
            return true;
    return false;
}

/* Is each of these texts empty? */
static bool all_blank(const struct pd_mail_parts *parts, size_t from, size_t to)
{
    while (from < to && is_blank(parts->v[from].s, parts->v[from].n))
        from++;
    return from == to;
}

/*
 * The texts from `mark` on are of one alternative, and the texts before it, from `first` on, of the
 * best one before: keep the better ones.
 */
static void choose(struct pd_mail_parts *parts, size_t first, size_t mark)
{
    if (mark == first || parts->n == mark)
        return;
    if (all_blank(parts, first, mark) ||
        (!has_plain(parts, first, mark) && has_plain(parts, mark, parts->n))) {
        memmove(parts->v + first, parts->v + mark, (parts->n - mark) * sizeof *parts->v);
        parts->n = first + (parts->n - mark);
    } else {
        parts->n = mark;
    }
}

static void push_text(struct search *f, const unsigned char *s, size_t n,
                      const struct pd_field field[NFIELDS], enum pd_media media)
{
    pd_mail_parts_push(f->parts, (struct pd_mail_part){s, n, field[TYPE], field[ENCODING], media});
}

/* Look for texts in the parts of the multipart content s[0, n). Without parts it is plain text. */
static void find_in_parts(struct search *f, const unsigned char *s, size_t n,
                          const struct pd_field *boundary, const struct pd_field *type, int depth)
{
    const bool alternative = has_prefix(type, "multipart/alternative");
    const bool digest = has_prefix(type, "multipart/digest");
    const char *delimiter;
    const size_t m = find_delimiter(f, s, n, boundary, &delimiter);
    const size_t first = f->parts->n;
    if (m == 0) {
        push_text(f, s, n, (const struct pd_field[NFIELDS]){{0}}, PD_MEDIA_TEXT);
        return;
    }
    size_t at = find_boundary(s, 0, n, delimiter, m);
    while (at < n) {
        const unsigned char *lf = memchr(s + at, '\n', n - at);
        if (!lf || (n - at >= m + 2 && memcmp(s + at + m, "--", 2) == 0))
            return;
        if (f->seen++ >= PARTS_MOST) {
            f->left++; /* this part and the parts behind it */
            return;
        }
        const size_t from = (size_t)(lf - s) + 1, next = find_boundary(s, from, n, delimiter, m);
        size_t end = next;
        if (next < n && end > from) /* the line end before a boundary belongs to the boundary */
            end -= end > from + 1 && s[end - 2] == '\r' ? 2 : 1;
        const size_t mark = f->parts->n;
        find_text(f, s + from, end - from, digest, depth + 1);
        if (alternative)
            choose(f->parts, first, mark);
        at = next;
    }
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

/*
 * Look for texts in the message or part s[0, n), which is a header, an empty line and a body.
 *   digest   a part without a type is a message (RFC 2046, section 5.1.5)
 */
static void find_text(struct search *f, const unsigned char *s, size_t n, bool digest, int depth)
{
    struct pd_field field[NFIELDS] = {[TYPE] = {.name = "Content-Type"},
                                      [ENCODING] = {.name = "Content-Transfer-Encoding"},
                                      [DISPOSITION] = {.name = "Content-Disposition"}};
    enum pd_media media;
    const size_t most = n < HEADER_MOST ? n : HEADER_MOST, end = pd_fields_end(s, most);
    const size_t header = end > 0 ? end : most;
    pd_fields_read(s, header, field, NFIELDS, f->arena);
    s += header;
    n -= header;
    const struct pd_field type = pd_field_main(&field[TYPE]);
    const struct pd_field disposition = pd_field_main(&field[DISPOSITION]);
    if (pd_field_is(&disposition, "attachment"))
        return;
    const bool message = pd_field_is(&type, "message/rfc822") || (digest && type.n == 0);
    if ((message || has_prefix(&type, "multipart/")) && depth >= DEPTH_MOST) {
        f->left++;
    } else if (has_prefix(&type, "multipart/")) {
        const struct pd_field boundary = pd_field_parameter(&field[TYPE], "boundary");
        find_in_parts(f, s, n, &boundary, &type, depth);
    } else if (message) {
        find_text(f, s, n, false, depth + 1);
    } else if (pd_field_is(&type, "text/html")) {
        push_text(f, s, n, field, PD_MEDIA_HTML);
    } else if (!is_other(&type) && pd_media_of(&type, &media) != PD_TYPE_NO) {
        push_text(f, s, n, field, PD_MEDIA_TEXT);
    }
}

size_t pd_mail_find_parts(const unsigned char *s, size_t n, struct pd_arena *arena,
                          struct pd_mail_parts *parts)
{
    struct search f = {.arena = arena, .parts = parts};
    find_text(&f, s, n, false, 0);
    return f.left;
}
