/* html_tag.c - see html_tag.h */
#include "html_tag.h"

#include <string.h>

#include "document/find.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* clang-format off */
enum { SPACE = 1, NAME_END = 2 };
static const unsigned char classes[256] = {
    ['\t'] = SPACE | NAME_END, ['\n'] = SPACE | NAME_END, ['\f'] = SPACE | NAME_END,
    ['\r'] = SPACE | NAME_END, [' '] = SPACE | NAME_END, ['/'] = NAME_END, ['>'] = NAME_END};
/* clang-format on */

static bool is_space(unsigned char c) { return (classes[c] & SPACE) != 0; }

bool pd_html_space(unsigned char c) { return is_space(c); }

/* c in lower case. NUL, which pads names, becomes a character that no name has. */
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

/*
 * The position behind the value of an attribute; s is behind the '='. NULL when the page ends
 * inside quotes.
 */
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

#ifdef PD_VECTORS

/* A bit for each byte of x that is c. */
static inline unsigned mask_of(__m128i x, char c)
{
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8(c)));
}

enum { STEP = 32 }; /* bytes of a tag that are read together, one bit each */

/* Bit k is set when byte k is the sign. */
struct signs {
    unsigned closes;  /* > */
    unsigned quotes;  /* " */
    unsigned singles; /* ' */
    unsigned equals;  /* = */
    unsigned letters; /* ASCII above =, such as all letters */
};

static inline struct signs signs_of(const unsigned char *s)
{
    struct signs signs = {0};
    for (unsigned shift = 0; shift < STEP; shift += sizeof(__m128i)) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(s + shift));
        signs.closes |= mask_of(x, '>') << shift;
        signs.quotes |= mask_of(x, '"') << shift;
        signs.singles |= mask_of(x, '\'') << shift;
        signs.equals |= mask_of(x, '=') << shift;
        const __m128i letters = _mm_cmpgt_epi8(x, _mm_set1_epi8('='));
        signs.letters |= (unsigned)_mm_movemask_epi8(letters) << shift;
    }
    return signs;
}

/* A bit of the result is set when an odd number of bits of x are set, up to and with this bit. */
static inline unsigned odd_so_far(unsigned x)
{
    for (unsigned n = 1; n < STEP; n *= 2)
        x ^= x << n;
    return x;
}

/* signs_of() and odd_so_far() with AVX2 and carry-less multiplication, where x86 has them. */
#ifdef __SSE2__
#define WIDE __attribute__((target("avx2,bmi,pclmul")))

static bool has_wide(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("pclmul");
}

WIDE static inline unsigned wide_mask_of(__m256i x, char c)
{
    return (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_set1_epi8(c)));
}

WIDE static inline struct signs wide_signs_of(const unsigned char *s)
{
    const __m256i x = _mm256_loadu_si256((const __m256i *)s);
    const __m256i letters = _mm256_cmpgt_epi8(x, _mm256_set1_epi8('='));
    return (struct signs){wide_mask_of(x, '>'), wide_mask_of(x, '"'), wide_mask_of(x, '\''),
                          wide_mask_of(x, '='), (unsigned)_mm256_movemask_epi8(letters)};
}

WIDE static inline unsigned wide_odd_so_far(unsigned x)
{
    const __m128i ones = _mm_set1_epi8(-1);
    return (unsigned)_mm_cvtsi128_si32(_mm_clmulepi64_si128(_mm_cvtsi32_si128((int)x), ones, 0));
}
#else
#define WIDE
static bool has_wide(void) { return false; }
static inline struct signs wide_signs_of(const unsigned char *s) { return signs_of(s); }
static inline unsigned wide_odd_so_far(unsigned x) { return odd_so_far(x); }
#endif

/*
 * The position behind the first '>', when it ends the tag; NULL when it does not, or when that is
 * hard to tell. The '>' ends the tag when no quotes are before it. With quotes it ends the tag when
 * all of this is true before it:
 * - The double quotes come in pairs.
 * - The first quote of each pair is right behind a '=' with a letter before it.
 * - No other '=' and no single quote is outside of a pair.
 * The position does not depend on the check, so the processor goes on while the check is made.
 */
