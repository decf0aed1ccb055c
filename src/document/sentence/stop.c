/* stop.c - see stop.h */
#include "stop.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "document/chars.h"
#include "lexicon.h"
#include "pardup/document/utf8.h"
#include "terminal.h"

/* Kinds of bytes, as bits; a byte is of several kinds. */
enum {
    LETTER = 1 << 0,  /* ASCII letter */
    INNER = 1 << 1,   /* ASCII letter, and no Roman digit (I, V, X) */
    SMALL = 1 << 2,   /* a to z */
    BIG = 1 << 3,     /* A to Z */
    DIGIT = 1 << 4,   /* 0 to 9 */
    FULL = 1 << 5,    /* above the blank: no ASCII white space */
    BLACK = 1 << 6,   /* FULL and ASCII */
    NEWLINE = 1 << 7, /* line feed */
    SPACE = 1 << 8,   /* blank */
    LOW = 1 << 9,     /* ASCII but no capital */
    APART = 1 << 10,  /* cannot end a list marker: no ASCII letter, digit or full stop */
    STARTS = 1 << 11, /* ASCII letter or digit, or a first byte that no white space has */
};

/* clang-format off */
#define SIGN (FULL | BLACK | LOW | APART)
#define CAPS (FULL | BLACK | LETTER | BIG | STARTS)
#define LOWS (FULL | BLACK | LETTER | SMALL | STARTS | LOW)
static const uint16_t kinds[256] = {
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
 * The shapes of text that are decided here, in the order that pd_stop_at() relies on. A shape fits
 * when the stop is one of `stops` and each byte near it is of all kinds required; 0 fits any byte.
 * STOPS is the stop itself, B2 and B1 are the two bytes before it, A1 and A2 the two after it.
 *
 * Several shapes require two letters before the stop, at least one of them no Roman digit. Such a
 * word is no list marker: the letters of a marker are Roman digits ("iv.") or a single one ("b.").
 */
enum { STOPS, B2, B1, A1, A2, POSITIONS };
enum {
    FIRST_GLUED = 3,  /* index of the first shape that needs a name after the stop */
    FIRST_NOTHING = 5 /* index of the first shape at which no sentence ends; all later ones too */
};
static const struct {
    const char *stops;
    uint16_t near[POSITIONS];
} shapes[] = {
    /* a sentence ends here */
    {"\n", {[B1] = FULL, [A1] = NEWLINE, [A2] = STARTS}}, /* the end (empty line) */
    {".!?", {[B2] = LETTER, [B1] = SMALL | INNER, [A1] = SPACE, [A2] = BIG}}, /* the end. Then */
    {".!?", {[B2] = INNER, [B1] = SMALL, [A1] = SPACE, [A2] = BIG}},
    /* no sentence ends here, if a name follows */
    {".", {[B2] = LETTER, [B1] = SMALL | INNER, [A1] = BIG}}, /* java.String */
    {".", {[B2] = INNER, [B1] = SMALL, [A1] = BIG}},
    /* no sentence ends here */
    {".", {[A1] = SMALL, [A2] = LOW}}, /* example.com */
    {".", {[B1] = DIGIT, [A1] = DIGIT}}, /* 3.14 */
    {".", {[B1] = APART, [A1] = NEWLINE, [A2] = NEWLINE}}, /* (end). (empty line) */
    /* the end. (empty line) */
    {".", {[B2] = LETTER, [B1] = INNER, [A1] = NEWLINE, [A2] = NEWLINE}},
    {".", {[B2] = INNER, [B1] = LETTER, [A1] = NEWLINE, [A2] = NEWLINE}},
    {"!?", {[A1] = NEWLINE, [A2] = NEWLINE}},
    {")", {[A1] = BLACK}}, /* f(x)y */
    {")", {[B1] = APART}}, /* (here?) */
    {")", {[B2] = LETTER, [B1] = INNER}}, /* (see there) */
    {")", {[B2] = INNER, [B1] = LETTER}},
};
/* clang-format on */

enum { NSHAPES = sizeof shapes / sizeof *shapes };
static_assert(NSHAPES <= 16, "a shape is a bit of a uint16_t");

/*
 * The table of shapes by column: bit k of allowed[position][c] is set when shape k allows c there.
 */
static uint16_t allowed[POSITIONS][256];

/*
 * second_bytes[lead]: the second bytes of the marks that begin with the byte `lead`, as bits of
 * their last six bits.
 */
static uint64_t second_bytes[256];

/* Enter character c, beyond ASCII, into second_bytes. */
static void enter_mark(uint32_t c)
{
    unsigned char utf8[PD_UTF8_MOST];
    pd_utf8_put(utf8, c);
    second_bytes[utf8[0]] |= UINT64_C(1) << (utf8[1] & 0x3F);
}

static void enter_marks(void)
{
    size_t n;
    const struct pd_range *const ranges = pd_terminals(&n);
    for (size_t k = 0; k < n; k++)
        for (uint32_t c = ranges[k].first; c <= ranges[k].last; c++)
            enter_mark(c);
    enter_mark(0x37E); /* the Greek question mark, which Unicode treats as ; */
    enter_mark(ETHIOPIC_SPACE);
}

void pd_stop_load(void)
{
    enter_marks();
    for (size_t k = 0; k < NSHAPES; k++)
        for (unsigned c = 0; c < 256; c++) {
            const uint16_t bit = (uint16_t)(1u << k);
            for (size_t position = B2; position < POSITIONS; position++) {
                const uint16_t least = shapes[k].near[position];
                allowed[position][c] |= (kinds[c] & least) == least ? bit : 0;
            }
            allowed[STOPS][c] |= c != 0 && strchr(shapes[k].stops, (int)c) != NULL ? bit : 0;
        }
}

/*
 * Is the character at s, whose first byte may begin a mark, no mark at all? Most are letters.
 * Quotation marks are included, since they end a sentence only after another mark.
 */
static bool is_no_mark(const unsigned char *s)
{
    unsigned len;
    if (s[0] == 0xE2) /* ‘ to ‟; the others include marks and bullets */
        return s[1] == 0x80 && s[2] >= 0x98 && s[2] <= 0x9F;
    if (s[0] == 0xEF && (s[1] == 0xBC || s[1] == 0xBD)) /* full-width and half-width forms */
        return false;
    if (!(second_bytes[s[0]] >> (s[1] & 0x3F) & 1))
        return true;
    const uint32_t c = char_at(s, &len);
    return c != 0x37E && c != ETHIOPIC_SPACE && !pd_is_terminal(c);
}

/*
 * Is the word, which begins with a capital after a full stop, a name that begins no sentence?
 * Examples are DataFrame, Buffer.size and BSD.
 */
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

enum pd_stop pd_stop_at(const unsigned char *stop)
{
    if (stop[0] >= 0x80)
        return is_no_mark(stop) ? PD_STOP_NOTHING : PD_STOP_ASK;
    const unsigned fit = allowed[STOPS][stop[0]] & allowed[B2][stop[-2]] & allowed[B1][stop[-1]] &
                         allowed[A1][stop[1]] & allowed[A2][stop[2]];
    if (fit == 0)
        return PD_STOP_ASK;
    if (fit >> FIRST_NOTHING)
        return PD_STOP_NOTHING;
    const bool plain = stop[0] == '\n' || pd_lexicon_lacks(stop);
    if (fit >> FIRST_GLUED)
        return plain && is_name(stop + 1) ? PD_STOP_NOTHING : PD_STOP_ASK;
    return plain ? PD_STOP_END : PD_STOP_ASK;
}
