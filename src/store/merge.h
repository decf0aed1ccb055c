/*
 * store/merge.h - sorted runs in a packed file, read as one.
 *
 * By a tree of losers: Knuth, The Art of Computer Programming, volume 3, section 5.4.1.
 */
#ifndef PARDUP_STORE_MERGE_H
#define PARDUP_STORE_MERGE_H

#include "pardup/store/packed.h"

/* What records look like: see struct pd_sorting. */
struct pd_shape {
    size_t size;
    unsigned key_at, keys;
};

static inline size_t pd_shape_size(const struct pd_shape *shape, const void *rec)
{
    uint32_t size;
    if (shape->size)
        return shape->size;
    memcpy(&size, rec, sizeof size);
    return size;
}

/* A sorted run: blocks [from, to). */
struct pd_run {
    uint32_t from, to;
};
PD_VEC(pd_runs, struct pd_run);

struct pd_merge;

/*
 * Of n > 0 runs that are not empty; f must stay open. One block of each is held, of `longest` bytes
 * at most. NULL: pd_fail.
 */
struct pd_merge *pd_merge_new(struct pd_packed *f, const struct pd_run *runs, size_t n,
                              const struct pd_shape *shape, size_t longest);

/*
 * The next records, in order, in place of what `to` holds: up to `most` bytes of them, or one that
 * is longer. PD_OK, PD_END (nothing is left), PD_EIO, PD_EFORMAT.
 */
int pd_merge_next(struct pd_merge *m, size_t most, struct pd_bytes *to);

void pd_merge_free(struct pd_merge *m); /* m may be NULL */

#endif
