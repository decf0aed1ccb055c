/* ending.c - see ending.h */
#include "ending.h"

#include <string.h>

#include "ending_chars.h"

/* --- the mark ------------------------------------------------------------------------------ */

/*
 * Whether text[i] is a space before one or more dots that continue ". . .": no letter or digit is
 * right behind them.
 */
static bool is_spaced_dot(const struct pd_lines *lines, size_t i)
{
    unsigned len;
    size_t pos = i + 1;
    if (lines->text[i] != ' ')
        return false;
    while (pos < lines->n && lines->text[pos] == '.')
        pos++;
    return pos > i + 1 && !is_alnum(peek(lines, pos, &len));
}

/*
 * The mark that ':' or ';' at text[i] stands for in the script of the character before it, or 0.
 * The Armenian full stop looks like ':', and the Greek question mark like ';'.
 */
static unsigned mark_of_script(const struct pd_lines *lines, size_t i)
{
    unsigned len;
    const uint32_t c = char_before(lines->text + i, &len);
    const bool greek = (c >= 0x370 && c <= 0x3FF) || (c >= 0x1F00 && c <= 0x1FFF);
    if (lines->text[i] == ';')
        return greek ? PD_BANG : 0;
    return c >= 0x531 && c <= 0x587 ? PD_PERIOD : 0;
}

/* Read the run of marks at i into *mark. Returns the offset of its end; i when there is none. */
static size_t read_mark(const struct pd_lines *lines, size_t i, unsigned *mark)
{
    unsigned dots = 0, len, next, kinds = 0;
    bool spaced = false;
    size_t pos = i;
    if (lines->text[i] == ':' || lines->text[i] == ';') {
        *mark = mark_of_script(lines, i);
        return *mark ? i + 1 : i;
    }
    for (;; pos += len) {
        const uint32_t c = peek(lines, pos, &len);
        if (c == '.' || c == 0x2026) {
            dots += c == '.' ? 1 : 3;
        } else if (c == ' ' && dots > 0 && is_spaced_dot(lines, pos)) {
            spaced = true;
        } else if (is_bang(c)) {
            kinds |= PD_BANG;
        } else if (is_wide_dot(c)) {
            kinds |= PD_WIDE_DOT;
        } else if (is_wide_stop(c)) {
            kinds |= PD_WIDE;
        } else if (c == ETHIOPIC_SPACE && peek(lines, pos + len, &next) == c) {
            kinds |= PD_WIDE;
            len += next;
        } else {
            break;
        }
    }
    if (kinds)
        *mark = kinds & PD_WIDE ? PD_WIDE : kinds & PD_BANG ? PD_BANG : PD_WIDE_DOT;
    else if (spaced && dots == 3)
        *mark = PD_SPACED;
    else
        *mark = dots == 1 ? PD_PERIOD : PD_DOTS;
    return pos;
}

/* The length in bytes of the footnote at i, as "[12]"; 0 when there is none. */
static size_t footnote_at(const struct pd_lines *lines, size_t i)
{
    size_t pos = i + 1;
    if (i >= lines->n || lines->text[i] != '[')
        return 0;
    while (pos < lines->n && pos - i <= 3 && is_ascii_digit(lines->text[pos]))
        pos++;
    return pos > i + 1 && pos < lines->n && lines->text[pos] == ']' ? pos + 1 - i : 0;
}

/* The offset behind the closing quotes and brackets, and the footnotes, at i. */
static size_t skip_closers(const struct pd_lines *lines, size_t i)
{
    static const uint32_t closers[] = {0x300D, 0x300F, 0xFF09, 0x3011, 0x300B, 0x3009, 0x3015,
                                       0x3017, 0x301E, 0x301F, 0xFF3D, 0xFF5D, 0xFF63, 0};
    static const uint32_t quotes[] = {0x2019, 0x201D, 0x201C, 0x2018, 0xBB,
                                      0xAB,   0x203A, 0x2039, LOST,   0};
    for (;;) {
        unsigned len, after;
        const uint32_t c = peek(lines, i, &len);
        const size_t note = footnote_at(lines, i);
        if (note != 0)
            i += note;
        else if (is_sign(c, PD_SIGN_CLOSER, closers))
            i += len;
        else if (is_sign(c, PD_SIGN_QUOTE, quotes) && !is_alnum(peek(lines, i + len, &after)))
            i += len;
        else if (c >= 0x80 && is_invisible(c))
            i += len;
        else if (c == 0x201D) /* ” always closes, even where Chinese text goes on without a space */
            i += len;
        else if ((c == ' ' || c == 0xA0 || c == 0x202F) && peek(lines, i + len, &after) == 0xBB &&
                 !is_alnum(peek(lines, i + len + after, &after)))
            i += len + 2; /* French has a space before », as in "Oui. »" */
        else
            return i;
    }
}

