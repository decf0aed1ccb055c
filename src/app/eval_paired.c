/* app/eval_paired.c - see src/app/eval_paired.h */
#include "eval_paired.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures.h"
#include "pardup/base/bytes.h"
#include "pardup/base/numbers.h"
#include "pardup/result/table.h"

static const enum pd_measure shown[] = {PD_PRECISION,      PD_RECALL,      PD_F1,
                                        PD_PAIR_PRECISION, PD_PAIR_RECALL, PD_PAIR_F1};
enum { NSHOWN = sizeof shown / sizeof *shown };

int pd_eval_same_documents(struct pd_result *first, struct pd_result *second)
{
    static const char *const id[] = {"id", NULL};
    struct pd_table_reader a = {.ncolumns = 0}, b = {.ncolumns = 0};
    int status = pd_table_open(&a, first, "documents", id);
    PD_THEN(status, pd_table_open(&b, second, "documents", id));
    bool same = status >= 0 && a.rows == b.rows;
    while (status >= 0 && same && (status = pd_table_next(&a)) == PD_OK) {
        size_t n, m;
        PD_THEN(status, pd_table_at(&b, a.row));
        const char *one = pd_table_text(&a, 0, &n);
        const char *other = status >= 0 ? pd_table_text(&b, 0, &m) : "";
        same = status >= 0 && n == m && memcmp(one, other, n) == 0;
    }
    pd_table_close(&a);
    pd_table_close(&b);
    return status < 0 || same
               ? (status < 0 ? status : PD_OK)
               : pd_fail(PD_EFORMAT,
                         "%s: has other documents than %s; results are compared that were made "
                         "from the same inputs",
                         pd_result_path(second), pd_result_path(first));
}

static void put(struct pd_figure_list *f, const char *measure, const char *what, double value,
                double low, double high)
{
    char *name = pd_printed("%s %s", measure, what);
    pd_figures_put_interval(f, name, value, low, high);
    free(name);
}

static void put_measure(struct pd_figure_list *f, const char *name,
                        const struct pd_paired_measure *m)
{
    put(f, name, "of the first", m->value[0], NAN, NAN);
    put(f, name, "of the second", m->value[1], NAN, NAN);
    put(f, name, "difference", m->value[1] - m->value[0], m->low, m->high);
    put(f, name, "p (bootstrap)", m->chance, NAN, NAN);
    put(f, name, "samples", (double)m->samples, NAN, NAN);
    put(f, name, "mean difference of a sample", m->mean, NAN, NAN);
    put(f, name, "t", m->t, NAN, NAN);
    put(f, name, "p (t-test)", m->p, NAN, NAN);
}

/* Print a number in eight columns; "-": there is none. */
static void print_number(double x)
{
    if (isnan(x))
        printf("%8s", "-");
    else
        printf(fabs(x) >= 100 ? "%8.1f" : x != 0 && fabs(x) < 0.0005 ? "%8.0e" : "%8.3f", x);
}

/* Print the measures for people, a line each. */
static void print_table(const struct pd_options *o, const struct pd_paired *p)
{
    printf("%s document pairs\n\n%-15s%8s%8s%8s", pd_grouped(p->pairs), "", "first", "second",
           "change");
    printf("%18s%8s%8s%8s\n", o->eval.bootstrap ? "95 % interval" : "", "p", "t", "p of t");
    for (size_t k = 0; k < NSHOWN; k++) {
        const struct pd_paired_measure *m = &p->measures[shown[k]];
        char interval[64] = "-";
        if (!isnan(m->low))
            snprintf(interval, sizeof interval, "%.3f to %.3f", m->low, m->high);
        printf("%-15s", pd_measure_names[shown[k]]);
        print_number(m->value[0]);
        print_number(m->value[1]);
        print_number(m->value[1] - m->value[0]);
        printf("%18s", interval);
        print_number(m->chance);
        print_number(m->t);
        print_number(m->p);
        putchar('\n');
    }
}

void pd_eval_paired(const struct pd_options *o, const struct pd_judged_pairs lists[2])
{
    struct pd_figure_list f = {NULL, 0, 0};
    struct pd_paired p;
    pd_paired_compare(lists, (uint64_t)o->eval.bootstrap, (uint64_t)o->eval.seed, &p);
    if (o->eval.report == PD_REPORT_TABLE || o->eval.report == PD_REPORT_PAN) {
        print_table(o, &p);
        return;
    }
    pd_figures_put(&f, "document pairs", (double)p.pairs);
    for (size_t k = 0; k < NSHOWN; k++)
        put_measure(&f, pd_measure_names[shown[k]], &p.measures[shown[k]]);
    pd_figures_print(&f, o->eval.report);
    pd_figures_release(&f);
}
