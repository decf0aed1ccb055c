/* passage/best_lines.h - the dots of a document pair, line by line. */
#ifndef PARDUP_PASSAGE_BEST_LINES_H
#define PARDUP_PASSAGE_BEST_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/record.h"

/*
 * A reader of dot lines. A line is one unit of a with the units of b that it matches. The dots come
 * from an ascending list of dots, or from blocks. A zeroed struct is empty; release it in the end.
 */
struct pd_dot_lines {
    const uint64_t *dots; /* pd_ij(i, j), ascending; NULL: the dots come from blocks */
    size_t ndots;
    const struct pd_block *const *blocks;
    struct pd_u64s entries; /* pd_ij(unit of a, block), ascending */
    size_t at;              /* the next dot or entry */
    uint32_t i;             /* the current line: its unit of a */
    struct pd_u64s line;    /* pd_ij(unit of b, weight), ascending, each unit once */
};

/* The weight of an identical dot; that of a similar dot is in proportion, rounded down, not 0. */
enum { PD_DOT_WEIGHT = 1024 };
static inline uint32_t pd_dot_weight(double similarity)
{
    const uint32_t weight = (uint32_t)(similarity * PD_DOT_WEIGHT);
    return weight ? weight : 1;
}

/* Begin with a pair. Its dots or its n blocks are borrowed. */
void pd_dot_lines_of_dots(struct pd_dot_lines *l, const uint64_t *dots, size_t n);
void pd_dot_lines_of_blocks(struct pd_dot_lines *l, const struct pd_block *const *blocks, size_t n);

/* Begin again with the first line of the same pair. */
static inline void pd_dot_lines_again(struct pd_dot_lines *l) { l->at = 0; }

/* Read the next line. False: there is none. */
bool pd_dot_lines_next(struct pd_dot_lines *l);

/* The similarity of a dot of the pair. O(log dots), and O(blocks that have unit i). */
double pd_dot_lines_similarity(const struct pd_dot_lines *l, uint32_t i, uint32_t j);

void pd_dot_lines_release(struct pd_dot_lines *l);

#endif
