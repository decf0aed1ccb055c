/* base/log.c - see include/pardup/base/log.h */
#include "pardup/base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/plain.h"
#include "pardup/base/width.h"

enum { LINE = PD_ERROR_TEXT }; /* bytes of a message, with the NUL; a longer one is cut */

static int my_rank;
static bool alone; /* is there no other rank? */
static enum pd_level highest_level = PD_LOG_WARN;
static int bar_shown;

void pd_log_open(int rank, int nranks, enum pd_level highest)
{
    my_rank = rank;
    alone = nranks == 1;
    highest_level = highest;
}

/*
 * Write a line of n bytes and its end. On a terminal it is broken where the terminal ends; the
 * other lines begin under the fourth column. Elsewhere it stays one line, which programs can read.
 */
static void write_line(const char *line, size_t n)
{
    enum { INDENT = 4 };
    char out[3 * LINE]; /* with the ends and indents of many lines */
    size_t at = 0, end = 0, indent = 0;
    const size_t width = isatty(STDERR_FILENO) ? pd_width(STDERR_FILENO) : n;
    while (at < n && end + n - at + INDENT + 1 < sizeof out) {
        const size_t piece = pd_width_break(line + at, n - at, width - indent);
        memset(out + end, ' ', indent);
        memcpy(out + end + indent, line + at, piece);
        end += indent + piece;
        out[end++] = '\n';
        for (at += piece; at < n && line[at] == ' ';)
            at++;
        indent = INDENT;
    }
    fwrite(out, 1, end, stderr);
    fflush(stderr);
}

/* Write the line in one call, so that the lines of several ranks do not mix. */
static void say(enum pd_level level, bool with_rank, const char *fmt, va_list ap)
{
    static const char *const names[] = {"error: ", "warning: ", "", "debug: "};
    char line[LINE], text[LINE];
    pd_log_bar(NULL);
    int n = snprintf(line, sizeof line, "pardup: %s", names[level]);
    if (with_rank)
        n += snprintf(line + n, sizeof line - (size_t)n, "rank %d: ", my_rank);
    const int m = vsnprintf(text, sizeof text, fmt, ap);
    /* what is logged names files and documents of others: it stays one line */
    size_t end = (size_t)n;
    end += pd_plain_line(line + end, sizeof line - end - 1, text,
                         m < 0                     ? 0
                         : (size_t)m < sizeof text ? (size_t)m
                                                   : sizeof text - 1);
    write_line(line, end);
}

void pd_log(enum pd_level level, const char *fmt, ...)
{
    if (my_rank != 0 || level > highest_level)
        return;
    va_list ap;
    va_start(ap, fmt);
    say(level, false, fmt, ap);
    va_end(ap);
}

void pd_log_rank(enum pd_level level, const char *fmt, ...)
{
    if (level > highest_level)
        return;
    va_list ap;
    va_start(ap, fmt);
    say(level, !alone, fmt, ap);
    va_end(ap);
}

void pd_log_bar(const char *line)
{
    if (line)
        fprintf(stderr, "\r\033[K%s", line);
    else if (bar_shown)
        fputs("\r\033[K", stderr);
    bar_shown = line != NULL;
    fflush(stderr);
}
