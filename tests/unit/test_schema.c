/* The tables of the result file: each has columns with names of their own, and descriptions. */
#include "pardup/result/schema.h"

#include <string.h>

#include "pd_cunit.h"

static void check_column(const struct pd_table_schema *table, size_t k)
{
    const struct pd_column *column = &table->columns[k];
    CU_ASSERT_PTR_NOT_NULL_FATAL(column->description);
    CU_ASSERT(*column->description != '\0');
    CU_ASSERT(column->type == PD_TYPE_TEXT || column->width == 0);
    for (size_t other = 0; other < k; other++)
        CU_ASSERT(strcmp(table->columns[other].name, column->name) != 0);
}

static void test_tables(void)
{
    for (int t = 0; t < PD_TABLES; t++) {
        const struct pd_table_schema *table = &pd_schema[t];
        const size_t n = pd_table_columns(table);
        CU_ASSERT_STRING_EQUAL(table->name, pd_table_names[t]);
        CU_ASSERT(*table->description != '\0');
        CU_ASSERT(n > 0);
        for (size_t k = 0; k < n; k++)
            check_column(table, k);
    }
    CU_ASSERT_PTR_NULL(pd_table_names[PD_TABLES_AND_VIEWS]);
}

static void test_names(void)
{
    CU_ASSERT_STRING_EQUAL(pd_schema[PD_TABLE_PASSAGES].name, "passages");
    CU_ASSERT_EQUAL(pd_table_columns(&pd_schema[PD_TABLE_PASSAGES]), 16);
    CU_ASSERT_STRING_EQUAL(pd_schema[PD_TABLE_SKIPPED].name, "skipped");
    CU_ASSERT_STRING_EQUAL(pd_schema[PD_TABLE_SKIPPED].columns[3].name, "reason");
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_tables), PD_TEST(test_names),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "result/schema", tests);
}
