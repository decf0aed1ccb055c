#include "html_tag.h"

#include <string.h>

#include "find.h"

/* clang-format off */
enum { SPACE = 1, NAME_END = 2 };
static const unsigned char classes[256] = {
    ['\t'] = SPACE | NAME_END, ['\n'] = SPACE | NAME_END, ['\f'] = SPACE | NAME_END,
    ['\r'] = SPACE | NAME_END, [' '] = SPACE | NAME_END, ['/'] = NAME_END, ['>'] = NAME_END};
/* clang-format on */

static bool is_space(unsigned char c) { return (classes[c] & SPACE) != 0; }

bool pd_html_space(unsigned char c) { return is_space(c); }

/* NUL, which pads names, becomes a character that is in none. */
static unsigned char lower(unsigned char c)
{
    if (c > ' ')
        return c | 0x20;
    return c ? c : '?';
}

const unsigned char *pd_tag_name_slow(const unsigned char *s, const unsigned char *end,
                                      struct pd_tag_name *name)
{
    unsigned char bytes[PD_TAG_NAME] = {0};
    size_t n = 0;
    for (; s < end && !(classes[*s] & NAME_END); s++, n++) {
        if (n < sizeof bytes)
            bytes[n] = lower(*s);
    }
    if (n > sizeof bytes)
        memset(bytes, 0, sizeof bytes);
    memcpy(name, bytes, sizeof *name);
    return s;
}

/* After an attribute's '='. NULL when the page ends inside quotes. */
static const unsigned char *skip_value(const unsigned char *s, const unsigned char *end)
{
    while (s < end && is_space(*s))
        s++;
    if (s < end && (*s == '"' || *s == '\'')) {
        const unsigned char *quote = pd_find(s + 1, end, *s);
        return quote < end ? quote + 1 : NULL;
    }
    while (s < end && !is_space(*s) && *s != '>')
        s++;
    return s;
}

const unsigned char *pd_tag_end_slow(const unsigned char *s, const unsigned char *end,
                                     bool *self_closing)
{
    *self_closing = false;
    while (s && s < end) {
        if (*s == '>')
            return s + 1;
        const unsigned char first = *s++;
        if (is_space(first))
            continue;
        if (first == '/') {
            *self_closing = s < end && *s == '>';
            continue;
        }
        while (s < end && !(classes[*s] & NAME_END) && *s != '=') /* `first` may be '=' */
            s++;
        while (s < end && is_space(*s))
            s++;
        if (s < end && *s == '=')
            s = skip_value(s + 1, end);
    }
    return NULL;
}

#ifdef __SSE2__
static inline unsigned mask_of(__m128i x, char c)
{
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8(c)));
}
#endif

const unsigned char *pd_tag_end_attributes(const unsigned char *s, const unsigned char *end)
{
    bool self_closing;
#ifdef __SSE2__
    /*
     * An attribute at a time: with a single '=' before the first quote, right between it and a
     * byte of a name, the quote opens a value; and without a quote before it, '>' ends the tag.
     */
    while (end - s >= (ptrdiff_t)sizeof(__m128i)) {
        const __m128i x = _mm_loadu_si128((const __m128i *)s);
        const unsigned close = mask_of(x, '>'), quotes = mask_of(x, '"') | mask_of(x, '\'');
        if ((close | quotes) == 0)
            break;
        const unsigned at = (unsigned)__builtin_ctz(close | quotes);
        if (close >> at & 1)
            return s + at + 1;
        const unsigned signs = mask_of(x, '=') & ((1u << at) - 1);
        if (at < 2 || signs != 1u << (at - 1) || (classes[s[at - 2]] & NAME_END))
            break;
        const unsigned char *quote = pd_find(s + at + 1, end, s[at]);
        if (quote == end)
            return NULL;
        s = quote + 1;
    }
#endif
    return pd_tag_end_slow(s, end, &self_closing);
}
