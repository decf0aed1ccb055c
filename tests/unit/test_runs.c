/* tests/unit/test_runs.c - TREC runs and judgements: order, repeats, contradictions. */
#include <string.h>

#include "pardup/base/error.h"
#include "pd_cunit.h"
#include "tools/prevalence/trec.h"

typedef int take_line(struct pd_trec *r, char *line, uint64_t file, uint64_t number);

/* Take lines, of file 0. Returns the first failure, else PD_OK. */
static int take(struct pd_trec *r, take_line *one, const char *const *lines, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        char line[64];
        CU_ASSERT_FATAL(strlen(lines[k]) < sizeof line);
        strcpy(line, lines[k]);
        const int status = one(r, line, 0, k + 1);
        if (status < 0)
            return status;
    }
    return PD_OK;
}

/* The topics and documents of `found`, in order: "9:a 9:b 10:c ". */
static void print_found(const struct pd_trec *r, char text[128])
{
    text[0] = '\0';
    for (size_t k = 0; k < r->found.n; k++) {
        strcat(strcat(text, pd_trec_name(&r->topics, r->found.v[k].topic)), ":");
        strcat(strcat(text, pd_trec_name(&r->docs, r->found.v[k].doc)), " ");
    }
}

/* Topic 9 comes before 10. In 9, b is named again, and its score contradicts its rank. */
static const char *const run[] = {"10 Q0 c 2 0.5 x",    "9 Q0 a 1 0.5 x",  "9 Q0 b 2 0.75 x",
                                  "9 Q0 b 3 0.25 x",    "10 Q0 d 1 0.5 x", "",
                                  "10\tQ0\te\t3\t-1\tx"};
enum { RUN = sizeof run / sizeof *run };

static void test_order(void)
{
    static const char *const want[] = {
        [PD_TREC_RANK] = "9:a 9:b 10:d 10:c 10:e ", [PD_TREC_SCORE] = "9:b 9:a 10:d 10:c 10:e "};
    for (int order = PD_TREC_RANK; order <= PD_TREC_SCORE; order++) {
        struct pd_trec r = {.repeated = 0};
        char text[128];
        CU_ASSERT_EQUAL(take(&r, pd_trec_take, run, RUN), PD_OK);
        pd_trec_sort(&r, (enum pd_trec_order)order);
        print_found(&r, text);
        CU_ASSERT_STRING_EQUAL(text, want[order]);
        CU_ASSERT_EQUAL(r.repeated, 1);
        /* topic 9; in topic 10 equal scores contradict nothing */
        CU_ASSERT_EQUAL(r.contradict, order == PD_TREC_RANK);
        CU_ASSERT_EQUAL(pd_trec_end(&r, 0), 2);
        CU_ASSERT_EQUAL(pd_trec_end(&r, 2), 5);
        pd_trec_release(&r);
    }
}

static void test_judgements(void)
{
    static const char *const lines[] = {"1 0 a 1", "1 0 b 0", "1 0 a 0", "2 0 a 2", "2 0 a 1"};
    struct pd_trec r = {.repeated = 0};
    CU_ASSERT_EQUAL(take(&r, pd_trec_judge, lines, 5), PD_OK);
    pd_trec_sort(&r, PD_TREC_RANK);
    CU_ASSERT_EQUAL(r.judged.n, 5);
    CU_ASSERT_EQUAL(r.disputed, 1); /* a in topic 1; of topic 2 both say that it is relevant */
    pd_trec_release(&r);
}

static void test_bad_lines(void)
{
    static const char *const bad_runs[] = {"1 Q0 a 1 0.5", "1 Q0 a x 0.5 t", "1 Q0 a 1 nan t",
                                           "1 Q0 a 1 0.5x t", "1 Q0 a 99999999999999999999 1 t"};
    static const char *const bad_judgements[] = {"1 0 a", "1 0 a x", "1 Q0 a 1 0.5 t"};
    struct pd_trec r = {.repeated = 0};
    for (size_t k = 0; k < sizeof bad_runs / sizeof *bad_runs; k++)
        CU_ASSERT_EQUAL(take(&r, pd_trec_take, bad_runs + k, 1), PD_EFORMAT);
    for (size_t k = 0; k < sizeof bad_judgements / sizeof *bad_judgements; k++)
        CU_ASSERT_EQUAL(take(&r, pd_trec_judge, bad_judgements + k, 1), PD_EFORMAT);
    pd_error_clear();
    CU_ASSERT_EQUAL(r.found.n + r.judged.n, 0);
    pd_trec_release(&r);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_order), PD_TEST(test_judgements),
                                        PD_TEST(test_bad_lines), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "tools/prevalence/trec", tests);
}
