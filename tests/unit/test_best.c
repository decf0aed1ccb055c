/* The best passages of one pair: by hand, then random dots against a slow definition. */
#include "pardup/passage/best.h"

#include <stdlib.h>
#include <string.h>

#include "pd_blocks.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { SIDE = 26, MOST_RUNS = SIDE * SIDE };

/* Dots as a grid: the similarity of (i, j), or 0. */
struct grid {
    uint32_t na, nb;
    double at[SIDE][SIDE];
};

static double dot_at(const struct grid *g, int64_t i, int64_t j)
{
    return i < 0 || j < 0 || i >= g->na || j >= g->nb ? 0 : g->at[i][j];
}

/* ---- the definition ---- */

struct run {
    int64_t i, j, n, weight;
};

struct stretch { /* n dots of a run, from (i, j) on */
    size_t run;
    int64_t i, j, n;
};

struct chain {
    struct stretch v[SIDE];
    size_t n;
};

static int64_t last_i(const struct stretch *s) { return s->i + s->n - 1; }
static int64_t last_j(const struct stretch *s) { return s->j + s->n - 1; }

static bool counts_alone(const struct grid *g, int64_t i, int64_t j, uint32_t rare)
{
    int64_t ni = 0, nj = 0, x = 0, y = 0;
    for (int64_t k = 0; k < g->na; k++) {
        ni += dot_at(g, k, j) > 0;
        x += k < i && dot_at(g, k, j) > 0;
    }
    for (int64_t k = 0; k < g->nb; k++) {
        nj += dot_at(g, i, k) > 0;
        y += k < j && dot_at(g, i, k) > 0;
    }
    return ni * nj <= rare || x == y || x * nj / ni == y || y * ni / nj == x;
}

static size_t list_runs(const struct grid *g, struct run *runs)
{
    size_t n = 0;
    for (int64_t i = 0; i < g->na; i++)
        for (int64_t j = 0; j < g->nb; j++) {
            struct run r = {.i = i, .j = j};
            if (dot_at(g, i, j) == 0 || dot_at(g, i - 1, j - 1) > 0)
                continue;
            for (; dot_at(g, i + r.n, j + r.n) > 0; r.n++) {
                const int64_t weight = (int64_t)(dot_at(g, i + r.n, j + r.n) * 1024);
                r.weight += weight ? weight : 1;
            }
            runs[n++] = r;
        }
    return n;
}

static int64_t units_with_dots(const struct grid *g)
{
    int64_t units = 0;
    for (int side = 0; side < 2; side++)
        for (int64_t x = 0; x < SIDE; x++) {
            bool any = false;
            for (int64_t y = 0; y < SIDE; y++)
                any |= (side ? dot_at(g, x, y) : dot_at(g, y, x)) > 0;
            units += any;
        }
    return units;
}

static int by_last_dot(const void *pa, const void *pb)
{
    const struct run *a = pa, *b = pb;
    const int64_t ia = a->i + a->n, ib = b->i + b->n, ja = a->j + a->n, jb = b->j + b->n;
    return ia != ib ? (ia > ib) - (ia < ib) : (ja > jb) - (ja < jb);
}

/* The runs that count, in order of their last dots. */
static size_t runs_that_count(const struct grid *g, const struct pd_best_options *o,
                              struct run *runs)
{
    const size_t n = list_runs(g, runs);
    const int64_t most = units_with_dots(g) * o->limits.runs;
    size_t left = 0;
    for (int64_t length = 1, more = 1; more; length *= 2) {
        int64_t long_ones = 0;
        for (size_t k = 0; k < n; k++)
            long_ones += runs[k].n >= length;
        more = long_ones > most;
        for (size_t k = 0; k < n && !more; k++) {
            bool counts = runs[k].n >= length;
            for (int64_t d = 0; d < runs[k].n; d++)
                counts |= counts_alone(g, runs[k].i + d, runs[k].j + d, o->limits.rare);
            if (counts && (o->gap > 0 || runs[k].n > o->gamma))
                runs[left++] = runs[k];
        }
    }
    qsort(runs, left, sizeof *runs, by_last_dot);
    return left;
}

static int64_t adds(const struct run *r, int64_t n, bool linked)
{
    const int64_t score = r->weight * (2 * n - linked) / (2 * r->n);
    return score > 1 ? score : 1;
}