/* The offset behind the bare number of a footnote, as in "the end.12 The next"; i without one. */
static size_t skip_note(const struct pd_lines *lines, size_t i)
{
    enum { MOST_DIGITS = 3 };
    unsigned len;
    size_t pos = i;
    while (pos < lines->n && pos - i <= MOST_DIGITS && is_ascii_digit(lines->text[pos]))
        pos++;
    return pos - i <= MOST_DIGITS && is_white(peek(lines, pos, &len)) ? pos : i;
}

/* --- before the mark ------------------------------------------------------------------------ */

/* Bits for the bytes of a word before a mark. */
enum {
    HYPHEN = 1, /* joins the parts of a word: - / ' */
    DOT = 2,    /* a period */
    OTHER = 4,  /* a sign or digit, which a PD_PLAIN_WORD word does not have */
    ENDS = 8,   /* is no part of a word */
    BEYOND = 16 /* a byte of a character beyond ASCII; ends_token() decides on the character */
};
static const unsigned char token_classes[256] = {[0 ... ' '] = ENDS,
                                                 ['!'] = ENDS,
                                                 ['"'] = ENDS,
                                                 ['#' ... '&'] = OTHER,
                                                 ['\''] = HYPHEN,
                                                 ['('] = ENDS,
                                                 [')'] = ENDS,
                                                 ['*'] = ENDS,
                                                 ['+'] = OTHER,
                                                 [','] = ENDS,
                                                 ['-'] = HYPHEN,
                                                 ['.'] = DOT | OTHER,
                                                 ['/'] = HYPHEN | OTHER,
                                                 ['0' ... ':'] = OTHER,
                                                 [';' ... '?'] = ENDS,
                                                 ['@'] = OTHER,
                                                 ['['] = ENDS,
                                                 ['\\'] = OTHER,
                                                 [']'] = ENDS,
                                                 ['^' ... '`'] = OTHER,
                                                 ['{'] = ENDS,
                                                 ['|'] = OTHER,
                                                 ['}'] = ENDS,
                                                 ['~' ... 0x7F] = OTHER,
                                                 [0x80 ... 0xFF] = BEYOND};

/* Whether c, beyond ASCII, is no part of a word. The degree sign and the apostrophe are parts. */
static bool ends_token(uint32_t c)
{
    return is_asian(c) || (!is_alnum(c) && c != 0xB0 && c != 0x2019);
}

/*
 * The offset at which the word that ends before text[i] begins, `begin` at the least. *classes: the
 * bits of its bytes.
 */
static size_t token_before(const unsigned char *text, size_t begin, size_t i, unsigned *classes)
{
    unsigned all = 0;
    size_t token = i;
    while (token > begin && i - token < FAR_TOKEN) {
        const unsigned class = token_classes[text[token - 1]];
        unsigned len = 1;
        if (class & ENDS || (class & BEYOND && ends_token(char_before(text + token, &len))))
            break;
        all |= class;
        token -= len;
    }
    *classes = all;
    return token;
}

/*
 * Whether s[0, n) is short groups of letters with periods between them, at least one of them a
 * single letter: U.S, J.-P, Ph.D.
 */
static bool is_dotted(const unsigned char *s, size_t n)
{
    enum { MOST_LETTERS = 4 };
    unsigned len;
    size_t letters = 0, groups = 1, single = 0;
    for (size_t k = 0; k < n; k += len) {
        const uint32_t c = char_at(s + k, &len);
        if (c == '.') {
            single += letters == 1;
            if (letters == 0 || letters > MOST_LETTERS)
                return false;
            letters = 0;
            groups++;
        } else if (is_ascii_lower(c | 0x20) || (c >= 0x80 && is_alnum(c))) {
            letters++;
        } else if (c != '-' || letters > 0) {
            return false;
        }
    }
    single += letters == 1;
    return groups > 1 && single > 0 && letters > 0 && letters <= MOST_LETTERS;
}

/*
 * The bits of enum pd_before and enum pd_lexicon for the word s[0, n). `classes`: the bits of its
 * bytes. `left`: the number of bytes from s on that can be read.
 */
