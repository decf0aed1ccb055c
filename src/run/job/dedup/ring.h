/*
 * run/job/dedup/ring.h - what was read last from the files of words, so that it is not read again.
 *
 * A ring of bytes: what is put into it takes the place of what was put there before all else. Few
 * documents keep the text of many, and they are asked for again and again.
 */
#ifndef PARDUP_RUN_DEDUP_RING_H
#define PARDUP_RUN_DEDUP_RING_H

#include <stddef.h>
#include <stdint.h>

/* Where a thing was put. Each thing has one mark; another one with the same mark takes its place. */
struct pd_ring_mark {
    uint64_t thing;
    uint64_t at; /* 1 plus `at` of the ring when it was put there; 0: nothing was */
};

struct pd_ring {
    unsigned char *ring;
    size_t room; /* bytes of the ring */
    uint64_t at; /* bytes put into it so far, and bytes skipped at its end */
    struct pd_ring_mark *marks;
    unsigned log; /* of the number of marks */
};

/* Make an empty ring of `room` bytes, with the marks. */
void pd_ring_open(struct pd_ring *r, size_t room);
void pd_ring_close(struct pd_ring *r);

/* The bytes of a thing, on 8 bytes, valid until the next pd_ring_put(); NULL: not there. */
const unsigned char *pd_ring_find(const struct pd_ring *r, uint64_t thing);

/* Make place for a thing of n bytes, and hand it out to be filled. NULL: the ring is too small. */
unsigned char *pd_ring_put(struct pd_ring *r, uint64_t thing, size_t n);

#endif
