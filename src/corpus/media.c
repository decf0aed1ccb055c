/* corpus/media.c - see media.h */
#include "media.h"

#include <string.h>
#include <strings.h>

#define COUNT(a)  (sizeof(a) / sizeof *(a))
#define PAGE_LOOK ((size_t)4 << 10) /* bytes in which a page must begin */

static bool has_prefix(const char *s, size_t n, const char *prefix)
{
    return n >= strlen(prefix) && strncasecmp(s, prefix, strlen(prefix)) == 0;
}

static bool is_word(const char *s, size_t n, const char *word)
{
    return n == strlen(word) && strncasecmp(s, word, n) == 0;
}

/* Does c stand between words? */
static bool is_separator(char c)
{
    static const bool separators[256] = {
        ['\0'] = true, ['\t'] = true, ['\n'] = true, ['\r'] = true, [' '] = true,
        ['"'] = true,  ['\''] = true, ['('] = true,  [')'] = true,  [','] = true,
        [':'] = true,  [';'] = true,  ['<'] = true,  ['>'] = true};
    return separators[(unsigned char)c];
}

/* The next word of f from *at on; n is 0 when there is none. *at moves behind it. */
static struct pd_field next_word(const struct pd_field *f, size_t *at)
{
    size_t from = *at;
    while (from < f->n && is_separator(f->v[from]))
        from++;
    size_t to = from;
    while (to < f->n && !is_separator(f->v[to]))
        to++;
    *at = to;
    return (struct pd_field){NULL, f->v + from, to - from};
}

/* The subtypes of HTML, also in the ways in which servers misspell them. */
static bool is_html(const char *subtype, size_t n)
{
    return has_prefix(subtype, n, "htm") || has_prefix(subtype, n, "x-htm") ||
           has_prefix(subtype, n, "server-parsed-htm") || has_prefix(subtype, n, "x-server-parsed");
}

/* Subtypes of application/ that are surely no page, whatever the body is. */
static bool is_file(const char *subtype, size_t n)
{
    static const char *const files[] = {
        "pdf",  "x-pdf",  "zip",  "x-zip",  "gzip",  "x-gzip",       "x-rar",      "x-tar",
        "x-7z", "vnd.",   "msw",  "ms-",    "json",  "javascript",   "x-java",     "java",
        "font", "x-font", "wasm", "x-shoc", "rtf",   "postscript",   "ecmascript", "ogg",
        "mp4",  "x-bitt", "epub", "warc",   "x-msd", "manifest+json"};
    for (size_t k = 0; k < COUNT(files); k++)
        if (has_prefix(subtype, n, files[k]))
            return true;
    return false;
}

/* Subtypes of text/ that nobody reads as a text. */
static bool is_code(const char *subtype, size_t n)
{
    return is_word(subtype, n, "dns") || is_word(subtype, n, "css") ||
           is_word(subtype, n, "javascript") || is_word(subtype, n, "x-javascript") ||
           is_word(subtype, n, "ecmascript") || is_word(subtype, n, "vcard") ||
           is_word(subtype, n, "x-vcard") || is_word(subtype, n, "directory") ||
           is_word(subtype, n, "calendar") || is_word(subtype, n, "x-vcalendar");
}

/* Subtypes of application/ that are feeds. */
static bool is_feed(const char *subtype, size_t n)
{
    return is_word(subtype, n, "rss+xml") || is_word(subtype, n, "atom+xml") ||
           is_word(subtype, n, "rdf+xml");
}

