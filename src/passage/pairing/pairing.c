/*
 * passage/pairing/pairing.c - see include/pardup/passage/pairing.h
 *
 * A fan is unfolded: its units of a with its units of one second document are a block of dots.
 * Nearly all such blocks are a single dot of identical units, which is stored apart in eight bytes.
 * A hash table numbers the second documents and counts their dots (pairing_inside.h).
 *
 * When all fans are there, dots and blocks are distributed to the second documents that have enough
 * of them. The fans go in order of their first unit of a, so most dots arrive in ascending order.
 */
#include "pairing_inside.h"
#include "pardup/base/sort.h"

#define NO_PAIR UINT32_MAX /* in `dealt_to`: a second document that makes no pair */

struct pd_pairing *pd_pairing_new(void)
{
    struct pd_pairing *p = pd_realloc(NULL, 1, sizeof *p);
    *p = (struct pd_pairing){0};
    pd_doc_table_init(&p->table);
    return p;
}

void pd_pairing_free(struct pd_pairing *p)
{
    if (!p)
        return;
    pd_unit_numbers_release(&p->units);
    pd_unfolded_fans_release(&p->fans);
    pd_single_dots_release(&p->dots);
    pd_dot_blocks_release(&p->blocks);
    pd_briefs_release(&p->briefs);
    pd_unit_numbers_release(&p->dealt_to);
    pd_doc_table_release(&p->table);
    pd_chosen_pairs_release(&p->pairs);
    pd_u64s_release(&p->dealt_dots);
    pd_unit_numbers_release(&p->dealt_blocks);
    PD_RELEASE(pd_u64s, &p->pair_dots, &p->fan_order);
    pd_bytes_release(&p->block_room);
    pd_block_records_release(&p->pair_blocks);
    free(p);
}

void pd_pairing_begin(struct pd_pairing *p, pd_doc a)
{
    pd_doc_table_clear(&p->table);
    p->units.n = p->fans.n = p->dots.n = p->blocks.n = p->briefs.n = 0;
    p->next_pair = p->next_dot = p->next_block = p->next_fan = p->next_doc = 0;
    p->a = a;
}

/* ---- fans ---- */

/*
 * Add a block: the units of `fan`, which is not yet in `fans`, with units of second document b. The
 * units of b are units[b_units, end of units).
 */
static void add_block(struct pd_pairing *p, pd_doc b, const struct pd_unfolded_fan *fan,
                      uint32_t b_units)
{
    const uint32_t nj = (uint32_t)p->units.n - b_units,
                   doc_index = pd_doc_table_slot(&p->table, b)->doc_index;
    struct pd_second_doc *doc = &p->table.docs.v[doc_index];
    pd_dot_blocks_push(&p->blocks,
                       (struct pd_dot_block){doc_index, (uint32_t)p->fans.n, b_units, nj});
    doc->nblocks++;
    doc->block_units += fan->ni;
    doc->block_dots += (uint64_t)fan->ni * nj;
    doc->similar |= fan->similarity < 1;
    doc->whole |= fan->whole;
}

/*
 * Note that second document b shares text with a as brief documents do. Its units are
 * units[b_units, end of units), and are dropped.
 */
static void add_brief(struct pd_pairing *p, pd_doc b, const struct pd_unfolded_fan *fan,
                      uint32_t b_units)
{
    const uint32_t doc_index = pd_doc_table_slot(&p->table, b)->doc_index;
    struct pd_second_doc *doc = &p->table.docs.v[doc_index];
    const uint32_t *a = p->units.v + fan->a_units;
    const struct pd_brief brief = {a[0], a[fan->ni - 1], p->units.v[b_units],
                                   p->units.v[p->units.n - 1]};
    p->units.n = b_units;
    if (doc->has_brief) {
        pd_brief_join(&p->briefs.v[doc->brief], &brief);
        return;
    }
    doc->has_brief = true;
    doc->brief = (uint32_t)p->briefs.n;
    pd_briefs_push(&p->briefs, brief);
}

