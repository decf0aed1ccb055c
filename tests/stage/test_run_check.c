/*
 * tests/stage/test_run_check.c - targets against an index: passages, decisions and rankings beside
 * slow code, and beside `detect --against`; files of targets and single lines; an index that was
 * made at once, or added to.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/run/check.h"
#include "pardup/run/fetch.h"
#include "pardup/run/index.h"
#include "pd_random.h"
#include "run/check/answer.h"
#include "run/check/target.h"
#include "slow_rows.h"

enum { TARGETS = 9, FIRST_SOURCES = 8, DOCS = 27 };

/* Documents of three files: targets, and sources in two files. */
static uint32_t file_of(size_t doc)
{
    return doc < TARGETS ? 0 : doc < TARGETS + FIRST_SOURCES ? 1 : 2;
}

static void make_docs(struct stage_docs *d, uint64_t seed, uint32_t changed)
{
    const struct stage_random how = {
        .docs = DOCS, .units = 12, .words = 5, .different = 26, .copied = 45, .changed = changed};
    stage_docs_random(d, &seed, &how);
    for (size_t k = 0; k < d->docs.n; k++)
        d->docs.v[k].file = file_of(k);
}

static void run_index(const char *options)
{
    struct stage s;
    stage_parse(&s, "index", options);
    CU_ASSERT_EQUAL(pd_index_make(&test_comm, &s.options), PD_OK);
    stage_close(&s);
}

/* Make an index of both files of sources: at once, or the second one is added. */
static void make_index(const struct stage_docs *d, const char *method, bool added)
{
    char line[2048], first[600], second[600];
    snprintf(first, sizeof first, "%.500s", stage_write_lines(d, 1, "first.jsonl"));
    snprintf(second, sizeof second, "%.500s", stage_write_lines(d, 2, "more.jsonl"));
    snprintf(line, sizeof line, "%s -o %.500s/index %s %s", method, stage_folder(), first,
             added ? "" : second);
    run_index(line);
    snprintf(line, sizeof line, "--add -o %.500s/index %s", stage_folder(), second);
    if (added)
        run_index(line);
}

/*
 * Make an index of the first sources, and add each of the others by itself. The last four segments
 * of five are merged then, and others with them later.
 */
static void make_index_one_by_one(const struct stage_docs *d, const char *method)
{
    enum { FIRST = 11 };
    struct stage_docs divided = *d;
    char line[2048], name[32];
    divided.docs = (struct stage_doc_list){0};
    stage_doc_list_append(&divided.docs, d->docs.v, d->docs.n);
    for (size_t k = TARGETS; k < divided.docs.n; k++)
        divided.docs.v[k].file = k < TARGETS + FIRST ? 1 : (uint32_t)(k - TARGETS - FIRST + 2);
    const uint32_t last = divided.docs.v[divided.docs.n - 1].file;
    for (uint32_t file = 1; file <= last; file++) {
        snprintf(name, sizeof name, "part%u.jsonl", file);
        snprintf(line, sizeof line, "%s -o %.500s/index %.500s", file == 1 ? method : "--add",
                 stage_folder(), stage_write_lines(&divided, file, name));
        run_index(line);
    }
    stage_doc_list_release(&divided.docs);
}

/* Valid until the next call. */
static const char *options_of_check(const char *more, const char *targets)
{
    static char *line;
    free(line);
    if (asprintf(&line, "--index %s/index %s %s", stage_folder(), more, targets) < 0)
        pd_panic("no memory");
    return line;
}

/* Check the file of targets. The caller closes the result. */
static struct pd_result *check(const struct stage_docs *d, const char *more)
{
    char all[1600], path[600];
    struct stage s;
    struct pd_result *r = NULL;
    snprintf(path, sizeof path, "%.500s/check.h5", stage_folder());
    snprintf(all, sizeof all, "%s --scratch %.500s -o %s", more, stage_folder(), path);
    stage_parse(&s, "check", options_of_check(all, stage_write_lines(d, 0, "targets.jsonl")));
    if (pd_check(&test_comm, &s.options) < 0)
        pd_panic("%s", pd_error_text());
    stage_close(&s);
    r = stage_result_open(path);
    return r;
}

