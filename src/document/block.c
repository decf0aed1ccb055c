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

#ifdef PD_VECTORS

/* 0xFF in each of the bytes that equals c. */
static inline __m128i equal(__m128i bytes, int c)
{
    return _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)c));
}

/* 0xFF in each of the bytes whose value is `from` to `to`, inclusive. */
static inline __m128i in_range(__m128i bytes, int from, int to)
{
    const __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8((char)from));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8((char)(to - from))), above);
}

static inline __m128i either(__m128i a, __m128i b) { return _mm_or_si128(a, b); }

/* The top bit of each of the bytes, as the bits of a mask from bit `first` on. */
static inline uint64_t mask_of(__m128i bytes, unsigned first)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(bytes) << first;
}

static inline __m128i load(const unsigned char *s) { return _mm_loadu_si128((const __m128i *)s); }

uint64_t pd_block_stops_16(const unsigned char block[PD_BLOCK], bool beyond)
{
    const __m128i difference = _mm_set1_epi8('!' ^ ')'); /* the only bit in which ! and ) differ */
    uint64_t stops = 0;
    __m128i any = _mm_setzero_si128();
    for (unsigned offset = 0; offset < PD_BLOCK; offset += sizeof(__m128i)) {
        const __m128i bytes = load(block + offset);
        const __m128i lines = either(equal(bytes, '\n'), equal(bytes, '\r'));
        const __m128i marks = either(either(equal(bytes, '.'), equal(bytes, '?')),
                                     equal(either(bytes, difference), ')'));
        stops |= mask_of(either(lines, marks), offset);
        any = either(any, bytes);
    }
    if (!beyond && _mm_movemask_epi8(any) == 0)
        return stops;
    uint64_t high = 0, colons = 0, first = 0, second = 0, rare = 0, rare_second = 0;
    for (unsigned offset = 0; offset < PD_BLOCK; offset += sizeof(__m128i)) {
        const __m128i bytes = load(block + offset);
        const __m128i leads =
            either(either(either(equal(bytes, 0xCD), equal(bytes, 0xD6)), equal(bytes, 0xEF)),
                   either(equal(bytes, 0xDC), equal(bytes, 0xDF)));
        stops |= mask_of(either(leads, in_range(bytes, 0xE0, 0xE2)), offset);
        first |= mask_of(either(either(equal(bytes, 0xD8), equal(bytes, 0xDB)), equal(bytes, 0xE3)),
                         offset);
        second |= mask_of(
            either(either(equal(bytes, 0x80), equal(bytes, 0x94)), in_range(bytes, 0x9D, 0x9F)),
            offset);
        rare |= mask_of(either(equal(bytes, 0xEA), equal(bytes, 0xF0)), offset);
        rare_second |= mask_of(in_range(bytes, 0x90, 0xAF), offset);
        colons |= mask_of(in_range(bytes, ':', ';'), offset);
        high |= mask_of(bytes, offset);
    }
    return stops | (colons & (high << 1 | beyond)) | (first & (second >> 1 | LAST)) |
           (rare & (rare_second >> 1 | LAST));
}

struct pd_block_words pd_block_words_16(const unsigned char block[PD_BLOCK],
                                        unsigned char lower[PD_BLOCK])
{
    const __m128i case_bit = _mm_set1_epi8(0x20);
    struct pd_block_words masks = {0};
    __m128i bars = _mm_setzero_si128();
    for (unsigned offset = 0; offset < PD_BLOCK; offset += sizeof(__m128i)) {
        const __m128i bytes = load(block + offset), digit = in_range(bytes, '0', '9');
        const __m128i letter = in_range(either(bytes, case_bit), 'a', 'z');
        _mm_storeu_si128((__m128i *)(lower + offset),
                         either(bytes, _mm_and_si128(letter, case_bit)));
        masks.form |= mask_of(either(either(letter, digit), equal(bytes, '_')), offset);
        masks.digit |= mask_of(digit, offset);
        masks.quote |= mask_of(equal(bytes, '\''), offset);
        masks.point |= mask_of(either(equal(bytes, '.'), equal(bytes, ',')), offset);
        masks.beyond |= mask_of(bytes, offset);
        masks.dash |= mask_of(equal(bytes, '-'), offset);
        bars = either(bars, equal(bytes, '|'));
    }
    if (_mm_movemask_epi8(bars) != 0)
        for (unsigned offset = 0; offset < PD_BLOCK; offset += sizeof(__m128i))
            masks.bar |= mask_of(equal(load(block + offset), '|'), offset);
    if (masks.beyond == 0)
        return masks;
    for (unsigned offset = 0; offset < PD_BLOCK; offset += sizeof(__m128i)) {
        const __m128i bytes = load(block + offset);
        masks.lead |= mask_of(either(equal(bytes, 0xC2), equal(bytes, 0xE2)), offset);
        masks.latin |= mask_of(equal(bytes, 0xC3), offset);
    }
    return masks;
}

#endif

#ifdef __SSE2__

/* The version with AVX2: two registers hold a block. */
#define AVX2 __attribute__((target("avx2")))

bool pd_block_has_32(void) { return __builtin_cpu_supports("avx2"); }

AVX2 static inline __m256i equal_32(__m256i bytes, int c)
{
    return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8((char)c));
}

