/*
 * tests/unit/test_spool.c - what comes back is what was pushed, in that order, from memory and from
 * disk.
 */
#include "pardup/store/spool.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "pd_cunit.h"
#include "pd_random.h"
#include "pd_scratch.h"

enum { WORDS_MOST = 9 };

static void make(uint64_t *rec, size_t words, uint64_t seed)
{
    for (size_t w = 0; w < words; w++)
        rec[w] = pd_random(&seed) >> w * 7;
}

static struct pd_spooling spooling(size_t words, size_t memory, struct pd_spare *spare)
{
    return (struct pd_spooling){words * sizeof(uint64_t), memory, scratch_path("spool"), spare};
}

/* Push n records, read `read` of them. */
static void come_back(size_t words, size_t memory, size_t n, size_t read, struct pd_spare *spare)
{
    const struct pd_spooling how = spooling(words, memory, spare);
    uint64_t rec[WORDS_MOST];
    const void *got;
    struct pd_spool s;
    pd_spool_init(&s, &how);
    for (size_t k = 0; k < n; k++) {
        make(rec, words, k);
        CU_ASSERT_EQUAL_FATAL(pd_spool_push(&s, rec), PD_OK);
    }
    CU_ASSERT_EQUAL(s.n, n);
    CU_ASSERT_EQUAL_FATAL(pd_spool_finish(&s), PD_OK);
    for (size_t k = 0; k < read; k++, pd_spool_pass(&s)) {
        make(rec, words, k);
        for (int again = 0; again < 2; again++) {
            CU_ASSERT_EQUAL_FATAL(pd_spool_look(&s, &got), PD_OK);
            CU_ASSERT_FATAL(memcmp(got, rec, words * sizeof *rec) == 0);
        }
    }
    for (int again = 0; read == n && again < 2; again++) {
        CU_ASSERT_EQUAL(pd_spool_look(&s, &got), PD_END);
        CU_ASSERT_PTR_NULL(got);
    }
    pd_spool_release(&s);
    CU_ASSERT_NOT_EQUAL(access(scratch_path("spool"), F_OK), 0);
}

static void test_records_come_back(void)
{
    const size_t memories[] = {0, 8 << 10, 100 << 10, SIZE_MAX / 2};
    const size_t counts[] = {0, 1, 127, 128, 5000, 30000};
    struct pd_spare spare = {0};
    for (size_t words = 1; words <= WORDS_MOST; words += 4)
        for (size_t m = 0; m < sizeof memories / sizeof *memories; m++)
            for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
                come_back(words, memories[m], counts[k], counts[k], &spare);
                come_back(words, memories[m], counts[k], counts[k] / 2, &spare);
            }
    pd_spare_release(&spare);
}

/* What has been read is there for the next: all together need not much more than one. */
static void test_memory_goes_round(void)
{
    struct pd_spare spare = {0};
    come_back(8, SIZE_MAX / 2, 30000, 30000, &spare);
    const size_t held = spare.held;
    for (int k = 0; k < 5; k++)
        come_back(8, SIZE_MAX / 2, 30000, k % 2 ? 30000 : 10, &spare);
    CU_ASSERT_EQUAL(spare.held, held);
    pd_spare_release(&spare);
}

/* Not more than it may, whatever comes. */
static void test_memory_is_kept_to(void)
{
    const size_t memory = 256 << 10;
    struct pd_spare spare = {0};
    come_back(8, memory, 100000, 100000, &spare);
    CU_ASSERT(spare.held <= 2 * memory);
    pd_spare_release(&spare);
}

/* Push until it fails; how many bytes of file there may be is `room`. */
static void fails(const char *path, size_t room)
{
    struct pd_spare spare = {0};
    struct pd_spooling how = spooling(2, 0, &spare);
    uint64_t rec[2];
    struct rlimit before;
    struct pd_spool s;
    int status = PD_OK;
    how.path = path;
    pd_error_clear();
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){room, before.rlim_max});
    pd_spool_init(&s, &how);
    for (uint64_t k = 0; k < 100000 && status == PD_OK; k++) {
        make(rec, 2, k);
        status = pd_spool_push(&s, rec);
    }
    if (status == PD_OK)
        status = pd_spool_finish(&s);
    setrlimit(RLIMIT_FSIZE, &before);
    CU_ASSERT_EQUAL(status, PD_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), path));
    pd_spool_release(&s);
    pd_spare_release(&spare);
    pd_error_clear();
}

static void test_failures(void)
{
    signal(SIGXFSZ, SIG_IGN);
    fails(scratch_path("no/such/folder"), RLIM_INFINITY);
    for (size_t room = 0; room < 1 << 20; room += 300 << 10)
        fails(scratch_path("full"), room);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_records_come_back), PD_TEST(test_memory_goes_round),
        PD_TEST(test_memory_is_kept_to), PD_TEST(test_failures), CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "store/spool", tests);
}
