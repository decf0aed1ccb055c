/*
 * tests/mpi/test_estimate.c - a dry run on several ranks: memory that one rank has kept from what
 * was before a trial does not count as memory of the job.
 *
 * What a dry run learns of the memory of a process is made up here: when a trial begins, the last
 * rank has KEPT more than before it listed the files, which is more than any trial takes. So the
 * trial takes nothing, as all ranks see it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/run/detect.h"
#include "stage.h"

static const uint64_t KEPT = (uint64_t)1 << 40; /* bytes */

uint64_t __wrap_pd_peak_memory(void);
void __wrap_pd_forget_peak_memory(void);

static int forgotten; /* how often memory was forgotten: once by listing, then once a trial */

void __wrap_pd_forget_peak_memory(void) { forgotten++; }

uint64_t __wrap_pd_peak_memory(void)
{
    const bool is_last = test_comm.rank == test_comm.size - 1;
    return forgotten > 1 && is_last ? KEPT : 0;
}

/* COLLECTIVE. The options of a dry run of some documents, of which rank 0 writes the file. */
static void parse_dry_run(struct stage *s)
{
    static const struct stage_random how = {
        .docs = 40, .units = 20, .words = 8, .different = 90, .copied = 40, .changed = 3};
    struct pd_bytes line = {0};
    if (test_comm.rank == 0) {
        struct stage_docs d = {0};
        uint64_t seed = 45;
        char text[2000];
        stage_docs_random(&d, &seed, &how);
        const int n = snprintf(text, sizeof text,
                               "--preset texts --dry-run --scratch %.600s -o %.600s/r.h5 %.600s",
                               stage_folder(), stage_folder(), stage_write_operands(&d));
        pd_bytes_append(&line, text, (size_t)n + 1);
        stage_docs_release(&d);
    }
    pd_comm_share(&test_comm, &line);
    stage_parse(s, "detect", (const char *)line.v);
    pd_bytes_release(&line);
}

/* COLLECTIVE. Run it; on rank 0, what it prints is in `printed`, a text. */
static int dry_run(const struct stage *s, char *printed, size_t room)
{
    char path[700] = "/dev/null";
    if (test_comm.rank == 0)
        snprintf(path, sizeof path, "%.600s/printed", stage_folder());
    fflush(stdout);
    const int out = dup(STDOUT_FILENO), f = open(path, O_RDWR | O_CREAT, 0600);
    dup2(f, STDOUT_FILENO);
    const int status = pd_detect(&test_comm, &s->options);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    const ssize_t n = pread(f, printed, room - 1, 0);
    printed[n > 0 ? n : 0] = '\0';
    close(f);
    return status;
}

static void test_memory(void)
{
    static char printed[4096];
    static const char name[] = "expected memory";
    struct stage s = {0};
    parse_dry_run(&s);
    forgotten = 0;
    CU_ASSERT_EQUAL(dry_run(&s, printed, sizeof printed), PD_OK);
    CU_ASSERT_TRUE(forgotten > 1);
    if (test_comm.rank == 0) {
        const char *at = strstr(printed, name);
        CU_ASSERT_PTR_NOT_NULL(at);
        if (at)
            CU_ASSERT_EQUAL(strtod(at + strlen(name), NULL), 0);
    }
    stage_close(&s);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_memory), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "dry runs on several ranks", tests);
}
