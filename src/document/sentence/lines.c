/* lines.c - see lines.h */
#include "lines.h"

#include <stdint.h>

#include "document/chars.h"
#include "document/find.h"

#define MOST_COLUMNS  120  /* columns of a line; a longer one was not wrapped for reading */
#define LEAST_COLUMNS 45   /* columns; a narrower paragraph is a list, verse or an address */
#define SLACK         8    /* 1/8 of the width is slack, because printed letters differ in width */
#define NATURAL_SHARE 0.65 /* share of natural breaks from which a paragraph is wrapped text */
#define WIDE_LEAD     0xE3 /* characters from this first byte on: nearly all have two columns */

static bool is_line_end(unsigned char c) { return c == '\n' || c == '\r'; }

/* The first line end from text[i] on, or n. */
static size_t line_end(const unsigned char *text, size_t n, size_t i)
{
    return (size_t)(pd_find_either(text + i, text + n, '\n', '\r') - text);
}

/* The first byte of the line after the line end at `end`, which may be n. */
static size_t next_line(const unsigned char *text, size_t n, size_t end)
{
    if (end < n && text[end] == '\r' && end + 1 < n && text[end + 1] == '\n')
        end++;
    return end < n ? end + 1 : n;
}

/* Is text[begin, end) all ASCII? Reads 16 bytes at a time, also behind `end`, but not behind n. */
static bool is_ascii(const unsigned char *text, size_t n, size_t begin, size_t end)
{
#ifdef PD_VECTORS
    enum { N = sizeof(__m128i) };
    for (; begin < end && n - begin >= N; begin += N) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(text + begin));
        const unsigned beyond = (unsigned)_mm_movemask_epi8(x);
        if ((end - begin < N ? beyond << (N - (end - begin)) & 0xFFFF : beyond) != 0)
            return false;
    }
#endif
    (void)n;
    while (begin < end && text[begin] < 0x80)
        begin++;
    return begin >= end;
}

/* Columns of text[begin, end): a character is one wide or, nearly always from WIDE_LEAD on, two. */
static size_t columns(const unsigned char *text, size_t n, size_t begin, size_t end)
{
    if (is_ascii(text, n, begin, end))
        return end - begin;
    size_t sum = 0;
    for (size_t k = begin; k < end; k++)
        sum += (size_t)((text[k] & 0xC0) != 0x80) + (size_t)(text[k] >= WIDE_LEAD);
    return sum;
}

/* The first byte from text[i] on that is not white space within a line. */
static size_t skip_blanks(const unsigned char *text, size_t n, size_t i)
{
    unsigned len;
    while (i < n && text[i] == ' ')
        i++;
    while (i < n && !is_line_end(text[i]) && is_white(char_at(text + i, &len)))
        i += len;
    return i;
}

/* The end of text[begin, end) without trailing white space. */
static size_t trim(const unsigned char *text, size_t begin, size_t end)
{
    unsigned len;
    while (end > begin && is_white(char_before(text + end, &len)))
        end -= len;
    return end;
}

/* The first byte after the indentation and quotation prefix of the line at i. Sets *depth. */
static size_t skip_prefix(const unsigned char *text, size_t n, size_t i, unsigned *depth)
{
    *depth = 0;
    if (i < n && is_ascii_lower(text[i] | 0x20))
        return i;
    for (;;) {
        i = skip_blanks(text, n, i);
        if (i == n || (text[i] != '>' && text[i] != '|'))
            return i;
        ++*depth;
        i++;
    }
}

/*
 * Is there neither letter nor digit from text[i] to the line end? A byte beyond ASCII counts as a
 * letter.
 */
static bool is_empty(const unsigned char *text, size_t n, size_t i)
{
    for (; i < n && !is_line_end(text[i]); i++)
        if (text[i] >= 0x80 || is_ascii_digit(text[i]) || is_ascii_lower(text[i] | 0x20))
            return false;
    return true;
}

/* Bytes of the word at i when it is ASCII, at most 15 bytes, and before white space; else 0. */
static size_t short_word(const unsigned char *text, size_t n, size_t i)
{
#ifdef PD_VECTORS
    if (n - i >= sizeof(__m128i)) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(text + i));
        const __m128i black = _mm_cmpgt_epi8(x, _mm_set1_epi8(' ')); /* signed, so ASCII only */
        const unsigned others = ~(unsigned)_mm_movemask_epi8(black) & 0xFFFF;
        const size_t length = others == 0 ? 0 : (size_t)__builtin_ctz(others);
        return is_white(text[i + length]) ? length : 0; /* the byte behind may be beyond ASCII */
    }
#endif
    (void)text, (void)n, (void)i;
    return 0;
}

/* Columns that the word at i and a space before it would have needed on the line before. */
static size_t need_of_word(const unsigned char *text, size_t n, size_t i)
{
    const size_t begin = i, length = short_word(text, n, i);
    if (length > 0)
        return 1 + length;
    const bool wide = text[i] >= WIDE_LEAD; /* no spaces: a line may break at any character */
    unsigned len;
    if (wide) {
        char_at(text + i, &len);
        return columns(text, n, i, i + len);
    }
    while (i < n && i - begin < MOST_COLUMNS && !is_white(char_at(text + i, &len)))
        i += len;
    return 1 + columns(text, n, begin, i);
}

/* Is a break natural when the line, a space and the next word take `needed` columns? */
static bool is_full(const struct pd_lines *lines, size_t needed)
{
    return needed > lines->width - lines->width / SLACK;
}

