/* app/report/families.c - the families of a report page, largest first. */
#include <inttypes.h>
#include <stdlib.h>

#include "pardup/base/error.h"
#include "report.h"

/* A family that was asked for lists more members than each of many. */
enum {
    FAMILIES_MOST = 400,
    MEMBERS_MOST = 40,
    MEMBERS_OF_ONE = 4000,
    EXAMPLE_BYTES = 200,
    ROWS_AT_ONCE = 4096
};

/* A family that may be on the page. */
struct family {
    uint64_t row, members, documents, words, representative;
    uint64_t first; /* its first row of /members */
};
PD_VEC(families, struct family);

static int by_size(const void *x, const void *y)
{
    const struct family *a = x, *b = y;
    if (a->members != b->members)
        return a->members > b->members ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static void keep_largest(struct families *all, size_t most)
{
    if (all->n)
        qsort(all->v, all->n, sizeof *all->v, by_size);
    all->n = all->n < most ? all->n : most;
}

int pd_report_count_families(struct pd_page *r)
{
    struct pd_cells cells = {0};
    uint64_t rows = 0;
    int status = PD_OK;
    if (pd_result_has(r->result, "families", "members"))
        status = pd_result_rows(r->result, "families", &rows);
    for (uint64_t from = 0; status >= 0 && from < rows; from += ROWS_AT_ONCE) {
        const uint64_t n = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        status = pd_result_read(r->result, "families", "members", from, n, &cells);
        for (uint64_t k = 0; k < n && status >= 0; k++)
            r->family_sizes[pd_report_bin(pd_cells_count(&cells, k))]++;
    }
    pd_bytes_release(&cells.values);
    return status;
}

/* Read the family asked for, or the largest ones. */
static int read_families(struct pd_page *r, struct families *all)
{
    static const char *const names[4] = {"members", "documents", "words", "representative"};
    struct pd_cells cells[4] = {0};
    uint64_t rows, first = 0;
    int status = pd_result_rows(r->result, "families", &rows);
    for (uint64_t from = 0; status >= 0 && from < rows; from += ROWS_AT_ONCE) {
        const uint64_t n = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        for (int c = 0; c < 4 && status >= 0; c++)
            status = pd_result_read(r->result, "families", names[c], from, n, &cells[c]);
        for (uint64_t k = 0; k < n && status >= 0; k++) {
            const struct family f = {from + k,
                                     pd_cells_count(&cells[0], k),
                                     pd_cells_count(&cells[1], k),
                                     pd_cells_count(&cells[2], k),
                                     pd_cells_count(&cells[3], k),
                                     first};
            first += f.members;
            if (r->family == UINT64_MAX || r->family == f.row)
                families_push(all, f);
        }
        if (all->n > 4 * (size_t)FAMILIES_MOST)
            keep_largest(all, FAMILIES_MOST);
    }
    keep_largest(all, FAMILIES_MOST);
    for (int c = 0; c < 4; c++)
        pd_bytes_release(&cells[c].values);
    return status;
}

/* Columns of /members. */
enum { DOC, BEGIN, END, VERIFIED, SOURCE, COLUMNS };

static int read_members(struct pd_page *r, uint64_t from, uint64_t n,
                        struct pd_cells cells[COLUMNS])
{
    static const char *const names[COLUMNS] = {"doc", "begin", "end", "verified", "source"};
    for (int c = 0; c < (r->sides[1].sources ? COLUMNS : SOURCE); c++)
        PD_TRY(pd_result_read(r->result, "members", names[c], from, n, &cells[c]));
    return PD_OK;
}

/* The document of a member, as the page numbers it. */
static uint64_t document_of(const struct pd_cells cells[COLUMNS], uint64_t k)
{
    return pd_cells_signed(&cells[DOC], k) < 0 ? pd_cells_count(&cells[SOURCE], k) | PD_SOURCE_ROW
                                               : pd_cells_count(&cells[DOC], k);
}

static int put_member(struct pd_page *r, FILE *out, const struct pd_cells cells[COLUMNS],
                      struct pd_cells *ids, uint64_t k)
{
    uint64_t at;
    size_t n;
    PD_TRY(pd_report_cell(r, "id", document_of(cells, k), ids, &at));
    const char *text = pd_cells_text(ids, at, &n);
    fprintf(out, "%s[%" PRId64 ",", k ? "," : "", pd_report_printed(document_of(cells, k)));
    pd_report_put(out, text, n);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", pd_cells_count(&cells[BEGIN], k),
            pd_cells_count(&cells[END], k), pd_cells_count(&cells[VERIFIED], k));
    return PD_OK;
}

