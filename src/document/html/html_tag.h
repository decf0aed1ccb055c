/*
 * html_tag.h - the names of tags, and the ends of tags.
 *
 * Private to document/. WHATWG HTML standard, sections 13.2.5.8 to 13.2.5.40.
 */
#ifndef PARDUP_DOCUMENT_HTML_TAG_H
#define PARDUP_DOCUMENT_HTML_TAG_H

#include <stdbool.h>

#include "document/find.h"
#include "html_element.h"

/* Whether c is white space in HTML, where a vertical tab is none. */
bool pd_html_space(unsigned char c);

/*
 * Read the name of a tag, which begins at s, into *name. Returns the position behind it. A name
 * longer than PD_TAG_NAME bytes becomes all zeros. Letters become lower case; signs in the name may
 * change too, but no name of an element has any.
 */
const unsigned char *pd_tag_name_slow(const unsigned char *s, const unsigned char *end,
                                      struct pd_tag_name *name);

/* Do what pd_tag_name_slow() does, faster. */
static inline const unsigned char *pd_tag_name(const unsigned char *s, const unsigned char *end,
                                               struct pd_tag_name *name)
{
#ifdef PD_VECTORS
    enum { N = PD_TAG_NAME };
    static const unsigned char mask[2 * N] = {255, 255, 255, 255, 255, 255, 255, 255,
                                              255, 255, 255, 255, 255, 255, 255, 255};
    if (end - s >= N) {
        const __m128i x = _mm_loadu_si128((const __m128i *)s);
        const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(' ')), x);
        const __m128i signs = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('/')),
                                           _mm_cmpeq_epi8(x, _mm_set1_epi8('>')));
        const unsigned ends = (unsigned)_mm_movemask_epi8(_mm_or_si128(low, signs));
        const unsigned n = ends ? (unsigned)__builtin_ctz(ends) : 0;
        if (ends && (s[n] >= ' ' || pd_html_space(s[n]))) { /* control characters end no name */
            const __m128i first = _mm_loadu_si128((const __m128i *)(mask + N - n));
            const __m128i lower_case = _mm_or_si128(x, _mm_set1_epi8(0x20));
            _mm_storeu_si128((__m128i *)name, _mm_and_si128(lower_case, first));
            return s + n;
        }
    }
#endif
    return pd_tag_name_slow(s, end, name);
}

#ifdef PD_VECTORS
enum { PD_TAG_BEYOND = 2 + PD_TAG_NAME }; /* bytes from '<' on that must be readable */

/*
 * Read the name of the start or end tag whose '<' is at `lt` into *name. Returns the position
 * behind the name; NULL when there is no tag or it is not a simple case. The end of the name is
 * found without waiting for where the name begins.
 */
static inline const unsigned char *pd_tag_read(const unsigned char *lt, struct pd_tag_name *name)
{
    enum { N = PD_TAG_NAME };
    static const unsigned char mask[2 * N] = {255, 255, 255, 255, 255, 255, 255, 255,
                                              255, 255, 255, 255, 255, 255, 255, 255};
    const __m128i x = _mm_loadu_si128((const __m128i *)lt);
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(' ')), x);
    const __m128i signs =
        _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('/')), _mm_cmpeq_epi8(x, _mm_set1_epi8('>')));
    const unsigned ends = (unsigned)_mm_movemask_epi8(_mm_or_si128(low, signs)) & ~3u;
    if (ends == 0)
        return NULL;
    const unsigned n = (unsigned)__builtin_ctz(ends);
    const unsigned begin = 1 + (lt[1] == '/');
    const unsigned char first = lt[begin] | 0x20;
    if (first < 'a' || first > 'z' || (lt[n] < ' ' && !pd_html_space(lt[n])))
        return NULL;
    const __m128i own = _mm_loadu_si128((const __m128i *)(mask + N - (n - begin)));
    const __m128i text = _mm_loadu_si128((const __m128i *)(lt + begin));
    _mm_storeu_si128((__m128i *)name, _mm_and_si128(_mm_or_si128(text, _mm_set1_epi8(0x20)), own));
    return lt + n;
}
#endif

/*
 * The position behind the '>' of a tag; NULL when the page ends inside the tag. s is behind the
 * name of the tag, `end` is the end of the page. pd_tag_end_slow() reads one attribute after
 * another, and also sets *self_closing, as for "<br/>". pd_tag_end() is the function to call; it
 * calls pd_tag_end_attributes() unless the tag ends right behind its name.
 */
const unsigned char *pd_tag_end_slow(const unsigned char *s, const unsigned char *end,
                                     bool *self_closing);
const unsigned char *pd_tag_end_attributes(const unsigned char *s, const unsigned char *end);
#ifdef PD_VECTORS /* for tests: pd_tag_end_attributes() as it is without AVX2 */
const unsigned char *pd_tag_end_16(const unsigned char *s, const unsigned char *end);
#endif

static inline const unsigned char *pd_tag_end(const unsigned char *s, const unsigned char *end)
{
    return s < end && *s == '>' ? s + 1 : pd_tag_end_attributes(s, end);
}

#endif
