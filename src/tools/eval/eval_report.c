/* tools/eval/eval_report.c - see src/tools/eval/eval_report.h */
#include "eval_report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/print.h"
#include "app/show/terminal.h"
#include "pardup/base/plain.h"
#include "pardup/base/real.h"

#define ALL "all"                      /* the row over all classes */
enum { INDENT = 2, VALUE_WIDTH = 12 }; /* columns of a name below, of a measure */
enum { ROOM_OF_LINE = 2048 };          /* bytes */

typedef unsigned long long wide; /* for printf's %llu */

/* A block of the printed table: the measures [from, to), side by side. */
static const struct block {
    const char *title;
    enum pd_measure from, to;
} blocks[] = {
    {"passages", PD_PRECISION, PD_MICRO_PRECISION},
    {"text of passages", PD_MICRO_PRECISION, PD_PAIR_PRECISION},
    {"document pairs", PD_PAIR_PRECISION, PD_DOCUMENT_PRECISION},
    {"documents", PD_DOCUMENT_PRECISION, PD_MEASURES},
};
enum { NBLOCKS = sizeof blocks / sizeof *blocks };

struct counts {
    wide truth; /* in the truth */
    wide found; /* in the result */
};

static struct counts counts_of(const struct pd_score *s, const struct block *b)
{
    const double *v = s->sums.v;
    switch (b->from) {
    case PD_PRECISION:
        return (struct counts){(wide)v[PD_SUM_CASES], (wide)v[PD_SUM_FOUND]};
    case PD_MICRO_PRECISION:
        return (struct counts){(wide)v[PD_SUM_CASE_TEXT], (wide)v[PD_SUM_FOUND_TEXT]};
    case PD_PAIR_PRECISION:
        return (struct counts){(wide)v[PD_SUM_TRUE_PAIRS], (wide)v[PD_SUM_FOUND_PAIRS]};
    default:
        return (struct counts){s->documents.both + s->documents.only_true,
                               s->documents.both + s->documents.only_found};
    }
}

/* Measures of passages are not defined where the truth has labels of whole documents only. */
static bool defined(const struct pd_score *s, enum pd_measure m)
{
    return s->judged > 0 || m >= PD_PAIR_PRECISION;
}

static const char *class_name(const struct pd_eval *e, uint64_t class)
{
    return class ? pd_truth_class(&e->truth, class) : ALL;
}

/* The name of a class for a table. A long name is cut. Static storage. */
static const char *plain_name(const struct pd_eval *e, uint64_t class)
{
    static char line[256];
    const char *name = class_name(e, class);
    pd_plain_line(line, sizeof line, name, strlen(name));
    return line;
}

static uint64_t number_of_classes(const struct pd_eval *e) { return e->truth.class_names.n; }

/* ---- a table for people ---- */

/* How a block is laid out. */
struct layout {
    int name, count; /* columns of a name, of each count */
    int at_once;     /* measures side by side */
    bool apart;      /* a name has a line of its own */
};

/* Columns that have room for the names of all rows, and a blank. */
static int name_width(const struct pd_eval *e, const struct block *b)
{
    size_t most = strlen(b->title);
    for (uint64_t k = 0; k <= number_of_classes(e); k++) {
        const size_t n = strlen(plain_name(e, k));
        most = n > most ? n : most;
    }
    return (int)most + 1;
}

/* The columns that the counts of all rows need, and two blanks. */
static int count_width(const struct pd_eval *e, const struct block *b)
{
    size_t most = strlen("found");
    for (uint64_t k = 0; k <= number_of_classes(e); k++) {
        const struct counts n = counts_of(&e->scores[k], b);
        const size_t digits = strlen(pd_grouped(n.truth > n.found ? n.truth : n.found));
        most = digits > most ? digits : most;
    }
    return (int)most + 2;
}

/*
 * Fit a block into the terminal. Where it is too narrow for a line of all, names get lines of their
 * own, and what still has no room stands below.
 */
static struct layout layout_of(const struct pd_eval *e, const struct block *b)
{
    const int width = (int)pd_terminal_of(&e->options->all.print).width, n = (int)(b->to - b->from);
    struct layout l = {.name = name_width(e, b), .count = count_width(e, b), .at_once = n};
    l.apart = l.name + 2 * l.count + n * VALUE_WIDTH > width;
    if (!l.apart)
        return l;
    l.name = INDENT;
    const int room = (width - l.name - 2 * l.count) / VALUE_WIDTH;
    l.at_once = room < 1 ? 1 : room < n ? room : n;
    return l;
}

