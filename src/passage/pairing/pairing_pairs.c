/*
 * passage/pairing/pairing_pairs.c - hand out the dots of a pairing: pair by pair, or block by
 * block. See include/pardup/passage/pairing.h
 */
#include "pairing_inside.h"
#include "pardup/base/sort.h"

enum {
    BRIEF_UNITS = sizeof(struct pd_brief) / sizeof(uint32_t),

    /* A pair is listed as blocks if its blocks have more dots than this for each dot and block. */
    BLOCK_DOTS_MOST = 8
};

/* ---- records ---- */

/* Bytes of a block as a record. */
static size_t record_bytes(const struct pd_pairing *p, const struct pd_dot_block *block)
{
    const struct pd_unfolded_fan *fan = &p->fans.v[block->fan];
    return pd_block_size(fan->ni, block->nj) + (fan->similarity < 1 ? sizeof(double) : 0);
}

/* Write a block as a record of record_bytes(p, block) bytes. */
static const struct pd_block *write_block(const struct pd_pairing *p,
                                          const struct pd_dot_block *block, unsigned char *to)
{
    const struct pd_unfolded_fan *fan = &p->fans.v[block->fan];
    const uint32_t ni = fan->ni, nj = block->nj, size = (uint32_t)record_bytes(p, block);
    struct pd_block *record = (struct pd_block *)(void *)to;
    *record = (struct pd_block){size, (uint16_t)ni, (uint16_t)nj, p->a,
                                p->table.docs.v[block->doc_index].b};
    if (fan->whole) { /* ni and nj are 1 */
        record->ni = 0;
        record->nj = 2;
    }
    memcpy(record->units, p->units.v + fan->a_units, ni * sizeof *record->units);
    memcpy(record->units + ni, p->units.v + block->b_units, nj * sizeof *record->units);
    if ((ni + nj) % 2)
        record->units[ni + nj] = 0; /* padding */
    if (fan->similarity < 1)
        memcpy(to + size - sizeof fan->similarity, &fan->similarity, sizeof fan->similarity);
    return record;
}

/* Write a dot pd_ij(i, j) as a record of pd_block_size(1, 1) bytes. */
static const struct pd_block *write_dot(const struct pd_pairing *p, pd_doc b, uint64_t dot,
                                        unsigned char *to)
{
    struct pd_block *record = (struct pd_block *)(void *)to;
    *record = (struct pd_block){pd_block_size(1, 1), 1, 1, p->a, b};
    record->units[0] = (uint32_t)(dot >> 32);
    record->units[1] = (uint32_t)dot;
    return record;
}

/* Write that a pair shares text as brief documents do, as a record. */
static const struct pd_block *write_brief(const struct pd_pairing *p,
                                          const struct pd_second_doc *doc, unsigned char *to)
{
    const struct pd_brief *brief = &p->briefs.v[doc->brief];
    struct pd_block *record = (struct pd_block *)(void *)to;
    *record = (struct pd_block){pd_block_size(0, BRIEF_UNITS), 0, BRIEF_UNITS, p->a, doc->b};
    memcpy(record->units, brief, sizeof *brief);
    return record;
}

/* ---- pair by pair ---- */

/*
 * Write all dots and blocks of a pair as records, into p->pair_blocks.
 *   dots    the doc->ndots dots of the pair
 *   blocks  the indices of its doc->nblocks blocks
 */
static void make_records(struct pd_pairing *p, const struct pd_second_doc *doc,
                         const uint64_t *dots, const uint32_t *blocks)
{
    size_t bytes = doc->ndots * pd_block_size(1, 1);
    for (size_t k = 0; k < doc->nblocks; k++)
        bytes += record_bytes(p, &p->blocks.v[blocks[k]]);
    pd_bytes_reserve(&p->block_room, bytes);
    p->pair_blocks.n = 0;
    unsigned char *to = p->block_room.v;
    for (size_t k = 0; k < (size_t)doc->ndots + doc->nblocks; k++) {
        const struct pd_block *record =
            k < doc->ndots ? write_dot(p, doc->b, dots[k], to)
                           : write_block(p, &p->blocks.v[blocks[k - doc->ndots]], to);
        pd_block_records_push(&p->pair_blocks, record);
        to += record->size;
    }
}

/* Write the block that says that the documents of a pair are equal, alone, into p->pair_blocks. */
static void list_whole(struct pd_pairing *p, const struct pd_second_doc *doc,
                       const uint32_t *blocks)
{
    p->pair_blocks.n = 0;
    for (size_t k = 0; k < doc->nblocks && p->pair_blocks.n == 0; k++) {
        const struct pd_dot_block *block = &p->blocks.v[blocks[k]];
        if (!p->fans.v[block->fan].whole)
            continue;
        pd_bytes_reserve(&p->block_room, record_bytes(p, block));
        pd_block_records_push(&p->pair_blocks, write_block(p, block, p->block_room.v));
    }
}

