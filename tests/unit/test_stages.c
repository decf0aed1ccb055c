/* tests/unit/test_stages.c - what is said of a stage under way: how far, how fast, how long it takes. */
#include "pardup/run/stages.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/log.h"
#include "pd_cunit.h"

/*
 * What is said of a stage that has taken some seconds. Standard
 * error goes to a file meanwhile. Valid until the next call.
 */
static const char *said(enum pd_progress_kind kind, enum pd_stage_id id, double seconds,
                        const uint64_t figures[4])
{
    static char text[1024];
    struct pd_stages s;
    const int err = dup(STDERR_FILENO);
    FILE *file = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    pd_log_open(0, 1, PD_LOG_INFO);
    pd_stages_open(&s, &test_comm, kind);
    pd_stages_begin(&s, id);
    s.progress.started = pd_clock() - seconds;
    s.progress.shown = 0;
    pd_stages_progress(&s, figures[0], figures[1], figures[2], figures[3]);
    fflush(stderr);
    dup2(err, STDERR_FILENO);
    close(err);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void expect(const char *text, const char *part)
{
    CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
}

/* The rest takes as long for each part as what is done. */
static void test_rest(void)
{
    static const uint64_t quarter[] = {25, 100, 0, 0}, hundredth[] = {1, 100, 0, 0},
                          more[] = {2, 100, 0, 0}, done[] = {100, 100, 0, 0}, none[] = {0, 0, 0, 0};
    expect(said(PD_PROGRESS_LOG, PD_STAGE_ALIGN, 100, quarter), "align:  25 %  5:00 left");
    expect(said(PD_PROGRESS_LOG, PD_STAGE_ALIGN, 2000, quarter), "align:  25 %  1 h 40 min left");
    expect(said(PD_PROGRESS_LOG, PD_STAGE_JOIN, 100, hundredth), "join:   1 %  ? left");
    CU_ASSERT_PTR_NULL(strchr(said(PD_PROGRESS_LOG, PD_STAGE_JOIN, 10, more), '?'));
    expect(said(PD_PROGRESS_LOG, PD_STAGE_JOIN, 10, done), "join: 100 %  0:00 left");
    expect(said(PD_PROGRESS_LOG, PD_STAGE_JOIN, 10, none), "join: 100 %  0:00 left");
}

/* Documents and bytes a second are said where documents are read. */
static void test_rate(void)
{
    static const uint64_t half[] = {50, 100, 700, 4004000000};
    expect(said(PD_PROGRESS_LOG, PD_STAGE_READ, 100, half),
           "read:  50 %  700 documents  40.0 MB/s  1:40 left");
}

/* The bar has as many cells as there is room for; the rate goes before the bar does. */
static void test_bar(void)
{
    static const uint64_t half[] = {50, 100, 0, 0}, read[] = {50, 100, 700, 4004000000},
                          many[] = {50, 100, 700000000000000000, 4004000000};
    expect(said(PD_PROGRESS_BAR, PD_STAGE_ALIGN, 100, half),
           "pardup: align  [############............]  50 %  1:40 left");
    expect(said(PD_PROGRESS_BAR, PD_STAGE_READ, 100, read),
           "pardup: read   [#########..........]  50 %  700 documents  40.0 MB/s  1:40 left");
    expect(said(PD_PROGRESS_BAR, PD_STAGE_READ, 100, many),
           "pardup: read   [############............]  50 %  1:40 left");
}

/* Nothing is said before it is time, or if nothing is to be said. */
static void test_silence(void)
{
    static const uint64_t half[] = {50, 100, 0, 0};
    CU_ASSERT_STRING_EQUAL(said(PD_PROGRESS_NONE, PD_STAGE_ALIGN, 100, half), "");
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_rest), PD_TEST(test_rate), PD_TEST(test_bar),
                                        PD_TEST(test_silence), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/stages", tests);
}
