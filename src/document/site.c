/* site.c - see site.h */
#include "site.h"

#include <string.h>
#include <utf8proc.h>

#include "chars.h"
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
enum { CLOSER = 1, QUOTE = 2, COMMA_LIKE = 4, OPENER = 8, BRACKET = 16 };
static const unsigned char signs[0x80] = {
    ['('] = OPENER | BRACKET, ['['] = OPENER | BRACKET, ['{'] = OPENER | BRACKET,
    [')'] = CLOSER,           [']'] = CLOSER,           ['}'] = CLOSER,
    ['"'] = QUOTE | OPENER,   ['\''] = QUOTE | OPENER,  ['*'] = QUOTE | OPENER,
    ['_'] = QUOTE | OPENER,   ['`'] = OPENER,           ['-'] = OPENER,
    [','] = COMMA_LIKE,       [';'] = COMMA_LIKE,       [':'] = COMMA_LIKE,
    ['%'] = COMMA_LIKE,       ['.'] = COMMA_LIKE,       ['!'] = COMMA_LIKE,
    ['?'] = COMMA_LIKE};

static bool one_of(uint32_t c, const uint32_t *set)
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
static bool is_invisible(uint32_t c)
{
    return c == 0xAD || (c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x2064) || c == 0xFEFF;
}

static bool is_bang(uint32_t c)
{
    static const uint32_t bangs[] = {0x37E,  0x203C, 0x203D, 0x2047, 0x2048, 0x2049,
                                     0x2E2E, 0x2E3C, 0x2E53, 0x2E54, 0};
    return c < 0x80 ? c == '!' || c == '?' : one_of(c, bangs);
}

static bool is_wide_dot(uint32_t c) { return c == 0xFF0E || c == 0xFE52; }

/* Whether c, which is none of the marks above, is a mark of a script other than Latin. */
static bool is_wide_stop(uint32_t c)
{
    return c >= 0x80 && (c < 0x2000 || c >= 0x3000) && pd_is_terminal(c);
}

static bool is_asian(uint32_t c)
{
    enum { FIRST = 0x3005 };
    return c >= FIRST && (is_han(c) || is_hiragana(c) || is_katakana(c));
}

static utf8proc_category_t category(uint32_t c) { return utf8proc_category((utf8proc_int32_t)c); }

static bool is_upper(uint32_t c)
{
    return c < 0x80 ? is_ascii_upper(c)
                    : category(c) == UTF8PROC_CATEGORY_LU || category(c) == UTF8PROC_CATEGORY_LT;
}

/* Georgian has capitals for headings only, so its sentences begin with what Unicode calls small. */
static bool is_georgian(uint32_t c) { return c >= 0x10D0 && c <= 0x10FF; }

static bool is_lower(uint32_t c)
{
    return c < 0x80 ? is_ascii_lower(c) : category(c) == UTF8PROC_CATEGORY_LL && !is_georgian(c);
}

static bool is_caseless(uint32_t c)
{
    return c >= 0x80 && ((category(c) == UTF8PROC_CATEGORY_LO && !is_asian(c)) || is_georgian(c));
}

static bool is_alnum(uint32_t c)
{
    if (c < 0x80)
        return is_ascii_digit(c) || is_ascii_lower(c | 0x20);
    return category(c) >= UTF8PROC_CATEGORY_LU && category(c) <= UTF8PROC_CATEGORY_NO;
}

/* The character at i, and its length in bytes in *len; both are 0 at the end of the text. */
static uint32_t peek(const struct pd_lines *lines, size_t i, unsigned *len)
{
    *len = 0;
    return i < lines->n ? char_at(lines->text + i, len) : 0;
}

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
        return greek ? BANG : 0;
    return c >= 0x531 && c <= 0x587 ? PERIOD : 0;
}

