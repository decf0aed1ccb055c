/* Binary search finds what a scan of all records finds. */
#include "pardup/base/search.h"

#include "pardup/base/vec.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { MOST = 40, KEYS = 12 };

struct record {
    uint32_t other;
    uint64_t key;
};

/* n records with ascending keys below KEYS, some of them more than once, some none. */
static void make(struct record *recs, size_t n, uint64_t *seed)
{
    uint64_t key = 0;
    for (size_t k = 0; k < n; k++) {
        key += pd_random_below(seed, 3) == 0 ? pd_random_below(seed, 3) : 0;
        recs[k] = (struct record){pd_random_below(seed, KEYS), key};
    }
}

static void check(const struct record *recs, size_t n, uint64_t key)
{
    const size_t offset = offsetof(struct record, key);
    size_t first = 0, last = 0;
    uint64_t keys[MOST];
    uint32_t narrow[MOST];
    while (first < n && recs[first].key < key)
        first++;
    for (size_t k = 0; k < n; k++) {
        keys[k] = recs[k].key;
        narrow[k] = k + 1 == n ? UINT32_MAX : (uint32_t)recs[k].key;
        last = recs[k].key <= key ? k : last;
    }
    CU_ASSERT_EQUAL(pd_search_first(recs, n, sizeof *recs, offset, key), first);
    CU_ASSERT_EQUAL(pd_search_last(recs, n, sizeof *recs, offset, key), last);
    CU_ASSERT_EQUAL(pd_search_first(keys, n, sizeof *keys, 0, key), first);
    CU_ASSERT_EQUAL(pd_search_last(keys, n, sizeof *keys, 0, key), last);
    size_t first_narrow = 0;
    while (first_narrow < n && narrow[first_narrow] < key)
        first_narrow++;
    CU_ASSERT_EQUAL(pd_search_first_u32(narrow, n, sizeof *narrow, 0, key), first_narrow);
    CU_ASSERT_EQUAL(pd_search_has(keys, n, key), first < n && recs[first].key == key);
}

static void test_against_scan(void)
{
    struct record recs[MOST];
    uint64_t seed = 1;
    for (int k = 0; k < 500; k++) {
        const size_t n = pd_random_below(&seed, MOST + 1);
        make(recs, n, &seed);
        for (uint64_t key = 0; key < KEYS; key++)
            check(recs, n, key);
        check(recs, n, (uint64_t)UINT32_MAX + 1);
        check(recs, n, UINT64_MAX);
    }
}

static void test_nothing(void)
{
    CU_ASSERT_EQUAL(pd_search_first(NULL, 0, sizeof(uint64_t), 0, 1), 0);
    CU_ASSERT_EQUAL(pd_search_last(NULL, 0, sizeof(uint64_t), 0, 1), 0);
    CU_ASSERT_FALSE(pd_search_has(NULL, 0, 1));
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_against_scan), PD_TEST(test_nothing),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/search", tests);
}