/* Is the break after the line text[line, end) natural? The next line's first word is at `next`. */
static bool is_natural(const struct pd_lines *lines, size_t line, size_t end, size_t next)
{
    const size_t taken = columns(lines->text, lines->n, line, end);
    return is_full(lines, taken) ||
           is_full(lines, taken + need_of_word(lines->text, lines->n, next));
}

/* A line of a paragraph. */
struct para_line {
    size_t begin, end; /* the line is text[begin, end), without trailing white space */
    size_t next;       /* first byte of the next line */
    size_t word;       /* first word of the next line; 0 when the paragraph ends here */
};

/* The line that starts at `begin`, which is in the current paragraph. */
static struct para_line line_at(const struct pd_lines *lines, size_t begin)
{
    unsigned depth;
    const size_t eol = line_end(lines->text, lines->n, begin);
    struct para_line line = {.begin = begin, .end = trim(lines->text, begin, eol)};
    line.next = next_line(lines->text, lines->n, eol);
    /* the common case: an empty line follows */
    if (line.next == lines->n || is_line_end(lines->text[line.next]))
        return line;
    const size_t word = skip_prefix(lines->text, lines->n, line.next, &depth);
    if (depth == lines->depth && !is_empty(lines->text, lines->n, word))
        line.word = word;
    return line;
}

/*
 * Decide whether the current paragraph is wrapped text: sets fresh, wrapped and width. Called at
 * the end of its first line, and not for paragraphs of one line, which are most.
 */
static void judge_paragraph(struct pd_lines *lines)
{
    /* needing[c]: breaks whose line, space and next word take c columns; in the last, c or more */
    uint32_t needing[MOST_COLUMNS + 2] = {0};
    size_t breaks = 0, natural = 0;
    lines->fresh = false;
    lines->wrapped = false;
    lines->width = 0;
    struct para_line line = line_at(lines, lines->line);
    if (line.word == 0)
        return;
    for (;; line = line_at(lines, line.next)) {
        const size_t taken = columns(lines->text, lines->n, line.begin, line.end);
        if (taken > MOST_COLUMNS)
            return;
        lines->width = taken > lines->width ? taken : lines->width;
        if (line.word == 0)
            break;
        const size_t needed = taken + need_of_word(lines->text, lines->n, line.word);
        needing[needed <= MOST_COLUMNS ? needed : MOST_COLUMNS + 1]++;
        breaks++;
    }
    if (lines->width < LEAST_COLUMNS)
        return;
    for (size_t k = lines->width - lines->width / SLACK + 1; k <= MOST_COLUMNS + 1; k++)
        natural += needing[k];
    lines->wrapped = (double)natural >= NATURAL_SHARE * (double)breaks;
}

/* Set depth and empty of the current line; only white space is between its start and text[i]. */
static void open_line(struct pd_lines *lines, size_t i)
{
    const size_t word = skip_prefix(lines->text, lines->n, i, &lines->depth);
    lines->empty = is_empty(lines->text, lines->n, word);
}

void pd_lines_open(struct pd_lines *lines, const unsigned char *text, size_t n)
{
    *lines = (struct pd_lines){.text = text, .n = n, .fresh = true};
    open_line(lines, 0);
}

/* Finish a gap that starts at text[from] and has one line end: the next line decides its kind. */
static void judge_line(struct pd_lines *lines, size_t from, struct pd_gap *gap)
{
    gap->next = true;
    gap->to = skip_prefix(lines->text, lines->n, gap->to, &gap->depth);
    gap->empty = is_empty(lines->text, lines->n, gap->to);
    if (lines->empty || gap->empty || gap->depth != lines->depth) {
        gap->kind = PD_GAP_END;
        return;
    }
    if (lines->fresh)
        judge_paragraph(lines);
    if (!lines->wrapped ||
        !is_natural(lines, lines->line, trim(lines->text, lines->line, from), gap->to))
        gap->kind = PD_GAP_LINE;
}

struct pd_gap pd_lines_gap(struct pd_lines *lines, size_t from)
{
    struct pd_gap gap = {.kind = PD_GAP_NONE, .to = from};
    unsigned ends = 0, len;
    const unsigned char *const white = lines->text + from;
    if (from < lines->n && is_black(white[0]))
        return gap;
    /* one space between two words */
    if (lines->n - from > 1 && white[0] == ' ' && is_black(white[1]))
        return (struct pd_gap){.kind = PD_GAP_SPACE, .to = from + 1};
    /* an empty line */
    if (lines->n - from > 2 && white[0] == '\n' && white[1] == '\n' && is_black(white[2]))
        return (struct pd_gap){.kind = PD_GAP_END, .to = from + 2, .line = from + 2};
    for (; gap.to < lines->n; gap.to += len) {
        len = 1;
        if (lines->text[gap.to] == ' ')
            continue;
        if (!is_white(char_at(lines->text + gap.to, &len)))
            break;
        if (is_line_end(lines->text[gap.to])) {
            gap.line = next_line(lines->text, lines->n, gap.to);
            len = (unsigned)(gap.line - gap.to);
            ends++;
        }
    }
    if (gap.to > from)
        gap.kind = PD_GAP_SPACE;
    if (gap.to == lines->n || ends > 1)
        gap.kind = PD_GAP_END;
    else if (ends == 1)
        judge_line(lines, from, &gap);
    return gap;
}

void pd_lines_enter(struct pd_lines *lines, const struct pd_gap *gap)
{
    if (gap->line == 0)
        return;
    lines->line = gap->line;
    lines->fresh = gap->kind == PD_GAP_END;
    lines->depth = gap->depth;
    lines->empty = gap->empty;
    if (!gap->next)
        open_line(lines, gap->to);
}
