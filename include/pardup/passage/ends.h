/*
 * passage/ends.h - the words around a passage in one of its documents, and how its ends move out over them.
 *
 * Words are known by their index in the document. Nothing here looks at a word itself, so that a caller can find out
 * first which words matter and decode only them.
 */
#ifndef PARDUP_PASSAGE_ENDS_H
#define PARDUP_PASSAGE_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/record.h"
#include "pardup/base/row.h"
#include "pardup/base/unit.h"

/* The words beyond one end of a passage. */
struct pd_edge_side {
    uint32_t nearest; /* index of the word next to the passage, if n > 0 */
    uint32_t n;       /* words from there to the beginning (the end) of the document */
    uint32_t near;    /* words of the neighbouring unit; with far edges all n */
};

struct pd_ends {
    struct pd_edge_side back, ahead; /* before the passage, behind it */
    uint32_t inside;                 /* words of the passage */
};

/* Which way the words of a side are counted. */
enum pd_direction { PD_BACK = -1, PD_AHEAD = 1 };

/*
 * The words around units [start, start + length) of a document.
 *   units   its units, length > 0 and the range lies within them
 *   nwords  words of the document
 *   far     do all words of the document matter, or only the words of the neighbouring units?
 */
struct pd_ends pd_ends_of(const struct pd_sentences *units, uint32_t nwords, uint32_t start,
                          uint32_t length, bool far);

/* Index of the k-th word of a side, the nearest first. */
static inline uint32_t pd_edge_word(const struct pd_edge_side *side, enum pd_direction direction,
                                    uint32_t k)
{
    return direction == PD_BACK ? side->nearest - k : side->nearest + k;
}

/*
 * The number of words of a side that a comparison can look at, when the words of the neighbouring unit of the other
 * document are `near_other`. At most PD_EDGE_WORDS (passage/edges.h); 0: it looks at none.
 */
uint32_t pd_edge_compared(const struct pd_edge_side *side, uint32_t near_other);

/* The bytes of units [start, start + length) of a document: begin and end, as in struct pd_row. */
uint64_t pd_units_bytes(const struct pd_sentences *units, uint32_t start, uint32_t length);

/* The bytes of a passage whose begin or end moves out to byte `bound`. */
static inline uint64_t pd_bytes_moved(uint64_t bytes, enum pd_direction direction, uint32_t bound)
{
    return direction == PD_BACK ? pd_ij(bound, (uint32_t)bytes)
                                : pd_ij((uint32_t)(bytes >> 32), bound);
}

#endif
