/* app/eval_report.c - see src/app/eval_report.h */
#include "eval_report.h"

#include <stdio.h>
#include <string.h>

#include "pardup/base/plain.h"
#include "pardup/base/real.h"
#include "print.h"

#define ALL "all" /* the row over all classes */
enum { NAME_WIDTH = 24, COUNT_WIDTH = 10, VALUE_WIDTH = 14 };

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

static void print_row(const struct pd_eval *e, const struct block *b, uint64_t class)
{
    const struct pd_score *s = &e->scores[class];
    const struct counts n = counts_of(s, b);
    printf("%-*s%*llu%*llu", NAME_WIDTH, plain_name(e, class), COUNT_WIDTH, n.truth, COUNT_WIDTH,
           n.found);
    for (int m = (int)b->from; m < (int)b->to; m++)
        if (defined(s, m))
            printf("%*.4f", VALUE_WIDTH, s->value[m]);
        else
            printf("%*s", VALUE_WIDTH, "-");
    putchar('\n');
    if (!e->options->eval.bootstrap || !defined(s, b->from))
        return;
    printf("%*s", NAME_WIDTH + 2 * COUNT_WIDTH, "");
    for (int m = (int)b->from; m < (int)b->to; m++) {
        char interval[VALUE_WIDTH + 16];
        snprintf(interval, sizeof interval, "%.3f-%.3f", s->low[m], s->high[m]);
        printf("%*s", VALUE_WIDTH, interval);
    }
    putchar('\n');
}

static void print_block(const struct pd_eval *e, const struct block *b)
{
    printf("\n%-*s%*s%*s", NAME_WIDTH, b->title, COUNT_WIDTH, "true", COUNT_WIDTH, "found");
    for (int m = (int)b->from; m < (int)b->to; m++) {
        const char *name = strrchr(pd_measure_names[m], '_');
        printf("%*s", VALUE_WIDTH, name ? name + 1 : pd_measure_names[m]);
    }
    putchar('\n');
    for (uint64_t k = 1; k <= number_of_classes(e); k++)
        print_row(e, b, k);
    print_row(e, b, 0);
}

static void print_table(const struct pd_eval *e)
{
    const struct pd_score *all = &e->scores[0];
    pd_print_plain(e->options->operands.v[0], strlen(e->options->operands.v[0]));
    printf(": %llu document pairs judged, lengths in %s\n", (wide)all->pairs,
           e->characters ? "characters" : "bytes");
    if (e->outside)
        printf("%llu detections are between documents outside of the task\n", (wide)e->outside);
    if (e->ignored)
        printf("%llu detections are all in text to be ignored\n", (wide)e->ignored);
    if (all->labelled_only)
        printf("%llu detections are in pairs with a label of the whole only\n",
               (wide)all->labelled_only);
    if (e->truth.unknown.n)
        printf("%zu documents of the truth are not in the result: their cases are missed\n",
               e->truth.unknown.n);
    if (e->options->eval.bootstrap)
        printf("below a value: its 95 %% interval, %llu resamples, seed %llu\n",
               (wide)e->options->eval.bootstrap, (wide)e->options->eval.seed);
    for (int b = 0; b < NBLOCKS; b++)
        if (defined(all, blocks[b].from))
            print_block(e, &blocks[b]);
}

/* ---- TSV and JSON for programs ---- */

/* Print the first cell of a row. */
static void print_tsv_name(const struct pd_eval *e, uint64_t class)
{
    const char *name = class_name(e, class);
    pd_print_cell(name, strlen(name));
}

/* The value of a measure, with the ends of its interval if there is one. */
static void print_measure(const struct pd_eval *e, const struct pd_score *s, int m,
                          const char *between)
{
    const double values[] = {s->value[m], s->low[m], s->high[m]};
    const int n = e->options->eval.bootstrap ? 3 : 1;
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
            puts(e->options->eval.bootstrap ? "" : "\t\t");
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
    pd_print_json(e->options->operands.v[0], strlen(e->options->operands.v[0]));
    printf(",\"unit\":\"%s\",\"bootstrap\":%llu,\"seed\":%llu,\"outside\":%llu,\"ignored\":%llu,"
           "\"unknown\":[",
           e->characters ? "char" : "byte", (wide)e->options->eval.bootstrap,
           (wide)e->options->eval.seed, (wide)e->outside, (wide)e->ignored);
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
    switch (e->options->eval.report) {
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
