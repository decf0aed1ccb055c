/* tools/eval/figures.h - a list of named numbers, some with an interval, as eval prints it. */
#ifndef PARDUP_TOOLS_EVAL_FIGURES_H
#define PARDUP_TOOLS_EVAL_FIGURES_H

#include "options.h"
#include "pardup/base/vec.h"

struct pd_figure {
    char *name;       /* allocated */
    double value;     /* NaN: not defined */
    double low, high; /* its 95 % interval; NaN: it has none */
};
PD_VEC(pd_figure_list, struct pd_figure);

/* Append a number; `name` is copied, at most 200 bytes of it. */
void pd_figures_put(struct pd_figure_list *f, const char *name, double value);
void pd_figures_put_interval(struct pd_figure_list *f, const char *name, double value, double low,
                             double high);

/* Print them on standard output, with names lined up: a line each, or one object of JSON with arrays. */
void pd_figures_print(const struct pd_figure_list *f, enum pd_report format);
void pd_figures_release(struct pd_figure_list *f);

#endif
