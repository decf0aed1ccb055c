/* tools/eval/eval_labels.c - reading labelled sheets: see src/tools/eval/eval_sheet.h */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/print.h"
#include "eval_sheet.h"
#include "figures.h"
#include "kappa.h"
#include "pardup/base/error.h"
#include "pardup/base/hash_table.h"
#include "pardup/base/numbers.h"
#include "pardup/base/open.h"
#include "pardup/corpus/csv.h"
#include "pardup/result/names.h"
#include "pardup/result/table.h"

/* The columns of a sheet that are looked at. */
enum { ROW, DOC_A, DOC_B, LABEL, LOOKED_AT };

/* The sheet of one labeller. */
struct labelled {
    const char *path;
    struct pd_csv csv;
    size_t columns[LOOKED_AT]; /* where they stand */
};

struct labels {
    const struct pd_eval_options *options;
    struct pd_result *result;
    size_t n; /* labellers */
    struct labelled *sheets;
    enum pd_sheet kind;
    struct pd_hash_table items; /* rows of the first sheet: 1 + item by the number of the row */
    struct pd_names names;      /* labels, numbered from 1 on */
    uint32_t *given;            /* n labels of each item; 0: none */
    uint32_t *majority;         /* of each item; 0: none */
};

static size_t items_of(const struct labels *l) { return l->sheets[0].csv.rows; }

static int wrong(const struct labelled *s, size_t row, const char *what)
{
    return pd_fail(PD_EFORMAT, "%s: line %zu: %s", s->path, s->csv.lines.v[row + 1], what);
}

/* ---- reading ---- */

/* Find the columns of a sheet, and which table its rows are of. */
static int find_columns(struct labels *l, struct labelled *s)
{
    static const char *const names[LOOKED_AT] = {NULL, "doc_a", "doc_b", "label"};
    enum pd_sheet kind = PD_SHEET_MATCHES;
    while (kind <= PD_SHEET_PAIRS && pd_csv_column(&s->csv, pd_sheet_kinds[kind].row) == SIZE_MAX)
        kind++;
    if (kind > PD_SHEET_PAIRS)
        return pd_fail(PD_EFORMAT,
                       "%s: line 1: no column match, passage or pair; eval --sheet "
                       "writes sheets",
                       s->path);
    if (l->kind != PD_SHEET_NONE && l->kind != kind)
        return pd_fail(PD_EFORMAT, "%s: is a sheet of %s, but %s is one of %s", s->path,
                       pd_sheet_kinds[kind].table, l->sheets[0].path,
                       pd_sheet_kinds[l->kind].table);
    l->kind = kind;
    for (int k = 0; k < LOOKED_AT; k++) {
        const char *name = k == ROW ? pd_sheet_kinds[kind].row : names[k];
        s->columns[k] = pd_csv_column(&s->csv, name);
        if (s->columns[k] == SIZE_MAX)
            return pd_fail(PD_EFORMAT, "%s: line 1: no column %s", s->path, name);
    }
    return s->csv.rows ? PD_OK : pd_fail(PD_EFORMAT, "%s: has no rows", s->path);
}

/* Does a cell have the id of a document, as the sheet was written? */
static bool is_id(const char *cell, const char *id, size_t n)
{
    char *printed = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&printed, &bytes);
    if (!out)
        return false;
    pd_print_cell(out, id, n);
    fclose(out);
    const bool same = strcmp(cell, printed) == 0;
    free(printed);
    return same;
}

/* Tables of the result that rows are compared with. */
struct compared {
    struct pd_table_reader rows, documents[2];
};

/* Read the number of a row, and compare the documents of the row with those of the result. */
static int check_row(struct compared *c, const struct labelled *s, size_t k, uint64_t *row)
{
    const char *cell = pd_csv_cell(&s->csv, k, s->columns[ROW]);
    char *end;
    *row = strtoull(cell, &end, 10);
    if (*cell < '0' || *cell > '9' || *end || *row >= c->rows.rows)
        return wrong(s, k, "no number of a row of the result in the first column");
    PD_TRY(pd_table_at(&c->rows, *row));
    for (int side = 0; side < 2; side++) {
        size_t n;
        PD_TRY(pd_table_at(&c->documents[side], pd_table_count(&c->rows, side)));
        const char *id = pd_table_text(&c->documents[side], 0, &n);
        if (!is_id(pd_csv_cell(&s->csv, k, s->columns[DOC_A + side]), id, n))
            return wrong(s, k, "another document than in this row of the result");
    }
    return PD_OK;
}

