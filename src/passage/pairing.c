/*
 * passage/pairing.c - see include/pardup/passage/pairing.h
 *
 * Fans are unfolded to meetings, of a fan with a document. Each document met gets a number from a
 * hash table; once it is known how many sentences of a have met it, meetings are dealt to those
 * that have enough, fans in order of their first sentence: so dots mostly come in order.
 */
#include "pardup/passage/pairing.h"

#include "pardup/base/bytes.h"
#include "pardup/base/sort.h"

#define LEFT_OUT UINT32_MAX

struct unfolded { /* fan */
    uint32_t i_at, ni;
    size_t to; /* the end of its meetings */
    double similarity;
};
PD_VEC(unfolded_list, struct unfolded);

struct meeting {
    uint32_t other, fan; /* numbers */
    uint32_t j_at, nj;
};
PD_VEC(meetings, struct meeting);

struct other {
    pd_doc b;
    uint64_t rows; /* sentences of a, those of each meeting counted */
    uint32_t n;    /* meetings ... */
    uint32_t at;   /* ... and where the next one is dealt to */
    uint32_t slot; /* in the table */
    bool plain;    /* all are of one sentence with an identical one */
};
PD_VEC(others, struct other);

struct kept {
    pd_doc b;
    uint64_t other;
};
PD_VEC(kept_list, struct kept);
PD_VEC(numbers, uint32_t);
PD_VEC(block_list, const struct pd_block *);

struct pd_pairing {
    pd_doc a;
    struct numbers units; /* of a and of others, as they came */
    struct unfolded_list fans;
    struct meetings meetings;
    struct others others;
    struct numbers table; /* other + 1 by hash of b; .n a power of two */
    struct kept_list kept;
    size_t next;          /* of kept, or of meetings */
    struct pd_u64s dealt; /* dots of those that are plain, else meetings' numbers */
    struct pd_u64s order;
    struct pd_bytes room; /* of blocks */
    struct block_list blocks;
};

enum { TABLE_LEAST = 1024 };

struct pd_pairing *pd_pairing_new(void)
{
    struct pd_pairing *p = pd_realloc(NULL, 1, sizeof *p);
    *p = (struct pd_pairing){0};
    return p;
}

void pd_pairing_free(struct pd_pairing *p)
{
    if (!p)
        return;
    numbers_release(&p->units);
    unfolded_list_release(&p->fans);
    meetings_release(&p->meetings);
    others_release(&p->others);
    numbers_release(&p->table);
    kept_list_release(&p->kept);
    pd_u64s_release(&p->dealt);
    pd_u64s_release(&p->order);
    pd_bytes_release(&p->room);
    block_list_release(&p->blocks);
    free(p);
}

void pd_pairing_begin(struct pd_pairing *p, pd_doc a)
{
    for (size_t k = 0; k < p->others.n; k++)
        p->table.v[p->others.v[k].slot] = 0;
    p->units.n = p->fans.n = p->meetings.n = p->others.n = p->next = 0;
    p->a = a;
}

/* Where b stands in the table, or would. */
static uint32_t slot_of(const struct pd_pairing *p, pd_doc b)
{
    const uint64_t spread = 0x9E3779B97F4A7C15u; /* Fibonacci hashing: the high half is mixed */
    const uint32_t mask = (uint32_t)p->table.n - 1;
    uint32_t slot = (uint32_t)(b * spread >> 32) & mask;
    while (p->table.v[slot] && p->others.v[p->table.v[slot] - 1].b != b)
        slot = (slot + 1) & mask;
    return slot;
}

static void grow_table(struct pd_pairing *p)
{
    const size_t n = p->table.n ? 2 * p->table.n : TABLE_LEAST;
    numbers_reserve(&p->table, n);
    p->table.n = n;
    memset(p->table.v, 0, n * sizeof *p->table.v);
    for (uint32_t k = 0; k < p->others.n; k++) {
        struct other *o = &p->others.v[k];
        o->slot = slot_of(p, o->b);
        p->table.v[o->slot] = k + 1;
    }
}

static uint32_t other_of(struct pd_pairing *p, pd_doc b)
{
    if (2 * (p->others.n + 1) > p->table.n)
        grow_table(p);
    const uint32_t slot = slot_of(p, b);
    if (!p->table.v[slot]) {
        others_push(&p->others, (struct other){.b = b, .slot = slot, .plain = true});
        p->table.v[slot] = (uint32_t)p->others.n;
    }
    return p->table.v[slot] - 1;
}

/* The meeting at hand has all its sentences. */
static void meet(struct pd_pairing *p, pd_doc b, const struct unfolded *fan, uint32_t j_at)
{
    const uint32_t nj = (uint32_t)p->units.n - j_at, other = other_of(p, b);
    struct other *o = &p->others.v[other];
    meetings_push(&p->meetings, (struct meeting){other, (uint32_t)p->fans.n, j_at, nj});
    o->rows += fan->ni;
    o->n++;
    o->plain &= fan->ni == 1 && nj == 1 && fan->similarity == 1;
}

