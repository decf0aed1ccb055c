/*
 * passage/linking.c - see src/passage/linking.h
 *
 * A dot can only be linked with dots of the gap + 1 lines before it, so only the last lines are
 * kept. A dot without links is a component of its own and has no struct component.
 *
 * Most pairs have only dots of similarity 1. For them the number of dots is the sum of the
 * similarities. For other pairs the similarities are added up in a second walk over the links.
 */
#include "linking.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/minmax.h"

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

/* ---- components ---- */

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

/* ---- components that are finished ---- */

/* Append a component to the passages, if it is long enough. */
static void emit(const struct pd_linking *f, const struct component *r)
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
static void retire(const struct pd_linking *f, struct pd_dot_line *line)
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
static void clear_finished(struct pd_linking *f)
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

/* ---- links ---- */

/* Link the dots of the current line with the dots of a kept line, in one walk over both. */
static void link_lines(struct pd_linking *f, struct pd_dot_line *earlier,
                       struct pd_dot_line *current)
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

/* ---- sums of similarities ---- */

/*
 * For each dot of the current line: the greatest sum of its longest chains that come from a kept
 * line, without the dot itself.
 */
static void reach_sums(const struct pd_linking *f, const struct pd_dot_line *earlier,
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
static bool is_within_reach(const struct pd_linking *f, const struct pd_dot_line *earlier,
                            const struct pd_dot_line *current)
{
    return earlier != current && earlier->cells.n && (uint64_t)earlier->i + f->reach >= current->i;
}

/* Add up the sums of the current line. Its links are made, so its longest chains are known. */
static void add_up(struct pd_linking *f, struct pd_dot_line *current)
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

/* ---- lines ---- */

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

struct pd_linking pd_linking_begin(struct pd_diagonals *d, pd_doc a, pd_doc b, uint32_t gamma,
                                   uint32_t gap, struct pd_passages *out)
{
    const uint32_t reach = gap + 1;
    reserve_lines(d, reach + 1);
    return (struct pd_linking){.d = d,
                               .gamma = gamma,
                               .reach = reach,
                               .components_limit = FEW_COMPONENTS,
                               .a = a,
                               .b = b,
                               .out = out};
}

void pd_linking_line(struct pd_linking *f, uint32_t i, const uint32_t *js, size_t n)
{
    struct pd_dot_line *lines = f->d->lines, *current = &lines[f->next_line];
    f->next_line = f->next_line == f->reach ? 0 : f->next_line + 1;
    retire(f, current); /* the line in this place is more than `reach` units back */
    current->i = i;
    cells_reserve(&current->cells, n);
    current->cells.n = n;
    for (size_t k = 0; k < n; k++)
        current->cells.v[k] = (struct cell){js[k], 1, ALONE};
    for (uint32_t l = 0; l <= f->reach && !pd_linking_stops(f->d, n); l++)
        if (is_within_reach(f, &lines[l], current))
            link_lines(f, &lines[l], current);
    if (f->similar)
        add_up(f, current);
    if (f->d->components->n > f->components_limit)
        clear_finished(f);
}

void pd_linking_end(struct pd_linking *f)
{
    struct pd_components *components = f->d->components;
    for (uint32_t l = 0; l <= f->reach; l++)
        retire(f, &f->d->lines[l]);
    for (uint32_t k = 0; k < components->n; k++)
        if (components->v[k].parent == k)
            emit(f, &components->v[k]);
    components->n = 0;
}

void pd_linking_release(struct pd_diagonals *d)
{
    for (uint32_t l = 0; l < d->nlines; l++) {
        cells_release(&d->lines[l].cells);
        sums_release(&d->lines[l].sums);
    }
    free(d->lines);
    if (d->components)
        pd_components_release(d->components);
    free(d->components);
}
