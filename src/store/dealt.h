/*
 * store/dealt.h - items, of one width or of any, dealt to partitions as they arrive, in a bounded arena.
 *
 * A partition is a chain of pages, the first ones short: memory that holds nothing is not touched, so
 * that the many small jobs pay for what they have. Sorting partition by partition stays inside the cache: the
 * first passes over a large array miss it with every record (measured: 330 ns a record at 20
 * million, 70 ns in partitions of 50,000).
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
    uint32_t cap;  /* bytes of items; of those before the last: that are used */
    uint32_t size; /* as in spare.h; PD_PAGE_SIZES: longer than those */
    unsigned char items[];
};

struct pd_dealt_partition {
    struct pd_dealt_page *first, *last;
    size_t held;             /* bytes of their items, at most */
    size_t n;                /* items, of those of any width */
    unsigned char *to, *end; /* the free bytes of the last page */
};

struct pd_dealt {
    size_t width;          /* bytes of an item; 0: they differ, 8 | bytes */
    size_t room;           /* bytes of all pages, at most */
    size_t held;           /* bytes of those there are */
    unsigned longest_page; /* size of the pages of a large partition */
    uint32_t npartitions;
    struct pd_dealt_partition *partitions;
    struct pd_spare *spare; /* where pages are from: borrowed, or its own */
    struct pd_spare own;
};

/* It stays where it is. */
void pd_dealt_init(struct pd_dealt *d, size_t width, size_t room, bool parted,
                   struct pd_spare *spare);

/* Add a page with room for an item of n bytes to the partition. False: the arena is full. */
bool pd_dealt_more(struct pd_dealt *d, struct pd_dealt_partition *partition, size_t n);

static inline void pd_dealt_copy(void *to, const void *item, size_t width)
{
    enum {
        POSTING = 24,
        VISIT = 32
    }; /* most are as wide as these: no call, the compiler knows the width */
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

/* The same, of n bytes. */
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

/* The first page of partition `which`, and bytes of items of a page of it. */
static inline const struct pd_dealt_page *pd_dealt_first(const struct pd_dealt *d, uint32_t which)
{
    return d->partitions[which].first;
}

static inline size_t pd_dealt_used(const struct pd_dealt *d, uint32_t which,
                                   const struct pd_dealt_page *p)
{
    const struct pd_dealt_partition *partition = &d->partitions[which];
    return p == partition->last ? (size_t)(partition->to - p->items) : p->cap;
}

/* Items of partition `which`; of those of one width so many at most. */
static inline size_t pd_dealt_items(const struct pd_dealt *d, uint32_t which)
{
    const struct pd_dealt_partition *partition = &d->partitions[which];
    return d->width ? partition->held / d->width : partition->n;
}

/* The items of partition `which`, in one piece, in place of what `to` holds. */
void pd_dealt_gather(const struct pd_dealt *d, uint32_t which, struct pd_bytes *to);

/*
 * The same, but for most of those whose word at byte `at`, a hash, no other has. Two bits a slot tell which
 * hashes were met, and which more than once; they are in `bits`.
 */
void pd_dealt_gather_shared(const struct pd_dealt *d, uint32_t which, size_t at,
                            struct pd_bytes *to, struct pd_seen *bits);

/* Forget the items of partition `which`; its memory is there for others. */
void pd_dealt_leave(struct pd_dealt *d, uint32_t which);

/* Forget all items. */
void pd_dealt_reset(struct pd_dealt *d);

/* Of an empty arena: let it be such that n bytes and a page fit. */
void pd_dealt_fit(struct pd_dealt *d, size_t n);

void pd_dealt_release(struct pd_dealt *d);

#endif