void pd_pairing_add(struct pd_pairing *p, const struct pd_fan *fan)
{
    struct pd_unfolded_fan unfolded = {.a_units = (uint32_t)p->units.n,
                                       .ni = fan->ni,
                                       .whole = fan->kind == PD_FAN_WHOLE,
                                       .brief = fan->kind == PD_FAN_BRIEF,
                                       .similarity = pd_fan_similarity(fan)};
    const bool has_dots = fan->ni == 1 && fan->kind == PD_FAN_EQUAL;
    struct pd_fan_reader r;
    pd_unit_numbers_reserve(&p->units, p->units.n + fan->size);
    pd_single_dots_reserve(&p->dots, p->dots.n + fan->size);
    pd_fan_open(fan, &r);
    for (uint32_t k = 0; k < fan->ni; k++)
        p->units.v[p->units.n++] = pd_fan_first(&r);
    for (bool more = pd_fan_next(&r); more;) {
        const pd_doc b = r.b;
        if (has_dots && !r.more) {
            struct pd_doc_slot *slot = pd_doc_table_slot(&p->table, b);
            p->dots.v[p->dots.n++] = (struct pd_single_dot){slot->doc_index, r.number};
            slot->ndots++;
            more = pd_fan_next(&r);
            continue;
        }
        const uint32_t b_units = (uint32_t)p->units.n;
        do {
            p->units.v[p->units.n++] = r.number;
            more = pd_fan_next(&r);
        } while (more && r.b == b);
        if (unfolded.brief)
            add_brief(p, b, &unfolded, b_units);
        else
            add_block(p, b, &unfolded, b_units);
    }
    unfolded.dots_end = p->dots.n;
    unfolded.blocks_end = p->blocks.n;
    pd_unfolded_fans_push(&p->fans, unfolded);
}

size_t pd_pairing_bytes(const struct pd_pairing *p)
{
    return p->units.n * sizeof *p->units.v +
           p->dots.n * (sizeof *p->dots.v + sizeof *p->dealt_dots.v) +
           p->blocks.n * (sizeof *p->blocks.v + sizeof *p->dealt_blocks.v) +
           p->fans.n * (sizeof *p->fans.v + sizeof *p->fan_order.v) +
           p->briefs.n * sizeof *p->briefs.v +
           p->table.docs.n *
               (sizeof *p->table.docs.v + sizeof *p->dealt_to.v + sizeof *p->pairs.v) +
           p->table.slots.n * sizeof *p->table.slots.v;
}

/* ---- dealing ---- */

/* Choose the second documents that make a pair, and give them room for their dots and blocks. */
static void choose_pairs(struct pd_pairing *p, uint32_t gamma)
{
    size_t ndots = 0, nblocks = 0;
    p->pairs.n = 0;
    pd_unit_numbers_reserve(&p->dealt_to, p->table.docs.n);
    for (uint32_t k = 0; k < p->table.docs.n; k++) {
        struct pd_second_doc *doc = &p->table.docs.v[k];
        doc->ndots = p->table.slots.v[doc->slot].ndots;
        p->dealt_to.v[k] = NO_PAIR;
        if (doc->ndots + doc->block_units > gamma || doc->whole || doc->has_brief)
            pd_chosen_pairs_push(&p->pairs, (struct pd_chosen_pair){doc->b, k});
    }
    pd_sort_records(p->pairs.v, p->pairs.n, 2, 1);
    for (size_t k = 0; k < p->pairs.n; k++) {
        struct pd_second_doc *doc = &p->table.docs.v[p->pairs.v[k].doc_index];
        p->dealt_to.v[p->pairs.v[k].doc_index] = (uint32_t)ndots;
        doc->next_block = (uint32_t)nblocks;
        ndots += doc->ndots;
        nblocks += doc->nblocks;
    }
    pd_u64s_reserve(&p->dealt_dots, ndots);
    pd_unit_numbers_reserve(&p->dealt_blocks, nblocks);
}

/* Distribute the dots and blocks of a fan. Its dots have unit i of a. */
static void deal_fan(struct pd_pairing *p, uint32_t fan_index, uint32_t i)
{
    const struct pd_unfolded_fan *fan = &p->fans.v[fan_index];
    uint32_t *const dealt_to = p->dealt_to.v;
    for (size_t k = fan_index ? fan[-1].dots_end : 0; k < fan->dots_end; k++) {
        const struct pd_single_dot dot = p->dots.v[k];
        if (dealt_to[dot.doc_index] != NO_PAIR)
            p->dealt_dots.v[dealt_to[dot.doc_index]++] = pd_ij(i, dot.j);
    }
    for (size_t k = fan_index ? fan[-1].blocks_end : 0; k < fan->blocks_end; k++) {
        const uint32_t doc_index = p->blocks.v[k].doc_index;
        if (dealt_to[doc_index] != NO_PAIR)
            p->dealt_blocks.v[p->table.docs.v[doc_index].next_block++] = (uint32_t)k;
    }
}

void pd_pairing_end(struct pd_pairing *p, uint32_t gamma)
{
    choose_pairs(p, gamma);
    p->fan_order.n = 0;
    for (uint32_t k = 0; p->pairs.n && k < p->fans.n; k++)
        pd_u64s_push(&p->fan_order, pd_ij(p->units.v[p->fans.v[k].a_units], k));
    pd_sort_records(p->fan_order.v, p->fan_order.n, 1, 1);
    for (size_t k = 0; k < p->fan_order.n; k++)
        deal_fan(p, (uint32_t)p->fan_order.v[k], (uint32_t)(p->fan_order.v[k] >> 32));
}
