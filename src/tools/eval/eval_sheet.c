/* tools/eval/eval_sheet.c - drawing a sheet: see src/tools/eval/eval_sheet.h */
#include "eval_sheet.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/part.h"
#include "app/print.h"
#include "app/report/report.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/hash_table.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/base/sort.h"
#include "pardup/result/table.h"
#include "pardup/run/fetch.h"
#include "pardup/run/own.h"

extern const unsigned char pd_sheet_html[]; /* made by report/page/page.cmake, ended by NUL */

/* bytes of a text in a sheet: a cell of common spreadsheets holds 32,767 characters */
enum { TEXT_MOST = 30000 };

enum { DOC, BEGIN = DOC + 2, END = BEGIN + 2 }; /* columns of a kind, side by side */
const struct pd_sheet_kind pd_sheet_kinds[] = {
    [PD_SHEET_MATCHES] = {"matches", "match", {"doc_a", "doc_b", "unit_a", "unit_b"}},
    [PD_SHEET_PASSAGES] = {"passages",
                           "passage",
                           {"doc_a", "doc_b", "begin_a", "begin_b", "end_a", "end_b"}},
    [PD_SHEET_PAIRS] = {"pairs", "pair", {"doc_a", "doc_b"}},
};

PD_VEC(rows, uint64_t);

/* A sheet that is being written. */
struct sheet {
    enum pd_sheet kind;
    const struct pd_eval_options *options;
    FILE *out;
    struct pd_table_reader table;
    struct pd_fetch sides[2];
    struct pd_fetch_units units[2]; /* of a sheet of matches */
    struct rows drawn;              /* ascending */
    struct pd_bytes text;           /* buffer */
};

/*
 * Draw without replacement, each set of rows with the same odds. Source: Floyd, in Bentley,
 * "Programming Pearls: A Sample of Brilliance", Communications of the ACM 1987.
 */
static void draw(struct sheet *s, uint64_t n)
{
    const uint64_t count = (uint64_t)s->options->count, most = count < n ? count : n;
    const uint64_t start = pd_mix((uint64_t)s->options->seed);
    struct pd_hash_table taken = {NULL, 0, 0};
    for (uint64_t k = n - most; k < n; k++) {
        uint64_t row = pd_draw(start, k, k + 1);
        row = pd_hash_table_get(&taken, row) ? k : row;
        *pd_hash_table_at(&taken, row) = 1;
        rows_push(&s->drawn, row);
    }
    pd_hash_table_release(&taken);
    pd_sort_records(s->drawn.v, s->drawn.n, 1, 1);
}

/* Fetch a side of the row at hand. Sets the place of its text. */
static int fetch(struct sheet *s, int side, uint64_t *begin, uint64_t *end)
{
    const uint64_t doc = pd_table_count(&s->table, DOC + side);
    struct pd_fetch *f = &s->sides[side];
    *begin = pd_table_count(&s->table, BEGIN + side);
    *end = pd_table_count(&s->table, END + side);
    if (s->kind == PD_SHEET_MATCHES)
        return pd_fetch_unit(&s->units[side], doc, *begin, begin, end);
    PD_TRY(pd_fetch_row(f, doc));
    if (s->kind == PD_SHEET_PAIRS)
        *end = f->document.text_n;
    return *begin <= *end && *end <= f->document.text_n
               ? PD_OK
               : pd_fail(PD_EFORMAT, "%s: row %llu of /%s lies outside of document %s",
                         pd_result_path(f->result), pd_ull(s->table.row), s->table.table, f->id);
}

