/* store/dealt.c - see dealt.h */
#include "dealt.h"
#include "pardup/base/minmax.h"

enum {
    BITS = 64,         /* bits of a u64 */
    SLOTS_AN_ITEM = 4, /* fewest slots per item: one lone hash in five shares its slot, at most */
    PARTITIONS_MOST = 512, /* most partitions */
    PAGE_SHARE = 4,        /* a page is at most 1/4 as long as all earlier pages of its partition */
    LEAST_LONG_PAGE = 4,   /* longest page of an arena with little memory: size 4, 4 KiB */
    MOST_LONG_PAGE = 5,    /* longest page of another arena: size 5, 8 KiB */
    UNFILLED = 8           /* the last pages of all partitions take at most 1/8 of the arena */
};

void pd_dealt_init(struct pd_dealt *d, size_t width, size_t room, bool partitioned,
                   struct pd_spare *spare)
{
    const size_t last_pages = room / UNFILLED;
    const size_t npartitions =
        partitioned ? pd_min_size(last_pages / pd_page_bytes(LEAST_LONG_PAGE), PARTITIONS_MOST) : 1;
    *d = (struct pd_dealt){
        .width = width, .room = room, .npartitions = (uint32_t)pd_max_size(npartitions, 1)};
    d->spare = spare ? spare : &d->own;
    d->longest_page = last_pages / d->npartitions < pd_page_bytes(MOST_LONG_PAGE) ? LEAST_LONG_PAGE
                                                                                  : MOST_LONG_PAGE;
    d->partitions = pd_zeroed(d->npartitions, sizeof *d->partitions);
}

/*
 * The size of the next page of a partition, with room for an item of n bytes. PD_PAGE_SIZES: no
 * page is long enough.
 */
static unsigned size_of_next(const struct pd_dealt *d, const struct pd_dealt_partition *partition,
                             size_t n)
{
    const size_t needed = n + sizeof(struct pd_dealt_page);
    unsigned size = 0;
    while (size < d->longest_page && pd_page_bytes(size + 1) <= partition->held / PAGE_SHARE)
        size++;
    while (size < PD_PAGE_SIZES && pd_page_bytes(size) < needed)
        size++;
    return size;
}

/* Take a page of a size that was found for an item of n bytes. NULL: the arena is full. */
static struct pd_dealt_page *page_new(struct pd_dealt *d, unsigned size, size_t n)
{
    const size_t head = sizeof(struct pd_dealt_page);
    const size_t unit = d->width ? d->width : sizeof(uint64_t);
    const bool usual = size < PD_PAGE_SIZES;
    const size_t bytes = usual ? pd_page_bytes(size) : head + n;
    if (d->held + bytes > d->room)
        return NULL;
    struct pd_dealt_page *page = usual ? pd_spare_take(d->spare, size) : pd_realloc(NULL, bytes, 1);
    page->next = NULL;
    page->size = size;
    page->cap = (uint32_t)((bytes - head) / unit * unit);
    d->held += bytes;
    return page;
}

bool pd_dealt_more(struct pd_dealt *d, struct pd_dealt_partition *partition, size_t n)
{
    struct pd_dealt_page *page = page_new(d, size_of_next(d, partition, n), n);
    if (!page)
        return false;
    partition->held += page->cap;
    if (partition->last) {
        partition->last->cap = (uint32_t)(partition->to - partition->last->items);
        partition->last->next = page;
    } else {
        partition->first = page;
    }
    partition->last = page;
    partition->to = page->items;
    partition->end = page->items + page->cap;
    return true;
}

static uint64_t u64_at(const unsigned char *p)
{
    uint64_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

/* How many u64s have enough bits for the slots of n items, a bit a slot: a power of two. */
static size_t u64s_of_bits(size_t n)
{
    size_t u64s = 1;
    while (u64s * BITS < n * SLOTS_AN_ITEM)
        u64s *= 2;
    return u64s;
}

/* Empty `to` and give it room for the items of a partition. */
static void make_room(const struct pd_dealt_partition *partition, struct pd_bytes *to)
{
    to->n = 0;
    /* Free it first: growing would copy its contents and take more memory than needed. */
    if (partition->held > to->cap)
        pd_bytes_release(to);
    pd_bytes_reserve(to, partition->held);
}

void pd_dealt_gather(const struct pd_dealt *d, uint32_t which, struct pd_bytes *to)
{
    const struct pd_dealt_partition *partition = &d->partitions[which];
    make_room(partition, to);
    for (const struct pd_dealt_page *p = partition->first; p; p = p->next) {
        __builtin_prefetch(p->next);
        pd_bytes_append(to, p->items, pd_dealt_used(d, which, p));
    }
}

void pd_dealt_gather_shared(const struct pd_dealt *d, uint32_t which, size_t at,
                            struct pd_bytes *to, struct pd_seen *bits)
{
    const struct pd_dealt_partition *partition = &d->partitions[which];
    const size_t width = d->width;
    make_room(partition, to);
    const size_t u64s = u64s_of_bits(to->cap / width);
    const uint64_t slots = u64s * BITS;
    pd_seen_reserve(bits, 2 * u64s);
    uint64_t *once = bits->v, *again = once + u64s;
    memset(once, 0, 2 * u64s * sizeof *once);
    for (const struct pd_dealt_page *p = partition->first; p; p = p->next)
        for (const unsigned char *v = p->items, *end = v + pd_dealt_used(d, which, p); v < end;
             v += width) {
            const uint64_t slot = u64_at(v + at) & (slots - 1), bit = UINT64_C(1) << slot % BITS;
            again[slot / BITS] |= once[slot / BITS] & bit;
            once[slot / BITS] |= bit;
        }
    for (const struct pd_dealt_page *p = partition->first; p; p = p->next)
        for (const unsigned char *v = p->items, *end = v + pd_dealt_used(d, which, p); v < end;
             v += width) {
            const uint64_t slot = u64_at(v + at) & (slots - 1);
            pd_dealt_copy(to->v + to->n, v, width); /* no branch: it could not be predicted */
            to->n += width * (again[slot / BITS] >> slot % BITS & 1);
        }
}

void pd_dealt_leave(struct pd_dealt *d, uint32_t which)
{
    for (struct pd_dealt_page *p = d->partitions[which].first, *next; p; p = next) {
        next = p->next;
        if (p->size < PD_PAGE_SIZES)
            pd_spare_give(d->spare, p, p->size);
        else
            free(p);
    }
    d->partitions[which] = (struct pd_dealt_partition){0};
}

void pd_dealt_reset(struct pd_dealt *d)
{
    for (uint32_t which = 0; which < d->npartitions; which++)
        pd_dealt_leave(d, which);
    d->held = 0;
}

void pd_dealt_fit(struct pd_dealt *d, size_t n)
{
    pd_spare_release(&d->own);
    d->room =
        pd_max_size(d->room, sizeof(struct pd_dealt_page) + n + pd_page_bytes(PD_PAGE_SIZES - 1));
}

void pd_dealt_release(struct pd_dealt *d)
{
    pd_dealt_reset(d);
    pd_spare_release(&d->own);
    free(d->partitions);
    *d = (struct pd_dealt){0};
}
