/* Dots of one document, as fans in any order, to pairs: against a list of all dots. */
#include "pardup/passage/pairing.h"

#include <stdlib.h>

#include "pardup/base/sort.h"
#include "pardup/join/classes.h"
#include "pd_cunit.h"
#include "pd_random.h"

struct dot {
    pd_doc b;
    uint64_t ij;
    double similarity;
};
PD_VEC(dots, struct dot);
PD_VEC(fan_bytes, uint64_t);
enum { A = 5, DOCUMENTS = 60, DOT_WORDS = 3, ROOM = 1 << 16 };

/* A class: units of A, and of later documents, with which they are as similar. */
static void add_class(struct fan_bytes *fans, struct dots *dots, uint64_t *seed, uint32_t *unit,
                      double similarity)
{
    struct pd_occurrence a[4], b[40];
    struct pd_expansion e = {0};
    static uint64_t room[ROOM / sizeof(uint64_t)];
    const bool plain = pd_random_below(seed, 2);
    size_t n, na = plain ? 1 : 1 + pd_random_below(seed, 4), nb = 0;
    for (size_t k = 0; k < na; k++)
        a[k] = (struct pd_occurrence){A, (*unit += 1 + pd_random_below(seed, 3)), 0};
    for (pd_doc doc = A; nb < 37; nb += plain ? 1 : 1 + pd_random_below(seed, 3)) {
        doc += 1 + pd_random_below(seed, DOCUMENTS / 8);
        if (doc > DOCUMENTS)
            break;
        for (size_t k = nb; k < nb + 3; k++) /* those beyond nb are overwritten */
            b[k] = (struct pd_occurrence){doc, (uint32_t)(pd_random_below(seed, 50) * 10 + k), 0};
        if (b[nb + 1].unit <= b[nb].unit || b[nb + 2].unit <= b[nb + 1].unit)
            b[nb + 1].unit = b[nb].unit + 1, b[nb + 2].unit = b[nb].unit + 2;
    }
    for (size_t x = 0; x < na; x++)
        for (size_t y = 0; y < nb; y++)
            dots_push(dots, (struct dot){b[y].doc, pd_ij(a[x].unit, b[y].unit), similarity});
    pd_expansion_begin(&e, &(struct pd_matching){a, b, na, nb, similarity}, 0);
    CU_ASSERT(pd_expansion_write(&e, (unsigned char *)room, sizeof room, &n));
    fan_bytes_append(fans, room, n / sizeof *room);
    pd_expansion_release(&e);
}

static void list_block(const struct pd_block *block, struct dots *dots)
{
    CU_ASSERT_EQUAL(block->a, A);
    for (uint32_t i = 0; i < block->ni; i++)
        for (uint32_t j = 0; j < block->nj; j++)
            dots_push(dots,
                      (struct dot){block->b, pd_ij(block->units[i], block->units[block->ni + j]),
                                   pd_block_similarity(block)});
}

static void list_pair(const struct pd_pair_dots *pair, struct dots *dots)
{
    for (size_t k = 0; k < pair->n; k++)
        if (pair->dots) {
            CU_ASSERT(k == 0 || pair->dots[k - 1] < pair->dots[k]);
            dots_push(dots, (struct dot){pair->b, pair->dots[k], 1});
        } else {
            CU_ASSERT_EQUAL(pair->blocks[k]->b, pair->b);
            list_block(pair->blocks[k], dots);
        }
}

/* Sentences of A that have a dot with b; each stands in one class. */
static size_t rows_of(const struct dots *dots, pd_doc b)
{
    char seen[1000] = {0};
    size_t rows = 0;
    for (size_t k = 0; k < dots->n; k++)
        if (dots->v[k].b == b && !seen[dots->v[k].ij >> 32]++)
            rows++;
    return rows;
}

static void sort_dots(struct dots *dots)
{
    pd_sort_records(dots->v, dots->n, DOT_WORDS, DOT_WORDS);
}

static void compare(struct dots *got, const struct dots *want, uint32_t gamma)
{
    size_t n = 0;
    sort_dots(got);
    for (size_t k = 0; k < want->n; k++)
        if (rows_of(want, want->v[k].b) > gamma) {
            CU_ASSERT(n < got->n && memcmp(&got->v[n], &want->v[k], sizeof *want->v) == 0);
            n++;
        }
    CU_ASSERT_EQUAL(n, got->n);
}

