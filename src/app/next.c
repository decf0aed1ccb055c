/* app/next.c - see src/app/next.h */
#include "next.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/result/reader.h"

/* What a shell needs around a name. */
static const char *quote(const char *name) { return strpbrk(name, " \t\"$&;|<>()*?`#") ? "'" : ""; }

/* Has the result passages to look at? */
static bool has_passages(const char *path)
{
    struct pd_result *result = NULL;
    uint64_t rows = 0;
    if (pd_result_open(path, &result) < 0 || pd_result_rows(result, "passages", &rows) < 0)
        pd_error_clear();
    pd_result_close(result);
    return rows > 0;
}

void pd_next_report(const struct pd_options *o)
{
    if (!has_passages(o->output))
        return;
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

void pd_next_detect(const struct pd_options *o)
{
    const char *q = quote(o->output);
    if (strcmp(o->output, "-") != 0)
        pd_log(PD_LOG_INFO, "  next: pardup detect -o %s%s.h5%s %s%s%s/part-*", q, o->output, q, q,
               o->output, q);
}
