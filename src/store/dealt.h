/*
 * store/dealt.h - items, of one width or of any, dealt to parts as they arrive, in a bounded arena.
 *
 * A part is a chain of pages, the first ones short: memory that holds nothing is not touched, so
 * that the many small jobs pay for what they have. Sorting part by part stays inside the cache: the
 * first passes over a large array miss it with every record (measured: 330 ns a record at 20
 * million, 70 ns in parts of 50,000).
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

struct pd_dealt_part {
    struct pd_dealt_page *first, *last;
    size_t held;             /* bytes of their items, at most */
    size_t n;                /* items, of those of any width */
    unsigned char *to, *end; /* the free bytes of the last page */
};

struct pd_dealt {
    size_t width;          /* bytes of an item; 0: they differ, 8 | bytes */
    size_t room;           /* bytes of all pages, at most */
    size_t held;           /* bytes of those there are */
    unsigned longest_page; /* size of the pages of a large part */
    uint32_t nparts;
    struct pd_dealt_part *parts;
    struct pd_spare *spare; /* where pages are from: borrowed, or its own */
    struct pd_spare own;
};

/* It stays where it is. */
void pd_dealt_init(struct pd_dealt *d, size_t width, size_t room, bool parted,
                   struct pd_spare *spare);

/* Add a page with room for an item of n bytes to the part. False: the arena is full. */
bool pd_dealt_more(struct pd_dealt *d, struct pd_dealt_part *part, size_t n);

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

/* Copy an item into part `which`. False: the arena is full. */
static inline bool pd_dealt_push(struct pd_dealt *d, uint32_t which, const void *item)
{
    struct pd_dealt_part *part = &d->parts[which];
    if (part->to == part->end && !pd_dealt_more(d, part, d->width))
        return false;
    pd_dealt_copy(part->to, item, d->width);
    part->to += d->width;
    return true;
}

/* The same, of n bytes. */
static inline bool pd_dealt_push_any(struct pd_dealt *d, uint32_t which, const void *item, size_t n)
{
    struct pd_dealt_part *part = &d->parts[which];
    if ((size_t)(part->end - part->to) < n && !pd_dealt_more(d, part, n))
        return false;
    memcpy(part->to, item, n);
    part->to += n;
    part->n++;
    return true;
}

/* The first page of part `which`, and bytes of items of a page of it. */
static inline const struct pd_dealt_page *pd_dealt_first(const struct pd_dealt *d, uint32_t which)
{
    return d->parts[which].first;
}

static inline size_t pd_dealt_used(const struct pd_dealt *d, uint32_t which,
                                   const struct pd_dealt_page *p)
{
    const struct pd_dealt_part *part = &d->parts[which];
    return p == part->last ? (size_t)(part->to - p->items) : p->cap;
}

/* Items of part `which`; of those of one width so many at most. */
static inline size_t pd_dealt_items(const struct pd_dealt *d, uint32_t which)
{
    const struct pd_dealt_part *part = &d->parts[which];
    return d->width ? part->held / d->width : part->n;
}

/* The items of part `which`, in one piece, in place of what `to` holds. */
void pd_dealt_gather(const struct pd_dealt *d, uint32_t which, struct pd_bytes *to);

/*
 * The same, but for most of those whose word at byte `at`, a hash, no other has. Two bits a slot tell which
 * hashes were met, and which more than once; they are in `bits`.
 */
void pd_dealt_gather_shared(const struct pd_dealt *d, uint32_t which, size_t at,
                            struct pd_bytes *to, struct pd_seen *bits);

/* Forget the items of part `which`; its memory is there for others. */
void pd_dealt_leave(struct pd_dealt *d, uint32_t which);

/* Forget all items. */
void pd_dealt_reset(struct pd_dealt *d);

/* Of an empty arena: let it be such that n bytes and a page fit. */
void pd_dealt_fit(struct pd_dealt *d, size_t n);

void pd_dealt_release(struct pd_dealt *d);

#endif
