/* passage/edges.h - how far the words beyond an end of a passage agree. */
#ifndef PARDUP_PASSAGE_EDGES_H
#define PARDUP_PASSAGE_EDGES_H

#include <stdint.h>

#define PD_EDGE_WORDS 1024 /* most words by which an end of a passage grows */

/* A word beyond an end of a passage, and the byte where the passage would end if it had the word. */
struct pd_edge_word {
    uint64_t term, bound;
};

/* The edge words at one end of a passage in one document, from the passage outward. */
struct pd_beyond {
    const struct pd_edge_word *v; /* n words; borrowed */
    uint32_t n;                   /* words known, at most PD_EDGE_WORDS */
    uint32_t near;                /* words of the unit next to the passage, known or not */
};

/*
 * The number of words by which a passage grows at one end. It grows while both documents have
 * another word, the two words are equal, and one of them is still in the unit next to the passage.
 * If passages grew beyond that unit, two passages around a common unit would swallow each other.
 * `--edges far` goes beyond: it says that all known words are near, and passage/inner.h removes
 * passages that then lie inside others.
 */
uint32_t pd_edges_agree(const struct pd_beyond *a, const struct pd_beyond *b);

#endif
