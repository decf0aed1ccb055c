/*
 * passage/diagonal.c - see include/pardup/passage/diagonal.h
 *
 * A row is one unit of document a with the units of document b that it matches. Rows are taken in
 * ascending order. A dot can only be linked with dots of the gap + 1 rows before it, so only these
 * rows are kept, as struct pd_lines. A run is a component of several dots. A dot without links is a
 * component of its own and needs no entry among the runs.
 *
 * Most pairs have only dots of similarity 1. For them the number of dots is the sum of the
 * similarities. For other pairs the similarities are added up in a second walk over the links.
 */
#include "pardup/passage/diagonal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/sort.h"

#define ALONE UINT32_MAX

struct cell { /* a dot of a row */
    uint32_t j;
    uint32_t longest; /* dots on the longest chain that ends with this dot */
    uint32_t run;     /* the index of a run in the component of the dot, or ALONE */
};
PD_VEC(cells, struct cell);

PD_VEC(sums, double);

struct pd_lines { /* a row that is kept */
    uint32_t i;
    struct cells cells;
    struct sums sums; /* similar pairs: for each cell the greatest sum of its longest chains */
};

/* A component of several dots, or a part of one. The root of a component describes all of it. */
struct run {
    uint32_t parent;  /* the index of a run towards the root (union-find); its own for the root */
    uint32_t matched; /* dots on the longest chain */
    uint32_t first_i, first_j, last_i, last_j; /* the bounds, inclusive */
    uint32_t summed; /* similar pairs: dots on the longest chain whose sum is known */
    double sum;      /* similar pairs: the greatest sum of the chains of `summed` dots */
};
PD_VEC(pd_runs, struct run);

enum { RUNS_KEPT = 4096 }; /* with fewer runs it is not worth clearing finished runs away */

/* The state while the passages of one pair are found. */
struct finding {
    struct pd_diagonals *d;
    uint32_t gamma, reach; /* reach: gap + 1, the rows that a link may span */
    uint32_t line;         /* where in d->lines the next row goes, <= reach */
    size_t runs_limit;     /* clear finished runs away when there are more runs than this */
    bool similar;          /* the pair has blocks of units that are not identical */
    pd_doc a, b;
    struct pd_passages *out;
    size_t before; /* passages that were in `out` before this pair */
};

static uint32_t min(uint32_t x, uint32_t y) { return x < y ? x : y; }
static uint32_t max(uint32_t x, uint32_t y) { return x > y ? x : y; }

/*
 * Replace the best chain by another chain if that is better: it has more dots, or an equal number
 * of dots and a greater sum. Rounding keeps the order of sums, so if two chains go on through the
 * same dots, the better chain stays better. Therefore it is enough to keep one chain for each cell,
 * and the order in which chains are compared does not matter.
 */
static void improve(uint32_t *best_dots, double *best_sum, uint32_t dots, double sum)
{
    if (dots > *best_dots || (dots == *best_dots && sum > *best_sum)) {
        *best_dots = dots;
        *best_sum = sum;
    }
}

/* The root of the component of run k. */
static uint32_t root_of(struct run *v, uint32_t k)
{
    while (v[k].parent != k) {
        v[k].parent = v[v[k].parent].parent; /* path halving */
        k = v[k].parent;
    }
    return k;
}

/* Unite the components of runs x and y. Returns the root: the run that is older. */
static uint32_t unite(struct run *v, uint32_t x, uint32_t y)
{
    x = root_of(v, x);
    y = root_of(v, y);
    if (x == y)
        return x;
    struct run *into = &v[min(x, y)], *from = &v[max(x, y)];
    from->parent = min(x, y);
    into->matched = max(into->matched, from->matched);
    improve(&into->summed, &into->sum, from->summed, from->sum);
    into->first_i = min(into->first_i, from->first_i);
    into->first_j = min(into->first_j, from->first_j);
    into->last_i = max(into->last_i, from->last_i);
    into->last_j = max(into->last_j, from->last_j);
    return min(x, y);
}

