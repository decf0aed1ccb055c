/* feature/superimposed.c - see include/pardup/feature/superimposed.h */
#include "pardup/feature/superimposed.h"

#include "pardup/base/error.h"
#include "sign.h"

/*
 * Choose `k` different bits of `bits`, all choices equally likely, in exactly k draws: Floyd's
 * method (Bentley, "A Sample of Brilliance", Communications of the ACM 30(9), 1987).
 */
static uint64_t choose_bits(uint64_t seed, unsigned bits, unsigned k)
{
    uint64_t chosen = 0;
    for (unsigned top = bits - k; top < bits; top++) {
        seed = pd_sign_next(seed, PD_SEED_SECOND);
        const uint64_t bit = (uint64_t)1 << pd_hash_range(seed, (int)top + 1);
        chosen |= chosen & bit ? (uint64_t)1 << top : bit;
    }
    return chosen;
}

uint64_t pd_superimposed(const pd_sig *set, size_t n, unsigned bits, unsigned weight)
{
    uint64_t all = 0;
    PD_CHECK(bits >= 1 && bits <= PD_SUPERIMPOSED_MOST_BITS && weight >= 1 && weight <= bits);
    for (size_t k = 0; k < n; k++)
        all |= choose_bits(set[k], bits, weight);
    return all;
}

static double power(double x, unsigned n)
{
    double product = 1;
    while (n-- > 0)
        product *= x;
    return product;
}

/* The greatest k that reaches PD_BIT_SAMPLING_TARGET, see pd_bit_sampling_make. */
static unsigned bits_to_sample(unsigned bits, unsigned diffbit, unsigned tables)
{
    const double same = 1 - (double)diffbit / bits;
    unsigned k = bits;
    while (k > 1 && 1 - power(1 - power(same, k), tables) < PD_BIT_SAMPLING_TARGET)
        k--;
    return k;
}

void pd_bit_sampling_make(struct pd_bit_sampling *s, unsigned bits, unsigned diffbit,
                          unsigned tables)
{
    PD_CHECK(bits >= 1 && bits <= PD_SUPERIMPOSED_MOST_BITS && diffbit <= bits);
    PD_CHECK(tables >= 1 && tables <= PD_BIT_SAMPLING_MOST_TABLES);
    const unsigned k = bits_to_sample(bits, diffbit, tables);
    *s = (struct pd_bit_sampling){.n = tables};
    for (unsigned table = 0; table < tables; table++)
        s->masks[table] = choose_bits(pd_mix(PD_SEED_FIRST + table), bits, k);
}

uint64_t pd_bit_sampling_bucket(const struct pd_bit_sampling *s, unsigned table, uint64_t signature)
{
    return pd_sign_list(PD_SEED_FIRST, (const uint64_t[]){table, signature & s->masks[table]}, 2);
}
