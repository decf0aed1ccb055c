/*
 * run/align/slicing.h - where a collection is cut into slices that fit.
 *
 * Bins are ranges of documents, each with its bytes; a slice is one bin or more.
 */
#ifndef PARDUP_RUN_SLICING_H
#define PARDUP_RUN_SLICING_H

#include <stddef.h>
#include <stdint.h>

/* The end of the slice that begins with bin `begin` < n: it has `most` bytes at most, or is a single bin. *bytes: its. */
size_t pd_slice_end(const uint64_t *bins, size_t n, size_t begin, uint64_t most, uint64_t *bytes);

/*
 * What `most` should be where slices of `fits` bytes fit, never more than that: it makes no more slices, and none
 * has more than an equal share and a bin. So the memory that the largest needs is about what each needs.
 */
uint64_t pd_slice_even(const uint64_t *bins, size_t n, uint64_t fits);

#endif
