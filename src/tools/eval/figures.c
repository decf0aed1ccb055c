/* tools/eval/figures.c - see src/tools/eval/figures.h */
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/print.h"
#include "app/show/terminal.h"
#include "pardup/base/bytes.h"
#include "pardup/base/plain.h"
#include "pardup/base/real.h"

enum { NAME_MOST = 200, NAME_WIDTH = 20, VALUE_WIDTH = 12 }; /* bytes, columns */

void pd_figures_put_interval(struct pd_figure_list *f, const char *name, double value, double low,
                             double high)
{
    pd_figure_list_push(f,
                        (struct pd_figure){pd_printed("%.*s", NAME_MOST, name), value, low, high});
}

void pd_figures_put(struct pd_figure_list *f, const char *name, double value)
{
    pd_figures_put_interval(f, name, value, NAN, NAN);
}

static void print_real(double x, const char *missing)
{
    char real[PD_REAL_ROOM];
    if (isnan(x))
        fputs(missing, stdout);
    else if (pd_real_print(x, real))
        fputs(real, stdout);
}

static void print_line(const struct pd_figure *f)
{
    char name[4 * NAME_MOST + 1];
    const size_t n = pd_plain_line(name, sizeof name, f->name, strlen(f->name));
    const size_t columns = pd_print_clipped(name, n, SIZE_MAX);
    printf("%*s", columns < NAME_WIDTH ? (int)(NAME_WIDTH - columns) : 1, "");
    if (isnan(f->value))
        printf("%*s", VALUE_WIDTH, "-");
    else
        printf("%*.*f", VALUE_WIDTH, f->value == floor(f->value) && isnan(f->low) ? 0 : 4,
               f->value);
    if (!isnan(f->low))
        printf("  %.4f to %.4f", f->low, f->high);
    putchar('\n');
}

static void print_tsv(const struct pd_figure *f)
{
    pd_print_cell(stdout, f->name, strlen(f->name));
    const double values[] = {f->value, f->low, f->high};
    for (int k = 0; k < 3; k++) {
        putchar('\t');
        print_real(values[k], "");
    }
    putchar('\n');
}

static void print_json(const struct pd_figure *f)
{
    pd_print_json(f->name, strlen(f->name));
    putchar(':');
    if (isnan(f->low)) {
        print_real(f->value, "null");
        return;
    }
    const double values[] = {f->value, f->low, f->high};
    for (int k = 0; k < 3; k++) {
        putchar(k ? ',' : '[');
        print_real(values[k], "null");
    }
    putchar(']');
}

void pd_figures_print(const struct pd_figure_list *f, enum pd_report format)
{
    const bool json = format == PD_REPORT_JSON, tsv = format == PD_REPORT_TSV;
    if (tsv)
        puts("measure\tvalue\tlow\thigh");
    for (size_t k = 0; k < f->n; k++) {
        if (json)
            putchar(k ? ',' : '{');
        (json ? print_json : tsv ? print_tsv : print_line)(&f->v[k]);
    }
    if (json)
        puts("}");
}

void pd_figures_release(struct pd_figure_list *f)
{
    for (size_t k = 0; k < f->n; k++)
        free(f->v[k].name);
    pd_figure_list_release(f);
}
