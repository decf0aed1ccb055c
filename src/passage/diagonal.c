/*
 * passage/diagonal.c - see include/pardup/passage/diagonal.h
 *
 * A dot line, or line, is one unit of document a with the units of document b that it matches.
 * Lines are taken in ascending order. A dot can only be linked with dots of the gap + 1 lines
 * before it, so only the last lines are kept. A dot without links is a component of its own and has
 * no struct component.
 *
 * Most pairs have only dots of similarity 1. For them the number of dots is the sum of the
 * similarities. For other pairs the similarities are added up in a second walk over the links.
 */
#include "pardup/passage/diagonal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"

#define ALONE UINT32_MAX

struct cell { /* a dot of a line */
    uint32_t j;
    uint32_t longest;   /* dots on the longest chain that ends with this dot */
    uint32_t component; /* the index of its component; ALONE: it has no links */
};
PD_VEC(cells, struct cell);

PD_VEC(sums, double);

struct pd_dot_line {
    uint32_t i; /* the unit of a */
    struct cells cells;
    struct sums sums; /* similar pairs: for each cell the greatest sum of its longest chains */
};

/*
 * A component of several dots. When two components are united, one of them becomes the parent of
 * the other and describes both (union-find). A component that is its own parent is a root.
 */
struct component {
    uint32_t parent;                           /* index */
    uint32_t matched;                          /* dots on the longest chain */
    uint32_t first_i, first_j, last_i, last_j; /* the bounds, inclusive */
    uint32_t summed; /* similar pairs: dots on the longest chain whose sum is known */
    double sum;      /* similar pairs: the greatest sum of the chains of `summed` dots */
};
PD_VEC(pd_components, struct component);

enum { FEW_COMPONENTS = 4096 }; /* with fewer, finished ones need not be removed */

/* The state while the passages of one pair are found. */
struct finding {
    struct pd_diagonals *d;
    uint32_t gamma, reach;   /* reach: gap + 1, the units that a link may span */
    uint32_t next_line;      /* where in d->lines the next line goes, <= reach */
    size_t components_limit; /* remove finished components when there are more than this */
    bool similar;            /* the pair has blocks of units that are not identical */
    pd_doc a, b;
    struct pd_passages *out;
    size_t first_passage; /* passages that were in `out` before this pair */
};

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

/* The root that component k was united into. */
static uint32_t root_of(struct component *v, uint32_t k)
{
    while (v[k].parent != k) {
        v[k].parent = v[v[k].parent].parent; /* path halving */
        k = v[k].parent;
    }
    return k;
}

/* Unite components x and y. Returns the root, which is the older of the two roots. */
static uint32_t unite(struct component *v, uint32_t x, uint32_t y)
{
    x = root_of(v, x);
    y = root_of(v, y);
    if (x == y)
        return x;
    struct component *into = &v[pd_min_u32(x, y)], *from = &v[pd_max_u32(x, y)];
    from->parent = pd_min_u32(x, y);
    into->matched = pd_max_u32(into->matched, from->matched);
    improve(&into->summed, &into->sum, from->summed, from->sum);
    into->first_i = pd_min_u32(into->first_i, from->first_i);
    into->first_j = pd_min_u32(into->first_j, from->first_j);
    into->last_i = pd_max_u32(into->last_i, from->last_i);
    into->last_j = pd_max_u32(into->last_j, from->last_j);
    return pd_min_u32(x, y);
}

/* The component of a dot in line i. A dot without links gets a new component. */
static uint32_t component_of(struct pd_components *components, struct cell *c, uint32_t i)
{
    if (c->component == ALONE) {
        c->component = (uint32_t)components->n;
        pd_components_push(components,
                           (struct component){c->component, c->longest, i, c->j, i, c->j, 0, 0});
    }
    return c->component;
}

/* Append a component to the passages, if it is long enough. */
static void emit(const struct finding *f, const struct component *r)
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

/* Empty a line that is out of reach. Its dots without links are complete components. */
static void retire(const struct finding *f, struct pd_dot_line *line)
{
    for (size_t k = 0; f->gamma == 0 && k < line->cells.n; k++) {
        const struct cell *c = &line->cells.v[k];
        if (c->component == ALONE)
            emit(f, &(struct component){0, 1, line->i, c->j, line->i, c->j, 1,
                                        f->similar ? line->sums.v[k] : 1});
    }
    line->cells.n = 0;
}

/*
 * Emit and remove the components without a dot in a kept line, and renumber the others. Thus
 * components do not pile up while a long document is compared.
 */
