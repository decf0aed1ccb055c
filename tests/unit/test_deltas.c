/*
 * Records packed as differences come back; what was damaged is told or gives other records, no
 * more.
 */
#include "store/deltas.h"

#include <string.h>

#include "pardup/base/bytes.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { WORD = 8, MOST = 4000 };

/* Records of `size` bytes, or, if 0, of 1 to 9 words that begin with how many bytes they have. */
static void make(struct pd_bytes *to, size_t n, size_t size, uint64_t mask, uint64_t seed)
{
    for (size_t k = 0; k < n; k++) {
        const size_t words = size ? size / WORD : 1 + pd_random_below(&seed, 9);
        for (size_t w = 0; w < words; w++) {
            uint64_t word = pd_random(&seed) & mask;
            if (w == 0 && !size)
                word = word << 32 | words * WORD;
            else if (w == 0)
                word = k * 1000;
            pd_bytes_append(to, &word, sizeof word);
        }
    }
}

static const uint64_t masks[] = {0, 1, 0xFF, 0x100, 0xFFFFFF, UINT64_C(1) << 63, UINT64_MAX};
enum { MASKS = sizeof masks / sizeof *masks };

/* Packed into exactly the room it needs, and slack; with less it does not fit. */
static void test_there_and_back(void)
{
    static const size_t counts[] = {1, 2, 3, 500};
    for (size_t size = 0; size <= 80; size += WORD)
        for (size_t m = 0; m < MASKS; m++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                struct pd_bytes in = {0};
                make(&in, counts[c], size, masks[m], m);
                const size_t room = in.n + in.n / WORD + PD_DELTAS_SLACK;
                unsigned char *packed = pd_realloc(NULL, room + PD_DELTAS_SLACK, 1);
                unsigned char *back = pd_realloc(NULL, in.n, 1);
                const size_t n = pd_deltas_pack(packed, room, in.v, in.n, size);
                CU_ASSERT(n > 0);
                unsigned char *exact = pd_realloc(NULL, n + PD_DELTAS_SLACK, 1);
                CU_ASSERT_EQUAL(pd_deltas_pack(exact, n - 1, in.v, in.n, size), 0);
                CU_ASSERT_EQUAL(pd_deltas_pack(exact, n, in.v, in.n, size), n);
                CU_ASSERT(pd_deltas_unpack(back, in.n, exact, n, size));
                CU_ASSERT_EQUAL(memcmp(back, in.v, in.n), 0);
                CU_ASSERT(!pd_deltas_unpack(back, in.n, exact, n - 1, size));
                free(exact);
                free(packed);
                free(back);
                pd_bytes_release(&in);
            }
}

static void test_sorted_is_short(void)
{
    struct pd_bytes in = {0};
    unsigned char packed[2 * MOST];
    make(&in, 1000, 3 * WORD, 0xFF, 1); /* differ in 2, 1, 1 bytes; 3 halves: 5,625 at most */
    const size_t n = pd_deltas_pack(packed, MOST + MOST / 2 + MOST / 8, in.v, in.n, 3 * WORD);
    CU_ASSERT(n > 0);
    pd_bytes_release(&in);
}

/* Records that say their own size are packed against the record before, too. */
static void test_equal_is_short(void)
{
    enum { RECORDS = 500, WORDS = 4 };
    struct pd_bytes in = {0};
    unsigned char packed[2 * MOST];
    uint64_t seed = 1, rec[WORDS] = {WORDS * WORD};
    for (int w = 1; w < WORDS; w++)
        rec[w] = pd_random(&seed);
    for (int k = 0; k < RECORDS; k++)
        pd_bytes_append(&in, rec, sizeof rec);
    /* the first record, and half a byte for each word of the others */
    const size_t n = pd_deltas_pack(packed, MOST, in.v, in.n, 0);
    CU_ASSERT(n > 0 && n <= sizeof rec + RECORDS * WORDS / 2);
    pd_bytes_release(&in);
}

/* Records whose sizes do not fill the bytes are not packed. */
static void test_wrong_sizes(void)
{
    static const uint64_t sizes[] = {0, 4, 12, 24, 32};
    unsigned char packed[MOST];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const uint64_t recs[] = {16, 7, sizes[k], 7};
        CU_ASSERT_EQUAL(pd_deltas_pack(packed, MOST / 2, recs, sizeof recs, 0), 0);
    }
}

/* Bytes behind the records stay. A sanitizer sees when anything else outside is touched. */
static void test_damage(void)
{
    enum { GUARD = 64 };
    const unsigned char guard[GUARD] = {1, 2, 3};
    uint64_t seed = 3;
    size_t told = 0;
    for (size_t size = 0; size <= 24; size += 24)
        for (int round = 0; round < 3000; round++) {
            struct pd_bytes in = {0};
            make(&in, 1 + pd_random_below(&seed, 20), size, masks[round % MASKS], (uint64_t)round);
            const size_t room = in.n + in.n / WORD + PD_DELTAS_SLACK;
            unsigned char *packed = pd_realloc(NULL, room + PD_DELTAS_SLACK, 1);
            size_t n = pd_deltas_pack(packed, room, in.v, in.n, size);
            unsigned char *back = pd_realloc(NULL, in.n + GUARD, 1);
            memcpy(back + in.n, guard, GUARD);
            packed[pd_random_below(&seed, (uint32_t)n)] ^= (unsigned char)pd_random(&seed);
            if (round % 3 == 0)
                n = pd_random_below(&seed, (uint32_t)n + 1);
            unsigned char *exact = pd_realloc(NULL, n + PD_DELTAS_SLACK, 1);
            memcpy(exact, packed, n + PD_DELTAS_SLACK);
            told += !pd_deltas_unpack(back, in.n, exact, n, size);
            CU_ASSERT_EQUAL(memcmp(back + in.n, guard, GUARD), 0);
            free(exact);
            free(packed);
            free(back);
            pd_bytes_release(&in);
        }
    CU_ASSERT(told > 1000); /* cut short: one in three */
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_there_and_back), PD_TEST(test_sorted_is_short),
                                        PD_TEST(test_equal_is_short), PD_TEST(test_wrong_sizes),
                                        PD_TEST(test_damage),         CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "store/deltas", tests);
}
