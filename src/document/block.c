#include "block.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/*
 * Kinds of bytes, as bits. A FIRST is a stop before a SECOND, a COLON is a stop after a BEYOND.
 * The other kinds are members of struct pd_block_words.
 */
/* clang-format off */
enum { STOP = 1, COLON = 2, FORM = 4, DIGIT = 8, QUOTE = 16, POINT = 32, BEYOND = 64,
       LEAD = 128, FIRST = 256, SECOND = 512, LATIN = 1024 };
static const uint16_t classes[256] = {
    ['\n'] = STOP, ['\r'] = STOP, ['!'] = STOP, ['?'] = STOP, [')'] = STOP, ['.'] = STOP | POINT,
    [','] = POINT, ['\''] = QUOTE, [':'] = COLON, [';'] = COLON, ['_'] = FORM,
    ['0' ... '9'] = FORM | DIGIT, ['A' ... 'Z'] = FORM, ['a' ... 'z'] = FORM,
    [0x80] = BEYOND | SECOND, [0x81 ... 0x93] = BEYOND, [0x94] = BEYOND | SECOND,
    [0x95 ... 0x9E] = BEYOND, [0x9F] = BEYOND | SECOND, [0xA0 ... 0xC1] = BEYOND,
    [0xC2] = BEYOND | LEAD, [0xC3] = BEYOND | LATIN, [0xC4 ... 0xCC] = BEYOND,
    [0xCD] = BEYOND | STOP, [0xCE ... 0xD5] = BEYOND,
    [0xD6] = BEYOND | STOP, [0xD7] = BEYOND, [0xD8] = BEYOND | FIRST, [0xD9 ... 0xDA] = BEYOND,
    [0xDB] = BEYOND | FIRST, [0xDC ... 0xDF] = BEYOND, [0xE0 ... 0xE1] = BEYOND | STOP,
    [0xE2] = BEYOND | STOP | LEAD, [0xE3] = BEYOND | FIRST,
    [0xE4 ... 0xEE] = BEYOND, [0xEF] = BEYOND | STOP, [0xF0 ... 0xFF] = BEYOND};
/* clang-format on */

#define LAST (UINT64_C(1) << (PD_BLOCK - 1)) /* the byte that follows is not known */

/* Mask of the bytes that are of the kind. */
static uint64_t of_class(const unsigned char block[PD_BLOCK], uint16_t class)
{
    uint64_t mask = 0;
    for (unsigned k = 0; k < PD_BLOCK; k++)
        mask |= (uint64_t)((classes[block[k]] & class) != 0) << k;
    return mask;
}

uint64_t pd_block_stops_plain(const unsigned char block[PD_BLOCK], bool beyond)
{
    const uint64_t behind = of_class(block, BEYOND) << 1 | beyond;
    const uint64_t before = of_class(block, SECOND) >> 1 | LAST;
    return of_class(block, STOP) | (of_class(block, COLON) & behind) |
           (of_class(block, FIRST) & before);
}

struct pd_block_words pd_block_words_plain(const unsigned char block[PD_BLOCK],
                                           unsigned char lower[PD_BLOCK])
{
    for (unsigned k = 0; k < PD_BLOCK; k++)
        lower[k] = block[k] >= 'A' && block[k] <= 'Z' ? block[k] | 0x20 : block[k];
    return (struct pd_block_words){of_class(block, FORM),   of_class(block, DIGIT),
                                   of_class(block, QUOTE),  of_class(block, POINT),
                                   of_class(block, BEYOND), of_class(block, LEAD),
                                   of_class(block, LATIN)};
}

#ifdef __SSE2__

/* 0xFF in each byte of x that equals c. */
static inline __m128i is(__m128i x, int c) { return _mm_cmpeq_epi8(x, _mm_set1_epi8((char)c)); }

/* 0xFF in each byte of x whose value is `from` to `to`, inclusive. */
static inline __m128i in(__m128i x, int from, int to)
{
    const __m128i above = _mm_sub_epi8(x, _mm_set1_epi8((char)from));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8((char)(to - from))), above);
}

static inline __m128i either(__m128i a, __m128i b) { return _mm_or_si128(a, b); }

/* The top bit of each byte of x, as the bits of a mask from bit `at` on. */
static inline uint64_t bits(__m128i x, unsigned at)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(x) << at;
}

static inline __m128i load(const unsigned char *s) { return _mm_loadu_si128((const __m128i *)s); }

uint64_t pd_block_stops_16(const unsigned char block[PD_BLOCK], bool beyond)
{
    const __m128i eight = _mm_set1_epi8('!' ^ ')'); /* the only bit in which ! and ) differ */
    uint64_t stops = 0;
    __m128i all = _mm_setzero_si128();
    for (unsigned at = 0; at < PD_BLOCK; at += sizeof(__m128i)) {
        const __m128i x = load(block + at);
        const __m128i lines = either(is(x, '\n'), is(x, '\r'));
        const __m128i marks = either(either(is(x, '.'), is(x, '?')), is(either(x, eight), ')'));
        stops |= bits(either(lines, marks), at);
        all = either(all, x);
    }
    if (!beyond && _mm_movemask_epi8(all) == 0)
        return stops;
    uint64_t high = 0, colons = 0, first = 0, second = 0;
    for (unsigned at = 0; at < PD_BLOCK; at += sizeof(__m128i)) {
        const __m128i x = load(block + at);
        const __m128i two = either(either(is(x, 0xCD), is(x, 0xD6)), is(x, 0xEF));
        stops |= bits(either(two, in(x, 0xE0, 0xE2)), at);
        first |= bits(either(either(is(x, 0xD8), is(x, 0xDB)), is(x, 0xE3)), at);
        second |= bits(either(either(is(x, 0x80), is(x, 0x94)), is(x, 0x9F)), at);
        colons |= bits(in(x, ':', ';'), at);
        high |= bits(x, at);
    }
    return stops | (colons & (high << 1 | beyond)) | (first & (second >> 1 | LAST));
}