/* The run of a dot in row i. A dot without links gets a new run. */
static uint32_t run_of(struct pd_runs *runs, struct cell *c, uint32_t i)
{
    if (c->run == ALONE) {
        c->run = (uint32_t)runs->n;
        pd_runs_push(runs, (struct run){c->run, c->longest, i, c->j, i, c->j, 0, 0});
    }
    return c->run;
}

/* Append a component to the passages, if it is long enough. */
static void emit(const struct finding *f, const struct run *r)
{
    if (r->matched > f->gamma)
        pd_passages_push(f->out,
                         (struct pd_passage){.a = f->a,
                                             .b = f->b,
                                             .start_a = r->first_i,
                                             .start_b = r->first_j,
                                             .length_a = r->last_i - r->first_i + 1,
                                             .length_b = r->last_j - r->first_j + 1,
                                             .matched = r->matched,
                                             .similarity = f->similar ? r->sum / r->matched : 1});
}

/* Empty a row that is out of reach. Its dots without links are complete components. */
static void retire(const struct finding *f, struct pd_lines *line)
{
    for (size_t k = 0; f->gamma == 0 && k < line->cells.n; k++) {
        const struct cell *c = &line->cells.v[k];
        if (c->run == ALONE)
            emit(f, &(struct run){0, 1, line->i, c->j, line->i, c->j, 1,
                                  f->similar ? line->sums.v[k] : 1});
    }
    line->cells.n = 0;
}

/*
 * Emit the components without a dot in a kept row, remove their runs, and renumber the other runs.
 * Thus runs do not pile up while a long document is compared.
 */
static void clear_finished(struct finding *f)
{
    struct pd_runs *runs = f->d->runs, live = {0};
    uint32_t *renumbered = pd_realloc(NULL, runs->n + 1, sizeof *renumbered);
    memset(renumbered, 0xFF, (runs->n + 1) * sizeof *renumbered); /* ALONE: not live */
    for (uint32_t l = 0; l <= f->reach; l++) {
        struct cells *cells = &f->d->lines[l].cells;
        for (size_t k = 0; k < cells->n; k++) {
            if (cells->v[k].run == ALONE)
                continue;
            const uint32_t root = root_of(runs->v, cells->v[k].run);
            if (renumbered[root] == ALONE) {
                renumbered[root] = (uint32_t)live.n;
                pd_runs_push(&live, runs->v[root]);
                live.v[live.n - 1].parent = renumbered[root];
            }
            cells->v[k].run = renumbered[root];
        }
    }
    for (uint32_t k = 0; k < runs->n; k++)
        if (runs->v[k].parent == k && renumbered[k] == ALONE)
            emit(f, &runs->v[k]);
    free(renumbered);
    pd_runs_release(runs);
    *runs = live;
    f->runs_limit = 2 * live.n + RUNS_KEPT;
}

/* Link the dots of the current row with the dots of a kept row, in one walk over both. */
static void link_lines(struct finding *f, struct pd_lines *before, struct pd_lines *now)
{
    struct cell *prev = before->cells.v, *end = prev + before->cells.n;
    struct pd_runs *runs = f->d->runs;
    for (size_t k = 0; k < now->cells.n; k++) {
        struct cell *c = &now->cells.v[k];
        const uint32_t j = c->j;
        while (prev < end && (uint64_t)prev->j + f->reach < j)
            prev++;
        if (prev == end || prev->j >= j)
            continue;
        uint32_t run = c->run, longest = c->longest;
        struct cell *p = prev;
        do {
            const uint32_t theirs = run_of(runs, p, before->i);
            run = run == ALONE ? root_of(runs->v, theirs) : unite(runs->v, run, theirs);
            longest = max(longest, p->longest + 1);
        } while (++p < end && p->j < j);
        c->run = run;
        c->longest = longest;
        struct run *r = &runs->v[run];
        r->matched = max(r->matched, longest);
        r->last_j = max(r->last_j, j); /* first_i and first_j come from earlier rows */
        r->last_i = now->i;
    }
}

/*
 * For each dot of the current row: the greatest sum of its longest chains that come from a kept
 * row, without the dot itself.
 */
