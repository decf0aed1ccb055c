/*
 * passage/pairing.h - sort the dots of one first document by second document.
 *
 * The dots of a first document arrive as fans (base/fan.h), one or more for each class. They are
 * distributed to the second documents in memory that mostly is in the cache. Pairs with too few
 * dots for a passage, which are the majority, are dropped on the way.
 *
 * Order of calls: begin, add each fan, then either end and next for each pair, or block for each
 * block.
 */
#ifndef PARDUP_PASSAGE_PAIRING_H
#define PARDUP_PASSAGE_PAIRING_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/fan.h"
#include "pardup/passage/pair_dots.h"

/* Make an empty pairing, which the caller frees. NULL may be freed. */
struct pd_pairing *pd_pairing_new(void);
void pd_pairing_free(struct pd_pairing *p);

/* Begin with first document a. Fans and pairs of the document before are dropped. */
void pd_pairing_begin(struct pd_pairing *p, pd_doc a);

/* Add a fan of document a, which is copied. */
void pd_pairing_add(struct pd_pairing *p, const struct pd_fan *fan);

/* The bytes of memory that the added fans take, including what pd_pairing_end will add. */
size_t pd_pairing_bytes(const struct pd_pairing *p);

/*
 * Distribute the dots of all fans to their pairs. Pairs in which at most `gamma` units of a match
 * are dropped, unless the documents are equal word for word or share text as brief documents; a
 * unit counts once for each fan that it is in.
 */
void pd_pairing_end(struct pd_pairing *p, uint32_t gamma);

/*
 * The next pair, in order of b, after pd_pairing_end. Its dots are valid until the next call. They
 * come as blocks if some units are not identical, or if units are repeated so often that blocks are
 * much smaller; else as dots. If the documents are equal word for word, there is only the block
 * that says so (pd_block_is_whole). There may be no dots, but only `brief`. False: there are no
 * more pairs.
 */
bool pd_pairing_next(struct pd_pairing *p, struct pd_pair_dots *pair);

/*
 * The next block of dots, of any pair, instead of pd_pairing_end and pd_pairing_next. Valid until
 * the next call. NULL: there are no more.
 */
const struct pd_block *pd_pairing_block(struct pd_pairing *p);

#endif
