/*
 * join/codes.h - the codes of signatures that several representatives have: a table from signature
 * to the byte that orders it (join/similar.h).
 */
#ifndef PARDUP_JOIN_CODES_H
#define PARDUP_JOIN_CODES_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/record.h"

/* Open addressing; zeroed is empty. 9 bytes a slot, at most half of them used. */
struct pd_codes {
    pd_sig *sigs;
    uint8_t *codes; /* 0: free */
    size_t n, nslots;
};

/* Make room for `n` signatures in all. */
void pd_codes_reserve(struct pd_codes *c, size_t n);

/* Set the code, not 0, of a signature that has none yet. Room must have been made. */
void pd_codes_add(struct pd_codes *c, pd_sig sig, uint8_t code);

/* Its code; 0: it was not added. */
static inline uint8_t pd_codes_find(const struct pd_codes *c, pd_sig sig)
{
    if (c->nslots == 0)
        return 0;
    size_t at = sig & (c->nslots - 1);
    while (c->codes[at] && c->sigs[at] != sig)
        at = (at + 1) & (c->nslots - 1);
    return c->codes[at];
}

void pd_codes_release(struct pd_codes *c);

#endif
