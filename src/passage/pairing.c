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

#define LEFT_OUT UINT32_MAX /* in `at`: a second document that makes no pair */
#define NOBODY   UINT64_MAX /* in place of a second document: a free slot */

struct unfolded {      /* an unfolded fan */
    uint32_t i_at, ni; /* its units of a: units[i_at, i_at + ni) */
    size_t to;         /* the end of its dots among all dots */
    size_t many_to;    /* the end of its blocks among all blocks */
    double similarity; /* of its units, (0, 1]; 1: identical */
};
PD_VEC(unfolded_list, struct unfolded);

struct dot {           /* of identical units; its fan has one unit of a */
    uint32_t other, j; /* index of the second document; unit of it */
};
PD_VEC(dots, struct dot);

/* A block of dots that is not a dot of identical units. */
struct meeting {
    uint32_t other, fan; /* indices of the second document and the fan */
    uint32_t j_at, nj;   /* its units of the second document: units[j_at, j_at + nj) */
};
PD_VEC(meetings, struct meeting);

struct other { /* a second document */
    pd_doc b;
    uint32_t n, nmany; /* its dots, its blocks */
    uint32_t many_at;  /* where in `many_of` its next block goes */
    uint32_t slot;     /* its slot, which counts its dots until the end */
    uint64_t rows;     /* units of a in its blocks, counted in each block */
    uint64_t area;     /* dots in its blocks */
    bool similar;      /* some of its blocks are of units that are not identical */
};
PD_VEC(others, struct other);

/* A slot of the hash table. It has all that unfolding a dot reads and changes. */
struct slot {
    pd_doc b;             /* the second document; NOBODY: the slot is free */
    uint32_t other, dots; /* its index; its dots so far */
};
PD_VEC(slots, struct slot);

struct kept { /* a second document that makes a pair */
    pd_doc b;
    uint64_t other; /* its index */
};
PD_VEC(kept_list, struct kept);
PD_VEC(numbers, uint32_t);
PD_VEC(block_list, const struct pd_block *);

struct pd_pairing {
    pd_doc a;                  /* the first document */
    struct numbers units;      /* units of the unfolded fans, in the order of the fans */
    struct unfolded_list fans; /* the unfolded fans */
    struct dots dots;          /* their dots of identical units */
    struct meetings many;      /* their other blocks */
    struct others others;      /* the second documents */
    struct numbers at;         /* for each of `others`: where in `dealt` its next dot goes */
    struct slots table;        /* hash table from second document to its index; a power of two */
    struct kept_list kept;     /* second documents that make a pair, ascending */
    size_t next;               /* pd_pairing_next: index in `kept`; pd_pairing_block: in `dots` */
    size_t next_many, fan;     /* pd_pairing_block: indices in `many` and `fans` */
    struct pd_u64s dealt;      /* dots, distributed: pd_ij(i, j), pair after pair */
    struct numbers many_of;    /* indices of blocks, distributed, pair after pair */
    struct pd_u64s laid_out;   /* all dots of one pair */
    struct pd_u64s order;      /* pd_ij(first unit of a, index) of the fans, sorted */
    struct pd_bytes room;      /* memory for struct pd_block */
    struct block_list blocks;  /* all blocks of one pair, in `room` */
};

enum {
    TABLE_LEAST = 1024, /* slots of the smallest hash table, a power of two */
    MANY_MOST = 8       /* most dots per block at which the dots of a pair are listed one by one */
};

static uint32_t home_of(const struct pd_pairing *p, pd_doc b)
{
    const uint64_t spread = 0x9E3779B97F4A7C15u; /* Fibonacci hashing: the high half is mixed */
    return (uint32_t)(b * spread >> 32) & ((uint32_t)p->table.n - 1);
}

static uint32_t next_slot(const struct pd_pairing *p, uint32_t slot)
{
    return (slot + 1) & ((uint32_t)p->table.n - 1);
}

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
    for (size_t k = 0; k < p->others.n; k++) {
        struct other *o = &p->others.v[k];
        const struct slot *from = &old.v[o->slot];
        o->slot = home_of(p, from->b);
        while (p->table.v[o->slot].b != NOBODY)
            o->slot = next_slot(p, o->slot);
        p->table.v[o->slot] = *from;
    }
    slots_release(&old);
}