/* The dots of run r behind all dots of run p; n <= 0: there are none. */
static struct stretch entry(const struct run *runs, size_t p, size_t r)
{
    const int64_t skip_i = runs[p].i + runs[p].n - runs[r].i;
    const int64_t skip_j = runs[p].j + runs[p].n - runs[r].j;
    int64_t skip = skip_i > skip_j ? skip_i : skip_j;
    skip = skip > 0 ? skip : 0;
    return (struct stretch){r, runs[r].i + skip, runs[r].j + skip, runs[r].n - skip};
}

/* 0: run r cannot follow run p; else how near it is: the less, the nearer. */
static int64_t nearness(const struct run *runs, size_t n, size_t p, size_t r, uint32_t gap)
{
    const int64_t d = (runs[r].j - runs[r].i) - (runs[p].j - runs[p].i);
    const struct stretch s = entry(runs, p, r);
    if (s.n <= 0 || s.i > runs[p].i + runs[p].n + gap || s.j > runs[p].j + runs[p].n + gap)
        return 0;
    for (size_t k = 0; k < n; k++) /* an earlier run of the same diagonal comes first */
        if (runs[k].j - runs[k].i == runs[r].j - runs[r].i && runs[k].i < runs[r].i &&
            entry(runs, p, k).n > 0)
            return 0;
    return d < 0 ? 2 - 2 * d : 1 + 2 * d;
}

static bool can_follow(const struct run *runs, size_t n, size_t p, size_t r,
                       const struct pd_best_options *o)
{
    const int64_t near = nearness(runs, n, p, r, o->gap);
    uint32_t nearer = 0;
    for (size_t k = 0; k < n && near > 0; k++) {
        const int64_t other = nearness(runs, n, p, k, o->gap);
        nearer += other > 0 && other < near;
    }
    return near > 0 && nearer < o->limits.links;
}

/* The best chain that ends with each run: score, and the run before or -1. */
static void find_ends(const struct run *runs, size_t n, const struct pd_best_options *o,
                      int64_t *score, int64_t *before)
{
    for (size_t k = 0; k < n; k++) {
        score[k] = runs[k].weight;
        before[k] = -1;
    }
    for (size_t p = 0; p < n && o->gap > 0; p++)
        for (size_t r = 0; r < n; r++) {
            if (!can_follow(runs, n, p, r, o))
                continue;
            const int64_t offer = score[p] + adds(&runs[r], entry(runs, p, r).n, true);
            const int64_t d = runs[r].j - runs[r].i;
            if (offer > score[r] || (offer == score[r] && before[r] >= 0 &&
                                     llabs(d - (runs[p].j - runs[p].i)) <=
                                         llabs(d - (runs[before[r]].j - runs[before[r]].i)))) {
                score[r] = offer;
                before[r] = (int64_t)p;
            }
        }
}

static size_t list_chains(const struct run *runs, size_t n, const struct pd_best_options *o,
                          struct chain *chains)
{
    static int64_t score[MOST_RUNS], before[MOST_RUNS];
    static bool taken[MOST_RUNS];
    size_t nchains = 0;
    memset(taken, 0, sizeof taken);
    find_ends(runs, n, o, score, before);
    for (;;) {
        size_t best = n;
        struct chain c = {.n = 0};
        for (size_t k = 0; k < n; k++)
            if (!taken[k] && (best == n || score[k] > score[best]))
                best = k;
        if (best == n)
            return nchains;
        for (size_t r = best; !taken[r]; r = (size_t)before[r]) {
            const bool linked = before[r] >= 0 && !taken[before[r]];
            taken[r] = true;
            memmove(c.v + 1, c.v, c.n++ * sizeof *c.v);
            c.v[0] = linked ? entry(runs, (size_t)before[r], r)
                            : (struct stretch){r, runs[r].i, runs[r].j, runs[r].n};
            if (before[r] < 0)
                break;
        }
        chains[nchains++] = c;
    }
}

static int64_t dots_of(const struct chain *c)
{
    int64_t n = 0;
    for (size_t k = 0; k < c->n; k++)
        n += c->v[k].n;
    return n;
}

static int64_t score_of(const struct run *runs, const struct chain *c)
{
    int64_t score = 0;
    for (size_t k = 0; k < c->n; k++)
        score += adds(&runs[c->v[k].run], c->v[k].n, k > 0);
    return score;
}

