/*
 * app/report/sample.c - the passages of a report page: the longest of the wanted ones, and
 * histograms of all of them. See src/app/report/report.h.
 */
#include <math.h>
#include <stdlib.h>

#include "pardup/base/error.h"
#include "report.h"

/* Columns of /passages. */
enum {
    DOC,
    BEGIN = DOC + 2,
    END = BEGIN + 2,
    WORDS = END + 2,
    AGREEMENT = WORDS + 2,
    SIMILARITY,
    FAMILY
};
static const char *const passage_columns[] = {"doc_a",     "doc_b",      "begin_a", "begin_b",
                                              "end_a",     "end_b",      "words_a", "words_b",
                                              "agreement", "similarity", "?family", NULL};

/* The longest passage of a pair comes before all that are not, then more words before fewer. */
static int by_order(const void *x, const void *y)
{
    const struct pd_report_passage *a = x, *b = y;
    if (a->longest != b->longest)
        return a->longest ? -1 : 1;
    if (a->words[0] != b->words[0])
        return a->words[0] > b->words[0] ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static int by_row(const void *x, const void *y)
{
    const struct pd_report_passage *a = x, *b = y;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* Keep the `most` passages of the sample that come first. */
static void cut_sample(struct pd_report_passages *s, size_t most)
{
    if (s->n <= most)
        return;
    qsort(s->v, s->n, sizeof *s->v, by_order);
    s->n = most;
}

size_t pd_report_bin(uint64_t size)
{
    size_t k = 0;
    while (k + 1 < PD_REPORT_LENGTHS && size >> (k + 1))
        k++;
    return k;
}

/* Add 1 to the bin of a share in [0, 1]; NaN, an unknown one, counts as 0. */
static void count_tenth(uint64_t tenths[PD_REPORT_TENTHS], double share)
{
    const int tenth = share > 0 ? (int)(share * PD_REPORT_TENTHS) : 0;
    tenths[tenth < PD_REPORT_TENTHS ? tenth : PD_REPORT_TENTHS - 1]++;
}

/* Passages of a pair follow one another: say which one is the longest, as far as they are read. */
static void choose_longest(struct pd_report_passages *s, struct pd_report_passage *p)
{
    struct pd_report_passage *before = s->n ? &s->v[s->n - 1] : NULL;
    p->longest = true;
    if (!before || before->doc[0] != p->doc[0] || before->doc[1] != p->doc[1])
        return;
    while (!before->longest)
        before--;
    if (p->words[0] > before->words[0])
        before->longest = false;
    else
        p->longest = false;
}

/* Count a wanted passage, and put it into the sample, which is cut between two pairs. */
static void take(struct pd_report_page *r, struct pd_report_passage *p, size_t most)
{
    struct pd_report_passages *s = &r->passages;
    r->lengths[pd_report_bin(p->words[0])]++;
    count_tenth(r->tenths, p->agreement);
    r->rows++;
    if (s->n / 2 >= most &&
        (s->v[s->n - 1].doc[0] != p->doc[0] || s->v[s->n - 1].doc[1] != p->doc[1]))
        cut_sample(s, most);
    choose_longest(s, p);
    pd_report_passages_push(s, *p);
}

static bool is_wanted(const struct pd_report_page *r, const struct pd_report_passage *p)
{
    return (r->only == UINT64_MAX || p->doc[0] == r->only || p->doc[1] == r->only) &&
           (r->family == UINT64_MAX || p->family == r->family);
}

static struct pd_report_passage passage_of(const struct pd_report_page *r,
                                           const struct pd_table_reader *t)
{
    struct pd_report_passage p = {.row = t->row};
    for (int side = 0; side < 2; side++) {
        p.doc[side] = pd_table_count(t, DOC + side);
        p.doc[side] |= side == 1 && r->sides[1].sources ? PD_SOURCE_ROW : 0;
        p.begin[side] = pd_table_count(t, BEGIN + side);
        p.end[side] = pd_table_count(t, END + side);
        p.words[side] = pd_table_count(t, WORDS + side);
    }
    p.agreement = pd_table_real(t, AGREEMENT);
    p.marked = p.agreement == 1; /* without a mark */
    p.similarity = pd_table_real(t, SIMILARITY);
    p.family = pd_table_has(t, FAMILY) ? pd_table_count(t, FAMILY) : UINT64_MAX;
    return p;
}

/* Read all passages. */
static int read_passages(struct pd_report_page *r)
{
    const int64_t limit = r->options->print.limit;
    const size_t most = limit ? (size_t)limit : SIZE_MAX;
    struct pd_table_reader t;
    int status = pd_table_open(&t, r->result, "passages", passage_columns);
    pd_progress_begin(&r->progress, "passages");
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        pd_progress_tell(&r->progress, t.row, t.rows, 0, 0);
        struct pd_report_passage p = passage_of(r, &t);
        if (is_wanted(r, &p))
            take(r, &p, most);
    }
    pd_table_close(&t);
    cut_sample(&r->passages, most);
    PD_VEC_SORT(&r->passages, by_row);
    return status < 0 ? status : PD_OK;
}

/*
 * Count the document pairs by the larger share of their units that lies in passages, and by their
 * resemblance.
 */
static int count_pairs(struct pd_report_page *r)
{
    static const char *const columns[] = {"coverage_a", "coverage_b", "resemblance", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, r->result, "pairs", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        const double a = pd_table_real(&t, 0), b = pd_table_real(&t, 1);
        const double resemblance = pd_table_real(&t, 2);
        count_tenth(r->coverage, a > b ? a : b);
        if (!isnan(resemblance)) {
            r->resembling = true;
            count_tenth(r->resemblance, resemblance);
        }
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

int pd_report_sample(struct pd_report_page *r)
{
    PD_TRY(read_passages(r));
    return count_pairs(r);
}
