/* base/hash.c - see include/pardup/base/hash.h */
#include "pardup/base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t pd_hash_bytes(const void *bytes, size_t n) { return XXH3_64bits(bytes, n); }