static unsigned word_bits(const unsigned char *s, size_t n, size_t left, unsigned classes)
{
    unsigned len, bits = pd_lexicon(s, n, left);
    for (size_t k = n; bits == 0 && classes & HYPHEN && k-- > 0;)
        if (s[k] == '-' || s[k] == '/' || s[k] == '\'') {
            bits = pd_lexicon(s + k + 1, n - k - 1, left - k - 1);
            break;
        }
    const uint32_t first = char_at(s, &len);
    if (len == n) /* letters without case, as in Arabic, count as capitals */
        bits |= is_lower(first)                         ? PD_SMALL_LETTER
                : is_upper(first) || is_caseless(first) ? PD_INITIAL
                                                        : 0;
    if (classes & DOT && is_dotted(s, n))
        bits |= PD_DOTTED;
    const uint32_t last = char_before(s + n, &len);
    if (is_ascii_digit(last)) {
        bits |= PD_NUMBER;
        if (n == 1 || (n == 2 && is_ascii_digit(s[0])))
            bits |= PD_SHORT;
    }
    return n > 1 && is_lower(last) && !(classes & OTHER) ? bits | PD_PLAIN_WORD : bits;
}

/*
 * Whether `open` is nearer before text[i] than the bracket `close`, within `far` bytes. Text before
 * `begin` is not read.
 */
static bool is_within(const struct pd_lines *lines, size_t begin, size_t i, size_t far,
                      const char *open, const char *close)
{
    enum { BRACKET_BYTES = 3 }; /* bytes of each bracket in UTF-8 */
    if (i - begin > far)
        begin = i - far;
    for (size_t k = i; k >= begin + BRACKET_BYTES; k--) {
        if (memcmp(lines->text + k - BRACKET_BYTES, close, BRACKET_BYTES) == 0)
            return false;
        if (memcmp(lines->text + k - BRACKET_BYTES, open, BRACKET_BYTES) == 0)
            return true;
    }
    return false;
}

/* Whether the sentence has at most three words, and 24 bytes, up to text[i]. */
static bool is_brief(const struct pd_lines *lines, const struct pd_begun *begun, size_t i)
{
    enum { MOST_BYTES = 24, MOST_BLANKS = 2 };
    unsigned blanks = 0;
    if (i - begun->begin > MOST_BYTES)
        return false;
    for (size_t k = begun->begin; k < i; k++)
        blanks += lines->text[k] <= ' ';
    return blanks <= MOST_BLANKS;
}

/* The bits of enum pd_before and enum pd_lexicon for the mark at text[i]. */
static unsigned look_before(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                            unsigned mark)
{
    static const uint32_t openers[] = {0xFF08, 0x3010, 0x300C, 0x300E, 0};
    unsigned len;
    if (begun->marker.style && i < begun->marker.end)
        return PD_MARKER;
    if (i <= begun->begin)
        return PD_BARE;
    unsigned bits = 0;
    uint32_t last = char_before(lines->text + i, &len);
    while (last >= 0x80 && is_invisible(last) && i - len > begun->begin)
        last = char_before(lines->text + (i -= len), &len);
    if (is_white(last))
        bits = PD_BARE;
    else if (is_sign(last, PD_SIGN_BRACKET, openers))
        bits = PD_OPENED;
    else if (is_asian(last))
        bits = PD_ASIAN;
    else if (last >= 0xFF10 && last <= 0xFF19)
        bits = PD_NUMBER;
    if (mark & (PD_WIDE | PD_WIDE_DOT) && is_within(lines, begun->begin, i, FAR_TITLE, "《", "》"))
        bits |= PD_TITLED;
    if (mark & (PD_WIDE | PD_WIDE_DOT) && is_within(lines, begun->begin, i, FAR_BRACE, "（", "）"))
        bits |= PD_BRACED;
    if (bits)
        return bits;
    unsigned classes;
    const size_t token = token_before(lines->text, begun->begin, i, &classes);
    bits = token == i ? 0 : word_bits(lines->text + token, i - token, lines->n - token, classes);
    return bits & PD_CLOCK && is_brief(lines, begun, i) ? bits | PD_TIMED : bits;
}

/* --- line ends ------------------------------------------------------------------------------ */

