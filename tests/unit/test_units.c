/* Units of random documents against their definitions, one by one. */
#include "pardup/feature/units.h"

#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum { ROUNDS = 5000, MOST_BASE = 12, MOST_WORDS = 3 };

static struct pd_sentences base, units;
static struct pd_tokens tokens;

/* Words of one to three bytes with gaps between them; sentences reach a byte beyond their words. */
static void make_document(uint64_t *seed)
{
    uint32_t at = 0;
    base.n = tokens.n = 0;
    for (uint32_t n = pd_random_below(seed, MOST_BASE + 1); n > 0; n--) {
        struct pd_sentence s = {at, 0, (uint32_t)tokens.n, 1 + pd_random_below(seed, MOST_WORDS)};
        for (uint32_t k = 0; k < s.nwords; k++) {
            const uint32_t begin = at + pd_random_below(seed, 3);
            at = begin + 1 + pd_random_below(seed, 3);
            pd_tokens_push(&tokens, (struct pd_token){begin, at, 0});
        }
        s.end = ++at;
        at += pd_random_below(seed, 2);
        pd_sentences_push(&base, s);
    }
}

/* The unit that begins at base unit or word `k`; false: there is none. */
static bool slow_unit(const struct pd_units_form *form, size_t k, struct pd_sentence *out)
{
    if (form->kind == PD_FORM_GRAM) {
        if (k + form->size > tokens.n)
            return false;
        *out = (struct pd_sentence){tokens.v[k].begin, tokens.v[k + form->size - 1].end,
                                    (uint32_t)k, form->size};
        return true;
    }
    if (form->kind == PD_FORM_WHOLE && (k > 0 || base.n == 0))
        return false;
    const uint32_t size = form->kind == PD_FORM_BASE    ? 1
                          : form->kind == PD_FORM_WHOLE ? (uint32_t)base.n
                                                        : form->size;
    if (k + size > base.n)
        return false;
    *out = base.v[k];
    for (uint32_t x = 1; x < size; x++) {
        out->nwords += base.v[k + x].nwords;
        out->end = base.v[k + x].end;
    }
    return true;
}

static bool slow_indexed(const struct pd_units_form *form, uint32_t k)
{
    bool repeats = form->kind == PD_FORM_WINDOW && form->jump && k >= form->step;
    if (k % form->step != 0)
        return false;
    for (uint32_t x = 0; repeats && x < form->size; x++)
        repeats = base.v[k + x].nwords == base.v[k + x - form->step].nwords;
    return !repeats;
}

static void check_document(const struct pd_units_form *form, size_t *repeated)
{
    struct pd_sentence want;
    size_t n = 0;
    pd_units_derive(form, &base, &tokens, &units);
    for (; slow_unit(form, n, &want); n++) {
        const bool indexed = slow_indexed(form, (uint32_t)n);
        CU_ASSERT(n < units.n && memcmp(&units.v[n], &want, sizeof want) == 0);
        CU_ASSERT_EQUAL(pd_units_indexed(form, &base, (uint32_t)n), indexed);
        *repeated += !indexed && n % form->step == 0;
    }
    CU_ASSERT_EQUAL(units.n, n);
    CU_ASSERT_EQUAL(pd_units_count(form, base.n, tokens.n), n);
}

static void test_random_documents(void)
{
    uint64_t seed = 11;
    size_t repeated = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const struct pd_units_form form = {
            (enum pd_form_kind)pd_random_below(&seed, 4), 1 + pd_random_below(&seed, 5),
            1 + pd_random_below(&seed, 4), pd_random_below(&seed, 2)};
        make_document(&seed);
        check_document(&form, &repeated);
    }
    CU_ASSERT(repeated > 100); /* jumps were really taken */
    pd_sentences_release(&base);
    pd_sentences_release(&units);
    pd_tokens_release(&tokens);
}

/* Word counts 1 2 1 2 1 2: with step 2 every window but the first repeats, also the third. */
static void test_jump_compares_with_the_one_before(void)
{
    struct pd_sentence v[6];
    for (uint32_t k = 0; k < 6; k++)
        v[k] = (struct pd_sentence){0, 0, 0, 1 + k % 2};
    const struct pd_sentences six = {v, 6, 6};
    const struct pd_units_form form = {PD_FORM_WINDOW, 2, 2, true};
    CU_ASSERT(pd_units_indexed(&form, &six, 0));
    CU_ASSERT_FALSE(pd_units_indexed(&form, &six, 1));
    CU_ASSERT_FALSE(pd_units_indexed(&form, &six, 2));
    CU_ASSERT_FALSE(pd_units_indexed(&form, &six, 4));
    v[3].nwords = 9;
    CU_ASSERT(pd_units_indexed(&form, &six, 2));
    CU_ASSERT(pd_units_indexed(&form, &six, 4));
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_random_documents),
                                        PD_TEST(test_jump_compares_with_the_one_before),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "feature/units", tests);
}
