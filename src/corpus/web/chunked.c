/* corpus/web/chunked.c - see chunked.h */
#include "chunked.h"

#include <stdint.h>
#include <string.h>

#include "pardup/base/scan.h"

#define PAD          64                /* readable bytes behind a body */
#define CHUNK_LINE   ((size_t)1 << 10) /* bytes of a chunk-size line with its extensions */
#define CHUNK_DIGITS 15 /* hexadecimal digits of a chunk size: more do not fit 64 bits */
#define OFF_MOST     4  /* bytes by which a size may be off: two line ends */

/* Bytes of the line end at s[0, n): LF behind any number of CR; 0 when there is none. */
static size_t line_end(const unsigned char *s, size_t n)
{
    size_t k = 0;
    while (k < n && k < OFF_MOST && s[k] == '\r')
        k++;
    return k < n && s[k] == '\n' ? k + 1 : 0;
}

/* Bytes of the empty lines at s[0, n). */
static size_t empty_lines(const unsigned char *s, size_t n)
{
    size_t k = 0;
    for (size_t m; (m = line_end(s + k, n - k)) > 0;)
        k += m;
    return k;
}

/* Bytes of the chunk-size line at s; 0 when it is none. Blanks may follow the size. */
static size_t chunk_line(const unsigned char *s, size_t n, uint64_t *size)
{
    size_t k = 0;
    *size = 0;
    while (k < n && k < CHUNK_DIGITS && pd_scan_hex_digit(s[k]) >= 0)
        *size = *size << 4 | (uint64_t)pd_scan_hex_digit(s[k++]);
    if (k == 0)
        return 0;
    while (k < n && k < CHUNK_LINE && (s[k] == ' ' || s[k] == '\t'))
        k++;
    const size_t end = line_end(s + k, n - k);
    if (end > 0)
        return k + end;
    if (k == n || s[k] != ';')
        return 0;
    const unsigned char *lf = memchr(s + k, '\n', n - k < CHUNK_LINE ? n - k : CHUNK_LINE);
    return lf ? (size_t)(lf - s) + 1 : 0;
}

bool pd_chunk_line_is(const unsigned char *s, size_t n)
{
    size_t k = 0;
    while (k < n && k < CHUNK_DIGITS && pd_scan_hex_digit(s[k]) >= 0)
        k++;
    return k > 0 && (k == n || memchr("; \t\r\n", s[k], 5) != NULL);
}

/* Is s[0, n) what may follow the last chunk: nothing, empty lines, or header fields? */
static bool is_trailer(const unsigned char *s, size_t n)
{
    for (size_t at = 0; at < n;) {
        const unsigned char *lf = memchr(s + at, '\n', n - at);
        const size_t line = (lf ? (size_t)(lf - s) + 1 : n) - at;
        size_t name = 0;
        while (name < line && s[at + name] > ' ' && s[at + name] < 0x7f && s[at + name] != ':')
            name++;
        const bool field = name > 0 && name < line && s[at + name] == ':';
        if (!field && line_end(s + at, line) != line)
            return false;
        at += line;
    }
    return true;
}

bool pd_chunked_whole(const unsigned char *s, size_t n)
{
    uint64_t size;
    if (n == 0)
        return false;
    for (size_t at = 0, line; (line = chunk_line(s + at, n - at, &size)) > 0;) {
        const size_t from = at + line;
        if (size == 0)
            return at > 0 && is_trailer(s + from, n - from);
        if (size > n - from)
            break;
        const size_t end = line_end(s + from + size, n - from - (size_t)size);
        if (end == 0)
            break;
        at = from + (size_t)size + end;
    }
    return false;
}

/* Is there a line end at s[at], and then, behind empty lines, the size of another chunk? */
static bool goes_on(const unsigned char *s, size_t n, size_t at)
{
    uint64_t size;
    const size_t end = at < n ? empty_lines(s + at, n - at) : 0;
    return end > 0 && chunk_line(s + at + end, n - at - end, &size) > 0;
}

/*
 * The chunk s[from, at) is not followed by a line end. Returns where it ends if its size is a few
 * bytes off, else 0.
 */
static size_t correct(const unsigned char *s, size_t n, size_t from, size_t at)
{
    for (size_t off = 1; off <= OFF_MOST; off++) {
        if (goes_on(s, n, at + off))
            return at + off;
        if (at - from > off && goes_on(s, n, at - off))
            return s[at - off - 1] == '\r' ? at - off - 1 : at - off;
    }
    return 0;
}

/* Does a first chunk that is longer than s[0, n) look like one that was cut short? */
static bool looks_cut(const unsigned char *s, size_t n)
{
    return n > 0 && (s[0] == '<' || s[0] < ' ' || s[0] >= 0x7f);
}

/* Bytes of the empty line in front of a chunk that does not count for its size, which was `off`. */
static size_t stray_line(const unsigned char *s, size_t n, size_t off)
{
    const size_t end = line_end(s, n);
    return end == off ? end : 0;
}

bool pd_unchunk(const unsigned char *s, size_t n, struct pd_bytes *out, bool *cut)
{
    *cut = false;
    out->n = 0;
    pd_bytes_reserve(out, n + PAD);
    bool first = true;
    for (size_t at = empty_lines(s, n); first || at < n; first = false) {
        uint64_t size;
        const size_t line = chunk_line(s + at, n - at, &size);
        if (line == 0 && first)
            return false;
        if (line == 0) { /* no size line: the rest as it is */
            pd_bytes_append(out, s + at, n - at);
            break;
        }
        size_t from = at + line;
        if (size == 0)
            return !first || is_trailer(s + from, n - from);
        if (size > n - from) {
            if (first && !looks_cut(s + from, n - from))
                return false;
            pd_bytes_append(out, s + from, n - from);
            *cut = true;
            break;
        }
        size_t end = from + (size_t)size;
        if (end < n && line_end(s + end, n - end) == 0) {
            const size_t right = correct(s, n, from, end);
            if (right == 0 && first)
                return false;
            if (right > end)
                from += stray_line(s + from, n - from, right - end);
            end = right == 0 ? n : right;
        }
        pd_bytes_append(out, s + from, end - from);
        at = end + empty_lines(s + end, n - end);
    }
    return true;
}
