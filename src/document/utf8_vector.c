/* utf8_vector.c - see utf8_vector.h */
#include "utf8_vector.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <stdbool.h>

#define WIDE __attribute__((target("avx2")))

/*
 * The errors that two consecutive bytes can show, one bit each. Three tables give, for a nibble
 * (half a byte) of the two bytes, the errors that this nibble allows. An error that all three
 * tables allow is there. For example E0 80, an overlong form: E as the high nibble of the first
 * byte allows SHORT, OVERLONG_3 and SURROGATE, its low nibble 0 allows CARRY and all overlong
 * forms, and 8 as the high nibble of the second byte allows OVERLONG_3, but neither SHORT nor
 * SURROGATE. OVERLONG_3 remains. OVERLONG_4 and LARGER share a bit, as one test finds both.
 */
enum {
    SHORT = 1 << 0,      /* a lead byte before a byte that is no continuation byte */
    LONG = 1 << 1,       /* ASCII before a continuation byte */
    OVERLONG_3 = 1 << 2, /* E0 before a byte below A0: an overlong form of three bytes */
    LARGE = 1 << 3,      /* F4 or more before a byte above 8F: above U+10FFFF */
    SURROGATE = 1 << 4,  /* ED before a byte above 9F: a surrogate */
    OVERLONG_2 = 1 << 5, /* C0 or C1: an overlong form of two bytes */
    OVERLONG_4 = 1 << 6, /* F0 before a byte below 90: an overlong form of four bytes */
    LARGER = 1 << 6,     /* F5 or more before a byte below 90: above U+10FFFF */
    TWO = 1 << 7,        /* two continuation bytes: correct in characters of three or four bytes */
    CARRY = SHORT | LONG | TWO /* errors that the low nibble of the first byte does not decide */
};

/* clang-format off */
static const unsigned char by_first_high[16] = {
    LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, TWO, TWO, TWO, TWO,
    SHORT | OVERLONG_2, SHORT, SHORT | OVERLONG_3 | SURROGATE,
    SHORT | LARGE | LARGER | OVERLONG_4};
static const unsigned char by_first_low[16] = {
    CARRY | OVERLONG_2 | OVERLONG_3 | OVERLONG_4, CARRY | OVERLONG_2, CARRY, CARRY,
    CARRY | LARGE, CARRY | LARGE | LARGER, CARRY | LARGE | LARGER, CARRY | LARGE | LARGER,
    CARRY | LARGE | LARGER, CARRY | LARGE | LARGER, CARRY | LARGE | LARGER,
    CARRY | LARGE | LARGER, CARRY | LARGE | LARGER, CARRY | LARGE | LARGER | SURROGATE,
    CARRY | LARGE | LARGER, CARRY | LARGE | LARGER};
static const unsigned char by_second_high[16] = {
    SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT,
    LONG | OVERLONG_2 | TWO | OVERLONG_3 | LARGER | OVERLONG_4,
    LONG | OVERLONG_2 | TWO | OVERLONG_3 | LARGE,
    LONG | OVERLONG_2 | TWO | SURROGATE | LARGE, LONG | OVERLONG_2 | TWO | SURROGATE | LARGE,
    SHORT, SHORT, SHORT, SHORT};
/* clang-format on */

WIDE static inline __m256i look_up(const unsigned char table[16], __m256i nibbles)
{
    const __m128i half = _mm_loadu_si128((const __m128i *)table);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(half), nibbles);
}

WIDE static inline __m256i high_nibbles(__m256i x)
{
    return _mm256_and_si256(_mm256_srli_epi16(x, 4), _mm256_set1_epi8(0x0F));
}

/*
 * For each byte of x, not zero when the byte is wrong behind the bytes before it. `before` is the
 * 32 bytes before x.
 */
WIDE static inline __m256i errors(__m256i x, __m256i before)
{
    const __m256i seam = _mm256_permute2x128_si256(before, x, 0x21);
    const __m256i before1 = _mm256_alignr_epi8(x, seam, 15); /* the byte before each byte of x */
    const __m256i before2 = _mm256_alignr_epi8(x, seam, 14),
                  before3 = _mm256_alignr_epi8(x, seam, 13);
    const __m256i low = _mm256_and_si256(before1, _mm256_set1_epi8(0x0F));
    const __m256i first =
        _mm256_and_si256(look_up(by_first_high, high_nibbles(before1)), look_up(by_first_low, low));
    const __m256i special = _mm256_and_si256(first, look_up(by_second_high, high_nibbles(x)));
    /* The high bit of `third` is set where the byte two before is E0 or more, and that of `fourth`
     * where the byte three before is F0 or more. There x must be the second of two continuation
     * bytes, and nowhere else may it be: TWO, the same bit, must be set there and only there. */
    const __m256i third = _mm256_subs_epu8(before2, _mm256_set1_epi8((char)(0xE0 - 0x80)));
    const __m256i fourth = _mm256_subs_epu8(before3, _mm256_set1_epi8((char)(0xF0 - 0x80)));
    const __m256i due =
        _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(due, special);
}

/*
 * The offset at which the character beyond ASCII that ends before s[k] begins, because it may go on
 * at s[k]; k when ASCII is before s[k].
 */
static size_t last_character(const unsigned char *s, size_t k)
{
    size_t begin = k;
    while (begin > 0 && k - begin < 3 && (s[begin - 1] & 0xC0) == 0x80)
        begin--;
    return begin > 0 && s[begin - 1] >= 0xC0 ? begin - 1 : k;
}

WIDE static size_t pass_blocks(const unsigned char *s, size_t n)
{
    enum { HALF = sizeof(__m256i), BLOCK = 2 * HALF };
    __m256i before = _mm256_setzero_si256();
    bool ascii = true; /* the previous block is ASCII, so no character goes on into this block */
    size_t k = 0;
    for (; n - k >= BLOCK; k += BLOCK) {
        const __m256i a = _mm256_loadu_si256((const __m256i *)(s + k));
        const __m256i b = _mm256_loadu_si256((const __m256i *)(s + k + HALF));
        const bool plain = _mm256_movemask_epi8(_mm256_or_si256(a, b)) == 0;
        if (!plain || !ascii) {
            const __m256i wrong = _mm256_or_si256(errors(a, before), errors(b, a));
            if (!_mm256_testz_si256(wrong, wrong))
                break;
        }
        ascii = plain;
        before = b;
    }
    return last_character(s, k);
}

size_t pd_utf8_blocks(const unsigned char *s, size_t n)
{
    return __builtin_cpu_supports("avx2") ? pass_blocks(s, n) : 0;
}

#else

size_t pd_utf8_blocks(const unsigned char *s, size_t n)
{
    (void)s;
    (void)n;
    return 0;
}

#endif