/* A unit that the index has under several names is one collision. */
static void test_units_of_several_names(void)
{
    enum { SHARED = 7, WORDS = 6 };
    struct stage_docs d = {0};
    for (uint32_t file = 0; file < 3; file++) {
        stage_add_doc(&d)->file = file;
        for (uint32_t unit = 0; unit < SHARED + (file == 0); unit++) {
            stage_add_unit(&d);
            for (uint32_t w = 0; w < WORDS; w++)
                stage_add_word(&d, WORDS * unit + w);
        }
    }
    make_index(&d, "--feature words --idf 0,1 --lexicons 5 --max-df 0", false);
    struct pd_result *r = check(&d, "");
    CU_ASSERT_EQUAL(stage_cell(r, "decisions", "collisions", 0), SHARED);
    stage_result_close(r);
    stage_docs_release(&d);
}

/* A result knows where its targets were named, and where the sources of its index were. */
static void test_directories(void)
{
    struct stage_docs d = {0};
    struct pd_fetch of[2];
    char here[PATH_MAX];
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(here, sizeof here));
    make_docs(&d, 1, 3);
    CU_ASSERT_EQUAL(chdir(stage_folder()), 0);
    make_index(&d, "--method pdc-imatch", false);
    CU_ASSERT_EQUAL(chdir("/"), 0);
    struct pd_result *r = check(&d, "");
    CU_ASSERT_EQUAL(chdir(here), 0);
    CU_ASSERT_EQUAL(pd_fetch_init(&of[0], r), PD_OK);
    CU_ASSERT_EQUAL(pd_fetch_init_second(&of[1], r), PD_OK);
    CU_ASSERT_STRING_EQUAL(of[0].directory, "/");
    CU_ASSERT_STRING_EQUAL(of[1].directory, stage_folder());
    pd_fetch_release(&of[0]);
    pd_fetch_release(&of[1]);
    stage_result_close(r);
    stage_docs_release(&d);
}

/* ---- passages ---- */

static uint64_t half(struct pd_result *r, const char *a, const char *b, uint64_t k)
{
    return pd_ij((uint32_t)stage_cell(r, "passages", a, k),
                 (uint32_t)stage_cell(r, "passages", b, k));
}

/* The rows of /passages. Sources have the numbers of documents behind the targets. */
static void read_rows(struct pd_result *r, struct pd_rows *rows)
{
    for (uint64_t k = 0; k < stage_rows(r, "passages"); k++) {
        const uint64_t a = (uint64_t)stage_cell(r, "passages", "doc_a", k),
                       b = (uint64_t)stage_cell(r, "passages", "doc_b", k);
        pd_rows_push(rows,
                     (struct pd_row){.a = a,
                                     .b = b + TARGETS,
                                     .starts = half(r, "start_a", "start_b", k),
                                     .lengths = half(r, "length_a", "length_b", k),
                                     .bytes_a = half(r, "begin_a", "end_a", k),
                                     .bytes_b = half(r, "begin_b", "end_b", k),
                                     .matched = (uint64_t)stage_cell(r, "passages", "matched", k),
                                     .similarity = stage_real(r, "passages", "similarity", k),
                                     .words = half(r, "words_a", "words_b", k),
                                     .agreement = stage_real(r, "passages", "agreement", k)});
    }
}

static void expect_rows(const struct slow_rows *s, struct pd_result *r)
{
    struct pd_rows got = {0};
    read_rows(r, &got);
    CU_ASSERT_EQUAL(got.n, s->rows.n);
    for (size_t k = 0; k < got.n && k < s->rows.n; k++) {
        got.v[k].own = s->rows.v[k].own; /* no column of /passages, as the next ones */
        got.v[k].own_a = s->rows.v[k].own_a;
        got.v[k].own_b = s->rows.v[k].own_b;
        CU_ASSERT_TRUE(slow_rows_same(s, k, &got.v[k]));
    }
    pd_rows_release(&got);
}

/* ---- decisions and rankings ---- */

/* Is a unit the first of its document with its words? */
static bool is_first(const struct slow_rows *s, size_t doc, uint32_t unit)
{
    uint32_t k = 0;
    while (k < unit && !stage_same_words(s->d, doc, k, doc, unit))
        k++;
    return k == unit;
}

