/*
 * tests/stage/test_run_similar.c - the join of signature sets, beside a comparison of each class
 * with each other one: jaccard, overlap, limits on neighbours and on common signatures, buckets.
 */
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/store/cursor.h"
#include "pd_random.h"
#include "stage.h"

enum { CLASSES_MOST = 600 };

/* ---- the slow definition ---- */

/* What a case compares. */
struct rule {
    bool jaccard;   /* else overlap */
    bool documents; /* units are documents, else sentences */
    uint32_t ngram; /* 0: words */
    double tau;
    uint64_t sct, max_near;
};

struct set {
    struct pd_u64s v; /* ascending */
    uint64_t near;    /* classes that are similar to it */
    bool gone;        /* it is set aside */
};

struct slow {
    struct rule rule;
    const struct stage_docs *d;
    struct stage_classes classes; /* of gather */
    struct set sets[CLASSES_MOST];
};

static void insert(struct pd_u64s *set, uint64_t sig)
{
    size_t at = 0;
    while (at < set->n && set->v[at] < sig)
        at++;
    if (at < set->n && set->v[at] == sig)
        return;
    pd_u64s_push(set, 0);
    memmove(set->v + at + 1, set->v + at, (set->n - 1 - at) * sizeof *set->v);
    set->v[at] = sig;
}

/* The signatures of n words: the words, or the runs of them. */
static void sign(const struct slow *s, const uint32_t *words, uint32_t n, struct pd_u64s *set)
{
    const uint32_t run = s->rule.ngram == 0 ? 1 : n < s->rule.ngram ? n : s->rule.ngram;
    set->n = 0;
    for (uint32_t k = 0; k + run <= n; k++) {
        uint64_t sig = run;
        for (uint32_t i = 0; i < run; i++)
            sig = sig * 10007 + words[k + i];
        insert(set, sig);
    }
}

static void sign_unit(const struct slow *s, size_t doc, uint32_t unit, struct pd_u64s *set)
{
    if (s->rule.documents)
        sign(s, stage_words_of(s->d, doc, 0), s->d->docs.v[doc].nwords, set);
    else
        sign(s, stage_words_of(s->d, doc, unit), stage_unit_of(s->d, doc, unit)->nwords, set);
}

static size_t in_common(const struct pd_u64s *a, const struct pd_u64s *b)
{
    size_t found = 0;
    for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
        const bool both = a->v[i] == b->v[j], first = a->v[i] < b->v[j];
        found += both;
        i += both || first;
        j += both || !first;
    }
    return found;
}

/* 0: they are not similar. */
static double similarity(const struct slow *s, const struct pd_u64s *a, const struct pd_u64s *b)
{
    const size_t both = in_common(a, b), longer = a->n > b->n ? a->n : b->n;
    const double found = (double)both / (double)(s->rule.jaccard ? a->n + b->n - both : longer);
    return both > 0 && found >= s->rule.tau ? found : 0;
}

/* Drop signatures that are in more documents than --sct. */
static void drop_frequent(struct slow *s)
{
    struct pd_u64s *of = pd_realloc(NULL, s->d->docs.n, sizeof *of);
    memset(of, 0, s->d->docs.n * sizeof *of);
    for (size_t doc = 0; doc < s->d->docs.n; doc++)
        sign_unit(s, doc, 0, &of[doc]);
    for (size_t k = 0; k < s->classes.at.n; k++) {
        struct pd_u64s *set = &s->sets[k].v;
        size_t kept = 0;
        for (size_t i = 0; i < set->n; i++) {
            const struct pd_u64s one = {set->v + i, 1, 1};
            uint64_t df = 0;
            for (size_t doc = 0; doc < s->d->docs.n; doc++)
                df += in_common(&of[doc], &one);
            if (df <= s->rule.sct)
                set->v[kept++] = set->v[i];
        }
        set->n = kept;
        s->sets[k].gone = kept == 0;
    }
    for (size_t doc = 0; doc < s->d->docs.n; doc++)
        pd_u64s_release(&of[doc]);
    free(of);
}

