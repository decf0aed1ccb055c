/* ending_chars.h - characters, as the rules for the ends of sentences tell them apart. */
#ifndef PARDUP_DOCUMENT_ENDING_CHARS_H
#define PARDUP_DOCUMENT_ENDING_CHARS_H

#include <utf8proc.h>

#include "document/chars.h"
#include "lines.h"
#include "terminal.h"

/* How far from a mark the text is read. */
#define FAR_TOKEN   48  /* bytes of a word before or behind the mark */
#define FAR_TITLE   96  /* bytes from the mark back to 《 */
#define FAR_BRACE   180 /* bytes from the mark back to （ */
#define MOST_QUOTES 8   /* characters: opening quotes, brackets and dashes before a word */

#define BULLET_LEAD 0xE2   /* first byte in UTF-8 of every bullet beyond ASCII */
#define LOST        0xFFFD /* in broken web pages mostly a no-break space or a quotation mark */

/*
 * The kinds of ASCII signs. The signs of a kind beyond ASCII are in a list that ends with 0; the
 * functions that need the kind have the list.
 */
enum {
    PD_SIGN_CLOSER = 1,
    PD_SIGN_QUOTE = 2,
    PD_SIGN_COMMA_LIKE = 4,
    PD_SIGN_OPENER = 8,
    PD_SIGN_BRACKET = 16
};
static const unsigned char signs[0x80] = {['('] = PD_SIGN_OPENER | PD_SIGN_BRACKET,
                                          ['['] = PD_SIGN_OPENER | PD_SIGN_BRACKET,
                                          ['{'] = PD_SIGN_OPENER | PD_SIGN_BRACKET,
                                          [')'] = PD_SIGN_CLOSER,
                                          [']'] = PD_SIGN_CLOSER,
                                          ['}'] = PD_SIGN_CLOSER,
                                          ['"'] = PD_SIGN_QUOTE | PD_SIGN_OPENER,
                                          ['\''] = PD_SIGN_QUOTE | PD_SIGN_OPENER,
                                          ['*'] = PD_SIGN_QUOTE | PD_SIGN_OPENER,
                                          ['_'] = PD_SIGN_QUOTE | PD_SIGN_OPENER,
                                          ['`'] = PD_SIGN_OPENER,
                                          ['-'] = PD_SIGN_OPENER,
                                          [','] = PD_SIGN_COMMA_LIKE,
                                          [';'] = PD_SIGN_COMMA_LIKE,
                                          [':'] = PD_SIGN_COMMA_LIKE,
                                          ['%'] = PD_SIGN_COMMA_LIKE,
                                          ['.'] = PD_SIGN_COMMA_LIKE,
                                          ['!'] = PD_SIGN_COMMA_LIKE,
                                          ['?'] = PD_SIGN_COMMA_LIKE};

static inline bool one_of(uint32_t c, const uint32_t *set)
{
    while (*set && *set != c)
        set++;
    return *set != 0;
}

static inline bool is_sign(uint32_t c, unsigned kind, const uint32_t *others)
{
    return c < 0x80 ? (signs[c] & kind) != 0 : one_of(c, others);
}

/*
 * Whether c has no width of its own: a soft hyphen, combining mark, or mark of direction or
 * joining. The characters around it stand together.
 */
static inline bool is_invisible(uint32_t c)
{
    return c == 0xAD || (c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x2064) || c == 0xFEFF;
}

static inline bool is_bang(uint32_t c)
{
    static const uint32_t bangs[] = {0x37E,  0x203C, 0x203D, 0x2047, 0x2048, 0x2049,
                                     0x2E2E, 0x2E3C, 0x2E53, 0x2E54, 0};
    return c < 0x80 ? c == '!' || c == '?' : one_of(c, bangs);
}

static inline bool is_wide_dot(uint32_t c) { return c == 0xFF0E || c == 0xFE52; }

/* Whether c, which is none of the marks above, is a mark of a script other than Latin. */
static inline bool is_wide_stop(uint32_t c)
{
    return c >= 0x80 && (c < 0x2000 || c >= 0x3000) && pd_is_terminal(c);
}

static inline bool is_asian(uint32_t c)
{
    enum { FIRST = 0x3005 };
    return c >= FIRST && (is_han(c) || is_hiragana(c) || is_katakana(c));
}

static inline utf8proc_category_t category(uint32_t c)
{
    return utf8proc_category((utf8proc_int32_t)c);
}

static inline bool is_upper(uint32_t c)
{
    return c < 0x80 ? is_ascii_upper(c)
                    : category(c) == UTF8PROC_CATEGORY_LU || category(c) == UTF8PROC_CATEGORY_LT;
}

/* Georgian has capitals for headings only, so its sentences begin with what Unicode calls small. */
static inline bool is_georgian(uint32_t c) { return c >= 0x10D0 && c <= 0x10FF; }

static inline bool is_lower(uint32_t c)
{
    return c < 0x80 ? is_ascii_lower(c) : category(c) == UTF8PROC_CATEGORY_LL && !is_georgian(c);
}

static inline bool is_caseless(uint32_t c)
{
    return c >= 0x80 && ((category(c) == UTF8PROC_CATEGORY_LO && !is_asian(c)) || is_georgian(c));
}

static inline bool is_alnum(uint32_t c)
{
    if (c < 0x80)
        return is_ascii_digit(c) || is_ascii_lower(c | 0x20);
    return category(c) >= UTF8PROC_CATEGORY_LU && category(c) <= UTF8PROC_CATEGORY_NO;
}

/* The character at i, and its length in bytes in *len; both are 0 at the end of the text. */
static inline uint32_t peek(const struct pd_lines *lines, size_t i, unsigned *len)
{
    *len = 0;
    return i < lines->n ? char_at(lines->text + i, len) : 0;
}

#endif
