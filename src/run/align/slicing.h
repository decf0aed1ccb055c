/*
 * run/align/slicing.h - where a collection is cut into slices that fit.
 *
 * A bin is a range of documents and has a number of bytes. A slice is one bin or several.
 */
#ifndef PARDUP_RUN_SLICING_H
#define PARDUP_RUN_SLICING_H

#include <stddef.h>
#include <stdint.h>

/*
 * The end of the slice that begins with bin `begin` < n: bins [begin, end) have `most` bytes at most, or are a single bin.
 * *bytes: their bytes.
 */
size_t pd_slice_end(const uint64_t *bins, size_t n, size_t begin, uint64_t most, uint64_t *bytes);

/*
 * The value of `most` that makes slices even, where slices of `fits` bytes fit; never more than `fits`. It makes no more
 * slices than `fits` would. No slice has more than an equal share and one bin, so all slices need about the same memory.
 */
uint64_t pd_slice_even(const uint64_t *bins, size_t n, uint64_t fits);

#endif
