/* app/export/rows.c - the rows of a table, read many at a time; see export.h */
#include <string.h>

#include "export.h"
#include "pardup/base/error.h"

/* ---- what only some tables have ---- */

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

/* ---- reading ---- */

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
