/* A hash table counts what an array counts, and takes no more memory than it says. */
#include "pardup/base/hash_table.h"

#include "pd_cunit.h"
#include "pd_random.h"

static void test_against_array(void)
{
    enum { NUMBERS = 500 };
    struct pd_hash_table table = {0};
    uint64_t seed = 3, count[NUMBERS] = {0}, wrong = 0, used = 0;
    for (int k = 0; k < 20000; k++) {
        const uint32_t which = pd_random_below(&seed, 1 + pd_random_below(&seed, NUMBERS));
        const uint64_t key = which % 2 ? which : (uint64_t)which << 32;
        used += count[which]++ == 0;
        wrong += ++*pd_hash_table_at(&table, key) != count[which];
    }
    CU_ASSERT_EQUAL(table.n, used);
    for (size_t k = 0; k < table.nslots; k++)
        used -= table.slots[k].value > 0;
    CU_ASSERT(wrong == 0 && used == 0);
    CU_ASSERT(table.nslots * sizeof *table.slots <= PD_HASH_TABLE_BYTES(table.n));
    pd_hash_table_release(&table);
}

static void test_empty(void)
{
    struct pd_hash_table table = {0};
    pd_hash_table_release(&table);
    CU_ASSERT(++*pd_hash_table_at(&table, 0) == 1); /* 0 is a key like others */
    CU_ASSERT(++*pd_hash_table_at(&table, UINT64_MAX) == 1);
    CU_ASSERT(++*pd_hash_table_at(&table, 0) == 2 && table.n == 2);
    pd_hash_table_release(&table);
    CU_ASSERT(table.n == 0 && ++*pd_hash_table_at(&table, UINT64_MAX) == 1 && table.n == 1);
    pd_hash_table_release(&table);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_against_array), PD_TEST(test_empty),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/hash_table", tests);
}
