/*
 * tests/stage/test_run_explain.c - why two documents match, beside slow code: words that count,
 * reasons of units, nearest units, dots, runs, the gap that would be enough, rows of the result.
 */
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/run/explain.h"
#include "pd_random.h"
#include "stage.h"

enum {
    DOCS = 14,
    UNITS_MOST = 64,
    DIFFERENT = 30,
    WORDS_MOST = 64,
    DOTS_MOST = 2048,
    GAP_MOST = 40
};

/* ---- the slow definition ---- */

struct rule {
    double tau; /* 0: equal sets */
    uint32_t gamma, gap, max_df, max_repeats, min_words, min_counted;
    double max_word_df; /* words in a larger share of the documents do not count */
    bool first_repeats;
    bool skip_same_host;
    uint32_t delta, min_passage_words;
    bool lone; /* no word counts by its frequency: only the files of the two documents are read */
};

struct slow {
    const struct stage_docs *d;
    struct rule rule;
    bool counted[DIFFERENT];
    uint32_t sets[DOCS][UNITS_MOST][WORDS_MOST]; /* counted words of each unit */
    size_t nset[DOCS][UNITS_MOST];
    enum pd_why reasons[DOCS][UNITS_MOST]; /* why a unit takes no part */
    uint64_t dfs[DOCS][UNITS_MOST];        /* documents of its class, if it is common; else 0 */
    size_t docs[2];                        /* the pair at hand */
    uint64_t dots[DOTS_MOST];
    size_t ndots;
};

/* Jaccard similarity of the counted words of two units; 0 if they share none. */
static double likeness(const struct slow *s, size_t a, uint32_t i, size_t b, uint32_t j)
{
    const uint32_t *x = s->sets[a][i], *y = s->sets[b][j];
    const size_t n = s->nset[a][i], m = s->nset[b][j];
    size_t both = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < m; l++)
            both += x[k] == y[l];
    return both ? (double)both / (double)(n + m - both) : 0;
}

static bool equal(const struct slow *s, size_t a, uint32_t i, size_t b, uint32_t j)
{
    return likeness(s, a, i, b, j) == 1;
}

/* Why a unit takes no part, by itself. */
static enum pd_why reason_alone(const struct slow *s, size_t doc, uint32_t unit)
{
    const size_t n = s->nset[doc][unit];
    if (stage_unit_of(s->d, doc, unit)->nwords < s->rule.min_words)
        return PD_WHY_SHORT;
    return n == 0 ? PD_WHY_NOTHING : n < s->rule.min_counted ? PD_WHY_FEW : PD_WHY_MATCHED;
}

static enum pd_why find_reason(const struct slow *s, size_t doc, uint32_t unit)
{
    const enum pd_why alone = reason_alone(s, doc, unit);
    uint32_t same = 0, before = 0;
    if (alone != PD_WHY_MATCHED)
        return alone;
    for (uint32_t k = 0; k < s->d->docs.v[doc].nunits; k++)
        if (reason_alone(s, doc, k) == PD_WHY_MATCHED && equal(s, doc, k, doc, unit)) {
            same++;
            before += k < unit;
        }
    return s->rule.max_repeats && same > s->rule.max_repeats &&
                   (!s->rule.first_repeats || before >= s->rule.max_repeats)
               ? PD_WHY_REPEATED
               : PD_WHY_MATCHED;
}

/* The documents of a unit's class, if it is common; else 0. */
static uint64_t find_df(const struct slow *s, size_t doc, uint32_t unit)
{
    uint64_t df = 0;
    for (size_t b = 0; b < s->d->docs.n; b++) {
        bool found = false;
        for (uint32_t j = 0; j < s->d->docs.v[b].nunits; j++)
            found |= s->reasons[b][j] == PD_WHY_MATCHED && equal(s, doc, unit, b, j);
        df += found;
    }
    return s->rule.max_df && df > s->rule.max_df ? df : 0;
}