static bool has_unit(const struct slow_rows *s, size_t source, size_t doc, uint32_t unit)
{
    for (uint32_t j = 0; j < s->d->docs.v[source].nunits; j++)
        if (stage_same_words(s->d, doc, unit, source, j))
            return true;
    return false;
}

/* The score of a source: idf of the features that both have, over the idf of all of the target. */
static void score_sources(const struct slow_rows *s, size_t target, double *scores)
{
    double all = 0;
    memset(scores, 0, DOCS * sizeof *scores);
    for (uint32_t k = 0; k < s->d->docs.v[target].nunits; k++) {
        const uint32_t df = slow_sources_with(s, target, k);
        if (!is_first(s, target, k) || (df && slow_common(s, target, k)))
            continue;
        const double idf = log((double)(DOCS - TARGETS) / (df ? df : 1));
        all += idf;
        for (size_t source = TARGETS; source < DOCS; source++)
            scores[source] += has_unit(s, source, target, k) ? idf : 0;
    }
    for (size_t source = TARGETS; source < DOCS; source++)
        scores[source] = scores[source] > 0 ? scores[source] / all : 0;
}

static void expect_decision(const struct slow_rows *s, struct pd_result *r, size_t target)
{
    int64_t collisions = 0;
    for (uint32_t k = 0; k < s->d->docs.v[target].nunits; k++) {
        collisions += slow_sources_with(s, target, k) > 0 && !slow_common(s, target, k);
    }
    CU_ASSERT_EQUAL(stage_cell(r, "decisions", "doc", target), (int64_t)target);
    CU_ASSERT_EQUAL(stage_cell(r, "decisions", "collisions", target), collisions);
    CU_ASSERT_EQUAL(stage_cell(r, "decisions", "duplicate", target), collisions > s->rule.delta);
}

/*
 * Rows [from, ...) of the ranking belong to a target: its best `top` sources. Returns how many.
 */
static uint64_t expect_ranking(const struct slow_rows *s, struct pd_result *r, size_t target,
                               uint64_t from, uint64_t top)
{
    double scores[DOCS];
    uint64_t scored = 0, n = 0;
    score_sources(s, target, scores);
    for (size_t source = TARGETS; source < DOCS; source++)
        scored += scores[source] > 0;
    scored = scored < top ? scored : top;
    const uint64_t rows = stage_rows(r, "ranking");
    for (; n < scored && from + n < rows; n++) {
        const size_t source = TARGETS + (size_t)stage_cell(r, "ranking", "source", from + n);
        const double score = stage_real(r, "ranking", "score", from + n);
        size_t better = 0, as_good = 0;
        for (size_t other = TARGETS; other < DOCS; other++) {
            better += scores[other] > score + 1e-6;
            as_good += scores[other] > score - 1e-6;
        }
        CU_ASSERT_EQUAL(stage_cell(r, "ranking", "doc", from + n), (int64_t)target);
        CU_ASSERT_EQUAL(stage_cell(r, "ranking", "rank", from + n), (int64_t)n + 1);
        CU_ASSERT_DOUBLE_EQUAL(score, scores[source], 1e-7);
        CU_ASSERT_TRUE(better <= n && n < as_good);
    }
    CU_ASSERT_EQUAL(n, scored);
    return n;
}

static void expect_verdicts(const struct slow_rows *s, struct pd_result *r, uint64_t top)
{
    uint64_t at = 0;
    CU_ASSERT_EQUAL_FATAL(stage_rows(r, "decisions"), TARGETS);
    for (size_t target = 0; target < TARGETS; target++) {
        expect_decision(s, r, target);
        at += expect_ranking(s, r, target, at, top);
    }
    CU_ASSERT_EQUAL(stage_rows(r, "ranking"), at);
}

/* The row of a file of sources has its whole path, and its bytes. */
static void expect_file(struct pd_result *r, uint64_t row, const char *name)
{
    char path[600];
    struct stat st;
    snprintf(path, sizeof path, "%.500s/%s", stage_folder(), name);
    CU_ASSERT_EQUAL_FATAL(stat(path, &st), 0);
    CU_ASSERT_STRING_EQUAL(stage_text_cell(r, "source_files", "path", row), path);
    CU_ASSERT_EQUAL(stage_cell(r, "source_files", "bytes", row), st.st_size);
}

