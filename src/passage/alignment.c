/* passage/alignment.c - see include/pardup/passage/alignment.h */
#include "pardup/passage/alignment.h"

/* ---- runs of matches ---- */

static uint32_t end_a(const struct pd_aligned_run *run) { return run->a + run->na; }
static uint32_t end_b(const struct pd_aligned_run *run) { return run->b + run->nb; }

/* Do the same n words begin at v[k] and at v[other]? */
static bool are_equal(const uint64_t *v, uint32_t k, uint32_t other, uint32_t n)
{
    return n <= PD_SLIDE_MOST && memcmp(v + k, v + other, n * sizeof *v) == 0;
}

/*
 * Make the last run and the next one touch, if the stretch between them stands in one sequence
 * only, and if the words of one run stand next to the other one, too.
 *   v          that sequence
 *   last_end   where the last run ends in it
 *   next       where the next run begins in it
 *   *ahead     the last run moves, not the next one
 */
static bool slide(const uint64_t *v, uint32_t last_end, uint32_t next, uint32_t last_n,
                  uint32_t next_n, bool *ahead)
{
    *ahead = are_equal(v, last_end - last_n, next - last_n, last_n);
    return *ahead || are_equal(v, next, last_end, next_n);
}

/* Join a run of matches with the last one, if they touch or can slide together. */
static bool join(const struct pd_aligned_runs *runs, const uint64_t *a, const uint64_t *b,
                 struct pd_aligned_run next)
{
    struct pd_aligned_run *last = &runs->v[runs->n - 1];
    const uint32_t n = last->na;
    const bool touch_a = end_a(last) == next.a, touch_b = end_b(last) == next.b;
    bool ahead = false;
    if (!touch_a && !touch_b)
        return false;
    if (!touch_a && !slide(a, end_a(last), next.a, n, next.na, &ahead))
        return false;
    if (!touch_b && !slide(b, end_b(last), next.b, n, next.na, &ahead))
        return false;
    last->a = ahead ? next.a - n : last->a;
    last->b = ahead ? next.b - n : last->b;
    last->na = last->nb = n + next.na;
    return true;
}

/* Push a run of matches. A run that two have become is tried with the run before it, too. */
static void push(struct pd_aligned_runs *matches, const uint64_t *a, const uint64_t *b,
                 struct pd_aligned_run next)
{
    while (matches->n && join(matches, a, b, next))
        next = matches->v[--matches->n];
    pd_aligned_runs_push(matches, next);
}

/* List the runs of matches of l->at in l->matches. */
static void list_matches(struct pd_alignment *l, struct pd_spoken a, struct pd_spoken b)
{
    const uint32_t *const at = l->at.v;
    l->matches.n = 0;
    for (uint32_t j = 0, n; j < b.n; j += n) {
        for (n = 1; at[j] && j + n < b.n && at[j + n] == at[j] + n;)
            n++;
        if (at[j])
            push(&l->matches, a.terms, b.terms, (struct pd_aligned_run){at[j] - 1, j, n, n, true});
    }
}

/* Fill in l->at and l->runs from l->matches. */
static void fill_in(struct pd_alignment *l, struct pd_spoken a, struct pd_spoken b)
{
    uint32_t i = 0, j = 0;
    l->runs.n = 0;
    if (b.n)
        memset(l->at.v, 0, b.n * sizeof *l->at.v);
    for (size_t k = 0; k <= l->matches.n; k++) {
        const struct pd_aligned_run next =
            k < l->matches.n ? l->matches.v[k] : (struct pd_aligned_run){.a = a.n, .b = b.n};
        if (next.a > i || next.b > j)
            pd_aligned_runs_push(&l->runs,
                                 (struct pd_aligned_run){i, j, next.a - i, next.b - j, false});
        if (next.equal)
            pd_aligned_runs_push(&l->runs, next);
        for (uint32_t w = 0; w < next.nb; w++)
            l->at.v[next.b + w] = next.a + w + 1;
        i = end_a(&next);
        j = end_b(&next);
    }
}

uint64_t pd_align(struct pd_alignment *l, struct pd_spoken a, struct pd_spoken b)
{
    pd_word_codes_reserve(&l->at, (size_t)b.n + 1);
    const uint64_t n = pd_agreement_match(&l->agreement, a, b, l->at.v);
    list_matches(l, a, b);
    fill_in(l, a, b);
    return n;
}

void pd_alignment_release(struct pd_alignment *l)
{
    pd_agreement_release(&l->agreement);
    pd_word_codes_release(&l->at);
    PD_RELEASE(pd_aligned_runs, &l->matches, &l->runs);
}
