/* page_text.c - see page_text.h */
#include "page_text.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "document/chars.h"
#include "pardup/base/vec.h"

#define ALWAYS static inline __attribute__((always_inline))

struct pd_text_masks pd_text_masks_plain(const unsigned char s[PD_BLOCK],
                                         unsigned char lower[PD_BLOCK])
{
    struct pd_text_masks m = {0};
    for (unsigned k = 0; k < PD_BLOCK; k++) {
        const unsigned char c = s[k];
        const uint64_t bit = UINT64_C(1) << k;
        lower[k] = is_ascii_upper(c) ? c | 0x20 : c;
        m.letter |= is_ascii_lower(c | 0x20u) ? bit : 0;
        m.upper |= is_ascii_upper(c) ? bit : 0;
        m.digit |= is_ascii_digit(c) ? bit : 0;
        m.white |= c < 0x80 && is_white(c) ? bit : 0;
        m.line |= c == '\n' ? bit : 0;
        m.comma |= c == ',' ? bit : 0;
        m.stop |= c == '.' || c == '!' || c == '?' ? bit : 0;
        m.sign |= c == '|' || c == '/' || c == '>' ? bit : 0;
        m.price |= c == '$' ? bit : 0;
        m.beyond |= c >= 0x80 ? bit : 0;
    }
    return m;
}

#ifdef __SSE2__

#define WIDE(name) name##_32
#define TARGET     __attribute__((target("avx2")))
#define VECTOR     __m256i
#define OP(name)   _mm256_##name
#define BITS(name) _mm256_##name##_si256
#include "document/lanes.h"

TARGET static struct pd_text_masks masks_wide(const unsigned char s[PD_BLOCK], unsigned char *lower)
{
    const struct lanes_32 x = load_32(s), upper = in_range_32(x, 'A', 'Z');
    put_lower_32(lower, x, upper);
    return (struct pd_text_masks){
        .upper = mask_of_32(upper),
        .letter = mask_of_32(in_range_32(with_32(x, 0x20), 'a', 'z')),
        .digit = mask_of_32(in_range_32(x, '0', '9')),
        .white = mask_of_32(either_32(in_range_32(x, '\t', '\r'), equal_32(x, ' '))),
        .line = mask_of_32(equal_32(x, '\n')),
        .comma = mask_of_32(equal_32(x, ',')),
        .stop =
            mask_of_32(either_32(either_32(equal_32(x, '.'), equal_32(x, '!')), equal_32(x, '?'))),
        .sign =
            mask_of_32(either_32(either_32(equal_32(x, '|'), equal_32(x, '/')), equal_32(x, '>'))),
        .price = mask_of_32(equal_32(x, '$')),
        .beyond = mask_of_32(x)};
}