static void expect_sources(const struct stage_docs *d, struct pd_result *r)
{
    CU_ASSERT_EQUAL_FATAL(stage_rows(r, "sources"), DOCS - TARGETS);
    CU_ASSERT_EQUAL_FATAL(stage_rows(r, "source_files"), 2);
    expect_file(r, 0, "first.jsonl");
    expect_file(r, 1, "more.jsonl");
    for (size_t k = TARGETS; k < d->docs.n; k++) {
        struct pd_bytes text = {0};
        char id[24];
        stage_text(d, k, &text, NULL);
        snprintf(id, sizeof id, "d%zu", k);
        CU_ASSERT_STRING_EQUAL(stage_text_cell(r, "sources", "id", k - TARGETS), id);
        CU_ASSERT_EQUAL(stage_cell(r, "sources", "file", k - TARGETS), d->docs.v[k].file - 1);
        CU_ASSERT_EQUAL(stage_cell(r, "sources", "sentences", k - TARGETS), d->docs.v[k].nunits);
        CU_ASSERT_EQUAL(stage_cell(r, "sources", "text_bytes", k - TARGETS), (int64_t)text.n);
        pd_bytes_release(&text);
    }
}

/* ---- single lines ---- */

static uint32_t length_of(uint64_t span) { return (uint32_t)span - (uint32_t)(span >> 32); }

/* The own words of a source may be counted from the first word that was read of it. */
static bool same_row(const struct pd_row *a, const struct pd_row *b, bool agreement)
{
    struct pd_row x = *a;
    if (length_of(x.own_b) == length_of(b->own_b))
        x.own_b = b->own_b;
    x.agreement = agreement ? x.agreement : b->agreement;
    return memcmp(&x, b, sizeof x) == 0;
}

/* Ask about each target as a line: the same rows, and as many passages in the answer. */
static void expect_lines(const struct stage_docs *d, const struct pd_rows *rows, bool agreement,
                         const char *more)
{
    char *line = NULL;
    size_t room = 0, at = 0;
    struct stage s;
    struct pd_index index = {.nsegments = 0};
    static struct pd_query q;
    static struct pd_target t;
    char all[256];
    FILE *f = fopen(stage_write_lines(d, 0, "targets.jsonl"), "r");
    snprintf(all, sizeof all, "%s --stdin", more);
    stage_parse(&s, "check", options_of_check(all, ""));
    pd_job_init(&s.job, &test_comm, &s.options);
    CU_ASSERT_EQUAL_FATAL(pd_index_open(&index, s.options.check.index), PD_OK);
    pd_query_init(&q, &s.job, &index);
    pd_target_init(&t, &s.job, &index);
    for (ssize_t n; (n = getline(&line, &room, f)) > 0;) {
        struct pd_bytes answer = {0};
        CU_ASSERT_EQUAL(pd_target_read(&t, line, (size_t)n), PD_OK);
        CU_ASSERT_EQUAL(pd_query_ask(&q, &t.signing, &t.rec), PD_OK);
        CU_ASSERT_EQUAL(pd_answer_query(&answer, &q, t.signing.units->n), PD_OK);
        pd_bytes_push(&answer, 0);
        size_t told = 0;
        for (const char *p = (const char *)answer.v; (p = strstr(p, "\"begin_a\"")); p++)
            told++;
        CU_ASSERT_EQUAL(told, q.rows.n);
        for (size_t k = 0; k < q.rows.n && at < rows->n; k++, at++) {
            struct pd_row row = q.rows.v[k];
            row.a = rows->v[at].a; /* a line has no number */
            row.b += TARGETS;
            CU_ASSERT_TRUE(same_row(&rows->v[at], &row, agreement));
        }
        pd_bytes_release(&answer);
    }
    CU_ASSERT_EQUAL(at, rows->n);
    fclose(f);
    free(line);
    pd_target_release(&t);
    pd_query_release(&q);
    pd_index_close(&index);
    pd_job_release(&s.job);
    s.job.comm = NULL;
    stage_close(&s);
}

/* ---- cases ---- */

struct check_case {
    const char *method, *more; /* of index, of check */
    struct slow_rule rule;
    uint64_t top;
};

#define EQUAL "--method sentence-fp --units sentence --edges word "

