/* Unit tests of base/bytes: formatted text of any length, behind what is there. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/bytes.h"
#include "pd_cunit.h"

/* Texts around the room that most texts have, and longer than it several times. */
static void test_print(void)
{
    enum { MOST = 3000 };
    static char long_text[MOST + 1];
    struct pd_bytes to = {0};
    memset(long_text, 'x', MOST);
    for (size_t n = 0; n <= MOST; n += n < 600 ? 1 : 400) {
        to.n = 0;
        pd_bytes_print(&to, "%d:", 12);
        pd_bytes_print(&to, "%.*s|", (int)n, long_text);
        CU_ASSERT_EQUAL_FATAL(to.n, 3 + n + 1);
        CU_ASSERT(memcmp(to.v, "12:", 3) == 0 && to.v[3 + n] == '|');
        CU_ASSERT(memcmp(to.v + 3, long_text, n) == 0);
        char *printed = pd_printed("%d:%.*s|", 12, (int)n, long_text);
        CU_ASSERT(strlen(printed) == to.n && memcmp(printed, to.v, to.n) == 0);
        free(printed);
    }
    pd_bytes_release(&to);
}

/* Memory that was used before is zero, too. */
static void test_zeroed(void)
{
    enum { N = 1000 };
    free(memset(pd_realloc(NULL, N, sizeof(uint64_t)), 1, N * sizeof(uint64_t)));
    uint64_t *v = pd_zeroed(N, sizeof *v);
    for (size_t k = 0; k < N; k++)
        CU_ASSERT_EQUAL_FATAL(v[k], 0);
    free(v);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_print), PD_TEST(test_zeroed),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "bytes", tests);
}
