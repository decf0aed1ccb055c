#include "stop.h"

#include <stdint.h>

#include "chars.h"
#include "lexicon.h"

/* What a byte is; several at once. */
enum {
    LETTER = 1 << 0,
    INNER = 1 << 1, /* no Roman digit: a marker of several letters has none of those */
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

/*
 * Two bytes before a stop and two behind, with what each must be at the least; 0 fits any. Where the first is INNER
 * the second counts as such too: no two letters that are Roman digits.
 */
#define SHAPE(b2, b1, a1, a2) \
    ((uint64_t)(b2) | (uint64_t)(b1) << 16 | (uint64_t)(a1) << 32 | (uint64_t)(a2) << 48)
#define NONE UINT64_MAX /* no byte is everything */
#define NOTHING_ELSE {NONE, NONE, NONE, NONE}

/* By stop, ASCII: where a sentence ends, where perhaps nothing ends, and where nothing does. */
static const struct shapes {
    uint64_t end, glued, nothing[4];
} shapes[1 << 6] = {
    ['\n'] = {SHAPE(0, FULL, NEWLINE, STARTS), NONE, NOTHING_ELSE},
    ['\r'] = {NONE, NONE, NOTHING_ELSE},
    ['.'] = {SHAPE(LETTER, LETTER | INNER | SMALL, SPACE, BIG),  /* the end. Then */
             SHAPE(LETTER, LETTER | INNER | SMALL, BIG, 0),      /* java.String */
             {SHAPE(0, 0, SMALL, LOW),                           /* example.com */
              SHAPE(0, DIGIT, DIGIT, 0),                         /* 3.14 */
              SHAPE(0, APART, NEWLINE, NEWLINE),                 /* (the end). (empty line) */
              SHAPE(LETTER, LETTER | INNER, NEWLINE, NEWLINE)}}, /* the end. (empty line) */
    ['!'] = {SHAPE(LETTER, LETTER | INNER | SMALL, SPACE, BIG), NONE,
             {SHAPE(0, 0, NEWLINE, NEWLINE), NONE, NONE, NONE}},
    ['?'] = {SHAPE(LETTER, LETTER | INNER | SMALL, SPACE, BIG), NONE,
             {SHAPE(0, 0, NEWLINE, NEWLINE), NONE, NONE, NONE}},
    [')'] = {NONE, NONE,
             {SHAPE(0, 0, BLACK, 0),                             /* f(x)y */
              SHAPE(0, APART, 0, 0),                             /* (here?) */
              SHAPE(LETTER, LETTER | INNER, 0, 0), NONE}},       /* (see there) */
    [':'] = {NONE, NONE, NOTHING_ELSE},
    [';'] = {NONE, NONE, NOTHING_ELSE},
};
/* clang-format on */

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

static bool fits(uint64_t bytes, uint64_t shape) { return (bytes & shape) == shape; }

/* The word behind a full stop, a capital and more, is not as sentences begin: DataFrame, Buffer.size, BSD. */
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
    const struct shapes *const s = &shapes[at[0]];
    const unsigned first = classes[at[-2]], last = classes[at[-1]] | (first & INNER);
    const uint64_t bytes = SHAPE(first, last, classes[at[1]], classes[at[2]]);
    if (fits(bytes, s->end))
        return at[0] == '\n' || pd_lexicon_lacks(at) ? STOP_END : STOP_ASK;
    if (fits(bytes, s->glued))
        return pd_lexicon_lacks(at) && is_name(at + 1) ? STOP_NOTHING : STOP_ASK;
    const bool nothing = fits(bytes, s->nothing[0]) | fits(bytes, s->nothing[1]) |
                         fits(bytes, s->nothing[2]) | fits(bytes, s->nothing[3]);
    return nothing ? STOP_NOTHING : STOP_ASK;
}
