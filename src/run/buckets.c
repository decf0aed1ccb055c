/* run/buckets.c - see src/run/buckets.h */
#include "run/buckets.h"

#include "pardup/join/minhash.h"
#include "pardup/join/similarity.h"

void pd_buckets_make(struct pd_buckets *b, const struct pd_method_options *method)
{
    b->method = method;
    pd_bit_sampling_make(&b->sampling, (unsigned)method->bits, (unsigned)method->diffbit,
                         (unsigned)method->tables);
}

/* The bits that bit sampling samples. */
static uint64_t superimposed(const struct pd_buckets *b, const pd_sig *v, size_t n)
{
    return pd_superimposed(v, n, (unsigned)b->method->bits, (unsigned)b->method->word_bits);
}

bool pd_buckets_share(const struct pd_buckets *b, const pd_sig *v, size_t n, const pd_sig *w,
                      size_t m)
{
    const unsigned tables = (unsigned)b->method->tables;
    const uint32_t rows = (uint32_t)b->method->rows;
    if (n > PD_SET_MOST || m > PD_SET_MOST)
        return true;
    if (b->method->sketch == PD_SKETCH_MINHASH) {
        for (unsigned t = 0; t < tables; t++)
            if (pd_minhash_bucket(v, n, t, rows) == pd_minhash_bucket(w, m, t, rows))
                return true;
        return false;
    }
    const uint64_t differ = superimposed(b, v, n) ^ superimposed(b, w, m);
    for (unsigned t = 0; t < tables; t++)
        if (!(differ & b->sampling.masks[t]))
            return true;
    return false;
}
