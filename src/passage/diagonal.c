/*
 * passage/diagonal.c - see include/pardup/passage/diagonal.h
 *
 * Dots come one by one or as blocks. Either way they are sorted into lines, which linking.h links.
 * Dots that come one by one need no links if the gap is 0.
 */
#include "pardup/passage/diagonal.h"

#include <stdlib.h>

#include "linking.h"
#include "pardup/base/sort.h"

/* Make room for a line of n units in d->js and d->similarities. */
static void reserve_line(struct pd_diagonals *d, size_t n)
{
    if (d->js_cap < n) {
        d->js_cap = n + n / 2;
        d->js = pd_realloc(d->js, d->js_cap, sizeof(uint64_t)); /* merge_blocks sorts u64s */
        d->similarities = pd_realloc(d->similarities, d->js_cap, sizeof *d->similarities);
    }
}

/* Hand a line over: it is linked, or somebody else takes it. */
static void put_line(struct pd_linking *f, uint32_t i, const uint32_t *js, size_t n)
{
    if (f->take)
        f->take(f->ctx, i, js, f->similar ? f->d->similarities : NULL, n);
    else
        pd_linking_line(f, i, js, n);
}

/* ---- lines of blocks ---- */

/*
 * List pd_ij(unit of a, block) for all blocks of a pair in d->entries, sorted, and set f->similar.
 * Returns the length of the list.
 */
static size_t list_entries(struct pd_linking *f, const struct pd_block *const *blocks, size_t n)
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

/*
 * Merge the units of b in several blocks into d->js, ascending, without duplicates, with their
 * similarities in d->similarities. Returns how many there are.
 *   entries  nentries of d->entries with the same unit of a
 */
static size_t merge_blocks(const struct pd_linking *f, const struct pd_block *const *blocks,
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
static void take_entries(struct pd_linking *f, const struct pd_block *const *blocks,
                         size_t nentries)
{
    const uint64_t *entries = f->d->entries;
    for (size_t begin = 0, end; begin < nentries; begin = end) {
        const uint32_t i = (uint32_t)(entries[begin] >> 32);
        const struct pd_block *block = blocks[(uint32_t)entries[begin]];
        if (pd_linking_stops(f->d, block->nj))
            return;
        end = begin + 1;
        while (end < nentries && entries[end] >> 32 == i)
            end++;
        if (end - begin == 1) {
            if (f->similar)
                fill_similarities(f->d, block);
            put_line(f, i, block->units + block->ni, block->nj);
        } else {
            const size_t n = merge_blocks(f, blocks, entries + begin, end - begin);
            put_line(f, i, f->d->js, n);
        }
    }
}

/* ---- lines of dots ---- */

/* Take all lines of a pair, given as sorted dots. */
static void take_dots(struct pd_linking *f, const uint64_t *dots, size_t n)
{
    reserve_line(f->d, n);
    for (size_t begin = 0, k = 0; k < n; begin = k) {
        uint32_t *js = f->d->js;
        size_t nj = 0;
        for (; k < n && dots[k] >> 32 == dots[begin] >> 32; k++)
            if (k == begin || dots[k] != dots[k - 1])
                js[nj++] = (uint32_t)dots[k];
        put_line(f, (uint32_t)(dots[begin] >> 32), js, nj);
    }
}

/* ---- runs without gaps ---- */

/* Append the passage of n consecutive dots on a diagonal, given the last dot. */
static void emit_straight(const struct pd_pair_dots *pair, uint64_t last, uint32_t n,
                          struct pd_passages *out)
{
    const uint64_t first = last - (n - 1) * pd_ij(1, 1);
    pd_passages_push(out, (struct pd_passage){.a = pair->a,
                                              .b = pair->b,
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
static void find_straight(struct pd_diagonals *d, const struct pd_pair_dots *pair, uint32_t gamma,
                          struct pd_passages *out)
{
    const uint64_t *dots = pair->dots, next = pd_ij(1, 1);
    size_t open = 0; /* the first dot whose successor may still come */
    reserve_line(d, pair->n);
    uint32_t *lengths = d->js; /* of the run up to and including each dot; 0: a repeated dot */
    for (size_t k = 0; k < pair->n; k++) {
        for (; open < k && dots[open] + next < dots[k]; open++)
            if (lengths[open] > gamma)
                emit_straight(pair, dots[open], lengths[open], out);
        lengths[k] = k == 0 || dots[k] != dots[k - 1];
        if (lengths[k] && open < k && dots[open] + next == dots[k])
            lengths[k] += lengths[open++];
    }
    for (; open < pair->n; open++)
        if (lengths[open] > gamma)
            emit_straight(pair, dots[open], lengths[open], out);
}

/* ---- pairs ---- */

static int by_start(const void *pa, const void *pb)
{
    const struct pd_passage *a = pa, *b = pb;
    const uint64_t sa = pd_ij(a->start_a, a->start_b), sb = pd_ij(b->start_a, b->start_b);
    const uint64_t la = pd_ij(a->length_a, a->length_b), lb = pd_ij(b->length_a, b->length_b);
    return sa != sb ? (sa > sb) - (sa < sb) : (la > lb) - (la < lb);
}

/* Sort the passages from number `first` on. Most come in order. */
static void sort_passages(struct pd_passages *out, size_t first)
{
    size_t k = first + 1;
    while (k < out->n && by_start(&out->v[k - 1], &out->v[k]) < 0)
        k++;
    if (k < out->n)
        qsort(out->v + first, out->n - first, sizeof *out->v, by_start);
}

/* Take all lines of a pair. */
static void take_lines(struct pd_linking *f, const struct pd_pair_dots *pair)
{
    if (pair->dots)
        take_dots(f, pair->dots, pair->n);
    else
        take_entries(f, pair->blocks, list_entries(f, pair->blocks, pair->n));
}

void pd_diagonals_find(struct pd_diagonals *d, const struct pd_pair_dots *pair, uint32_t gamma,
                       uint32_t gap, struct pd_passages *out)
{
    const size_t first = out->n;
    if (pair->dots && gap == 0) {
        find_straight(d, pair, gamma, out);
    } else {
        struct pd_linking f = pd_linking_begin(d, pair->a, pair->b, gamma, gap, out);
        take_lines(&f, pair);
        pd_linking_end(&f);
    }
    sort_passages(out, first);
}

void pd_diagonals_each(struct pd_diagonals *d, const struct pd_pair_dots *pair,
                       pd_dot_line_taker *take, void *ctx)
{
    struct pd_linking f = {.d = d, .a = pair->a, .b = pair->b, .take = take, .ctx = ctx};
    take_lines(&f, pair);
}

void pd_diagonals_release(struct pd_diagonals *d)
{
    pd_linking_release(d);
    PD_FREE(d->entries, d->js, d->similarities);
    *d = (struct pd_diagonals){0};
}
