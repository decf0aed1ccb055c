/*
 * tests/stage/test_run_align.c - from classes to rows: passages of all pairs, their bytes, edges,
 * words and agreement, beside slow code; and copies that are planted in random text.
 */
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pd_random.h"
#include "slow_rows.h"

/* ---- beside the program ---- */

static struct pd_left_out left_out_of(const struct pd_job *job)
{
    struct pd_left_out sum = {0};
    for (size_t k = 0; k < job->aligned.slices.n; k++) {
        const struct pd_left_out *one = &job->aligned.slices.v[k].left_out;
        sum.same_host += one->same_host;
        sum.too_short += one->too_short;
        sum.below += one->below;
        sum.unlike += one->unlike;
        sum.same += one->same;
    }
    return sum;
}

static size_t expect_rows(struct slow_rows *s, struct pd_job *job)
{
    struct pd_rows got = {0};
    stage_read_rows(job, &got);
    slow_rows_find(s);
    CU_ASSERT_EQUAL(got.n, s->rows.n);
    for (size_t k = 0; k < got.n && k < s->rows.n; k++)
        CU_ASSERT_TRUE(slow_rows_same(s, k, &got.v[k]));
    const struct pd_left_out left_out = left_out_of(job);
    CU_ASSERT_EQUAL(memcmp(&left_out, &s->left_out, sizeof left_out), 0);
    CU_ASSERT_EQUAL(job->aligned.dots, s->dots);
    pd_rows_release(&got);
    return s->rows.n;
}

/* The stages up to the rows. */
static void align(struct pd_job *job)
{
    CU_ASSERT_EQUAL(pd_job_count(job), PD_OK);
    CU_ASSERT_EQUAL(pd_job_gather(job), PD_OK);
    CU_ASSERT_EQUAL(pd_job_join(job), PD_OK);
    CU_ASSERT_EQUAL(pd_job_align(job), PD_OK);
}

struct align_case {
    const char *options;
    struct slow_rule rule;
    bool against;
};

static size_t try_case(const struct align_case *c, uint64_t seed)
{
    const struct stage_random how = {.docs = 21,
                                     .units = 14,
                                     .words = 4,
                                     .different = 24,
                                     .copied = 45,
                                     .changed = c->rule.any_order ? 8 : 3};
    struct stage_docs d = {0};
    struct stage s;
    struct slow_rows slow = {.d = &d, .rule = c->rule};
    stage_docs_random(&d, &seed, &how);
    for (size_t k = 0; k < d.docs.n; k++) {
        d.docs.v[k].file = c->against && k >= d.docs.n / 3;
        snprintf(d.docs.v[k].url, sizeof d.docs.v[k].url, "http://h%zu.example/", k % 4);
        if (c->rule.skip_same_date && k % 5 < 4) /* the others have none */
            snprintf(d.docs.v[k].date, sizeof d.docs.v[k].date, "20%02zu", k % 3);
    }
    if (c->rule.skip_same_date)
        stage_open_lines(&s, c->options, &d);
    else
        stage_open(&s, c->options, &d);
    align(&s.job);
    const size_t rows = expect_rows(&slow, &s.job);
    slow_rows_release(&slow);
    stage_close(&s);
    stage_docs_release(&d);
    return rows;
}

#define EQUAL_UNITS "--method sentence-fp --units sentence --max-df 0 "
#define EQUAL       EQUAL_UNITS "--edges word "

#define COMMON "--method sentence-fp --units sentence --edges word "

static void test_passages(void)
{
    static const struct align_case cases[] = {
        {EQUAL_UNITS "--gamma 0", {.edges = NO_EDGES}, false},
        {COMMON "--max-df 3 --gamma 0", {.edges = NEAR_EDGES, .max_df = 3}, false},
        {COMMON "--max-df 3 --gamma 0 --common first",
         {.edges = NEAR_EDGES, .max_df = 3, .common_first = true},
         false},
        {EQUAL "--gamma 1", {.gamma = 1, .edges = NEAR_EDGES}, false},
        {EQUAL "--gamma 2 --memory 1M", {.gamma = 2, .edges = NEAR_EDGES}, false},
        {EQUAL "--gamma 1 --gap 2", {.gamma = 1, .gap = 2, .edges = NEAR_EDGES}, false},
        {EQUAL "--gamma 0 --min-passage-words 6", {.edges = NEAR_EDGES, .min_words = 6}, false},
        {EQUAL "--gamma 0 --delta 3", {.edges = NEAR_EDGES, .delta = 3}, false},
        {EQUAL "--gamma 0 --skip-same-host", {.edges = NEAR_EDGES, .skip_same_host = true}, false},
        {EQUAL "--gamma 0 --skip-same date", {.edges = NEAR_EDGES, .skip_same_date = true}, false},
        {EQUAL "--gamma 0 --skip-same-host --skip-same date",
         {.edges = NEAR_EDGES, .skip_same_host = true, .skip_same_date = true},
         false},
        {EQUAL "--gamma 0 --against sources", {.edges = NEAR_EDGES}, true},
        {"--feature bag --idf 0,1 --max-df 0 --gamma 1 --edges word",
         {.gamma = 1, .edges = NEAR_EDGES, .any_order = true},
         false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t rows = 0;
        for (uint64_t seed = 1; seed <= 4; seed++)
            rows += try_case(&cases[k], seed);
        CU_ASSERT_TRUE(rows > 40);
    }
}

/* Documents in which few sentences stand again and again: more than sixteen times. */
static void test_tiers(void)
{
    static const struct stage_random how = {
        .docs = 7, .units = 60, .words = 2, .different = 2, .copied = 0};
    static const char options[] = COMMON "--max-df 2 --common first --gamma 0 --edges sentence";
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct stage_docs d = {0};
        struct stage s;
        uint64_t state = seed;
        struct slow_rows slow = {.d = &d, .rule = {.max_df = 2, .common_first = true}};
        stage_docs_random(&d, &state, &how);
        stage_open(&s, options, &d);
        align(&s.job);
        CU_ASSERT_TRUE(expect_rows(&slow, &s.job) > 50);
        slow_rows_release(&slow);
        stage_close(&s);
        stage_docs_release(&d);
    }
}

