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

/* ---- ids ---- */

static size_t column_of(const struct pd_exporting *x, const char *name)
{
    for (size_t c = 0; c < x->ncolumns; c++)
        if (strcmp(x->table->columns[c].name, name) == 0)
            return c;
    return PD_NO_COLUMN;
}

static void name_id(struct pd_exporting *x, const char *name, const char *column, bool of_sources)
{
    const size_t c = column_of(x, column);
    if (c != PD_NO_COLUMN)
        x->named[x->nnamed++] = (struct pd_named){name, c, of_sources, column_of(x, "source")};
}

/* Find out which ids the rows of the table name. */
static void find_named(struct pd_exporting *x, bool check)
{
    name_id(x, "id_a", "doc_a", false);
    name_id(x, "id_b", "doc_b", check); /* in a result of check a source */
    if (x->table == &pd_schema[PD_TABLE_MEMBERS])
        name_id(x, "id", "doc", false);
    name_id(x, "first_id", "first_doc", false);
    if (x->table == &pd_schema[PD_TABLE_DOCUMENT_FAMILIES])
        name_id(x, "representative_id", "representative", false);
}

/* Which row of which table the row at k names; false: none. */
static bool find_place(const struct pd_exporting *x, const struct pd_named *named, uint64_t k,
                       bool *of_sources, uint64_t *at)
{
    const struct pd_cells *cells = &x->cells[named->column];
    *of_sources = named->of_sources;
    if (pd_export_missing(x, named->column, k)) {
        *of_sources = true;
        if (named->source == PD_NO_COLUMN || pd_export_missing(x, named->source, k))
            return false;
        cells = &x->cells[named->source];
    }
    *at = pd_cells_count(cells, k);
    return true;
}

bool pd_export_id(const struct pd_exporting *x, const struct pd_named *named, uint64_t k,
                  const struct pd_cells **cells, uint64_t *at)
{
    bool of_sources;
    if (!find_place(x, named, k, &of_sources, at))
        return false;
    *cells = &x->ids[of_sources];
    return true;
}

/* Check that the rows at hand name documents: a damaged file may hold any number. */
static int check_documents(const struct pd_exporting *x, uint64_t n, const uint64_t documents[2])
{
    bool of_sources;
    uint64_t at;
    for (size_t i = 0; i < x->nnamed; i++)
        for (uint64_t k = 0; k < n; k++)
            if (find_place(x, &x->named[i], k, &of_sources, &at) && at >= documents[of_sources])
                return pd_fail(PD_EFORMAT, "%s: /%s names row %llu of /%s, which has %llu",
                               pd_result_path(x->result), x->table->name, (unsigned long long)at,
                               of_sources ? "sources" : "documents",
                               (unsigned long long)documents[of_sources]);
    return PD_OK;
}

/* ---- reading ---- */

int pd_export_begin(struct pd_exporting *x, uint64_t *rows, uint64_t documents[2])
{
    static const char *const tables[] = {"documents", "sources"};
    const bool check = pd_result_has(x->result, "sources", "id");
    PD_TRY(pd_result_rows(x->result, x->table->name, rows));
    find_named(x, check);
    for (int k = 0; k < 1 + check && x->nnamed; k++) {
        PD_TRY(pd_result_rows(x->result, tables[k], &documents[k]));
        PD_TRY(pd_result_read(x->result, tables[k], "id", 0, documents[k], &x->ids[k]));
    }
    if (x->text || x->offsets == PD_ROW_CHARS)
        return pd_export_text_begin(x);
    return PD_OK;
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