/* Sort the dots of a pair. Most pairs are in order already. */
static void sort_dots(uint64_t *v, size_t n)
{
    for (size_t k = 1; k < n; k++)
        if (v[k - 1] > v[k]) {
            pd_sort_records(v, n, 1, 1);
            return;
        }
}

/* List all dots of a pair one by one, also the dots in its blocks, into p->pair_dots. */
static void list_dots(struct pd_pairing *p, const struct pd_second_doc *doc, const uint64_t *dots,
                      const uint32_t *blocks)
{
    p->pair_dots.n = 0;
    pd_u64s_reserve(&p->pair_dots, doc->ndots + doc->block_dots);
    pd_u64s_append(&p->pair_dots, dots, doc->ndots);
    for (size_t k = 0; k < doc->nblocks; k++) {
        const struct pd_dot_block *block = &p->blocks.v[blocks[k]];
        const struct pd_unfolded_fan *fan = &p->fans.v[block->fan];
        for (uint32_t i = 0; i < fan->ni; i++)
            for (uint32_t j = 0; j < block->nj; j++)
                p->pair_dots.v[p->pair_dots.n++] =
                    pd_ij(p->units.v[fan->a_units + i], p->units.v[block->b_units + j]);
    }
}

bool pd_pairing_next(struct pd_pairing *p, struct pd_pair_dots *pair)
{
    if (p->next_pair == p->pairs.n)
        return false;
    const uint64_t doc_index = p->pairs.v[p->next_pair++].doc_index;
    const struct pd_second_doc *doc = &p->table.docs.v[doc_index];
    /* dealing has moved dealt_to and next_block behind the pair's last dot and last block */
    uint64_t *dots = doc->ndots ? p->dealt_dots.v + (p->dealt_to.v[doc_index] - doc->ndots) : NULL;
    const uint32_t *blocks =
        doc->nblocks ? p->dealt_blocks.v + (doc->next_block - doc->nblocks) : NULL;
    *pair = (struct pd_pair_dots){.a = p->a, .b = doc->b, .n = doc->ndots, .dots = dots};
    if (doc->has_brief)
        pair->brief = &p->briefs.v[doc->brief];
    if (doc->whole) {
        list_whole(p, doc, blocks);
        *pair = (struct pd_pair_dots){
            .a = p->a, .b = doc->b, .n = p->pair_blocks.n, .blocks = p->pair_blocks.v};
        return true;
    }
    if (doc->similar || doc->block_dots > BLOCK_DOTS_MOST * ((size_t)doc->ndots + doc->nblocks)) {
        make_records(p, doc, dots, blocks);
        pair->n = p->pair_blocks.n;
        pair->dots = NULL;
        pair->blocks = p->pair_blocks.v;
        return true;
    }
    if (doc->nblocks) {
        list_dots(p, doc, dots, blocks);
        pair->dots = dots = p->pair_dots.v;
        pair->n = p->pair_dots.n;
    }
    sort_dots(dots, pair->n);
    return true;
}

/* ---- block by block ---- */

/* The next record of a pair that shares text as brief documents do; NULL: there are no more. */
static const struct pd_block *next_brief(struct pd_pairing *p)
{
    while (p->next_doc < p->table.docs.n && !p->table.docs.v[p->next_doc].has_brief)
        p->next_doc++;
    if (p->next_doc == p->table.docs.n)
        return NULL;
    pd_bytes_reserve(&p->block_room, pd_block_size(0, BRIEF_UNITS));
    return write_brief(p, &p->table.docs.v[p->next_doc++], p->block_room.v);
}

const struct pd_block *pd_pairing_block(struct pd_pairing *p)
{
    const struct pd_unfolded_fan *fans = p->fans.v;
    while (p->next_fan < p->fans.n && p->next_dot == fans[p->next_fan].dots_end &&
           p->next_block == fans[p->next_fan].blocks_end)
        p->next_fan++;
    if (p->next_fan == p->fans.n)
        return next_brief(p);
    const struct pd_unfolded_fan *fan = &fans[p->next_fan];
    if (p->next_dot < fan->dots_end) {
        const struct pd_single_dot *dot = &p->dots.v[p->next_dot++];
        const uint32_t i = p->units.v[fan->a_units];
        pd_bytes_reserve(&p->block_room, pd_block_size(1, 1));
        return write_dot(p, p->table.docs.v[dot->doc_index].b, pd_ij(i, dot->j), p->block_room.v);
    }
    const struct pd_dot_block *block = &p->blocks.v[p->next_block++];
    pd_bytes_reserve(&p->block_room, record_bytes(p, block));
    return write_block(p, block, p->block_room.v);
}
