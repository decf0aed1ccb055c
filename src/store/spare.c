/* store/spare.c - see spare.h */
#include "spare.h"

#include <stdlib.h>

#include "pardup/base/vec.h"

enum {
    FIRST_SLAB = 64 << 10,   /* bytes; then each is as long as all before it, ... */
    MOST_SLAB = PD_HUGE_PAGE /* ... but not longer than this */
};

/* What a slab begins with. */
struct pd_slab {
    struct pd_slab *next;
    size_t cap;
};

static void slab_new(struct pd_spare *s)
{
    const size_t all = s->held < FIRST_SLAB ? FIRST_SLAB : s->held;
    const size_t cap = all < MOST_SLAB ? all : MOST_SLAB;
    struct pd_slab *slab = cap == MOST_SLAB ? pd_map_huge() : pd_realloc(NULL, cap, 1);
    *slab = (struct pd_slab){s->slabs, cap};
    s->slabs = slab;
    s->held += cap;
    s->used = sizeof *slab;
}

static void *cut(struct pd_spare *s, size_t bytes)
{
    if (!s->slabs || s->slabs->cap - s->used < bytes)
        slab_new(s);
    s->used += bytes;
    return (unsigned char *)s->slabs + s->used - bytes;
}

/* Free pages are lists through their first words. */
void pd_spare_give(struct pd_spare *s, void *page, unsigned size)
{
    *(void **)page = s->pages[size];
    s->pages[size] = page;
}

/* A free page that is larger is halved until it fits. */
void *pd_spare_take(struct pd_spare *s, unsigned size)
{
    unsigned has = size;
    while (has < PD_PAGE_SIZES && !s->pages[has])
        has++;
    if (has == PD_PAGE_SIZES)
        return cut(s, pd_page_bytes(size));
    void *const page = s->pages[has];
    s->pages[has] = *(void **)page;
    __builtin_prefetch(s->pages[has]); /* next time it is read */
    while (has > size) {
        has--;
        pd_spare_give(s, (unsigned char *)page + pd_page_bytes(has), has);
    }
    return page;
}

void pd_spare_release(struct pd_spare *s)
{
    for (struct pd_slab *slab = s->slabs, *next; slab; slab = next) {
        next = slab->next;
        if (slab->cap == MOST_SLAB)
            pd_unmap_huge(slab);
        else
            free(slab);
    }
    *s = (struct pd_spare){0};
}