static size_t try_case(const struct check_case *c, uint64_t seed)
{
    struct stage_docs d = {0};
    struct slow_rows slow = {.d = &d, .rule = c->rule};
    slow.rule.frozen = seed % 2; /* sources that are added do not decide */
    make_docs(&d, seed, c->rule.any_order ? 8 : 3);
    slow_rows_find(&slow);
    make_index(&d, c->method, seed % 2);
    struct pd_result *r = check(&d, c->more);
    expect_rows(&slow, r);
    if (!c->rule.any_order)
        expect_verdicts(&slow, r, c->top);
    expect_sources(&d, r);
    stage_result_close(r);
    slow.rule.alone = true; /* each line is the only target */
    slow_rows_find(&slow);
    expect_lines(&d, &slow.rows, c->rule.gap == 0, c->more);
    slow.rule.alone = false;
    slow_rows_find(&slow);
    const size_t rows = slow.rows.n;
    if (seed == 1) { /* all sources decide when they are read again */
        char refresh[700];
        snprintf(refresh, sizeof refresh, "--refresh -o %.500s/index", stage_folder());
        run_index(refresh);
        slow.rule.frozen = 0;
        slow_rows_find(&slow);
        r = check(&d, c->more);
        expect_rows(&slow, r);
        stage_result_close(r);
    }
    slow_rows_release(&slow);
    stage_docs_release(&d);
    return rows;
}

static void test_beside_slow_code(void)
{
    static const struct check_case cases[] = {
        {EQUAL "--max-df 0 --gamma 0", "--edges sentence", {.edges = NO_EDGES}, 10},
        {EQUAL "--max-df 0 --gamma 0 --with-text", "--top 3", {.edges = NEAR_EDGES}, 3},
        {EQUAL "--max-df 8 --gamma 1",
         "--delta 1 --top 100",
         {.gamma = 1, .edges = NEAR_EDGES, .delta = 1, .max_df = 8},
         100},
        {EQUAL "--max-df 4 --gamma 0 --common first",
         "",
         {.edges = NEAR_EDGES, .max_df = 4, .common_first = true},
         10},
        {EQUAL "--max-df 0 --gamma 1", "--gap 2", {.gamma = 1, .gap = 2, .edges = NEAR_EDGES}, 10},
        {EQUAL "--max-df 0 --gamma 0",
         "--min-passage-words 6",
         {.edges = NEAR_EDGES, .min_words = 6},
         10},
        {"--feature bag --idf 0,1 --max-df 0 --gamma 1 --edges word",
         "",
         {.gamma = 1, .edges = NEAR_EDGES, .any_order = true},
         10},
        {"--feature bag --idf 0,1 --max-word-df 0.6 --max-df 0 --gamma 0 --edges word",
         "",
         {.edges = NEAR_EDGES, .any_order = true, .max_word_df = 0.6},
         10},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t rows = 0;
        for (uint64_t seed = 1; seed <= 4; seed++)
            rows += try_case(&cases[k], seed);
        CU_ASSERT_TRUE(rows > 20);
    }
}

/* ---- beside detect ---- */

static void detect(const struct stage_docs *d, const char *method, struct pd_rows *rows)
{
    struct stage_docs two = *d;
    struct stage s;
    two.docs = (struct stage_doc_list){0};
    stage_doc_list_append(&two.docs, d->docs.v, d->docs.n);
    for (size_t k = 0; k < two.docs.n; k++)
        two.docs.v[k].file = two.docs.v[k].file > 0;
    stage_open_lines(&s, method, &two);
    CU_ASSERT_TRUE(pd_job_count(&s.job) == PD_OK && pd_job_gather(&s.job) == PD_OK &&
                   pd_job_join(&s.job) == PD_OK && pd_job_align(&s.job) == PD_OK);
    stage_read_rows(&s.job, rows);
    stage_close(&s);
    stage_doc_list_release(&two.docs);
}

/* Put the path of a list of some words in place of LIST. */
static const char *with_list(char *line, size_t size, const char *method)
{
    const char *list = strstr(method, "LIST");
    struct pd_bytes text = {0};
    char path[600];
    if (!list)
        return method;
    snprintf(path, sizeof path, "%.500s/list", stage_folder());
    for (uint32_t w = 0; w < 12; w++) {
        stage_spell(w, &text);
        pd_bytes_append(&text, "\n", 1);
    }
    FILE *f = fopen(path, "w");
    fwrite(text.v, 1, text.n, f);
    fclose(f);
    pd_bytes_release(&text);
    snprintf(line, size, "%.*s%s%s", (int)(list - method), method, path, list + 4);
    return line;
}

