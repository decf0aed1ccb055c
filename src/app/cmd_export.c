/* app/cmd_export.c - pardup export: rows of a result file for other tools. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/export/export.h"
#include "commands.h"
#include "pardup/base/error.h"
#include "pardup/base/real.h"
#include "pardup/result/reader.h"
#include "pardup/result/schema.h"
#include "pardup/store/commit.h"
#include "part.h"
#include "print.h"

static const char *const line_ends[] = {
    [PD_ROWS_TSV] = "\n", [PD_ROWS_CSV] = "\r\n", [PD_ROWS_JSONL] = "}\n"};

static void print_text(const struct pd_exporting *x, const char *text, size_t n)
{
    if (x->format == PD_ROWS_TSV)
        pd_print_cell(text, n);
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

bool pd_export_missing(const struct pd_exporting *x, size_t column, uint64_t k)
{
    if (x->cells[column].kind == PD_VALUES_SIGNED)
        return pd_cells_signed(&x->cells[column], k) < 0;
    return strcmp(x->table->columns[column].name, "family") == 0 &&
           pd_cells_count(&x->cells[column], k) == UINT64_MAX;
}

bool pd_export_has_numbers(const struct pd_exporting *x)
{
    return x->table == &pd_schema[PD_TABLE_FAMILIES] ||
           x->table == &pd_schema[PD_TABLE_DOCUMENT_FAMILIES];
}

uint64_t pd_export_number(const struct pd_exporting *x, uint64_t k)
{
    return x->order ? k : x->from + k;
}

static void print_name(const struct pd_exporting *x, const char *name, int first)
{
    if (x->format == PD_ROWS_JSONL)
        printf("%s\"%s\":", first ? "{" : ",", name);
    else if (!first)
        putchar(x->format == PD_ROWS_CSV ? ',' : '\t');
}

static int print_row(struct pd_exporting *x, uint64_t k)
{
    static const char *const id_names[] = {"id_a", "id_b"};
    static const char *const text_names[] = {"text_a", "text_b"};
    const char *texts[2];
    size_t bytes[2];
    for (int side = 0; side < 2 && x->text; side++) /* before anything of the row is printed */
        PD_TRY(pd_export_text(x, side, k, &texts[side], &bytes[side]));
    for (size_t c = 0; c < x->ncolumns; c++) {
        print_name(x, x->table->columns[c].name, c == 0);
        if (!pd_export_missing(x, c, k))
            print_value(x, &x->cells[c], k);
        else if (x->format == PD_ROWS_JSONL)
            printf("null");
    }
    if (pd_export_has_numbers(x)) {
        print_name(x, "row", 0);
        printf("%llu", (unsigned long long)pd_export_number(x, k));
    }
    for (int side = 0; side < 2 && x->ids[side].width; side++) { /* doc_a and doc_b come first */
        print_name(x, id_names[side], 0);
        print_value(x, &x->ids[side], pd_cells_count(&x->cells[side], k));
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
    if (pd_export_has_numbers(x))
        printf("%crow", tab);
    if (x->ids[0].width)
        printf("%cid_a%cid_b", tab, tab);
    if (x->text)
        printf("%ctext_a%ctext_b", tab, tab);
    fputs(line_ends[x->format], stdout);
}

/* The table of the documents of a side: second documents of a result of check are sources. */
static const char *table_of(const struct pd_exporting *x, int side)
{
    return side == 1 && pd_result_has(x->result, "sources", "id") ? "sources" : "documents";
}

/* Check that the rows at hand name documents: a damaged file may hold any number. */
static int check_documents(const struct pd_exporting *x, uint64_t n, const uint64_t documents[2])
{
    for (int side = 0; side < 2 && x->ids[side].width; side++)
        for (uint64_t k = 0; k < n; k++)
            if (pd_cells_count(&x->cells[side], k) >= documents[side])
                return pd_fail(PD_EFORMAT, "%s: /%s names row %llu of /%s, which has %llu",
                               pd_result_path(x->result), x->table->name,
                               (unsigned long long)pd_cells_count(&x->cells[side], k),
                               table_of(x, side), (unsigned long long)documents[side]);
    return PD_OK;
}

int pd_export_begin(struct pd_exporting *x, uint64_t *rows, uint64_t documents[2])
{
    PD_TRY(pd_result_rows(x->result, x->table->name, rows));
    for (int side = 0; side < 2 && strcmp(x->table->columns[0].name, "doc_a") == 0; side++) {
        const char *table = table_of(x, side);
        PD_TRY(pd_result_rows(x->result, table, &documents[side]));
        PD_TRY(pd_result_read(x->result, table, "id", 0, documents[side], &x->ids[side]));
    }
    if (x->text || x->offsets == PD_ROW_CHARS)
        PD_TRY(pd_export_text_begin(x));
    return x->sort ? pd_export_sort(x, x->sort, *rows, documents) : PD_OK;
}