/* Print what stands before the measures of a line. */
static void print_name(const struct layout *l, const char *name)
{
    const size_t room = l->apart ? SIZE_MAX : (size_t)l->name;
    const size_t columns = pd_print_clipped(name, strlen(name), room);
    printf("%s%*s", l->apart ? "\n" : "", l->apart ? l->name : l->name - (int)columns, "");
}

/* Print the measures [from, to) of a class. */
static void print_row(const struct pd_eval *e, const struct block *b, const struct layout *l,
                      uint64_t class, int from, int to)
{
    const struct pd_score *s = &e->scores[class];
    const struct counts n = counts_of(s, b);
    print_name(l, plain_name(e, class));
    printf("%*s%*s", l->count, pd_grouped(n.truth), l->count, pd_grouped(n.found));
    for (int m = from; m < to; m++)
        if (defined(s, (enum pd_measure)m))
            printf("%*.4f", VALUE_WIDTH, s->value[m]);
        else
            printf("%*s", VALUE_WIDTH, "-");
    putchar('\n');
    if (!e->options->bootstrap || !defined(s, b->from))
        return;
    printf("%*s", l->name + 2 * l->count, "");
    for (int m = from; m < to; m++) {
        char interval[VALUE_WIDTH + 16];
        snprintf(interval, sizeof interval, "%.3f-%.3f", s->low[m], s->high[m]);
        printf("%*s", VALUE_WIDTH, interval);
    }
    putchar('\n');
}

static void print_block(const struct pd_eval *e, const struct block *b)
{
    const struct layout l = layout_of(e, b);
    for (int from = (int)b->from, to; from < (int)b->to; from = to) {
        to = from + l.at_once < (int)b->to ? from + l.at_once : (int)b->to;
        putchar('\n');
        print_name(&l, e->truth.units && b->from == PD_PRECISION ? "matches" : b->title);
        printf("%*s%*s", l.count, "true", l.count, "found");
        for (int m = from; m < to; m++) {
            const char *name = strrchr(pd_measure_names[m], '_');
            printf("%*s", VALUE_WIDTH, name ? name + 1 : pd_measure_names[m]);
        }
        putchar('\n');
        for (uint64_t k = 1; k <= number_of_classes(e); k++)
            print_row(e, b, &l, k, from, to);
        print_row(e, b, &l, 0, from, to);
    }
}

/* Print a paragraph as printf does. */
__attribute__((format(printf, 2, 3))) static void print_line(const struct pd_eval *e,
                                                             const char *fmt, ...)
{
    char line[ROOM_OF_LINE];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    pd_print_wrapped(line, strlen(line), (size_t)pd_terminal_of(&e->options->all.print).width, 0,
                     2);
}

static void print_table(const struct pd_eval *e)
{
    const struct pd_score *all = &e->scores[0];
    const char *result = e->options->all.operands.v[0];
    char name[ROOM_OF_LINE / 2];
    pd_plain_line(name, sizeof name, result, strlen(result));
    print_line(e, "%s: %s document pairs judged, lengths in %s", name, pd_grouped(all->pairs),
               e->truth.units  ? "units"
               : e->characters ? "characters"
                               : "bytes");
    if (e->outside)
        print_line(e, "%s detections are between documents outside of the task",
                   pd_grouped(e->outside));
    if (e->ignored)
        print_line(e, "%s detections are all in text to be ignored", pd_grouped(e->ignored));
    if (all->labelled_only)
        print_line(e, "%s detections are in pairs with a label of the whole only",
                   pd_grouped(all->labelled_only));
    if (e->truth.unknown.n)
        print_line(e,
                   "not in the result, so that their cases are missed: %s document%s of the truth",
                   pd_grouped(e->truth.unknown.n), pd_plural(e->truth.unknown.n));
    if (e->options->bootstrap)
        print_line(e, "below a value: its 95 %% interval, %s resamples, seed %llu",
                   pd_grouped((uint64_t)e->options->bootstrap), (wide)e->options->seed);
    for (int b = 0; b < NBLOCKS; b++)
        if (defined(all, blocks[b].from) &&
            !(e->truth.units && blocks[b].from == PD_MICRO_PRECISION)) /* the same as above */
            print_block(e, &blocks[b]);
}

/* ---- TSV and JSON for programs ---- */

/* Print the first cell of a row. */
static void print_tsv_name(const struct pd_eval *e, uint64_t class)
{
    const char *name = class_name(e, class);
    pd_print_cell(stdout, name, strlen(name));
}

