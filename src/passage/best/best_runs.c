/* passage/best/best_runs.c - see src/passage/best_inside.h */
#include "passage/best_inside.h"

#include "pardup/base/sort.h"

/*
 * The least length of a run that counts for its length, 2^k dots.
 *   runs  runs[k] is the number of runs of 2^k dots or more
 *   most  runs of that length or longer that a pair may have
 */
static uint32_t least_length(const uint64_t runs[32], uint64_t most)
{
    unsigned k = 0;
    while (k < 31 && runs[k] > most)
        k++;
    return (uint32_t)1 << k;
}

/*
 * True if a dot makes its run count, however short the run is.
 *   ni, nj  units of a that match the dot's unit of b; units of b that match its unit of a
 *   x, y    how many units of either list are before the dot
 *   rare    as in struct pd_best_limits
 */
static bool makes_count(uint64_t ni, uint64_t nj, uint64_t x, uint64_t y, uint32_t rare)
{
    return ni * nj <= rare || x == y || x * nj / ni == y || y * ni / nj == x;
}

void pd_runs_sort(struct pd_dot_runs *runs)
{
    struct pd_dot_run *v = runs->v;
    size_t n = 0;
    pd_sort_records(v, runs->n, PD_RUN_U64S, PD_RUN_U64S - 1);
    for (size_t k = 0; k < runs->n; k++)
        if (n == 0 || v[n - 1].diagonal != v[k].diagonal || v[n - 1].i_n != v[k].i_n)
            v[n++] = v[k];
    runs->n = n;
}

struct open_run {  /* a run that the next line may continue */
    uint32_t i, n; /* its first unit of a, its dots */
    uint32_t j;    /* its last unit of b */
    bool counts;   /* it has a dot that makes it count */
    uint64_t weight;
};
PD_VEC(open_runs, struct open_run);
PD_VEC(numbers, uint32_t);

/* One walk over all lines of a pair. */
struct walk {
    const struct pd_run_choice *choice;
    struct open_runs open, next; /* the runs with a dot in the line before, in the current line */
    struct numbers degree;       /* for each unit of b, the units of a that match it; or empty */
    struct numbers seen;         /* for each unit of b, how many of them have been read; or empty */
    uint64_t lengths[32];        /* the runs that have ended, by the logarithm of their length */
    uint32_t length;             /* the least length of a run that counts for its length */
    struct pd_dot_runs *out;     /* NULL: runs are only counted */
};

static void close_run(struct walk *w, const struct open_run *r)
{
    if (!w->out)
        w->lengths[31 - __builtin_clz(r->n)]++;
    else if (r->n >= w->choice->least && (r->counts || r->n >= w->length))
        pd_runs_add(w->out, r->i, r->j - (r->n - 1), r->n, r->weight);
}

/* Take the next line, whose unit of a follows that of the line before, unless `open` is empty. */
static void take_line(struct walk *w, const struct pd_dot_lines *l)
{
    const struct open_run *open = w->open.v, *end = open_runs_behind(&w->open);
    w->next.n = 0;
    open_runs_reserve(&w->next, l->line.n);
    for (size_t y = 0; y < l->line.n; y++) {
        const uint32_t j = (uint32_t)(l->line.v[y] >> 32);
        struct open_run r = {.i = l->i};
        while (open < end && (uint64_t)open->j + 1 < j)
            close_run(w, open++);
        if (open < end && (uint64_t)open->j + 1 == j)
            r = *open++;
        r.j = j;
        r.n++;
        r.weight += (uint32_t)l->line.v[y];
        if (w->seen.n && !r.counts)
            r.counts =
                makes_count(w->degree.v[j], l->line.n, w->seen.v[j], y, w->choice->limits.rare);
        if (w->seen.n)
            w->seen.v[j]++;
        w->next.v[w->next.n++] = r;
    }
    while (open < end)
        close_run(w, open++);
    const struct open_runs swap = w->open;
    w->open = w->next;
    w->next = swap;
}

static void walk(struct walk *w, struct pd_dot_lines *l)
{
    uint64_t behind = 0; /* the unit of a behind the line before */
    pd_dot_lines_again(l);
    while (pd_dot_lines_next(l)) {
        if (l->i != behind) {
            for (size_t k = 0; k < w->open.n; k++)
                close_run(w, &w->open.v[k]);
            w->open.n = 0;
        }
        take_line(w, l);
        behind = (uint64_t)l->i + 1;
        if (w->choice->stopping && w->choice->stopping())
            break;
    }
    for (size_t k = 0; k < w->open.n; k++)
        close_run(w, &w->open.v[k]);
    w->open.n = 0;
}

/* Count units that have a dot, and for each unit of b the units of a that match it. */
static uint64_t count_units(struct walk *w, struct pd_dot_lines *l)
{
    uint64_t units = 0;
    pd_dot_lines_again(l);
    while (pd_dot_lines_next(l)) {
        const size_t most = l->line.n ? (size_t)(l->line.v[l->line.n - 1] >> 32) + 1 : 0;
        units++;
        numbers_reserve(&w->degree, most);
        for (; w->degree.n < most; w->degree.n++)
            w->degree.v[w->degree.n] = 0;
        for (size_t y = 0; y < l->line.n; y++)
            units += w->degree.v[l->line.v[y] >> 32]++ == 0;
    }
    return units;
}

/* An upper bound of the dots, and the units of a that have one. */
static uint64_t most_dots(const struct pd_dot_lines *l, uint64_t *units)
{
    const uint64_t *v = l->dots ? l->dots : l->entries.v;
    const size_t n = l->dots ? l->ndots : l->entries.n;
    uint64_t dots = 0;
    *units = 0;
    for (size_t k = 0; k < n; k++) {
        *units += k == 0 || v[k] >> 32 != v[k - 1] >> 32;
        dots += l->dots ? 1 : l->blocks[(uint32_t)v[k]]->nj;
    }
    return dots;
}

/* Find the length from which on runs count for their length, and prepare to judge single dots. */
static void choose_length(struct walk *w, struct pd_dot_lines *l)
{
    const uint64_t units = count_units(w, l);
    walk(w, l);
    for (int k = 30; k >= 0; k--)
        w->lengths[k] += w->lengths[k + 1];
    w->length = least_length(w->lengths, units * w->choice->limits.runs);
    if (w->length == 1)
        return;
    numbers_reserve(&w->seen, w->degree.n);
    w->seen.n = w->degree.n;
    memset(w->seen.v, 0, w->seen.n * sizeof *w->seen.v);
}

void pd_runs_of_lines(struct pd_dot_lines *lines, const struct pd_run_choice *choice,
                      struct pd_dot_runs *out)
{
    struct walk w = {.choice = choice, .length = 1};
    uint64_t units;
    out->n = 0;
    if (most_dots(lines, &units) > units * choice->limits.runs)
        choose_length(&w, lines);
    w.out = out;
    walk(&w, lines);
    pd_runs_sort(out);
    PD_RELEASE(open_runs, &w.open, &w.next);
    PD_RELEASE(numbers, &w.degree, &w.seen);
}
