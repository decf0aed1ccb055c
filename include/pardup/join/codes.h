/*
 * join/codes.h - the codes of signatures that several representatives have: a table from signature
 * to the byte that orders it (join/similar.h).
 *
 * Signatures come in order, so the table is an array without gaps (a hash table takes two to four
 * times the memory) and an index into it by value: signatures are hashes, so steps of equal width
 * hold about equally many, and are searched one by one. Where most of what is looked for is not there,
 * one bit a signature, by its last bits, tells so.
 */
#ifndef PARDUP_JOIN_CODES_H
#define PARDUP_JOIN_CODES_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/record.h"

#define PD_CODES_BYTES 13 /* memory for each signature there is room for */

/* Zeroed is empty, without room. */
struct pd_codes {
    pd_sig *sigs; /* ascending */
    uint8_t *codes;
    uint32_t *index; /* step k is of signatures [index[k], index[k + 1]) */
    uint64_t *bits;  /* [mask + 1] bits, those of signatures set */
    uint64_t mask;
    unsigned shift; /* a step's width is 2 to this */
    size_t n, room;
};

/* Make it empty, with room for `room` signatures, 0 < room <= UINT32_MAX. */
void pd_codes_begin(struct pd_codes *c, size_t room);

/* Add a signature above all there are, and its code, not 0. Then, before any is looked for: */
void pd_codes_push(struct pd_codes *c, pd_sig sig, uint8_t code);
void pd_codes_end(struct pd_codes *c);

/*
 * codes[k]: that of sigs[k]; 0: it was not added. Many at a time: all that is looked at is fetched
 * ahead, as hardly any of it is in the cache.
 */
void pd_codes_find(const struct pd_codes *c, const pd_sig *sigs, size_t n, uint8_t *codes);

void pd_codes_release(struct pd_codes *c);

#endif