static struct slot *new_other(struct pd_pairing *p, pd_doc b, uint32_t slot)
{
    const uint32_t number = (uint32_t)p->others.n;
    p->table.v[slot] = (struct slot){.b = b, .other = number};
    others_reserve(&p->others, (size_t)number + 1);
    p->others.v[p->others.n++] = (struct other){.b = b, .slot = slot};
    if (2 * p->others.n > p->table.n)
        grow_table(p);
    return &p->table.v[p->others.v[number].slot];
}

/* The slot of second document b, which is entered if it is new. Valid until the next call. */
static inline struct slot *slot_of(struct pd_pairing *p, pd_doc b)
{
    uint32_t slot = home_of(p, b);
    while (p->table.v[slot].b != b) {
        if (p->table.v[slot].b == NOBODY)
            return new_other(p, b, slot);
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
    unfolded_list_release(&p->fans);
    dots_release(&p->dots);
    meetings_release(&p->many);
    others_release(&p->others);
    numbers_release(&p->at);
    slots_release(&p->table);
    kept_list_release(&p->kept);
    pd_u64s_release(&p->dealt);
    numbers_release(&p->many_of);
    pd_u64s_release(&p->laid_out);
    pd_u64s_release(&p->order);
    pd_bytes_release(&p->room);
    block_list_release(&p->blocks);
    free(p);
}

void pd_pairing_begin(struct pd_pairing *p, pd_doc a)
{
    for (size_t k = 0; k < p->others.n; k++)
        p->table.v[p->others.v[k].slot].b = NOBODY;
    p->units.n = p->fans.n = p->dots.n = p->many.n = p->others.n = 0;
    p->next = p->next_many = p->fan = 0;
    p->a = a;
}

/* Add the block of a fan with document b; the block's units of b are units[j_at, end). */
static void meet(struct pd_pairing *p, pd_doc b, const struct unfolded *fan, uint32_t j_at)
{
    const uint32_t nj = (uint32_t)p->units.n - j_at, other = slot_of(p, b)->other;
    struct other *o = &p->others.v[other];
    meetings_push(&p->many, (struct meeting){other, (uint32_t)p->fans.n, j_at, nj});
    o->nmany++;
    o->rows += fan->ni;
    o->area += (uint64_t)fan->ni * nj;
    o->similar |= fan->similarity < 1;
}

void pd_pairing_add(struct pd_pairing *p, const struct pd_fan *fan)
{
    struct unfolded f = {(uint32_t)p->units.n, fan->ni, 0, 0, pd_fan_similarity(fan)};
    const bool one = fan->ni == 1 && !fan->similar;
    struct pd_fan_reader r;
    numbers_reserve(&p->units, p->units.n + fan->size);
    dots_reserve(&p->dots, p->dots.n + fan->size);
    pd_fan_open(fan, &r);
    for (uint32_t k = 0; k < fan->ni; k++)
        p->units.v[p->units.n++] = pd_fan_first(&r);
    for (bool left = pd_fan_next(&r); left;) {
        const pd_doc b = r.b;
        if (one && !r.more) {
            struct slot *slot = slot_of(p, b);
            p->dots.v[p->dots.n++] = (struct dot){slot->other, r.number};
            slot->dots++;
            left = pd_fan_next(&r);
            continue;
        }
        const uint32_t j_at = (uint32_t)p->units.n;
        do {
            p->units.v[p->units.n++] = r.number;
            left = pd_fan_next(&r);
        } while (left && r.b == b);
        meet(p, b, &f, j_at);
    }
    f.to = p->dots.n;
    f.many_to = p->many.n;
    unfolded_list_push(&p->fans, f);
}

size_t pd_pairing_bytes(const struct pd_pairing *p)
{
    return p->units.n * sizeof *p->units.v + p->dots.n * (sizeof *p->dots.v + sizeof *p->dealt.v) +
           p->many.n * (sizeof *p->many.v + sizeof *p->many_of.v) +
           p->fans.n * (sizeof *p->fans.v + sizeof *p->order.v) +
           p->others.n * (sizeof *p->others.v + sizeof *p->at.v + sizeof *p->kept.v) +
           p->table.n * sizeof *p->table.v;
}

/* Choose the second documents that make a pair, and give them room for their dots and blocks. */
static void keep(struct pd_pairing *p, uint32_t gamma)
{
    size_t n = 0, nmany = 0;
    p->kept.n = 0;
    numbers_reserve(&p->at, p->others.n);
    for (uint32_t k = 0; k < p->others.n; k++) {
        struct other *o = &p->others.v[k];
        o->n = p->table.v[o->slot].dots;
        p->at.v[k] = LEFT_OUT;
        if (o->n + o->rows > gamma)
            kept_list_push(&p->kept, (struct kept){o->b, k});
    }
    pd_sort_records(p->kept.v, p->kept.n, 2, 1);
    for (size_t k = 0; k < p->kept.n; k++) {
        struct other *o = &p->others.v[p->kept.v[k].other];
        p->at.v[p->kept.v[k].other] = (uint32_t)n;
        o->many_at = (uint32_t)nmany;
        n += o->n;
        nmany += o->nmany;
    }
    pd_u64s_reserve(&p->dealt, n);
    numbers_reserve(&p->many_of, nmany);
}

/* Distribute the dots and blocks of a fan. Its dots have unit i of a. */
static void deal(struct pd_pairing *p, uint32_t fan, uint32_t i)
{
    const struct unfolded *f = &p->fans.v[fan];
    uint32_t *const at = p->at.v;
    for (size_t k = fan ? f[-1].to : 0; k < f->to; k++) {
        const struct dot dot = p->dots.v[k];
        if (at[dot.other] != LEFT_OUT)
            p->dealt.v[at[dot.other]++] = pd_ij(i, dot.j);
    }
    for (size_t k = fan ? f[-1].many_to : 0; k < f->many_to; k++) {
        const uint32_t other = p->many.v[k].other;
        if (at[other] != LEFT_OUT)
            p->many_of.v[p->others.v[other].many_at++] = (uint32_t)k;
    }
}

void pd_pairing_end(struct pd_pairing *p, uint32_t gamma)
{
    keep(p, gamma);
    p->order.n = 0;
    for (uint32_t k = 0; p->kept.n && k < p->fans.n; k++)
        pd_u64s_push(&p->order, pd_ij(p->units.v[p->fans.v[k].i_at], k));
    pd_sort_records(p->order.v, p->order.n, 1, 1);
    for (size_t k = 0; k < p->order.n; k++)
        deal(p, (uint32_t)p->order.v[k], (uint32_t)(p->order.v[k] >> 32));
}

static size_t block_bytes(const struct pd_pairing *p, const struct meeting *m)
{
    const struct unfolded *fan = &p->fans.v[m->fan];
    return pd_block_size(fan->ni, m->nj) + (fan->similarity < 1 ? sizeof(double) : 0);
}

static const struct pd_block *write_block(const struct pd_pairing *p, const struct meeting *m,
                                          unsigned char *to)
{
    const struct unfolded *fan = &p->fans.v[m->fan];
    struct pd_block *block = (struct pd_block *)(void *)to;
    const uint32_t size = (uint32_t)block_bytes(p, m);
    *block =
        (struct pd_block){size, (uint16_t)fan->ni, (uint16_t)m->nj, p->a, p->others.v[m->other].b};
    memcpy(block->units, p->units.v + fan->i_at, fan->ni * sizeof *block->units);
    memcpy(block->units + fan->ni, p->units.v + m->j_at, m->nj * sizeof *block->units);
    if ((fan->ni + m->nj) % 2)
        block->units[fan->ni + m->nj] = 0; /* padding */
    if (fan->similarity < 1)
        memcpy(to + size - sizeof fan->similarity, &fan->similarity, sizeof fan->similarity);
    return block;
}

static const struct pd_block *write_dot(const struct pd_pairing *p, pd_doc b, uint64_t dot,
                                        unsigned char *to)
{
    struct pd_block *block = (struct pd_block *)(void *)to;
    *block = (struct pd_block){pd_block_size(1, 1), 1, 1, p->a, b};
    block->units[0] = (uint32_t)(dot >> 32);
    block->units[1] = (uint32_t)dot;
    return block;
}

/* Write all dots and blocks of a pair as struct pd_block. */
static void make_blocks(struct pd_pairing *p, const struct other *o, const uint64_t *dots,
                        const uint32_t *many)
{
    size_t bytes = o->n * pd_block_size(1, 1), at = 0;
    for (size_t k = 0; k < o->nmany; k++)
        bytes += block_bytes(p, &p->many.v[many[k]]);
    pd_bytes_reserve(&p->room, bytes);
    p->blocks.n = 0;
    for (size_t k = 0; k < o->n + o->nmany; k++) {
        unsigned char *to = p->room.v + at;
        block_list_push(&p->blocks, k < o->n ? write_dot(p, o->b, dots[k], to)
                                             : write_block(p, &p->many.v[many[k - o->n]], to));
        at += p->blocks.v[k]->size;
    }
}

static void put_in_order(uint64_t *v, size_t n)
{
    for (size_t k = 1; k < n; k++)
        if (v[k - 1] > v[k]) {
            pd_sort_records(v, n, 1, 1);
            return;
        }
}

/* List all dots of a pair one by one, also the dots in its blocks. */
static void lay_out(struct pd_pairing *p, const struct other *o, const uint64_t *dots,
                    const uint32_t *many)
{
    p->laid_out.n = 0;
    pd_u64s_reserve(&p->laid_out, o->n + o->area);
    pd_u64s_append(&p->laid_out, dots, o->n);
    for (size_t k = 0; k < o->nmany; k++) {
        const struct meeting *m = &p->many.v[many[k]];
        const struct unfolded *fan = &p->fans.v[m->fan];
        for (uint32_t i = 0; i < fan->ni; i++)
            for (uint32_t j = 0; j < m->nj; j++)
                p->laid_out.v[p->laid_out.n++] =
                    pd_ij(p->units.v[fan->i_at + i], p->units.v[m->j_at + j]);
    }
}

bool pd_pairing_next(struct pd_pairing *p, struct pd_pairing_pair *pair)
{
    if (p->next == p->kept.n)
        return false;
    const uint64_t other = p->kept.v[p->next++].other;
    const struct other *o = &p->others.v[other];
    uint64_t *dots = p->dealt.v + p->at.v[other] - o->n;
    const uint32_t *many = p->many_of.v + o->many_at - o->nmany;
    *pair = (struct pd_pairing_pair){.a = p->a, .b = o->b, .n = o->n, .dots = dots};
    if (o->similar || o->area > MANY_MOST * ((size_t)o->n + o->nmany)) {
        make_blocks(p, o, dots, many);
        *pair =
            (struct pd_pairing_pair){.a = p->a, .b = o->b, .n = p->blocks.n, .blocks = p->blocks.v};
        return true;
    }
    if (o->nmany) {
        lay_out(p, o, dots, many);
        pair->dots = dots = p->laid_out.v;
        pair->n = p->laid_out.n;
    }
    put_in_order(dots, pair->n);
    return true;
}

const struct pd_block *pd_pairing_block(struct pd_pairing *p)
{
    while (p->fan < p->fans.n && p->next == p->fans.v[p->fan].to &&
           p->next_many == p->fans.v[p->fan].many_to)
        p->fan++;
    if (p->fan == p->fans.n)
        return NULL;
    if (p->next < p->fans.v[p->fan].to) {
        const struct dot *dot = &p->dots.v[p->next++];
        const uint32_t i = p->units.v[p->fans.v[p->fan].i_at];
        pd_bytes_reserve(&p->room, pd_block_size(1, 1));
        return write_dot(p, p->others.v[dot->other].b, pd_ij(i, dot->j), p->room.v);
    }
    const struct meeting *m = &p->many.v[p->next_many++];
    pd_bytes_reserve(&p->room, block_bytes(p, m));
    return write_block(p, m, p->room.v);
}