static void clear_finished(struct finding *f)
{
    struct pd_components *components = f->d->components, live = {0};
    uint32_t *renumbered = pd_realloc(NULL, components->n + 1, sizeof *renumbered);
    memset(renumbered, 0xFF, (components->n + 1) * sizeof *renumbered); /* ALONE: not live */
    for (uint32_t l = 0; l <= f->reach; l++) {
        struct cells *cells = &f->d->lines[l].cells;
        for (size_t k = 0; k < cells->n; k++) {
            if (cells->v[k].component == ALONE)
                continue;
            const uint32_t root = root_of(components->v, cells->v[k].component);
            if (renumbered[root] == ALONE) {
                renumbered[root] = (uint32_t)live.n;
                pd_components_push(&live, components->v[root]);
                live.v[live.n - 1].parent = renumbered[root];
            }
            cells->v[k].component = renumbered[root];
        }
    }
    for (uint32_t k = 0; k < components->n; k++)
        if (components->v[k].parent == k && renumbered[k] == ALONE)
            emit(f, &components->v[k]);
    free(renumbered);
    pd_components_release(components);
    *components = live;
    f->components_limit = 2 * live.n + FEW_COMPONENTS;
}

/* Link the dots of the current line with the dots of a kept line, in one walk over both. */
static void link_lines(struct finding *f, struct pd_dot_line *earlier, struct pd_dot_line *current)
{
    struct cell *reachable = earlier->cells.v, *end = reachable + earlier->cells.n;
    struct pd_components *components = f->d->components;
    for (size_t k = 0; k < current->cells.n; k++) {
        struct cell *c = &current->cells.v[k];
        const uint32_t j = c->j;
        while (reachable < end && (uint64_t)reachable->j + f->reach < j)
            reachable++;
        if (reachable == end || reachable->j >= j)
            continue;
        uint32_t component = c->component, longest = c->longest;
        struct cell *p = reachable;
        do {
            const uint32_t other = component_of(components, p, earlier->i);
            component = component == ALONE ? root_of(components->v, other)
                                           : unite(components->v, component, other);
            longest = pd_max_u32(longest, p->longest + 1);
        } while (++p < end && p->j < j);
        c->component = component;
        c->longest = longest;
        struct component *root = &components->v[component];
        root->matched = pd_max_u32(root->matched, longest);
        root->last_j = pd_max_u32(root->last_j, j); /* first_i, first_j are of earlier lines */
        root->last_i = current->i;
    }
}

/*
 * For each dot of the current line: the greatest sum of its longest chains that come from a kept
 * line, without the dot itself.
 */
static void reach_sums(const struct finding *f, const struct pd_dot_line *earlier,
                       struct pd_dot_line *current)
{
    const struct cell *reachable = earlier->cells.v, *end = reachable + earlier->cells.n;
    for (size_t k = 0; k < current->cells.n; k++) {
        const struct cell *c = &current->cells.v[k];
        while (reachable < end && (uint64_t)reachable->j + f->reach < c->j)
            reachable++;
        for (const struct cell *p = reachable; p < end && p->j < c->j; p++) {
            const double sum = earlier->sums.v[p - earlier->cells.v];
            if (p->longest + 1 == c->longest && sum > current->sums.v[k])
                current->sums.v[k] = sum;
        }
    }
}

/* True if dots of kept line `earlier` can be linked with dots of the current line. */
static bool is_within_reach(const struct finding *f, const struct pd_dot_line *earlier,
                            const struct pd_dot_line *current)
{
    return earlier != current && earlier->cells.n && (uint64_t)earlier->i + f->reach >= current->i;
}

/* Add up the sums of the current line. Its links are made, so its longest chains are known. */
static void add_up(struct finding *f, struct pd_dot_line *current)
{
    struct component *components = f->d->components->v;
    sums_reserve(&current->sums, current->cells.n);
    memset(current->sums.v, 0, current->cells.n * sizeof *current->sums.v);
    for (uint32_t l = 0; l <= f->reach; l++)
        if (is_within_reach(f, &f->d->lines[l], current))
            reach_sums(f, &f->d->lines[l], current);
    for (size_t k = 0; k < current->cells.n; k++) {
        const struct cell *c = &current->cells.v[k];
        current->sums.v[k] += f->d->similarities[k];
        if (c->component != ALONE) {
            struct component *r = &components[root_of(components, c->component)];
            improve(&r->summed, &r->sum, c->longest, current->sums.v[k]);
        }
    }
}

/* True if the result is not wanted any more. It is asked often enough if lines are long. */
static bool is_stopping(const struct pd_diagonals *d, size_t line)
{
    return line > 64 && d->stopping && d->stopping();
}

/*
 * Take the next line: unit i of a matches the n units js of b, ascending. If the pair is similar,
 * d->similarities has their similarities.
 */
