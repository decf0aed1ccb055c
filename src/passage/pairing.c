/*
 * passage/pairing.c - see include/pardup/passage/pairing.h
 *
 * A fan is unfolded: its units of a with its units of one second document are a block of dots.
 * Nearly all such blocks are a single dot of identical units, which is stored apart in eight bytes.
 * A hash table numbers the second documents and counts their dots.
 *
 * When all fans are there, dots and blocks are distributed to the second documents that have enough
 * of them. The fans go in order of their first unit of a, so most dots arrive in ascending order.
 */
#include "pardup/passage/pairing.h"

#include "pardup/base/bytes.h"
#include "pardup/base/sort.h"

#define NO_PAIR UINT32_MAX /* in `dealt_to`: a second document that makes no pair */
#define NOBODY  UINT64_MAX /* in place of a second document: a free slot */

struct unfolded_fan {
    uint32_t a_units;  /* where in `units` its units of a begin */
    uint16_t ni;       /* units of a */
    bool whole;        /* PD_FAN_WHOLE: its blocks have no dots */
    bool brief;        /* PD_FAN_BRIEF: it has no blocks */
    size_t dots_end;   /* where in `dots` its dots end; they follow the dots of the fan before */
    size_t blocks_end; /* where in `blocks` its blocks end */
    double similarity; /* of the units, (0, 1]; 1: identical */
};
PD_VEC(unfolded_fans, struct unfolded_fan);

/*
 * A single dot: the fan has one unit of a and one unit of the second document, and the units are
 * identical.
 */
struct dot {
    uint32_t doc_index; /* the second document, in `docs` */
    uint32_t j;         /* unit of the second document */
};
PD_VEC(dots, struct dot);

/* Any other block of dots: the units of a fan with its units of one second document. */
struct block {
    uint32_t doc_index; /* the second document, in `docs` */
    uint32_t fan;       /* index in `fans` */
    uint32_t b_units;   /* where in `units` its units of the second document begin */
    uint32_t nj;        /* units of the second document */
};
PD_VEC(blocks, struct block);

struct second_doc {
    pd_doc b;            /* the document */
    uint32_t ndots;      /* its dots; set at the end */
    uint32_t nblocks;    /* its blocks */
    uint32_t next_block; /* where in `dealt_blocks` its next block goes */
    uint32_t slot;       /* index of its slot in `table`; until the end, the slot counts the dots */
    uint64_t block_units; /* units of a in its blocks, repeats included: an upper bound */
    uint64_t block_dots;  /* dots in its blocks */
    bool similar;         /* some of its blocks are of units that are not identical */
    bool whole;           /* one of its blocks says that it is equal to a */
    uint32_t nbriefs;     /* 1: it shares text with a as brief documents do; 0: it does not */
    uint32_t brief;       /* that text, in `briefs` */
};
PD_VEC(second_docs, struct second_doc);

/* A slot of the hash table. It holds everything that is read and changed for a dot. */
struct slot {
    pd_doc b;           /* a second document; NOBODY: the slot is free */
    uint32_t doc_index; /* the document in `docs` */
    uint32_t ndots;     /* its dots so far */
};
PD_VEC(slots, struct slot);

/* A second document that makes a pair with a. Order: b. */
struct pair {
    pd_doc b;
    uint64_t doc_index; /* the document in `docs` */
};
PD_VEC(pairs, struct pair);
PD_VEC(numbers, uint32_t);
PD_VEC(block_records, const struct pd_block *);
PD_VEC(briefs, struct pd_brief);

