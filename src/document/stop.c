#include "stop.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "chars.h"
#include "lexicon.h"

/* What a byte is; several at once. */
enum {
    LETTER = 1 << 0,
    INNER = 1 << 1, /* letter, and no Roman digit */
    SMALL = 1 << 2,
    BIG = 1 << 3,
    DIGIT = 1 << 4,
    FULL = 1 << 5, /* no ASCII white space or control character */
    BLACK = 1 << 6,
    NEWLINE = 1 << 7,
    SPACE = 1 << 8,
    LOW = 1 << 9,     /* ASCII but no capital */
    APART = 1 << 10,  /* ends no marker: neither letter, digit nor full stop */
    STARTS = 1 << 11, /* letter or digit, or a first byte of no white space beyond ASCII */
};

/* clang-format off */
#define SIGN (FULL | BLACK | LOW | APART)
#define CAPS (FULL | BLACK | LETTER | BIG | STARTS)
#define LOWS (FULL | BLACK | LETTER | SMALL | STARTS | LOW)
static const uint16_t classes[256] = {
    [0 ... '\t'] = LOW | APART, ['\n'] = NEWLINE | LOW | APART, ['\v' ... 0x1F] = LOW | APART,
    [' '] = SPACE | LOW | APART,
    ['!' ... '-'] = SIGN, ['.'] = FULL | BLACK | LOW, ['/'] = SIGN,
    ['0' ... '9'] = FULL | BLACK | LOW | DIGIT | STARTS, [':' ... '@'] = SIGN,
    ['A' ... 'H'] = CAPS | INNER, ['I'] = CAPS, ['J' ... 'U'] = CAPS | INNER,
    ['V'] = CAPS, ['W'] = CAPS | INNER, ['X'] = CAPS, ['Y' ... 'Z'] = CAPS | INNER,
    ['[' ... '`'] = SIGN,
    ['a' ... 'h'] = LOWS | INNER, ['i'] = LOWS, ['j' ... 'u'] = LOWS | INNER,
    ['v'] = LOWS, ['w'] = LOWS | INNER, ['x'] = LOWS, ['y' ... 'z'] = LOWS | INNER,
    ['{' ... 0x7F] = SIGN,
    [0x80 ... 0xC2] = FULL | APART, [0xC3 ... 0xDF] = FULL | APART | STARTS,
    [0xE0 ... 0xE3] = FULL | APART, [0xE4 ... 0xFF] = FULL | APART | STARTS};

/* What the bytes around a stop, two before and two behind, are at the least; 0 fits any. */
enum { STOPS, B2, B1, A1, A2, PLACES }; /* STOPS: the stop itself */
enum { FIRST_GLUED = 3, FIRST_NOTHING = 5 };
static const struct {
    const char *stops;
    uint16_t near[PLACES];
} shapes[] = {
    /* a sentence ends: no list marker ends so, its letters are Roman digits, or it is but one */
    {"\n", {[B1] = FULL, [A1] = NEWLINE, [A2] = STARTS}}, /* the end (empty line) */
    {".!?", {[B2] = LETTER, [B1] = SMALL | INNER, [A1] = SPACE, [A2] = BIG}}, /* the end. Then */
    {".!?", {[B2] = INNER, [B1] = SMALL, [A1] = SPACE, [A2] = BIG}},
    /* nothing ends, if a name follows */
    {".", {[B2] = LETTER, [B1] = SMALL | INNER, [A1] = BIG}}, /* java.String */
    {".", {[B2] = INNER, [B1] = SMALL, [A1] = BIG}},
    /* nothing ends */
    {".", {[A1] = SMALL, [A2] = LOW}}, /* example.com */
    {".", {[B1] = DIGIT, [A1] = DIGIT}}, /* 3.14 */
    {".", {[B1] = APART, [A1] = NEWLINE, [A2] = NEWLINE}}, /* (end). (empty line) */
    {".", {[B2] = LETTER, [B1] = INNER, [A1] = NEWLINE, [A2] = NEWLINE}}, /* the end. (empty line) */
    {".", {[B2] = INNER, [B1] = LETTER, [A1] = NEWLINE, [A2] = NEWLINE}},
    {"!?", {[A1] = NEWLINE, [A2] = NEWLINE}},
    {")", {[A1] = BLACK}}, /* f(x)y */
    {")", {[B1] = APART}}, /* (here?) */
    {")", {[B2] = LETTER, [B1] = INNER}}, /* (see there) */
    {")", {[B2] = INNER, [B1] = LETTER}},
};
/* clang-format on */