/* What is known of each unit of the collection. */
static void know_units(struct slow *s)
{
    for (uint32_t w = 0; w < DIFFERENT; w++)
        s->counted[w] = stage_documents_with(s->d, w) <= s->rule.max_word_df * (double)s->d->docs.n;
    for (size_t doc = 0; doc < DOCS; doc++)
        for (uint32_t unit = 0; unit < s->d->docs.v[doc].nunits; unit++) {
            uint32_t *set = s->sets[doc][unit];
            const size_t n = stage_set_of(s->d, doc, unit, set);
            size_t kept = 0;
            for (size_t k = 0; k < n; k++)
                if (s->counted[set[k]])
                    set[kept++] = set[k];
            s->nset[doc][unit] = kept;
        }
    for (size_t doc = 0; doc < DOCS; doc++)
        for (uint32_t unit = 0; unit < s->d->docs.v[doc].nunits; unit++)
            s->reasons[doc][unit] = find_reason(s, doc, unit);
    for (size_t doc = 0; doc < DOCS; doc++)
        for (uint32_t unit = 0; unit < s->d->docs.v[doc].nunits; unit++)
            s->dfs[doc][unit] = find_df(s, doc, unit);
}

static bool matches(const struct slow *s, uint32_t i, uint32_t j)
{
    const size_t a = s->docs[0], b = s->docs[1];
    if (s->reasons[a][i] != PD_WHY_MATCHED || s->reasons[b][j] != PD_WHY_MATCHED || s->dfs[a][i] ||
        s->dfs[b][j])
        return false;
    const double like = likeness(s, a, i, b, j);
    return s->rule.tau > 0 ? like >= s->rule.tau : like == 1;
}

static void find_dots(struct slow *s)
{
    s->ndots = 0;
    for (uint32_t i = 0; i < s->d->docs.v[s->docs[0]].nunits; i++)
        for (uint32_t j = 0; j < s->d->docs.v[s->docs[1]].nunits; j++)
            if (matches(s, i, j))
                s->dots[s->ndots++] = pd_ij(i, j);
}

/* The dots of the longest chain over a gap. */
static uint64_t longest(const struct slow *s, uint32_t gap)
{
    uint64_t best[DOTS_MOST], most = 0;
    for (size_t k = 0; k < s->ndots; k++) {
        best[k] = 1;
        for (size_t m = 0; m < k; m++) {
            const uint32_t i = (uint32_t)(s->dots[k] >> 32) - (uint32_t)(s->dots[m] >> 32),
                           j = (uint32_t)s->dots[k] - (uint32_t)s->dots[m];
            if (i >= 1 && i <= gap + 1 && j >= 1 && j <= gap + 1 && best[m] + 1 > best[k])
                best[k] = best[m] + 1;
        }
        most = best[k] > most ? best[k] : most;
    }
    return most;
}

/* ---- beside the program ---- */

static void expect_words(const struct slow *s, const struct pd_explain_side *side, size_t doc)
{
    const uint32_t *words = stage_words_of(s->d, doc, 0);
    struct pd_tokens tokens = {0};
    stage_tokens(s->d, doc, &tokens);
    CU_ASSERT_EQUAL(side->words.n, tokens.n);
    for (size_t k = 0; k < tokens.n && k < side->words.n; k++) {
        const struct pd_used_word *w = &side->words.v[k];
        CU_ASSERT_TRUE(w->begin == tokens.v[k].begin && w->end == tokens.v[k].end);
        CU_ASSERT_EQUAL(w->use, s->counted[words[k]] ? PD_WORD_USED : PD_WORD_FREQUENT);
    }
    pd_tokens_release(&tokens);
}

