/* app/next.c - see src/app/next.h */
#include "next.h"

#include <stdio.h>
#include <string.h>

#include "best_families.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/result/reader.h"

enum { PASSAGES_MANY = 100000 };

/* What a shell needs around a name. */
static const char *quote(const char *name) { return strpbrk(name, " \t\"$&;|<>()*?`#") ? "'" : ""; }

/* What the closing lines say of a result. */
struct found {
    uint64_t passages;
    uint64_t families; /* 0: none is named */
    struct pd_best_family best;
};

static int look(struct pd_result *result, struct found *f)
{
    struct pd_best_families best = {0};
    int status = pd_result_rows(result, "passages", &f->passages);
    if (status >= 0 && pd_result_has(result, "families", "members"))
        status = pd_best_families_find(result, 1, &best, &f->families);
    if (best.n)
        f->best = best.v[0];
    pd_best_families_release(&best);
    return status;
}

/* Say what to do first about too many passages. */
static void tell(const struct found *f, const char *path)
{
    const char *q = quote(path);
    if (f->passages > PASSAGES_MANY)
        pd_log(PD_LOG_INFO,
               "  %s passages are too many to read: pardup show %s%s%s prints families, best "
               "first; --min-passage-words 50 leaves out short passages",
               pd_grouped(f->passages), q, path, q);
}

void pd_next_report(const struct pd_options *o)
{
    struct pd_result *result = NULL;
    struct found f = {0};
    if (pd_result_open(o->output, &result) < 0 || look(result, &f) < 0)
        pd_error_clear();
    pd_result_close(result);
    if (f.passages == 0)
        return;
    tell(&f, o->output);
    const char *q = quote(o->output), *dot = strrchr(o->output, '.');
    const size_t n = dot && !strchr(dot, '/') ? (size_t)(dot - o->output) : strlen(o->output);
    char best[64] = "";
    if (f.families)
        snprintf(best, sizeof best, " (best: show --family %llu)", pd_ull(f.best.row));
    pd_log(PD_LOG_INFO, "  next: pardup report -o %s%.*s.html%s %s%s%s%s", q, (int)n, o->output, q,
           q, o->output, q, best);
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
