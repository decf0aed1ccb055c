/* join/minhash.c - see include/pardup/join/minhash.h */
#include "pardup/join/minhash.h"

#include "pardup/base/hash.h"

/* The seed of an order of keys: they are ordered by pd_mix(key ^ seed). */
static uint64_t order_of(uint32_t table, uint32_t row)
{
    return pd_mix(((uint64_t)table << 32 | row) + 1);
}

uint64_t pd_minhash_bucket(const uint64_t *keys, size_t n, uint32_t table, uint32_t rows)
{
    uint64_t bucket = table;
    for (uint32_t row = 0; row < rows; row++) {
        const uint64_t order = order_of(table, row);
        uint64_t least = UINT64_MAX;
        for (size_t k = 0; k < n; k++) {
            const uint64_t hash = pd_mix(keys[k] ^ order);
            least = hash < least ? hash : least;
        }
        bucket = pd_mix(bucket ^ least) + row;
    }
    return bucket;
}