/* The number of a label without blanks around it, in small letters; 0: it is empty. */
static uint32_t label_of(struct pd_names *names, const char *cell)
{
    while (*cell == ' ')
        cell++;
    size_t n = strlen(cell);
    while (n && cell[n - 1] == ' ')
        n--;
    char *small = pd_printed("%.*s", (int)n, cell);
    for (char *c = small; *c; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    const uint64_t number = n ? pd_names_put(names, small, n, names->names.n + 1) : 0;
    free(small);
    return (uint32_t)number;
}

/* Take the labels of labeller i. The first sheet says which rows there are. */
static int take_labels(struct labels *l, struct compared *c, size_t i)
{
    const struct labelled *s = &l->sheets[i];
    bool *seen = pd_zeroed(items_of(l) + 1, sizeof *seen);
    int status = PD_OK;
    for (size_t k = 0; k < s->csv.rows && status >= 0; k++) {
        uint64_t row = 0;
        status = check_row(c, s, k, &row);
        if (status >= 0 && i == 0 && !pd_hash_table_get(&l->items, row))
            *pd_hash_table_at(&l->items, row) = k + 1;
        const uint64_t item = pd_hash_table_get(&l->items, row);
        if (status >= 0 && (!item || seen[item - 1]))
            status = wrong(s, k,
                           item ? "a row that stands here twice"
                                : "a row that the first sheet does not have");
        if (status < 0)
            break;
        seen[item - 1] = true;
        l->given[(item - 1) * l->n + i] =
            label_of(&l->names, pd_csv_cell(&s->csv, k, s->columns[LABEL]));
    }
    free(seen);
    return status >= 0 && s->csv.rows < items_of(l)
               ? pd_fail(PD_EFORMAT, "%s: has %zu rows, but %s has %zu", s->path, s->csv.rows,
                         l->sheets[0].path, items_of(l))
               : status;
}

static int read_sheets(struct labels *l)
{
    const struct pd_texts *paths = &l->options->labels;
    for (size_t i = 0; i < l->n; i++) {
        struct labelled *s = &l->sheets[i];
        struct pd_bytes bytes = {0};
        s->path = paths->v[i];
        for (size_t k = 0; k < i; k++)
            if (strcmp(paths->v[k], s->path) == 0)
                return pd_fail(PD_EUSAGE, "--labels %s: is given twice", s->path);
        int status = pd_read_regular(s->path, &bytes);
        PD_THEN(status, pd_csv_read(&s->csv, s->path, bytes.v, bytes.n));
        PD_THEN(status, find_columns(l, s));
        pd_bytes_release(&bytes);
        PD_TRY(status);
    }
    return PD_OK;
}

static int take_all(struct labels *l)
{
    static const char *const id[] = {"id", NULL};
    const bool against = pd_result_has(l->result, "sources", "id");
    struct compared c = {.rows = {.ncolumns = 0}};
    const struct pd_sheet_kind *kind = &pd_sheet_kinds[l->kind];
    int status = pd_table_open(&c.rows, l->result, kind->table, kind->columns);
    PD_THEN(status, pd_table_open(&c.documents[0], l->result, "documents", id));
    PD_THEN(status,
            pd_table_open(&c.documents[1], l->result, against ? "sources" : "documents", id));
    l->given = pd_zeroed(items_of(l) * l->n + 1, sizeof *l->given);
    for (size_t i = 0; i < l->n; i++)
        PD_THEN(status, take_labels(l, &c, i));
    pd_table_close(&c.rows);
    pd_table_close(&c.documents[0]);
    pd_table_close(&c.documents[1]);
    return status;
}

/* ---- what they say ---- */

/* The label that more labellers have given than any other; 0: there is none. Sets *any. */
static uint32_t majority_of(const uint32_t *given, size_t n, bool *any)
{
    uint32_t best = 0;
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        size_t votes = 0;
        for (size_t j = 0; j < n; j++)
            votes += given[j] == given[i];
        if (given[i] == 0 || given[i] == best || votes < most)
            continue;
        best = votes > most ? given[i] : 0;
        most = votes;
    }
    *any = most > 0;
    return best;
}