struct pd_pairing {
    pd_doc a;                    /* the first document */
    struct numbers units;        /* units of all unfolded fans */
    struct unfolded_fans fans;   /* all fans of a */
    struct dots dots;            /* their dots of identical units */
    struct blocks blocks;        /* their other blocks */
    struct briefs briefs;        /* text that it shares as a brief document */
    struct second_docs docs;     /* the second documents, in order of first appearance */
    struct slots table;          /* hash table of `docs`; its size is a power of two */
    struct pairs pairs;          /* the second documents that make a pair, in order */
    struct numbers dealt_to;     /* for each of `docs`: where its next dot goes in `dealt_dots` */
    struct pd_u64s dealt_dots;   /* dots pd_ij(i, j), sorted by pair */
    struct numbers dealt_blocks; /* indices of blocks, sorted by pair */
    struct pd_u64s fan_order;    /* pd_ij(first unit of a, index) of each fan, sorted */
    size_t next_pair;            /* pd_pairing_next: index in `pairs` */
    size_t next_dot;             /* pd_pairing_block: index in `dots` */
    size_t next_block;           /* pd_pairing_block: index in `blocks` */
    size_t next_fan;             /* pd_pairing_block: index in `fans` */
    size_t next_doc;             /* pd_pairing_block: index in `docs` */
    struct pd_u64s pair_dots;    /* all dots of the current pair, if it also has blocks */
    struct block_records pair_blocks; /* all blocks of the current pair, in `block_room` */
    struct pd_bytes block_room;       /* memory for struct pd_block */
};

enum {
    TABLE_LEAST = 1024, /* slots of the smallest hash table, a power of two */

    BRIEF_UNITS = sizeof(struct pd_brief) / sizeof(uint32_t),

    /* A pair is listed as blocks if its blocks have more dots than this for each dot and block. */
    BLOCK_DOTS_MOST = 8
};

/* The first slot of the probe sequence of a document. */
static uint32_t home_of(const struct pd_pairing *p, pd_doc b)
{
    const uint64_t spread = 0x9E3779B97F4A7C15u; /* Fibonacci hashing: the high half is mixed */
    return (uint32_t)(b * spread >> 32) & ((uint32_t)p->table.n - 1);
}

static uint32_t next_slot(const struct pd_pairing *p, uint32_t slot)
{
    return (slot + 1) & ((uint32_t)p->table.n - 1);
}

/* Make an empty table of n slots, a power of two. */
static void make_table(struct pd_pairing *p, size_t n)
{
    slots_reserve(&p->table, n);
    p->table.n = n;
    for (size_t k = 0; k < n; k++)
        p->table.v[k] = (struct slot){.b = NOBODY};
}

static void grow_table(struct pd_pairing *p)
{
    struct slots old = p->table;
    p->table = (struct slots){0};
    make_table(p, 2 * old.n);
    for (size_t k = 0; k < p->docs.n; k++) {
        struct second_doc *doc = &p->docs.v[k];
        const struct slot *from = &old.v[doc->slot];
        doc->slot = home_of(p, from->b);
        while (p->table.v[doc->slot].b != NOBODY)
            doc->slot = next_slot(p, doc->slot);
        p->table.v[doc->slot] = *from;
    }
    slots_release(&old);
}

/* Enter a new second document at a free slot. Returns its slot, which may have moved. */
static struct slot *enter_doc(struct pd_pairing *p, pd_doc b, uint32_t slot)
{
    const uint32_t doc_index = (uint32_t)p->docs.n;
    p->table.v[slot] = (struct slot){.b = b, .doc_index = doc_index};
    second_docs_reserve(&p->docs, (size_t)doc_index + 1);
    p->docs.v[p->docs.n++] = (struct second_doc){.b = b, .slot = slot};
    if (2 * p->docs.n > p->table.n)
        grow_table(p);
    return &p->table.v[p->docs.v[doc_index].slot];
}

/* The slot of second document b, which is entered if it is new. Valid until the next call. */
static inline struct slot *slot_of(struct pd_pairing *p, pd_doc b)
{
    uint32_t slot = home_of(p, b);
    while (p->table.v[slot].b != b) {
        if (p->table.v[slot].b == NOBODY)
            return enter_doc(p, b, slot);
        slot = next_slot(p, slot);
    }
    return &p->table.v[slot];
}

struct pd_pairing *pd_pairing_new(void)
{
    struct pd_pairing *p = pd_realloc(NULL, 1, sizeof *p);
    *p = (struct pd_pairing){0};
    make_table(p, TABLE_LEAST);
    return p;
}

