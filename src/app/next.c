/* app/next.c - see src/app/next.h */
#include "next.h"

#include <string.h>

#include "pardup/base/log.h"

/* What a shell needs around a name. */
static const char *quote(const char *name) { return strpbrk(name, " \t\"$&;|<>()*?`#") ? "'" : ""; }

void pd_next_report(const struct pd_options *o)
{
    const char *q = quote(o->output), *dot = strrchr(o->output, '.');
    const size_t n = dot && !strchr(dot, '/') ? (size_t)(dot - o->output) : strlen(o->output);
    pd_log(PD_LOG_INFO, "  next: pardup report -o %s%.*s.html%s %s%s%s", q, (int)n, o->output, q, q,
           o->output, q);
}

void pd_next_check(const struct pd_options *o)
{
    const char *q = quote(o->output);
    pd_log(PD_LOG_INFO, "  next: pardup check --index %s%s%s --show TARGET", q, o->output, q);
}
