/*
 * feature_values.h - how the features of a page and of its blocks (page_features.h) are put.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_FEATURE_VALUES_H
#define PARDUP_DOCUMENT_FEATURE_VALUES_H

#include "outline.h"

enum { PD_FEATURE_MOST = INT16_MAX };

static inline int16_t cap(uint64_t n) { return n < PD_FEATURE_MOST ? (int16_t)n : PD_FEATURE_MOST; }

/* part of all, out of 255. */
static inline int16_t share(uint64_t part, uint64_t all) { return all ? cap(255 * part / all) : 0; }

static inline bool is_heading(unsigned tag) { return tag >= PD_TAG_H1 && tag <= PD_TAG_H6; }

/* Set the bits of `set`, n features from `features` on, one for each bit. */
static inline void put_bits(uint64_t set, unsigned n, int16_t *features)
{
    for (unsigned k = 0; k < n; k++)
        features[k] = set >> k & 1;
}

/* The element whose children hold most prose. */
uint32_t pd_feature_best(const struct pd_outline *outline);

#endif