static bool is_blank(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Print a text for people: one blank in place of white space, and cut where it is too long. */
static void print_text(struct sheet *s, const unsigned char *text, uint64_t n)
{
    s->text.n = 0;
    uint64_t k = 0;
    for (; k < n && s->text.n < TEXT_MOST; k++)
        if (!is_blank(text[k]))
            pd_bytes_push(&s->text, text[k]);
        else if (s->text.n && s->text.v[s->text.n - 1] != ' ')
            pd_bytes_push(&s->text, ' ');
    for (; k < n && (text[k] & 0xC0) == 0x80; k++) /* no character is cut in two */
        pd_bytes_push(&s->text, text[k]);
    if (k < n)
        pd_bytes_print(&s->text, " [...]");
    pd_print_csv(s->out, (const char *)s->text.v, s->text.n);
}

static int print_row(struct sheet *s)
{
    uint64_t begin[2], end[2];
    fprintf(s->out, "%llu", pd_ull(s->table.row));
    for (int side = 0; side < 2; side++) {
        PD_TRY(fetch(s, side, &begin[side], &end[side]));
        putc(',', s->out);
        pd_print_csv(s->out, s->sides[side].id, strlen(s->sides[side].id));
        fprintf(s->out, ",%llu,%llu", pd_ull(begin[side]), pd_ull(end[side]));
    }
    for (int side = 0; side < 2; side++) {
        putc(',', s->out);
        print_text(s, s->sides[side].document.text + begin[side], end[side] - begin[side]);
    }
    fputs(",\n", s->out);
    return PD_OK;
}

static int print_rows(struct sheet *s)
{
    fprintf(s->out, "%s" PD_SHEET_COLUMNS "\n", pd_sheet_kinds[s->kind].row);
    for (size_t k = 0; k < s->drawn.n; k++) {
        PD_TRY(pd_table_at(&s->table, s->drawn.v[k]));
        PD_TRY(print_row(s));
    }
    return PD_OK;
}

/* Print the sheet as a page, which holds the table and writes it with the labels. */
static int print_page(struct sheet *s)
{
    const char *html = (const char *)pd_sheet_html, *data = strstr(html, "@DATA@");
    char *table = NULL;
    size_t n = 0;
    s->out = open_memstream(&table, &n);
    PD_CHECK(data && s->out);
    int status = print_rows(s);
    if (fclose(s->out) != 0 && status >= 0)
        status = pd_fail(PD_EIO, "a sheet: %s", strerror(errno));
    fwrite(html, 1, (size_t)(data - html), stdout);
    pd_report_put(stdout, table, n);
    fputs(data + strlen("@DATA@"), stdout);
    free(table);
    return status;
}

static int print_sheet(void *ctx)
{
    struct sheet *s = ctx;
    const char *name = s->options->all.output, *ending = name ? strrchr(name, '.') : NULL;
    s->out = stdout;
    return ending && strcmp(ending, ".html") == 0 ? print_page(s) : print_rows(s);
}

int pd_eval_write(const struct pd_eval_options *o, int (*write)(void *ctx), void *ctx)
{
    if (!o->all.output) {
        PD_TRY(write(ctx));
        return pd_stdout_done();
    }
    struct pd_new_file n;
    int status = pd_part_open(&n, stdout, o->all.output);
    PD_THEN(status, write(ctx));
    return pd_part_close(&n, status);
}

static int open_sheet(struct sheet *s, struct pd_result *r)
{
    const struct pd_sheet_kind *kind = &pd_sheet_kinds[s->kind];
    const int first = pd_fetch_init(&s->sides[0], r);
    const int second = pd_fetch_init_second(&s->sides[1], r);
    PD_TRY(first < 0 ? first : second);
    if (s->kind == PD_SHEET_MATCHES && !pd_result_has(r, "matches", "unit_a"))
        return pd_fail(PD_EFORMAT, "%s: no matches in it; detect --matches writes them",
                       pd_result_path(r));
    for (int side = 0; side < 2 && s->kind == PD_SHEET_MATCHES; side++)
        PD_TRY(pd_fetch_units_init(&s->units[side], &s->sides[side]));
    PD_TRY(pd_table_open(&s->table, r, kind->table, kind->columns));
    return s->table.rows
               ? PD_OK
               : pd_fail(PD_EFORMAT, "%s: has no %s to draw from", pd_result_path(r), kind->table);
}

int pd_eval_sheet(const struct pd_eval_options *o, struct pd_result *r)
{
    struct sheet s = {.kind = o->sheet, .options = o};
    int status = open_sheet(&s, r);
    if (status >= 0)
        draw(&s, s.table.rows);
    PD_THEN(status, pd_eval_write(o, print_sheet, &s));
    if (status >= 0)
        pd_log(PD_LOG_INFO,
               "%s of %s %s drawn with seed %lld; a person fills the column label, where 0 or no "
               "means not a duplicate",
               pd_grouped(s.drawn.n), pd_grouped(s.table.rows), s.table.table, (long long)o->seed);
    for (int side = 0; side < 2; side++) {
        pd_fetch_units_release(&s.units[side]);
        pd_fetch_release(&s.sides[side]);
    }
    pd_table_close(&s.table);
    rows_release(&s.drawn);
    pd_bytes_release(&s.text);
    return status;
}
