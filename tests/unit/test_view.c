/* A document with a frame, and the file of what is set aside, against counting words one by one. */
#include "run/view.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pd_cunit.h"
#include "pd_random.h"
#include "run/stage/aside_file.h"

enum { MOST = 14 };

struct made {
    struct pd_sentences all;
    struct pd_tokens tokens;
    struct pd_word_numbers others; /* numbered base units that are set aside */
    bool in_frame[MOST], aside[MOST * 5];
    struct pd_sentences base;    /* base units outside the frame */
    struct pd_word_numbers left; /* words outside the frame */
};

static void make(struct made *m, uint64_t *seed)
{
    const uint32_t n = pd_random_below(seed, MOST + 1);
    m->all.n = m->tokens.n = m->others.n = m->base.n = m->left.n = 0;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t nwords = 1 + pd_random_below(seed, 5), word = (uint32_t)m->tokens.n;
        const bool other = pd_random_below(seed, 4) == 0;
        m->in_frame[k] = pd_random_below(seed, 3) == 0;
        memset(m->aside + word, m->in_frame[k] || other, nwords);
        const struct pd_sentence unit = {10 * word, 10 * (word + nwords) - 1, word, nwords};
        for (uint32_t w = word; w < word + nwords; w++) {
            pd_tokens_push(&m->tokens, (struct pd_token){10 * w, 10 * w + 9, w});
            if (!m->in_frame[k])
                pd_word_numbers_push(&m->left, w);
        }
        if (other && !m->in_frame[k])
            pd_word_numbers_push(&m->others, (uint32_t)m->base.n);
        if (!m->in_frame[k])
            pd_sentences_push(&m->base, unit);
        pd_sentences_push(&m->all, unit);
    }
}

/* Unit k of the document, by base units or words that are outside the frame. */
static struct pd_sentence slow_unit(const struct made *m, const struct pd_units_form *form,
                                    size_t k)
{
    const bool grams = form->kind == PD_FORM_GRAM;
    const size_t size = form->kind == PD_FORM_BASE    ? 1
                        : form->kind == PD_FORM_WHOLE ? m->base.n
                                                      : form->size;
    const uint32_t from = grams ? m->left.v[k] : m->base.v[k].word;
    const struct pd_sentence *last = &m->base.v[grams ? 0 : k + size - 1];
    const uint32_t to = grams ? m->left.v[k + size - 1] + 1 : last->word + last->nwords;
    return (struct pd_sentence){10 * from, 10 * to - 1, from, to - from};
}

static void test_random_documents(void)
{
    struct made m = {0};
    struct pd_view view = {0};
    uint64_t seed = 5;
    for (int round = 0; round < 2000; round++) {
        const struct pd_units_form form = {(enum pd_form_kind)pd_random_below(&seed, 4),
                                           1 + pd_random_below(&seed, 4), 1, false};
        make(&m, &seed);
        const struct pd_view_asides asides = {m.in_frame, m.others.v, m.others.n};
        pd_view_make(&view, &form, &m.all, &m.tokens, &asides);
        CU_ASSERT_EQUAL_FATAL(view.units->n, pd_units_count(&form, m.base.n, m.left.n));
        for (size_t k = 0; k < view.units->n; k++) {
            const struct pd_sentence want = slow_unit(&m, &form, k);
            CU_ASSERT(memcmp(&view.units->v[k], &want, sizeof want) == 0);
        }
        for (uint32_t k = 0; k < m.base.n; k++)
            CU_ASSERT(memcmp(&m.all.v[pd_view_row(&view, k)], &m.base.v[k], sizeof *m.base.v) == 0);
        uint32_t own = 0;
        for (uint32_t word = 0; word <= m.tokens.n; own += !m.aside[word++])
            CU_ASSERT_EQUAL(pd_own_words(&view.asides, word), own);
    }
    pd_view_release(&view);
    pd_sentences_release(&m.all);
    pd_tokens_release(&m.tokens);
    pd_word_numbers_release(&m.others);
    pd_sentences_release(&m.base);
    pd_word_numbers_release(&m.left);
}

/* Without a frame, units are those of the document itself. */
static void test_no_frame(void)
{
    struct pd_sentence units[] = {{0, 9, 0, 1}, {10, 29, 1, 2}};
    const struct pd_sentences all = {units, 2, 2};
    const struct pd_tokens tokens = {0};
    const struct pd_units_form form = {PD_FORM_BASE, 1, 1, false};
    const uint32_t aside = 1;
    const struct pd_view_asides asides = {NULL, &aside, 1};
    struct pd_view view = {0};
    pd_view_make(&view, &form, &all, &tokens, &asides);
    CU_ASSERT_PTR_EQUAL(view.units, &all);
    CU_ASSERT_EQUAL(pd_own_words(&view.asides, 3), 1);
    CU_ASSERT_EQUAL(pd_view_row(&view, 1), 1);
    pd_view_release(&view);
}

enum { DOCUMENTS = 60000, UNITS_MOST = 40 };

/* What document k has: the same each time. */
static struct pd_aside_units units_of(uint64_t k, uint32_t *v)
{
    uint64_t seed = k + 1;
    struct pd_aside_units units = {
        .v = v, .n = pd_random_below(&seed, 5) ? 0 : 1, .stub = k % 97 == 3};
    units.n *= pd_random_below(&seed, UNITS_MOST);
    for (size_t i = 0; i < units.n; i++)
        v[i] = (uint32_t)(2 * i + k % 2);
    units.nignored = units.n ? k % (units.n + 1) : 0; /* the last ones */
    units.ignored = v + units.n - units.nignored;
    return units;
}

static void expect(struct pd_aside_file *f, uint64_t k)
{
    uint32_t v[UNITS_MOST];
    const struct pd_aside_units want = units_of(k, v);
    struct pd_aside_units got;
    CU_ASSERT_EQUAL(pd_aside_file_find(f, 3 * k, &got), 0);
    CU_ASSERT(got.n == want.n && got.stub == want.stub);
    CU_ASSERT(got.n == 0 || memcmp(got.v, want.v, got.n * sizeof *got.v) == 0);
    CU_ASSERT_EQUAL(pd_aside_file_find(f, 3 * k + 1, &got), 0);
    CU_ASSERT(got.n == 0 && !got.stub);
}

static void test_aside_file(void)
{
    struct pd_aside_file f = {.file = NULL};
    struct pd_aside_units none;
    uint32_t v[UNITS_MOST];
    uint64_t seed = 9;
    char path[64];
    snprintf(path, sizeof path, "aside.%ld", (long)getpid());
    CU_ASSERT_EQUAL(pd_aside_file_find(&f, 7, &none), 0);
    CU_ASSERT_EQUAL(none.n, 0);
    for (uint64_t k = 0; k < DOCUMENTS; k++) {
        const struct pd_aside_units units = units_of(k, v);
        CU_ASSERT_EQUAL_FATAL(pd_aside_file_add(&f, path, 3 * k, &units), 0);
    }
    CU_ASSERT_EQUAL_FATAL(pd_aside_file_end(&f), 0);
    CU_ASSERT(f.blocks.n > 2);
    for (uint64_t k = 0; k < DOCUMENTS; k += 1 + pd_random_below(&seed, 9))
        expect(&f, k);
    for (int round = 0; round < 3000; round++)
        expect(&f, pd_random_below(&seed, DOCUMENTS));
    pd_aside_file_close(&f);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_random_documents), PD_TEST(test_no_frame),
                                        PD_TEST(test_aside_file), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/view", tests);
}
