/* base/buckets.c - see include/pardup/base/buckets.h */
#include "pardup/base/buckets.h"

struct pd_buckets *pd_buckets_new(void)
{
    struct pd_buckets *b = pd_realloc(NULL, 1, sizeof *b);
    memset(b, 0, sizeof *b);
    return b;
}

void pd_buckets_free(struct pd_buckets *b)
{
    if (!b)
        return;
    for (size_t k = 0; k < PD_BUCKETS; k++)
        pd_bytes_release(&b->v[k]);
    free(b);
}
