/* app/export/rows.c - the rows of a table, read many at a time; see export.h */
#include <stdlib.h>
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
    return x->numbers ? x->numbers[k] : x->whole ? k : x->from + k;
}

/* ---- ids ---- */

static size_t column_of(const struct pd_exporting *x, const char *name)
{
    for (size_t c = 0; c < x->ncolumns; c++)
        if (strcmp(x->table->columns[c].name, name) == 0)
            return c;
    return PD_NO_COLUMN;
}

static bool is_table(const struct pd_exporting *x, enum pd_table table)
{
    return x->table == &pd_schema[table];
}

/* Is this the name of a column of the table, or of another text of its rows? */
static bool is_taken(const struct pd_exporting *x, const char *name)
{
    for (size_t k = 0; k < x->nnamed; k++)
        if (strcmp(x->named[k].name, name) == 0)
            return true;
    return column_of(x, name) != PD_NO_COLUMN;
}

/* Name what a document is called whose row is in a column: `before` and `after` go round it. */
static void name_called(struct pd_exporting *x, size_t called, const char *before, size_t column,
                        const char *after, bool of_sources)
{
    char *name = pd_printed("%s%s%s", before, x->called[called].name, after);
    const bool other = of_sources || is_table(x, PD_TABLE_RANKING); /* `source` is no stand-in */
    const size_t source = other ? PD_NO_COLUMN : column_of(x, "source");
    if (is_taken(x, name)) {
        free(name);
        name = pd_printed("%smeta_%s%s", before, x->called[called].name, after);
    }
    x->named[x->nnamed++] = (struct pd_named){name, column, of_sources, source, called};
}

/* The same if the table has the column. */
static void name_id(struct pd_exporting *x, size_t called, const char *before, const char *column,
                    const char *after, bool of_sources)
{
    const size_t c = column_of(x, column);
    if (c != PD_NO_COLUMN)
        name_called(x, called, before, c, after, of_sources);
}

/* Are the rows documents, or sources? */
static bool is_documents(const struct pd_exporting *x)
{
    return is_table(x, PD_TABLE_DOCUMENTS) || is_table(x, PD_TABLE_SOURCES);
}

/* Has a row one document, by its column `doc`, which has a name? */
static bool has_doc(const struct pd_exporting *x)
{
    return is_table(x, PD_TABLE_MEMBERS) || is_table(x, PD_TABLE_DECISIONS) ||
           is_table(x, PD_TABLE_RANKING) || is_table(x, PD_TABLE_ASIDE);
}

/* Do rows of the table name documents, or are they documents? */
static bool names_documents(const struct pd_exporting *x)
{
    return is_documents(x) || has_doc(x) || is_table(x, PD_TABLE_DOCUMENT_FAMILIES) ||
           pd_export_quotes(x) || column_of(x, "doc_a") != PD_NO_COLUMN ||
           column_of(x, "first_doc") != PD_NO_COLUMN;
}

/* Find out what the documents are called that the rows of the table name: ids first. */
static void find_named(struct pd_exporting *x, bool check)
{
    for (size_t k = 0; k < x->ncalled; k++) {
        name_id(x, k, "", "doc_a", "_a", false);
        name_id(x, k, "", "doc_b", "_b", check); /* in a result of check a source */
        name_id(x, k, "", "older", "_older", false);
        name_id(x, k, "", "younger", "_younger", false);
        if (strcmp(x->called[k].name, "id") == 0 || strcmp(x->called[k].name, "label") == 0)
            name_id(x, k, "", "parent", "_parent", false);
        if (has_doc(x))
            name_id(x, k, "", "doc", "", false);
        if (is_table(x, PD_TABLE_RANKING))
            name_id(x, k, "source_", "source", "", true);
        if (is_documents(x) && !is_taken(x, x->called[k].name)) /* as ids and addresses are */
            name_called(x, k, "", PD_ROW_ITSELF, "", is_table(x, PD_TABLE_SOURCES));
        if (k > 0)
            continue;
        name_id(x, k, "first_", "first_doc", "", false);
        if (is_table(x, PD_TABLE_DOCUMENT_FAMILIES))
            name_id(x, k, "representative_", "representative", "", false);
    }
}

/* Find the row that the row at k names, and its table. False: it names none. */
static bool find_place(const struct pd_exporting *x, const struct pd_named *named, uint64_t k,
                       bool *of_sources, uint64_t *at)
{
    *of_sources = named->of_sources;
    *at = pd_export_number(x, k);
    if (named->column == PD_ROW_ITSELF)
        return true;
    const struct pd_cells *cells = &x->cells[named->column];
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
    size_t n;
    *cells = &x->called[named->called].cells[of_sources];
    if ((*cells)->values.n == 0)
        return false; /* no document of this table has the field */
    pd_cells_text(*cells, *at, &n);
    return n > 0 || named->called == 0; /* fields may be missing, ids not */
}

/* ---- reading ---- */

int pd_export_begin(struct pd_exporting *x, uint64_t *rows, uint64_t documents[2])
{
    static const char *const tables[] = {"documents", "sources"};
    const bool check = pd_result_has(x->result, "sources", "id");
    if (!pd_export_quotes(x))
        PD_TRY(pd_result_rows(x->result, x->table->name, rows));
    for (int k = 0; k < 1 + check && names_documents(x); k++) {
        PD_TRY(pd_result_rows(x->result, tables[k], &documents[k]));
        PD_TRY(pd_export_called(x, tables[k], k == 1, documents[k]));
    }
    if (pd_export_quotes(x))
        PD_TRY(pd_export_quotations(x, rows, documents));
    find_named(x, check);
    if (x->text || x->offsets == PD_ROW_CHARS)
        return pd_export_text_begin(x);
    return PD_OK;
}

int pd_export_rows(struct pd_exporting *x, uint64_t from, uint64_t n)
{
    for (size_t c = 0; c < x->ncolumns && !pd_export_quotes(x); c++)
        PD_TRY(pd_result_read(x->result, x->table->name, x->table->columns[c].name, from, n,
                              &x->cells[c]));
    return x->reads && !pd_export_quotes(x) ? pd_export_text_rows(x, from, n) : PD_OK;
}