static void compare_all(struct slow *s)
{
    const size_t n = s->classes.at.n;
    PD_CHECK(n < CLASSES_MOST);
    for (size_t k = 0; k < n; k++) {
        const struct pd_occurrence *first = stage_class(&s->classes, k)->at;
        s->sets[k].near = 0;
        s->sets[k].gone = false;
        sign_unit(s, first->doc, first->unit, &s->sets[k].v);
    }
    if (s->rule.sct)
        drop_frequent(s);
    for (size_t x = 0; x < n; x++)
        for (size_t y = 0; y < n; y++)
            s->sets[x].near += x != y && similarity(s, &s->sets[x].v, &s->sets[y].v) > 0;
    for (size_t k = 0; s->rule.max_near && k < n; k++)
        s->sets[k].gone |= s->sets[k].near > s->rule.max_near;
}

/* ---- beside the program ---- */

/* The partners that the program has found, in their order. */
struct partners {
    struct pd_u64s records;
    struct pd_u64s at;
};

static const struct pd_partner *partner(const struct partners *p, size_t k)
{
    return (const struct pd_partner *)(const void *)(p->records.v + p->at.v[k]);
}

static void read_partners(struct pd_packed *file, struct partners *p)
{
    struct pd_cursor c = {0};
    const unsigned char *rec;
    size_t n;
    *p = (struct partners){.at = {0}};
    pd_cursor_begin(&c, file, 0, pd_packed_blocks(file));
    while (pd_cursor_look(&c, &rec, &n) == PD_OK) {
        const struct pd_partner *one = (const struct pd_partner *)(const void *)rec;
        const size_t bytes = sizeof *one + one->n * sizeof *one->at;
        pd_u64s_push(&p->at, p->records.n);
        pd_u64s_append(&p->records, rec, bytes / sizeof(uint64_t));
        c.at += bytes;
    }
    pd_cursor_release(&c);
}

/* Does a partner of class y have the units of class x? */
static bool is_partner(const struct pd_partner *p, const struct pd_class *x, uint64_t y)
{
    return p->number == y && p->n == x->n && memcmp(p->at, x->at, x->n * sizeof *x->at) == 0;
}

/* The similarity under which the program has a pair; 0: it has not. */
static double find_partner(const struct partners *p, const struct pd_class *x, uint64_t y)
{
    double found = 0;
    for (size_t k = 0; k < p->at.n; k++)
        if (is_partner(partner(p, k), x, y)) {
            CU_ASSERT_EQUAL(found, 0); /* each pair once */
            found = partner(p, k)->similarity;
        }
    return found;
}

/* Each pair that is similar, of classes that are not set aside, and no other pair. */
static size_t expect_partners(const struct slow *s, const struct pd_job *job, bool exact)
{
    struct partners got;
    size_t pairs = 0, found = 0;
    read_partners(job->matches.joined.v[0].partners, &got);
    for (size_t x = 0; x < s->classes.at.n; x++)
        for (size_t y = x + 1; y < s->classes.at.n; y++) {
            const double like = similarity(s, &s->sets[x].v, &s->sets[y].v);
            const double is = find_partner(&got, stage_class(&s->classes, x), y);
            const bool counts = like > 0 && !s->sets[x].gone && !s->sets[y].gone;
            pairs += counts;
            found += is > 0;
            CU_ASSERT_TRUE(is == (counts ? like : 0) || (!exact && is == 0));
        }
    for (size_t k = 1; k < got.at.n; k++)
        CU_ASSERT_TRUE(partner(&got, k - 1)->number <= partner(&got, k)->number);
    CU_ASSERT_TRUE(found == got.at.n && job->matches.counts.similar == found);
    CU_ASSERT_EQUAL(job->matches.counts.classes, s->classes.at.n);
    CU_ASSERT_TRUE(exact ? found == pairs : 2 * found > pairs);
    pd_u64s_release(&got.records);
    pd_u64s_release(&got.at);
    return pairs;
}

