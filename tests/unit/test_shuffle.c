/*
 * What is sent comes back sorted, on one rank without MPI: in memory and spilled, of one size and
 * of any.
 */
#include "run/shuffle.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "pd_cunit.h"
#include "pd_random.h"
#include "pd_scratch.h"

struct rec {
    uint32_t size, odd; /* odd: other bits than the key's, in front of it */
    uint64_t key;
    uint64_t body[]; /* (size - 16) / 8 times the key */
};

struct source {
    uint64_t seed;
    size_t left; /* records to send */
    size_t body; /* u64s of a record, at most */
    uint64_t range;
};

static struct pd_comm alone;
static struct pd_scratch scratch;
static struct pd_traffic moved;
static struct pd_transport transport = {&alone, &scratch, 0, &moved};

static int fill(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct source *s = ctx;
    for (*n = 0; s->left > 0; s->left--) {
        const size_t body = s->body ? pd_random_below(&s->seed, (uint32_t)s->body + 1) : 0;
        struct rec *rec = (struct rec *)(void *)(to + *n);
        if (cap - *n < sizeof *rec + s->body * sizeof *rec->body)
            return PD_OK;
        *rec = (struct rec){.size = (uint32_t)(sizeof *rec + body * sizeof *rec->body),
                            .key = pd_random(&s->seed) % s->range};
        rec->odd = ~(uint32_t)rec->key;
        for (size_t k = 0; k < body; k++)
            rec->body[k] = rec->key;
        *n += rec->size;
    }
    return PD_END;
}

static int only_rank(const void *rec, int nranks, void *ctx)
{
    (void)rec, (void)ctx;
    return nranks - 1;
}

static bool drop_odd(const void *rec, void *ctx)
{
    const uint64_t key = ((const struct rec *)rec)->key;
    uint64_t *sum = ctx;
    *sum += key;
    return key % 2 == 0;
}

/* The keys that a source sends, ascending. Without odd ones if asked. */
static size_t keys_of(struct source s, bool odd, uint64_t *keys)
{
    unsigned char *room = pd_realloc(NULL, 1 << 20, 1);
    size_t n = 0;
    int status = PD_OK;
    while (status == PD_OK) {
        size_t bytes;
        status = fill(&s, room, 1 << 20, &bytes);
        for (size_t at = 0; at < bytes;) {
            const struct rec *rec = (const struct rec *)(const void *)(room + at);
            if (odd || rec->key % 2 == 0)
                keys[n++] = rec->key;
            at += rec->size;
        }
    }
    free(room);
    pd_sort_records(keys, n, 1, 1);
    return n;
}

/*
 * Send the records of a source, and read them one by one or in groups.
 *   way   bits: drop odd keys; read groups; send by the key, which partitions follow
 */
static void check(size_t nrecs, size_t body, uint64_t range, int way)
{
    const bool drop = way & 1, groups = way & 2, keyed = way & 4;
    struct source s = {.seed = nrecs + body, .left = nrecs, .body = body, .range = range};
    uint64_t sum = 0, *keys = pd_realloc(NULL, nrecs + 1, sizeof *keys);
    const size_t n = keys_of(s, !drop, keys);
    const struct pd_flow flow = {.name = "test",
                                 .budget = PD_BUDGET_NOTICES,
                                 .size = body ? 0 : sizeof(struct rec),
                                 .key_at = 1,
                                 .keys = 1,
                                 .goes = !keyed ? PD_AS_OWNER_SAYS
                                         : drop ? PD_BY_MIX
                                                : PD_BY_HASH,
                                 .spread = keyed,
                                 .owner = keyed ? NULL : only_rank,
                                 .arrive = drop ? drop_odd : NULL};
    struct pd_shuffle shuffle;
    struct pd_bytes group = {0};
    const void *rec;
    size_t k = 0, wrong = 0;
    int status;
    pd_shuffle_open(&shuffle, &transport, &flow, &sum, NULL);
    CU_ASSERT_EQUAL(pd_shuffle_gather(&shuffle, fill, &s), PD_OK);
    while (!groups && (status = pd_shuffle_look(&shuffle, &rec)) == PD_OK) {
        wrong += k >= n || ((const struct rec *)rec)->key != keys[k++];
        pd_shuffle_pass(&shuffle, ((const struct rec *)rec)->size);
    }
    while (groups && (status = pd_shuffle_group(&shuffle, 1, &group)) == PD_OK) {
        const size_t first = k;
        for (size_t at = 0; at < group.n; at += ((const struct rec *)(void *)(group.v + at))->size)
            wrong += k >= n || ((const struct rec *)(void *)(group.v + at))->key != keys[k++];
        wrong += k > first && k < n && keys[k] == keys[first]; /* the group is whole */
    }
    CU_ASSERT_EQUAL(status, PD_END);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(k, n);
    pd_bytes_release(&group);
    pd_shuffle_close(&shuffle);
    pd_shuffle_close(&shuffle);
    free(keys);
}

