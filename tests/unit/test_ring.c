/* tests/unit/test_ring.c - a ring has what was put into it last, as it was put there. */
#include "run/job/dedup/ring.h"

#include <stdbool.h>
#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum { ROOM = 1000, THINGS = 40, MOST = 300, ROUNDS = 20000 };

/* Fill n bytes that tell the thing. */
static void fill(unsigned char *v, size_t thing, size_t n) { memset(v, (int)thing + 1, n); }

static bool is_filled(const unsigned char *v, size_t thing, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (v[k] != thing + 1)
            return false;
    return true;
}

static void test_has_what_was_put_last(void)
{
    struct pd_ring h;
    size_t sizes[THINGS] = {0}, found = 0;
    uint64_t seed = 3;
    pd_ring_open(&h, ROOM);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t thing = pd_random_below(&seed, THINGS);
        const unsigned char *v = pd_ring_find(&h, thing);
        found += v != NULL;
        if (v) {
            CU_ASSERT_TRUE((size_t)(v - h.ring) % 8 == 0 && is_filled(v, thing, sizes[thing]));
            continue;
        }
        const size_t n = sizes[thing] = pd_random_below(&seed, MOST);
        unsigned char *place = pd_ring_put(&h, thing, n);
        CU_ASSERT_PTR_NOT_NULL_FATAL(place);
        CU_ASSERT_TRUE(place >= h.ring && place + n <= h.ring + ROOM);
        fill(place, thing, n);
        CU_ASSERT_PTR_EQUAL(pd_ring_find(&h, thing), place);
    }
    CU_ASSERT_TRUE(found > ROUNDS / 20); /* some six of 40 things are there */
    pd_ring_close(&h);
}

static void test_without_room(void)
{
    struct pd_ring h;
    pd_ring_open(&h, ROOM);
    CU_ASSERT_PTR_NULL(pd_ring_put(&h, 0, ROOM + 1));
    CU_ASSERT_PTR_NULL(pd_ring_find(&h, 0));
    CU_ASSERT_PTR_NOT_NULL(pd_ring_put(&h, 0, ROOM));
    CU_ASSERT_PTR_NOT_NULL(pd_ring_find(&h, 0));
    pd_ring_close(&h);
    pd_ring_open(&h, 0);
    CU_ASSERT_PTR_NULL(pd_ring_put(&h, 0, 0));
    CU_ASSERT_PTR_NULL(pd_ring_find(&h, 0));
    pd_ring_close(&h);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_has_what_was_put_last),
                                        PD_TEST(test_without_room), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/job/dedup/ring", tests);
}
