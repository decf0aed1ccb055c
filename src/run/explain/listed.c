/*
 * run/explain/listed.c - what a result says of two documents: their rows, common classes, passages.
 */
#include "explain.h"
#include "pardup/base/error.h"
#include "pardup/base/plain.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"

enum { ROWS_AT_ONCE = 1 << 16 }; /* rows of a column that are read at once */

/* The number that a text is, or UINT64_MAX. */
static uint64_t number_of(const char *text)
{
    char *end;
    const unsigned long long n = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end ? n : UINT64_MAX;
}

int pd_explain_find(struct pd_result *r, const char *name, uint64_t *doc)
{
    struct pd_cells ids = {0};
    uint64_t rows, found = 0;
    int status = pd_result_rows(r, "documents", &rows);
    for (uint64_t from = 0, take; from < rows && status >= 0; from += take) {
        take = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        status = pd_result_read(r, "documents", "id", from, take, &ids);
        for (uint64_t k = 0; k < take && status >= 0; k++) {
            size_t n;
            const char *id = pd_cells_text(&ids, k, &n);
            if (!pd_plain_is(name, id, n))
                continue;
            if (found++)
                status = pd_fail(PD_EFORMAT,
                                 "%s: documents %llu and %llu have this id; give the numbers", name,
                                 (unsigned long long)*doc, (unsigned long long)(from + k));
            *doc = from + k;
        }
    }
    pd_bytes_release(&ids.values);
    if (status < 0 || found)
        return status;
    *doc = number_of(name);
    return *doc < rows ? PD_OK
                       : pd_fail(PD_EFORMAT,
                                 "%s: no document with this id or row number; pardup export "
                                 "--table documents lists them",
                                 name);
}

int pd_explain_count(struct pd_result *r, const char *table, const char *column, uint64_t row,
                     uint64_t *count)
{
    struct pd_cells cells = {0};
    const int status = pd_result_read(r, table, column, row, 1, &cells);
    if (status >= 0)
        *count = pd_cells_count(&cells, 0);
    pd_bytes_release(&cells.values);
    return status;
}

int pd_explain_first_of_file(struct pd_result *r, uint64_t file, uint64_t *first)
{
    uint64_t lo = 0, hi, at;
    PD_TRY(pd_result_rows(r, "documents", &hi));
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        PD_TRY(pd_explain_count(r, "documents", "file", mid, &at));
        if (at < file)
            lo = mid + 1;
        else
            hi = mid;
    }
    *first = lo;
    return PD_OK;
}

int pd_explain_read_common(struct pd_result *r, struct pd_commons *common)
{
    static const char *const columns[PD_COMMON_U64S] = {"hash", "df", "doc", "sentence"};
    struct pd_cells cells = {0};
    uint64_t rows;
    int status = pd_result_rows(r, "common", &rows);
    pd_commons_reserve(common, status < 0 ? 0 : rows);
    for (int c = 0; c < PD_COMMON_U64S && status >= 0 && rows; c++) {
        status = pd_result_read(r, "common", columns[c], 0, rows, &cells);
        for (uint64_t k = 0; k < rows && status >= 0; k++)
            ((uint64_t *)(void *)&common->v[k])[c] = pd_cells_count(&cells, k);
    }
    pd_bytes_release(&cells.values);
    if (status < 0)
        return status;
    common->n = rows;
    pd_sort_records(common->v, common->n, PD_COMMON_U64S, 1);
    return PD_OK;
}

const struct pd_common *pd_explain_common(const struct explaining *x, pd_sig sig)
{
    const struct pd_commons *c = &x->common;
    const size_t k = pd_search_first(c->v, c->n, sizeof *c->v, 0, sig);
    return k < c->n && c->v[k].sig == sig ? &c->v[k] : NULL;
}

/* Take row `row` of /passages. */
static int take_row(struct pd_result *r, uint64_t row, struct pd_passages *to)
{
    static const char *const columns[] = {"start_a", "start_b", "length_a", "length_b", "matched"};
    uint64_t v[5];
    for (int c = 0; c < 5; c++)
        PD_TRY(pd_explain_count(r, "passages", columns[c], row, &v[c]));
    pd_passages_push(to, (struct pd_passage){.a = row,
                                             .b = row,
                                             .start_a = (uint32_t)v[0],
                                             .start_b = (uint32_t)v[1],
                                             .length_a = (uint32_t)v[2],
                                             .length_b = (uint32_t)v[3],
                                             .matched = (uint32_t)v[4]});
    return PD_OK;
}

int pd_explain_list_passages(struct pd_result *r, struct pd_explanation *e)
{
    struct pd_cells a = {0}, b = {0};
    uint64_t rows;
    int status = pd_result_rows(r, "passages", &rows);
    for (uint64_t from = 0, take; from < rows && status >= 0; from += take) {
        take = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        status = pd_result_read(r, "passages", "doc_a", from, take, &a);
        if (status >= 0)
            status = pd_result_read(r, "passages", "doc_b", from, take, &b);
        for (uint64_t k = 0; k < take && status >= 0; k++)
            if (pd_cells_count(&a, k) == e->sides[0].doc &&
                pd_cells_count(&b, k) == e->sides[1].doc)
                status = take_row(r, from + k, &e->listed);
    }
    pd_bytes_release(&a.values);
    pd_bytes_release(&b.values);
    return status;
}
