/* app/show/family.c - see src/app/show/family.h */
#include "family.h"

#include <stdio.h>
#include <string.h>

#include "app/print.h"
#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/plain.h"

enum { ROWS_AT_ONCE = 4096, ROOM_OF_TITLE = 4096, ROOM_OF_ID = 4000 }; /* rows; bytes; bytes */
enum { MEMBERS_SHOWN = 20 };                                           /* documents */

/* Set *count to a column of one family. */
static int read_family(struct pd_result *result, const char *column, uint64_t family,
                       struct pd_cells *cells, uint64_t *count)
{
    PD_TRY(pd_result_read(result, "families", column, family, 1, cells));
    *count = pd_cells_count(cells, 0);
    return PD_OK;
}

/* *row: the first row of /members of a family. */
static int first_member(struct pd_result *result, uint64_t family, struct pd_cells *cells,
                        uint64_t *row)
{
    uint64_t from = 0, to;
    PD_TRY(pd_result_rows(result, "members", &to));
    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;
        PD_TRY(pd_result_read(result, "members", "family", middle, 1, cells));
        if (pd_cells_count(cells, 0) < family)
            from = middle + 1;
        else
            to = middle;
    }
    *row = from;
    return PD_OK;
}

/*
 * *doc: the document that a row of a table names in `column`. Where the column has none, it is a
 * source, with PD_SOURCE_ROW.
 */
static int document_at(struct pd_result *result, const char *table, const char *column,
                       uint64_t row, struct pd_cells *cells, uint64_t *doc)
{
    PD_TRY(pd_result_read(result, table, column, row, 1, cells));
    *doc = pd_cells_count(cells, 0);
    if (pd_cells_signed(cells, 0) >= 0)
        return PD_OK;
    PD_TRY(pd_result_read(result, table, "source", row, 1, cells));
    *doc = pd_cells_count(cells, 0) | PD_SOURCE_ROW;
    return PD_OK;
}

/* Print a document: what it is in its family, its date and id. */
static int show_document(struct pd_viewer *p, uint64_t doc, const char *what,
                         struct pd_cells *cells)
{
    const bool source = doc & PD_SOURCE_ROW;
    const char *table = source ? "sources" : "documents";
    char line[ROOM_OF_TITLE + ROOM_OF_ID], plain[ROOM_OF_ID], date[PD_DATE_ROOM] = "";
    size_t n;
    if (pd_result_has(p->result, table, "date")) {
        PD_TRY(pd_result_read(p->result, table, "date", doc & ~PD_SOURCE_ROW, 1, cells));
        const char *text = pd_cells_text(cells, 0, &n);
        snprintf(date, sizeof date, "%.*s", (int)n, text);
    }
    PD_TRY(pd_result_read(p->result, table, "id", doc & ~PD_SOURCE_ROW, 1, cells));
    const char *id = pd_cells_text(cells, 0, &n);
    pd_plain_line(plain, sizeof plain, id, n);
    snprintf(line, sizeof line, "%s%s%s%s%s%s", what, *what && *date ? ", " : "", date,
             *what || *date ? ": " : "", source ? "source " : "", plain);
    pd_print_wrapped(line, strlen(line), p->how.terminal.width, 2, 4);
    return PD_OK;
}

/* Print a line with the member in a row of /members. */
static int show_member(struct pd_viewer *p, uint64_t row, bool representative,
                       struct pd_cells *cells)
{
    static const char *const columns[] = {"verified", "begin", "end"};
    uint64_t doc, values[3];
    char what[ROOM_OF_TITLE];
    for (int c = 0; c < 3; c++) {
        PD_TRY(pd_result_read(p->result, "members", columns[c], row, 1, cells));
        values[c] = pd_cells_count(cells, 0);
    }
    PD_TRY(document_at(p->result, "members", "doc", row, cells, &doc));
    snprintf(what, sizeof what, "%s, bytes %llu-%llu",
             representative ? "representative"
             : values[0]    ? "verified"
                            : "through others",
             (unsigned long long)values[1], (unsigned long long)values[2]);
    return show_document(p, doc, what, cells);
}

/* Print who had the text of the family first, if documents have dates. */
static int show_first(struct pd_viewer *p, uint64_t family, struct pd_cells *cells)
{
    if (!pd_result_has(p->result, "families", "first_doc"))
        return PD_OK;
    PD_TRY(pd_result_read(p->result, "families", "first_doc", family, 1, cells));
    const int64_t doc = pd_cells_signed(cells, 0);
    return doc < 0 ? PD_OK : show_document(p, (uint64_t)doc, "first", cells);
}

/* Print how many of n members or documents, `of`, are not shown. */
static void show_rest(const struct pd_viewer *p, const char *of, uint64_t n, uint64_t shown)
{
    char more[ROOM_OF_TITLE], count[PD_COUNT_ROOM];
    if (n <= shown)
        return;
    snprintf(more, sizeof more, "%s more %s%s; --limit 0 shows all.", pd_count(count, n - shown),
             of, pd_plural(n - shown));
    pd_print_wrapped(more, strlen(more), p->how.terminal.width, 2, 4);
}