__attribute__((always_inline)) static inline const unsigned char *
after_first_gt(const unsigned char *s, const unsigned char *end, bool wide)
{
    unsigned odd = 0, any_quote = 0, wrong = 0, last_equals = 0, last_letters = 0;
    for (; end - s >= STEP; s += STEP) {
        const struct signs signs = wide ? wide_signs_of(s) : signs_of(s);
        /* the bits before the first '>', or all bits without '>' */
        const unsigned before_gt = (signs.closes - 1) & ~signs.closes;
        const unsigned quotes = signs.quotes & before_gt;
        const unsigned inside = (wide ? wide_odd_so_far(quotes) : odd_so_far(quotes)) ^ odd;
        const unsigned outside = ~(inside ^ quotes);
        const unsigned behind_sign = (signs.equals << 1 | last_equals) & outside;
        const unsigned named = signs.letters << 2 | last_letters;
        any_quote |= quotes | (signs.singles & before_gt);
        wrong |= ((behind_sign ^ (quotes & inside)) | (behind_sign & ~named) |
                  (signs.singles & ~inside)) &
                 before_gt;
        odd = -(inside >> (STEP - 1));
        last_equals = signs.equals >> (STEP - 1);
        last_letters = signs.letters >> (STEP - 2);
        if (signs.closes != 0)
            return (wrong | odd) && any_quote ? NULL : s + __builtin_ctz(signs.closes) + 1;
    }
    return NULL;
}

#endif

/* The position behind the '>' that ends the tag, when it is hard to tell or not the first '>'. */
__attribute__((noinline)) static const unsigned char *end_by_attributes(const unsigned char *s,
                                                                        const unsigned char *end)
{
    bool self_closing;
#ifdef PD_VECTORS
    /*
     * Read one attribute at a time. A '>' with no quote before it ends the tag. The first quote
     * opens a value when the only '=' before it is right before it, with a byte of a name before
     * the '='.
     */
    while (end - s >= (ptrdiff_t)sizeof(__m128i)) {
        const __m128i x = _mm_loadu_si128((const __m128i *)s);
        const unsigned close = mask_of(x, '>'), quotes = mask_of(x, '"') | mask_of(x, '\'');
        if ((close | quotes) == 0)
            break;
        const unsigned first = (unsigned)__builtin_ctz(close | quotes);
        if (close >> first & 1)
            return s + first + 1;
        const unsigned equals = mask_of(x, '=') & ((1u << first) - 1);
        if (first < 2 || equals != 1u << (first - 1) || (classes[s[first - 2]] & NAME_END))
            break;
        /* the search starts sooner with a constant than with s[first] */
        const unsigned char *quote =
            s[first] == '"' ? pd_find(s + first + 1, end, '"') : pd_find(s + first + 1, end, '\'');
        if (quote == end)
            return NULL;
        s = quote + 1;
    }
#endif
    return pd_tag_end_slow(s, end, &self_closing);
}

#ifdef PD_VECTORS

const unsigned char *pd_tag_end_16(const unsigned char *s, const unsigned char *end)
{
    const unsigned char *gt = after_first_gt(s, end, false);
    return gt ? gt : end_by_attributes(s, end);
}

WIDE static const unsigned char *wide_tag_end(const unsigned char *s, const unsigned char *end)
{
    const unsigned char *gt = after_first_gt(s, end, true);
    return gt ? gt : end_by_attributes(s, end);
}

const unsigned char *pd_tag_end_attributes(const unsigned char *s, const unsigned char *end)
{
    return has_wide() ? wide_tag_end(s, end) : pd_tag_end_16(s, end);
}

#else

const unsigned char *pd_tag_end_attributes(const unsigned char *s, const unsigned char *end)
{
    return end_by_attributes(s, end);
}

#endif