void pd_pairing_free(struct pd_pairing *p)
{
    if (!p)
        return;
    numbers_release(&p->units);
    unfolded_fans_release(&p->fans);
    dots_release(&p->dots);
    blocks_release(&p->blocks);
    briefs_release(&p->briefs);
    second_docs_release(&p->docs);
    numbers_release(&p->dealt_to);
    slots_release(&p->table);
    pairs_release(&p->pairs);
    pd_u64s_release(&p->dealt_dots);
    numbers_release(&p->dealt_blocks);
    pd_u64s_release(&p->pair_dots);
    pd_u64s_release(&p->fan_order);
    pd_bytes_release(&p->block_room);
    block_records_release(&p->pair_blocks);
    free(p);
}

void pd_pairing_begin(struct pd_pairing *p, pd_doc a)
{
    for (size_t k = 0; k < p->docs.n; k++)
        p->table.v[p->docs.v[k].slot].b = NOBODY;
    p->units.n = p->fans.n = p->dots.n = p->blocks.n = p->briefs.n = p->docs.n = 0;
    p->next_pair = p->next_dot = p->next_block = p->next_fan = p->next_doc = 0;
    p->a = a;
}

/*
 * Add a block: the units of `fan`, which is not yet in `fans`, with units of second document b. The
 * units of b are units[b_units, end of units).
 */
static void add_block(struct pd_pairing *p, pd_doc b, const struct unfolded_fan *fan,
                      uint32_t b_units)
{
    const uint32_t nj = (uint32_t)p->units.n - b_units, doc_index = slot_of(p, b)->doc_index;
    struct second_doc *doc = &p->docs.v[doc_index];
    blocks_push(&p->blocks, (struct block){doc_index, (uint32_t)p->fans.n, b_units, nj});
    doc->nblocks++;
    doc->block_units += fan->ni;
    doc->block_dots += (uint64_t)fan->ni * nj;
    doc->similar |= fan->similarity < 1;
    doc->whole |= fan->whole;
}

/*
 * Note that second document b shares text with a as brief documents do. Its units are units[b_units,
 * end of units), and are dropped.
 */
static void add_brief(struct pd_pairing *p, pd_doc b, const struct unfolded_fan *fan,
                      uint32_t b_units)
{
    const uint32_t doc_index = slot_of(p, b)->doc_index;
    struct second_doc *doc = &p->docs.v[doc_index];
    const uint32_t *a = p->units.v + fan->a_units;
    const struct pd_brief brief = {a[0], a[fan->ni - 1], p->units.v[b_units],
                                   p->units.v[p->units.n - 1]};
    p->units.n = b_units;
    if (doc->nbriefs) {
        pd_brief_join(&p->briefs.v[doc->brief], &brief);
        return;
    }
    doc->nbriefs = 1;
    doc->brief = (uint32_t)p->briefs.n;
    briefs_push(&p->briefs, brief);
}

