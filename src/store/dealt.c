/* store/dealt.c - see dealt.h */
#include "dealt.h"

enum {
    BITS = 64,
    SLOTS_AN_ITEM = 4, /* at least: then an item alone meets others in one of five cases at most */
    PARTS_MOST = 1024,
    FIRST_SLAB = 64 << 10,    /* bytes; then each is as long as all before it, ... */
    MOST_SLAB = PD_HUGE_PAGE, /* ... but not longer than this, if the item is not */
    FIRST_PAGE = 256,         /* bytes of items; then each is a part of all before it: */
    PAGE_SHARE = 8,
    LEAST_LONG_PAGE = 4096, /* bytes of a page of a large part, head included */
    MOST_LONG_PAGE = 8 << 10,
    UNFILLED = 8 /* the last pages of all parts are at most one part in so many of the arena */
};

static size_t least(size_t a, size_t b) { return a < b ? a : b; }
static size_t greatest(size_t a, size_t b) { return a > b ? a : b; }

void pd_dealt_init(struct pd_dealt *d, size_t width, size_t room, bool parted,
                   struct pd_spare *spare)
{
    const size_t last_pages = room / UNFILLED;
    const size_t nparts = parted ? least(last_pages / LEAST_LONG_PAGE, PARTS_MOST) : 1;
    *d = (struct pd_dealt){
        .width = width, .room = room, .nparts = (uint32_t)greatest(nparts, 1), .spare = spare};
    d->longest_page =
        greatest(least(last_pages / d->nparts, MOST_LONG_PAGE), LEAST_LONG_PAGE) / 8 * 8;
    d->parts = pd_realloc(NULL, d->nparts, sizeof *d->parts);
    pd_dealt_reset(d);
}

/* Spare slabs are a list through their first words. */
static struct pd_slab slab_new(const struct pd_dealt *d, size_t cap)
{
    void **const spare = d->spare ? d->spare->first : NULL;
    if (cap != MOST_SLAB)
        return (struct pd_slab){pd_alloc_huge(cap, 1), cap};
    if (!spare)
        return (struct pd_slab){pd_map_huge(), cap};
    d->spare->first = *spare;
    return (struct pd_slab){(unsigned char *)spare, cap};
}

static void slab_free(const struct pd_dealt *d, struct pd_slab *slab)
{
    if (slab->cap != MOST_SLAB) {
        free(slab->v);
    } else if (!d->spare) {
        pd_unmap_huge(slab->v);
    } else {
        *(void **)(void *)slab->v = d->spare->first;
        d->spare->first = slab->v;
    }
}

void pd_spare_release(struct pd_spare *s)
{
    for (void *next; s->first; s->first = next) {
        next = *(void **)s->first;
        pd_unmap_huge(s->first);
    }
}

/* Room for n bytes, 8-byte aligned. NULL: the arena is full. */
static void *take(struct pd_dealt *d, size_t n)
{
    for (; d->slab < d->slabs.n; d->slab++, d->used = 0)
        if (d->slabs.v[d->slab].cap - d->used >= n) {
            d->used += n;
            return d->slabs.v[d->slab].v + d->used - n;
        }
    const size_t usual = least(greatest(d->held, FIRST_SLAB), MOST_SLAB);
    const size_t cap = least(greatest(usual, n), d->room - d->held) / 8 * 8;
    if (cap < n)
        return NULL;
    pd_slabs_push(&d->slabs, slab_new(d, cap));
    d->held += cap;
    d->used = n;
    return d->slabs.v[d->slab].v;
}

bool pd_dealt_more(struct pd_dealt *d, struct pd_dealt_part *part, size_t n)
{
    const size_t most = d->longest_page - sizeof(struct pd_dealt_page);
    const size_t wanted = greatest(part->held / PAGE_SHARE, FIRST_PAGE);
    const size_t unit = d->width ? d->width : sizeof(uint64_t);
    const size_t cap = greatest(least(wanted, most) / unit * unit, n);
    struct pd_dealt_page *page = take(d, sizeof *page + cap);
    if (!page)
        return false;
    page->next = NULL;
    page->cap = cap;
    part->held += cap;
    if (part->last) {
        part->last->cap = (size_t)(part->to - part->last->items);
        part->last->next = page;
    } else {
        part->first = page;
    }
    part->last = page;
    part->to = page->items;
    part->end = page->items + cap;
    return true;
}

static uint64_t word_at(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* A power of two, enough for the slots of n items. */
static size_t words_of_bits(size_t n)
{
    size_t words = 1;
    while (words * BITS < n * SLOTS_AN_ITEM)
        words *= 2;
    return words;
}

/* Room for the items of a part, in place of what `to` holds. */
static void make_room(const struct pd_dealt_part *part, struct pd_bytes *to)
{
    to->n = 0;
    if (part->held >
        to->cap) /* what is in it need not be copied, nor may it become longer than needed */
        pd_bytes_release(to);
    pd_bytes_reserve(to, part->held);
}

void pd_dealt_gather(const struct pd_dealt *d, uint32_t which, struct pd_bytes *to)
{
    const struct pd_dealt_part *part = &d->parts[which];
    make_room(part, to);
    for (const struct pd_dealt_page *p = part->first; p; p = p->next) {
        __builtin_prefetch(p->next);
        pd_bytes_append(to, p->items, pd_dealt_used(d, which, p));
    }
}

void pd_dealt_gather_shared(const struct pd_dealt *d, uint32_t which, size_t at,
                            struct pd_bytes *to, struct pd_seen *bits)
{
    const struct pd_dealt_part *part = &d->parts[which];
    const size_t width = d->width;
    make_room(part, to);
    const size_t words = words_of_bits(to->cap / width);
    const uint64_t slots = words * BITS;
    pd_seen_reserve(bits, 2 * words);
    uint64_t *once = bits->v, *again = once + words;
    memset(once, 0, 2 * words * sizeof *once);
    for (const struct pd_dealt_page *p = part->first; p; p = p->next)
        for (const unsigned char *v = p->items, *end = v + pd_dealt_used(d, which, p); v < end;
             v += width) {
            const uint64_t slot = word_at(v + at) & (slots - 1), bit = UINT64_C(1) << slot % BITS;
            again[slot / BITS] |= once[slot / BITS] & bit;
            once[slot / BITS] |= bit;
        }
    for (const struct pd_dealt_page *p = part->first; p; p = p->next)
        for (const unsigned char *v = p->items, *end = v + pd_dealt_used(d, which, p); v < end;
             v += width) {
            const uint64_t slot = word_at(v + at) & (slots - 1);
            pd_dealt_copy(to->v + to->n, v, width); /* which stays cannot be predicted */
            to->n += width * (again[slot / BITS] >> slot % BITS & 1);
        }
}

void pd_dealt_reset(struct pd_dealt *d)
{
    memset(d->parts, 0, d->nparts * sizeof *d->parts);
    d->slab = d->used = 0;
}

static void release_slabs(struct pd_dealt *d)
{
    for (size_t k = 0; k < d->slabs.n; k++)
        slab_free(d, &d->slabs.v[k]);
    pd_slabs_release(&d->slabs);
    d->held = 0;
}

void pd_dealt_fit(struct pd_dealt *d, size_t n)
{
    release_slabs(d);
    d->room = greatest(d->room, n + d->longest_page);
}

void pd_dealt_release(struct pd_dealt *d)
{
    release_slabs(d);
    free(d->parts);
    *d = (struct pd_dealt){0};
}