static void reach_sums(const struct finding *f, const struct pd_lines *before, struct pd_lines *now)
{
    const struct cell *prev = before->cells.v, *end = prev + before->cells.n;
    for (size_t k = 0; k < now->cells.n; k++) {
        const struct cell *c = &now->cells.v[k];
        while (prev < end && (uint64_t)prev->j + f->reach < c->j)
            prev++;
        for (const struct cell *p = prev; p < end && p->j < c->j; p++) {
            const double sum = before->sums.v[p - before->cells.v];
            if (p->longest + 1 == c->longest && sum > now->sums.v[k])
                now->sums.v[k] = sum;
        }
    }
}

/* True if dots of kept row `before` can be linked with dots of the current row. */
static bool is_within_reach(const struct finding *f, const struct pd_lines *before,
                            const struct pd_lines *now)
{
    return before != now && before->cells.n && (uint64_t)before->i + f->reach >= now->i;
}

/* Add up the sums of the current row. Its links are made, so its longest chains are known. */
static void add_up(struct finding *f, struct pd_lines *now)
{
    struct run *runs = f->d->runs->v;
    sums_reserve(&now->sums, now->cells.n);
    memset(now->sums.v, 0, now->cells.n * sizeof *now->sums.v);
    for (uint32_t l = 0; l <= f->reach; l++)
        if (is_within_reach(f, &f->d->lines[l], now))
            reach_sums(f, &f->d->lines[l], now);
    for (size_t k = 0; k < now->cells.n; k++) {
        const struct cell *c = &now->cells.v[k];
        now->sums.v[k] += f->d->own[k];
        if (c->run != ALONE) {
            struct run *r = &runs[root_of(runs, c->run)];
            improve(&r->summed, &r->sum, c->longest, now->sums.v[k]);
        }
    }
}

/*
 * Take the next row: unit i of a matches the n units js of b, ascending. If the pair is similar,
 * d->own has their similarities.
 */
static void take_row(struct finding *f, uint32_t i, const uint32_t *js, size_t n)
{
    struct pd_lines *lines = f->d->lines, *now = &lines[f->line];
    f->line = f->line == f->reach ? 0 : f->line + 1;
    retire(f, now); /* the row in this place is more than `reach` rows back, so out of reach */
    now->i = i;
    cells_reserve(&now->cells, n);
    now->cells.n = n;
    for (size_t k = 0; k < n; k++)
        now->cells.v[k] = (struct cell){js[k], 1, ALONE};
    for (uint32_t l = 0; l <= f->reach; l++)
        if (is_within_reach(f, &lines[l], now))
            link_lines(f, &lines[l], now);
    if (f->similar)
        add_up(f, now);
    if (f->d->runs->n > f->runs_limit)
        clear_finished(f);
}

/* Emit all components that are left. */
static void finish(struct finding *f)
{
    struct pd_runs *runs = f->d->runs;
    for (uint32_t l = 0; l <= f->reach; l++)
        retire(f, &f->d->lines[l]);
    for (uint32_t k = 0; k < runs->n; k++)
        if (runs->v[k].parent == k)
            emit(f, &runs->v[k]);
    runs->n = 0;
}

/*
 * List pd_ij(unit of a, block) for all blocks of a pair in d->rows, sorted, and set f->similar.
 * Returns the length of the list.
 */
static size_t list_rows(struct finding *f, const struct pd_block *const *blocks, size_t n)
{
    struct pd_diagonals *d = f->d;
    size_t rows = 0, size = 0, of_identical = 0;
    for (size_t k = 0; k < n; k++) {
        rows += blocks[k]->ni;
        size += blocks[k]->size;
        of_identical += pd_block_size(blocks[k]->ni, blocks[k]->nj);
    }
    f->similar = size > of_identical;
    if (d->rows_cap < rows) {
        d->rows_cap = rows + rows / 2;
        d->rows = pd_realloc(d->rows, d->rows_cap, sizeof *d->rows);
    }
    rows = 0;
    for (size_t k = 0; k < n; k++)
        for (uint32_t u = 0; u < blocks[k]->ni; u++)
            d->rows[rows++] = pd_ij(blocks[k]->units[u], (uint32_t)k);
    pd_sort_records(d->rows, rows, 1, 1);
    return rows;
}