static void add_fans(struct pd_pairing *p, const struct fan_bytes *fans)
{
    pd_pairing_begin(p, A);
    for (size_t at = 0; at < fans->n;) {
        const struct pd_fan *fan = (const struct pd_fan *)(const void *)(fans->v + at);
        const size_t before = pd_pairing_bytes(p);
        pd_pairing_add(p, fan);
        CU_ASSERT(pd_pairing_bytes(p) > before);
        at += fan->size / sizeof *fans->v;
    }
}

static void check(struct pd_pairing *p, uint64_t seed, int classes, bool similar)
{
    struct fan_bytes fans = {0};
    struct dots want = {0}, got = {0};
    uint32_t unit = 0;
    for (int k = 0; k < classes; k++)
        add_class(&fans, &want, &seed, &unit, similar && pd_random_below(&seed, 3) == 0 ? 0.75 : 1);
    sort_dots(&want);
    for (uint32_t gamma = 0; gamma < 5; gamma += 2) {
        struct pd_pair_dots pair = {0};
        pd_doc before = A;
        add_fans(p, &fans);
        pd_pairing_end(p, gamma);
        for (got.n = 0; pd_pairing_next(p, &pair); before = pair.b) {
            CU_ASSERT(pair.a == A && pair.b > before && pair.n > 0);
            list_pair(&pair, &got);
        }
        compare(&got, &want, gamma);
    }
    add_fans(p, &fans);
    got.n = 0;
    for (const struct pd_block *block; (block = pd_pairing_block(p));)
        list_block(block, &got);
    compare(&got, &want, 0);
    fan_bytes_release(&fans);
    dots_release(&want);
    dots_release(&got);
}

static void test_against_all_dots(void)
{
    struct pd_pairing *p = pd_pairing_new();
    for (uint64_t seed = 1; seed < 40; seed++)
        check(p, seed, (int)seed, seed % 2);
    pd_pairing_free(p);
}

/* A fan of one sentence each, of a and b. */
static void add_dot(struct pd_pairing *p, uint32_t i, uint32_t j)
{
    const struct pd_occurrence a = {A, i, 0}, b = {A + 1, j, 0};
    struct pd_expansion e = {0};
    uint64_t room[8];
    size_t n;
    pd_expansion_begin(&e, &(struct pd_matching){&a, &b, 1, 1, 1}, 0);
    CU_ASSERT(pd_expansion_write(&e, (unsigned char *)room, sizeof room, &n));
    pd_pairing_add(p, (const struct pd_fan *)(const void *)room);
    pd_expansion_release(&e);
}

/* A sentence may be in several fans. */
static void test_dots_come_in_order(void)
{
    struct pd_pairing *p = pd_pairing_new();
    struct pd_pair_dots pair;
    pd_pairing_begin(p, A);
    add_dot(p, 6, 1);
    add_dot(p, 3, 9);
    add_dot(p, 3, 4);
    pd_pairing_end(p, 2);
    CU_ASSERT_FATAL(pd_pairing_next(p, &pair) && pair.n == 3 && pair.dots);
    CU_ASSERT_EQUAL(pair.dots[0], pd_ij(3, 4));
    CU_ASSERT_EQUAL(pair.dots[1], pd_ij(3, 9));
    CU_ASSERT_EQUAL(pair.dots[2], pd_ij(6, 1));
    CU_ASSERT(!pd_pairing_next(p, &pair));
    pd_pairing_free(p);
}

/*
 * n sentences of a, each of which is each of n of the next document, and one that is another one
 * there.
 */
static void pair_of_square(struct pd_pairing *p, uint32_t n, struct pd_pair_dots *pair)
{
    struct pd_occurrence v[2 * 40];
    struct pd_expansion e = {0};
    static uint64_t room[ROOM / sizeof(uint64_t)];
    size_t bytes;
    for (uint32_t k = 0; k < 2 * n; k++)
        v[k] = (struct pd_occurrence){k < n ? A : A + 1, 10 + k, 0};
    pd_expansion_begin(&e, &(struct pd_matching){v, v + n, n, n, 1}, 0);
    CU_ASSERT(pd_expansion_write(&e, (unsigned char *)room, sizeof room, &bytes));
    pd_pairing_begin(p, A);
    pd_pairing_add(p, (const struct pd_fan *)(const void *)room);
    add_dot(p, 3, 4);
    pd_pairing_end(p, n);
    CU_ASSERT_FATAL(pd_pairing_next(p, pair));
    pd_expansion_release(&e);
}

