/* tools/eval/paired.c - see src/tools/eval/paired.h */
#include "paired.h"

#include <math.h>

#include "bootstrap.h"
#include "pardup/base/hash.h"

/* What a document pair adds to the measures of both results. */
struct both {
    struct pd_sums of[2];
};
PD_VEC(boths, struct both);

/* ---- Student's distribution ---- */

/*
 * The continued fraction of the incomplete beta function, by Lentz's method. Source: DLMF, equation
 * 8.17.22.
 */
static double fraction(double x, double a, double b)
{
    enum { STEPS = 10000 };
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double product = d;
    for (int m = 1; m < STEPS; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        for (int k = 0; k < 2; k++) {
            const double factor = k ? odd : even;
            d = 1 + factor * d;
            c = 1 + factor / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            product *= c * d;
        }
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return product;
}

/* The regularised incomplete beta function I_x(a, b), given y = 1 - x. */
static double beta_share(double x, double y, double a, double b)
{
    if (x <= 0 || y <= 0)
        return x <= 0 ? 0 : 1;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
    return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a
                                     : 1 - front * fraction(y, b, a) / b;
}

double pd_student(double t, double degrees)
{
    const double all = degrees + t * t;
    return beta_share(degrees / all, t * t / all, degrees / 2, 0.5);
}

/* ---- pairs of both results ---- */

/* Walk both lists side by side. A pair that one of them lacks adds nothing there. */
static void join(const struct pd_judged_pairs lists[2], struct boths *to)
{
    size_t at[2] = {0, 0};
    while (at[0] < lists[0].n || at[1] < lists[1].n) {
        const struct pd_judged_pair *next[2];
        for (int k = 0; k < 2; k++)
            next[k] = at[k] < lists[k].n ? &lists[k].v[at[k]] : NULL;
        const int order = !next[0] ? 1
                          : !next[1]
                              ? -1
                              : pd_pair_order(next[0]->a, next[0]->b, next[1]->a, next[1]->b);
        struct both both = {{{{0}}, {{0}}}};
        for (int k = 0; k < 2; k++)
            if (order == 0 || (order < 0) == (k == 0)) {
                both.of[k] = next[k]->sums;
                at[k]++;
            }
        boths_push(to, both);
    }
}

static void add(struct pd_sums *to, const struct pd_sums *sums)
{
    for (int s = 0; s < PD_SUMS; s++)
        to->v[s] += sums->v[s];
}

/* Has the pair the measure in a result? Precision needs a detection, and recall a case. */
static bool has(const struct pd_sums *sums, enum pd_measure m)
{
    switch (m) {
    case PD_PRECISION:
    case PD_MICRO_PRECISION:
        return sums->v[PD_SUM_FOUND] > 0;
    case PD_RECALL:
    case PD_MICRO_RECALL:
        return sums->v[PD_SUM_CASES] > 0;
    case PD_PAIR_PRECISION:
        return sums->v[PD_SUM_FOUND_PAIRS] > 0;
    case PD_PAIR_RECALL:
        return sums->v[PD_SUM_TRUE_PAIRS] > 0;
    default:
        return true;
    }
}

/* Student's test of the differences of a measure, pair by pair. */
static void test(const struct boths *pairs, enum pd_measure m, struct pd_paired_measure *to)
{
    double values[2][PD_MEASURES], squares = 0;
    for (size_t k = 0; k < pairs->n; k++) {
        const struct pd_sums *of = pairs->v[k].of;
        if (!has(&of[0], m) || !has(&of[1], m))
            continue;
        pd_measures_of(&of[0], values[0]);
        pd_measures_of(&of[1], values[1]);
        const double off = values[1][m] - values[0][m] - to->mean;
        to->samples++;
        to->mean += off / (double)to->samples;
        squares += off * (values[1][m] - values[0][m] - to->mean);
    }
    const double n = (double)to->samples;
    if (to->samples > 1 && squares > 0) {
        to->t = to->mean / sqrt(squares / (n - 1) / n);
        to->p = pd_student(to->t, n - 1);
    }
}

/* Draw pairs for one resample, and set the differences of the measures. */
static void resample(const struct boths *pairs, uint64_t start, double *differences)
{
    struct pd_sums sums[2] = {{{0}}, {{0}}};
    double values[2][PD_MEASURES];
    for (uint64_t k = 0; k < pairs->n; k++) {
        const struct both *drawn = &pairs->v[pd_draw(start, k, pairs->n)];
        add(&sums[0], &drawn->of[0]);
        add(&sums[1], &drawn->of[1]);
    }
    for (int side = 0; side < 2; side++)
        pd_measures_of(&sums[side], values[side]);
    for (int m = 0; m < PD_PAIR_MEASURES; m++)
        differences[m] = values[1][m] - values[0][m];
}

static void bootstrap(const struct boths *pairs, uint64_t resamples, uint64_t seed,
                      struct pd_paired *out)
{
    double(*drawn)[PD_PAIR_MEASURES] = pd_realloc(NULL, resamples, sizeof *drawn);
    double *values = pd_realloc(NULL, resamples, sizeof *values);
    for (uint64_t r = 0; r < resamples; r++)
        resample(pairs, pd_bootstrap_start(seed, r), drawn[r]);
    for (int m = 0; m < PD_PAIR_MEASURES; m++) {
        struct pd_paired_measure *to = &out->measures[m];
        uint64_t least = 0, most = 0; /* resamples up to 0, and from 0 on */
        for (uint64_t r = 0; r < resamples; r++) {
            values[r] = drawn[r][m];
            least += values[r] <= 0;
            most += values[r] >= 0;
        }
        pd_bootstrap_interval(values, resamples, &to->low, &to->high);
        to->chance = fmin(1, 2 * (double)(least < most ? least : most) / (double)resamples);
    }
    PD_FREE(values, drawn);
}

void pd_paired_compare(const struct pd_judged_pairs lists[2], uint64_t resamples, uint64_t seed,
                       struct pd_paired *out)
{
    struct boths pairs = {NULL, 0, 0};
    struct pd_sums sums[2] = {{{0}}, {{0}}};
    double values[PD_MEASURES];
    join(lists, &pairs);
    *out = (struct pd_paired){.pairs = pairs.n};
    for (size_t k = 0; k < pairs.n; k++)
        for (int side = 0; side < 2; side++)
            add(&sums[side], &pairs.v[k].of[side]);
    for (int m = 0; m < PD_PAIR_MEASURES; m++)
        out->measures[m] =
            (struct pd_paired_measure){.low = NAN, .high = NAN, .chance = NAN, .t = NAN, .p = NAN};
    for (int side = 0; side < 2; side++) {
        pd_measures_of(&sums[side], values);
        for (int m = 0; m < PD_PAIR_MEASURES; m++)
            out->measures[m].value[side] = values[m];
    }
    for (int m = 0; m < PD_PAIR_MEASURES; m++)
        test(&pairs, (enum pd_measure)m, &out->measures[m]);
    if (pairs.n && resamples)
        bootstrap(&pairs, resamples, seed, out);
    boths_release(&pairs);
}
