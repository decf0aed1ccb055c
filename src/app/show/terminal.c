/* app/show/terminal.c - see src/app/show/terminal.h */
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>

#include "pardup/base/plain.h"
#include "pardup/base/width.h"

static const char dots[] = "...";
enum { DOTS = sizeof dots - 1 };

static bool has_colours(enum pd_color color)
{
    const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
    if (color != PD_COLOR_AUTO)
        return color == PD_COLOR_ALWAYS;
    return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

struct pd_terminal pd_terminal_of(const struct pd_print_options *o)
{
    const size_t width = o->width ? (size_t)o->width : pd_width(STDOUT_FILENO);
    return (struct pd_terminal){width < PD_LEAST_WIDTH ? PD_LEAST_WIDTH : width,
                                has_colours(o->color)};
}

struct pd_glyph pd_glyph_at(const char *text, size_t n, size_t at)
{
    utf8proc_int32_t c;
    const utf8proc_ssize_t bytes =
        utf8proc_iterate((const utf8proc_uint8_t *)text + at, (utf8proc_ssize_t)(n - at), &c);
    if (bytes <= 0)
        return (struct pd_glyph){1, 0, false, true};
    const enum pd_plain_kind kind = pd_plain_kind_of((uint32_t)c);
    if (kind == PD_PLAIN_CONTROL || utf8proc_category(c) == UTF8PROC_CATEGORY_ZS)
        return (struct pd_glyph){(size_t)bytes, 1, true, false};
    if (kind == PD_PLAIN_DIRECTION)
        return (struct pd_glyph){(size_t)bytes, 0, false, true};
    return (struct pd_glyph){(size_t)bytes, utf8proc_charwidth(c), false, false};
}

/* The first byte from `at` on that is not white space; n if there is none. */
static size_t skip_space(const char *text, size_t n, size_t at)
{
    while (at < n) {
        const struct pd_glyph g = pd_glyph_at(text, n, at);
        if (!g.space)
            break;
        at += g.bytes;
    }
    return at;
}

/* Print text[from, end) with runs of white space as one blank. Returns the columns printed. */
static size_t print_folded(const char *text, size_t from, size_t end)
{
    size_t columns = 0;
    for (size_t at = from; at < end;) {
        const struct pd_glyph g = pd_glyph_at(text, end, at);
        columns += (size_t)g.columns;
        if (g.space)
            putchar(' ');
        else if (!g.dropped)
            fwrite(text + at, 1, g.bytes, stdout);
        at = g.space ? skip_space(text, end, at) : at + g.bytes;
    }
    return columns;
}

/* The end of what fits into `room` columns of text[from, n) when white space is folded. */
static size_t fitting(const char *text, size_t n, size_t from, size_t room)
{
    size_t columns = 0, at = from;
    while (at < n) {
        const struct pd_glyph g = pd_glyph_at(text, n, at);
        columns += (size_t)g.columns;
        if (columns > room)
            break;
        at = g.space ? skip_space(text, n, at) : at + g.bytes;
    }
    return at;
}

size_t pd_print_clipped(const char *text, size_t n, size_t room)
{
    const size_t from = skip_space(text, n, 0);
    if (fitting(text, n, from, room) == n)
        return print_folded(text, from, n);
    if (room < DOTS)
        return print_folded(text, from, fitting(text, n, from, room));
    const size_t columns = print_folded(text, from, fitting(text, n, from, room - DOTS));
    fputs(dots, stdout);
    return columns + DOTS;
}

/* The end of the line that begins at `from`: behind its last word that fits into `room` columns. */
static size_t line_end(const char *text, size_t n, size_t from, size_t room)
{
    const size_t most = fitting(text, n, from, room);
    size_t word = from; /* the end of the last word that fits */
    if (most == n)
        return n;
    for (size_t at = from; at <= most && at < n;) {
        const struct pd_glyph g = pd_glyph_at(text, n, at);
        if (g.space && at > from)
            word = at;
        at += g.bytes;
    }
    return word > from ? word : most > from ? most : from + pd_glyph_at(text, n, from).bytes;
}

size_t pd_print_line(const char *text, size_t n, size_t *at, size_t room)
{
    const size_t from = skip_space(text, n, *at);
    const size_t end = from < n ? line_end(text, n, from, room) : n;
    *at = skip_space(text, n, end);
    return print_folded(text, from, end);
}

void pd_print_wrapped(const char *text, size_t n, size_t width, size_t first, size_t rest)
{
    size_t at = skip_space(text, n, 0);
    for (size_t blanks = first; at < n; blanks = rest) {
        const size_t end = line_end(text, n, at, width - blanks);
        printf("%*s", (int)blanks, "");
        print_folded(text, at, end);
        putchar('\n');
        at = skip_space(text, n, end);
    }
}
