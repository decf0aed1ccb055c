/* app/show/diff.c - see src/app/show/diff.h */
#include "diff.h"

/*
 * A small window is tried first. It will do if it leads to this many equal words in a row: then a
 * whole window would hardly find more.
 */
enum { SMALL_WINDOW = 64, SURE = 24, SIDE = PD_DIFF_WINDOW + 1 };

struct diff {
    const uint64_t *a, *b;
    uint32_t na, nb;
    uint32_t i, j;             /* words aligned so far */
    uint16_t *lengths;         /* SIDE * SIDE: common words from (x, y) to the end of the window */
    struct pd_diff_runs *runs; /* the alignment so far */
};

/* Append words to the alignment, to its last run if that is of the same kind. */
static void advance(struct diff *d, uint32_t na, uint32_t nb, bool equal)
{
    struct pd_diff_run *last = d->runs->n ? &d->runs->v[d->runs->n - 1] : NULL;
    if (na + nb == 0)
        return;
    if (last && last->equal == equal) {
        last->na += na;
        last->nb += nb;
    } else {
        pd_diff_runs_push(d->runs, (struct pd_diff_run){d->i, d->j, na, nb, equal});
    }
    d->i += na;
    d->j += nb;
}

/* Take the words at hand that are equal: matching equal first words is always as long as any. */
static void take_equal(struct diff *d)
{
    uint32_t n = 0;
    while (d->i + n < d->na && d->j + n < d->nb && d->a[d->i + n] == d->b[d->j + n])
        n++;
    advance(d, n, n, true);
}

/* Fill in d->lengths for the window of wa and wb words at hand. */
static void measure(struct diff *d, uint32_t wa, uint32_t wb)
{
    const uint64_t *a = d->a + d->i, *b = d->b + d->j;
    for (uint32_t y = 0; y <= wb; y++)
        d->lengths[wa * SIDE + y] = 0;
    for (uint32_t x = wa; x-- > 0;) {
        uint16_t *row = d->lengths + (size_t)x * SIDE, *below = row + SIDE;
        row[wb] = 0;
        for (uint32_t y = wb; y-- > 0;) {
            const uint16_t skip = below[y] > row[y + 1] ? below[y] : row[y + 1];
            row[y] = a[x] == b[y] ? (uint16_t)(below[y + 1] + 1) : skip;
        }
    }
}

/*
 * Align a window of at most `most` words of either text, which begins with two different words. It
 * is followed to the end if it is the last one, else behind the last equal words of its first three
 * quarters, because near its end the alignment does not know what comes. Without equal words there,
 * it is followed to its first equal words; without any, all of it differs.
 */
static void take_window(struct diff *d, uint32_t most)
{
    const uint32_t from_a = d->i, from_b = d->j, trusted = most / 4 * 3;
    const uint32_t wa = d->na - d->i < most ? d->na - d->i : most;
    const uint32_t wb = d->nb - d->j < most ? d->nb - d->j : most;
    const bool last = d->i + wa == d->na && d->j + wb == d->nb;
    measure(d, wa, wb);
    uint32_t x = 0, y = 0;
    while (d->lengths[x * SIDE + y] > 0) {
        if (d->a[from_a + x] == d->b[from_b + y]) {
            const bool first = d->i == from_a && d->j == from_b;
            if (!last && !first && (x >= trusted || y >= trusted))
                return;
            advance(d, from_a + x - d->i, from_b + y - d->j, false);
            advance(d, 1, 1, true);
            x++;
            y++;
        } else if (d->lengths[(x + 1) * SIDE + y] >= d->lengths[x * SIDE + y + 1]) {
            x++;
        } else {
            y++;
        }
    }
    if (last || (d->i == from_a && d->j == from_b))
        advance(d, from_a + wa - d->i, from_b + wb - d->j, false);
}

/* Align the next words, which differ: by a small window, or by a whole one if that is not sure. */
static void take_different(struct diff *d)
{
    const struct pd_diff_runs *runs = d->runs;
    const struct diff before = *d;
    const size_t n = runs->n;
    const struct pd_diff_run last = n ? runs->v[n - 1] : (struct pd_diff_run){0};
    take_window(d, SMALL_WINDOW);
    take_equal(d);
    if ((d->i == d->na && d->j == d->nb && before.na - before.i <= SMALL_WINDOW &&
         before.nb - before.j <= SMALL_WINDOW) ||
        (runs->v[runs->n - 1].equal && runs->v[runs->n - 1].na >= SURE))
        return;
    d->i = before.i;
    d->j = before.j;
    d->runs->n = n;
    if (n)
        d->runs->v[n - 1] = last;
    take_window(d, PD_DIFF_WINDOW);
    take_equal(d);
}

/* Do the last n words in front of v[from] and the last n words in front of v[to] agree? */
static bool ends_agree(const uint64_t *v, uint32_t from, uint32_t to, uint32_t n)
{
    for (uint32_t k = 1; k <= n; k++)
        if (v[from - k] != v[to - k])
            return false;
    return true;
}

/*
 * Slide the words of run k, which is equal, over the run behind it, if only one side has words
 * there, and they end with the same words as run k. Run k - 1, which differs, takes up the run that
 * was slid over. Returns true if run k + 1 is gone.
 */
static bool slide(const struct diff *d, size_t k)
{
    struct pd_diff_run *before = &d->runs->v[k - 1], *equal = before + 1, *gap = before + 2;
    const uint32_t n = equal->na;
    if (gap->na && gap->nb)
        return false;
    if (gap->nb && !ends_agree(d->b, gap->b, gap->b + gap->nb, n))
        return false;
    if (gap->na && !ends_agree(d->a, gap->a, gap->a + gap->na, n))
        return false;
    before->na += gap->na;
    before->nb += gap->nb;
    *equal = (struct pd_diff_run){before->a + before->na, before->b + before->nb, n, n, true};
    return true;
}

/* Slide what can be slid, and join equal runs that then follow each other. */
static void tidy(const struct diff *d)
{
    struct pd_diff_runs *runs = d->runs;
    size_t out = 0; /* runs in front of this one are done */
    for (size_t k = 0; k < runs->n; k++) {
        if (out && runs->v[out - 1].equal && runs->v[k].equal) {
            runs->v[out - 1].na += runs->v[k].na;
            runs->v[out - 1].nb += runs->v[k].nb;
            continue;
        }
        runs->v[out++] = runs->v[k];
        if (out >= 3 && !runs->v[out - 1].equal && slide(d, out - 2))
            out--;
    }
    runs->n = out;
}

void pd_diff(const uint64_t *a, uint32_t na, const uint64_t *b, uint32_t nb,
             struct pd_diff_runs *runs)
{
    struct diff d = {.a = a, .b = b, .na = na, .nb = nb, .runs = runs};
    runs->n = 0;
    take_equal(&d);
    if (d.i < na && d.j < nb)
        d.lengths = pd_realloc(NULL, (size_t)SIDE * SIDE, sizeof *d.lengths);
    while (d.i < na && d.j < nb)
        take_different(&d);
    advance(&d, na - d.i, nb - d.j, false);
    free(d.lengths);
    tidy(&d);
}