/* Read the run of marks at i into *mark. Returns the offset of its end; i when there is none. */
static size_t read_mark(const struct pd_lines *lines, size_t i, unsigned *mark)
{
    unsigned dots = 0, len, kinds = 0;
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
            kinds |= BANG;
        } else if (is_wide_dot(c)) {
            kinds |= WIDE_DOT;
        } else if (is_wide_stop(c)) {
            kinds |= WIDE;
        } else {
            break;
        }
    }
    if (kinds)
        *mark = kinds & WIDE ? WIDE : kinds & BANG ? BANG : WIDE_DOT;
    else if (spaced && dots == 3)
        *mark = SPACED;
    else
        *mark = dots == 1 ? PERIOD : DOTS;
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
        else if (is_sign(c, CLOSER, closers))
            i += len;
        else if (is_sign(c, QUOTE, quotes) && !is_alnum(peek(lines, i + len, &after)))
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
    OTHER = 4,  /* a sign or digit, which a PLAIN word does not have */
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
 * The bits of enum before and enum lexicon for the word s[0, n). `classes`: the bits of its bytes.
 * `left`: the number of bytes from s on that can be read.
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
        bits |= is_lower(first) ? LETTER : is_upper(first) || is_caseless(first) ? INITIAL : 0;
    if (classes & DOT && is_dotted(s, n))
        bits |= DOTTED;
    const uint32_t last = char_before(s + n, &len);
    if (is_ascii_digit(last)) {
        bits |= NUMBER;
        if (n == 1 || (n == 2 && is_ascii_digit(s[0])))
            bits |= SHORT;
    }
    return n > 1 && is_lower(last) && !(classes & OTHER) ? bits | PLAIN : bits;
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

/* The bits of enum before and enum lexicon for the mark at text[i]. */
static unsigned look_before(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                            unsigned mark)
{
    static const uint32_t openers[] = {0xFF08, 0x3010, 0x300C, 0x300E, 0};
    unsigned len;
    if (begun->marker.style && i < begun->marker.end)
        return MARKER;
    if (i <= begun->begin)
        return BARE;
    unsigned bits = 0;
    uint32_t last = char_before(lines->text + i, &len);
    while (last >= 0x80 && is_invisible(last) && i - len > begun->begin)
        last = char_before(lines->text + (i -= len), &len);
    if (is_white(last))
        bits = BARE;
    else if (is_sign(last, BRACKET, openers))
        bits = OPENED;
    else if (is_asian(last))
        bits = ASIAN;
    else if (last >= 0xFF10 && last <= 0xFF19)
        bits = NUMBER;
    if (mark & (WIDE | WIDE_DOT) && is_within(lines, begun->begin, i, FAR_TITLE, "《", "》"))
        bits |= TITLED;
    if (mark & (WIDE | WIDE_DOT) && is_within(lines, begun->begin, i, FAR_BRACE, "（", "）"))
        bits |= BRACED;
    if (bits)
        return bits;
    unsigned classes;
    const size_t token = token_before(lines->text, begun->begin, i, &classes);
    bits = token == i ? 0 : word_bits(lines->text + token, i - token, lines->n - token, classes);
    return bits & CLOCK && is_brief(lines, begun, i) ? bits | TIMED : bits;
}

/* --- behind the mark ------------------------------------------------------------------------ */

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

