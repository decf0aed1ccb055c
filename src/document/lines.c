#include "lines.h"

#include <string.h>

#include "chars.h"
#include "find.h"
#include "pardup/document/utf8.h"

#define MOST_COLUMNS  120  /* a longer line was not wrapped for reading */
#define LEAST_COLUMNS 45   /* a narrower paragraph is a list, verse or an address */
#define SLACK         8    /* one part in 8 of the width: printed letters differ in width */
#define NATURAL_SHARE 0.65 /* of its breaks make a paragraph wrapped text */
#define WIDE_LEAD     0xE3 /* UTF-8: from here on characters are two columns wide, nearly all */

static bool is_line_end(unsigned char c) { return c == '\n' || c == '\r'; }

static size_t line_end(const unsigned char *text, size_t n, size_t i)
{
    return (size_t)(pd_find_either(text + i, text + n, '\n', '\r') - text);
}

static size_t next_line(const unsigned char *text, size_t n, size_t end)
{
    if (end < n && text[end] == '\r' && end + 1 < n && text[end + 1] == '\n')
        end++;
    return end < n ? end + 1 : n;
}

static size_t columns(const unsigned char *text, size_t begin, size_t end)
{
    if (pd_ascii_span(text + begin, end - begin) == end - begin)
        return end - begin;
    size_t sum = 0;
    for (size_t k = begin; k < end; k++)
        sum += (size_t)((text[k] & 0xC0) != 0x80) + (size_t)(text[k] >= WIDE_LEAD);
    return sum;
}

static size_t skip_blanks(const unsigned char *text, size_t n, size_t i)
{
    unsigned len;
    while (i < n && !is_line_end(text[i]) && is_white(char_at(text + i, &len)))
        i += len;
    return i;
}

static size_t trim(const unsigned char *text, size_t begin, size_t end)
{
    unsigned len;
    while (end > begin && is_white(char_before(text + end, &len)))
        end -= len;
    return end;
}

/* Behind indentation and quotation prefix of the line at i. */
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

/* Only punctuation, or nothing, up to the end of the line? */
static bool is_empty(const unsigned char *text, size_t n, size_t i)
{
    for (; i < n && !is_line_end(text[i]); i++)
        if (text[i] >= 0x80 || is_ascii_digit(text[i]) || is_ascii_lower(text[i] | 0x20))
            return false;
    return true;
}

/* Columns the word at i would have needed at the end of the line before, its space included. */
static size_t need_of_word(const unsigned char *text, size_t n, size_t i)
{
    const size_t begin = i;
    const bool wide = text[i] >= WIDE_LEAD; /* a script without spaces: one character is enough */
    unsigned len;
    if (wide) {
        char_at(text + i, &len);
        return columns(text, i, i + len);
    }
    while (i < n && i - begin < MOST_COLUMNS && !is_white(char_at(text + i, &len)))
        i += len;
    return 1 + columns(text, begin, i);
}

static bool is_natural(const struct pd_lines *l, size_t line, size_t end, size_t next)
{
    return columns(l->text, line, end) + need_of_word(l->text, l->n, next) >
           l->width - l->width / SLACK;
}

/* The next line of the paragraph behind the one that starts at `line`. */
struct row {
    size_t begin, end; /* of the line, without trailing white space */
    size_t next;       /* start of the next line */
    size_t word;       /* first word of the next line; 0 when the paragraph ends here */
};

static struct row row_at(const struct pd_lines *l, size_t line)
{
    unsigned depth;
    const size_t stop = line_end(l->text, l->n, line);
    struct row r = {.begin = line, .end = trim(l->text, line, stop)};
    r.next = next_line(l->text, l->n, stop);
    if (r.next == l->n || is_line_end(l->text[r.next])) /* an empty line, as behind most */
        return r;
    const size_t word = skip_prefix(l->text, l->n, r.next, &depth);
    if (depth == l->depth && !is_empty(l->text, l->n, word))
        r.word = word;
    return r;
}

/* Width of the paragraph at l->line, 0 when it has one line or too long a line. */
static size_t paragraph_width(const struct pd_lines *l)
{
    size_t width = 0;
    struct row r = row_at(l, l->line);
    if (r.word == 0)
        return 0;
    for (;; r = row_at(l, r.next)) {
        const size_t w = columns(l->text, r.begin, r.end);
        if (w > MOST_COLUMNS)
            return 0;
        if (w > width)
            width = w;
        if (r.word == 0)
            return width;
    }
}

/* Is it wrapped? Asked at the end of its first line: most have one only, and are not looked through. */
static void judge_paragraph(struct pd_lines *l)
{
    l->fresh = false;
    l->wrapped = false;
    l->width = paragraph_width(l);
    if (l->width < LEAST_COLUMNS)
        return;
    size_t breaks = 0, natural = 0;
    for (struct row r = row_at(l, l->line); r.word != 0; r = row_at(l, r.next)) {
        breaks++;
        natural += is_natural(l, r.begin, r.end, r.word);
    }
    l->wrapped = (double)natural >= NATURAL_SHARE * (double)breaks;
}

static void open_line(struct pd_lines *l, size_t line, bool paragraph)
{
    l->line = line;
    const size_t word = skip_prefix(l->text, l->n, line, &l->depth);
    l->empty = is_empty(l->text, l->n, word);
    l->fresh = paragraph;
}

void pd_lines_open(struct pd_lines *l, const unsigned char *text, size_t n)
{
    *l = (struct pd_lines){.text = text, .n = n};
    open_line(l, 0, true);
}

struct pd_gap pd_lines_gap(struct pd_lines *l, size_t from)
{
    struct pd_gap gap = {.kind = GAP_NONE, .to = from};
    unsigned ends = 0, len, depth;
    const unsigned char *const s = l->text + from;
    if (from < l->n && is_black(s[0]))
        return gap;
    if (l->n - from > 1 && s[0] == ' ' && is_black(s[1])) /* as between two words */
        return (struct pd_gap){.kind = GAP_SPACE, .to = from + 1};
    if (l->n - from > 2 && s[0] == '\n' && s[1] == '\n' && is_black(s[2])) /* two paragraphs */
        return (struct pd_gap){.kind = GAP_END, .to = from + 2, .line = from + 2};
    while (gap.to < l->n && is_white(char_at(l->text + gap.to, &len))) {
        if (is_line_end(l->text[gap.to])) {
            gap.to = gap.line = next_line(l->text, l->n, gap.to);
            ends++;
        } else {
            gap.to += len;
        }
    }
    if (gap.to > from)
        gap.kind = GAP_SPACE;
    if (gap.to == l->n || ends > 1) {
        gap.kind = GAP_END;
    } else if (ends == 1) {
        gap.to = skip_prefix(l->text, l->n, gap.to, &depth);
        if (l->empty || depth != l->depth || is_empty(l->text, l->n, gap.to)) {
            gap.kind = GAP_END;
            return gap;
        }
        if (l->fresh)
            judge_paragraph(l);
        if (!l->wrapped || !is_natural(l, l->line, trim(l->text, l->line, from), gap.to))
            gap.kind = GAP_LINE;
    }
    return gap;
}

void pd_lines_enter(struct pd_lines *l, const struct pd_gap *gap)
{
    if (gap->line != 0)
        open_line(l, gap->line, gap->kind == GAP_END);
}
