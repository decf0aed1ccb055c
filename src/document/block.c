/* block.c - see block.h */
#include "block.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/*
 * Kinds of bytes, as bits. A FIRST is a stop before a SECOND, a RARE_FIRST before a RARE_SECOND, a
 * COLON is a stop after a BEYOND. The other kinds are members of struct pd_block_words.
 */
/* clang-format off */
enum { STOP = 1, COLON = 2, FORM = 4, DIGIT = 8, QUOTE = 16, POINT = 32, BEYOND = 64,
       LEAD = 128, FIRST = 256, SECOND = 512, LATIN = 1024, DASH = 2048, BAR = 4096,
       RARE_FIRST = 8192, RARE_SECOND = 16384 };
static const uint16_t kinds[256] = {
    ['\n'] = STOP, ['\r'] = STOP, ['!'] = STOP, ['?'] = STOP, [')'] = STOP, ['.'] = STOP | POINT,
    [','] = POINT, ['-'] = DASH, ['|'] = BAR, ['\''] = QUOTE, [':'] = COLON, [';'] = COLON, ['_'] = FORM,
    ['0' ... '9'] = FORM | DIGIT, ['A' ... 'Z'] = FORM, ['a' ... 'z'] = FORM,
    [0x80] = BEYOND | SECOND, [0x81 ... 0x8F] = BEYOND, [0x90 ... 0x93] = BEYOND | RARE_SECOND,
    [0x94] = BEYOND | SECOND | RARE_SECOND, [0x95 ... 0x9C] = BEYOND | RARE_SECOND,
    [0x9D ... 0x9F] = BEYOND | SECOND | RARE_SECOND, [0xA0 ... 0xAF] = BEYOND | RARE_SECOND,
    [0xB0 ... 0xC1] = BEYOND,
    [0xC2] = BEYOND | LEAD, [0xC3] = BEYOND | LATIN, [0xC4 ... 0xCC] = BEYOND,
    [0xCD] = BEYOND | STOP, [0xCE ... 0xD5] = BEYOND,
    [0xD6] = BEYOND | STOP, [0xD7] = BEYOND, [0xD8] = BEYOND | FIRST, [0xD9 ... 0xDA] = BEYOND,
    [0xDB] = BEYOND | FIRST, [0xDC] = BEYOND | STOP, [0xDD ... 0xDE] = BEYOND,
    [0xDF] = BEYOND | STOP, [0xE0 ... 0xE1] = BEYOND | STOP,
    [0xE2] = BEYOND | STOP | LEAD, [0xE3] = BEYOND | FIRST,
    [0xE4 ... 0xE9] = BEYOND, [0xEA] = BEYOND | RARE_FIRST, [0xEB ... 0xEE] = BEYOND,
    [0xEF] = BEYOND | STOP, [0xF0] = BEYOND | RARE_FIRST, [0xF1 ... 0xFF] = BEYOND};
/* clang-format on */

#define LAST (UINT64_C(1) << (PD_BLOCK - 1)) /* of a block; the byte behind it is unknown */

/* Mask of the bytes that are of the kind. */
static uint64_t of_kind(const unsigned char block[PD_BLOCK], uint16_t kind)
{
    uint64_t mask = 0;
    for (unsigned k = 0; k < PD_BLOCK; k++)
        mask |= (uint64_t)((kinds[block[k]] & kind) != 0) << k;
    return mask;
}

uint64_t pd_block_stops_plain(const unsigned char block[PD_BLOCK], bool beyond)
{
    const uint64_t after_beyond = of_kind(block, BEYOND) << 1 | beyond;
    const uint64_t before_second = of_kind(block, SECOND) >> 1 | LAST;
    return of_kind(block, STOP) | (of_kind(block, COLON) & after_beyond) |
           (of_kind(block, FIRST) & before_second) |
           (of_kind(block, RARE_FIRST) & (of_kind(block, RARE_SECOND) >> 1 | LAST));
}

struct pd_block_words pd_block_words_plain(const unsigned char block[PD_BLOCK],
                                           unsigned char lower[PD_BLOCK])
{
    for (unsigned k = 0; k < PD_BLOCK; k++)
        lower[k] = block[k] >= 'A' && block[k] <= 'Z' ? block[k] | 0x20 : block[k];
    return (struct pd_block_words){
        of_kind(block, FORM),  of_kind(block, DIGIT),  of_kind(block, QUOTE),
        of_kind(block, POINT), of_kind(block, BEYOND), of_kind(block, LEAD),
        of_kind(block, LATIN), of_kind(block, DASH),   of_kind(block, BAR)};
}

#define ALWAYS static inline __attribute__((always_inline))

#ifdef PD_VECTORS
#define WIDE(name) name##_16
#define TARGET
#define VECTOR     __m128i
#define OP(name)   _mm_##name
#define BITS(name) _mm_##name##_si128
#include "block_masks.h"
#endif

