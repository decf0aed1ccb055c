/*
 * store/dealt.h - an arena of bounded size whose items are dealt to partitions as they arrive.
 *
 * Items have one width or each its own. A partition is a list of pages; its first pages are short,
 * so that a small job touches little memory. Partitions are sorted one by one because a partition
 * fits into the cache: the first passes over a large array miss the cache with every record.
 * Measured: 330 ns a record in an array of 20 million, 70 ns in partitions of 50,000.
 */
#ifndef PARDUP_STORE_DEALT_H
#define PARDUP_STORE_DEALT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "pardup/base/bytes.h"
#include "spare.h"

PD_VEC(pd_seen, uint64_t);

struct pd_dealt_page {
    struct pd_dealt_page *next;
    uint32_t cap; /* last page of a partition: bytes it has room for; other pages: bytes of items */
    uint32_t size; /* size of the page (spare.h); PD_PAGE_SIZES: a longer page, allocated alone */
    unsigned char items[];
};

struct pd_dealt_partition {
    struct pd_dealt_page *first, *last; /* its pages; NULL: none */
    size_t held;                        /* bytes of items that its pages have room for */
    size_t n;                           /* items, if they differ in width; else not counted */
    unsigned char *to, *end;            /* the free bytes [to, end) of the last page */
};

struct pd_dealt {
    size_t width;          /* bytes of an item; 0: items differ, each a multiple of 8 bytes */
    size_t room;           /* most bytes of all pages */
    size_t held;           /* bytes of all pages that have been taken */
    unsigned longest_page; /* size (spare.h) of the pages of a large partition */
    uint32_t npartitions;
    struct pd_dealt_partition *partitions;
    struct pd_spare *spare; /* the memory that pages come from: borrowed, or `own` */
    struct pd_spare own;    /* the memory of this arena alone, if none was given */
};

/*
 * Begin an empty arena. The struct must not be moved afterwards: `spare` may point into it.
 *   width    bytes of an item; 0: items differ
 *   room     most bytes of pages
 *   partitioned   deal items to several partitions; false: to one
 *   spare    memory to share, borrowed; NULL: the arena has its own
 */
void pd_dealt_init(struct pd_dealt *d, size_t width, size_t room, bool partitioned,
                   struct pd_spare *spare);

/* Add a page with room for an item of n bytes to a partition. False: the arena is full. */
bool pd_dealt_more(struct pd_dealt *d, struct pd_dealt_partition *partition, size_t n);

static inline void pd_dealt_copy(void *to, const void *item, size_t width)
{
    enum {
        POSTING = 24,
        VISIT = 32
    }; /* the widths of most items: with a constant width the compiler copies without a call */
    if (width == POSTING)
        memcpy(to, item, POSTING);
    else if (width == VISIT)
        memcpy(to, item, VISIT);
    else
        memcpy(to, item, width);
}

/* Copy an item into partition `which`. False: the arena is full. */
static inline bool pd_dealt_push(struct pd_dealt *d, uint32_t which, const void *item)
{
    struct pd_dealt_partition *partition = &d->partitions[which];
    if (partition->to == partition->end && !pd_dealt_more(d, partition, d->width))
        return false;
    pd_dealt_copy(partition->to, item, d->width);
    partition->to += d->width;
    return true;
}

/* Copy an item of n bytes into partition `which`, if items differ. False: the arena is full. */
static inline bool pd_dealt_push_any(struct pd_dealt *d, uint32_t which, const void *item, size_t n)
{
    struct pd_dealt_partition *partition = &d->partitions[which];
    if ((size_t)(partition->end - partition->to) < n && !pd_dealt_more(d, partition, n))
        return false;
    memcpy(partition->to, item, n);
    partition->to += n;
    partition->n++;
    return true;
}

/* The first page of partition `which`; NULL: it has none. */
static inline const struct pd_dealt_page *pd_dealt_first(const struct pd_dealt *d, uint32_t which)
{
    return d->partitions[which].first;
}

/* Bytes of items in page p of partition `which`. */
static inline size_t pd_dealt_used(const struct pd_dealt *d, uint32_t which,
                                   const struct pd_dealt_page *p)
{
    const struct pd_dealt_partition *partition = &d->partitions[which];
    return p == partition->last ? (size_t)(partition->to - p->items) : p->cap;
}

/* Items of partition `which`; if all have one width, an upper bound. */
static inline size_t pd_dealt_items(const struct pd_dealt *d, uint32_t which)
{
    const struct pd_dealt_partition *partition = &d->partitions[which];
    return d->width ? partition->held / d->width : partition->n;
}

/* Replace the contents of `to` by the items of partition `which`. */
void pd_dealt_gather(const struct pd_dealt *d, uint32_t which, struct pd_bytes *to);

/*
 * The same as pd_dealt_gather(), but most items are left out whose u64 at byte `at`, a hash, no
 * other item of the partition has. `bits` is memory that is used again: two bits a slot, one if a
 * hash of the slot was met, one if a second was met.
 */
void pd_dealt_gather_shared(const struct pd_dealt *d, uint32_t which, size_t at,
                            struct pd_bytes *to, struct pd_seen *bits);

/* Remove the items of partition `which` and give its memory back. */
void pd_dealt_leave(struct pd_dealt *d, uint32_t which);

/* Remove all items. */
void pd_dealt_reset(struct pd_dealt *d);

/* Enlarge an empty arena, if need be, so that an item of n bytes and a page have room. */
void pd_dealt_fit(struct pd_dealt *d, size_t n);

/* Free all memory and zero the arena. */
void pd_dealt_release(struct pd_dealt *d);

#endif
