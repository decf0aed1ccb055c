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

#ifdef __SSE2__

/* Each bit is set when an odd number of those up to it were. */
static inline unsigned odd_so_far(unsigned x)
{
    for (unsigned n = 1; n < 32; n *= 2)
        x ^= x << n;
    return x;
}

/*
 * Behind the first '>', when it ends the tag. With no quotes before it does; else when they come in pairs,
 * each first one stands right behind a '=' with a letter before, and no other '=' and no single quote
 * is outside of them. NULL: it is not so, or hard to tell. So the place is known before it is sure.
 */
static inline const unsigned char *after_first_gt(const unsigned char *s, const unsigned char *end)
{
    enum { STEP = sizeof(__m128i), MOST = 2 * STEP };
    unsigned odd = 0, any = 0, wrong = 0, last_signs = 0, last_letters = 0;
    for (; end - s >= MOST; s += MOST) {
        unsigned closes = 0, quotes = 0, singles = 0, signs = 0, letters = 0;
        for (unsigned at = 0; at < MOST; at += STEP) {
            const __m128i x = _mm_loadu_si128((const __m128i *)(s + at));
            closes |= mask_of(x, '>') << at;
            quotes |= mask_of(x, '"') << at;
            singles |= mask_of(x, '\'') << at;
            signs |= mask_of(x, '=') << at;
            const __m128i big = _mm_cmpgt_epi8(x, _mm_set1_epi8('='));
            letters |= (unsigned)_mm_movemask_epi8(big) << at;
        }
        const unsigned here = (closes - 1) & ~closes; /* before the first; all, if there is none */
        quotes &= here;
        const unsigned inside = odd_so_far(quotes) ^ odd, outside = ~(inside ^ quotes);
        const unsigned behind_sign = (signs << 1 | last_signs) & outside;
        const unsigned named = letters << 2 | last_letters;
        any |= quotes | (singles & here);
        wrong |=
            ((behind_sign ^ (quotes & inside)) | (behind_sign & ~named) | (singles & ~inside)) &
            here;
        odd = -(inside >> (MOST - 1));
        last_signs = signs >> (MOST - 1);
        last_letters = letters >> (MOST - 2);
        if (closes != 0)
            return (wrong | odd) && any ? NULL : s + __builtin_ctz(closes) + 1;
    }
    return NULL;
}

#endif

const unsigned char *pd_tag_end_attributes(const unsigned char *s, const unsigned char *end)
{
    bool self_closing;
#ifdef __SSE2__
    const unsigned char *gt = after_first_gt(s, end);
    if (gt)
        return gt;
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
        const unsigned char *quote = s[at] == '"' ? pd_find(s + at + 1, end, '"') /* known sooner */
                                                  : pd_find(s + at + 1, end, '\'');
        if (quote == end)
            return NULL;
        s = quote + 1;
    }
#endif
    return pd_tag_end_slow(s, end, &self_closing);
}