/* The bits of enum after for the word at i. `gap_bits`: the bits for what is before the word. */
static unsigned next_word_bits(const struct pd_lines *lines, size_t i, unsigned gap_bits)
{
    unsigned len, second_len, bits = 0;
    const uint32_t first = peek(lines, i, &len);
    if (is_ascii_digit(first) || (first >= 0xFF10 && first <= 0xFF19))
        return DIGIT;
    if (is_asian(first))
        return HAN;
    const uint32_t second = peek(lines, i + len, &second_len);
    if (second == '.' && is_alnum(first))
        bits |= SINGLE;
    if (is_lower(first)) /* iPhone and eBay begin sentences as capitals do */
        return bits | (is_upper(second) ? UPPER : SMALL);
    if (!is_upper(first))
        return bits;
    bool roman;
    uint32_t c;
    const size_t pos = word_end(lines, i, &roman, &c);
    bits |= UPPER | (roman ? ROMAN : 0);
    const unsigned known = pd_lexicon(lines->text + i, pos - i, lines->n - i);
    /* "A." is an initial, and "No." in "No. 5" an abbreviation */
    if (!(bits & SINGLE) && !(c == '.' && known & NUMBERED))
        bits |= known & (STARTER | DATE);
    if (gap_bits & GLUED && begins_sentence(lines, i))
        bits |= SENTENCE;
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

unsigned pd_site_after(const struct pd_lines *lines, const struct pd_gap *gap, bool closed)
{
    static const uint32_t commas[] = {0x2026, 0xFF0C, 0x3001, 0xFF1A, 0xFF1B,
                                      0x3002, 0xFF01, 0xFF1F, 0};
    static const uint32_t openers[] = {0x2013, 0x2014, 0x2018, 0x201A, 0x201C, 0x201E, 0x201F,
                                       0xAB,   0xBB,   0x2039, 0xBF,   0xA1,   0x300C, 0xFF08,
                                       0x300E, 0x3010, 0x300A, LOST,   0};
    unsigned len, bits = 0;
    size_t i = gap->to;
    if (gap->kind == GAP_END)
        return FINISH;
    if (gap->kind == GAP_LINE)
        bits |= BREAK;
    if (gap->kind == GAP_NONE)
        bits |= GLUED;
    uint32_t c = peek(lines, i, &len);
    if (closed && is_particle(lines, i))
        bits |= PARTICLE;
    if (is_sign(c, COMMA_LIKE, commas) && !(c == '.' && gap->kind != GAP_NONE))
        return bits | COMMA;
    const struct pd_marker m = pd_marker_at(lines->text, lines->n, i);
    if (m.style && (!m.line_only || gap->kind == GAP_LINE))
        bits |= BULLET;
    for (unsigned k = 0;
         k < MOST_QUOTES && (is_sign(c, OPENER, openers) || (c >= 0x80 && is_invisible(c))); k++) {
        bits |= c == '(' ? PAREN : 0;
        const bool dash = c == '-' || c == 0x2013 || c == 0x2014;
        i += len;
        c = peek(lines, i, &len);
        if (dash && c == ' ')
            c = peek(lines, ++i, &len);
    }
    return bits | next_word_bits(lines, i, bits);
}

bool pd_site_begins_small(const struct pd_lines *lines, const struct pd_begun *begun)
{
    unsigned len, second_len;
    size_t i = begun->marker.style ? begun->marker.end : begun->begin;
    for (unsigned k = 0; k < MOST_QUOTES && !is_alnum(peek(lines, i, &len)); k++)
        i += len;
    return is_lower(peek(lines, i, &len)) && !is_upper(peek(lines, i + len, &second_len));
}

/* --- line ends ------------------------------------------------------------------------------ */

unsigned pd_site_line(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                      const struct pd_gap *gap)
{
    enum { SHORT_LINE = 40 }; /* bytes of a short line, at most */
    static const uint32_t particles[] = {0x306E, 0x3092, 0x306B,
                                         0x304C, 0x3078, 0}; /* の を に が へ */
    unsigned len;
    if (lines->text[i - 1] >= 0x80 && one_of(char_before(lines->text + i, &len), particles))
        return HANGING;
    if (begun->begin < lines->line || i - begun->begin > SHORT_LINE || gap->kind != GAP_LINE ||
        !is_lower(peek(lines, begun->begin, &len)))
        return 0;
    for (size_t k = gap->to; k < lines->n && lines->text[k] != '\n' && lines->text[k] != '\r';
         k++) {
        const unsigned char c = lines->text[k];
        const bool stop = c == '.' && (k + 1 == lines->n || lines->text[k + 1] <= ' ');
        if (k - gap->to >= SHORT_LINE || stop || c == '!' || c == '?' || c == '\0')
            return 0;
    }
    return LISTED;
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
 * Read into *site the list marker whose last sign is text[i] and that stands within the sentence,
 * behind white space. False unless the marker opens an item: NEXT_ITEM or COLON.
 */
static bool read_item(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                      struct pd_site *site)
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
    *site = (struct pd_site){.mark = ITEM, .end = begin, .next = m.end};
    if ((m.bullet && !m.line_only) || pd_marker_follows(&begun->marker, &m))
        site->before |= NEXT_ITEM;
    if (colon && (m.number == 1 || m.roman == 1))
        site->before |= COLON;
    return site->before != 0;
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

bool pd_site_at(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                struct pd_site *site)
{
    const unsigned char c = lines->text[i];
    const bool item = c == BULLET_LEAD || ((c == '.' || c == ')') && may_close(lines->text, i));
    if (item && read_item(lines, begun, i, site))
        return true;
    if (c == ')')
        return false;
    if (is_bare_period(lines, i)) {
        *site = (struct pd_site){.mark = PERIOD, .next = i + 1, .end = i + 1};
        return true;
    }
    unsigned mark = 0;
    const size_t next = read_mark(lines, i, &mark);
    if (next == i)
        return false;
    *site = (struct pd_site){.mark = mark, .next = next, .end = skip_closers(lines, next)};
    return true;
}

void pd_site_before(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                    struct pd_site *site)
{
    site->before = look_before(lines, begun, i, site->mark);
    if (site->mark == PERIOD && (site->before == 0 || site->before == PLAIN) &&
        site->end == site->next)
        site->end = skip_note(lines, site->next);
}
