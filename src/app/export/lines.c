/* app/export/lines.c - pardup export --format tsv, csv and jsonl: a line a row; see export.h */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/print.h"
#include "export.h"
#include "pardup/base/error.h"
#include "pardup/base/numbers.h"
#include "pardup/base/real.h"

static const char *const line_ends[] = {
    [PD_ROWS_TSV] = "\n", [PD_ROWS_CSV] = "\r\n", [PD_ROWS_JSONL] = "}\n"};

static void print_text(const struct pd_exporting *x, const char *text, size_t n)
{
    if (x->format == PD_ROWS_TSV)
        pd_print_cell(x->out, text, n);
    else if (x->format == PD_ROWS_CSV)
        pd_print_csv(stdout, text, n);
    else
        pd_print_json(text, n);
}

/* A number for programs, or a short one for a person. Returns its bytes. */
static size_t print_real(const struct pd_exporting *x, double value, char to[PD_REAL_ROOM])
{
    return x->lined_up ? (size_t)snprintf(to, PD_REAL_ROOM, "%.3f", value)
                       : pd_real_print(value, to);
}

/* Is it a share of words, which the page and `show` write as a percentage? */
static bool is_share(const char *column)
{
    return strncmp(column, "coverage_", 9) == 0 || strcmp(column, "agreement") == 0;
}

/* Print a share for a person. */
static void print_share(const struct pd_exporting *x, double share)
{
    enum { PARTS = 1000000000 };
    char text[PD_COUNT_ROOM];
    const bool known = share >= 0 && share <= 1;
    fputs(known ? pd_percent(text, (uint64_t)(share * PARTS + 0.5), PARTS) : "", x->out);
}

static void print_value(const struct pd_exporting *x, const struct pd_cells *cells, uint64_t k)
{
    size_t n;
    const char *text;
    char real[PD_REAL_ROOM];
    switch (cells->kind) {
    case PD_VALUES_COUNT:
        fprintf(x->out, "%llu", (unsigned long long)pd_cells_count(cells, k));
        break;
    case PD_VALUES_SIGNED:
        fprintf(x->out, "%lld", (long long)pd_cells_signed(cells, k));
        break;
    case PD_VALUES_REAL:
        if (x->format == PD_ROWS_JSONL && isnan(pd_cells_real(cells, k)))
            fprintf(x->out, "null"); /* JSON has no NaN */
        else
            fwrite(real, 1, print_real(x, pd_cells_real(cells, k), real), x->out);
        break;
    case PD_VALUES_TEXT:
        text = pd_cells_text(cells, k, &n);
        print_text(x, text, n);
        break;
    }
}

static void print_name(const struct pd_exporting *x, const char *name, int first)
{
    if (x->format == PD_ROWS_JSONL)
        fprintf(x->out, "%s\"%s\":", first ? "{" : ",", name);
    else if (!first)
        putc(x->format == PD_ROWS_CSV ? ',' : '\t', x->out);
}

static void print_missing(const struct pd_exporting *x)
{
    if (x->format == PD_ROWS_JSONL)
        fprintf(x->out, "null");
}

/* Does a person see this name of a document first, in place of its number? */
static bool is_first(const struct pd_exporting *x, size_t i)
{
    return x->lined_up && x->named[i].called == 0;
}

/* Is the column a number of a document whose id a person sees? */
static bool is_hidden(const struct pd_exporting *x, size_t column)
{
    for (size_t i = 0; i < x->nnamed; i++)
        if (is_first(x, i) && (x->named[i].column == column || x->named[i].source == column))
            return true;
    return false;
}

/*
 * Print what the documents of a row are called.
 *   first   only what a person sees first; else only the rest
 */
static void print_ids(const struct pd_exporting *x, uint64_t k, bool first)
{
    const struct pd_cells *cells;
    uint64_t at;
    for (size_t i = 0; i < x->nnamed; i++) {
        if (is_first(x, i) != first)
            continue;
        print_name(x, x->named[i].name, first && i == 0);
        if (pd_export_id(x, &x->named[i], k, &cells, &at))
            print_value(x, cells, at);
        else
            print_missing(x);
    }
}

static int print_row(struct pd_exporting *x, uint64_t k)
{
    const char *texts[2];
    size_t bytes[2];
    if (x->text) /* before anything of the row is printed */
        PD_TRY(pd_export_texts(x, k, texts, bytes));
    print_ids(x, k, true);
    for (size_t c = 0; c < x->ncolumns; c++) {
        if (is_hidden(x, c))
            continue;
        print_name(x, x->table->columns[c].name, c == 0 && !is_first(x, 0));
        if (pd_export_missing(x, c, k))
            print_missing(x);
        else if (x->lined_up && is_share(x->table->columns[c].name))
            print_share(x, pd_cells_real(&x->cells[c], k));
        else
            print_value(x, &x->cells[c], k);
    }
    print_ids(x, k, false);
    if (pd_export_has_numbers(x)) {
        print_name(x, "row", 0);
        fprintf(x->out, "%llu", (unsigned long long)pd_export_number(x, k));
    }
    for (int side = 0; side < 2 && x->text; side++) {
        print_name(x, pd_export_text_name(x, side), 0);
        print_text(x, texts[side], bytes[side]);
    }
    fputs(line_ends[x->format], x->out);
    return PD_OK;
}

static void print_header(const struct pd_exporting *x)
{
    const char tab = x->format == PD_ROWS_CSV ? ',' : '\t';
    for (size_t i = 0; i < x->nnamed; i++)
        if (is_first(x, i))
            fprintf(x->out, "%s%s", i ? "\t" : "", x->named[i].name);
    for (size_t c = 0; c < x->ncolumns; c++)
        if (!is_hidden(x, c))
            fprintf(x->out, "%s%s", c || is_first(x, 0) ? (char[]){tab, 0} : "",
                    x->table->columns[c].name);
    for (size_t i = 0; i < x->nnamed; i++)
        if (!is_first(x, i))
            fprintf(x->out, "%c%s", tab, x->named[i].name);
    if (pd_export_has_numbers(x))
        fprintf(x->out, "%crow", tab);
    if (x->text)
        fprintf(x->out, "%c%s%c%s", tab, pd_export_text_name(x, 0), tab, pd_export_text_name(x, 1));
    fputs(line_ends[x->format], x->out);
}

int pd_export_lines(struct pd_exporting *x)
{
    uint64_t rows, documents[2] = {0, 0};
    PD_TRY(pd_export_begin(x, &rows, documents));
    PD_TRY(pd_export_sort(x, rows));
    if (x->format != PD_ROWS_JSONL)
        print_header(x);
    for (uint64_t from = 0, n; from < rows && !ferror(x->out); from += n) {
        n = rows - from < PD_EXPORT_ROWS ? rows - from : PD_EXPORT_ROWS;
        PD_TRY(pd_export_next(x, from, n));
        for (uint64_t k = 0; k < n; k++) {
            PD_TRY(print_row(x, pd_export_at(x, k)));
            pd_progress_tell(&x->progress, from + k, rows, 0, 0);
        }
    }
    return PD_OK;
}