/* The greatest similarity with a unit of the other document. */
static double nearest(const struct slow *s, int k, uint32_t unit)
{
    double most = 0;
    for (uint32_t j = 0; j < s->d->docs.v[s->docs[!k]].nunits; j++) {
        const double like = likeness(s, s->docs[k], unit, s->docs[!k], j);
        most = like > most ? like : most;
    }
    return most;
}

static bool has_dot(const struct slow *s, int k, uint32_t unit)
{
    for (size_t n = 0; n < s->ndots; n++)
        if ((uint32_t)(k ? s->dots[n] : s->dots[n] >> 32) == unit)
            return true;
    return false;
}

static void expect_nearest(const struct slow *s, int k, uint32_t unit,
                           const struct pd_explained *got)
{
    const double most = nearest(s, k, unit);
    CU_ASSERT_EQUAL(got->why == PD_WHY_MATCHED, has_dot(s, k, unit));
    CU_ASSERT_EQUAL(got->best == PD_EXPLAIN_NONE, got->why == PD_WHY_ALONE);
    if (has_dot(s, k, unit)) {
        CU_ASSERT_TRUE(k ? matches(s, got->best, unit) : matches(s, unit, got->best));
    } else if (got->best != PD_EXPLAIN_NONE) {
        CU_ASSERT_DOUBLE_EQUAL(got->similarity, most, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(likeness(s, s->docs[k], unit, s->docs[!k], got->best), most, 1e-12);
    }
    if (got->best == PD_EXPLAIN_NONE)
        CU_ASSERT_EQUAL(most, 0);
    if (got->why == PD_WHY_COMMON)
        CU_ASSERT_TRUE(got->df > 0 || s->rule.tau > 0);
}

static void expect_units(const struct slow *s, const struct pd_explanation *e, int k)
{
    const struct pd_explain_side *side = &e->sides[k];
    const size_t doc = s->docs[k];
    struct pd_bytes text = {0};
    struct pd_sentences bounds = {0};
    stage_text(s->d, doc, &text, &bounds);
    CU_ASSERT_EQUAL(side->doc, doc);
    CU_ASSERT_EQUAL_FATAL(side->units.n, s->d->docs.v[doc].nunits);
    expect_words(s, side, doc);
    for (uint32_t unit = 0; unit < side->units.n; unit++) {
        const struct pd_explained *got = &side->units.v[unit];
        CU_ASSERT_EQUAL(memcmp(&got->at, &bounds.v[unit], sizeof got->at), 0);
        CU_ASSERT_EQUAL(got->counted, s->nset[doc][unit]);
        CU_ASSERT_EQUAL(got->own, s->reasons[doc][unit]);
        if (got->own == PD_WHY_MATCHED)
            CU_ASSERT_EQUAL(got->df, s->dfs[doc][unit]);
        expect_nearest(s, k, unit, got);
    }
    pd_bytes_release(&text);
    pd_sentences_release(&bounds);
}

static void expect_runs(const struct slow *s, const struct pd_explanation *e)
{
    CU_ASSERT_EQUAL(e->dots.n, s->ndots);
    for (size_t k = 0; k < s->ndots && k < e->dots.n; k++)
        CU_ASSERT_EQUAL(e->dots.v[k], s->dots[k]);
    const uint64_t most = longest(s, s->rule.gap);
    CU_ASSERT_EQUAL(e->longest, most);
    CU_ASSERT_EQUAL(e->found.n > 0, most > s->rule.gamma);
    uint32_t gap = s->rule.gap + 1;
    while (gap < GAP_MOST && longest(s, gap) <= s->rule.gamma)
        gap++;
    const bool helps = most <= s->rule.gamma && gap < GAP_MOST;
    CU_ASSERT_EQUAL(e->gap, helps ? gap : 0);
    CU_ASSERT_EQUAL(e->bridged, helps ? longest(s, gap) : 0);
}

/*
 * Runs of equal units have similarity 1. Similar units have at least the threshold, and not more
 * than their similarity.
 */
static void expect_similarities(const struct slow *s, const struct pd_explanation *e)
{
    for (size_t k = 0; k < e->found.n; k++) {
        const struct pd_passage *p = &e->found.v[k];
        CU_ASSERT_TRUE(s->rule.tau > 0 ? p->similarity >= s->rule.tau : p->similarity == 1);
        if (p->matched == 1) /* no gap: the run is a dot */
            CU_ASSERT_TRUE(p->similarity <=
                           likeness(s, s->docs[0], p->start_a, s->docs[1], p->start_b));
    }
}

static bool same_host(const struct slow *s)
{
    return strcmp(s->d->docs.v[s->docs[0]].url, s->d->docs.v[s->docs[1]].url) == 0;
}

/* The rows of the pair, and why there is none. */
static void expect_listed(const struct slow *s, const struct pd_explanation *e,
                          const struct pd_rows *rows)
{
    size_t listed = 0;
    uint64_t matched = 0;
    for (size_t k = 0; k < rows->n; k++) {
        if (rows->v[k].a != s->docs[0] || rows->v[k].b != s->docs[1])
            continue;
        CU_ASSERT_TRUE(listed < e->listed.n);
        if (listed < e->listed.n) {
            const struct pd_passage *p = &e->listed.v[listed];
            CU_ASSERT_TRUE(p->a == k && p->matched == rows->v[k].matched &&
                           pd_ij(p->start_a, p->start_b) == rows->v[k].starts &&
                           pd_ij(p->length_a, p->length_b) == rows->v[k].lengths);
        }
        listed++;
    }
    for (size_t k = 0; k < e->found.n; k++)
        matched += e->found.v[k].matched;
    CU_ASSERT_EQUAL(e->listed.n, listed);
    CU_ASSERT_EQUAL(e->missing, 0);
    CU_ASSERT_EQUAL(e->left, e->found.n == 0 || listed                   ? PD_LEFT_NOTHING
                             : s->rule.skip_same_host && same_host(s)    ? PD_LEFT_HOST
                             : s->rule.delta && matched <= s->rule.delta ? PD_LEFT_SCORE
                             : s->rule.min_passage_words                 ? PD_LEFT_LENGTH
                                                                         : PD_LEFT_NOTHING);
}

/*
 * Explain two documents, in either order, with the options that made the result.
 * Returns how many dots they have.
 */
static size_t expect_pair(struct slow *s, const struct stage *x, const struct pd_rows *rows,
                          bool turned)
{
    struct pd_explanation e = {.longest = 0};
    const uint64_t docs[2] = {s->docs[turned], s->docs[!turned]};
    struct pd_result *r = stage_result_open(x->options.output);
    CU_ASSERT_EQUAL_FATAL(pd_explain(&x->options, r, docs, stage_folder(), &e), PD_OK);
    find_dots(s);
    expect_units(s, &e, 0);
    expect_units(s, &e, 1);
    expect_runs(s, &e);
    expect_similarities(s, &e);
    expect_listed(s, &e, rows);
    CU_ASSERT_EQUAL(e.scanned, !s->rule.lone);
    CU_ASSERT_EQUAL(e.documents, s->rule.lone ? 0 : s->d->docs.n);
    pd_explain_release(&e);
    stage_result_close(r);
    return s->ndots;
}

/* ---- cases ---- */

struct explain_case {
    const char *options;
    struct rule rule;
};

static void make_docs(struct stage_docs *d, uint64_t seed, uint32_t changed)
{
    const struct stage_random how = {.docs = DOCS,
                                     .units = 12,
                                     .words = 5,
                                     .different = DIFFERENT,
                                     .copied = 45,
                                     .changed = changed};
    stage_docs_random(d, &seed, &how);
    for (size_t k = 0; k < DOCS; k++) {
        snprintf(d->docs.v[k].url, sizeof d->docs.v[k].url, "http://h%zu.example/", k % 2);
        d->docs.v[k].file = k < 1 ? 0 : k < 3 ? 1 : 2;
    }
}

/* Write three files of documents. Returns the operands, valid until the next call. */
static const char *write_files(const struct stage_docs *d)
{
    static char operands[2000];
    static const char *const names[] = {"one.jsonl", "two.jsonl", "three.jsonl"};
    size_t n = 0;
    for (uint32_t k = 0; k < 3; k++)
        n += (size_t)snprintf(operands + n, sizeof operands - n, "%.600s ",
                              stage_write_lines(d, k, names[k]));
    return operands;
}

static size_t try_case(const struct explain_case *c, uint64_t seed)
{
    static struct slow slow;
    struct stage_docs d = {0};
    struct pd_rows rows = {0};
    struct stage s, x;
    size_t dots = 0;
    make_docs(&d, seed, c->rule.tau > 0 ? 10 : 3);
    slow.d = &d;
    slow.rule = c->rule;
    know_units(&slow);
    const char *operands = write_files(&d);
    stage_list(&s, c->options, operands);
    CU_ASSERT_TRUE(stage_read(&s) == PD_OK && pd_job_set_sides(&s.job) == PD_OK);
    CU_ASSERT_TRUE(pd_job_count(&s.job) == PD_OK && pd_job_gather(&s.job) == PD_OK &&
                   pd_job_join(&s.job) == PD_OK && pd_job_align(&s.job) == PD_OK);
    stage_read_rows(&s.job, &rows);
    CU_ASSERT_EQUAL(pd_job_write(&s.job), PD_OK);
    stage_close(&s);
    stage_parse_job(&x, c->options, operands);
    for (size_t a = 0; a < 3; a++)
        for (size_t b = a + 1; b < DOCS; b += 2 + a) {
            slow.docs[0] = a;
            slow.docs[1] = b;
            dots += expect_pair(&slow, &x, &rows, b % 2);
        }
    stage_close(&x);
    pd_rows_release(&rows);
    stage_docs_release(&d);
    return dots;
}

#define WORDS "--feature words --idf 0,1 --always-df 0 "

static void test_beside_slow_code(void)
{
    static const struct explain_case cases[] = {
        {WORDS "--max-df 0 --gamma 0", {.max_word_df = 1}},
        {WORDS "--max-df 5 --gamma 1 --max-word-df 0.7",
         {.gamma = 1, .max_df = 5, .max_word_df = 0.7}},
        {WORDS "--max-df 0 --gamma 2 --gap 1 --max-repeats 1 --min-words 2",
         {.gamma = 2, .gap = 1, .max_repeats = 1, .min_words = 2, .max_word_df = 1}},
        {WORDS "--max-df 0 --gamma 0 --max-repeats 1 --repeats first --min-counted 2 "
               "--max-word-df 0.6",
         {.max_repeats = 1, .first_repeats = true, .min_counted = 2, .max_word_df = 0.6}},
        {WORDS "--max-df 0 --gamma 0 --join jaccard --tau 0.5", {.tau = 0.5, .max_word_df = 1}},
        {"--feature shingle --ngram 1 --max-df 0 --gamma 0 --join jaccard --tau 0.5",
         {.tau = 0.5, .max_word_df = 1, .lone = true}},
        {WORDS "--max-df 0 --gamma 0 --delta 2", {.delta = 2, .max_word_df = 1}},
        {WORDS "--max-df 0 --gamma 0 --min-passage-words 9",
         {.min_passage_words = 9, .max_word_df = 1}},
        {WORDS "--max-df 0 --gamma 0 --skip-same-host", {.skip_same_host = true, .max_word_df = 1}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t dots = 0;
        for (uint64_t seed = 1; seed <= 2; seed++)
            dots += try_case(&cases[k], seed);
        CU_ASSERT_TRUE(dots > 5);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_beside_slow_code), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/job/explain", tests);
}