static void take_line(struct finding *f, uint32_t i, const uint32_t *js, size_t n)
{
    struct pd_dot_line *lines = f->d->lines, *current = &lines[f->next_line];
    f->next_line = f->next_line == f->reach ? 0 : f->next_line + 1;
    retire(f, current); /* the line in this place is more than `reach` units back */
    current->i = i;
    cells_reserve(&current->cells, n);
    current->cells.n = n;
    for (size_t k = 0; k < n; k++)
        current->cells.v[k] = (struct cell){js[k], 1, ALONE};
    for (uint32_t l = 0; l <= f->reach && !is_stopping(f->d, n); l++)
        if (is_within_reach(f, &lines[l], current))
            link_lines(f, &lines[l], current);
    if (f->similar)
        add_up(f, current);
    if (f->d->components->n > f->components_limit)
        clear_finished(f);
}

/* Emit all components that are left. */
static void emit_rest(struct finding *f)
{
    struct pd_components *components = f->d->components;
    for (uint32_t l = 0; l <= f->reach; l++)
        retire(f, &f->d->lines[l]);
    for (uint32_t k = 0; k < components->n; k++)
        if (components->v[k].parent == k)
            emit(f, &components->v[k]);
    components->n = 0;
}

/*
 * List pd_ij(unit of a, block) for all blocks of a pair in d->entries, sorted, and set f->similar.
 * Returns the length of the list.
 */
static size_t list_entries(struct finding *f, const struct pd_block *const *blocks, size_t n)
{
    struct pd_diagonals *d = f->d;
    size_t nentries = 0, size = 0, identical_size = 0;
    for (size_t k = 0; k < n; k++) {
        nentries += blocks[k]->ni;
        size += blocks[k]->size;
        identical_size += pd_block_size(blocks[k]->ni, blocks[k]->nj);
    }
    f->similar = size > identical_size;
    if (d->entries_cap < nentries) {
        d->entries_cap = nentries + nentries / 2;
        d->entries = pd_realloc(d->entries, d->entries_cap, sizeof *d->entries);
    }
    nentries = 0;
    for (size_t k = 0; k < n; k++)
        for (uint32_t u = 0; u < blocks[k]->ni; u++)
            d->entries[nentries++] = pd_ij(blocks[k]->units[u], (uint32_t)k);
    pd_sort_records(d->entries, nentries, 1, 1);
    return nentries;
}

static void reserve_line(struct pd_diagonals *d, size_t n)
{
    if (d->js_cap < n) {
        d->js_cap = n + n / 2;
        d->js = pd_realloc(d->js, d->js_cap, sizeof(uint64_t)); /* merge_blocks sorts u64s */
        d->similarities = pd_realloc(d->similarities, d->js_cap, sizeof *d->similarities);
    }
}

/*
 * Merge the units of b in several blocks into d->js, ascending, without duplicates, with their
 * similarities in d->similarities. Returns how many there are.
 *   entries  nentries of d->entries with the same unit of a
 */
static size_t merge_blocks(const struct finding *f, const struct pd_block *const *blocks,
                           const uint64_t *entries, size_t nentries)
{
    struct pd_diagonals *d = f->d;
    size_t n = 0, nj = 0;
    for (size_t k = 0; k < nentries; k++)
        n += blocks[(uint32_t)entries[k]]->nj;
    reserve_line(d, n);
    uint64_t *sorted = (uint64_t *)(void *)d->js; /* pd_ij(j, block), overwritten by js in place */
    for (size_t k = 0, to = 0; k < nentries; k++) {
        const struct pd_block *block = blocks[(uint32_t)entries[k]];
        for (uint32_t u = 0; u < block->nj; u++)
            sorted[to++] = pd_ij(block->units[block->ni + u], (uint32_t)entries[k]);
    }
    pd_sort_records(sorted, n, 1, 1);
    for (size_t k = 0; k < n; k++) {
        const uint32_t j = (uint32_t)(sorted[k] >> 32), block = (uint32_t)sorted[k];
        if (nj && j == d->js[nj - 1])
            continue;
        if (f->similar)
            d->similarities[nj] = pd_block_similarity(blocks[block]);
        d->js[nj++] = j;
    }
    return nj;
}

/* Fill d->similarities for a line that comes from a single block. */
static void fill_similarities(struct pd_diagonals *d, const struct pd_block *block)
{
    const double similarity = pd_block_similarity(block);
    reserve_line(d, block->nj);
    for (uint32_t k = 0; k < block->nj; k++)
        d->similarities[k] = similarity;
}