static bool has(const bool *claimed, int64_t from, int64_t to) /* some unit of [from, to) */
{
    for (int64_t u = from < 0 ? 0 : from; u < to && u < SIDE; u++)
        if (claimed[u])
            return true;
    return false;
}

struct claimed {
    bool a[SIDE], b[SIDE];
    bool span_a[SIDE], span_b[SIDE]; /* with all gaps */
};

/* Is no unit of the gap between two stretches claimed? The chain itself claims `own` units. */
static bool link_is_free(const struct claimed *c, const struct stretch *x, const struct stretch *y,
                         int64_t own)
{
    const int64_t gap_i = y->i - last_i(x) - 1, gap_j = y->j - last_j(x) - 1;
    return (gap_i <= own || !has(c->a, last_i(x) + 1, y->i)) &&
           (gap_j <= own || !has(c->b, last_j(x) + 1, y->j));
}

/* Append the parts of a chain that are not claimed to `parts`. Returns how many there are. */
static size_t cut(const struct claimed *c, const struct chain *whole, int64_t overlap,
                  struct chain *parts)
{
    size_t n = 0;
    struct chain part = {.n = 0};
    for (size_t k = 0; k < whole->n; k++) {
        bool goes_on = false;
        if (k > 0 && !link_is_free(c, &whole->v[k - 1], &whole->v[k], 0) && part.n) {
            parts[n++] = part;
            part.n = 0;
        }
        for (int64_t d = 0; d < whole->v[k].n; d++) {
            const int64_t i = whole->v[k].i + d, j = whole->v[k].j + d;
            if (has(c->a, i - overlap, i + overlap + 1) ||
                has(c->b, j - overlap, j + overlap + 1)) {
                if (part.n)
                    parts[n++] = part;
                part.n = 0;
                goes_on = false;
            } else if (goes_on) {
                part.v[part.n - 1].n++;
            } else {
                part.v[part.n++] = (struct stretch){whole->v[k].run, i, j, 1};
                goes_on = true;
            }
        }
    }
    if (part.n)
        parts[n++] = part;
    return n;
}

static void claim(struct claimed *c, const struct chain *chain, int64_t few)
{
    for (int64_t i = chain->v[0].i; i <= last_i(&chain->v[chain->n - 1]); i++)
        c->span_a[i] = true;
    for (int64_t j = chain->v[0].j; j <= last_j(&chain->v[chain->n - 1]); j++)
        c->span_b[j] = true;
    for (size_t k = 0; k < chain->n; k++) {
        const struct stretch *s = &chain->v[k];
        int64_t i = s->i, j = s->j;
        if (k > 0 && i - last_i(&chain->v[k - 1]) - 1 <= few)
            i = last_i(&chain->v[k - 1]);
        if (k > 0 && j - last_j(&chain->v[k - 1]) - 1 <= few)
            j = last_j(&chain->v[k - 1]);
        for (; i <= last_i(s); i++)
            c->a[i] = true;
        for (; j <= last_j(s); j++)
            c->b[j] = true;
    }
}

static void emit(const struct grid *g, const struct chain *c, int64_t gamma,
                 struct pd_passages *out)
{
    const struct stretch *first = &c->v[0], *last = &c->v[c->n - 1];
    double sum = 0;
    for (size_t k = 0; k < c->n; k++)
        for (int64_t d = 0; d < c->v[k].n; d++)
            sum += dot_at(g, c->v[k].i + d, c->v[k].j + d);
    if (dots_of(c) > gamma)
        pd_passages_push(out,
                         (struct pd_passage){.a = 0,
                                             .b = 1,
                                             .start_a = (uint32_t)first->i,
                                             .start_b = (uint32_t)first->j,
                                             .length_a = (uint32_t)(last_i(last) - first->i) + 1,
                                             .length_b = (uint32_t)(last_j(last) - first->j) + 1,
                                             .matched = (uint32_t)dots_of(c),
                                             .similarity = sum / (double)dots_of(c)});
}

static bool is_better(const struct run *runs, const struct chain *x, const struct chain *y)
{
    const int64_t sx = score_of(runs, x), sy = score_of(runs, y);
    if (sx != sy)
        return sx > sy;
    return x->v[0].i != y->v[0].i ? x->v[0].i < y->v[0].i : x->v[0].j < y->v[0].j;
}

