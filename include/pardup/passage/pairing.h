/*
 * passage/pairing.h - all dots of one document, to those of each pair that it comes first in.
 *
 * A document's dots come as fans (base/fan.h), one or more a class; they are dealt to the other
 * documents inside the cache. Most pairs have too few for a passage: those go no further.
 */
#ifndef PARDUP_PASSAGE_PAIRING_H
#define PARDUP_PASSAGE_PAIRING_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/fan.h"

struct pd_pairing *pd_pairing_new(void);
void pd_pairing_free(struct pd_pairing *p);

/* Begin with the fans of document a: what was there is forgotten. */
void pd_pairing_begin(struct pd_pairing *p, pd_doc a);

/* A fan of a, copied. */
void pd_pairing_add(struct pd_pairing *p, const struct pd_fan *fan);

/* Bytes of memory that the fans added take, until the end. */
size_t pd_pairing_bytes(const struct pd_pairing *p);

/* No more fans; pairs with at most `gamma` sentences of a are left out. */
void pd_pairing_end(struct pd_pairing *p, uint32_t gamma);

/* The dots of a pair, borrowed until the next call. */
struct pd_pairing_pair {
    pd_doc a, b;
    const uint64_t *dots; /* of identical sentences: pd_ij(i, j), ascending; or NULL: ... */
    const struct pd_block *const *blocks;
    size_t n; /* dots, or blocks */
};

/* The next pair, in order of b. False: there are no more. */
bool pd_pairing_next(struct pd_pairing *p, struct pd_pairing_pair *pair);

/* Instead of these: the next block, of any pair, borrowed until the next call. NULL: no more. */
const struct pd_block *pd_pairing_block(struct pd_pairing *p);

#endif