enum { NSHAPES = sizeof shapes / sizeof *shapes };
static_assert(NSHAPES <= 16, "a shape is a bit of a word");

/* The same by place and byte: the shapes, as bits, that allow it there. */
static uint16_t allowed[PLACES][256];

void pd_stop_load(void)
{
    for (size_t k = 0; k < NSHAPES; k++)
        for (unsigned c = 0; c < 256; c++) {
            const uint16_t bit = (uint16_t)(1u << k);
            for (size_t place = B2; place < PLACES; place++) {
                const uint16_t least = shapes[k].near[place];
                allowed[place][c] |= (classes[c] & least) == least ? bit : 0;
            }
            allowed[STOPS][c] |= c != 0 && strchr(shapes[k].stops, (int)c) != NULL ? bit : 0;
        }
}

/* Three bytes that are neither mark nor bullet. */
static bool is_no_mark_of_three(const unsigned char *s)
{
    switch (s[0] << 16 | s[1] << 8 | s[2]) {
    case 0xE0A5A4: /* U+0964, U+0965 */
    case 0xE0A5A5:
    case 0xE1818B: /* U+104B */
    case 0xE18DA2: /* U+1362, U+1367 */
    case 0xE18DA7:
    case 0xE19F94: /* U+17D4 */
    case 0xE38082: /* U+3002 */
        return false;
    default:
        break;
    }
    if (s[0] == 0xE2) /* ‘ to ‟; beside marks, bullets are here */
        return s[1] == 0x80 && s[2] >= 0x98 && s[2] <= 0x9F;
    if (s[0] == 0xEF) /* full and half width: ， among many */
        return s[1] != 0xBC && s[1] != 0xBD;
    return true;
}

/*
 * A character that shares its first byte with marks and is none by the others: letters, mostly. Or
 * a quotation mark, which ends something behind a full stop only.
 */
static bool is_no_mark(const unsigned char *s)
{
    switch (s[0]) {
    case 0xCD:
        return s[1] != 0xBE; /* U+037E */
    case 0xD6:
        return s[1] != 0x89; /* U+0589 */
    case 0xD8:
        return s[1] != 0x9F; /* U+061F */
    case 0xDB:
        return s[1] != 0x94; /* U+06D4 */
    default:
        return is_no_mark_of_three(s);
    }
}

/* A capital and more behind a full stop that begin no sentence: DataFrame, Buffer.size, BSD. */
static bool is_name(const unsigned char *word)
{
    const unsigned char *const far = word + PD_STOP_NAME, *s = word + 1;
    while (s < far && is_ascii_lower(*s))
        s++;
    if (s == far)
        return false;
    if (is_ascii_upper(*s) || is_ascii_digit(*s))
        return true;
    return *s == '.' && s > word + 1 && (is_ascii_lower(s[1]) || is_ascii_digit(s[1]));
}

enum pd_stop pd_stop_at(const unsigned char *at)
{
    if (at[0] >= 0x80)
        return is_no_mark(at) ? STOP_NOTHING : STOP_ASK;
    const unsigned fit = allowed[STOPS][at[0]] & allowed[B2][at[-2]] & allowed[B1][at[-1]] &
                         allowed[A1][at[1]] & allowed[A2][at[2]];
    if (fit == 0)
        return STOP_ASK;
    if (fit >> FIRST_NOTHING)
        return STOP_NOTHING;
    const bool plain = at[0] == '\n' || pd_lexicon_lacks(at);
    if (fit >> FIRST_GLUED)
        return plain && is_name(at + 1) ? STOP_NOTHING : STOP_ASK;
    return plain ? STOP_END : STOP_ASK;
}
