/* store/spare.c - see spare.h */
#include "spare.h"

#include <stdlib.h>

#include "pardup/base/vec.h"

enum {
    FIRST_SLAB = 64 << 10,   /* bytes of the first slab */
    MOST_SLAB = PD_HUGE_PAGE /* bytes of the longest slab */
};

/* The head of a slab. */
struct pd_slab {
    struct pd_slab *next; /* the slab before it; NULL: none */
    size_t cap;           /* bytes of the slab with its head */
};

/* Take a slab as long as all slabs before it, within FIRST_SLAB and MOST_SLAB. */
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

/* Cut a new page from the newest slab. The rest of a slab that is too short is lost. */
static void *cut(struct pd_spare *s, size_t bytes)
{
    if (!s->slabs || s->slabs->cap - s->used < bytes)
        slab_new(s);
    s->used += bytes;
    return (unsigned char *)s->slabs + s->used - bytes;
}

/* A free page begins with a pointer to the next free page of its size. */
void pd_spare_give(struct pd_spare *s, void *page, unsigned size)
{
    *(void **)page = s->pages[size];
    s->pages[size] = page;
}

/* If there is no free page of the size, halve a larger one; if there is none, cut a new page. */
void *pd_spare_take(struct pd_spare *s, unsigned size)
{
    unsigned found = size;
    while (found < PD_PAGE_SIZES && !s->pages[found])
        found++;
    if (found == PD_PAGE_SIZES)
        return cut(s, pd_page_bytes(size));
    void *const page = s->pages[found];
    s->pages[found] = *(void **)page;
    __builtin_prefetch(s->pages[found]); /* the next call reads it */
    while (found > size) {
        found--;
        pd_spare_give(s, (unsigned char *)page + pd_page_bytes(found), found);
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