/* Write the beginning of the representative. */
static int put_example(struct pd_page *r, FILE *out, const struct family *f,
                       struct pd_cells cells[COLUMNS])
{
    PD_TRY(read_members(r, f->representative, 1, cells));
    const uint64_t begin = pd_cells_count(&cells[BEGIN], 0), end = pd_cells_count(&cells[END], 0);
    if (begin < end && pd_report_fetch(r, document_of(cells, 0)) &&
        end <= r->fetched->document.text_n) {
        const unsigned char *text = r->fetched->document.text + begin;
        pd_report_put_beginning(out, text, EXAMPLE_BYTES, end - begin);
    } else {
        fputs("\"\"", out);
    }
    return PD_OK;
}

/* Write who had the text first, and when, if documents have dates. */
static int put_first(struct pd_page *r, FILE *out, const struct family *f, struct pd_cells *cells)
{
    size_t n;
    if (!pd_result_has(r->result, "families", "first_doc"))
        return PD_OK;
    PD_TRY(pd_result_read(r->result, "families", "first_doc", f->row, 1, cells));
    const int64_t doc = pd_cells_signed(cells, 0);
    if (doc < 0)
        return PD_OK;
    PD_TRY(pd_result_read(r->result, "families", "first_date", f->row, 1, cells));
    const char *text = pd_cells_text(cells, 0, &n);
    fputs(",\"first_date\":", out);
    pd_report_put(out, text, n);
    PD_TRY(pd_result_read(r->result, "documents", "id", (uint64_t)doc, 1, cells));
    text = pd_cells_text(cells, 0, &n);
    fputs(",\"first\":", out);
    pd_report_put(out, text, n);
    return PD_OK;
}

static int put_family(struct pd_page *r, FILE *out, const struct family *f,
                      struct pd_cells cells[COLUMNS], struct pd_cells *ids)
{
    const uint64_t most = r->family == UINT64_MAX ? MEMBERS_MOST : MEMBERS_OF_ONE;
    const uint64_t n = f->members < most ? f->members : most;
    fprintf(out,
            "{\"row\":%" PRIu64 ",\"size\":%" PRIu64 ",\"documents\":%" PRIu64 ",\"words\":%" PRIu64
            ",\"members\":[",
            f->row, f->members, f->documents, f->words);
    PD_TRY(read_members(r, f->first, n, cells));
    for (uint64_t k = 0; k < n; k++)
        PD_TRY(put_member(r, out, cells, ids, k));
    fputs("],\"text\":", out);
    PD_TRY(put_example(r, out, f, cells));
    PD_TRY(put_first(r, out, f, &cells[DOC]));
    fputs("}", out);
    return PD_OK;
}

int pd_report_families(struct pd_page *r, FILE *out)
{
    struct families all = {0};
    struct pd_cells cells[COLUMNS] = {0}, ids = {0};
    int status = PD_OK;
    fputs(",\"families\":[", out);
    if (r->only == UINT64_MAX && pd_result_has(r->result, "families", "members"))
        status = read_families(r, &all);
    for (size_t k = 0; k < all.n && status >= 0; k++) {
        fputs(k ? ",\n" : "", out);
        status = put_family(r, out, &all.v[k], cells, &ids);
    }
    fputs("]", out);
    families_release(&all);
    pd_bytes_release(&ids.values);
    for (int c = 0; c < COLUMNS; c++)
        pd_bytes_release(&cells[c].values);
    return status;
}
