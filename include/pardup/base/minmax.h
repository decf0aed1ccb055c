/* base/minmax.h - the smaller and the larger of two numbers. */
#ifndef PARDUP_BASE_MINMAX_H
#define PARDUP_BASE_MINMAX_H

#include <stddef.h>
#include <stdint.h>

static inline size_t pd_min_size(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t pd_max_size(size_t a, size_t b) { return a > b ? a : b; }
static inline uint64_t pd_min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t pd_max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }
static inline uint32_t pd_min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t pd_max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }

#endif