/* The value of a measure, with the ends of its interval if there is one. */
static void print_measure(const struct pd_eval *e, const struct pd_score *s, int m,
                          const char *between)
{
    const double values[] = {s->value[m], s->low[m], s->high[m]};
    const int n = e->options->bootstrap ? 3 : 1;
    char real[PD_REAL_ROOM];
    for (int k = 0; k < n; k++) {
        pd_real_print(values[k], real);
        printf("%s%s", k ? between : "", real);
    }
}

static void print_tsv_class(const struct pd_eval *e, uint64_t class)
{
    static const char *const names[NBLOCKS] = {"passages", "text", "pairs", "documents"};
    const struct pd_score *s = &e->scores[class];
    for (int b = 0; b < NBLOCKS; b++) {
        const struct counts n = counts_of(s, &blocks[b]);
        print_tsv_name(e, class);
        printf("\ttrue_%s\t%llu\t\t\n", names[b], n.truth);
        print_tsv_name(e, class);
        printf("\tfound_%s\t%llu\t\t\n", names[b], n.found);
    }
    for (int m = 0; m < PD_MEASURES; m++) {
        print_tsv_name(e, class);
        if (!defined(s, m)) {
            printf("\t%s\t\t\t\n", pd_measure_names[m]);
        } else {
            printf("\t%s\t", pd_measure_names[m]);
            print_measure(e, s, m, "\t");
            puts(e->options->bootstrap ? "" : "\t\t");
        }
    }
}

static void print_tsv(const struct pd_eval *e)
{
    puts("class\tmeasure\tvalue\tlow\thigh");
    for (uint64_t k = 1; k <= number_of_classes(e); k++)
        print_tsv_class(e, k);
    print_tsv_class(e, 0);
}

static void print_json_class(const struct pd_eval *e, uint64_t class)
{
    const struct pd_score *s = &e->scores[class];
    const double *v = s->sums.v;
    fputs("{\"class\":", stdout);
    if (class)
        pd_print_json(class_name(e, class), strlen(class_name(e, class)));
    else
        fputs("null", stdout);
    printf(",\"document_pairs\":%llu,\"labelled_only\":%llu", (wide)s->pairs,
           (wide)s->labelled_only);
    printf(",\"cases\":%.0f,\"cases_found\":%.0f,\"detections\":%.0f", v[PD_SUM_CASES],
           v[PD_SUM_DETECTED], v[PD_SUM_FOUND]);
    printf(",\"case_text\":%.0f,\"found_text\":%.0f", v[PD_SUM_CASE_TEXT], v[PD_SUM_FOUND_TEXT]);
    printf(",\"true_pairs\":%.0f,\"found_pairs\":%.0f", v[PD_SUM_TRUE_PAIRS],
           v[PD_SUM_FOUND_PAIRS]);
    printf(",\"true_documents\":%llu,\"found_documents\":%llu",
           (wide)(s->documents.both + s->documents.only_true),
           (wide)(s->documents.both + s->documents.only_found));
    for (int m = 0; m < PD_MEASURES; m++) {
        if (!defined(s, m)) {
            printf(",\"%s\":null", pd_measure_names[m]);
        } else {
            printf(",\"%s\":[", pd_measure_names[m]);
            print_measure(e, s, m, ",");
            putchar(']');
        }
    }
    putchar('}');
}

static void print_json(const struct pd_eval *e)
{
    fputs("{\"result\":", stdout);
    pd_print_json(e->options->all.operands.v[0], strlen(e->options->all.operands.v[0]));
    printf(",\"unit\":\"%s\",\"bootstrap\":%llu,\"seed\":%llu,\"outside\":%llu,\"ignored\":%llu,"
           "\"unknown\":[",
           e->truth.units  ? "unit"
           : e->characters ? "char"
                           : "byte",
           (wide)e->options->bootstrap, (wide)e->options->seed, (wide)e->outside, (wide)e->ignored);
    for (size_t k = 0; k < e->truth.unknown.n; k++) {
        const char *id = pd_truth_unknown(&e->truth, k);
        fputs(k ? "," : "", stdout);
        pd_print_json(id, strlen(id));
    }
    fputs("],\"classes\":[", stdout);
    for (uint64_t k = 1; k <= number_of_classes(e); k++) {
        print_json_class(e, k);
        putchar(',');
    }
    print_json_class(e, 0);
    puts("]}");
}

void pd_eval_report(const struct pd_eval *e)
{
    switch (e->options->report) {
    case PD_REPORT_TSV:
        print_tsv(e);
        break;
    case PD_REPORT_JSON:
        print_json(e);
        break;
    case PD_REPORT_TABLE:
    case PD_REPORT_PAN:
        print_table(e);
        break;
    }
}
