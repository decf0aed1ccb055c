/*
 * tests/stage/test_run_look_up.c - the classes of an index that are similar to a set, beside slow code.
 */
#include <stdio.h>

#include "run/job/check/look_up.h"
#include "run/stage/classes/sign.h"
#include "stage.h"

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
    stage_make_index(&d, options, seed % 2);
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
    static const CU_TestInfo tests[] = {PD_TEST(test_similar_classes), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/job/check/look_up", tests);
}
