/*
 * passage/edges.h - how far the words beyond a passage agree.
 */
#ifndef PARDUP_PASSAGE_EDGES_H
#define PARDUP_PASSAGE_EDGES_H

#include <stdint.h>

#define PD_EDGE_WORDS 1024 /* no end is extended by more words than this */

/* The words outward from one end of a passage in one document, nearest first. */
struct pd_beyond {
    const uint64_t *terms;
    uint32_t n;    /* words known, at most PD_EDGE_WORDS */
    uint32_t near; /* words of the neighbouring sentence, known or not */
};

/*
 * The number of words by which the passage grows at this end: while both documents have a word,
 * the words agree, and at least one of the two is still in its neighbouring sentence. (Not beyond:
 * else two passages around a common sentence would swallow each other. `--edges far` goes beyond,
 * with all words known as near, and passage/inner.h clears up behind it.)
 */
uint32_t pd_edges_agree(const struct pd_beyond *a, const struct pd_beyond *b);

#endif