/* Print each of the n members of a family; without `all`, the first ones if they are many. */
static int show_members(struct pd_viewer *p, uint64_t family, uint64_t n, bool all,
                        struct pd_cells *cells)
{
    const uint64_t shown = all || n < MEMBERS_SHOWN ? n : MEMBERS_SHOWN;
    uint64_t first, representative;
    PD_TRY(first_member(p->result, family, cells, &first));
    PD_TRY(read_family(p->result, "representative", family, cells, &representative));
    const bool late = representative >= first + shown && representative < first + n;
    if (late) /* before its turn, so that it is shown */
        PD_TRY(show_member(p, representative, true, cells));
    for (uint64_t k = 0; k < shown - late; k++)
        PD_TRY(show_member(p, first + k, first + k == representative, cells));
    show_rest(p, "member", n, shown);
    putchar('\n');
    return PD_OK;
}

int pd_show_family(struct pd_viewer *p, uint64_t family, bool all, struct pd_cells *cells)
{
    char title[ROOM_OF_TITLE], counts[2][PD_COUNT_ROOM];
    uint64_t families, members, documents;
    if (!pd_result_has(p->result, "passages", "family"))
        return pd_fail(
            PD_EFORMAT,
            "%s: has no families, as an earlier pardup wrote it: pardup families makes them",
            pd_result_path(p->result));
    PD_TRY(pd_result_rows(p->result, "families", &families));
    if (family >= families)
        return pd_fail(PD_EFORMAT, "--family %llu: the result has %llu famil%s",
                       (unsigned long long)family, (unsigned long long)families,
                       families == 1 ? "y" : "ies");
    PD_TRY(read_family(p->result, "members", family, cells, &members));
    PD_TRY(read_family(p->result, "documents", family, cells, &documents));
    snprintf(title, sizeof title, "family %llu: %s members in %s documents",
             (unsigned long long)family, pd_count(counts[0], members),
             pd_count(counts[1], documents));
    pd_print_wrapped(title, strlen(title), p->how.terminal.width, 0, 2);
    PD_TRY(show_first(p, family, cells));
    return show_members(p, family, members, all, cells);
}

/* ---- families of documents ---- */

/* List the documents of a family that are in a table, whose rows have the bits of `mark`. */
static int find_kin_in(struct pd_result *result, const char *table, uint64_t mark, uint64_t family,
                       struct pd_cells *cells, struct pd_doc_rows *found)
{
    uint64_t rows;
    PD_TRY(pd_result_rows(result, table, &rows));
    for (uint64_t from = 0, n; from < rows; from += n) {
        n = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        PD_TRY(pd_result_read(result, table, "family", from, n, cells));
        for (uint64_t k = 0; k < n; k++)
            if (pd_cells_signed(cells, k) == (int64_t)family)
                pd_doc_rows_push(found, (from + k) | mark);
    }
    return PD_OK;
}

/* List the documents of a family, then its sources. */
static int find_kin(struct pd_result *result, uint64_t family, struct pd_cells *cells,
                    struct pd_doc_rows *found)
{
    PD_TRY(find_kin_in(result, "documents", 0, family, cells, found));
    if (pd_result_has(result, "sources", "family"))
        PD_TRY(find_kin_in(result, "sources", PD_SOURCE_ROW, family, cells, found));
    return found->n ? PD_OK
                    : pd_fail(PD_EFORMAT, "%s: no document is in family %llu of documents",
                              pd_result_path(result), (unsigned long long)family);
}

/* Print each document of a family; without `all`, the first ones if they are many. */
static int show_kin(struct pd_viewer *p, const struct pd_doc_rows *documents, bool all,
                    uint64_t representative, struct pd_cells *cells)
{
    static const char what[] = "representative";
    const size_t shown = all || documents->n < MEMBERS_SHOWN ? documents->n : MEMBERS_SHOWN;
    size_t at = 0;
    while (at < documents->n && documents->v[at] != representative)
        at++;
    const bool late = at < documents->n && at >= shown;
    if (late) /* before its turn, so that it is shown */
        PD_TRY(show_document(p, representative, what, cells));
    for (size_t k = 0; k < shown - late; k++)
        PD_TRY(show_document(p, documents->v[k], k == at ? what : "", cells));
    show_rest(p, "document", documents->n, shown);
    return PD_OK;
}

int pd_show_document_family(struct pd_viewer *p, uint64_t family, bool all, struct pd_cells *cells,
                            struct pd_doc_rows *documents)
{
    char title[ROOM_OF_TITLE], count[PD_COUNT_ROOM];
    uint64_t families;
    if (!pd_result_has(p->result, "document_families", "representative"))
        return pd_fail(PD_EFORMAT,
                       "%s: has no families of documents, as an earlier pardup wrote it: pardup "
                       "families makes them",
                       pd_result_path(p->result));
    PD_TRY(pd_result_rows(p->result, "document_families", &families));
    if (family >= families)
        return pd_fail(PD_EFORMAT, "--document-family %llu: the result has %llu of them",
                       (unsigned long long)family, (unsigned long long)families);
    uint64_t representative;
    PD_TRY(document_at(p->result, "document_families", "representative", family, cells,
                       &representative));
    PD_TRY(find_kin(p->result, family, cells, documents));
    snprintf(title, sizeof title, "family %llu of documents: %s near duplicates",
             (unsigned long long)family, pd_count(count, documents->n));
    pd_print_wrapped(title, strlen(title), p->how.terminal.width, 0, 2);
    PD_TRY(show_kin(p, documents, all, representative, cells));
    putchar('\n');
    return PD_OK;
}
