/* app/export/lines.c - pardup export --format tsv, csv and jsonl: a line a row; see export.h */
#include <math.h>
#include <stdio.h>

#include "app/print.h"
#include "export.h"
#include "pardup/base/error.h"
#include "pardup/base/real.h"

static const char *const line_ends[] = {
    [PD_ROWS_TSV] = "\n", [PD_ROWS_CSV] = "\r\n", [PD_ROWS_JSONL] = "}\n"};

static void print_text(const struct pd_exporting *x, const char *text, size_t n)
{
    if (x->format == PD_ROWS_TSV)
        pd_print_cell(x->out, text, n);
    else if (x->format == PD_ROWS_CSV)
        pd_print_csv(text, n);
    else
        pd_print_json(text, n);
}

/* A number for programs, or a short one for a person. Returns its bytes. */
static size_t print_real(const struct pd_exporting *x, double value, char to[PD_REAL_ROOM])
{
    return x->lined_up ? (size_t)snprintf(to, PD_REAL_ROOM, "%.3f", value)
                       : pd_real_print(value, to);
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

/* Print the ids of the documents that a row names. */
static void print_ids(const struct pd_exporting *x, uint64_t k)
{
    const struct pd_cells *cells;
    uint64_t at;
    for (size_t i = 0; i < x->nnamed; i++) {
        print_name(x, x->named[i].name, 0);
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
    for (size_t c = 0; c < x->ncolumns; c++) {
        print_name(x, x->table->columns[c].name, c == 0);
        if (!pd_export_missing(x, c, k))
            print_value(x, &x->cells[c], k);
        else
            print_missing(x);
    }
    print_ids(x, k);
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
    for (size_t c = 0; c < x->ncolumns; c++)
        fprintf(x->out, "%s%s", c ? (char[]){tab, 0} : "", x->table->columns[c].name);
    for (size_t i = 0; i < x->nnamed; i++)
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
