/*
 * tests/unit/test_extrapolate.c - from two samples to the whole: each law on numbers that obey it.
 */
#include "run/job/estimate/extrapolate.h"

#include <math.h>

#include "pd_cunit.h"

static const double gigabyte = 1e9;
static const struct pd_trial none;

static struct pd_expected whole(double stored)
{
    return (struct pd_expected){
        .stored = stored, .ranks = 1, .memory = 64 * gigabyte, .longest = 0.001};
}

static void set(struct pd_trial *t, enum pd_figure f, double value) { t->figure[f] = value; }

static int near(double x, double y) { return fabs(x - y) <= 1e-6 * fabs(y); }

/* Text grows in step, passages by a s + b s^2, a vocabulary by a root. */
static struct pd_trial trial(double s)
{
    struct pd_trial t = none;
    set(&t, PD_FIGURE_STORED, s);
    set(&t, PD_FIGURE_DOCUMENTS, 3 * s);
    set(&t, PD_FIGURE_SENTENCES, 40 * s);
    set(&t, PD_FIGURE_WORDS, 500 * s);
    set(&t, PD_FIGURE_UNITS, 40 * s);
    set(&t, PD_FIGURE_PASSAGES, 5 * s + 2 * s * s);
    set(&t, PD_FIGURE_PAIRS, 7 * s);
    set(&t, PD_FIGURE_FANS, 3 * s * s);
    set(&t, PD_FIGURE_VOLUMES, pow(s, 0.8));
    t.stage[PD_STAGE_READ].seconds = t.stage[PD_STAGE_READ].mean = 0.5 * s;
    t.stage[PD_STAGE_GATHER].seconds = 1 + 0.1 * 40 * s;
    t.stage[PD_STAGE_GATHER].exchanged = (uint64_t)(32 * 40 * s);
    t.stage[PD_STAGE_ALIGN].seconds = 0.01 * 3 * s * s;
    t.stage[PD_STAGE_ALIGN].peak = (uint64_t)(1000 + 2 * 3 * s * s);
    return t;
}

static void test_laws(void)
{
    const struct pd_trial a = trial(10), b = trial(20), c = trial(300);
    struct pd_expected x = whole(300);
    pd_expected_make(&x, &a, &b, 0);
    for (int k = 0; k < PD_FIGURES; k++)
        CU_ASSERT(near(x.figure[k], c.figure[k]));
    for (int k = 0; k < PD_STAGES; k++)
        CU_ASSERT(near(x.seconds[k], c.stage[k].seconds));
    CU_ASSERT(near(x.peak, (double)c.stage[PD_STAGE_ALIGN].peak));
    CU_ASSERT(near(x.exchanged, (double)c.stage[PD_STAGE_GATHER].exchanged));
    CU_ASSERT(near(x.scratch, c.figure[PD_FIGURE_VOLUMES]));
}

/* The whole collection was the sample: nothing is guessed, whatever came before. */
static void test_whole(void)
{
    const struct pd_trial a = trial(1), b = trial(20);
    for (int known = 0; known < 2; known++) {
        struct pd_expected x = whole(20);
        pd_expected_make(&x, known ? &a : &none, &b, 0);
        for (int k = 0; k < PD_FIGURES; k++)
            CU_ASSERT(near(x.figure[k], b.figure[k]));
        CU_ASSERT(near(x.seconds[PD_STAGE_READ], 10));
    }
}

/* Numbers that obey no law stay between growth in step and with the square. */
static void test_bounds(void)
{
    struct pd_trial a = trial(10), b = trial(20);
    struct pd_expected x = whole(200);
    set(&a, PD_FIGURE_PASSAGES, 1);
    set(&b, PD_FIGURE_PASSAGES, 1000);
    set(&a, PD_FIGURE_PAIRS, 1000);
    set(&b, PD_FIGURE_PAIRS, 1000);
    set(&a, PD_FIGURE_VOLUMES, 1000);
    set(&b, PD_FIGURE_VOLUMES, 1000);
    pd_expected_make(&x, &a, &b, 0);
    CU_ASSERT(near(x.figure[PD_FIGURE_PASSAGES], 100 * 1000));
    CU_ASSERT(near(x.figure[PD_FIGURE_PAIRS], 10 * 1000));
    CU_ASSERT(x.figure[PD_FIGURE_VOLUMES] > 1000 && x.figure[PD_FIGURE_VOLUMES] < 10 * 1000);
}

static void test_limit(void)
{
    const struct pd_trial a = trial(10), b = trial(20);
    struct pd_expected x = whole(300);
    pd_expected_make(&x, &a, &b, 450);
    CU_ASSERT(near(x.figure[PD_FIGURE_DOCUMENTS], 450));
    CU_ASSERT(near(x.figure[PD_FIGURE_SENTENCES], 40 * 150));
    x = whole(300);
    pd_expected_make(&x, &a, &b, 1e6);
    CU_ASSERT(near(x.figure[PD_FIGURE_DOCUMENTS], 900));
}

