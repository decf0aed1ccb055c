/* base/log.c - see include/pardup/base/log.h */
#include "pardup/base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/plain.h"

static int my_rank;
static enum pd_level highest_level = PD_LOG_WARN;
static int bar_shown;

void pd_log_open(int rank, enum pd_level highest)
{
    my_rank = rank;
    highest_level = highest;
}

/* Write the line in one call, so that the lines of several ranks do not mix. */
static void say(enum pd_level level, int with_rank, const char *fmt, va_list ap)
{
    static const char *const names[] = {"error: ", "warning: ", "", "debug: "};
    char line[2048], text[2048];
    int n = snprintf(line, sizeof line, "%spardup: %s", bar_shown ? "\r\033[K" : "", names[level]);
    bar_shown = 0;
    if (with_rank)
        n += snprintf(line + n, sizeof line - (size_t)n, "rank %d: ", my_rank);
    const int m = vsnprintf(text, sizeof text, fmt, ap);
    /* what is logged names files and documents of others: it stays one line */
    size_t end = (size_t)n;
    end += pd_plain_line(line + end, sizeof line - end - 1, text,
                         m < 0                     ? 0
                         : (size_t)m < sizeof text ? (size_t)m
                                                   : sizeof text - 1);
    line[end] = '\n';
    fwrite(line, 1, end + 1, stderr);
    fflush(stderr);
}

void pd_log(enum pd_level level, const char *fmt, ...)
{
    if (my_rank != 0 || level > highest_level)
        return;
    va_list ap;
    va_start(ap, fmt);
    say(level, 0, fmt, ap);
    va_end(ap);
}

void pd_log_rank(enum pd_level level, const char *fmt, ...)
{
    if (level > highest_level)
        return;
    va_list ap;
    va_start(ap, fmt);
    say(level, 1, fmt, ap);
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
