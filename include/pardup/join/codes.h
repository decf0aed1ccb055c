/*
 * join/codes.h - a table from signature to code, the byte that orders signatures by frequency
 * (join/similar.h). The table holds the signatures that several representatives have.
 *
 * Signatures are added in ascending order, so the table is an array without gaps; a hash table
 * would take two to four times the memory. An index divides the range of values into steps of equal
 * width. Signatures are hashes, so every step holds about equally many, few enough for a linear
 * search. Most signatures that are looked up are not in the table. For most of them a bit table,
 * addressed by the low bits of a signature, tells so first.
 */
#ifndef PARDUP_JOIN_CODES_H
#define PARDUP_JOIN_CODES_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/record.h"

#define PD_CODES_BYTES 13 /* bytes of memory for each signature of `room` */

/* A zeroed struct is an empty table without room. */
struct pd_codes {
    pd_sig *sigs;    /* n signatures, ascending */
    uint8_t *codes;  /* the code of each */
    uint32_t *index; /* step k holds signatures [index[k], index[k + 1]) */
    uint64_t *bits;  /* mask + 1 bits; bit (sig & mask) is set for each signature */
    uint64_t mask;   /* a power of two minus 1 */
    unsigned shift;  /* the width of a step is 2^shift */
    size_t n;        /* signatures in the table */
    size_t room;     /* signatures that fit into the table */
};

/* Empty the table and give it room for `room` signatures, 0 < room <= UINT32_MAX. */
void pd_codes_begin(struct pd_codes *c, size_t room);

/* Add a signature, larger than all in the table, with its code, which is not 0. */
void pd_codes_push(struct pd_codes *c, pd_sig sig, uint8_t code);

/* Finish the table. Call it after the last push and before the first find. */
void pd_codes_end(struct pd_codes *c);

/*
 * Set codes[k] to the code of sigs[k], 0 <= k < n; to 0 if the signature is not in the table. The
 * function takes many signatures because it prefetches for them; hardly any of the table is in the
 * cache.
 */
void pd_codes_find(const struct pd_codes *c, const pd_sig *sigs, size_t n, uint8_t *codes);

void pd_codes_release(struct pd_codes *c);

#endif
