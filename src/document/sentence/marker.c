/* marker.c - see marker.h */
#include "marker.h"

#include "document/chars.h"

#define MOST_DIGITS 3 /* digits of a number; "1999." is a year, not an item */
#define MOST_ROMAN  6 /* letters of a Roman number: xxviii */

/*
 * The style of a marker that is no bullet: DIGITS, LOWER or UPPER for the kind of its value, and a
 * bit for each sign around the value. The style of a bullet is its character << 8.
 */
enum { DIGITS = 1, LOWER, UPPER, PARENTHESIS = 1 << 2, PERIOD = 1 << 3, CLOSED = 1 << 4 };
enum { SECTION = 1 << 5 }; /* the style of the number of a section, which has no value */

static unsigned roman_digit(unsigned char c)
{
    switch (c | 0x20) {
    case 'i':
        return 1;
    case 'v':
        return 5;
    case 'x':
        return 10;
    default:
        return 0;
    }
}

/* The value of s[0, n) as a Roman number with the digits I, V and X; 0 when it is none. */
static unsigned roman_value(const unsigned char *s, size_t n)
{
    unsigned value = 0;
    for (size_t k = 0; k < n; k++) {
        const unsigned digit = roman_digit(s[k]);
        if (digit == 0)
            return 0;
        if (k + 1 < n && digit < roman_digit(s[k + 1]))
            value -= digit; /* may wrap round, until the next digit adds more */
        else
            value += digit;
    }
    return value;
}

/* The bullet at text[i], with i < n; style 0 when there is none. */
static struct pd_marker bullet_at(const unsigned char *text, size_t n, size_t i)
{
    unsigned len;
    const uint32_t c = char_at(text + i, &len);
    struct pd_marker m = {.style = c << 8, .end = i + len, .bullet = true};
    switch (c) {
    case 0x2022: /* • */
    case 0x2023: /* ‣ */
    case 0x2043: /* ⁃ */
    case 0x25AA: /* ▪ */
    case 0x25A0: /* ■ */
    case 0x25CF: /* ● */
    case 0x25E6: /* ◦ */
    case 0x25BA: /* ► */
        return m;
    case '-':
    case '*':
    case '+':
    case 0x2013: /* – */
    case 0x2014: /* — */
        m.line_only = true;
        if (m.end < n && is_white(char_at(text + m.end, &len)))
            return m;
        break;
    default:
        break;
    }
    return (struct pd_marker){0};
}

/*
 * Whether a marker may end before text[i]: white space, the end of the text, or a Chinese or
 * Japanese character is there. Chinese and Japanese need no space: "1.总则".
 */
static bool is_apart(const unsigned char *text, size_t n, size_t i)
{
    unsigned len;
    if (i == n)
        return true;
    const uint32_t c = char_at(text + i, &len);
    return is_white(c) || is_han(c) || is_hiragana(c) || is_katakana(c);
}

/* Whether text[i] is a sign that ends a marker. */
static bool is_closing(const unsigned char *text, size_t n, size_t i)
{
    return i < n && (text[i] == '.' || text[i] == ')');
}

struct pd_marker pd_marker_at(const unsigned char *text, size_t n, size_t i)
{
    const struct pd_marker none = {0};
    if (n - i > 1 && i < n && pd_marker_is_word(text[i], text[i + 1]))
        return none;
    struct pd_marker m = {0};
    size_t pos = i;
    if (pos < n && text[pos] == '(') {
        m.style |= PARENTHESIS;
        pos++;
    }
    const size_t value_begin = pos;
    if (pos < n && is_ascii_digit(text[pos])) {
        m.style |= DIGITS;
        for (; pos < n && pos - value_begin < MOST_DIGITS && is_ascii_digit(text[pos]); pos++)
            m.number = 10 * m.number + (text[pos] - '0');
    } else {
        while (pos < n && pos - value_begin < MOST_ROMAN && is_ascii_lower(text[pos] | 0x20))
            pos++;
        if (pos == value_begin)
            return m.style || pos == n ? none : bullet_at(text, n, i);
        if (!is_closing(text, n, pos)) /* true of most words, so it comes first */
            return none;
        m.style |= is_ascii_lower(text[value_begin]) ? LOWER : UPPER;
        m.number = pos - value_begin == 1 ? (text[value_begin] | 0x20u) - 'a' + 1 : 0;
        m.roman = roman_value(text + value_begin, pos - value_begin);
        if (m.number == 0 && m.roman == 0)
            return none;
    }
    if (pos < n && text[pos] == '.' && !(m.style & PARENTHESIS)) {
        m.style |= PERIOD;
        pos++;
    }
    if (pos < n && text[pos] == ')') {
        m.style |= CLOSED;
        pos++;
    }
    m.end = pos;
    return m.style & (PERIOD | CLOSED) && is_apart(text, n, pos) ? m : none;
}

/* The end of the digits, or of a single capital, at text[i]; i when there is neither. */
static size_t pass_part(const unsigned char *text, size_t n, size_t i)
{
    size_t end = i;
    while (end < n && end - i < MOST_DIGITS && is_ascii_digit(text[end]))
        end++;
    return end == i && i < n && is_ascii_upper(text[i]) ? i + 1 : end;
}

/* The number of a section at text[i]: "4.2.", "B.4.12."; style 0 when there is none. */
static struct pd_marker section_at(const unsigned char *text, size_t n, size_t i)
{
    unsigned parts = 0;
    bool digits = false;
    for (size_t end; (end = pass_part(text, n, i)) > i && end < n && text[end] == '.'; parts++) {
        digits |= is_ascii_digit(text[i]);
        i = end + 1;
    }
    if (parts < 2 || !digits || !is_apart(text, n, i))
        return (struct pd_marker){0};
    return (struct pd_marker){.style = SECTION, .end = i};
}

struct pd_marker pd_marker_opening(const unsigned char *text, size_t n, size_t i)
{
    const struct pd_marker m = pd_marker_at(text, n, i);
    return m.style ? m : section_at(text, n, i);
}

bool pd_marker_follows(const struct pd_marker *m, const struct pd_marker *next)
{
    if (m->style == 0 || m->style != next->style)
        return false;
    return m->bullet || (m->number != 0 && next->number == m->number + 1) ||
           (m->roman != 0 && next->roman == m->roman + 1);
}
