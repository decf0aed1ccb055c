/* app/show/family.c - see src/app/show/show.h */
#include "show.h"

#include <stdio.h>
#include <string.h>

#include "app/best_families.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/plain.h"

enum { ROOM_OF_TITLE = 4096, ROOM_OF_ID = 4000 }; /* bytes */
enum {
    MEMBERS_SHOWN = 20,
    EXAMPLES_SHOWN = 2
};                   /* of one family; of each of many, besides the representative */
enum { INDENT = 4 }; /* columns */

/* Columns of the tables that a family is shown from. */
enum { MEMBERS, DOCUMENTS, REPRESENTATIVE, FIRST_DOC, FIRST_SURE };
static const char *const family_columns[] = {"members",    "documents",   "representative",
                                             "?first_doc", "?first_sure", NULL};
enum { VERIFIED, BEGIN, END, DOC, SOURCE, FAMILY };
static const char *const member_columns[] = {"verified", "begin",  "end", "doc",
                                             "?source",  "family", NULL};
enum { DATE };
static const char *const document_columns[] = {"?date", NULL};

struct showing {
    struct pd_viewer *p;
    bool all;                            /* all members are shown; false: the first ones */
    struct pd_table_reader of;           /* /families, or /document_families */
    struct pd_table_reader members;      /* of passages */
    struct pd_table_reader documents[2]; /* /documents and /sources; open if one was shown */
};

static void release(struct showing *s)
{
    pd_table_close(&s->of);
    pd_table_close(&s->members);
    for (int k = 0; k < 2; k++)
        pd_table_close(&s->documents[k]);
}

/*
 * The document that the row at hand names in a column. Where the column has none, it is a source,
 * with PD_SOURCE_ROW.
 */
static uint64_t document_of(const struct pd_table_reader *t, int doc, int source)
{
    return pd_table_signed(t, doc) < 0 ? pd_table_count(t, source) | PD_SOURCE_ROW
                                       : pd_table_count(t, doc);
}

/* Print a document: what it is in its family, its date and id. */
static int show_document(struct showing *s, uint64_t doc, const char *what)
{
    const bool source = doc & PD_SOURCE_ROW;
    struct pd_table_reader *t = &s->documents[source];
    char line[ROOM_OF_TITLE + ROOM_OF_ID], plain[ROOM_OF_ID];
    size_t n, date_n = 0;
    if (!t->table)
        PD_TRY(pd_table_open(t, s->p->result, source ? "sources" : "documents", document_columns));
    PD_TRY(pd_table_at(t, doc & ~PD_SOURCE_ROW));
    const char *label, *date = pd_table_text(t, DATE, &date_n);
    PD_TRY(pd_label_of(&s->p->label, doc, &label, &n));
    pd_plain_line(plain, sizeof plain, label, n);
    if (date_n && memmem(label, n, date, date_n)) /* it is said once */
        date_n = 0;
    snprintf(line, sizeof line, "%s%s%.*s%s%s%s", what, *what && date_n ? ", " : "", (int)date_n,
             date, *what || date_n ? ": " : "", source ? "source " : "", plain);
    pd_print_wrapped(line, strlen(line), s->p->how.terminal.width, 2, 4);
    return PD_OK;
}

/* Print a line with the member in a row of /members. */
static int show_member(struct showing *s, uint64_t row, bool representative)
{
    const struct pd_table_reader *t = &s->members;
    char what[ROOM_OF_TITLE];
    PD_TRY(pd_table_at(&s->members, row));
    snprintf(what, sizeof what, "%s, bytes %llu-%llu",
             representative                ? "representative"
             : pd_table_count(t, VERIFIED) ? "verified"
                                           : "through others",
             (unsigned long long)pd_table_count(t, BEGIN),
             (unsigned long long)pd_table_count(t, END));
    return show_document(s, document_of(t, DOC, SOURCE), what);
}