/* Both find the same rows of documents. `way`: how the index is made. Returns how many. */
static size_t compare_both(const struct stage_docs *d, const char *method, uint64_t way, bool lines)
{
    struct pd_rows expected = {0}, got = {0};
    char line[1000];
    method = with_list(line, sizeof line, method);
    detect(d, method, &expected);
    if (way == 2)
        make_index_one_by_one(d, method);
    else
        make_index(d, method, way);
    struct pd_result *r = check(d, "");
    read_rows(r, &got);
    CU_ASSERT_EQUAL(got.n, expected.n);
    for (size_t k = 0; k < got.n && k < expected.n; k++) {
        got.v[k].own = expected.v[k].own;
        got.v[k].own_a = expected.v[k].own_a;
        got.v[k].own_b = expected.v[k].own_b;
        CU_ASSERT_EQUAL(memcmp(&got.v[k], &expected.v[k], sizeof *got.v), 0);
    }
    stage_result_close(r);
    if (lines)
        expect_lines(d, &expected, true, "");
    const size_t rows = got.n;
    pd_rows_release(&got);
    pd_rows_release(&expected);
    return rows;
}

static size_t try_method(const char *method, uint64_t seed, bool lines)
{
    struct stage_docs d = {0};
    make_docs(&d, seed, 12);
    const size_t rows = compare_both(&d, method, seed % 3, lines);
    stage_docs_release(&d);
    return rows;
}

/* Add a document that has one line n times, and lines of its own between them. */
static void add_repeated(struct stage_docs *d, uint32_t number, uint32_t n)
{
    stage_add_doc(d)->file = file_of(number);
    for (uint32_t k = 0; k < n + 3; k++) {
        stage_add_unit(d);
        for (uint32_t w = 0; w < 4; w++)
            stage_add_word(d, k < n && k % 3 ? 1 + w : 1000 * (number + 1) + 4 * k + w);
    }
}

/* A common line that stands in a target and a source more often than a tier holds. */
static void test_common_repeated(void)
{
    for (uint32_t n = 20; n < 80; n += 13) {
        struct stage_docs d = {0};
        for (uint32_t k = 0; k < DOCS; k++)
            add_repeated(&d, k, k == 0 ? n : k == TARGETS + 1 ? 60 : 0);
        const size_t rows = compare_both(&d,
                                         "--feature words --idf 0,1 --max-df 1 --gamma 0 --gap 0 "
                                         "--common first",
                                         n % 2, false);
        CU_ASSERT_TRUE(rows > n / 3);
        stage_docs_release(&d);
    }
}

/* Methods whose words and classes do not depend on frequencies here. */
static void test_beside_detect(void)
{
    static const char *const methods[] = {
        "--feature words --idf 0,1 --max-df 0 --gamma 1 --join jaccard --tau 0.6",
        "--feature words --idf 0,1 --max-df 0 --gamma 0 --join overlap --tau 0.7 --theta-d 2",
        "--feature shingle --ngram 2 --max-df 0 --gamma 0 --join jaccard --tau 0.5 --gap 1",
        "--feature words --idf 0,1 --max-df 0 --gamma 0 --join lsh --sketch minhash --tau 0.6",
        "--feature words --idf 0,1 --max-df 0 --gamma 0 --passages best --gap 2",
        "--feature words --units document --idf 0,1 --max-df 0 --gamma 0 --join jaccard --tau 0.2",
        "--preset texts --max-df 0",
        "--preset web --templates match --max-df 0 --min-agreement 0 --gamma 0 --ngram 2 "
        "--winnow 2 --min-words 2 --min-passage-words 2 --min-copy-words 2",
        "--method full-fp --ngram 3 --max-df 0 --passages best --edges far --max-repeats 1",
        "--feature bag --idf 0,1 --max-df 0 --gamma 0 --max-repeats 1 --repeats first",
        "--method sentence-length --max-df 0 --window 2,1",
        "--method pdc-spotsigs --antecedents LIST --stop-words none --max-df 0 --gamma 0 --tau 0.5",
        "--method pdc-spotsigs --antecedents LIST --stop-words english --spot-chain 1 --max-df 0 "
        "--gamma 0 --tau 0.6",
        "--method nikkhoo --shingle-bytes 12 --tau 0.1",
    };
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        size_t rows = 0;
        for (uint64_t seed = 1; seed <= 3; seed++)
            rows += try_method(methods[k], seed, true);
        CU_ASSERT_TRUE(rows > 5);
    }
}

