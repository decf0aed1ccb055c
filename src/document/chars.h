/*
 * chars.h - single characters of valid UTF-8: decoded, and sorted into kinds.
 *
 * Private to document/. No function checks for the end of the text, because a valid string never
 * ends inside a character.
 */
#ifndef PARDUP_DOCUMENT_CHARS_H
#define PARDUP_DOCUMENT_CHARS_H

#include <stdbool.h>
#include <stdint.h>

/* The character that begins at s; *n is its length in bytes. */
static inline uint32_t char_at(const unsigned char *s, unsigned *n)
{
    if (s[0] < 0x80) {
        *n = 1;
        return s[0];
    }
    if (s[0] < 0xE0) {
        *n = 2;
        return (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
    }
    if (s[0] < 0xF0) {
        *n = 3;
        return (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
    }
    *n = 4;
    return (s[0] & 0x07u) << 18 | (s[1] & 0x3Fu) << 12 | (s[2] & 0x3Fu) << 6 | (s[3] & 0x3Fu);
}

/* The character that ends just before s, where there must be one; *n is its length in bytes. */
static inline uint32_t char_before(const unsigned char *s, unsigned *n)
{
    const unsigned char *p = s - 1;
    while ((*p & 0xC0) == 0x80)
        p--;
    return char_at(p, n);
}

/* Whether c is a visible ASCII character. DEL (0x7F) counts as one. */
static inline bool is_black(unsigned char c) { return c > ' ' && c < 0x80; }

/* Whether c has the Unicode property White_Space. */
static inline bool is_white(uint32_t c)
{
    if (c < 0x80)
        return c == ' ' || (c >= '\t' && c <= '\r');
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

static inline bool is_ascii_digit(uint32_t c) { return c >= '0' && c <= '9'; }
static inline bool is_ascii_upper(uint32_t c) { return c >= 'A' && c <= 'Z'; }
static inline bool is_ascii_lower(uint32_t c) { return c >= 'a' && c <= 'z'; }

/* Whether c is a radical that NFKC makes a Chinese character: Kangxi radicals and two others. */
static inline bool is_radical(uint32_t c)
{
    return (c >= 0x2F00 && c <= 0x2FD5) || c == 0x2E9F || c == 0x2EF3;
}

/*
 * Whether c is a Chinese character. The marks 々〆〇, the Hangzhou numerals, radicals, the
 * compatibility characters and all of planes 2 and 3 are included.
 */
static inline bool is_han(uint32_t c)
{
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x3005 && c <= 0x3007) || (c >= 0x3021 && c <= 0x3029) ||
           (c >= 0x3038 && c <= 0x303B) || (c >= 0xF900 && c <= 0xFAFF) ||
           (c >= 0x20000 && c <= 0x3FFFD) || is_radical(c);
}

static inline bool is_hiragana(uint32_t c)
{
    return (c >= 0x3041 && c <= 0x3096) || (c >= 0x309D && c <= 0x309F);
}

static inline bool is_katakana(uint32_t c)
{
    return (c >= 0x30A1 && c <= 0x30FA) || (c >= 0x30FC && c <= 0x30FF) ||
           (c >= 0x31F0 && c <= 0x31FF) || (c >= 0xFF66 && c <= 0xFF9F);
}

/*
 * Whether c is in a block of a script of South-East Asia that has no blanks between words: Thai,
 * Lao, Burmese, Khmer, Tai Le, New Tai Lue, Tai Tham, Tai Viet.
 */
static inline bool is_south_east_asian(uint32_t c)
{
    return (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) ||
           (c >= 0x1780 && c <= 0x17FF) || (c >= 0x1950 && c <= 0x19DF) ||
           (c >= 0x1A20 && c <= 0x1AAF) || (c >= 0xA9E0 && c <= 0xA9FF) ||
           (c >= 0xAA60 && c <= 0xAADF);
}

/*
 * Whether c is a vowel sign of Thai or Lao that stands behind its consonant: a letter to Unicode,
 * though the same signs of Khmer and Burmese are combining marks.
 */
static inline bool is_vowel_behind(uint32_t c)
{
    return c == 0x0E30 || c == 0x0E32 || c == 0x0E33 || c == 0x0E45 || c == 0x0EB0 || c == 0x0EB2 ||
           c == 0x0EB3;
}

#endif
