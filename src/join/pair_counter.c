/* join/pair_counter.c - see include/pardup/join/pair_counter.h */
#include "pardup/join/pair_counter.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/vec.h"

enum { BITS_MOST = 40 }; /* more slots than any machine has memory for */

void pd_pair_counter_init(struct pd_pair_counter *c, uint64_t bytes)
{
    *c = (struct pd_pair_counter){.bits = 1};
    while (sizeof *c->slots << (c->bits + 1) <= bytes && c->bits < BITS_MOST)
        c->bits++;
    c->slots = pd_alloc_huge((size_t)1 << c->bits, sizeof *c->slots);
    memset(c->slots, 0, sizeof *c->slots << c->bits);
}

void pd_pair_counter_release(struct pd_pair_counter *c)
{
    free(c->slots);
    *c = (struct pd_pair_counter){0};
}

bool pd_pair_counter_flush(struct pd_pair_counter *c, struct pd_pair_count *left)
{
    while (c->flushed < (size_t)1 << c->bits) {
        *left = c->slots[c->flushed++];
        if (left->n > 0)
            return true;
    }
    return false;
}
