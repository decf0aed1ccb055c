/*
 * index/place_list.h - the places of a name with many places, as a list of differences.
 *
 * A list says how many places it has, then a parameter k, then for each place how far it is behind
 * the place before, less 1, as a Rice code (rice.h). Lists begin at any bit.
 */
#ifndef PARDUP_INDEX_PLACE_LIST_H
#define PARDUP_INDEX_PLACE_LIST_H

#include "pardup/index/segment.h"

enum {
    PD_LIST_LEAST = 16, /* places of a list, at least; a list costs the bits of two slots */
    PD_LIST_K_BITS = 6  /* of k, and the k of the number of places */
};

/* Can the places be a list? They must be PD_LIST_LEAST at least, and ascend. */
bool pd_place_list_fits(const uint64_t *places, size_t n);

/* Takes n bits, at most 57, of a list that is written. PD_OK or PD_EIO. */
typedef int pd_place_list_put(void *ctx, uint64_t bits, unsigned n);

/* Write a list. */
int pd_place_list_write(const uint64_t *places, size_t n, pd_place_list_put *put_bits, void *ctx);

/* Begin to read list number `list` of a segment. PD_OK or PD_EFORMAT. */
int pd_place_list_begin(struct pd_places *p, uint64_t list);

/* The next place of a list that has some left. PD_OK or PD_EFORMAT. */
int pd_place_list_next(struct pd_places *p, uint64_t *place);

#endif