void pd_pairing_add(struct pd_pairing *p, const struct pd_fan *fan)
{
    struct unfolded f = {(uint32_t)p->units.n, fan->ni, 0, pd_fan_similarity(fan)};
    struct pd_fan_reader r;
    numbers_reserve(&p->units, p->units.n + fan->size);
    meetings_reserve(&p->meetings, p->meetings.n + fan->size);
    pd_fan_open(fan, &r);
    for (uint32_t k = 0; k < fan->ni; k++)
        p->units.v[p->units.n++] = pd_fan_first(&r);
    for (bool left = pd_fan_next(&r); left;) {
        const uint32_t j_at = (uint32_t)p->units.n;
        const pd_doc b = r.b;
        do {
            p->units.v[p->units.n++] = r.number;
            left = pd_fan_next(&r);
        } while (left && r.b == b);
        meet(p, b, &f, j_at);
    }
    f.to = p->meetings.n;
    unfolded_list_push(&p->fans, f);
}

size_t pd_pairing_bytes(const struct pd_pairing *p)
{
    return p->units.n * sizeof *p->units.v +
           p->meetings.n * (sizeof *p->meetings.v + sizeof *p->dealt.v) +
           p->fans.n * (sizeof *p->fans.v + sizeof *p->order.v) +
           p->others.n * (sizeof *p->others.v + sizeof *p->kept.v) +
           p->table.n * sizeof *p->table.v;
}

/* Which of the others are kept, in order, and where theirs is dealt to. */
static size_t keep(struct pd_pairing *p, uint32_t gamma)
{
    size_t n = 0;
    p->kept.n = 0;
    for (uint32_t k = 0; k < p->others.n; k++) {
        struct other *o = &p->others.v[k];
        o->at = LEFT_OUT;
        if (o->rows > gamma)
            kept_list_push(&p->kept, (struct kept){o->b, k});
    }
    pd_sort_records(p->kept.v, p->kept.n, 2, 1);
    for (size_t k = 0; k < p->kept.n; k++) {
        struct other *o = &p->others.v[p->kept.v[k].other];
        o->at = (uint32_t)n;
        n += o->n;
    }
    return n;
}

void pd_pairing_end(struct pd_pairing *p, uint32_t gamma)
{
    pd_u64s_reserve(&p->dealt, keep(p, gamma));
    p->order.n = 0;
    for (uint32_t k = 0; p->kept.n && k < p->fans.n; k++)
        pd_u64s_push(&p->order, pd_ij(p->units.v[p->fans.v[k].i_at], k));
    pd_sort_records(p->order.v, p->order.n, 1, 1);
    for (size_t k = 0; k < p->order.n; k++) {
        const uint32_t fan = (uint32_t)p->order.v[k], i = (uint32_t)(p->order.v[k] >> 32);
        for (size_t m = fan ? p->fans.v[fan - 1].to : 0; m < p->fans.v[fan].to; m++) {
            const struct meeting *meeting = &p->meetings.v[m];
            struct other *o = &p->others.v[meeting->other];
            if (o->at != LEFT_OUT)
                p->dealt.v[o->at++] = o->plain ? pd_ij(i, p->units.v[meeting->j_at]) : m;
        }
    }
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
        block->units[fan->ni + m->nj] = 0; /* the padding */
    if (fan->similarity < 1)
        memcpy(to + size - sizeof fan->similarity, &fan->similarity, sizeof fan->similarity);
    return block;
}

static void make_blocks(struct pd_pairing *p, const uint64_t *numbers, size_t n)
{
    size_t bytes = 0, at = 0;
    for (size_t k = 0; k < n; k++)
        bytes += block_bytes(p, &p->meetings.v[numbers[k]]);
    pd_bytes_reserve(&p->room, bytes);
    p->blocks.n = 0;
    for (size_t k = 0; k < n; k++) {
        block_list_push(&p->blocks, write_block(p, &p->meetings.v[numbers[k]], p->room.v + at));
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

bool pd_pairing_next(struct pd_pairing *p, struct pd_pairing_pair *pair)
{
    if (p->next == p->kept.n)
        return false;
    const struct other *o = &p->others.v[p->kept.v[p->next++].other];
    uint64_t *dealt = p->dealt.v + o->at - o->n;
    *pair = (struct pd_pairing_pair){.a = p->a, .b = o->b, .n = o->n};
    if (o->plain) {
        put_in_order(dealt, o->n);
        pair->dots = dealt;
    } else {
        make_blocks(p, dealt, o->n);
        pair->blocks = p->blocks.v;
    }
    return true;
}

const struct pd_block *pd_pairing_block(struct pd_pairing *p)
{
    if (p->next == p->meetings.n)
        return NULL;
    const struct meeting *m = &p->meetings.v[p->next++];
    pd_bytes_reserve(&p->room, block_bytes(p, m));
    return write_block(p, m, p->room.v);
}
