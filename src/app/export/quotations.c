/*
 * app/export/quotations.c - passages as quotations, the oldest first; see export.h
 *
 * In a passage the document whose date comes first is the older one (base/date.h), sure or not.
 * Documents without a date are younger than all others. If dates are equal, the first document is
 * older. Passages with one younger document and one family are one place that quotes. Its parent is
 * the older document with which most words agree there, the oldest one if several do: its passage
 * is direct.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/ids.h"
#include "export.h"
#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/memory_limit.h"

/* A row. Its columns are below. */
struct quotation {
    uint64_t older, younger;
    struct pd_date dates[2]; /* of both */
    uint64_t sure, words;
    double agreement;
    uint64_t direct, parent, family, passage;
    uint64_t bytes[2][2]; /* of both: begin, end */
    uint64_t agreeing;    /* words that agree */
};

/* Columns of pd_schema[PD_VIEW_QUOTATIONS], in their order. */
enum {
    OLDER,
    YOUNGER,
    DATE_OLDER,
    DATE_YOUNGER,
    SURE,
    WORDS,
    AGREEMENT,
    DIRECT,
    PARENT,
    FAMILY,
    PASSAGE,
    BEGIN_OLDER,
    END_OLDER,
    BEGIN_YOUNGER,
    END_YOUNGER,
    COLUMNS
};
/* ---- orders ---- */