/* Classes that are common because of targets, too. A line does not know the other targets. */
static void test_common_beside_detect(void)
{
    static const char *const methods[] = {
        "--feature words --idf 0,1 --max-df 5 --gamma 0",
        "--feature words --idf 0,1 --max-df 5 --gamma 0 --common first --copies report",
        "--feature words --idf 0,1 --max-df 4 --gamma 0 --join jaccard --tau 0.5",
        "--feature words --idf 0,1 --max-df 5 --gamma 0 --join overlap --tau 0.7 --common first",
        "--feature words --units document --idf 0,1 --max-df 2 --gamma 0 --join jaccard --tau 0.2 "
        "--copies report --common first",
        "--preset texts --max-df 5",
        "--preset texts --max-df 7 --common aside --gamma 0",
        "--preset web --templates match --max-df 5 --min-agreement 0 --gamma 0 --ngram 2 "
        "--winnow 2 --min-words 2 --min-passage-words 2 --min-copy-words 2",
        "--feature bag --idf 0,1 --lexicons 1 --max-df 5 --gamma 0 --max-repeats 1 --repeats first",
        "--method edited --rare 1 --max-df 6 --gamma 0",
    };
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        size_t rows = 0;
        for (uint64_t seed = 1; seed <= 3; seed++)
            rows += try_method(methods[k], seed, false);
        CU_ASSERT_TRUE(rows > 5);
    }
}

/* ---- classes of sources that are similar to a set ---- */

enum { CLASSES_MOST = 400, SET_MOST = 64 };

/* A class of the sources: its name, its words, and the signatures of them. */
struct known_class {
    pd_sig name;
    uint32_t words[SET_MOST];
    size_t n, near;
    struct pd_sigs set;
};

struct known_classes {
    struct known_class v[CLASSES_MOST];
    size_t n;
    double tau;
    uint64_t sct;
};

/* Documents that have a word; each is a unit. */
static bool is_frequent(const struct known_classes *k, const struct stage_docs *d, uint32_t word)
{
    return k->sct && stage_documents_with(d, word) > k->sct;
}

/* List the classes of a job, whose units are documents. */
static void list_classes(struct known_classes *k, const struct stage_docs *d, struct pd_job *job)
{
    struct stage_classes classes;
    struct pd_signing signing;
    CU_ASSERT_TRUE(pd_job_count(job) == PD_OK && pd_job_gather(job) == PD_OK);
    stage_read_classes(job->matches.joined.v[0].classes, &classes);
    pd_signing_init(&signing, job);
    PD_CHECK(classes.at.n < CLASSES_MOST);
    for (k->n = 0; k->n < classes.at.n; k->n++) {
        const struct pd_class *c = stage_class(&classes, k->n);
        struct known_class *to = &k->v[k->n];
        uint32_t *w = to->words;
        *to = (struct known_class){.name = pd_segment_name_of(c->sig, PD_SEGMENT_NAME)};
        CU_ASSERT_EQUAL(pd_signing_load_number(&signing, c->at[0].doc), PD_OK);
        (void)pd_signing_sign(&signing, 0);
        pd_sigs_append(&to->set, signing.signer.set.v, signing.signer.set.n);
        for (uint32_t unit = 0; unit < d->docs.v[c->at[0].doc].nunits; unit++)
            for (uint32_t n = 0; n < stage_unit_of(d, c->at[0].doc, unit)->nwords; n++) {
                const uint32_t word = stage_words_of(d, c->at[0].doc, unit)[n];
                size_t at = 0;
                while (at < to->n && w[at] != word)
                    at++;
                if (at == to->n && !is_frequent(k, d, word))
                    w[to->n++] = word;
            }
    }
    pd_signing_release(&signing);
    stage_classes_release(&classes);
}

