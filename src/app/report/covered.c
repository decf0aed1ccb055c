/*
 * app/report/covered.c - what all passages cover of the documents on a report page, from which
 * their shares are counted. See src/app/report/report.h.
 */
#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "report.h"

enum { KEYS = sizeof(struct pd_report_covered) / sizeof(uint64_t) };
enum {
    LISTED_FIRST = 1 << 20
}; /* how many are listed before what lies within others is left out */

/* Columns of /passages. */
enum { DOC, BEGIN = DOC + 2, END = BEGIN + 2 };
static const char *const columns[] = {"doc_a", "doc_b", "begin_a", "begin_b",
                                      "end_a", "end_b", NULL};

/* Sort, and leave out what lies within another one of the same document and pair. */
static void leave_out_inner(struct pd_report_covereds *all)
{
    struct pd_report_covered *v = all->v;
    size_t n = 0;
    pd_sort_records((uint64_t *)(void *)v, all->n, KEYS, KEYS);
    for (size_t k = 0; k < all->n; k++) {
        while (n && v[n - 1].document == v[k].document && v[n - 1].pair == v[k].pair &&
               v[n - 1].begin == v[k].begin)
            n--; /* it begins where this one does, and is no longer */
        if (n && v[n - 1].document == v[k].document && v[n - 1].pair == v[k].pair &&
            v[n - 1].end >= v[k].end)
            continue;
        v[n++] = v[k];
    }
    all->n = n;
}

/* The pair of two documents on the page; *next is the first that may be, as passages ascend. */
static uint64_t pair_of(const struct pd_report_page *r, const uint64_t document[2], size_t *next)
{
    const struct pd_report_pair *v = r->pairs.v;
    while (*next < r->pairs.n &&
           (v[*next].document[0] < document[0] ||
            (v[*next].document[0] == document[0] && v[*next].document[1] < document[1])))
        ++*next;
    return *next < r->pairs.n && v[*next].document[0] == document[0] &&
                   v[*next].document[1] == document[1]
               ? *next
               : PD_REPORT_NO_PAIR;
}

/* Add the sides of a passage whose documents are on the page. */
static void add(const struct pd_report_page *r, const struct pd_table_reader *t, size_t *next,
                struct pd_report_covereds *all)
{
    uint64_t document[2], pair = PD_REPORT_NO_PAIR;
    bool on_page[2];
    for (int side = 0; side < 2; side++) {
        uint64_t row = pd_table_count(t, DOC + side);
        row |= side == 1 && r->sides[1].sources ? PD_SOURCE_ROW : 0;
        document[side] = pd_report_number(r, row);
        on_page[side] =
            document[side] < r->documents.n && r->documents.v[document[side]].row == row;
    }
    if (on_page[0] && on_page[1])
        pair = pair_of(r, document, next);
    for (int side = 0; side < 2; side++)
        if (on_page[side])
            pd_report_covereds_push(all, (struct pd_report_covered){document[side], pair,
                                                                    pd_table_count(t, BEGIN + side),
                                                                    pd_table_count(t, END + side)});
}

int pd_report_covered(struct pd_report_page *r, struct pd_report_covereds *all)
{
    struct pd_table_reader t;
    size_t next = 0, most = LISTED_FIRST;
    int status = pd_table_open(&t, r->result, "passages", columns);
    pd_progress_begin(&r->progress, "shares");
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        pd_progress_tell(&r->progress, t.row, t.rows, 0, 0);
        add(r, &t, &next, all);
        if (all->n < most)
            continue;
        leave_out_inner(all);
        most = all->n > most / 2 ? 2 * all->n : most;
    }
    pd_table_close(&t);
    leave_out_inner(all);
    return status < 0 ? status : PD_OK;
}
