/* tests/unit/test_templates.c - templates of a site, against the rule in join/templates.h. */
#include "pardup/join/templates.h"

#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum {
    DOCUMENTS = 100, /* documents that may have the text: more than are looked at */
    LOOKED_AT = 64,
    ROUNDS = 20000,
    UNITS = 12
};

/* ---- the traits of a document ---- */

/* The rule: the trait number k (0: the first) of a document, or a unit without words. */
static struct pd_stand trait_by_rule(const struct pd_stand *v, size_t n, int k)
{
    bool taken[UNITS] = {false};
    struct pd_stand trait = {0};
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += v[i].nwords;
    for (; k >= 0; k--) {
        size_t best = n;
        uint64_t before = 0;
        for (size_t i = 0; i < n; before += v[i].nwords, i++) {
            const uint64_t middle = 5 * (2 * before + v[i].nwords);
            const bool inner = 2 * all <= middle && middle <= 8 * all;
            if (inner && !taken[i] && (best == n || v[i].nwords > v[best].nwords))
                best = i;
        }
        if (best == n)
            return (struct pd_stand){0};
        taken[best] = true;
        trait = v[best];
    }
    return trait;
}

static void test_traits(void)
{
    uint64_t seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_stand v[UNITS];
        const size_t n = pd_random_below(&seed, UNITS + 1);
        for (size_t k = 0; k < n; k++)
            v[k] = (struct pd_stand){1 + pd_random_below(&seed, 5), (uint32_t)k,
                                     1 + pd_random_below(&seed, 6), false};
        uint64_t expected = 0;
        for (int k = 0; k < 3; k++) {
            const struct pd_stand trait = trait_by_rule(v, n, k);
            expected = expected << 21 | (trait.nwords ? pd_mix(trait.words) >> 43 : 0);
        }
        CU_ASSERT_EQUAL(pd_traits_of(v, n), expected);
    }
}

/* ---- the judgement of a text ---- */

/* A text of `words` words in a site of `pages` documents that are no stubs. */
struct text {
    struct pd_standing v[2 * DOCUMENTS];
    size_t n;
    uint64_t words, pages;
    bool imprint;
    bool stubs[DOCUMENTS];
    uint64_t sites[DOCUMENTS];
    uint32_t traits[DOCUMENTS][3];
};

/* Add document `doc`, which has the text in `times` units. */
static void add(struct text *t, pd_doc doc, int times)
{
    const uint32_t *trait = t->traits[doc];
    const uint64_t traits = (uint64_t)trait[0] << 42 | (uint64_t)trait[1] << 21 | trait[2];
    for (int k = 0; k < times; k++) {
        const struct pd_stand s = {7, (uint32_t)k, (uint32_t)t->words, false};
        const uint64_t stub = t->stubs[doc] ? PD_STANDING_STUB : 0;
        t->v[t->n++] = t->imprint ? pd_standing_at_end(&s, t->sites[doc], doc, traits | stub)
                                  : pd_standing_of(&s, 7, t->pages, doc, traits | stub);
    }
}

/* How many different k-th traits the first LOOKED_AT documents have that are no stubs. */
static uint64_t different(const struct text *t, const pd_doc *docs, uint64_t p, int k)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < p && i < LOOKED_AT; i++) {
        bool before = false;
        for (uint64_t j = 0; j < i; j++)
            before |= t->traits[docs[j]][k] == t->traits[docs[i]][k];
        found += !before;
    }
    return found;
}

static uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* The rule: is the text of documents docs[0, p), which are no stubs, a template? */
static bool goes_by_rule(const struct text *t, const pd_doc *docs, uint64_t p)
{
    const uint64_t n = t->words, all = t->pages, q = p < LOOKED_AT ? p : LOOKED_AT;
    const uint64_t d =
        middle_of(different(t, docs, p, 0), different(t, docs, p, 1), different(t, docs, p, 2));
    uint64_t sites = 0;
    for (uint64_t i = 0; i < q; i++) {
        bool before = false;
        for (uint64_t j = 0; j < i; j++)
            before |= t->sites[docs[j]] == t->sites[docs[i]];
        sites += !before;
    }
    if (t->imprint)
        return sites >= 3 && 4 * sites >= q && d >= 3 && p >= 8 + n / 32 && 16 * p * p >= all &&
               5 * d >= 3 * q;
    return d >= 3 && ((4 * p >= 3 * all && 4 * d >= q) || (4 * p >= all && 2 * d >= q) ||
                      (p >= 3 + n / 32 && 16 * p * p >= all && 10 * d >= 9 * q));
}

