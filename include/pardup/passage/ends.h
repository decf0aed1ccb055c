/*
 * passage/ends.h - the words around a passage in one of its documents, and how the ends of the
 * passage move outward over them.
 *
 * A word is given by its index in the document. Nothing here looks at the word itself. A caller
 * first finds out which words are needed, and decodes no others.
 */
#ifndef PARDUP_PASSAGE_ENDS_H
#define PARDUP_PASSAGE_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/record.h"
#include "pardup/base/unit.h"

/* Words [word, end) of a document that are set aside; `before`: words set aside before them. */
struct pd_aside_run {
    uint32_t word, end, before;
};
PD_VEC(pd_aside_runs, struct pd_aside_run); /* in order; no two touch */

/* Set words [word, end) aside, behind all runs so far. */
void pd_aside_add(struct pd_aside_runs *runs, uint32_t word, uint32_t end);

/* How many words before this one are own words: not set aside. O(log runs). */
uint32_t pd_own_words(const struct pd_aside_runs *runs, uint32_t word);

PD_VEC(pd_single_counts, uint32_t);

/*
 * Set counts->v[k], for each k up to the number of own words, to how many of the first k own words
 * of a document are single characters.
 *   tokens   the nwords words of the document
 *   singles  whether the word of each number is a single character
 */
void pd_own_singles(const struct pd_aside_runs *runs, const struct pd_token *tokens,
                    uint32_t nwords, const unsigned char *singles, struct pd_single_counts *counts);

/* The edge words of a document beyond one end of a passage. */
struct pd_edge_side {
    uint32_t nearest; /* index of the word next to the passage, if n > 0 */
    uint32_t n;    /* words from `nearest` to text that is set aside, or the end of the document */
    uint32_t near; /* words of the unit next to the passage, outside it; with far edges, n */
};

/* A passage in one of its documents: its words, and the words on both sides. */
struct pd_ends {
    struct pd_edge_side back, ahead; /* the words before the passage; the words behind it */
    uint32_t inside;                 /* the number of words in the passage */
    uint64_t own; /* own words before the passage, and up to its end: two 32-bit numbers */
};

/* The direction in which the words of a side are counted, away from the passage. */
enum pd_direction { PD_BACK = -1, PD_AHEAD = 1 };

/*
 * The words around units [start, start + length) of a document, length > 0.
 *   units   all units of the document
 *   nwords  words of the document
 *   asides  the words that are set aside; none of them becomes an edge word
 *   far     true: all words of the document are near; false: only words of the neighbouring units
 */
struct pd_ends pd_ends_of(const struct pd_sentences *units, uint32_t nwords,
                          const struct pd_aside_runs *asides, uint32_t start, uint32_t length,
                          bool far);

/* Index of the k-th word of a side, the nearest first. */
static inline uint32_t pd_edge_word(const struct pd_edge_side *side, enum pd_direction direction,
                                    uint32_t k)
{
    return direction == PD_BACK ? side->nearest - k : side->nearest + k;
}

/*
 * The number of words of a side that a comparison may need, at most PD_EDGE_WORDS
 * (passage/edges.h).
 *   near_other  `near` of the same side in the other document; if it is 0, no word is needed
 */
uint32_t pd_edge_compared(const struct pd_edge_side *side, uint32_t near_other);

/* The bytes of units [start, start + length) of a document: begin and end, as in struct pd_row. */
uint64_t pd_units_bytes(const struct pd_sentences *units, uint32_t start, uint32_t length);

#endif