struct pd_block_words pd_block_words_16(const unsigned char block[PD_BLOCK],
                                        unsigned char lower[PD_BLOCK])
{
    const __m128i small = _mm_set1_epi8(0x20);
    struct pd_block_words w = {0};
    for (unsigned at = 0; at < PD_BLOCK; at += sizeof(__m128i)) {
        const __m128i x = load(block + at), digit = in(x, '0', '9');
        const __m128i letter = in(either(x, small), 'a', 'z');
        _mm_storeu_si128((__m128i *)(lower + at), either(x, _mm_and_si128(letter, small)));
        w.form |= bits(either(either(letter, digit), is(x, '_')), at);
        w.digit |= bits(digit, at);
        w.quote |= bits(is(x, '\''), at);
        w.point |= bits(either(is(x, '.'), is(x, ',')), at);
        w.beyond |= bits(x, at);
    }
    if (w.beyond == 0)
        return w;
    for (unsigned at = 0; at < PD_BLOCK; at += sizeof(__m128i)) {
        const __m128i x = load(block + at);
        w.lead |= bits(either(is(x, 0xC2), is(x, 0xE2)), at);
        w.latin |= bits(is(x, 0xC3), at);
    }
    return w;
}

/* The version with AVX-512: one register holds the whole block, and comparisons give masks. */
#define WIDE __attribute__((target("avx512bw")))

static bool has_wide(void) { return __builtin_cpu_supports("avx512bw"); }

WIDE static inline __mmask64 wide_is(__m512i x, int c)
{
    return _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8((char)c));
}

WIDE static inline __mmask64 wide_in(__m512i x, int from, int to)
{
    return _mm512_cmple_epu8_mask(_mm512_sub_epi8(x, _mm512_set1_epi8((char)from)),
                                  _mm512_set1_epi8((char)(to - from)));
}

WIDE static uint64_t stops_64(const unsigned char block[PD_BLOCK], bool beyond)
{
    const __m512i x = _mm512_loadu_si512(block);
    const uint64_t high = _mm512_movepi8_mask(x);
    uint64_t stops = wide_is(x, '\n') | wide_is(x, '\r') | wide_is(x, '.') | wide_is(x, '?') |
                     wide_is(x, '!') | wide_is(x, ')');
    if (!beyond && high == 0)
        return stops;
    stops |= wide_is(x, 0xCD) | wide_is(x, 0xD6) | wide_is(x, 0xEF) | wide_in(x, 0xE0, 0xE2);
    const uint64_t first = wide_is(x, 0xD8) | wide_is(x, 0xDB) | wide_is(x, 0xE3);
    const uint64_t second = wide_is(x, 0x80) | wide_is(x, 0x94) | wide_is(x, 0x9F);
    return stops | (wide_in(x, ':', ';') & (high << 1 | beyond)) | (first & (second >> 1 | LAST));
}

WIDE static struct pd_block_words words_64(const unsigned char block[PD_BLOCK],
                                           unsigned char lower[PD_BLOCK])
{
    const __m512i x = _mm512_loadu_si512(block), small = _mm512_set1_epi8(0x20);
    const __m512i lowered = _mm512_or_si512(x, small);
    const __mmask64 letter = wide_in(lowered, 'a', 'z');
    struct pd_block_words w = {.digit = wide_in(x, '0', '9'),
                               .quote = wide_is(x, '\''),
                               .point = wide_is(x, '.') | wide_is(x, ','),
                               .beyond = _mm512_movepi8_mask(x)};
    w.form = letter | w.digit | wide_is(x, '_');
    if (w.beyond != 0) {
        w.lead = wide_is(x, 0xC2) | wide_is(x, 0xE2);
        w.latin = wide_is(x, 0xC3);
    }
    _mm512_storeu_si512(lower, _mm512_mask_blend_epi8(letter, x, lowered));
    return w;
}

uint64_t pd_block_stops(const unsigned char block[PD_BLOCK], bool beyond)
{
    return has_wide() ? stops_64(block, beyond) : pd_block_stops_16(block, beyond);
}

struct pd_block_words pd_block_words(const unsigned char block[PD_BLOCK],
                                     unsigned char lower[PD_BLOCK])
{
    return has_wide() ? words_64(block, lower) : pd_block_words_16(block, lower);
}

#else

uint64_t pd_block_stops(const unsigned char block[PD_BLOCK], bool beyond)
{
    return pd_block_stops_plain(block, beyond);
}

struct pd_block_words pd_block_words(const unsigned char block[PD_BLOCK],
                                     unsigned char lower[PD_BLOCK])
{
    return pd_block_words_plain(block, lower);
}

#endif