unsigned pd_ending_line(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                        const struct pd_gap *gap)
{
    enum { SHORT_LINE = 40 }; /* bytes of a short line, at most */
    static const uint32_t particles[] = {0x306E, 0x3092, 0x306B,
                                         0x304C, 0x3078, 0}; /* の を に が へ */
    unsigned len;
    if (lines->text[i - 1] >= 0x80 && one_of(char_before(lines->text + i, &len), particles))
        return PD_HANGING;
    if (begun->begin < lines->line || i - begun->begin > SHORT_LINE || gap->kind != PD_GAP_LINE ||
        !is_lower(peek(lines, begun->begin, &len)))
        return 0;
    for (size_t k = gap->to; k < lines->n && lines->text[k] != '\n' && lines->text[k] != '\r';
         k++) {
        const unsigned char c = lines->text[k];
        const bool stop = c == '.' && (k + 1 == lines->n || lines->text[k + 1] <= ' ');
        if (k - gap->to >= SHORT_LINE || stop || c == '!' || c == '?' || c == '\0')
            return 0;
    }
    return PD_LISTED;
}

/* --- list items in running text ------------------------------------------------------------ */

/*
 * Whether text[i], a full stop or parenthesis, may close a marker. The test is cheap, and most
 * words before a full stop fail it.
 */
static bool may_close(const unsigned char *text, size_t i)
{
    return i < 2 || !pd_marker_is_word(text[i - 2], text[i - 1]);
}

/*
 * Read into *ending the list marker whose last sign is text[i] and that stands within the sentence,
 * behind white space. False unless the marker opens an item: PD_NEXT_ITEM or PD_COLON.
 */
static bool read_item(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                      struct pd_ending *ending)
{
    enum { MOST_MARKER = 9 }; /* bytes of a marker before its last sign; "(xxviii)" has 7 */
    unsigned len;
    size_t begin = i;
    while (begin > begun->begin && i - begin < MOST_MARKER && lines->text[begin - 1] > ' ' &&
           lines->text[begin - 1] < 0x80)
        begin--;
    if (begin <= begun->begin || !is_white(char_before(lines->text + begin, &len)))
        return false;
    const unsigned char *const text = lines->text;
    struct pd_marker m = {0};
    if (text[i] >=
        0x80) { /* most such signs are no bullets; white space of Unicode is among them */
        m = pd_marker_at(text, lines->n, begin);
        if (m.style == 0 || m.end <= i)
            return false;
    }
    size_t last = begin - len;
    while (last > begun->begin && is_white(char_before(text + last, &len)))
        last -= len;
    const bool colon = last > begun->begin && text[last - 1] == ':';
    if (text[i] < 0x80) {
        if (!colon && !begun->marker.style)
            return false; /* the marker cannot open an item, so it need not be read */
        m = pd_marker_at(text, lines->n, begin);
        if (m.style == 0 || m.end <= i)
            return false;
    }
    *ending = (struct pd_ending){.mark = PD_ITEM, .end = begin, .next = m.end};
    if ((m.bullet && !m.line_only) || pd_marker_follows(&begun->marker, &m))
        ending->before |= PD_NEXT_ITEM;
    if (colon && (m.number == 1 || m.roman == 1))
        ending->before |= PD_COLON;
    return ending->before != 0;
}

/*
 * Whether text[i] is a single full stop with no closing quote or bracket behind it: a letter, digit
 * or line feed follows, or a space and an ASCII character other than '.'.
 */
static bool is_bare_period(const struct pd_lines *lines, size_t i)
{
    const unsigned char *const s = lines->text + i;
    if (lines->n - i <= 2 || s[0] != '.' || s[1] >= 0x80)
        return false;
    return is_alnum(s[1]) || s[1] == '\n' || (s[1] == ' ' && s[2] < 0x80 && s[2] != '.');
}

bool pd_ending_at(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                  struct pd_ending *ending)
{
    const unsigned char c = lines->text[i];
    const bool item = c == BULLET_LEAD || ((c == '.' || c == ')') && may_close(lines->text, i));
    if (item && read_item(lines, begun, i, ending))
        return true;
    if (c == ')')
        return false;
    if (is_bare_period(lines, i)) {
        *ending = (struct pd_ending){.mark = PD_PERIOD, .next = i + 1, .end = i + 1};
        return true;
    }
    unsigned mark = 0;
    const size_t next = read_mark(lines, i, &mark);
    if (next == i)
        return false;
    *ending = (struct pd_ending){.mark = mark, .next = next, .end = skip_closers(lines, next)};
    return true;
}

void pd_ending_before(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                      struct pd_ending *ending)
{
    ending->before = look_before(lines, begun, i, ending->mark);
    if (ending->mark == PD_PERIOD && (ending->before == 0 || ending->before == PD_PLAIN_WORD) &&
        ending->end == ending->next)
        ending->end = skip_note(lines, ending->next);
}