AVX2 static inline __m256i in_range_32(__m256i bytes, int from, int to)
{
    const __m256i above = _mm256_sub_epi8(bytes, _mm256_set1_epi8((char)from));
    return _mm256_cmpeq_epi8(_mm256_min_epu8(above, _mm256_set1_epi8((char)(to - from))), above);
}

AVX2 static inline __m256i either_32(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }

AVX2 static inline uint64_t mask_of_32(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high)
                                                     << 32;
}

/* ASCII bytes that are stops. */
AVX2 static inline __m256i stops_of_32(__m256i bytes)
{
    const __m256i difference = _mm256_set1_epi8('!' ^ ')'); /* see pd_block_stops_16() */
    return either_32(either_32(equal_32(bytes, '\n'), equal_32(bytes, '\r')),
                     either_32(either_32(equal_32(bytes, '.'), equal_32(bytes, '?')),
                               equal_32(either_32(bytes, difference), ')')));
}

/* First bytes beyond ASCII that are stops whatever follows. */
AVX2 static inline __m256i leads_of_32(__m256i bytes)
{
    return either_32(either_32(either_32(equal_32(bytes, 0xCD), equal_32(bytes, 0xD6)),
                               either_32(equal_32(bytes, 0xDC), equal_32(bytes, 0xDF))),
                     either_32(equal_32(bytes, 0xEF), in_range_32(bytes, 0xE0, 0xE2)));
}

/* FIRST and SECOND bytes. */
AVX2 static inline __m256i first_of_32(__m256i bytes)
{
    return either_32(either_32(equal_32(bytes, 0xD8), equal_32(bytes, 0xDB)),
                     equal_32(bytes, 0xE3));
}
AVX2 static inline __m256i second_of_32(__m256i bytes)
{
    return either_32(either_32(equal_32(bytes, 0x80), equal_32(bytes, 0x94)),
                     in_range_32(bytes, 0x9D, 0x9F));
}
AVX2 static inline __m256i rare_of_32(__m256i bytes)
{
    return either_32(equal_32(bytes, 0xEA), equal_32(bytes, 0xF0));
}

AVX2 uint64_t pd_block_stops_32(const unsigned char block[PD_BLOCK], bool beyond)
{
    const __m256i x = _mm256_loadu_si256((const __m256i *)block);
    const __m256i y = _mm256_loadu_si256((const __m256i *)(block + sizeof x));
    const uint64_t stops = mask_of_32(stops_of_32(x), stops_of_32(y));
    const uint64_t high = mask_of_32(x, y);
    if (!beyond && high == 0)
        return stops;
    const uint64_t leads = mask_of_32(leads_of_32(x), leads_of_32(y));
    const uint64_t first = mask_of_32(first_of_32(x), first_of_32(y));
    const uint64_t second = mask_of_32(second_of_32(x), second_of_32(y));
    const uint64_t rare = mask_of_32(rare_of_32(x), rare_of_32(y));
    const uint64_t rare_second = mask_of_32(in_range_32(x, 0x90, 0xAF), in_range_32(y, 0x90, 0xAF));
    const uint64_t colons = mask_of_32(in_range_32(x, ':', ';'), in_range_32(y, ':', ';'));
    return stops | leads | (colons & (high << 1 | beyond)) | (first & (second >> 1 | LAST)) |
           (rare & (rare_second >> 1 | LAST));
}

/* Letters of ASCII. */
AVX2 static inline __m256i letters_of_32(__m256i bytes)
{
    return in_range_32(either_32(bytes, _mm256_set1_epi8(0x20)), 'a', 'z');
}

AVX2 static inline void put_lower_32(unsigned char *lower, __m256i bytes, __m256i letters)
{
    const __m256i case_bit = _mm256_and_si256(letters, _mm256_set1_epi8(0x20));
    _mm256_storeu_si256((__m256i *)lower, either_32(bytes, case_bit));
}

AVX2 struct pd_block_words pd_block_words_32(const unsigned char block[PD_BLOCK],
                                             unsigned char lower[PD_BLOCK])
{
    const __m256i x = _mm256_loadu_si256((const __m256i *)block);
    const __m256i y = _mm256_loadu_si256((const __m256i *)(block + sizeof x));
    const __m256i x_letters = letters_of_32(x), y_letters = letters_of_32(y);
    struct pd_block_words masks = {
        .digit = mask_of_32(in_range_32(x, '0', '9'), in_range_32(y, '0', '9')),
        .quote = mask_of_32(equal_32(x, '\''), equal_32(y, '\'')),
        .point = mask_of_32(either_32(equal_32(x, '.'), equal_32(x, ',')),
                            either_32(equal_32(y, '.'), equal_32(y, ','))),
        .dash = mask_of_32(equal_32(x, '-'), equal_32(y, '-')),
        .bar = mask_of_32(equal_32(x, '|'), equal_32(y, '|')),
        .beyond = mask_of_32(x, y)};
    masks.form = masks.digit | mask_of_32(either_32(x_letters, equal_32(x, '_')),
                                          either_32(y_letters, equal_32(y, '_')));
    if (masks.beyond != 0) {
        masks.lead = mask_of_32(either_32(equal_32(x, 0xC2), equal_32(x, 0xE2)),
                                either_32(equal_32(y, 0xC2), equal_32(y, 0xE2)));
        masks.latin = mask_of_32(equal_32(x, 0xC3), equal_32(y, 0xC3));
    }
    put_lower_32(lower, x, x_letters);
    put_lower_32(lower + sizeof x, y, y_letters);
    return masks;
}

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
