/*
 * app/report/sample.c - the passages of a report page: a sample of those wanted, and histograms of
 * all of them. See src/app/report/report.h.
 */
#include <math.h>
#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "report.h"

enum { ROWS_AT_ONCE = 4096 };

/* Columns of /passages, in the order of struct reading. */
enum {
    DOC_A,
    DOC_B,
    BEGIN_A,
    BEGIN_B,
    END_A,
    END_B,
    WORDS_A,
    WORDS_B,
    AGREEMENT,
    SIMILARITY,
    FAMILY,
    COLUMNS
};
static const char *const column_names[COLUMNS] = {"doc_a",     "doc_b",      "begin_a", "begin_b",
                                                  "end_a",     "end_b",      "words_a", "words_b",
                                                  "agreement", "similarity", "family"};

static int by_order(const void *x, const void *y)
{
    const struct pd_report_passage *a = x, *b = y;
    return a->order < b->order ? -1 : a->order > b->order;
}

static int by_row(const void *x, const void *y)
{
    const struct pd_report_passage *a = x, *b = y;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* Keep the `most` passages of the sample that come first by their hashes. */
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

/* Add 1 to the bin of a share in [0, 1]. */
static void count_tenth(uint64_t tenths[PD_REPORT_TENTHS], double share)
{
    const int tenth = (int)(share * PD_REPORT_TENTHS);
    tenths[tenth < 0 ? 0 : tenth < PD_REPORT_TENTHS ? tenth : PD_REPORT_TENTHS - 1]++;
}

/* Count a wanted passage, and put it into the sample. */
static void take(struct pd_page *r, const struct pd_report_passage *p, size_t most)
{
    r->lengths[pd_report_bin(p->words[0])]++;
    count_tenth(r->tenths, p->agreement);
    r->rows++;
    pd_report_passages_push(&r->passages, *p);
    if (r->passages.n / 2 >= most)
        cut_sample(&r->passages, most);
}

static bool is_wanted(const struct pd_page *r, const struct pd_report_passage *p)
{
    return (r->only == UINT64_MAX || p->doc[0] == r->only || p->doc[1] == r->only) &&
           (r->family == UINT64_MAX || p->family == r->family);
}

static struct pd_report_passage passage_of(const struct pd_page *r, const struct pd_cells *cells,
                                           uint64_t row, uint64_t k, bool families)
{
    struct pd_report_passage p = {.row = row, .order = pd_mix(row)};
    for (int side = 0; side < 2; side++) {
        p.doc[side] = pd_cells_count(&cells[DOC_A + side], k);
        p.doc[side] |= side == 1 && r->sides[1].sources ? PD_SOURCE_ROW : 0;
        p.begin[side] = pd_cells_count(&cells[BEGIN_A + side], k);
        p.end[side] = pd_cells_count(&cells[END_A + side], k);
        p.words[side] = pd_cells_count(&cells[WORDS_A + side], k);
    }
    p.agreement = pd_cells_real(&cells[AGREEMENT], k);
    p.marked = p.agreement == 1; /* without a mark */
    p.similarity = pd_cells_real(&cells[SIMILARITY], k);
    p.family = families ? pd_cells_count(&cells[FAMILY], k) : UINT64_MAX;
    return p;
}

/* Read all passages. */
static int read_passages(struct pd_page *r, struct pd_cells cells[COLUMNS])
{
    const int64_t limit = r->options->print.limit;
    const size_t most = limit ? (size_t)limit : SIZE_MAX;
    const bool families = pd_result_has(r->result, "passages", "family");
    uint64_t rows;
    PD_TRY(pd_result_rows(r->result, "passages", &rows));
    for (uint64_t from = 0; from < rows; from += ROWS_AT_ONCE) {
        const uint64_t n = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        for (int c = 0; c < (families ? COLUMNS : FAMILY); c++)
            PD_TRY(pd_result_read(r->result, "passages", column_names[c], from, n, &cells[c]));
        for (uint64_t k = 0; k < n; k++) {
            const struct pd_report_passage p = passage_of(r, cells, from + k, k, families);
            if (is_wanted(r, &p))
                take(r, &p, most);
        }
    }
    cut_sample(&r->passages, most);
    if (r->passages.n)
        qsort(r->passages.v, r->passages.n, sizeof *r->passages.v, by_row);
    return PD_OK;
}

/*
 * Count the document pairs by the larger share of their units that lies in passages, and by their
 * resemblance.
 */
static int count_pairs(struct pd_page *r, struct pd_cells cells[COLUMNS])
{
    static const char *const names[3] = {"coverage_a", "coverage_b", "resemblance"};
    uint64_t rows;
    PD_TRY(pd_result_rows(r->result, "pairs", &rows));
    for (uint64_t from = 0; from < rows; from += ROWS_AT_ONCE) {
        const uint64_t n = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        for (int c = 0; c < 3; c++)
            PD_TRY(pd_result_read(r->result, "pairs", names[c], from, n, &cells[c]));
        for (uint64_t k = 0; k < n; k++) {
            const double a = pd_cells_real(&cells[0], k), b = pd_cells_real(&cells[1], k);
            const double resemblance = pd_cells_real(&cells[2], k);
            count_tenth(r->coverage, a > b ? a : b);
            if (!isnan(resemblance)) {
                r->resembling = true;
                count_tenth(r->resemblance, resemblance);
            }
        }
    }
    return PD_OK;
}

int pd_report_sample(struct pd_page *r)
{
    struct pd_cells cells[COLUMNS] = {0};
    int status = read_passages(r, cells);
    if (status >= 0)
        status = count_pairs(r, cells);
    for (int c = 0; c < COLUMNS; c++)
        pd_bytes_release(&cells[c].values);
    return status;
}