static double likeness(const struct known_class *a, const struct known_class *b)
{
    size_t both = 0;
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            both += a->words[i] == b->words[j];
    return both ? (double)both / (double)(a->n + b->n - both) : 0;
}

/* The classes that are found are those that are similar enough, in order of their names. */
static void expect_similar(const struct known_classes *k, size_t at,
                           const struct pd_similar_classes *found)
{
    size_t expected = 0;
    for (size_t i = 0; i < k->n; i++) {
        const double like = likeness(&k->v[at], &k->v[i]);
        if (i == at || like == 0 || like < k->tau)
            continue;
        expected++;
        size_t there = 0;
        while (there < found->n && found->v[there].name != k->v[i].name)
            there++;
        CU_ASSERT_TRUE(there < found->n && found->v[there].similarity == like);
    }
    CU_ASSERT_EQUAL(found->n, expected);
    for (size_t i = 1; i < found->n; i++)
        CU_ASSERT_TRUE(found->v[i - 1].name < found->v[i].name);
}

static size_t try_similar(const char *options, double tau, uint64_t sct, uint64_t seed)
{
    static const struct stage_random how = {
        .docs = 40, .units = 3, .words = 5, .different = 40, .copied = 60, .changed = 15};
    static struct known_classes k;
    struct stage_docs d = {0};
    struct stage s;
    struct pd_index index = {.nsegments = 0};
    struct pd_similar_search search;
    struct pd_crowding crowding;
    size_t found = 0;
    stage_docs_random(&d, &seed, &how);
    stage_open(&s, options, &d);
    k.tau = tau;
    k.sct = sct;
    list_classes(&k, &d, &s.job);
    for (size_t doc = 0; doc < d.docs.n; doc++)
        d.docs.v[doc].file = doc % 20 < 10 ? 1 : 2;
    make_index(&d, options, seed % 2);
    const struct pd_method_options *method = &s.job.options->method;
    char folder[600];
    snprintf(folder, sizeof folder, "%.500s/index", stage_folder());
    CU_ASSERT_EQUAL_FATAL(pd_index_open(&index, folder), PD_OK);
    const struct pd_marks marks = {.index = &index};
    pd_similar_search_init(&search, &index, &marks, method);
    pd_crowding_init(&crowding, &index, &marks, method);
    for (size_t at = 0; at < k.n; at++) {
        bool crowded = false;
        const int status = pd_similar_search(&search, k.v[at].name, k.v[at].set.v, k.v[at].set.n);
        CU_ASSERT_EQUAL(status, k.v[at].n ? PD_OK : PD_END);
        if (status != PD_OK)
            continue;
        expect_similar(&k, at, &search.found);
        for (int times = 0; times < 2; times++) { /* the second answer was remembered */
            CU_ASSERT_EQUAL(pd_crowding_ask(&crowding, k.v[at].name, &crowded), PD_OK);
            CU_ASSERT_EQUAL(crowded,
                            method->max_near > 0 && search.found.n > (uint64_t)method->max_near);
        }
        found += search.found.n;
    }
    for (size_t at = 0; at < k.n; at++)
        pd_sigs_release(&k.v[at].set);
    pd_similar_search_release(&search);
    pd_crowding_release(&crowding);
    pd_index_close(&index);
    stage_close(&s);
    stage_docs_release(&d);
    return found;
}

#define WHOLE "--feature words --units document --gamma 0 --idf 0,1 --max-df 0 --join jaccard "

static void test_similar_classes(void)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        CU_ASSERT_TRUE(try_similar(WHOLE "--tau 0.3", 0.3, 0, seed) > 20);
        CU_ASSERT_TRUE(try_similar(WHOLE "--tau 0.15 --max-near 4", 0.15, 0, seed) > 50);
        CU_ASSERT_TRUE(try_similar(WHOLE "--tau 0.2 --sct 5", 0.2, 5, seed) > 5);
        CU_ASSERT_TRUE(try_similar(WHOLE "--tau 0 --sct 9 --max-near 3", 0, 9, seed) > 50);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_beside_slow_code),       PD_TEST(test_beside_detect),
        PD_TEST(test_common_beside_detect),   PD_TEST(test_common_repeated),
        PD_TEST(test_similar_classes),        PD_TEST(test_directories),
        PD_TEST(test_units_of_several_names), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/check", tests);
}
