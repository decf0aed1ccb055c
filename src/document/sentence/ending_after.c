/* ending_after.c - what stands behind a mark that may end a sentence; see ending.h */
#include <string.h>

#include "ending.h"
#include "ending_chars.h"

/*
 * Whether the text at i begins as a sentence does: a word of a capital and small letters, then
 * white space, a comma, the end of the text, or a mark with white space or a capital behind it. A
 * word of one letter must be I or A.
 */
static bool begins_sentence(const struct pd_lines *lines, size_t i)
{
    unsigned len;
    size_t pos = i, letters = 0;
    for (uint32_t c; (is_alnum(c = peek(lines, pos, &len)) || c == '\'') && pos - i < FAR_TOKEN;
         pos += len) {
        if (letters > 0 && !is_lower(c) && c != '\'')
            return false;
        letters++;
    }
    const uint32_t c = peek(lines, pos, &len);
    if (letters == 1 && lines->text[i] != 'I' && lines->text[i] != 'A')
        return false;
    if (c == '.' || c == '?' || c == '!') {
        const uint32_t behind = peek(lines, pos + len, &len);
        return behind == 0 || is_white(behind) || is_upper(behind);
    }
    return c == 0 || c == ',' || is_white(c);
}

/*
 * The offset behind the word of letters, digits and apostrophes at i. *roman: whether the word has
 * only the Roman digits C, I, L, V and X. *next: the character behind the word, 0 at the end of the
 * text.
 */
static size_t word_end(const struct pd_lines *lines, size_t i, bool *roman, uint32_t *next)
{
    enum { WORD = 1, NOT_ROMAN = 2 };
    static const unsigned char classes[256] = {
        ['\''] = WORD | NOT_ROMAN,        ['0' ... '9'] = WORD | NOT_ROMAN,
        ['A' ... 'B'] = WORD | NOT_ROMAN, ['C'] = WORD,
        ['D' ... 'H'] = WORD | NOT_ROMAN, ['I'] = WORD,
        ['J' ... 'K'] = WORD | NOT_ROMAN, ['L'] = WORD,
        ['M' ... 'U'] = WORD | NOT_ROMAN, ['V'] = WORD,
        ['W'] = WORD | NOT_ROMAN,         ['X'] = WORD,
        ['Y' ... 'Z'] = WORD | NOT_ROMAN, ['a' ... 'z'] = WORD | NOT_ROMAN,
    };
    const size_t limit = lines->n - i < FAR_TOKEN ? lines->n : i + FAR_TOKEN;
    unsigned len, all = 0;
    size_t pos = i;
    for (;;) {
        for (; pos < limit && classes[lines->text[pos]] & WORD; pos++)
            all |= classes[lines->text[pos]];
        *next = peek(lines, pos, &len);
        if (pos >= limit || *next < 0x80 || !is_alnum(*next))
            break;
        all |= NOT_ROMAN;
        pos += len;
    }
    *roman = !(all & NOT_ROMAN);
    return pos;
}

/* The bits of enum pd_after for the word at i. `gap_bits`: the bits for what is before the word. */
static unsigned next_word_bits(const struct pd_lines *lines, size_t i, unsigned gap_bits)
{
    unsigned len, second_len, bits = 0;
    const uint32_t first = peek(lines, i, &len);
    if (is_ascii_digit(first) || (first >= 0xFF10 && first <= 0xFF19))
        return PD_DIGIT;
    if (is_asian(first))
        return PD_HAN;
    const uint32_t second = peek(lines, i + len, &second_len);
    if (second == '.' && is_alnum(first))
        bits |= PD_SINGLE;
    if (is_lower(first)) /* iPhone and eBay begin sentences as capitals do */
        return bits | (is_upper(second) ? PD_UPPER : PD_SMALL);
    if (!is_upper(first))
        return bits;
    bool roman;
    uint32_t c;
    const size_t pos = word_end(lines, i, &roman, &c);
    bits |= PD_UPPER | (roman ? PD_ROMAN : 0);
    const unsigned known = pd_lexicon(lines->text + i, pos - i, lines->n - i);
    /* "A." is an initial, and "No." in "No. 5" an abbreviation */
    if (!(bits & PD_SINGLE) && !(c == '.' && known & PD_NUMBERED))
        bits |= known & (PD_STARTER | PD_DATE);
    if (gap_bits & PD_GLUED && begins_sentence(lines, i))
        bits |= PD_SENTENCE;
    return bits;
}

/* Whether a Japanese particle that follows quoted speech is at i. */
static bool is_particle(const struct pd_lines *lines, size_t i)
{
    static const char *const particles[] = {"と", "って", "という"};
    for (size_t k = 0; k < sizeof particles / sizeof *particles; k++) {
        const size_t n = strlen(particles[k]);
        if (lines->n - i >= n && memcmp(lines->text + i, particles[k], n) == 0)
            return true;
    }
    return false;
}

unsigned pd_ending_after(const struct pd_lines *lines, const struct pd_gap *gap, bool closed)
{
    static const uint32_t commas[] = {0x2026, 0xFF0C, 0x3001, 0xFF1A, 0xFF1B,
                                      0x3002, 0xFF01, 0xFF1F, 0};
    static const uint32_t openers[] = {0x2013, 0x2014, 0x2018, 0x201A, 0x201C, 0x201E, 0x201F,
                                       0xAB,   0xBB,   0x2039, 0xBF,   0xA1,   0x300C, 0xFF08,
                                       0x300E, 0x3010, 0x300A, LOST,   0};
    unsigned len, bits = 0;
    size_t i = gap->to;
    if (gap->kind == PD_GAP_END)
        return PD_FINISH;
    if (gap->kind == PD_GAP_LINE)
        bits |= PD_BREAK;
    if (gap->kind == PD_GAP_NONE)
        bits |= PD_GLUED;
    uint32_t c = peek(lines, i, &len);
    if (closed && is_particle(lines, i))
        bits |= PD_PARTICLE;
    if (is_sign(c, PD_SIGN_COMMA_LIKE, commas) && !(c == '.' && gap->kind != PD_GAP_NONE))
        return bits | PD_COMMA;
    const struct pd_marker m = pd_marker_at(lines->text, lines->n, i);
    if (m.style && (!m.line_only || gap->kind == PD_GAP_LINE))
        bits |= PD_BULLET;
    for (unsigned k = 0;
         k < MOST_QUOTES && (is_sign(c, PD_SIGN_OPENER, openers) || (c >= 0x80 && is_invisible(c)));
         k++) {
        bits |= c == '(' ? PD_PAREN : 0;
        const bool dash = c == '-' || c == 0x2013 || c == 0x2014;
        i += len;
        c = peek(lines, i, &len);
        if (dash && c == ' ')
            c = peek(lines, ++i, &len);
    }
    return bits | next_word_bits(lines, i, bits);
}

bool pd_ending_begins_small(const struct pd_lines *lines, const struct pd_begun *begun)
{
    unsigned len, second_len;
    size_t i = begun->marker.style ? begun->marker.end : begun->begin;
    for (unsigned k = 0; k < MOST_QUOTES && !is_alnum(peek(lines, i, &len)); k++)
        i += len;
    return is_lower(peek(lines, i, &len)) && !is_upper(peek(lines, i + len, &second_len));
}
