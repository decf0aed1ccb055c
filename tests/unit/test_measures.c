/* Measures against cases worked out by hand; the sums stand in the comments. */
#include "tools/eval/measures.h"

#include <math.h>
#include <stdlib.h>

#include "pardup/base/sort.h"
#include "pd_cunit.h"
#include "pd_random.h"
#include "tools/eval/overlap.h"

#define EXACT 1e-12

struct world {
    struct pd_matches cases, found;
    struct pd_labels labels;
    uint64_t nclasses, bootstrap, seed;
    struct pd_score scores[4];
};

/* Text [x, x + n) of document a and [y, y + m) of document b. */
static struct pd_match match(uint64_t a, uint64_t b, uint64_t x, uint64_t n, uint64_t y, uint64_t m)
{
    return (struct pd_match){a, b, x, y, x + n, y + m, 0};
}

static void add_case(struct world *w, struct pd_match m, uint64_t class)
{
    m.class = class;
    pd_matches_push(&w->cases, m);
}

static void add_label(struct world *w, uint64_t a, uint64_t b, uint64_t class, uint64_t kind)
{
    pd_labels_push(&w->labels, (struct pd_label){a, b, class, kind});
}

static const double *judge(struct world *w)
{
    const struct pd_judging in = {&w->cases,   &w->found,    &w->labels,
                                  w->nclasses, w->bootstrap, w->seed};
    pd_sort_records(w->cases.v, w->cases.n, PD_MATCH_U64S, PD_MATCH_U64S);
    pd_sort_records(w->found.v, w->found.n, PD_MATCH_U64S, PD_MATCH_U64S);
    pd_sort_records(w->labels.v, w->labels.n, PD_LABEL_U64S, PD_LABEL_U64S);
    pd_measures_judge(&in, w->scores);
    return w->scores[0].value;
}

static void release(struct world *w)
{
    pd_matches_release(&w->cases);
    pd_matches_release(&w->found);
    pd_labels_release(&w->labels);
}

static void test_one_case_in_two_pieces(void)
{
    struct world w = {.nclasses = 0};
    add_case(&w, match(0, 1, 100, 100, 500, 100), 0);         /* 200 characters */
    pd_matches_push(&w.found, match(0, 1, 100, 40, 500, 40)); /* 80, all of them right */
    pd_matches_push(&w.found, match(0, 1, 150, 60, 550, 60)); /* 120; 150-200 and 550-600: 100 */
    const double *v = judge(&w);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_PRECISION], (80 / 80.0 + 100 / 120.0) / 2, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_RECALL], 180 / 200.0, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_F1], 2 * (11 / 12.0) * 0.9 / (11 / 12.0 + 0.9), EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_GRANULARITY], 2, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_PLAGDET], v[PD_F1] / log2(3), EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_MICRO_PRECISION], 180 / 200.0, EXACT); /* 40 + 60, twice */
    CU_ASSERT_DOUBLE_EQUAL(v[PD_MICRO_RECALL], 180 / 200.0, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_PAIR_F1], 1, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_DOCUMENT_F1], 1, EXACT);
    release(&w);
}

static void test_both_documents_must_agree(void)
{
    struct world w = {.nclasses = 0};
    add_case(&w, match(0, 1, 0, 10, 0, 10), 0);
    pd_matches_push(&w.found, match(0, 1, 0, 10, 10, 10)); /* right in a, beside it in b */
    const double *v = judge(&w);
    CU_ASSERT_EQUAL(v[PD_PRECISION], 0);
    CU_ASSERT_EQUAL(v[PD_RECALL], 0);
    CU_ASSERT_EQUAL(v[PD_MICRO_RECALL], 0);
    CU_ASSERT_EQUAL(v[PD_F1], 0);
    CU_ASSERT_EQUAL(v[PD_PLAGDET], 0);
    CU_ASSERT_EQUAL(v[PD_PAIR_RECALL], 1);
    release(&w);
}

static void test_text_is_counted_once(void)
{
    struct world w = {.nclasses = 0};
    add_case(&w, match(0, 1, 0, 10, 0, 10), 0);
    add_case(&w, match(0, 1, 5, 10, 5, 10), 0);             /* union 0-15 on both sides */
    pd_matches_push(&w.found, match(0, 1, 0, 20, 0, 20));   /* finds both: 15 of 20 */
    pd_matches_push(&w.found, match(0, 1, 0, 20, 0, 20));   /* and again */
    pd_matches_push(&w.found, match(0, 1, 30, 10, 30, 10)); /* nothing */
    const double *v = judge(&w);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_PRECISION], (0.75 + 0.75 + 0) / 3, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_RECALL], 1, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_GRANULARITY], 2, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_MICRO_PRECISION], 30 / 60.0, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_MICRO_RECALL], 30 / 30.0, EXACT);
    release(&w);
}

