/* passage/best/best_lines.c - see src/passage/best_inside.h */
#include "passage/best_inside.h"

#include "pardup/base/error.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"

void pd_dot_lines_of_dots(struct pd_dot_lines *l, const uint64_t *dots, size_t n)
{
    l->dots = dots;
    l->ndots = n;
    l->entries.n = l->at = 0;
}

void pd_dot_lines_of_blocks(struct pd_dot_lines *l, const struct pd_block *const *blocks, size_t n)
{
    l->dots = NULL;
    l->blocks = blocks;
    l->entries.n = l->at = 0;
    for (size_t k = 0; k < n; k++)
        for (uint32_t u = 0; u < blocks[k]->ni; u++)
            pd_u64s_push(&l->entries, pd_ij(blocks[k]->units[u], (uint32_t)k));
    pd_sort_records(l->entries.v, l->entries.n, 1, 1);
}

/* Read the next line of the list of dots. */
static bool next_of_dots(struct pd_dot_lines *l)
{
    if (l->at == l->ndots)
        return false;
    l->i = (uint32_t)(l->dots[l->at] >> 32);
    for (; l->at < l->ndots && l->dots[l->at] >> 32 == l->i; l->at++)
        if (l->line.n == 0 || (uint32_t)l->dots[l->at] != l->line.v[l->line.n - 1] >> 32)
            pd_u64s_push(&l->line, pd_ij((uint32_t)l->dots[l->at], PD_DOT_WEIGHT));
    return true;
}

/* Append the units of b of a block to the line, as pd_ij(unit of b, weight). */
static void add_block(struct pd_dot_lines *l, const struct pd_block *block)
{
    const uint32_t weight = pd_dot_weight(pd_block_similarity(block));
    pd_u64s_reserve(&l->line, l->line.n + block->nj);
    for (uint32_t u = 0; u < block->nj; u++)
        l->line.v[l->line.n++] = pd_ij(block->units[block->ni + u], weight);
}

bool pd_dot_lines_next(struct pd_dot_lines *l)
{
    const uint64_t *entries = l->entries.v;
    size_t nblocks = 0, n = 0;
    l->line.n = 0;
    if (l->dots)
        return next_of_dots(l);
    if (l->at == l->entries.n)
        return false;
    l->i = (uint32_t)(entries[l->at] >> 32);
    for (; l->at < l->entries.n && entries[l->at] >> 32 == l->i; l->at++, nblocks++)
        add_block(l, l->blocks[(uint32_t)entries[l->at]]);
    if (nblocks == 1)
        return true;
    pd_sort_records(l->line.v, l->line.n, 1, 1);
    for (size_t k = 0; k < l->line.n; k++)
        if (n == 0 || l->line.v[n - 1] >> 32 != l->line.v[k] >> 32)
            l->line.v[n++] = l->line.v[k];
    l->line.n = n;
    return true;
}

/* True if unit j of b is in a block. */
static bool has_unit(const struct pd_block *block, uint32_t j)
{
    const uint32_t *js = block->units + block->ni;
    const size_t at = pd_search_first_u32(js, block->nj, sizeof *js, 0, j);
    return at < block->nj && js[at] == j;
}

double pd_dot_lines_similarity(const struct pd_dot_lines *l, uint32_t i, uint32_t j)
{
    if (l->dots)
        return 1;
    size_t k = pd_search_first(l->entries.v, l->entries.n, sizeof *l->entries.v, 0, pd_ij(i, 0));
    for (; k < l->entries.n && l->entries.v[k] >> 32 == i; k++) {
        const struct pd_block *block = l->blocks[(uint32_t)l->entries.v[k]];
        if (has_unit(block, j))
            return pd_block_similarity(block);
    }
    PD_CHECK(false);
    return 0;
}

void pd_dot_lines_release(struct pd_dot_lines *l)
{
    PD_RELEASE(pd_u64s, &l->entries, &l->line);
    *l = (struct pd_dot_lines){0};
}
