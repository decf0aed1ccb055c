/*
 * tools/eval/bootstrap.c - percentile intervals of the bootstrap (measures.h): draw n of the n
 * document pairs, with replacement, and compute the measures again.
 */
#include "bootstrap.h"

#include "measures.h"
#include "pardup/base/hash.h"

#define LOW  0.025 /* the ends of a 95 % interval */
#define HIGH 0.975
#define STEP 0x9E3779B97F4A7C15u /* 2^64 / golden ratio: resamples begin at distant numbers */

enum {
    AHEAD = 16,     /* draws that are prefetched before they are added */
    CACHE_LINE = 64 /* bytes */
};

enum purpose { DRAW_PAIRS, DRAW_DOCUMENTS, PURPOSES };

/* Where the draws of a resample start: its k-th draw is pd_draw(start, k, n). */
static uint64_t start_of(uint64_t seed, enum purpose purpose, uint64_t resample)
{
    return pd_mix(pd_mix(seed * PURPOSES + purpose) + resample * STEP);
}

uint64_t pd_bootstrap_start(uint64_t seed, uint64_t resample)
{
    return start_of(seed, DRAW_PAIRS, resample);
}

static void prefetch(const struct pd_sums *unit)
{
    for (size_t line = 0; line < sizeof *unit; line += CACHE_LINE)
        __builtin_prefetch((const char *)unit + line);
}

/* The drawn pairs lie anywhere in memory, so each is prefetched AHEAD draws before it is added. */
static void resample_pairs(const struct pd_pair_sums *pairs, uint64_t start, double *value)
{
    struct pd_sums sums = {{0}};
    const struct pd_sums *ahead[AHEAD];
    for (uint64_t k = 0; k < pairs->n + AHEAD; k++) {
        if (k >= AHEAD)
            for (int s = 0; s < PD_SUMS; s++)
                sums.v[s] += ahead[k % AHEAD]->v[s];
        if (k < pairs->n) {
            ahead[k % AHEAD] = &pairs->v[pd_draw(start, k, pairs->n)];
            prefetch(ahead[k % AHEAD]);
        }
    }
    pd_measures_of(&sums, value);
}

/*
 * Only the kind of a document matters, so documents need no list: numbers below d->both stand for
 * documents that are both, the next d->only_true for documents that are only true, and so on.
 */
static void resample_documents(const struct pd_documents_judged *d, uint64_t start, double *value)
{
    struct pd_documents_judged drawn = {0, 0, 0};
    const uint64_t n = d->both + d->only_true + d->only_found;
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t drawn_document = pd_draw(start, k, n);
        if (drawn_document < d->both)
            drawn.both++;
        else if (drawn_document < d->both + d->only_true)
            drawn.only_true++;
        else
            drawn.only_found++;
    }
    pd_measures_of_documents(&drawn, value);
}

static int by_value(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The quantile q of n ascending values; between two values it is interpolated linearly. */
static double quantile(const double *v, uint64_t n, double q)
{
    const double rank = q * (double)(n - 1);
    const uint64_t k = (uint64_t)rank;
    return k + 1 < n ? v[k] + (rank - (double)k) * (v[k + 1] - v[k]) : v[k];
}

void pd_bootstrap_interval(double *values, uint64_t n, double *low, double *high)
{
    qsort(values, n, sizeof *values, by_value);
    *low = quantile(values, n, LOW);
    *high = quantile(values, n, HIGH);
}

void pd_bootstrap(const struct pd_pair_sums *pairs, uint64_t resamples, uint64_t seed,
                  struct pd_score *score)
{
    double(*drawn)[PD_MEASURES] = pd_realloc(NULL, resamples, sizeof *drawn);
    double *values = pd_realloc(NULL, resamples, sizeof *values);
    for (uint64_t r = 0; r < resamples; r++) {
        resample_pairs(pairs, pd_bootstrap_start(seed, r), drawn[r]);
        resample_documents(&score->documents, start_of(seed, DRAW_DOCUMENTS, r), drawn[r]);
    }
    for (int m = 0; m < PD_MEASURES; m++) {
        for (uint64_t r = 0; r < resamples; r++)
            values[r] = drawn[r][m];
        pd_bootstrap_interval(values, resamples, &score->low[m], &score->high[m]);
    }
    PD_FREE(values, drawn);
}