/* Classes that are set aside are common now, and the others keep their numbers. */
static size_t expect_crowded(const struct slow *s, const struct pd_job *job)
{
    struct stage_classes left;
    size_t gone = 0, at = 0;
    stage_read_classes(job->matches.joined.v[0].classes, &left);
    for (size_t k = 0; k < s->classes.at.n; k++) {
        const struct pd_class *c = stage_class(&s->classes, k);
        if (!s->sets[k].gone) {
            CU_ASSERT_TRUE(at < left.at.n && stage_class(&left, at)->number == k &&
                           memcmp(stage_class(&left, at), c, pd_class_bytes(c)) == 0);
            at++;
            continue;
        }
        uint64_t df = 0;
        for (uint64_t i = 0; i < c->n; i++)
            df += i == 0 || c->at[i].doc != c->at[i - 1].doc;
        const struct pd_common *common = &job->matches.common.v[gone++];
        CU_ASSERT_TRUE(gone <= job->matches.common.n && common->sig == c->sig && common->df == df &&
                       common->doc == c->at[0].doc && common->unit == c->at[0].unit);
    }
    CU_ASSERT_TRUE(at == left.at.n && gone == job->matches.common.n);
    CU_ASSERT_EQUAL(gone, job->matches.counts.crowded);
    stage_classes_release(&left);
    return gone;
}

/* How many pairs and crowded classes a case had. */
struct tried {
    size_t pairs, gone;
};

static struct tried try_docs(const char *options, const struct rule *rule,
                             const struct stage_docs *d, bool exact)
{
    static struct slow slow;
    struct stage s;
    slow.rule = *rule;
    slow.d = d;
    stage_open(&s, options, d);
    CU_ASSERT_TRUE(pd_job_count(&s.job) == PD_OK && pd_job_gather(&s.job) == PD_OK);
    stage_read_classes(s.job.matches.joined.v[0].classes, &slow.classes);
    compare_all(&slow);
    CU_ASSERT_EQUAL(pd_job_join(&s.job), PD_OK);
    const struct tried tried = {expect_partners(&slow, &s.job, exact),
                                expect_crowded(&slow, &s.job)};
    stage_classes_release(&slow.classes);
    for (size_t k = 0; k < CLASSES_MOST; k++)
        pd_u64s_release(&slow.sets[k].v);
    stage_close(&s);
    return tried;
}

static struct tried try_random(const char *options, const struct rule *rule, uint64_t seed,
                               bool exact)
{
    static const struct stage_random sentences = {
        .docs = 17, .units = 12, .words = 9, .different = 80, .copied = 40, .changed = 25};
    static const struct stage_random documents = {
        .docs = 60, .units = 4, .words = 9, .different = 60, .copied = 60, .changed = 10};
    struct stage_docs d = {0};
    stage_docs_random(&d, &seed, rule->documents ? &documents : &sentences);
    const struct tried tried = try_docs(options, rule, &d, exact);
    stage_docs_release(&d);
    return tried;
}

struct join_case {
    const char *options;
    struct rule rule;
};

static void try_cases(const struct join_case *cases, size_t n, uint64_t seeds, bool exact,
                      bool crowds)
{
    for (size_t k = 0; k < n; k++) {
        struct tried sum = {0, 0};
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            const struct tried t = try_random(cases[k].options, &cases[k].rule, seed, exact);
            sum.pairs += t.pairs;
            sum.gone += t.gone;
        }
        CU_ASSERT_TRUE(sum.pairs > 10);
        CU_ASSERT_TRUE((sum.gone > 0) == crowds);
    }
}

#define SETS "--max-df 0 --idf 0,1 --feature "