/* Take all lines of a pair, given as sorted entries. */
static void take_entries(struct finding *f, const struct pd_block *const *blocks, size_t nentries)
{
    const uint64_t *entries = f->d->entries;
    for (size_t begin = 0, end; begin < nentries; begin = end) {
        const uint32_t i = (uint32_t)(entries[begin] >> 32);
        const struct pd_block *block = blocks[(uint32_t)entries[begin]];
        if (is_stopping(f->d, block->nj))
            return;
        end = begin + 1;
        while (end < nentries && entries[end] >> 32 == i)
            end++;
        if (end - begin == 1) {
            if (f->similar)
                fill_similarities(f->d, block);
            take_line(f, i, block->units + block->ni, block->nj);
        } else {
            const size_t n = merge_blocks(f, blocks, entries + begin, end - begin);
            take_line(f, i, f->d->js, n);
        }
    }
}

static int by_start(const void *pa, const void *pb)
{
    const struct pd_passage *a = pa, *b = pb;
    const uint64_t sa = pd_ij(a->start_a, a->start_b), sb = pd_ij(b->start_a, b->start_b);
    const uint64_t la = pd_ij(a->length_a, a->length_b), lb = pd_ij(b->length_a, b->length_b);
    return sa != sb ? (sa > sb) - (sa < sb) : (la > lb) - (la < lb);
}

static void reserve_lines(struct pd_diagonals *d, uint32_t nlines)
{
    if (!d->components) {
        d->components = pd_realloc(NULL, 1, sizeof *d->components);
        *d->components = (struct pd_components){0};
    }
    if (d->nlines < nlines) {
        d->lines = pd_realloc(d->lines, nlines, sizeof *d->lines);
        memset(d->lines + d->nlines, 0, (nlines - d->nlines) * sizeof *d->lines);
        d->nlines = nlines;
    }
}

static struct finding begin_pair(struct pd_diagonals *d, pd_doc a, pd_doc b, uint32_t gamma,
                                 uint32_t gap, struct pd_passages *out)
{
    const uint32_t reach = gap + 1;
    reserve_lines(d, reach + 1);
    return (struct finding){.d = d,
                            .gamma = gamma,
                            .reach = reach,
                            .components_limit = FEW_COMPONENTS,
                            .a = a,
                            .b = b,
                            .out = out,
                            .first_passage = out->n};
}

static void end_pair(struct finding *f)
{
    struct pd_passages *out = f->out;
    size_t k = f->first_passage + 1;
    emit_rest(f);
    while (k < out->n && by_start(&out->v[k - 1], &out->v[k]) < 0)
        k++;
    if (k < out->n)
        qsort(out->v + f->first_passage, out->n - f->first_passage, sizeof *out->v, by_start);
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
    size_t open = 0; /* the first dot whose successor may still come */
    reserve_line(f->d, n);
    uint32_t *lengths = f->d->js; /* of the run up to and including each dot; 0: a repeated dot */
    for (size_t k = 0; k < n; k++) {
        for (; open < k && dots[open] + next < dots[k]; open++)
            emit_straight(f, dots[open], lengths[open]);
        lengths[k] = k == 0 || dots[k] != dots[k - 1];
        if (lengths[k] && open < k && dots[open] + next == dots[k])
            lengths[k] += lengths[open++];
    }
    for (; open < n; open++)
        emit_straight(f, dots[open], lengths[open]);
}

static void take_dots(struct finding *f, const uint64_t *dots, size_t n)
{
    reserve_line(f->d, n);
    for (size_t begin = 0, k = 0; k < n; begin = k) {
        uint32_t *js = f->d->js;
        size_t nj = 0;
        for (; k < n && dots[k] >> 32 == dots[begin] >> 32; k++)
            if (k == begin || dots[k] != dots[k - 1])
                js[nj++] = (uint32_t)dots[k];
        take_line(f, (uint32_t)(dots[begin] >> 32), js, nj);
    }
}

void pd_diagonals_find(struct pd_diagonals *d, const struct pd_pair_dots *pair, uint32_t gamma,
                       uint32_t gap, struct pd_passages *out)
{
    struct finding f = begin_pair(d, pair->a, pair->b, gamma, gap, out);
    if (!pair->dots)
        take_entries(&f, pair->blocks, list_entries(&f, pair->blocks, pair->n));
    else if (gap == 0)
        find_straight(&f, pair->dots, pair->n);
    else
        take_dots(&f, pair->dots, pair->n);
    end_pair(&f);
}

void pd_diagonals_release(struct pd_diagonals *d)
{
    for (uint32_t l = 0; l < d->nlines; l++) {
        cells_release(&d->lines[l].cells);
        sums_release(&d->lines[l].sums);
    }
    free(d->lines);
    if (d->components)
        pd_components_release(d->components);
    free(d->components);
    free(d->entries);
    free(d->js);
    free(d->similarities);
    *d = (struct pd_diagonals){0};
}
