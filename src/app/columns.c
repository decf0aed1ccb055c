/* app/columns.c - see src/app/columns.h */
#include "columns.h"

#include <stdio.h>
#include <utf8proc.h>

#define SEPARATOR " | "
enum { MARGIN = 2, SEPARATOR_COLUMNS = sizeof SEPARATOR - 1 };

struct glyph {
    size_t bytes;
    int columns; /* on the terminal: 0, 1 or 2 */
    int space;   /* white space or a control character: a line may be wrapped here */
};

static struct glyph glyph_at(struct pd_span s, size_t at)
{
    utf8proc_int32_t c;
    const utf8proc_ssize_t n =
        utf8proc_iterate((const utf8proc_uint8_t *)s.text + at, (utf8proc_ssize_t)(s.n - at), &c);
    if (n <= 0)
        return (struct glyph){1, 0, 1};
    const int space = c < 0x21 || c == 0x7F || c == 0xA0 || c == 0x3000;
    return (struct glyph){(size_t)n, space ? 1 : utf8proc_charwidth(c), space};
}

/*
 * The end of the line that begins at `from`: behind the last word that fits into `room` columns. A
 * word that is longer than a line is cut.
 */
static size_t line_end(struct pd_span s, size_t from, size_t room)
{
    size_t columns = 0, at = from, last_space = 0;
    while (at < s.n) {
        const struct glyph g = glyph_at(s, at);
        if (columns + (size_t)g.columns > room)
            return last_space ? last_space : at > from ? at : at + g.bytes;
        if (g.space)
            last_space = at;
        columns += (size_t)g.columns;
        at += g.bytes;
    }
    return at;
}

static size_t skip_space(struct pd_span s, size_t at)
{
    while (at < s.n) {
        const struct glyph g = glyph_at(s, at);
        if (!g.space)
            break;
        at += g.bytes;
    }
    return at;
}

/* Print text[from, end) with runs of white space as one blank. Returns the columns printed. */
static size_t print_folded(struct pd_span s, size_t from, size_t end)
{
    size_t columns = 0;
    for (size_t at = from; at < end;) {
        const struct glyph g = glyph_at(s, at);
        if (g.space) {
            at = skip_space(s, at);
            if (at >= end)
                break;
            putchar(' ');
            columns++;
        } else {
            fwrite(s.text + at, 1, g.bytes, stdout);
            columns += (size_t)g.columns;
            at += g.bytes;
        }
    }
    return columns;
}

static size_t count_lines(struct pd_span s, size_t room)
{
    size_t lines = 0;
    for (size_t at = skip_space(s, 0); at < s.n; lines++)
        at = skip_space(s, line_end(s, at, room));
    return lines;
}

void pd_print_columns(struct pd_span left, struct pd_span right, size_t width, size_t lines)
{
    const size_t room = (width - MARGIN - SEPARATOR_COLUMNS) / 2;
    size_t at_left = skip_space(left, 0), at_right = skip_space(right, 0), done = 0;
    for (; (at_left < left.n || at_right < right.n) && (!lines || done < lines); done++) {
        const size_t end_left = line_end(left, at_left, room);
        const size_t end_right = line_end(right, at_right, room);
        printf("%*s", MARGIN, "");
        const size_t columns = print_folded(left, at_left, end_left);
        printf("%*s%s", (int)(room - columns), "", at_right < right.n ? SEPARATOR : " |");
        print_folded(right, at_right, end_right);
        putchar('\n');
        at_left = skip_space(left, end_left);
        at_right = skip_space(right, end_right);
    }
    const size_t all_left = count_lines(left, room), all_right = count_lines(right, room);
    const size_t all = all_left > all_right ? all_left : all_right;
    if (all > done)
        printf("%*s... %zu more lines\n", MARGIN, "", all - done);
}