void pd_pairing_add(struct pd_pairing *p, const struct pd_fan *fan)
{
    struct unfolded_fan unfolded = {.a_units = (uint32_t)p->units.n,
                                    .ni = fan->ni,
                                    .whole = fan->kind == PD_FAN_WHOLE,
                                    .brief = fan->kind == PD_FAN_BRIEF,
                                    .similarity = pd_fan_similarity(fan)};
    const bool has_dots = fan->ni == 1 && fan->kind == PD_FAN_EQUAL;
    struct pd_fan_reader r;
    numbers_reserve(&p->units, p->units.n + fan->size);
    dots_reserve(&p->dots, p->dots.n + fan->size);
    pd_fan_open(fan, &r);
    for (uint32_t k = 0; k < fan->ni; k++)
        p->units.v[p->units.n++] = pd_fan_first(&r);
    for (bool more = pd_fan_next(&r); more;) {
        const pd_doc b = r.b;
        if (has_dots && !r.more) {
            struct slot *slot = slot_of(p, b);
            p->dots.v[p->dots.n++] = (struct dot){slot->doc_index, r.number};
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
    unfolded_fans_push(&p->fans, unfolded);
}

size_t pd_pairing_bytes(const struct pd_pairing *p)
{
    return p->units.n * sizeof *p->units.v +
           p->dots.n * (sizeof *p->dots.v + sizeof *p->dealt_dots.v) +
           p->blocks.n * (sizeof *p->blocks.v + sizeof *p->dealt_blocks.v) +
           p->fans.n * (sizeof *p->fans.v + sizeof *p->fan_order.v) +
           p->briefs.n * sizeof *p->briefs.v +
           p->docs.n * (sizeof *p->docs.v + sizeof *p->dealt_to.v + sizeof *p->pairs.v) +
           p->table.n * sizeof *p->table.v;
}

/* Choose the second documents that make a pair, and give them room for their dots and blocks. */
static void choose_pairs(struct pd_pairing *p, uint32_t gamma)
{
    size_t ndots = 0, nblocks = 0;
    p->pairs.n = 0;
    numbers_reserve(&p->dealt_to, p->docs.n);
    for (uint32_t k = 0; k < p->docs.n; k++) {
        struct second_doc *doc = &p->docs.v[k];
        doc->ndots = p->table.v[doc->slot].ndots;
        p->dealt_to.v[k] = NO_PAIR;
        if (doc->ndots + doc->block_units > gamma || doc->whole || doc->nbriefs)
            pairs_push(&p->pairs, (struct pair){doc->b, k});
    }
    pd_sort_records(p->pairs.v, p->pairs.n, 2, 1);
    for (size_t k = 0; k < p->pairs.n; k++) {
        struct second_doc *doc = &p->docs.v[p->pairs.v[k].doc_index];
        p->dealt_to.v[p->pairs.v[k].doc_index] = (uint32_t)ndots;
        doc->next_block = (uint32_t)nblocks;
        ndots += doc->ndots;
        nblocks += doc->nblocks;
    }
    pd_u64s_reserve(&p->dealt_dots, ndots);
    numbers_reserve(&p->dealt_blocks, nblocks);
}

/* Distribute the dots and blocks of a fan. Its dots have unit i of a. */
static void deal_fan(struct pd_pairing *p, uint32_t fan_index, uint32_t i)
{
    const struct unfolded_fan *fan = &p->fans.v[fan_index];
    uint32_t *const dealt_to = p->dealt_to.v;
    for (size_t k = fan_index ? fan[-1].dots_end : 0; k < fan->dots_end; k++) {
        const struct dot dot = p->dots.v[k];
        if (dealt_to[dot.doc_index] != NO_PAIR)
            p->dealt_dots.v[dealt_to[dot.doc_index]++] = pd_ij(i, dot.j);
    }
    for (size_t k = fan_index ? fan[-1].blocks_end : 0; k < fan->blocks_end; k++) {
        const uint32_t doc_index = p->blocks.v[k].doc_index;
        if (dealt_to[doc_index] != NO_PAIR)
            p->dealt_blocks.v[p->docs.v[doc_index].next_block++] = (uint32_t)k;
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

/* Bytes of a block as a record. */
static size_t record_bytes(const struct pd_pairing *p, const struct block *block)
{
    const struct unfolded_fan *fan = &p->fans.v[block->fan];
    return pd_block_size(fan->ni, block->nj) + (fan->similarity < 1 ? sizeof(double) : 0);
}

/* Write a block as a record of record_bytes(p, block) bytes. */
static const struct pd_block *write_block(const struct pd_pairing *p, const struct block *block,
                                          unsigned char *to)
{
    const struct unfolded_fan *fan = &p->fans.v[block->fan];
    const uint32_t ni = fan->ni, nj = block->nj, size = (uint32_t)record_bytes(p, block);
    struct pd_block *record = (struct pd_block *)(void *)to;
    *record =
        (struct pd_block){size, (uint16_t)ni, (uint16_t)nj, p->a, p->docs.v[block->doc_index].b};
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
static const struct pd_block *write_brief(const struct pd_pairing *p, const struct second_doc *doc,
                                          unsigned char *to)
{
    const struct pd_brief *brief = &p->briefs.v[doc->brief];
    struct pd_block *record = (struct pd_block *)(void *)to;
    *record = (struct pd_block){pd_block_size(0, BRIEF_UNITS), 0, BRIEF_UNITS, p->a, doc->b};
    memcpy(record->units, brief, sizeof *brief);
    return record;
}

/*
 * Write all dots and blocks of a pair as records, into p->pair_blocks.
 *   dots    the doc->ndots dots of the pair
 *   blocks  the indices of its doc->nblocks blocks
 */
static void make_records(struct pd_pairing *p, const struct second_doc *doc, const uint64_t *dots,
                         const uint32_t *blocks)
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
        block_records_push(&p->pair_blocks, record);
        to += record->size;
    }
}

/* Write the block that says that the documents of a pair are equal, alone, into p->pair_blocks. */
static void list_whole(struct pd_pairing *p, const struct second_doc *doc, const uint32_t *blocks)
{
    p->pair_blocks.n = 0;
    for (size_t k = 0; k < doc->nblocks && p->pair_blocks.n == 0; k++) {
        const struct block *block = &p->blocks.v[blocks[k]];
        if (!p->fans.v[block->fan].whole)
            continue;
        pd_bytes_reserve(&p->block_room, record_bytes(p, block));
        block_records_push(&p->pair_blocks, write_block(p, block, p->block_room.v));
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
static void list_dots(struct pd_pairing *p, const struct second_doc *doc, const uint64_t *dots,
                      const uint32_t *blocks)
{
    p->pair_dots.n = 0;
    pd_u64s_reserve(&p->pair_dots, doc->ndots + doc->block_dots);
    pd_u64s_append(&p->pair_dots, dots, doc->ndots);
    for (size_t k = 0; k < doc->nblocks; k++) {
        const struct block *block = &p->blocks.v[blocks[k]];
        const struct unfolded_fan *fan = &p->fans.v[block->fan];
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
    const struct second_doc *doc = &p->docs.v[doc_index];
    /* dealing has moved dealt_to and next_block behind the pair's last dot and last block */
    uint64_t *dots = doc->ndots ? p->dealt_dots.v + (p->dealt_to.v[doc_index] - doc->ndots) : NULL;
    const uint32_t *blocks =
        doc->nblocks ? p->dealt_blocks.v + (doc->next_block - doc->nblocks) : NULL;
    *pair = (struct pd_pair_dots){.a = p->a, .b = doc->b, .n = doc->ndots, .dots = dots};
    if (doc->nbriefs)
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

/* The next record of a pair that shares text as brief documents do; NULL: there are no more. */
static const struct pd_block *next_brief(struct pd_pairing *p)
{
    while (p->next_doc < p->docs.n && !p->docs.v[p->next_doc].nbriefs)
        p->next_doc++;
    if (p->next_doc == p->docs.n)
        return NULL;
    pd_bytes_reserve(&p->block_room, pd_block_size(0, BRIEF_UNITS));
    return write_brief(p, &p->docs.v[p->next_doc++], p->block_room.v);
}

const struct pd_block *pd_pairing_block(struct pd_pairing *p)
{
    const struct unfolded_fan *fans = p->fans.v;
    while (p->next_fan < p->fans.n && p->next_dot == fans[p->next_fan].dots_end &&
           p->next_block == fans[p->next_fan].blocks_end)
        p->next_fan++;
    if (p->next_fan == p->fans.n)
        return next_brief(p);
    const struct unfolded_fan *fan = &fans[p->next_fan];
    if (p->next_dot < fan->dots_end) {
        const struct dot *dot = &p->dots.v[p->next_dot++];
        const uint32_t i = p->units.v[fan->a_units];
        pd_bytes_reserve(&p->block_room, pd_block_size(1, 1));
        return write_dot(p, p->docs.v[dot->doc_index].b, pd_ij(i, dot->j), p->block_room.v);
    }
    const struct block *block = &p->blocks.v[p->next_block++];
    pd_bytes_reserve(&p->block_room, record_bytes(p, block));
    return write_block(p, block, p->block_room.v);
}