static bool has_wide(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

#endif

struct pd_text_masks pd_text_masks_of(const unsigned char s[PD_BLOCK],
                                      unsigned char lower[PD_BLOCK])
{
#ifdef __SSE2__
    if (has_wide())
        return masks_wide(s, lower);
#endif
    return pd_text_masks_plain(s, lower);
}

/* The character beyond ASCII at byte i. A byte that belongs to none counts as a letter. */
static uint32_t char_beyond(const struct pd_page_text *text, size_t i, unsigned *len)
{
    const unsigned char first = text->s[i];
    const size_t least = first < 0xC0 ? SIZE_MAX : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (text->n - i >= least)
        return char_at(text->s + i, len);
    *len = 1;
    return 0xFFFD;
}

/* Put the character beyond ASCII at byte i into the masks. */
static void put_char(struct pd_page_text *text, size_t i)
{
    unsigned len;
    const uint32_t c = char_beyond(text, i, &len);
    struct pd_text_masks *m = &text->masks[i / PD_BLOCK];
    const uint64_t bit = UINT64_C(1) << i % PD_BLOCK;
    const bool half = is_han(c) || is_hiragana(c) || is_katakana(c), white = half || is_white(c);
    m->half |= half ? bit : 0;
    m->comma |= c == 0xFF0C || c == 0x3001 || c == 0x60C ? bit : 0;
    m->stop |= c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0x61F || c == 0x964 ? bit : 0;
    m->sign |= c == 0xBB || c == 0xB7 || c == 0x2022 || c == 0x203A || c == 0x2192 ? bit : 0;
    m->price |= c == 0x20AC || c == 0xA3 || c == 0xA5 || c == 0x20B9 ? bit : 0;
    for (unsigned k = 0; k < len; k++) {
        struct pd_text_masks *of = &text->masks[(i + k) / PD_BLOCK];
        const uint64_t byte = UINT64_C(1) << (i + k) % PD_BLOCK;
        of->follow |= k > 0 ? byte : 0;
        of->white |= white ? byte : 0;
        of->letter |= white ? 0 : byte;
    }
}

void pd_page_text_read(struct pd_page_text *text, const unsigned char *s, size_t n)
{
    unsigned char copy[PD_BLOCK];
    const size_t blocks = n > 0 ? n / PD_BLOCK + 1 : 0;
    *text = (struct pd_page_text){.s = s, .n = n};
    text->masks = pd_realloc(NULL, blocks + 1, sizeof *text->masks);
    text->lower = pd_realloc(NULL, blocks + 1, PD_BLOCK);
    for (size_t k = 0; k < blocks; k++)
        text->masks[k] =
            pd_text_masks_of(pd_block_at(s, n, k * PD_BLOCK, copy), text->lower + k * PD_BLOCK);
    text->masks[blocks] = (struct pd_text_masks){0};
    for (size_t k = 0; k < blocks; k++) {
        uint64_t first; /* the bytes behind a first one are known when it was put */
        while ((first = text->masks[k].beyond & ~(text->masks[k].letter | text->masks[k].white)) !=
               0)
            put_char(text, k * PD_BLOCK + (unsigned)__builtin_ctzll(first));
    }
}

void pd_page_text_release(struct pd_page_text *text)
{
    PD_FREE(text->masks, text->lower);
    *text = (struct pd_page_text){0};
}

size_t pd_page_text_block_end(const struct pd_page_text *text, size_t begin)
{
    for (size_t block = begin - begin % PD_BLOCK; block < text->n; block += PD_BLOCK) {
        const struct pd_text_masks *m = &text->masks[block / PD_BLOCK];
        const uint64_t two = m->line & (m->line >> 1 | m[1].line << 63);
        const uint64_t found = two & pd_bits_between(block, begin, text->n);
        if (found != 0)
            return block + (unsigned)__builtin_ctzll(found);
    }
    return text->n;
}

/*
 * The bits at which words begin: the first letter or digit behind white space or at the first bit
 * of `part`. Adding a bit to a run of ones clears the run and sets the bit behind it. Signs before
 * a word are such a run.
 */
ALWAYS uint64_t begins_of(const struct pd_text_masks *m, uint64_t part, bool inside)
{
    const uint64_t black = ~m->white & part, wordy = (m->letter | m->digit) & part;
    const uint64_t signs = black & ~wordy;
    const uint64_t first = black & ~(black << 1) & (inside ? ~(part & -part) : ~UINT64_C(0));
    return ((signs + (first & signs)) | first) & wordy;
}

/* Whether a word goes on behind the part. */
ALWAYS bool goes_on(const struct pd_text_masks *m, uint64_t part, bool inside)
{
    const uint64_t white = m->white & part, wordy = (m->letter | m->digit) & part;
    if (white == 0)
        return inside || wordy != 0;
    return wordy >> (63 - __builtin_clzll(white)) != 0;
}

ALWAYS uint32_t count(uint64_t bits) { return (uint32_t)__builtin_popcountll(bits); }

ALWAYS struct pd_text_counts count_all(const struct pd_page_text *text, size_t begin, size_t end)
{
    struct pd_text_counts n = {0};
    bool inside = false;
    for (size_t block = begin - begin % PD_BLOCK; block < end; block += PD_BLOCK) {
        const struct pd_text_masks *m = &text->masks[block / PD_BLOCK];
        const uint64_t part = pd_bits_between(block, begin, end);
        const uint64_t begins = begins_of(m, part, inside);
        inside = goes_on(m, part, inside);
        n.halves += count(begins) * 2 + count(part & m->half);
        n.capitals += count(begins & m->upper);
        n.chars += count(part & ~m->follow);
        n.digits += count(part & m->digit);
        n.commas += count(part & m->comma);
        n.stops += count(part & m->stop);
        n.signs += count(part & m->sign);
        n.prices += count(part & m->price);
    }
    return n;
}

#ifdef __SSE2__
__attribute__((target("popcnt"))) static struct pd_text_counts
count_wide(const struct pd_page_text *text, size_t begin, size_t end)
{
    return count_all(text, begin, end);
}
#endif

struct pd_text_counts pd_page_text_count(const struct pd_page_text *text, size_t begin, size_t end)
{
#ifdef __SSE2__
    if (has_wide())
        return count_wide(text, begin, end);
#endif
    return count_all(text, begin, end);
}

uint32_t pd_page_text_halves(const struct pd_page_text *text, size_t begin, size_t end,
                             bool *inside)
{
    uint32_t n = 0;
    for (size_t block = begin - begin % PD_BLOCK; block < end; block += PD_BLOCK) {
        const struct pd_text_masks *m = &text->masks[block / PD_BLOCK];
        const uint64_t part = pd_bits_between(block, begin, end);
        for (uint64_t bits = begins_of(m, part, *inside); bits != 0; bits &= bits - 1)
            n += 2;
        for (uint64_t bits = m->half & part; bits != 0; bits &= bits - 1)
            n++;
        *inside = goes_on(m, part, *inside);
    }
    return n;
}
