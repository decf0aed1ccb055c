/*
 * passage/literal.h - passages of words that two stretches share in the same order.
 *
 * Dots are runs of PD_LITERAL_RUN words that are equal in both stretches; passage/best.h makes
 * passages of them. A run that stands more often in b than PD_LITERAL_REPEATS times is matched with
 * the first of them.
 */
#ifndef PARDUP_PASSAGE_LITERAL_H
#define PARDUP_PASSAGE_LITERAL_H

#include <stdint.h>

#include "pardup/base/record.h"

enum { PD_LITERAL_RUN = 5, PD_LITERAL_REPEATS = 16 };

/* Words of a document, as numbers that are equal where the words are; borrowed. */
struct pd_literal_words {
    const uint32_t *v;
    const uint32_t *shared_before; /* n + 1 counts: words before v[k], from some word on, without
                                      words that the other stretch cannot have */
    uint32_t n;
};

/* Buffers that are reused. NULL may be freed. */
struct pd_literal *pd_literal_new(void);
void pd_literal_free(struct pd_literal *l);

/*
 * Find the passages of two stretches. Returns them, in order of (start_a, start_b), valid until the
 * next call: places count words from the begin of each stretch. Passages do not overlap. Time: as
 * pd_best_find(), with PD_LITERAL_REPEATS dots a word.
 */
const struct pd_passages *pd_literal_find(struct pd_literal *l, struct pd_literal_words a,
                                          struct pd_literal_words b);

#endif
