/* base/heap.c - see include/pardup/base/heap.h */
#include "pardup/base/heap.h"

/* Move the smaller parents of position `at` down until `number` fits there. */
static void rise(struct pd_heap_numbers *heap, size_t at, uint64_t number)
{
    for (; at > 0 && heap->v[(at - 1) / 2] > number; at = (at - 1) / 2)
        heap->v[at] = heap->v[(at - 1) / 2];
    heap->v[at] = number;
}

/* The smallest number is replaced by a larger one: move smaller children up until it fits. */
static void sink(struct pd_heap_numbers *heap, uint64_t number)
{
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < heap->n && heap->v[child + 1] < heap->v[child])
            child++;
        if (child >= heap->n || heap->v[child] >= number)
            break;
        heap->v[at] = heap->v[child];
        at = child;
    }
    heap->v[at] = number;
}

void pd_heap_offer(struct pd_heap *h, uint64_t number)
{
    if (h->kept.n < h->limit) {
        pd_heap_numbers_push(&h->kept, number);
        rise(&h->kept, h->kept.n - 1, number);
    } else if (h->limit > 0 && number > h->kept.v[0]) {
        sink(&h->kept, number);
    }
}

size_t pd_heap_count(const struct pd_heap *h, uint64_t least)
{
    size_t n = 0;
    for (size_t k = 0; k < h->kept.n; k++)
        n += h->kept.v[k] >= least;
    return n;
}

void pd_heap_release(struct pd_heap *h)
{
    pd_heap_numbers_release(&h->kept);
    *h = (struct pd_heap){0};
}