/* Stray text goes that two documents of one site have, or three of any; a document counts once. */
static void test_stray(void)
{
    const struct pd_stand s = {7, 0, 20, true};
    static const struct {
        uint64_t sites[4]; /* of the documents of `docs`; 0: none */
        pd_doc docs[4];
        bool goes;
    } cases[] = {
        {{5}, {1}, false},
        {{5, 5}, {1, 1}, false},
        {{5, 5}, {1, 2}, true},
        {{5, 6}, {1, 2}, false},
        {{5, 6, 6}, {1, 2, 2}, false},
        {{5, 6, 7}, {1, 2, 3}, true},
        {{5, 6, 5}, {1, 2, 3}, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct pd_standing v[4];
        struct pd_template found;
        size_t n = 0;
        for (; n < 4 && cases[k].sites[n]; n++)
            v[n] = pd_standing_astray(&s, cases[k].sites[n], cases[k].docs[n],
                                      k % 2 ? PD_STANDING_STUB : 3);
        CU_ASSERT_EQUAL(pd_template_judge(v, n, 100, &found),
                        cases[k].goes ? PD_TEXT_GOES : PD_TEXT_STAYS);
    }
}

/* Draw a text: documents that differ or are copies, some of them stubs, in sites of all sizes. */
static void draw(uint64_t *seed, struct text *t)
{
    const uint32_t ndocs = 1 + pd_random_below(seed, pd_random_below(seed, 4) ? 12 : DOCUMENTS);
    const uint32_t kinds = 1 + pd_random_below(seed, 2 * ndocs), stubs = pd_random_below(seed, 3);
    uint64_t p = 0;
    *t = (struct text){.words = 1 + pd_random_below(seed, 200),
                       .imprint = pd_random_below(seed, 3) == 0};
    for (uint32_t doc = 0; doc < ndocs; doc++) {
        for (int k = 0; k < 3; k++)
            t->traits[doc][k] = pd_random_below(seed, kinds);
        t->sites[doc] = 1000 + pd_random_below(seed, 1 + ndocs / 3);
        t->stubs[doc] = stubs && pd_random_below(seed, 4) < stubs;
        p += !t->stubs[doc];
    }
    t->pages = p + (pd_random_below(seed, 2) ? pd_random_below(seed, (uint32_t)(4 * p + 1))
                                             : pd_random_below(seed, (uint32_t)(17 * p * p + 1)));
    for (uint32_t doc = 0; doc < ndocs; doc++)
        add(t, doc, 1 + (pd_random_below(seed, 5) == 0));
}

static void check(const struct text *t)
{
    pd_doc docs[DOCUMENTS];
    uint64_t p = 0, stubs = 0, documents = 0;
    pd_doc first = UINT64_MAX, first_stub = UINT64_MAX;
    for (size_t k = 0; k < t->n; k++) {
        const pd_doc doc = pd_standing_doc(&t->v[k]);
        if (k > 0 && doc == pd_standing_doc(&t->v[k - 1]))
            continue;
        first = documents++ ? first : doc;
        if (!t->stubs[doc])
            docs[p++] = doc;
        else if (stubs++ == 0)
            first_stub = doc;
    }
    struct pd_template found = {0};
    const enum pd_judgement said = pd_template_judge(t->v, t->n, t->pages, &found);
    if (goes_by_rule(t, docs, p)) {
        CU_ASSERT_EQUAL(said, PD_TEXT_GOES);
        CU_ASSERT_EQUAL(found.doc, first);
        CU_ASSERT_EQUAL(found.pages, documents);
    } else if (stubs) {
        CU_ASSERT_EQUAL(said, PD_TEXT_LEAVES_STUBS);
        CU_ASSERT_EQUAL(found.doc, first_stub);
        CU_ASSERT_EQUAL(found.pages, stubs);
    } else {
        CU_ASSERT_EQUAL(said, PD_TEXT_STAYS);
    }
    if (said != PD_TEXT_STAYS) {
        CU_ASSERT_EQUAL(found.words, t->words);
        CU_ASSERT_EQUAL(found.why, t->imprint             ? PD_ASIDE_IMPRINT
                                   : said == PD_TEXT_GOES ? PD_ASIDE_TEMPLATE
                                                          : PD_ASIDE_STUB);
        CU_ASSERT_EQUAL(found.unit, 0);
        CU_ASSERT_EQUAL(found.text, t->v[0].text);
    }
}

static void test_judgement(void)
{
    uint64_t seed = 2;
    static struct text t;
    for (int round = 0; round < ROUNDS; round++) {
        draw(&seed, &t);
        check(&t);
    }
}

/* Imprints are short texts among the first or last five. */
static void test_ends(void)
{
    CU_ASSERT_TRUE(pd_imprint_fits(4, 11, 100));
    CU_ASSERT_FALSE(pd_imprint_fits(5, 11, 1));
    CU_ASSERT_TRUE(pd_imprint_fits(6, 11, 1));
    CU_ASSERT_FALSE(pd_imprint_fits(0, 11, 101));
    CU_ASSERT_TRUE(pd_imprint_fits(5, 10, 1));
}

/* A document keeps its templates if more than nine tenths of its words stand in them. */
static void test_documents_that_say_little(void)
{
    CU_ASSERT_FALSE(pd_template_keeps(10, 9));
    CU_ASSERT_TRUE(pd_template_keeps(11, 10));
    CU_ASSERT_FALSE(pd_template_keeps(0, 0));
}

/* Three fifths of at least three documents are articles. */
static void test_sites_of_articles(void)
{
    CU_ASSERT(!pd_site_is_of_articles(0, 0));
    CU_ASSERT(!pd_site_is_of_articles(2, 2));
    CU_ASSERT(!pd_site_is_of_articles(3, 1));
    CU_ASSERT(pd_site_is_of_articles(3, 2));
    CU_ASSERT(!pd_site_is_of_articles(10, 5));
    CU_ASSERT(pd_site_is_of_articles(10, 6));
    CU_ASSERT(pd_site_is_of_articles((uint64_t)1 << 60, (uint64_t)3 << 58));
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_traits),
                                        PD_TEST(test_stray),
                                        PD_TEST(test_judgement),
                                        PD_TEST(test_ends),
                                        PD_TEST(test_documents_that_say_little),
                                        PD_TEST(test_sites_of_articles),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "join/templates", tests);
}