static void reserve_row(struct pd_diagonals *d, size_t n)
{
    if (d->js_cap < n) {
        d->js_cap = n + n / 2;
        d->js = pd_realloc(d->js, d->js_cap, sizeof(uint64_t)); /* wide: merge_blocks sorts there */
        d->own = pd_realloc(d->own, d->js_cap, sizeof *d->own);
    }
}

/*
 * Merge the units of b in several blocks into d->js, ascending, without duplicates, with their
 * similarities in d->own. Returns how many there are.
 *   rows  nrows entries of d->rows with the same unit of a
 */
static size_t merge_blocks(const struct finding *f, const struct pd_block *const *blocks,
                           const uint64_t *rows, size_t nrows)
{
    struct pd_diagonals *d = f->d;
    size_t n = 0, kept = 0;
    for (size_t k = 0; k < nrows; k++)
        n += blocks[(uint32_t)rows[k]]->nj;
    reserve_row(d, n);
    uint64_t *sorted = (uint64_t *)(void *)d->js; /* pd_ij(j, block), overwritten by js in place */
    for (size_t k = 0, to = 0; k < nrows; k++) {
        const struct pd_block *block = blocks[(uint32_t)rows[k]];
        for (uint32_t u = 0; u < block->nj; u++)
            sorted[to++] = pd_ij(block->units[block->ni + u], (uint32_t)rows[k]);
    }
    pd_sort_records(sorted, n, 1, 1);
    for (size_t k = 0; k < n; k++) {
        const uint32_t j = (uint32_t)(sorted[k] >> 32), from = (uint32_t)sorted[k];
        if (kept && j == d->js[kept - 1])
            continue;
        if (f->similar)
            d->own[kept] = pd_block_similarity(blocks[from]);
        d->js[kept++] = j;
    }
    return kept;
}

/* Fill d->own for a row that comes from a single block. */
static void fill_own(struct pd_diagonals *d, const struct pd_block *block)
{
    const double similarity = pd_block_similarity(block);
    reserve_row(d, block->nj);
    for (uint32_t k = 0; k < block->nj; k++)
        d->own[k] = similarity;
}

static void take_rows(struct finding *f, const struct pd_block *const *blocks, size_t nrows)
{
    const uint64_t *rows = f->d->rows;
    for (size_t begin = 0, end; begin < nrows; begin = end) {
        const uint32_t i = (uint32_t)(rows[begin] >> 32);
        const struct pd_block *block = blocks[(uint32_t)rows[begin]];
        end = begin + 1;
        while (end < nrows && rows[end] >> 32 == i)
            end++;
        if (end - begin == 1) {
            if (f->similar)
                fill_own(f->d, block);
            take_row(f, i, block->units + block->ni, block->nj);
        } else {
            const size_t n = merge_blocks(f, blocks, rows + begin, end - begin);
            take_row(f, i, f->d->js, n);
        }
    }
}

static int by_place(const void *pa, const void *pb)
{
    const struct pd_passage *a = pa, *b = pb;
    const uint64_t sa = pd_ij(a->start_a, a->start_b), sb = pd_ij(b->start_a, b->start_b);
    const uint64_t la = pd_ij(a->length_a, a->length_b), lb = pd_ij(b->length_a, b->length_b);
    return sa != sb ? (sa > sb) - (sa < sb) : (la > lb) - (la < lb);
}

static void prepare(struct pd_diagonals *d, uint32_t nlines)
{
    if (!d->runs) {
        d->runs = pd_realloc(NULL, 1, sizeof *d->runs);
        *d->runs = (struct pd_runs){0};
    }
    if (d->nlines < nlines) {
        d->lines = pd_realloc(d->lines, nlines, sizeof *d->lines);
        memset(d->lines + d->nlines, 0, (nlines - d->nlines) * sizeof *d->lines);
        d->nlines = nlines;
    }
}