/* ---- planted copies ---- */

static void add_random(struct stage_docs *d, uint32_t *next, uint32_t units, uint32_t words)
{
    for (uint32_t k = 0; k < units; k++) {
        stage_add_unit(d);
        for (uint32_t n = 0; n < words; n++)
            stage_add_word(d, (*next)++);
    }
}

/* Two documents of words that occur once, but for `units` units that both have, each 9 words. */
static void plant(struct stage_docs *d, uint32_t before_a, uint32_t before_b, uint32_t units)
{
    uint32_t next = 0;
    stage_add_doc(d);
    add_random(d, &next, before_a, 7);
    uint32_t copy = next;
    add_random(d, &next, units, 9);
    add_random(d, &next, 3, 7);
    stage_add_doc(d);
    add_random(d, &next, before_b, 7);
    add_random(d, &copy, units, 9);
    add_random(d, &next, 2, 7);
}

/* The copy is the only passage, from its first to its last word. */
static void expect_copy(struct pd_job *job, const struct stage_docs *d, uint32_t before_a,
                        uint32_t before_b, uint32_t units)
{
    struct pd_rows got = {0};
    struct pd_tokens tokens = {0};
    stage_read_rows(job, &got);
    CU_ASSERT_EQUAL(got.n, 1);
    const uint32_t begins[] = {7 * before_a, 7 * before_b};
    for (size_t k = 0; got.n && k < 2; k++) {
        const uint64_t bytes = k ? got.v[0].bytes_b : got.v[0].bytes_a;
        stage_tokens(d, k, &tokens);
        const uint32_t end = tokens.v[begins[k] + 9 * units - 1].end, to = (uint32_t)bytes;
        CU_ASSERT_EQUAL(bytes >> 32, tokens.v[begins[k]].begin);
        CU_ASSERT_TRUE(to == end || to == end + 1); /* without or with the full stop */
    }
    if (got.n) {
        CU_ASSERT_EQUAL(got.v[0].words, pd_ij(9 * units, 9 * units));
        CU_ASSERT_EQUAL(got.v[0].agreement, 1);
    }
    pd_rows_release(&got);
    pd_tokens_release(&tokens);
}

static void test_planted(void)
{
    static const char *const options[] = {
        "--preset web",
        "--preset texts",
        "--preset edited",
        "--preset paper --always-df 1000",
        "--preset web --memory 1M",
        "--preset texts --memory 1M",
        "--preset edited --memory 1M",
        "--method full-fp --passages best --edges far --sample 3"};
    static const uint32_t sizes[][3] = {{4, 6, 5}, {0, 3, 4}, {9, 1, 8}, {30, 40, 20}};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            struct stage_docs d = {0};
            struct stage s;
            plant(&d, sizes[k][0], sizes[k][1], sizes[k][2]);
            stage_open(&s, options[o], &d);
            align(&s.job);
            expect_copy(&s.job, &d, sizes[k][0], sizes[k][1], sizes[k][2]);
            stage_close(&s);
            stage_docs_release(&d);
        }
}

/* ---- single characters ---- */

/* Ten single characters in two documents say, with --char-ngram 5, as much as six words. */
static void test_single_characters(void)
{
    static const char copy[] = "一二三四五六七八九十";
    char path[600], options[300];
    snprintf(path, sizeof path, "%.500s/characters.jsonl", stage_folder());
    FILE *f = fopen(path, "w");
    for (int k = 0; k < 40; k++)
        fprintf(f, "{\"id\": \"%d\", \"text\": \"a%d b%d c%d %s d%d e%d\"}\n", k, k, k, k,
                k % 20 == 7 ? copy : "", k, k);
    fclose(f);
    for (int least = 5; least <= 8; least++) {
        struct pd_rows rows = {0};
        struct stage s;
        snprintf(options, sizeof options,
                 "--method full-fp --ngram 3 --char-ngram 5 --max-df 0 --gamma 0 --edges far "
                 "--min-passage-words %d",
                 least);
        stage_list(&s, options, path);
        CU_ASSERT_EQUAL_FATAL(stage_read(&s), PD_OK);
        CU_ASSERT_EQUAL_FATAL(pd_job_set_sides(&s.job), PD_OK);
        align(&s.job);
        stage_read_rows(&s.job, &rows);
        CU_ASSERT_EQUAL(rows.n, least <= 6);
        CU_ASSERT_EQUAL(left_out_of(&s.job).too_short, least > 6);
        pd_rows_release(&rows);
        stage_close(&s);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_passages), PD_TEST(test_tiers),
                                        PD_TEST(test_planted), PD_TEST(test_single_characters),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/stage/align", tests);
}