/* Print who had the text of the family at hand first, if documents have dates. */
static int show_first(struct showing *s)
{
    const int64_t doc = pd_table_signed(&s->of, FIRST_DOC);
    const bool known = pd_table_has(&s->of, FIRST_DOC) && doc >= 0;
    const bool sure = !pd_table_has(&s->of, FIRST_SURE) || pd_table_count(&s->of, FIRST_SURE);
    return known ? show_document(s, (uint64_t)doc, sure ? "first" : "first, as far as is sure")
                 : PD_OK;
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

/* Print each member of the family at hand; without `all`, the first ones if they are many. */
static int show_members(struct showing *s)
{
    const uint64_t n = pd_table_count(&s->of, MEMBERS);
    const uint64_t representative = pd_table_count(&s->of, REPRESENTATIVE);
    const uint64_t shown = s->all || n < MEMBERS_SHOWN ? n : MEMBERS_SHOWN;
    PD_TRY(pd_table_open(&s->members, s->p->result, "members", member_columns));
    PD_TRY(pd_table_find(&s->members, FAMILY, s->of.row));
    const uint64_t first = s->members.row;
    const bool late = representative >= first + shown && representative < first + n;
    if (late) /* before its turn, so that it is shown */
        PD_TRY(show_member(s, representative, true));
    for (uint64_t k = 0; k < shown - late; k++)
        PD_TRY(show_member(s, first + k, first + k == representative));
    show_rest(s->p, "member", n, shown);
    putchar('\n');
    return PD_OK;
}

static int show_family(struct showing *s, uint64_t family)
{
    char title[ROOM_OF_TITLE], counts[2][PD_COUNT_ROOM];
    struct pd_result *result = s->p->result;
    if (!pd_result_has(result, "passages", "family"))
        return pd_fail(
            PD_EFORMAT,
            "%s: has no families, as an earlier pardup wrote it: pardup families makes them",
            pd_result_path(result));
    PD_TRY(pd_table_open(&s->of, result, "families", family_columns));
    if (family >= s->of.rows)
        return pd_fail(PD_EFORMAT, "--family %llu: the result has %llu famil%s",
                       (unsigned long long)family, (unsigned long long)s->of.rows,
                       s->of.rows == 1 ? "y" : "ies");
    PD_TRY(pd_table_at(&s->of, family));
    snprintf(title, sizeof title, "family %llu: %s members in %s document%s",
             (unsigned long long)family, pd_count(counts[0], pd_table_count(&s->of, MEMBERS)),
             pd_count(counts[1], pd_table_count(&s->of, DOCUMENTS)),
             pd_plural(pd_table_count(&s->of, DOCUMENTS)));
    pd_print_wrapped(title, strlen(title), s->p->how.terminal.width, 0, 2);
    PD_TRY(show_first(s));
    return show_members(s);
}

int pd_show_family(struct pd_viewer *p, uint64_t family, bool all)
{
    struct showing s = {.p = p, .all = all};
    const int status = show_family(&s, family);
    release(&s);
    return status;
}

/* ---- the best families ---- */

/* Print the beginning of the text of the member at hand. */
static int show_text(struct showing *s)
{
    const struct pd_drawing *how = &s->p->how;
    const uint64_t begin = pd_table_count(&s->members, BEGIN);
    const uint64_t end = pd_table_count(&s->members, END);
    const uint64_t doc = document_of(&s->members, DOC, SOURCE);
    struct pd_fetch *from = &s->p->sides[doc & PD_SOURCE_ROW ? 1 : 0];
    PD_TRY(pd_fetch_row(from, doc & ~PD_SOURCE_ROW));
    if (begin > end || end > from->document.text_n)
        return pd_fail(PD_EFORMAT, "%s: row %llu of /members is not in the text of its document",
                       pd_result_path(s->p->result), (unsigned long long)s->members.row);
    const char *text = (const char *)from->document.text + begin;
    size_t at = 0, n = (size_t)(end - begin);
    for (size_t line = 0; at < n && (how->lines == 0 || line < how->lines); line++) {
        printf("%*s", INDENT, "");
        pd_print_line(text, n, &at, how->terminal.width - INDENT);
        putchar('\n');
    }
    if (at < n)
        printf("%*s...\n", INDENT, "");
    return PD_OK;
}

/* Print a family: its representative with its text, and the first members in other documents. */
static int show_example(struct showing *s, const struct pd_best_family *f)
{
    char line[ROOM_OF_TITLE], counts[3][PD_COUNT_ROOM];
    snprintf(line, sizeof line, "family %llu: %s word%s in %s place%s, %s document%s",
             (unsigned long long)f->row, pd_count(counts[0], f->words), pd_plural(f->words),
             pd_count(counts[1], f->places), pd_plural(f->places),
             pd_count(counts[2], f->documents), pd_plural(f->documents));
    pd_print_wrapped(line, strlen(line), s->p->how.terminal.width, 0, 2);
    PD_TRY(show_member(s, f->representative, true));
    uint64_t shown = 0, last = document_of(&s->members, DOC, SOURCE);
    const uint64_t seen = pd_min_u64(f->places, PD_BEST_PLACES);
    for (uint64_t k = 0; k < seen && shown < EXAMPLES_SHOWN; k++) {
        PD_TRY(pd_table_at(&s->members, f->first + k));
        const uint64_t doc = document_of(&s->members, DOC, SOURCE);
        const bool other = f->documents > 1 ? doc != last : f->first + k != f->representative;
        if (!other)
            continue;
        PD_TRY(show_member(s, f->first + k, false));
        shown++;
    }
    PD_TRY(pd_table_at(&s->members, f->representative));
    return show_text(s);
}

/* Print how many families are left, and what shows them. */
static void show_others(const struct pd_viewer *p, uint64_t all, size_t shown)
{
    char line[ROOM_OF_TITLE], count[PD_COUNT_ROOM], more[ROOM_OF_ID] = "";
    const char *rest = "; pardup export --table families lists them. ";
    if (shown < PD_BEST_MOST)
        snprintf(more, sizeof more, "; --limit %zu shows more. ", 2 * shown);
    snprintf(line, sizeof line,
             "%s%s%s--family N shows all places of one, --by-passage shows passages.",
             shown == all       ? ""
             : all - shown == 1 ? "1 more family"
                                : pd_count(count, all - shown),
             all - shown > 1 ? " more families" : "",
             shown == all           ? ""
             : shown < PD_BEST_MOST ? more
                                    : rest);
    putchar('\n');
    pd_print_wrapped(line, strlen(line), p->how.terminal.width, 0, 2);
}

int pd_show_best(struct pd_viewer *p, uint64_t limit)
{
    struct showing s = {.p = p};
    struct pd_best_families best = {0};
    uint64_t all = 0;
    int status = pd_best_families_find(
        p->result, limit && limit < PD_BEST_MOST ? limit : PD_BEST_MOST, &best, &all);
    PD_THEN(status, pd_table_open(&s.members, p->result, "members", member_columns));
    for (size_t k = 0; k < best.n && status >= 0 && !ferror(stdout); k++) {
        fputs(k ? "\n" : "", stdout);
        status = show_example(&s, &best.v[k]);
    }
    if (status >= 0)
        show_others(p, all, best.n);
    pd_best_families_release(&best);
    release(&s);
    return status;
}

/* ---- families of documents ---- */

/* List the documents of a family that are in a table, whose rows have the bits of `mark`. */
static int find_kin_in(struct pd_result *result, const char *table, uint64_t mark, uint64_t family,
                       struct pd_doc_rows *found)
{
    static const char *const columns[] = {"family", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, result, table, columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK)
        if (pd_table_signed(&t, 0) == (int64_t)family)
            pd_doc_rows_push(found, t.row | mark);
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

/* List the documents of a family, then its sources. */
static int find_kin(struct pd_result *result, uint64_t family, struct pd_doc_rows *found)
{
    PD_TRY(find_kin_in(result, "documents", 0, family, found));
    if (pd_result_has(result, "sources", "family"))
        PD_TRY(find_kin_in(result, "sources", PD_SOURCE_ROW, family, found));
    return found->n ? PD_OK
                    : pd_fail(PD_EFORMAT, "%s: no document is in family %llu of documents",
                              pd_result_path(result), (unsigned long long)family);
}

/* Print each document of a family; without `all`, the first ones if they are many. */
static int show_kin(struct showing *s, const struct pd_doc_rows *documents, uint64_t representative)
{
    static const char what[] = "representative";
    const size_t shown = s->all || documents->n < MEMBERS_SHOWN ? documents->n : MEMBERS_SHOWN;
    size_t at = 0;
    while (at < documents->n && documents->v[at] != representative)
        at++;
    const bool late = at < documents->n && at >= shown;
    if (late) /* before its turn, so that it is shown */
        PD_TRY(show_document(s, representative, what));
    for (size_t k = 0; k < shown - late; k++)
        PD_TRY(show_document(s, documents->v[k], k == at ? what : ""));
    show_rest(s->p, "document", documents->n, shown);
    return PD_OK;
}

static int show_document_family(struct showing *s, uint64_t family, struct pd_doc_rows *documents)
{
    static const char *const columns[] = {"representative", "?source", NULL};
    char title[ROOM_OF_TITLE], count[PD_COUNT_ROOM];
    struct pd_result *result = s->p->result;
    if (!pd_result_has(result, "document_families", "representative"))
        return pd_fail(PD_EFORMAT,
                       "%s: has no families of documents, as an earlier pardup wrote it: pardup "
                       "families makes them",
                       pd_result_path(result));
    PD_TRY(pd_table_open(&s->of, result, "document_families", columns));
    if (family >= s->of.rows)
        return pd_fail(PD_EFORMAT, "--document-family %llu: the result has %llu of them",
                       (unsigned long long)family, (unsigned long long)s->of.rows);
    PD_TRY(pd_table_at(&s->of, family));
    PD_TRY(find_kin(result, family, documents));
    snprintf(title, sizeof title, "family %llu of documents: %s near duplicates",
             (unsigned long long)family, pd_count(count, documents->n));
    pd_print_wrapped(title, strlen(title), s->p->how.terminal.width, 0, 2);
    PD_TRY(show_kin(s, documents, document_of(&s->of, 0, 1)));
    putchar('\n');
    return PD_OK;
}

int pd_show_document_family(struct pd_viewer *p, uint64_t family, bool all,
                            struct pd_doc_rows *documents)
{
    struct showing s = {.p = p, .all = all};
    const int status = show_document_family(&s, family, documents);
    release(&s);
    return status;
}
