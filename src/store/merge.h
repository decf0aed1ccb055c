/*
 * store/merge.h - merge the sorted runs of a packed file while they are read.
 *
 * Source: Knuth, The Art of Computer Programming, volume 3, section 5.4.1: a tree of losers.
 */
#ifndef PARDUP_STORE_MERGE_H
#define PARDUP_STORE_MERGE_H

#include "pardup/store/packed.h"

/* Size and key of records: the members of the same names in struct pd_sorting. */
struct pd_shape {
    size_t size;
    unsigned key_at, keys;
};

/* Bytes of a record. */
static inline size_t pd_shape_size(const struct pd_shape *shape, const void *rec)
{
    uint32_t size;
    if (shape->size)
        return shape->size;
    memcpy(&size, rec, sizeof size);
    return size;
}

/* A sorted run: blocks [from, to) of the file. */
struct pd_sorted_run {
    uint32_t from, to;
};
PD_VEC(pd_sorted_runs, struct pd_sorted_run);

struct pd_merge;

/*
 * Begin to merge n > 0 runs, each of at least one block. One block of each run is in memory.
 *   f         the file of the runs, borrowed until the merge is freed
 *   runs      copied
 *   longest   bytes of the longest block
 * The caller frees the merge. Returns NULL after pd_fail() with PD_EIO or PD_EFORMAT.
 */
struct pd_merge *pd_merge_new(struct pd_packed *f, const struct pd_sorted_run *runs, size_t n,
                              const struct pd_shape *shape, size_t longest);

/*
 * Replace the contents of `to` by the next records in order: `most` bytes of them at most, or one
 * longer record. Returns PD_OK, PD_END (no more records), PD_EIO or PD_EFORMAT.
 */
int pd_merge_next(struct pd_merge *m, size_t most, struct pd_bytes *to);

/* Free the merge; m may be NULL. */
void pd_merge_free(struct pd_merge *m);

#endif