static int by_start(const void *pa, const void *pb)
{
    const struct pd_passage *a = pa, *b = pb;
    return (a->start_a > b->start_a) - (a->start_a < b->start_a);
}

/* The definition, as slowly as it reads. */
static void define(const struct grid *g, const struct pd_best_options *o, struct pd_passages *out)
{
    static struct run runs[MOST_RUNS];
    static struct chain waiting[2 * MOST_RUNS], chosen[MOST_RUNS], parts[SIDE];
    struct claimed claimed;
    const int64_t few = o->gamma > PD_BEST_FEW ? o->gamma : PD_BEST_FEW;
    size_t nchosen = 0, nwaiting = list_chains(runs, runs_that_count(g, o, runs), o, waiting);
    memset(&claimed, 0, sizeof claimed);
    while (nwaiting) {
        size_t best = 0;
        for (size_t k = 1; k < nwaiting; k++)
            if (is_better(runs, &waiting[k], &waiting[best]))
                best = k;
        const struct chain c = waiting[best];
        waiting[best] = waiting[--nwaiting];
        if (dots_of(&c) <= o->gamma)
            continue;
        const size_t n = cut(&claimed, &c, o->overlap, parts);
        if (n == 1 && dots_of(&parts[0]) == dots_of(&c)) {
            if (dots_of(&c) <= few && (claimed.span_a[c.v[0].i] || claimed.span_b[c.v[0].j]))
                continue;
            chosen[nchosen++] = c;
            claim(&claimed, &c, few);
        } else {
            memcpy(waiting + nwaiting, parts, n * sizeof *parts);
            nwaiting += n;
        }
    }
    for (size_t k = 0; k < nchosen; k++) {
        struct chain part = {.n = 0};
        for (size_t s = 0; s < chosen[k].n; s++) {
            if (s > 0 && !link_is_free(&claimed, &chosen[k].v[s - 1], &chosen[k].v[s], few)) {
                emit(g, &part, o->gamma, out);
                part.n = 0;
            }
            part.v[part.n++] = chosen[k].v[s];
        }
        emit(g, &part, o->gamma, out);
    }
    if (out->n)
        qsort(out->v, out->n, sizeof *out->v, by_start);
}

/* ---- pd_best_find ---- */

static bool same(const struct pd_passages *x, const struct pd_passages *y)
{
    return x->n == y->n && (!x->n || memcmp(x->v, y->v, x->n * sizeof *x->v) == 0);
}

/* Find the passages of a grid by its dots, one block each. */
static void find_by_dots(const struct grid *g, struct pd_best *best, struct pd_passages *out)
{
    struct block_list list = {0};
    for (uint32_t i = 0; i < g->na; i++)
        for (uint32_t j = 0; j < g->nb; j++)
            if (g->at[i][j] > 0) {
                struct pd_block *block = add_block(&list, 1, 1, g->at[i][j], false);
                block->units[0] = i;
                block->units[1] = j;
            }
    out->n = 0;
    if (list.n)
        pd_best_find(best, &(struct pd_pair_dots){.b = 1, .blocks = blocks_of(&list), .n = list.n},
                     out);
    release_blocks(&list);
}

/* The same for identical dots, as a list in which some are repeated. */
static void find_by_list(const struct grid *g, struct pd_best *best, struct pd_passages *out)
{
    struct pd_u64s dots = {0};
    for (uint32_t i = 0; i < g->na; i++)
        for (uint32_t j = 0; j < g->nb; j++)
            for (int times = g->at[i][j] > 0 ? 1 + (i % 3 == 0) : 0; times > 0; times--)
                pd_u64s_push(&dots, pd_ij(i, j));
    out->n = 0;
    if (dots.n)
        pd_best_find(best, &(struct pd_pair_dots){.b = 1, .dots = dots.v, .n = dots.n}, out);
    pd_u64s_release(&dots);
}

static struct pd_best_options some_options(uint64_t *seed)
{
    static const struct pd_best_limits limits[] = {{64, 64, 64}, {1, 4, 64}, {0, 6, 3}, {2, 2, 2}};
    return (struct pd_best_options){.limits = limits[pd_random_below(seed, 4)],
                                    .gamma = pd_random_below(seed, 4),
                                    .gap = pd_random_below(seed, 7),
                                    .overlap = pd_random_below(seed, 3) ? 0 : 2};
}