static void test_pairs_and_documents(void)
{
    struct world w = {.nclasses = 0};
    add_case(&w, match(0, 1, 0, 10, 0, 10), 0);
    add_case(&w, match(2, 3, 0, 10, 0, 10), 0);           /* missed; 3 is found elsewhere */
    pd_matches_push(&w.found, match(0, 1, 0, 5, 0, 5));   /* half of a case */
    pd_matches_push(&w.found, match(3, 4, 0, 10, 0, 10)); /* wrong */
    const double *v = judge(&w);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_PRECISION], 1 / 2.0, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_RECALL], 0.5 / 2, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_PAIR_PRECISION], 1 / 2.0, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_PAIR_RECALL], 1 / 2.0, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_DOCUMENT_PRECISION], 3 / 4.0, EXACT); /* 0 1 3 of 0 1 3 4 */
    CU_ASSERT_DOUBLE_EQUAL(v[PD_DOCUMENT_RECALL], 3 / 4.0, EXACT);    /* 0 1 3 of 0 1 2 3 */
    CU_ASSERT_EQUAL(w.scores[0].pairs, 3);
    release(&w);
}

static void test_classes(void)
{
    struct world w = {.nclasses = 2};
    add_case(&w, match(0, 1, 0, 10, 0, 10), 1);
    add_case(&w, match(0, 1, 50, 10, 50, 10), 2);
    add_case(&w, match(2, 3, 0, 10, 0, 10), 2);
    add_label(&w, 0, 1, 1, PD_LABEL_LISTED); /* says nothing new */
    pd_matches_push(&w.found, match(0, 1, 0, 10, 0, 10));
    pd_matches_push(&w.found, match(0, 1, 50, 20, 50, 20)); /* half right */
    pd_matches_push(&w.found, match(4, 5, 0, 10, 0, 10));   /* no class: only in the total */
    judge(&w);
    const double *one = w.scores[1].value, *two = w.scores[2].value, *all = w.scores[0].value;
    CU_ASSERT_DOUBLE_EQUAL(one[PD_PRECISION], (1 + 0.5) / 2, EXACT); /* all of the pair (0, 1) */
    CU_ASSERT_DOUBLE_EQUAL(one[PD_RECALL], 1, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(two[PD_PRECISION], (1 + 0.5) / 2, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(two[PD_RECALL], 1 / 2.0, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(two[PD_MICRO_RECALL], 20 / 40.0, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(two[PD_MICRO_PRECISION], 40 / 60.0, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(two[PD_PAIR_RECALL], 1 / 2.0, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(all[PD_PRECISION], 1.5 / 3, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(all[PD_RECALL], 2 / 3.0, EXACT);
    CU_ASSERT_EQUAL(w.scores[1].pairs, 1);
    CU_ASSERT_EQUAL(w.scores[2].pairs, 2);
    CU_ASSERT_EQUAL(w.scores[0].pairs, 3);
    release(&w);
}

static void test_labels(void)
{
    struct world w = {.nclasses = 1};
    add_label(&w, 0, 1, 1, PD_LABEL_DUPLICATE); /* found, but nobody knows where it is right */
    add_label(&w, 2, 3, 1, PD_LABEL_DUPLICATE); /* missed */
    add_label(&w, 4, 5, 0, PD_LABEL_LISTED);    /* no duplicates: found wrongly */
    pd_matches_push(&w.found, match(0, 1, 0, 10, 0, 10));
    pd_matches_push(&w.found, match(4, 5, 0, 10, 0, 10));
    const double *v = judge(&w);
    CU_ASSERT_EQUAL(w.scores[0].labelled_only, 1);
    CU_ASSERT_EQUAL(w.scores[0].judged, 1);
    CU_ASSERT_EQUAL(w.scores[0].sums.v[PD_SUM_FOUND], 1);
    CU_ASSERT_EQUAL(w.scores[1].judged, 0);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_PAIR_PRECISION], 1 / 2.0, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_PAIR_RECALL], 1 / 2.0, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(w.scores[1].value[PD_PAIR_PRECISION], 1, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(v[PD_DOCUMENT_PRECISION], 2 / 4.0, EXACT);
    release(&w);
}

static void test_nothing(void)
{
    struct world w = {.nclasses = 0, .bootstrap = 5};
    const double *v = judge(&w);
    CU_ASSERT_EQUAL(v[PD_PRECISION], 1); /* nothing to find, nothing found */
    CU_ASSERT_EQUAL(v[PD_RECALL], 1);
    CU_ASSERT_EQUAL(v[PD_GRANULARITY], 1);
    CU_ASSERT_EQUAL(v[PD_PLAGDET], 1);
    CU_ASSERT_EQUAL(v[PD_PAIR_F1], 1);
    add_case(&w, match(0, 1, 0, 10, 0, 10), 0);
    v = judge(&w);
    CU_ASSERT_EQUAL(v[PD_PRECISION], 0); /* something to find, nothing found */
    CU_ASSERT_EQUAL(v[PD_RECALL], 0);
    CU_ASSERT_EQUAL(v[PD_PLAGDET], 0);
    release(&w);
}

static void test_intervals(void)
{
    enum { PAIRS = 400, FOUND = 300 };
    struct world w = {.bootstrap = 10000, .seed = 7};
    for (uint64_t k = 0; k < PAIRS; k++) {
        add_case(&w, match(2 * k, 2 * k + 1, 0, 10, 0, 10), 0);
        if (k < FOUND)
            pd_matches_push(&w.found, match(2 * k, 2 * k + 1, 0, 10, 0, 10));
    }
    judge(&w);
    const struct pd_score first = w.scores[0];
    /* recall is the mean of 400 draws of 0 or 1: sqrt(.75 * .25 / 400) = .02165 */
    const double half = 1.96 * sqrt(0.75 * 0.25 / PAIRS);
    CU_ASSERT_DOUBLE_EQUAL(first.low[PD_RECALL], 0.75 - half, 0.004); /* 90 %: .0068 off */
    CU_ASSERT_DOUBLE_EQUAL(first.high[PD_RECALL], 0.75 + half, 0.004);
    CU_ASSERT_EQUAL(first.low[PD_PRECISION], 1);
    CU_ASSERT_EQUAL(first.high[PD_PRECISION], 1);
    CU_ASSERT_DOUBLE_EQUAL(first.low[PD_DOCUMENT_RECALL], 0.75 - half / sqrt(2), 0.01);
    judge(&w);
    CU_ASSERT_EQUAL(w.scores[0].low[PD_RECALL], first.low[PD_RECALL]); /* the same draws again */
    w.seed = 8;
    judge(&w);
    CU_ASSERT_NOT_EQUAL(w.scores[0].low[PD_F1], first.low[PD_F1]);
    w.bootstrap = 0;
    judge(&w);
    CU_ASSERT_EQUAL(w.scores[0].low[PD_RECALL], 0.75);
    release(&w);
}

/* ---------------------------------------------------------------- the sweep, against all pairs */

static struct pd_match random_match(uint64_t *seed)
{
    enum { PLACES = 300, LENGTHS = 20 };
    return match(0, 1, pd_random_below(seed, PLACES), 1 + pd_random_below(seed, LENGTHS),
                 pd_random_below(seed, PLACES), 1 + pd_random_below(seed, LENGTHS));
}

static int meet(const struct pd_match *x, const struct pd_match *y)
{
    return x->begin_a < y->end_a && y->begin_a < x->end_a && x->begin_b < y->end_b &&
           y->begin_b < x->end_b;
}

static void test_sweep_finds_all_overlaps(void)
{
    enum { ROUNDS = 20, MATCHES = 150 };
    uint64_t seed = 1, overlaps = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_matches c = {0}, f = {0};
        struct pd_overlaps got = {0};
        size_t n = 0;
        int right = 1;
        for (int k = 0; k < MATCHES; k++) {
            pd_matches_push(&c, random_match(&seed));
            pd_matches_push(&f, random_match(&seed));
        }
        pd_sort_records(c.v, c.n, PD_MATCH_U64S, PD_MATCH_U64S);
        pd_sort_records(f.v, f.n, PD_MATCH_U64S, PD_MATCH_U64S);
        pd_overlaps_find(c.v, c.n, f.v, f.n, &got);
        for (size_t i = 0; i < c.n; i++)
            for (size_t j = 0; j < f.n; j++)
                if (meet(&c.v[i], &f.v[j])) {
                    right &= n < got.n && got.v[n].one == i && got.v[n].other == j;
                    n++;
                }
        CU_ASSERT(right && n == got.n);
        overlaps += n;
        pd_matches_release(&c);
        pd_matches_release(&f);
        pd_overlaps_release(&got);
    }
    CU_ASSERT(overlaps > ROUNDS * 20);
}

static void test_cover(void)
{
    struct pd_cover c = {.a = {0}};
    const struct pd_match x = match(0, 1, 10, 10, 0, 5), y = match(0, 1, 15, 10, 3, 1);
    pd_cover_add(&c, &x);
    pd_cover_add(&c, &y);
    pd_cover_add(&c, &x);
    CU_ASSERT_EQUAL(pd_cover_length(&c), 15 + 5);
    CU_ASSERT_EQUAL(pd_cover_length(&c), 0); /* empty again */
    pd_cover_add_shared(&c, &x, &y);
    CU_ASSERT_EQUAL(pd_cover_length(&c), 5 + 1);
    pd_cover_release(&c);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_one_case_in_two_pieces),
                                        PD_TEST(test_both_documents_must_agree),
                                        PD_TEST(test_text_is_counted_once),
                                        PD_TEST(test_pairs_and_documents),
                                        PD_TEST(test_classes),
                                        PD_TEST(test_labels),
                                        PD_TEST(test_nothing),
                                        PD_TEST(test_intervals),
                                        PD_TEST(test_sweep_finds_all_overlaps),
                                        PD_TEST(test_cover),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "tools/eval/measures", tests);
}
