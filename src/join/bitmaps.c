/* join/bitmaps.c - see include/pardup/join/bitmaps.h */
#include "pardup/join/bitmaps.h"

#include <stdbool.h>

#include "pardup/base/minmax.h"

#if defined(__x86_64__)
#define POPCNT __attribute__((target("popcnt")))
static bool has_popcnt(void) { return __builtin_cpu_supports("popcnt"); }
#else
#define POPCNT
static bool has_popcnt(void) { return false; }
#endif

struct pd_bitmap pd_bitmap_of(const uint64_t *keys, uint32_t rest, uint32_t nset)
{
    struct pd_bitmap b = {.nset = nset, .rest = rest, .hidden = rest};
    for (uint32_t k = 0; k < rest; k++) {
        const unsigned bit = keys[k] % (64 * PD_BITMAP_U64S);
        b.bits[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    for (int w = 0; w < PD_BITMAP_U64S; w++)
        b.hidden -= (uint32_t)__builtin_popcountll(b.bits[w]);
    return b;
}

void pd_bitmap_fold(const struct pd_bitmap *b, uint64_t *bits)
{
    for (int w = 0; w < PD_NOTICE_BITS / 64; w++)
        bits[w] = 0;
    for (int w = 0; w < PD_BITMAP_U64S; w++)
        bits[w % (PD_NOTICE_BITS / 64)] |= b->bits[w];
}

struct pd_bitmap pd_bitmap_unfold(const uint64_t *bits, uint32_t rest, uint32_t nset)
{
    struct pd_bitmap b = {.nset = nset, .rest = rest, .hidden = rest};
    for (int w = 0; w < PD_NOTICE_BITS / 64; w++) {
        b.bits[w] = bits[w];
        b.hidden -= (uint32_t)__builtin_popcountll(bits[w]);
    }
    return b;
}

/* The number of keys that two sets can have in common behind the meeting, by their bitmaps. */
static inline __attribute__((always_inline)) uint32_t
most_common(const struct pd_bitmap *p, const struct pd_bitmap *q, int u64s)
{
    uint32_t both = 0;
    for (int w = 0; w < u64s; w++)
        both += (uint32_t)__builtin_popcountll(p->bits[w] & q->bits[w]);
    return both + pd_min_u32(p->hidden, q->hidden);
}

static inline __attribute__((always_inline)) size_t pass(const struct pd_bitmap_list *list,
                                                         size_t from, size_t k, uint32_t *kept,
                                                         uint64_t *sized, int u64s)
{
    const struct pd_bitmap p = list->v[k];
    uint64_t nsized = 0;
    size_t n = 0;
    for (size_t i = from; i < k; i++) {
        const struct pd_bitmap *q = &list->v[i];
        const uint32_t needed = list->least[q->nset * list->step];
        const bool by_size = list->depth + pd_min_u32(p.rest, q->rest) >= needed;
        const bool by_bits = list->depth + most_common(&p, q, u64s) >= needed;
        kept[n] = (uint32_t)i;
        n += by_size && by_bits;
        nsized += by_size;
    }
    *sized += nsized;
    return n;
}

POPCNT static size_t pass_popcnt(const struct pd_bitmap_list *list, size_t from, size_t k,
                                 uint32_t *kept, uint64_t *sized)
{
    return list->folded ? pass(list, from, k, kept, sized, PD_NOTICE_BITS / 64)
                        : pass(list, from, k, kept, sized, PD_BITMAP_U64S);
}

size_t pd_bitmaps_pass(const struct pd_bitmap_list *list, size_t from, size_t k, uint32_t *kept,
                       uint64_t *sized)
{
    return has_popcnt() ? pass_popcnt(list, from, k, kept, sized)
                        : pass(list, from, k, kept, sized, PD_BITMAP_U64S);
}