/* Ranks share the reading, but no piece. */
static void test_ranks(void)
{
    const struct pd_trial a = trial(10), b = trial(20);
    struct pd_expected x = whole(400);
    double alone;
    pd_expected_make(&x, &a, &b, 0);
    alone = x.seconds[PD_STAGE_READ];
    x.longest = 1;
    pd_expected_make(&x, &a, &b, 0);
    CU_ASSERT(near(x.seconds[PD_STAGE_READ], alone));
    x.ranks = 8; /* b's times are now of eight ranks: eight times the work */
    pd_expected_make(&x, &a, &b, 0);
    CU_ASSERT(near(x.seconds[PD_STAGE_READ], 8 * alone));
    x.longest = 0;
    pd_expected_make(&x, &a, &b, 0);
    CU_ASSERT(near(x.seconds[PD_STAGE_READ], alone));
}

/* With little memory the peak stays within it, and what does not fit is in scratch. */
static void test_spilling(void)
{
    const struct pd_trial a = trial(1000), b = trial(2000);
    struct pd_expected x = whole(1e6);
    x.memory = 1e6 * gigabyte;
    pd_expected_make(&x, &a, &b, 0);
    const double rich = x.scratch;
    CU_ASSERT(x.peak > gigabyte);
    x = whole(1e6);
    x.memory = gigabyte;
    x.base = gigabyte / 50;
    pd_expected_make(&x, &a, &b, 0);
    CU_ASSERT(x.peak <= x.memory + x.base);
    CU_ASSERT(x.scratch > rich + gigabyte);
}

/* Sets that are compared are in scratch beside the volumes, but for what stays in memory. */
static void test_sets(void)
{
    struct pd_trial a = trial(1000), b = trial(2000);
    struct pd_expected x = whole(1e6);
    x.memory = 64;
    set(&a, PD_FIGURE_SETS, 1000 * gigabyte);
    set(&b, PD_FIGURE_SETS, 2000 * gigabyte);
    pd_expected_make(&x, &a, &b, 0);
    CU_ASSERT(x.scratch >= x.figure[PD_FIGURE_VOLUMES] + 1e6 * gigabyte);
    const double poor = x.scratch;
    x.memory = 1e6 * gigabyte;
    pd_expected_make(&x, &a, &b, 0);
    CU_ASSERT(x.scratch > 0.8e6 * gigabyte && x.scratch < poor);
}

/* A trial that has read `mb` MiB in two stages, which took `seconds` together. */
static bool is_enough(double mb, double seconds, double stored_mb)
{
    const double mib = 1 << 20;
    struct pd_trial t = none;
    set(&t, PD_FIGURE_STORED, mb * mib);
    t.stage[PD_STAGE_READ].seconds = seconds - 0.5;
    t.stage[PD_STAGE_WRITE].seconds = 0.5;
    return pd_trial_is_enough(&t, stored_mb * mib);
}

/* Bytes, share and time must all do, unless all was read or it took long. */
static void test_enough(void)
{
    CU_ASSERT_TRUE(is_enough(15, 2, 300));
    CU_ASSERT_FALSE(is_enough(14.9, 2, 290));
    CU_ASSERT_FALSE(is_enough(15, 1.9, 300));
    CU_ASSERT_FALSE(is_enough(15, 2, 301));
    CU_ASSERT_FALSE(is_enough(1, 29.9, 1000));
    CU_ASSERT_TRUE(is_enough(1, 30, 1000));
    CU_ASSERT_TRUE(is_enough(1, 0.5, 1));
    CU_ASSERT_FALSE(is_enough(0.9, 0.5, 1));
}

/* Bounds of the idf of a hundredth of the documents: what was 1 of 2 powers of them is 1 of 1. */
static void test_idf(void)
{
    struct pd_method_options o = {.idf = {0.1, 0.4}, .always_df = 1000};
    pd_scale_idf(&o, 100, 0.01);
    CU_ASSERT(near(o.idf[0], 0.2) && near(o.idf[1], 0.8) && o.always_df == 10);
    pd_scale_idf(&o, 2, 0.125); /* to a scale of 4 */
    CU_ASSERT(near(o.idf[0], 0.8) && near(o.idf[1], 1) && o.always_df == 1);
    pd_scale_idf(&o, 1, 0.5); /* nothing is rare in one document */
    CU_ASSERT(near(o.idf[0], 0.8) && o.always_df == 1);
    pd_scale_idf(&o, 100, 0.01);
    CU_ASSERT(near(o.idf[0], 1) && near(o.idf[1], 1));
    o = (struct pd_method_options){.idf = {0.1, 0.4}, .always_df = 7, .frequencies = "given"};
    pd_scale_idf(&o, 100, 0.01);
    CU_ASSERT(near(o.idf[0], 0.1) && near(o.idf[1], 0.4) && o.always_df == 7);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_laws),  PD_TEST(test_whole),    PD_TEST(test_bounds), PD_TEST(test_limit),
        PD_TEST(test_ranks), PD_TEST(test_spilling), PD_TEST(test_sets),   PD_TEST(test_enough),
        PD_TEST(test_idf),   CU_TEST_INFO_NULL,
    };
    return pd_run_tests(argc, argv, "extrapolate", tests);
}