#ifdef __SSE2__

/* The version with AVX2: two registers hold a block. */
#define WIDE(name) name##_32
#define TARGET     __attribute__((target("avx2")))
#define VECTOR     __m256i
#define OP(name)   _mm256_##name
#define BITS(name) _mm256_##name##_si256
#include "block_masks.h"

bool pd_block_has_32(void) { return __builtin_cpu_supports("avx2"); }

/* The version with AVX-512: one register holds the whole block, and comparisons give masks. */
#define AVX512 __attribute__((target("avx512bw")))

static bool has_avx512(void) { return __builtin_cpu_supports("avx512bw"); }

AVX512 static inline __mmask64 equal_64(__m512i bytes, int c)
{
    return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8((char)c));
}

AVX512 static inline __mmask64 in_range_64(__m512i bytes, int from, int to)
{
    return _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8((char)from)),
                                  _mm512_set1_epi8((char)(to - from)));
}

AVX512 static uint64_t stops_64(const unsigned char block[PD_BLOCK], bool beyond)
{
    const __m512i bytes = _mm512_loadu_si512(block);
    const uint64_t high = _mm512_movepi8_mask(bytes);
    uint64_t stops = equal_64(bytes, '\n') | equal_64(bytes, '\r') | equal_64(bytes, '.') |
                     equal_64(bytes, '?') | equal_64(bytes, '!') | equal_64(bytes, ')');
    if (!beyond && high == 0)
        return stops;
    stops |= equal_64(bytes, 0xCD) | equal_64(bytes, 0xD6) | equal_64(bytes, 0xEF) |
             equal_64(bytes, 0xDC) | equal_64(bytes, 0xDF) | in_range_64(bytes, 0xE0, 0xE2);
    const uint64_t first = equal_64(bytes, 0xD8) | equal_64(bytes, 0xDB) | equal_64(bytes, 0xE3);
    const uint64_t second =
        equal_64(bytes, 0x80) | equal_64(bytes, 0x94) | in_range_64(bytes, 0x9D, 0x9F);
    const uint64_t rare = equal_64(bytes, 0xEA) | equal_64(bytes, 0xF0);
    const uint64_t rare_second = in_range_64(bytes, 0x90, 0xAF);
    return stops | (in_range_64(bytes, ':', ';') & (high << 1 | beyond)) |
           (first & (second >> 1 | LAST)) | (rare & (rare_second >> 1 | LAST));
}

AVX512 static struct pd_block_words words_64(const unsigned char block[PD_BLOCK],
                                             unsigned char lower[PD_BLOCK])
{
    const __m512i bytes = _mm512_loadu_si512(block), case_bit = _mm512_set1_epi8(0x20);
    const __m512i lowered = _mm512_or_si512(bytes, case_bit);
    const __mmask64 letter = in_range_64(lowered, 'a', 'z');
    struct pd_block_words masks = {.digit = in_range_64(bytes, '0', '9'),
                                   .quote = equal_64(bytes, '\''),
                                   .point = equal_64(bytes, '.') | equal_64(bytes, ','),
                                   .dash = equal_64(bytes, '-'),
                                   .bar = equal_64(bytes, '|'),
                                   .beyond = _mm512_movepi8_mask(bytes)};
    masks.form = letter | masks.digit | equal_64(bytes, '_');
    if (masks.beyond != 0) {
        masks.lead = equal_64(bytes, 0xC2) | equal_64(bytes, 0xE2);
        masks.latin = equal_64(bytes, 0xC3);
    }
    _mm512_storeu_si512(lower, _mm512_mask_blend_epi8(letter, bytes, lowered));
    return masks;
}

uint64_t pd_block_stops(const unsigned char block[PD_BLOCK], bool beyond)
{
    return has_avx512()        ? stops_64(block, beyond)
           : pd_block_has_32() ? pd_block_stops_32(block, beyond)
                               : pd_block_stops_16(block, beyond);
}

struct pd_block_words pd_block_words(const unsigned char block[PD_BLOCK],
                                     unsigned char lower[PD_BLOCK])
{
    return has_avx512()        ? words_64(block, lower)
           : pd_block_has_32() ? pd_block_words_32(block, lower)
                               : pd_block_words_16(block, lower);
}

#else

uint64_t pd_block_stops(const unsigned char block[PD_BLOCK], bool beyond)
{
#ifdef PD_VECTORS
    return pd_block_stops_16(block, beyond);
#else
    return pd_block_stops_plain(block, beyond);
#endif
}

struct pd_block_words pd_block_words(const unsigned char block[PD_BLOCK],
                                     unsigned char lower[PD_BLOCK])
{
#ifdef PD_VECTORS
    return pd_block_words_16(block, lower);
#else
    return pd_block_words_plain(block, lower);
#endif
}

#endif