static void test_random_dots(void)
{
    static const double some[] = {1, 0.9, 0.6, 2 / 3., 1 / 3., 0.7, 0.0001};
    struct pd_passages got = {0}, again = {0}, want = {0};
    uint64_t seed = 5;
    size_t passages = 0;
    for (int round = 0; round < 1500; round++) {
        struct grid g = {.na = 1 + pd_random_below(&seed, SIDE),
                         .nb = 1 + pd_random_below(&seed, SIDE)};
        const bool identical = round % 2 == 0;
        const uint32_t share = 1 + pd_random_below(&seed, 30);
        for (uint32_t i = 0; i < g.na; i++)
            for (uint32_t j = 0; j < g.nb; j++)
                if (pd_random_below(&seed, 60) < ((i + 30 - j) % 9 == 0 ? 50 : share))
                    g.at[i][j] = identical ? 1 : some[pd_random_below(&seed, 7)];
        const struct pd_best_options options = some_options(&seed);
        struct pd_best *best = pd_best_new(&options);
        want.n = 0;
        define(&g, &options, &want);
        find_by_dots(&g, best, &got);
        CU_ASSERT(same(&got, &want));
        if (identical) {
            find_by_list(&g, best, &again);
            CU_ASSERT(same(&again, &want));
        }
        passages += want.n;
        pd_best_free(best);
    }
    CU_ASSERT(passages > 1000);
    pd_passages_release(&got);
    pd_passages_release(&again);
    pd_passages_release(&want);
}

/* Blocks of the classes of two sequences; large classes come in pieces, as from several fans. */
static void blocks_of_classes(const uint32_t *a, uint32_t na, const uint32_t *b, uint32_t nb,
                              uint32_t piece, struct block_list *list)
{
    for (uint32_t class = 0; class < SIDE; class ++) {
        uint32_t is[SIDE], js[SIDE], ni = 0, nj = 0;
        for (uint32_t k = 0; k < na; k++)
            if (a[k] == class)
                is[ni++] = k;
        for (uint32_t k = 0; k < nb; k++)
            if (b[k] == class)
                js[nj++] = k;
        for (uint32_t x = 0; x < ni; x += piece)
            for (uint32_t y = 0; y < nj; y += piece) {
                const uint32_t mi = ni - x < piece ? ni - x : piece;
                const uint32_t mj = nj - y < piece ? nj - y : piece;
                struct pd_block *block = add_block(list, mi, mj, 1, false);
                memcpy(block->units, is + x, mi * sizeof *is);
                memcpy(block->units + mi, js + y, mj * sizeof *js);
            }
    }
}

static void test_random_classes(void)
{
    struct pd_passages got = {0}, want = {0};
    uint64_t seed = 6;
    for (int round = 0; round < 2000; round++) {
        uint32_t a[SIDE], b[SIDE];
        struct grid g = {.na = 1 + pd_random_below(&seed, SIDE),
                         .nb = 1 + pd_random_below(&seed, SIDE)};
        const uint32_t classes = 1 + pd_random_below(&seed, round % 2 ? 3 : 12);
        const uint32_t period = 1 + pd_random_below(&seed, 8);
        for (uint32_t k = 0; k < g.na; k++)
            a[k] = k >= period && pd_random_below(&seed, 8) ? a[k - period]
                                                            : pd_random_below(&seed, classes);
        for (uint32_t k = 0; k < g.nb; k++) /* SIDE: a unit that matches nothing */
            b[k] = pd_random_below(&seed, 9) == 0 ? SIDE
                   : pd_random_below(&seed, 6)    ? a[k % g.na]
                                                  : pd_random_below(&seed, classes);
        for (uint32_t i = 0; i < g.na; i++)
            for (uint32_t j = 0; j < g.nb; j++)
                g.at[i][j] = a[i] == b[j];
        const struct pd_best_options options = some_options(&seed);
        struct pd_best *best = pd_best_new(&options);
        struct block_list list = {0};
        blocks_of_classes(a, g.na, b, g.nb, 3 + pd_random_below(&seed, SIDE), &list);
        want.n = got.n = 0;
        define(&g, &options, &want);
        if (list.n)
            pd_best_find(best,
                         &(struct pd_pair_dots){.b = 1, .blocks = blocks_of(&list), .n = list.n},
                         &got);
        CU_ASSERT(same(&got, &want));
        release_blocks(&list);
        pd_best_free(best);
    }
    pd_passages_release(&got);
    pd_passages_release(&want);
}

