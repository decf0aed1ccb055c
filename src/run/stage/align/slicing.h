/*
 * run/stage/align/slicing.h - where the first documents of a job are cut into slices that fit in
 * memory.
 *
 * A bin is a range of documents and has a number of bytes. A slice is one bin or several.
 */
#ifndef PARDUP_RUN_SLICING_H
#define PARDUP_RUN_SLICING_H

#include <stddef.h>
#include <stdint.h>

/*
 * The end of the slice that begins with bin `begin` < n. The slice is the longest range of bins
 * with at most `most` bytes, or a single larger bin.
 *   bins   bytes of each of the n bins
 *   bytes  set to the bytes of the slice
 */
size_t pd_slice_end(const uint64_t *bins, size_t n, size_t begin, uint64_t most, uint64_t *bytes);

/*
 * The value of `most` that makes slices even, if slices of `fits` bytes fit in memory. It is never
 * more than `fits`, and makes no more slices than `fits` would. No slice has more bytes than an
 * equal share and one bin, so all slices need about the same memory.
 */
uint64_t pd_slice_even(const uint64_t *bins, size_t n, uint64_t fits);

/*
 * The bytes of the next slice, from `least` to `most`. Its replies may take `room` bytes, and are
 * taken to grow with the slice as they did in the slice before.
 *   bytes, replies  bytes of the slice before, and of its replies
 */
uint64_t pd_slice_next(uint64_t bytes, uint64_t replies, uint64_t room, uint64_t least,
                       uint64_t most);

#endif