static struct finding begin(struct pd_diagonals *d, pd_doc a, pd_doc b, uint32_t gamma,
                            uint32_t gap, struct pd_passages *out)
{
    const uint32_t reach = gap + 1;
    prepare(d, reach + 1);
    return (struct finding){.d = d,
                            .gamma = gamma,
                            .reach = reach,
                            .runs_limit = RUNS_KEPT,
                            .a = a,
                            .b = b,
                            .out = out,
                            .before = out->n};
}

static void end(struct finding *f)
{
    struct pd_passages *out = f->out;
    size_t k = f->before + 1;
    finish(f);
    while (k < out->n && by_place(&out->v[k - 1], &out->v[k]) < 0)
        k++;
    if (k < out->n)
        qsort(out->v + f->before, out->n - f->before, sizeof *out->v, by_place);
}

void pd_diagonals_find(struct pd_diagonals *d, const struct pd_block *const *blocks, size_t n,
                       uint32_t gamma, uint32_t gap, struct pd_passages *out)
{
    struct finding f = begin(d, blocks[0]->a, blocks[0]->b, gamma, gap, out);
    take_rows(&f, blocks, list_rows(&f, blocks, n));
    end(&f);
}

/* Append the passage of n consecutive dots on a diagonal, given the last dot. */
static void emit_straight(const struct finding *f, uint64_t last, uint32_t n)
{
    if (n <= f->gamma)
        return;
    const uint64_t first = last - (n - 1) * pd_ij(1, 1);
    pd_passages_push(f->out, (struct pd_passage){.a = f->a,
                                                 .b = f->b,
                                                 .start_a = (uint32_t)(first >> 32),
                                                 .start_b = (uint32_t)first,
                                                 .length_a = n,
                                                 .length_b = n,
                                                 .matched = n,
                                                 .similarity = 1});
}

/*
 * With gap 0 a passage is a run of dots (i, j), (i + 1, j + 1), ... The successor (i + 1, j + 1) of
 * each dot ascends as the dots do, so one walk finds the successors of all dots.
 */
static void find_straight(const struct finding *f, const uint64_t *dots, size_t n)
{
    const uint64_t next = pd_ij(1, 1);
    size_t before = 0; /* the first dot whose successor may be dot k or a later dot */
    reserve_row(f->d, n);
    uint32_t *length = f->d->js; /* of the run up to and including each dot; 0: a repeated dot */
    for (size_t k = 0; k < n; k++) {
        for (; before < k && dots[before] + next < dots[k]; before++)
            emit_straight(f, dots[before], length[before]);
        length[k] = k == 0 || dots[k] != dots[k - 1];
        if (length[k] && before < k && dots[before] + next == dots[k])
            length[k] += length[before++];
    }
    for (; before < n; before++)
        emit_straight(f, dots[before], length[before]);
}

static void take_dots(struct finding *f, const uint64_t *dots, size_t n)
{
    reserve_row(f->d, n);
    for (size_t from = 0, k = 0; k < n; from = k) {
        uint32_t *js = f->d->js;
        size_t nj = 0;
        for (; k < n && dots[k] >> 32 == dots[from] >> 32; k++)
            if (k == from || dots[k] != dots[k - 1])
                js[nj++] = (uint32_t)dots[k];
        take_row(f, (uint32_t)(dots[from] >> 32), js, nj);
    }
}

void pd_diagonals_find_dots(struct pd_diagonals *d, pd_doc a, pd_doc b, const uint64_t *dots,
                            size_t n, uint32_t gamma, uint32_t gap, struct pd_passages *out)
{
    struct finding f = begin(d, a, b, gamma, gap, out);
    if (gap == 0)
        find_straight(&f, dots, n);
    else
        take_dots(&f, dots, n);
    end(&f);
}

void pd_diagonals_release(struct pd_diagonals *d)
{
    for (uint32_t l = 0; l < d->nlines; l++) {
        cells_release(&d->lines[l].cells);
        sums_release(&d->lines[l].sums);
    }
    free(d->lines);
    if (d->runs)
        pd_runs_release(d->runs);
    free(d->runs);
    free(d->rows);
    free(d->js);
    free(d->own);
    *d = (struct pd_diagonals){0};
}
