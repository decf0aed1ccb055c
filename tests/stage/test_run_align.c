/*
 * tests/stage/test_run_align.c - from classes to rows: passages of all pairs, their bytes, edges,
 * words and agreement, beside slow code; and copies that are planted in random text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pd_random.h"
#include "stage.h"

/* ---- the slow definition ---- */

enum edges { NO_EDGES, NEAR_EDGES };

struct rule {
    uint32_t gamma, gap;
    enum edges edges;
    bool any_order; /* units match if they have the same words in any order */
    uint32_t min_words, delta;
    bool skip_same_host;
};

struct slow {
    const struct stage_docs *d;
    struct rule rule;
    struct pd_rows rows;
    struct pd_left_out left_out;
    uint64_t dots;
};

struct dot {
    uint32_t i, j;
    uint32_t component, chain; /* chain: dots of the longest chain that ends here */
};
enum { DOTS_MOST = 4096 };

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static bool match(const struct slow *s, size_t a, uint32_t i, size_t b, uint32_t j)
{
    uint32_t v[2][64];
    const uint32_t n = stage_unit_of(s->d, a, i)->nwords;
    if (!s->rule.any_order || n != stage_unit_of(s->d, b, j)->nwords)
        return stage_same_words(s->d, a, i, b, j);
    memcpy(v[0], stage_words_of(s->d, a, i), n * sizeof **v);
    memcpy(v[1], stage_words_of(s->d, b, j), n * sizeof **v);
    qsort(v[0], n, sizeof **v, by_number);
    qsort(v[1], n, sizeof **v, by_number);
    return memcmp(v[0], v[1], n * sizeof **v) == 0;
}

static bool linked(const struct dot *from, const struct dot *to, uint32_t gap)
{
    return to->i > from->i && to->i - from->i <= gap + 1 && to->j > from->j &&
           to->j - from->j <= gap + 1;
}

/* Give the dots of each connected component the same number, and each dot its longest chain. */
static void link_dots(struct dot *v, size_t n, uint32_t gap)
{
    for (size_t k = 0; k < n; k++) {
        v[k].component = (uint32_t)k;
        v[k].chain = 1;
        for (size_t m = 0; m < k; m++)
            if (linked(&v[m], &v[k], gap) && v[m].chain + 1 > v[k].chain)
                v[k].chain = v[m].chain + 1;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < n; k++)
            for (size_t m = 0; m < k; m++)
                if (linked(&v[m], &v[k], gap) && v[m].component != v[k].component) {
                    const uint32_t least =
                        v[m].component < v[k].component ? v[m].component : v[k].component;
                    v[m].component = v[k].component = least;
                    changed = true;
                }
    }
}

/* The words of a document, and where each is in its text. */
struct spoken {
    const uint32_t *words;
    uint32_t n;
    struct pd_tokens tokens;
    struct pd_sentences units;
};

static void speak(const struct slow *s, size_t doc, struct spoken *out)
{
    struct pd_bytes text = {0};
    *out = (struct spoken){stage_words_of(s->d, doc, 0), s->d->docs.v[doc].nwords, {0}, {0}};
    stage_tokens(s->d, doc, &out->tokens);
    stage_text(s->d, doc, &text, &out->units);
    pd_bytes_release(&text);
}

static void fall_silent(struct spoken *s)
{
    pd_tokens_release(&s->tokens);
    pd_sentences_release(&s->units);
}

/* Words [begin, end) of a document, and their bytes. */
struct span {
    uint32_t begin, end, from, to;
};

static struct span span_of(const struct spoken *s, uint32_t first, uint32_t last)
{
    const struct pd_sentence *a = &s->units.v[first], *b = &s->units.v[last];
    return (struct span){a->word, b->word + b->nwords, a->begin, b->end};
}

/* Words of the unit before or behind the passage. */
static uint32_t near(const struct spoken *s, uint32_t first, uint32_t last, bool back)
{
    if (back)
        return first ? s->units.v[first - 1].nwords : 0;
    return last + 1 < s->units.n ? s->units.v[last + 1].nwords : 0;
}

