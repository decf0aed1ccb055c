/* run/dedup/held.c - see held.h */
#include "run/dedup/held.h"

#include <stdlib.h>

#include "pardup/base/vec.h"

enum { BYTES_OF_MARK = 64 }; /* of the ring; things have more bytes, so that few share a mark */

void pd_held_open(struct pd_held *h, size_t room)
{
    *h = (struct pd_held){.room = room / 8 * 8, .log = 1};
    h->ring = pd_realloc(NULL, room + 1, 1);
    while ((size_t)BYTES_OF_MARK << h->log < room)
        h->log++;
    h->marks = pd_zeroed((size_t)1 << h->log, sizeof *h->marks);
}

void pd_held_close(struct pd_held *h)
{
    free(h->ring);
    free(h->marks);
    *h = (struct pd_held){.room = 0};
}

static struct pd_held_mark *mark_of(const struct pd_held *h, uint64_t thing)
{
    return &h->marks[thing * 0x9e3779b97f4a7c15u >> (64 - h->log)];
}

const unsigned char *pd_held_find(const struct pd_held *h, uint64_t thing)
{
    const struct pd_held_mark *mark = mark_of(h, thing);
    return mark->at && mark->thing == thing && h->at - (mark->at - 1) <= h->room
               ? h->ring + (mark->at - 1) % h->room
               : NULL;
}

unsigned char *pd_held_put(struct pd_held *h, uint64_t thing, size_t n)
{
    const size_t all = (n + 7) / 8 * 8;
    if (all > h->room || h->room == 0)
        return NULL;
    if (h->at % h->room + all > h->room)
        h->at += h->room - h->at % h->room;
    unsigned char *place = h->ring + h->at % h->room;
    *mark_of(h, thing) = (struct pd_held_mark){thing, h->at + 1};
    h->at += all;
    return place;
}