/* ---- by hand ---- */

static void diagonal(struct grid *g, uint32_t i, uint32_t j, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        g->at[i + k][j + k] = 1;
}

static size_t find(const struct grid *g, uint32_t gamma, uint32_t gap, uint32_t overlap,
                   struct pd_passages *out)
{
    struct pd_best *best = pd_best_new(&(struct pd_best_options){
        .limits = PD_BEST_LIMITS, .gamma = gamma, .gap = gap, .overlap = overlap});
    find_by_dots(g, best, out);
    pd_best_free(best);
    return out->n;
}

static void test_moved_paragraph(void)
{
    struct grid g = {.na = 20, .nb = 20};
    struct pd_passages got = {0};
    diagonal(&g, 0, 0, 5);
    diagonal(&g, 5, 15, 5); /* moved to the end */
    diagonal(&g, 10, 5, 10);
    CU_ASSERT_EQUAL(find(&g, 3, 0, 0, &got), 3);
    CU_ASSERT_EQUAL(find(&g, 3, 4, 0, &got), 3);
    CU_ASSERT_EQUAL(find(&g, 3, 5, 0, &got), 3); /* it is worth dividing the rest */
    CU_ASSERT_EQUAL(find(&g, 5, 5, 0, &got), 1); /* it is too short */
    CU_ASSERT_EQUAL(got.v[0].matched, 15);
    CU_ASSERT_EQUAL(got.v[0].length_a, 20);
    CU_ASSERT_EQUAL(got.v[0].length_b, 15);
    pd_passages_release(&got);
}

static void test_repeated_line(void)
{
    struct grid g = {.na = 12, .nb = 15};
    struct pd_passages got = {0};
    for (uint32_t i = 0; i < g.na; i++)
        for (uint32_t j = 0; j < g.nb; j++)
            g.at[i][j] = 1;
    CU_ASSERT_EQUAL(find(&g, 3, 2, 0, &got), 1);
    CU_ASSERT_EQUAL(got.v[0].matched, 12);
    CU_ASSERT_EQUAL(got.v[0].start_b, 0);
    pd_passages_release(&got);
}

static void test_similarity_counts(void)
{
    struct grid g = {.na = 5, .nb = 20};
    struct pd_passages got = {0};
    for (uint32_t k = 0; k < 5; k++) {
        g.at[k][k] = 0.5;
        g.at[k][10 + k] = 0.9;
    }
    CU_ASSERT_EQUAL(find(&g, 3, 2, 0, &got), 1);
    CU_ASSERT_EQUAL(got.v[0].start_b, 10);
    CU_ASSERT_DOUBLE_EQUAL(got.v[0].similarity, 0.9, 1e-12);
    pd_passages_release(&got);
}

static void test_overlap_keeps_apart(void)
{
    struct grid g = {.na = 20, .nb = 25};
    struct pd_passages got = {0};
    diagonal(&g, 0, 0, 10);
    diagonal(&g, 10, 15, 8);
    CU_ASSERT_EQUAL(find(&g, 3, 0, 2, &got), 2);
    CU_ASSERT_EQUAL(got.v[1].start_a, 12);
    CU_ASSERT_EQUAL(got.v[1].matched, 6);
    CU_ASSERT_EQUAL(find(&g, 3, 0, 5, &got), 1);
    pd_passages_release(&got);
}

static int calls;
static int stop_at_once(void) { return ++calls; }

static void test_stops(void)
{
    struct grid g = {.na = SIDE, .nb = SIDE};
    struct pd_passages got = {0};
    diagonal(&g, 0, 0, SIDE);
    struct pd_best *best =
        pd_best_new(&(struct pd_best_options){.limits = PD_BEST_LIMITS, .stopping = stop_at_once});
    find_by_list(&g, best, &got);
    CU_ASSERT(calls > 0);
    pd_best_free(best);
    pd_passages_release(&got);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_random_dots),
                                        PD_TEST(test_random_classes),
                                        PD_TEST(test_moved_paragraph),
                                        PD_TEST(test_repeated_line),
                                        PD_TEST(test_similarity_counts),
                                        PD_TEST(test_overlap_keeps_apart),
                                        PD_TEST(test_stops),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/best", tests);
}