/* What the type v[0, n) says, whose '/' is v[slash]. */
static enum pd_type_says judge(const char *v, size_t n, size_t slash, enum pd_media *media)
{
    static const char *const files[] = {"image", "audio", "video", "font", "model"};
    const char *subtype = v + slash + 1;
    const size_t m = n - slash - 1;
    *media = PD_MEDIA_UNKNOWN;
    for (size_t k = 0; k < COUNT(files); k++)
        if (is_word(v, slash, files[k]))
            return PD_TYPE_NO;
    if (has_prefix(subtype, m, "xhtml") || has_prefix(subtype, m, "vnd.wap.xhtml")) {
        *media = PD_MEDIA_XHTML;
        return PD_TYPE_YES;
    }
    if (is_html(subtype, m)) {
        *media = PD_MEDIA_HTML;
        return PD_TYPE_YES;
    }
    if (is_word(v, slash, "text")) {
        if (is_word(subtype, m, "plain"))
            *media = PD_MEDIA_TEXT;
        return is_code(subtype, m) ? PD_TYPE_NO : PD_TYPE_YES;
    }
    if (is_word(v, slash, "application") && !is_word(subtype, m, "unknown") && !is_feed(subtype, m))
        return is_file(subtype, m) ? PD_TYPE_NO : PD_TYPE_PERHAPS;
    const bool nothing = is_feed(subtype, m) || is_word(v, slash, "*") ||
                         is_word(v, slash, "unknown") || is_word(v, slash, "x-unknown") ||
                         is_word(subtype, m, "unknown");
    return nothing ? PD_TYPE_YES : PD_TYPE_PERHAPS;
}

enum pd_type_says pd_media_of(const struct pd_field *type, enum pd_media *media)
{
    enum pd_type_says first = PD_TYPE_YES;
    bool any = false;
    *media = PD_MEDIA_UNKNOWN;
    for (size_t at = 0; type->v && at < type->n;) {
        const struct pd_field word = next_word(type, &at);
        size_t slash = 0;
        while (slash < word.n && word.v[slash] != '/' && word.v[slash] != '\\' &&
               word.v[slash] != '=')
            slash++;
        if (slash == word.n || word.v[slash] == '=') {
            if (!any && is_html(word.v, word.n)) { /* "html", without "text/" */
                *media = PD_MEDIA_HTML;
                return PD_TYPE_YES;
            }
            continue;
        }
        enum pd_media one;
        const enum pd_type_says says = judge(word.v, word.n, slash, &one);
        if (!any) {
            first = says;
            *media = one;
        } else if (one != *media && says == PD_TYPE_YES && one != PD_MEDIA_UNKNOWN) {
            /* a list that cannot make up its mind: HTML, unless it began as plain text */
            *media = first == PD_TYPE_YES && *media != PD_MEDIA_UNKNOWN ? PD_MEDIA_UNKNOWN : one;
            return PD_TYPE_YES;
        }
        any = true;
    }
    return first;
}

struct pd_field pd_media_charset(const struct pd_field *type)
{
    static const char name[] = "charset";
    const size_t m = sizeof name - 1;
    for (size_t k = 0; type->v && k + m < type->n; k++) {
        if ((type->v[k] | 0x20) != 'c' || strncasecmp(type->v + k, name, m) != 0)
            continue;
        const size_t from = k + m;
        size_t at = from;
        while (at < type->n && strchr("=:\"' \t", type->v[at]))
            at++;
        if (at == from) /* such as "charsets" */
            continue;
        struct pd_field v = next_word(type, &at);
        const char *equals = memchr(v.v, '=', v.n);
        if (equals) /* the value is missing, and the next parameter follows */
            v.n = 0;
        return v.n > 0 ? (struct pd_field){NULL, v.v, v.n} : (struct pd_field){0};
    }
    return (struct pd_field){0};
}

bool pd_media_begins_page(const unsigned char *s, size_t n)
{
    static const char *const openings[] = {"<!doctype html", "<html", "<head", "<body",
                                           "<!doctype rss",  "<rss",  "<feed", "<rdf:rdf"};
    const char *at = (const char *)s, *const end = at + (n < PAGE_LOOK ? n : PAGE_LOOK);
    if (has_prefix(at, (size_t)(end - at), "\xef\xbb\xbf"))
        at += 3;
    for (;;) {
        while (at < end && *at != '\0' && strchr(" \t\r\n\f", *at))
            at++;
        const bool comment = has_prefix(at, (size_t)(end - at), "<!--");
        if (!comment && !has_prefix(at, (size_t)(end - at), "<?xml"))
            break;
        const char *close = memmem(at, (size_t)(end - at), comment ? "-->" : "?>", comment ? 3 : 2);
        if (!close)
            return false;
        at = close + (comment ? 3 : 2);
    }
    for (size_t k = 0; k < COUNT(openings); k++)
        if (has_prefix(at, (size_t)(end - at), openings[k]))
            return true;
    return false;
}