/* Dots are laid out as long as they are few. */
static void test_many_dots_stay_a_block(void)
{
    struct pd_pairing *p = pd_pairing_new();
    struct pd_pair_dots pair;
    pair_of_square(p, 3, &pair);
    CU_ASSERT(pair.dots && pair.n == 1 + 3 * 3);
    pair_of_square(p, 40, &pair);
    CU_ASSERT_FATAL(!pair.dots && pair.n == 2);
    CU_ASSERT(pair.blocks[0]->ni == 1 && pair.blocks[1]->ni == 40 && pair.blocks[1]->nj == 40);
    pd_pairing_free(p);
}

/* More documents than the table has room for at first. */
static void test_many_documents(void)
{
    enum { MANY = 5000 };
    struct pd_pairing *p = pd_pairing_new();
    struct pd_occurrence v[MANY];
    struct pd_expansion e = {0};
    struct pd_pair_dots pair;
    static uint64_t room[ROOM / sizeof(uint64_t)];
    size_t n, pairs = 0;
    for (uint32_t k = 0; k < MANY; k++)
        v[k] = (struct pd_occurrence){(pd_doc)k << 12, 7 + k, 0};
    pd_expansion_begin(&e, &(struct pd_matching){v, v + 1, 1, MANY - 1, 1}, 0);
    CU_ASSERT(pd_expansion_write(&e, (unsigned char *)room, sizeof room, &n));
    for (int times = 0; times < 2; times++, pairs = 0) {
        pd_pairing_begin(p, 0);
        pd_pairing_add(p, (const struct pd_fan *)(const void *)room);
        pd_pairing_end(p, 0);
        for (; pd_pairing_next(p, &pair); pairs++) {
            CU_ASSERT_EQUAL(pair.b, (pd_doc)(pairs + 1) << 12);
            CU_ASSERT(pair.n == 1 && pair.dots && pair.dots[0] == pd_ij(7, 8 + (uint32_t)pairs));
        }
        CU_ASSERT_EQUAL(pairs, MANY - 1);
    }
    pd_expansion_release(&e);
    pd_pairing_free(p);
}

/* A fan that says: document A has `na` units and is equal to document b, which has `nb`. */
static void add_whole(struct pd_pairing *p, pd_doc b, uint32_t na, uint32_t nb)
{
    static uint64_t room[ROOM / sizeof(uint64_t)];
    const struct pd_occurrence v[] = {{A, na, PD_WHOLE}, {b, nb, PD_WHOLE}};
    struct pd_expansion e = {0};
    size_t n;
    pd_expansion_begin(&e, &(struct pd_matching){v, v + 1, 1, 1, 1}, 0);
    CU_ASSERT(pd_expansion_write(&e, (unsigned char *)room, sizeof room, &n));
    pd_pairing_add(p, (const struct pd_fan *)(const void *)room);
    pd_expansion_release(&e);
}

/* Equal documents are a pair whatever gamma is, and their dots are not listed. */
static void test_equal_documents(void)
{
    struct pd_pairing *p = pd_pairing_new();
    struct pd_pair_dots pair;
    const struct pd_block *block;
    int wholes = 0, dots = 0;
    for (int pour = 0; pour < 2; pour++) {
        pd_pairing_begin(p, A);
        add_dot(p, 3, 4); /* of document A + 1, as the next line shows */
        add_whole(p, A + 1, 7, 8);
        add_whole(p, A + 2, 7, 9);
        if (pour)
            break;
        pd_pairing_end(p, 5);
        for (uint32_t k = 1; k < 3; k++) {
            CU_ASSERT_FATAL(pd_pairing_next(p, &pair) && pair.b == A + k && pair.n == 1);
            CU_ASSERT_FATAL(!pair.dots && pd_block_is_whole(pair.blocks[0]));
            CU_ASSERT(pair.blocks[0]->a == A && pair.blocks[0]->b == A + k);
            CU_ASSERT(pair.blocks[0]->units[0] == 7 && pair.blocks[0]->units[1] == 7 + k);
            CU_ASSERT_EQUAL(pair.blocks[0]->size, pd_block_size(1, 1));
        }
        CU_ASSERT(!pd_pairing_next(p, &pair));
    }
    while ((block = pd_pairing_block(p)))
        *(pd_block_is_whole(block) ? &wholes : &dots) += 1;
    CU_ASSERT(wholes == 2 && dots == 1);
    pd_pairing_free(p);
}

