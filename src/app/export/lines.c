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
        pd_print_cell(stdout, text, n);
    else if (x->format == PD_ROWS_CSV)
        pd_print_csv(text, n);
    else
        pd_print_json(text, n);
}

static void print_value(const struct pd_exporting *x, const struct pd_cells *cells, uint64_t k)
{
    size_t n;
    const char *text;
    char real[PD_REAL_ROOM];
    switch (cells->kind) {
    case PD_VALUES_COUNT:
        printf("%llu", (unsigned long long)pd_cells_count(cells, k));
        break;
    case PD_VALUES_SIGNED:
        printf("%lld", (long long)pd_cells_signed(cells, k));
        break;
    case PD_VALUES_REAL:
        if (x->format == PD_ROWS_JSONL && isnan(pd_cells_real(cells, k)))
            printf("null"); /* JSON has no NaN */
        else
            fwrite(real, 1, pd_real_print(pd_cells_real(cells, k), real), stdout);
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
        printf("%s\"%s\":", first ? "{" : ",", name);
    else if (!first)
        putchar(x->format == PD_ROWS_CSV ? ',' : '\t');
}

static void print_missing(const struct pd_exporting *x)
{
    if (x->format == PD_ROWS_JSONL)
        printf("null");
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
    static const char *const text_names[] = {"text_a", "text_b"};
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
        printf("%llu", (unsigned long long)pd_export_number(x, k));
    }
    for (int side = 0; side < 2 && x->text; side++) {
        print_name(x, text_names[side], 0);
        print_text(x, texts[side], bytes[side]);
    }
    fputs(line_ends[x->format], stdout);
    return PD_OK;
}

static void print_header(const struct pd_exporting *x)
{
    const char tab = x->format == PD_ROWS_CSV ? ',' : '\t';
    for (size_t c = 0; c < x->ncolumns; c++)
        printf("%s%s", c ? (char[]){tab, 0} : "", x->table->columns[c].name);
    for (size_t i = 0; i < x->nnamed; i++)
        printf("%c%s", tab, x->named[i].name);
    if (pd_export_has_numbers(x))
        printf("%crow", tab);
    if (x->text)
        printf("%ctext_a%ctext_b", tab, tab);
    fputs(line_ends[x->format], stdout);
}

int pd_export_lines(struct pd_exporting *x)
{
    uint64_t rows, documents[2] = {0, 0};
    PD_TRY(pd_export_begin(x, &rows, documents));
    PD_TRY(pd_export_sort(x, rows, documents));
    if (x->format != PD_ROWS_JSONL)
        print_header(x);
    for (uint64_t from = 0, n; from < rows && !ferror(stdout); from += n) {
        n = rows - from < PD_EXPORT_ROWS ? rows - from : PD_EXPORT_ROWS;
        PD_TRY(pd_export_next(x, from, n, documents));
        for (uint64_t k = 0; k < n; k++)
            PD_TRY(print_row(x, pd_export_at(x, k)));
    }
    return PD_OK;
}