static void test_exact_joins(void)
{
    static const struct join_case cases[] = {
        {SETS "words --join jaccard --tau 0.5", {.jaccard = true, .tau = 0.5}},
        {SETS "words --join jaccard --tau 2/3", {.jaccard = true, .tau = 2.0 / 3}},
        {SETS "words --join overlap --tau 0.6", {.tau = 0.6}},
        {SETS "words --join overlap --tau 0.2", {.tau = 0.2}},
        {SETS "words --join jaccard --tau 0", {.jaccard = true, .tau = 0}},
        {SETS "shingle --ngram 2 --join jaccard --tau 0.3",
         {.jaccard = true, .ngram = 2, .tau = 0.3}},
        {SETS "shingle --ngram 3 --join overlap --tau 0.4 --memory 1M", {.ngram = 3, .tau = 0.4}},
        {SETS "words --units document --gamma 0 --join jaccard --tau 0.3",
         {.jaccard = true, .documents = true, .tau = 0.3}},
    };
    try_cases(cases, sizeof cases / sizeof *cases, 4, true, false);
}

static void test_crowded(void)
{
    static const struct join_case cases[] = {
        {SETS "words --join overlap --tau 0.3 --max-near 5", {.tau = 0.3, .max_near = 5}},
        {SETS "words --join jaccard --tau 0 --max-near 40",
         {.jaccard = true, .tau = 0, .max_near = 40}},
        {SETS "words --join jaccard --tau 0.4 --max-near 3",
         {.jaccard = true, .tau = 0.4, .max_near = 3}},
        {SETS "words --units document --gamma 0 --join jaccard --tau 0.2 --sct 4",
         {.jaccard = true, .documents = true, .tau = 0.2, .sct = 4}},
        {SETS "shingle --ngram 2 --units document --gamma 0 --join overlap --tau 0 --sct 3",
         {.documents = true, .ngram = 2, .tau = 0, .sct = 3}},
        {SETS "words --units document --gamma 0 --join jaccard --tau 0 --sct 9 --max-near 25",
         {.jaccard = true, .documents = true, .tau = 0, .sct = 9, .max_near = 25}},
    };
    try_cases(cases, sizeof cases / sizeof *cases, 4, true, true);
}

/* Buckets lose pairs, but half of them are there, and what is there is similar. */
static void test_buckets(void)
{
    static const struct join_case cases[] = {
        {SETS "words --join lsh --sketch minhash --tau 0.6", {.tau = 0.6}},
        {SETS "words --join lsh --sketch bits --tau 0.6", {.tau = 0.6}},
        {SETS "words --join lsh --sketch bits --bits 24 --diffbit 4 --tau 0.5", {.tau = 0.5}},
    };
    try_cases(cases, sizeof cases / sizeof *cases, 4, false, false);
}

/* Documents of many words, whose sets do not travel: most words of two are the same. */
static void test_large_sets(void)
{
    static const struct rule rule = {.jaccard = true, .documents = true, .tau = 0.5};
    static const uint32_t sizes[] = {5000, 4300, 4200, 3000, 4097, 2000, 5000};
    static const uint32_t begins[] = {0, 300, 4000, 0, 900, 1000, 2500};
    struct stage_docs d = {0};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        stage_add_doc(&d);
        for (uint32_t n = 0; n < sizes[k]; n++) {
            if (n % 20 == 0)
                stage_add_unit(&d);
            stage_add_word(&d, begins[k] + n);
        }
    }
    const struct tried t =
        try_docs(SETS "words --units document --gamma 0 --join jaccard --tau 0.5", &rule, &d, true);
    CU_ASSERT_TRUE(t.pairs > 5 && t.pairs < 21);
    stage_docs_release(&d);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_exact_joins), PD_TEST(test_crowded),
                                        PD_TEST(test_buckets), PD_TEST(test_large_sets),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/stage/similar", tests);
}