/* A fan that says: document A and document b share text as brief documents do. */
static void add_brief(struct pd_pairing *p, pd_doc b, uint32_t unit_a, uint32_t unit_b)
{
    static uint64_t room[ROOM / sizeof(uint64_t)];
    const unsigned flags = PD_WHOLE | PD_BRIEF;
    const struct pd_occurrence v[] = {
        {A, unit_a, flags}, {A, 8, flags}, {b, unit_b, flags}, {b, 30, flags}};
    struct pd_expansion e = {0};
    size_t n;
    pd_expansion_begin(&e, &(struct pd_matching){v, v + 2, 2, 2, 1}, 0);
    CU_ASSERT(pd_expansion_write(&e, (unsigned char *)room, sizeof room, &n));
    CU_ASSERT_EQUAL(((const struct pd_fan *)(const void *)room)->kind, PD_FAN_BRIEF);
    pd_pairing_add(p, (const struct pd_fan *)(const void *)room);
    pd_expansion_release(&e);
}

static bool is_brief(const struct pd_brief *v, uint32_t first_a, uint32_t first_b)
{
    return v && v->first_a == first_a && v->last_a == 8 && v->first_b == first_b && v->last_b == 30;
}

/* Brief documents are a pair whatever gamma is, once, beside their dots. */
static void test_brief_documents(void)
{
    struct pd_pairing *p = pd_pairing_new();
    struct pd_pair_dots pair;
    const struct pd_block *block;
    int briefs = 0, others = 0;
    for (int pour = 0; pour < 2; pour++) {
        pd_pairing_begin(p, A);
        add_brief(p, A + 2, 5, 20);
        add_dot(p, 3, 4); /* of document A + 1 */
        add_brief(p, A + 1, 7, 20);
        add_brief(p, A + 1, 6, 25); /* as if a part of the units were in another fan */
        add_brief(p, A + 3, 6, 20);
        add_whole(p, A + 3, 9, 31);
        if (pour)
            break;
        pd_pairing_end(p, 5);
        CU_ASSERT_FATAL(pd_pairing_next(p, &pair) && pair.b == A + 1);
        CU_ASSERT(pair.n == 1 && pair.dots && pair.dots[0] == pd_ij(3, 4));
        CU_ASSERT(is_brief(pair.brief, 6, 20));
        CU_ASSERT_FATAL(pd_pairing_next(p, &pair) && pair.b == A + 2);
        CU_ASSERT(pair.n == 0 && is_brief(pair.brief, 5, 20));
        CU_ASSERT_FATAL(pd_pairing_next(p, &pair) && pair.b == A + 3);
        CU_ASSERT(pair.n == 1 && !pair.dots && pd_block_is_whole(pair.blocks[0]));
        CU_ASSERT(!pd_pairing_next(p, &pair));
    }
    while ((block = pd_pairing_block(p))) {
        CU_ASSERT(!pd_block_brief(block) || !pd_block_is_whole(block));
        if (pd_block_brief(block) && block->b == A + 1)
            CU_ASSERT(block->a == A && is_brief(pd_block_brief(block), 6, 20));
        *(pd_block_brief(block) ? &briefs : &others) += 1;
    }
    CU_ASSERT(briefs == 3 && others == 2);
    pd_pairing_free(p);
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {PD_TEST(test_brief_documents),
                                  PD_TEST(test_against_all_dots),
                                  PD_TEST(test_dots_come_in_order),
                                  PD_TEST(test_many_dots_stay_a_block),
                                  PD_TEST(test_equal_documents),
                                  PD_TEST(test_many_documents),
                                  CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/pairing", tests);
}
