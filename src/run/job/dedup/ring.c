/* run/job/dedup/ring.c - see ring.h */
#include "run/job/dedup/ring.h"

#include "pardup/base/vec.h"

enum { BYTES_OF_MARK = 64 }; /* of the ring; things have more bytes, so that few share a mark */

void pd_ring_open(struct pd_ring *r, size_t room)
{
    *r = (struct pd_ring){.room = room / 8 * 8, .log = 1};
    r->ring = pd_realloc(NULL, room + 1, 1);
    while ((size_t)BYTES_OF_MARK << r->log < room)
        r->log++;
    r->marks = pd_zeroed((size_t)1 << r->log, sizeof *r->marks);
}

void pd_ring_close(struct pd_ring *r)
{
    PD_FREE(r->ring, r->marks);
    *r = (struct pd_ring){.room = 0};
}

static struct pd_ring_mark *mark_of(const struct pd_ring *r, uint64_t thing)
{
    return &r->marks[thing * 0x9e3779b97f4a7c15u >> (64 - r->log)];
}

const unsigned char *pd_ring_find(const struct pd_ring *r, uint64_t thing)
{
    const struct pd_ring_mark *mark = mark_of(r, thing);
    return mark->at && mark->thing == thing && r->at - (mark->at - 1) <= r->room
               ? r->ring + (mark->at - 1) % r->room
               : NULL;
}

unsigned char *pd_ring_put(struct pd_ring *r, uint64_t thing, size_t n)
{
    const size_t all = (n + 7) / 8 * 8;
    if (all > r->room || r->room == 0)
        return NULL;
    if (r->at % r->room + all > r->room)
        r->at += r->room - r->at % r->room;
    unsigned char *place = r->ring + r->at % r->room;
    *mark_of(r, thing) = (struct pd_ring_mark){thing, r->at + 1};
    r->at += all;
    return place;
}