static const char *name_of(const struct labels *l, size_t label)
{
    return (const char *)l->names.text.v + l->names.names.v[label - 1].at;
}

static bool means_no(const char *label)
{
    return strcmp(label, "0") == 0 || strcmp(label, "no") == 0;
}

static void put_share(struct pd_figure_list *f, const char *name, uint64_t part, uint64_t all)
{
    double low, high;
    pd_share_interval(part, all, &low, &high);
    pd_figures_put_interval(f, name, (double)part / (double)all, low, high);
}

/* The share of each label among the items that have a majority, and precision. */
static void put_shares(struct labels *l, struct pd_figure_list *f)
{
    const size_t nlabels = l->names.names.n;
    uint64_t *counts = pd_zeroed(nlabels + 1, sizeof *counts), no = 0, ties = 0;
    for (size_t k = 0; k < items_of(l); k++) {
        bool any;
        l->majority[k] = majority_of(l->given + k * l->n, l->n, &any);
        counts[l->majority[k]]++;
        ties += any && !l->majority[k];
    }
    const uint64_t decided = items_of(l) - counts[0];
    pd_figures_put(f, "ties", (double)ties);
    pd_figures_put(f, "unlabelled", (double)(counts[0] - ties));
    pd_figures_put(f, "decided", (double)decided);
    for (size_t k = 1; k <= nlabels && decided; k++) {
        char *name = pd_printed("label %s", name_of(l, k));
        put_share(f, name, counts[k], decided);
        no += means_no(name_of(l, k)) ? counts[k] : 0;
        free(name);
    }
    if (decided)
        put_share(f, "precision", decided - no, decided);
    free(counts);
}

/* Print a cell as it was read. */
static void print_cell(const char *cell)
{
    const bool quoted = strpbrk(cell, ",\"\r\n") != NULL;
    if (quoted)
        putchar('"');
    for (; *cell; cell++) {
        if (*cell == '"')
            putchar('"');
        putchar(*cell);
    }
    if (quoted)
        putchar('"');
}

/* Print the first sheet with the majority in the column `label`. */
static int print_majority(void *ctx)
{
    const struct labels *l = ctx;
    const struct labelled *s = &l->sheets[0];
    for (size_t row = 0; row <= s->csv.rows; row++)
        for (size_t c = 0; c < s->csv.columns; c++) {
            const uint32_t label = row ? l->majority[row - 1] : 0;
            if (row && c == s->columns[LABEL])
                pd_print_csv(stdout, label ? name_of(l, label) : "",
                             label ? strlen(name_of(l, label)) : 0);
            else
                print_cell(row ? pd_csv_cell(&s->csv, row - 1, c) : pd_csv_name(&s->csv, c));
            putchar(c + 1 < s->csv.columns ? ',' : '\n');
        }
    return PD_OK;
}

static int report(struct labels *l)
{
    struct pd_figure_list f = {NULL, 0, 0};
    l->majority = pd_zeroed(items_of(l) + 1, sizeof *l->majority);
    pd_figures_put(&f, "items", (double)items_of(l));
    pd_figures_put(&f, "labellers", (double)l->n);
    if (l->n > 1) {
        const struct pd_kappa a = pd_kappa_of(l->given, items_of(l), l->n, l->names.names.n);
        pd_figures_put(&f, "labelled by all", (double)a.items);
        pd_figures_put(&f, "agreement", a.observed);
        pd_figures_put(&f, l->n == 2 ? "Cohen's kappa" : "Fleiss' kappa", a.kappa);
    }
    put_shares(l, &f);
    pd_figures_print(&f, l->options->report);
    pd_figures_release(&f);
    PD_TRY(pd_stdout_done());
    return l->options->all.output ? pd_eval_write(l->options, print_majority, l) : PD_OK;
}

int pd_eval_labels(const struct pd_eval_options *o, struct pd_result *r)
{
    struct labels l = {.options = o, .result = r, .n = o->labels.n};
    l.sheets = pd_zeroed(l.n, sizeof *l.sheets);
    int status = read_sheets(&l);
    PD_THEN(status, take_all(&l));
    PD_THEN(status, report(&l));
    for (size_t i = 0; i < l.n; i++)
        pd_csv_release(&l.sheets[i].csv);
    pd_hash_table_release(&l.items);
    pd_names_release(&l.names);
    PD_FREE(l.sheets, l.given);
    free(l.majority);
    return status;
}