static void check_all(void)
{
    static const size_t counts[] = {0, 1, 1000, 20000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t body = 0; body < 40; body += 13)
            for (uint64_t range = 1; range < 1u << 20; range *= 700)
                for (int way = 0; way < 8; way++)
                    check(counts[i], body, way & 4 && range > 1 ? UINT64_MAX : range, way);
}

static void test_in_memory(void)
{
    transport.memory = (uint64_t)1 << 32;
    check_all();
}

static void test_spilled(void)
{
    transport.memory = 1;
    check_all();
}

/* Records of one shuffle are the source of the next. */
static void test_sent_on(void)
{
    struct source s = {.seed = 5, .left = 5000, .range = 999};
    uint64_t keys[5000];
    const size_t n = keys_of(s, true, keys);
    const struct pd_flow flow = {.name = "test",
                                 .budget = PD_BUDGET_NOTICES,
                                 .size = sizeof(struct rec),
                                 .key_at = 1,
                                 .keys = 1,
                                 .owner = only_rank};
    struct pd_shuffle first, second;
    const void *rec;
    size_t k = 0, wrong = 0;
    pd_shuffle_open(&first, &transport, &flow, NULL, NULL);
    pd_shuffle_open(&second, &transport, &flow, NULL, NULL);
    CU_ASSERT_EQUAL(pd_shuffle_send(&first, fill, &s), PD_OK);
    CU_ASSERT_EQUAL(pd_shuffle_sort(&first), PD_OK);
    CU_ASSERT_EQUAL(pd_shuffle_send(&second, pd_shuffle_fill, &first), PD_OK);
    CU_ASSERT_EQUAL(pd_shuffle_sort(&second), PD_OK);
    for (; pd_shuffle_look(&second, &rec) == PD_OK; pd_shuffle_pass(&second, sizeof(struct rec)))
        wrong += k >= n || ((const struct rec *)rec)->key != keys[k++];
    CU_ASSERT(k == n && wrong == 0);
    pd_shuffle_close(&first);
    pd_shuffle_close(&second);
}

static void test_collect(void)
{
    struct source s = {.seed = 6, .left = 5000, .range = 999}, again = s;
    uint64_t keys[5000], sum = 0, expected = 0;
    struct pd_bytes got = {0};
    const size_t n = keys_of(s, true, keys);
    const struct pd_route route = {
        .size = sizeof(struct rec), .fill = fill, .fill_ctx = &again, .owner = only_rank};
    CU_ASSERT_EQUAL(pd_shuffle_collect(&transport, route, &got), PD_OK);
    CU_ASSERT_EQUAL(got.n, n * sizeof(struct rec));
    for (size_t k = 0; k < n; k++) {
        expected += keys[k];
        sum += ((const struct rec *)(const void *)got.v)[k].key;
    }
    CU_ASSERT_EQUAL(sum, expected);
    pd_bytes_release(&got);
}

static int fill_and_fail(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    fill(ctx, to, cap, n);
    return pd_fail(PD_EIO, "no more disk");
}

static void test_failure(void)
{
    struct source s = {.seed = 7, .left = 10, .range = 9};
    const struct pd_flow flow = {.name = "test",
                                 .budget = PD_BUDGET_NOTICES,
                                 .size = sizeof(struct rec),
                                 .key_at = 1,
                                 .keys = 1,
                                 .owner = only_rank};
    struct pd_shuffle shuffle;
    pd_shuffle_open(&shuffle, &transport, &flow, NULL, NULL);
    CU_ASSERT_EQUAL(pd_shuffle_send(&shuffle, fill_and_fail, &s), PD_EIO);
    CU_ASSERT_STRING_EQUAL(pd_error_text(), "no more disk");
    pd_error_clear();
    pd_shuffle_close(&shuffle);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_in_memory), PD_TEST(test_spilled),
                                        PD_TEST(test_sent_on),   PD_TEST(test_collect),
                                        PD_TEST(test_failure),   CU_TEST_INFO_NULL};
    char path[4096] = "";
    pd_comm_alone(&alone);
    scratch_open();
    scratch = (struct pd_scratch){.comm = &alone, .dir = scratch_dir, .path = path};
    return pd_run_tests(argc, argv, "run/shuffle", tests);
}