int pd_export_rows(struct pd_exporting *x, uint64_t from, uint64_t n, const uint64_t documents[2])
{
    for (size_t c = 0; c < x->ncolumns; c++)
        PD_TRY(pd_result_read(x->result, x->table->name, x->table->columns[c].name, from, n,
                              &x->cells[c]));
    PD_TRY(check_documents(x, n, documents));
    return x->reads ? pd_export_text_rows(x, from, n) : PD_OK;
}

int pd_export_next(struct pd_exporting *x, uint64_t from, uint64_t n, const uint64_t documents[2])
{
    x->from = from;
    return x->order ? PD_OK : pd_export_rows(x, from, n, documents);
}

static int print_table(struct pd_exporting *x)
{
    uint64_t rows, documents[2] = {0, 0};
    PD_TRY(pd_export_begin(x, &rows, documents));
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

static int write_table(struct pd_exporting *x, const char *path)
{
    PD_TRY(x->format == PD_ROWS_PARQUET ? pd_export_parquet(x, stdout, path) : print_table(x));
    return ferror(stdout) ? pd_fail(PD_EIO, "%s: %s", path, strerror(errno)) : PD_OK;
}

/*
 * Write the table to a file, which gets its name when it is whole. Standard output becomes the
 * file.
 */
static int write_file(struct pd_exporting *x, const char *path)
{
    char *part = pd_part_begin(path);
    int status = freopen(part, "wx", stdout) ? write_table(x, part)
                                             : pd_fail(PD_EIO, "%s: %s", part, strerror(errno));
    if (status >= 0)
        status = pd_file_commit(stdout, part, path);
    return pd_part_end(part, status);
}

/* The format that the ending of a name says. */
static enum pd_rows_format format_of(const char *path)
{
    static const char *const endings[] = {
        [PD_ROWS_CSV] = ".csv", [PD_ROWS_JSONL] = ".jsonl", [PD_ROWS_PARQUET] = ".parquet"};
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (int k = PD_ROWS_CSV; k <= PD_ROWS_PARQUET && dot; k++)
        if (strcmp(dot, endings[k]) == 0)
            return (enum pd_rows_format)k;
    return PD_ROWS_TSV;
}

static int settle(struct pd_options *o)
{
    if (o->print.format == PD_ROWS_AUTO)
        o->print.format = format_of(o->output);
    if (o->print.text && o->print.table != PD_TABLE_PASSAGES)
        return pd_fail(PD_EUSAGE, "export: --text is for --table passages");
    if (o->print.unit == PD_ROW_CHARS && o->print.table != PD_TABLE_PASSAGES &&
        o->print.table != PD_TABLE_MEMBERS)
        return pd_fail(PD_EUSAGE, "export: --offsets chars is for --table passages or members");
    if (!o->output && o->print.format == PD_ROWS_PARQUET && isatty(STDOUT_FILENO))
        return pd_fail(PD_EUSAGE,
                       "export: Parquet is not for a terminal; name a file with -o FILE");
    return PD_OK;
}

static int run(const struct pd_options *o)
{
    struct pd_exporting x = {.format = o->print.format,
                             .sort = o->print.sort,
                             .text = (uint64_t)o->print.text,
                             .offsets = o->print.unit,
                             .table = &pd_schema[o->print.table]};
    PD_TRY(pd_result_open(o->operands.v[0], &x.result));
    x.ncolumns = pd_table_columns(x.table);
    x.cells = pd_realloc(NULL, x.ncolumns, sizeof *x.cells);
    memset(x.cells, 0, x.ncolumns * sizeof *x.cells);
    int status = o->output ? write_file(&x, o->output) : write_table(&x, "standard output");
    if (status >= 0 && !o->output)
        status = pd_stdout_done();
    for (size_t c = 0; c < x.ncolumns; c++)
        pd_bytes_release(&x.cells[c].values);
    free(x.cells);
    free(x.order);
    pd_export_text_release(&x);
    pd_bytes_release(&x.ids[0].values);
    pd_bytes_release(&x.ids[1].values);
    pd_result_close(x.result);
    return status;
}

const struct pd_command pd_command_export = {
    .name = "export",
    .usage = "[options] OUT.h5",
    .help = "print rows of a result for other tools",
    .example = "pardup export -o passages.csv out.h5",
    .operands = PD_OPERANDS_RESULT,
    .settle = settle,
    .alone = run,
};