static void extend(const struct spoken *a, const struct spoken *b, struct span *x, struct span *y,
                   const uint32_t near_back, const uint32_t near_ahead)
{
    for (uint32_t k = 0;
         k < near_back && x->begin && y->begin && a->words[x->begin - 1] == b->words[y->begin - 1];
         k++) {
        x->from = a->tokens.v[--x->begin].begin;
        y->from = b->tokens.v[--y->begin].begin;
    }
    for (uint32_t k = 0;
         k < near_ahead && x->end < a->n && y->end < b->n && a->words[x->end] == b->words[y->end];
         k++) {
        x->to = a->tokens.v[x->end++].end;
        y->to = b->tokens.v[y->end++].end;
    }
}

/* Words of the longest common subsequence of two spans. */
static uint32_t common_words(const struct spoken *a, const struct spoken *b, struct span x,
                             struct span y)
{
    const size_t width = y.end - y.begin + 1;
    uint32_t *best = calloc((x.end - x.begin + 1) * width, sizeof *best);
    for (uint32_t i = 1; i <= x.end - x.begin; i++)
        for (uint32_t j = 1; j < width; j++) {
            const uint32_t up = best[(i - 1) * width + j], left = best[i * width + j - 1];
            best[i * width + j] = a->words[x.begin + i - 1] == b->words[y.begin + j - 1]
                                      ? best[(i - 1) * width + j - 1] + 1
                                  : up > left ? up
                                              : left;
        }
    const uint32_t found = best[(x.end - x.begin + 1) * width - 1];
    free(best);
    return found;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Make the row of a passage of documents a and b: its first and last units. */
static void add_row(struct slow *s, struct pd_row row, const struct spoken *a,
                    const struct spoken *b, uint32_t last_a, uint32_t last_b)
{
    const uint32_t i = (uint32_t)(row.starts >> 32), j = (uint32_t)row.starts;
    struct span x = span_of(a, i, last_a), y = span_of(b, j, last_b);
    if (s->rule.edges == NEAR_EDGES)
        extend(a, b, &x, &y, larger(near(a, i, last_a, true), near(b, j, last_b, true)),
               larger(near(a, i, last_a, false), near(b, j, last_b, false)));
    const uint32_t words = larger(x.end - x.begin, y.end - y.begin);
    row.lengths = pd_ij(last_a - i + 1, last_b - j + 1);
    row.bytes_a = pd_ij(x.from, x.to);
    row.bytes_b = pd_ij(y.from, y.to);
    row.sentences = pd_ij((uint32_t)a->units.n, (uint32_t)b->units.n);
    row.words = pd_ij(x.end - x.begin, y.end - y.begin);
    row.similarity = 1;
    row.agreement = (double)common_words(a, b, x, y) / (double)words;
    if (x.end - x.begin < s->rule.min_words)
        s->left_out.too_short++;
    else
        pd_rows_push(&s->rows, row);
}

static bool same_host(const struct slow *s, size_t a, size_t b)
{
    return *s->d->docs.v[a].url && strcmp(s->d->docs.v[a].url, s->d->docs.v[b].url) == 0;
}

/* Make a row of the component that begins with dot k, if it is long enough. */
static uint32_t end_component(const struct slow *s, const struct dot *v, size_t n, size_t k,
                              struct pd_row *row, uint32_t *last_a, uint32_t *last_b)
{
    uint32_t i = UINT32_MAX, j = UINT32_MAX, matched = 0;
    *last_a = *last_b = 0;
    for (size_t m = 0; m < n; m++) {
        if (v[m].component != v[k].component)
            continue;
        i = v[m].i < i ? v[m].i : i;
        j = v[m].j < j ? v[m].j : j;
        *last_a = larger(*last_a, v[m].i);
        *last_b = larger(*last_b, v[m].j);
        matched = larger(matched, v[m].chain);
    }
    row->starts = pd_ij(i, j);
    row->matched = matched;
    return matched > s->rule.gamma ? matched : 0;
}

static void add_pair(struct slow *s, size_t a, size_t b)
{
    static struct dot v[DOTS_MOST];
    struct spoken x, y;
    size_t n = 0;
    for (uint32_t i = 0; i < s->d->docs.v[a].nunits; i++)
        for (uint32_t j = 0; j < s->d->docs.v[b].nunits; j++)
            if (match(s, a, i, b, j)) {
                PD_CHECK(n < DOTS_MOST);
                v[n++] = (struct dot){i, j, 0, 0};
            }
    s->dots += n;
    link_dots(v, n, s->rule.gap);
    uint32_t last_a, last_b, matched = 0;
    for (size_t k = 0; k < n; k++) {
        struct pd_row row = {.a = a, .b = b};
        if (v[k].component == k)
            matched += end_component(s, v, n, k, &row, &last_a, &last_b);
    }
    if (matched <= s->rule.delta) {
        s->left_out.below += matched > 0;
        return;
    }
    speak(s, a, &x);
    speak(s, b, &y);
    for (size_t k = 0; k < n; k++) {
        struct pd_row row = {.a = a, .b = b};
        if (v[k].component != k || !end_component(s, v, n, k, &row, &last_a, &last_b))
            continue;
        if (s->rule.skip_same_host && same_host(s, a, b))
            s->left_out.same_host++;
        else
            add_row(s, row, &x, &y, last_a, last_b);
    }
    fall_silent(&x);
    fall_silent(&y);
}

static int by_row(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    for (int k = 0; k < PD_ROW_U64S; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

static void find_slowly(struct slow *s)
{
    const struct stage_doc *v = s->d->docs.v;
    const bool sides = v[s->d->docs.n - 1].file > 0;
    s->rows.n = s->dots = 0;
    s->left_out = (struct pd_left_out){0};
    for (size_t a = 0; a < s->d->docs.n; a++)
        for (size_t b = a + 1; b < s->d->docs.n; b++)
            if (!sides || v[a].file != v[b].file)
                add_pair(s, a, b);
    if (s->rows.n)
        qsort(s->rows.v, s->rows.n, sizeof *s->rows.v, by_row);
}

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

static bool same_row(const struct pd_row *a, const struct pd_row *b, bool with_agreement)
{
    struct pd_row x = *a;
    if (!with_agreement)
        x.agreement = b->agreement;
    return memcmp(&x, b, sizeof x) == 0;
}

static size_t expect_rows(struct slow *s, struct pd_job *job)
{
    struct pd_rows got = {0};
    stage_read_rows(job, &got);
    find_slowly(s);
    CU_ASSERT_EQUAL(got.n, s->rows.n);
    for (size_t k = 0; k < got.n && k < s->rows.n; k++)
        CU_ASSERT_TRUE(same_row(&s->rows.v[k], &got.v[k], s->rule.gap == 0));
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
    struct rule rule;
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
    struct slow slow = {.d = &d, .rule = c->rule};
    stage_docs_random(&d, &seed, &how);
    for (size_t k = 0; k < d.docs.n; k++) {
        d.docs.v[k].file = c->against && k >= d.docs.n / 3;
        snprintf(d.docs.v[k].url, sizeof d.docs.v[k].url, "http://h%zu.example/", k % 4);
    }
    stage_open(&s, c->options, &d);
    align(&s.job);
    const size_t rows = expect_rows(&slow, &s.job);
    pd_rows_release(&slow.rows);
    stage_close(&s);
    stage_docs_release(&d);
    return rows;
}

#define EQUAL "--method sentence-fp --units sentence --max-df 0 "

static void test_passages(void)
{
    static const struct align_case cases[] = {
        {EQUAL "--gamma 0 --edges sentence", {.edges = NO_EDGES}, false},
        {EQUAL "--gamma 1", {.gamma = 1, .edges = NEAR_EDGES}, false},
        {EQUAL "--gamma 2 --memory 1M", {.gamma = 2, .edges = NEAR_EDGES}, false},
        {EQUAL "--gamma 1 --gap 2", {.gamma = 1, .gap = 2, .edges = NEAR_EDGES}, false},
        {EQUAL "--gamma 0 --min-passage-words 6", {.edges = NEAR_EDGES, .min_words = 6}, false},
        {EQUAL "--gamma 0 --delta 3", {.edges = NEAR_EDGES, .delta = 3}, false},
        {EQUAL "--gamma 0 --skip-same-host", {.edges = NEAR_EDGES, .skip_same_host = true}, false},
        {EQUAL "--gamma 0 --against sources", {.edges = NEAR_EDGES}, true},
        {"--feature bag --idf 0,1 --max-df 0 --gamma 1",
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
        "--preset paper",
        "--preset web "
        "--memory 1M",
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

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_passages), PD_TEST(test_planted),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/align", tests);
}