static int compare_counts(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* Passages of one place side by side, the best one first. */
static int by_place(const void *va, const void *vb)
{
    const struct quotation *a = va, *b = vb;
    int order = compare_counts(a->younger, b->younger);
    order = order ? order : compare_counts(a->family, b->family);
    order = order ? order : compare_counts(b->agreeing, a->agreeing);
    order = order ? order : pd_date_compare_times(a->dates[0], b->dates[0]);
    order = order ? order : compare_counts(a->older, b->older);
    return order ? order : compare_counts(a->passage, b->passage);
}

static int by_date(const void *va, const void *vb)
{
    const struct quotation *a = va, *b = vb;
    int order = pd_date_compare_times(a->dates[0], b->dates[0]);
    order = order ? order : pd_date_compare_times(a->dates[1], b->dates[1]);
    order = order ? order : compare_counts(a->older, b->older);
    order = order ? order : compare_counts(a->younger, b->younger);
    order = order ? order : compare_counts(a->bytes[1][0], b->bytes[1][0]);
    return order ? order : compare_counts(a->passage, b->passage);
}

/* ---- reading ---- */

enum { DOC_A, DOC_B, BEGIN_A, END_A, BEGIN_B, END_B, WORDS_A, WORDS_B, AGREES, OF_FAMILY };
static const char *const read_columns[] = {"doc_a",     "doc_b",  "begin_a", "end_a",
                                           "begin_b",   "end_b",  "words_a", "words_b",
                                           "agreement", "family", NULL};

/* The dates of all documents. */
static int read_dates(struct pd_exporting *x, struct pd_date *dates)
{
    static const char *const columns[] = {"?date", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, x->result, "documents", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        size_t n;
        const char *text = pd_table_text(&t, 0, &n);
        dates[t.row] = pd_date_parse(text, n);
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

/* Make a row of the passage at hand. */
static struct quotation quotation_of(const struct pd_table_reader *t, const struct pd_date *dates)
{
    const uint64_t docs[2] = {pd_table_count(t, DOC_A), pd_table_count(t, DOC_B)};
    const uint64_t words[2] = {pd_table_count(t, WORDS_A), pd_table_count(t, WORDS_B)};
    const int older = pd_date_compare_times(dates[docs[1]], dates[docs[0]]) < 0;
    struct quotation q = {.older = docs[older],
                          .younger = docs[!older],
                          .dates = {dates[docs[older]], dates[docs[!older]]},
                          .words = words[!older],
                          .agreement = pd_table_real(t, AGREES),
                          .family = pd_table_count(t, OF_FAMILY),
                          .passage = t->row};
    q.sure = pd_date_is_before(q.dates[0], q.dates[1]);
    q.agreeing = isnan(q.agreement)
                     ? 0
                     : (uint64_t)llround(q.agreement * (double)(words[words[1] > words[0]]));
    for (int side = 0; side < 2; side++) {
        const int begin = (side == 0) == (older == 0) ? BEGIN_A : BEGIN_B;
        q.bytes[side][0] = pd_table_count(t, begin);
        q.bytes[side][1] = pd_table_count(t, begin + 1);
    }
    return q;
}

/* Warn if no document has a date, since the order says nothing then. */
static void tell_undated(const struct pd_date *dates, uint64_t n)
{
    uint64_t undated = 0;
    while (undated < n && !pd_date_is_known(dates[undated]))
        undated++;
    if (undated == n)
        pd_log(PD_LOG_WARN,
               "no document has a date, so the first one of each pair stands for the older "
               "one; --metadata FILE.csv or --keep-fields date of detect gives dates");
}

static int read_passages(struct pd_exporting *x, uint64_t documents, struct quotation *v)
{
    struct pd_table_reader t = {.rows = 0};
    struct pd_date *dates = pd_realloc(NULL, documents + 1, sizeof *dates);
    int status = read_dates(x, dates);
    PD_THEN(status, pd_table_open(&t, x->result, "passages", read_columns));
    if (status >= 0 && t.rows > 0)
        tell_undated(dates, documents);
    while (status >= 0 && (status = pd_next_passage(&t, documents, documents)) == PD_OK)
        v[t.row] = quotation_of(&t, dates);
    pd_table_close(&t);
    free(dates);
    return status < 0 ? status : PD_OK;
}

/* Tell each passage what the parent of its place is. */
static void find_parents(struct quotation *v, uint64_t rows)
{
    qsort(v, rows, sizeof *v, by_place);
    for (uint64_t k = 0; k < rows; k++) {
        const struct quotation *before = k ? &v[k - 1] : NULL;
        v[k].direct = !before || before->younger != v[k].younger || before->family != v[k].family ||
                      v[k].family == UINT64_MAX;
        v[k].parent = v[k].direct ? v[k].older : before->parent;
    }
}

/* ---- cells ---- */

static void put(struct pd_cells *cells, enum pd_values kind, const void *value, size_t n)
{
    cells->kind = kind;
    cells->width = n;
    pd_bytes_append(&cells->values, value, n);
}

static void put_row(struct pd_cells *cells, const struct quotation *q)
{
    const uint64_t counts[COLUMNS] = {[OLDER] = q->older,
                                      [YOUNGER] = q->younger,
                                      [SURE] = q->sure,
                                      [WORDS] = q->words,
                                      [DIRECT] = q->direct,
                                      [PARENT] = q->parent,
                                      [FAMILY] = q->family,
                                      [PASSAGE] = q->passage,
                                      [BEGIN_OLDER] = q->bytes[0][0],
                                      [END_OLDER] = q->bytes[0][1],
                                      [BEGIN_YOUNGER] = q->bytes[1][0],
                                      [END_YOUNGER] = q->bytes[1][1]};
    char date[PD_DATE_ROOM];
    for (int c = 0; c < COLUMNS; c++) {
        if (c == DATE_OLDER || c == DATE_YOUNGER) {
            pd_date_print(q->dates[c - DATE_OLDER], date);
            put(&cells[c], PD_VALUES_TEXT, date, sizeof date);
        } else if (c == AGREEMENT) {
            put(&cells[c], PD_VALUES_REAL, &q->agreement, sizeof q->agreement);
        } else {
            put(&cells[c], PD_VALUES_COUNT, &counts[c], sizeof counts[c]);
        }
    }
}

int pd_export_quotations(struct pd_exporting *x, uint64_t *rows, const uint64_t documents[2])
{
    const uint64_t most = pd_memory_limit("") / 2;
    const size_t bytes = sizeof(struct quotation) + COLUMNS * 8 + 2 * PD_DATE_ROOM + 8;
    if (pd_result_has(x->result, "sources", "id"))
        return pd_fail(PD_EFORMAT,
                       "%s: is a result of check, and --table quotations needs one of detect",
                       pd_result_path(x->result));
    PD_TRY(pd_result_rows(x->result, "passages", rows));
    if (*rows > most / bytes)
        return pd_fail(PD_EFULL,
                       "export: --table quotations holds all rows: %llu MB, and %llu MB "
                       "may be used",
                       (unsigned long long)(*rows * bytes / 1000000),
                       (unsigned long long)(most / 1000000));
    struct quotation *v = pd_realloc(NULL, *rows + 1, sizeof *v);
    const int status = read_passages(x, documents[0], v);
    if (status >= 0) {
        find_parents(v, *rows);
        qsort(v, *rows, sizeof *v, by_date);
        for (uint64_t k = 0; k < *rows; k++)
            put_row(x->cells, &v[k]);
        x->whole = true;
    }
    free(v);
    return status;
}
