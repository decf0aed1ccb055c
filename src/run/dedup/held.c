/* run/dedup/held.c - see held.h */
#include "run/dedup/held.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/vec.h"

void pd_held_open(struct pd_held *h, size_t room, size_t things)
{
    *h = (struct pd_held){.room = room / 8 * 8};
    h->ring = pd_realloc(NULL, room + 1, 1);
    h->marks = pd_realloc(NULL, things + 1, sizeof *h->marks);
    memset(h->marks, 0, (things + 1) * sizeof *h->marks);
}

void pd_held_close(struct pd_held *h)
{
    free(h->ring);
    free(h->marks);
    *h = (struct pd_held){.room = 0};
}

const unsigned char *pd_held_find(const struct pd_held *h, size_t thing)
{
    const uint64_t mark = h->marks[thing];
    return mark && h->at - (mark - 1) <= h->room ? h->ring + (mark - 1) % h->room : NULL;
}

unsigned char *pd_held_put(struct pd_held *h, size_t thing, size_t n)
{
    const size_t all = (n + 7) / 8 * 8;
    if (all > h->room || h->room == 0)
        return NULL;
    if (h->at % h->room + all > h->room)
        h->at += h->room - h->at % h->room;
    unsigned char *place = h->ring + h->at % h->room;
    h->marks[thing] = h->at + 1;
    h->at += all;
    return place;
}
