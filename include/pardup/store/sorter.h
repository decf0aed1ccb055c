/*
 * store/sorter.h - records in order, however many: in memory, or in sorted runs on disk.
 *
 * Records are pushed in any order and come back sorted by their key. Up to a given number of bytes
 * they stay in memory; beyond it sorted runs go to one scratch file (store/packed.h) and are merged
 * as they are read. What comes back does not depend on which of the two happened.
 */
#ifndef PARDUP_STORE_SORTER_H
#define PARDUP_STORE_SORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/error.h"

#define PD_SORTER_LEAST                                                                            \
    ((size_t)2 << 20) /* bytes of memory a sorter that spills needs in any case */

struct pd_sorter;

/*
 * Memory of sorters and spools, for those that are lent it, one after another or at a time: what has been read of one is filled
 * by another, so no new pages need be touched. Begin with a zeroed one.
 */
enum { PD_PAGE_SIZES = 6 };
struct pd_spare {
    void *pages[PD_PAGE_SIZES]; /* free ones, by size */
    struct pd_slab *slabs;
    size_t held;
    size_t used; /* bytes of all slabs; of the newest, that have been cut to pages */
};

/* After the sorters that it is lent to. It is empty then. */
void pd_spare_release(struct pd_spare *s);

struct pd_sorting {
    size_t size; /* bytes of a record, 8 | size; 0: each begins with its own, a uint32_t */
    unsigned key_at, keys; /* the key: 64-bit words [key_at, key_at + keys) of a record, unsigned */
    /*
     * Bytes to use in all, buffers of merging included; half of it holds records. With less than
     * PD_SORTER_LEAST, or than 16 times the longest record, that much is used all the same.
     */
    size_t memory;
    const char *path; /* of the scratch file, made only when it is needed; copied */
    /*
     * Optional: a part in [0, npartitions) that never decreases with the key, to spread records evenly
     * (hashed keys: their high bits). Only speed depends on it.
     */
    uint32_t (*partition)(const void *rec, uint32_t npartitions, void *ctx);
    void *ctx;
    /*
     * Of records of one size: one whose first key word, a hash, no other has is of no use, and may be
     * missing among those that come back. Most are, as long as all is in memory.
     */
    bool lone_useless;
    struct pd_spare *spare; /* optional, borrowed: where memory is taken from, and given back */
};

struct pd_sorter *pd_sorter_new(const struct pd_sorting *how);

/* Whole records, `bytes` in all. PD_OK or PD_EIO (the disk is full ...). */
int pd_sorter_push(struct pd_sorter *s, const void *recs, size_t bytes);

/* No more will be pushed. PD_OK or PD_EIO; after a failure there is only pd_sorter_free(). */
int pd_sorter_finish(struct pd_sorter *s);

/*
 * The next records in order of key, whole ones, n > 0 bytes in one stretch; those of equal keys
 * come in any order and may be parted by a stretch's end. They are the sorter's and live until the
 * next call; after one that failed there is only pd_sorter_free(). PD_OK; PD_END: no more
 * (*n is 0); PD_EIO, PD_EFORMAT: the scratch file cannot be read back.
 */
int pd_sorter_next(struct pd_sorter *s, const unsigned char **recs, size_t *n);

uint64_t pd_sorter_bytes(const struct pd_sorter *s);   /* pushed so far */
uint64_t pd_sorter_spilled(const struct pd_sorter *s); /* bytes written to disk so far */

/* Free, and remove the scratch file. s may be NULL. */
void pd_sorter_free(struct pd_sorter *s);

/* The records of a finished sorter, one after the other. Begin with `from` alone set. */
struct pd_ordered {
    struct pd_sorter *from;    /* borrowed */
    const unsigned char *recs; /* the stretch at hand ... */
    size_t n;
    size_t at; /* ... its bytes, and how many of them have been read */
};

/*
 * The next record, which stays the next one until the caller moves on by adding its size to o->at.
 * Borrowed until then. PD_OK; PD_END (*rec is NULL), also when asked again; PD_EIO, PD_EFORMAT.
 */
static inline int pd_ordered_look(struct pd_ordered *o, const void **rec)
{
    *rec = NULL;
    if (o->at == o->n) {
        o->at = o->n = 0;
        PD_TRY(pd_sorter_next(o->from, &o->recs, &o->n));
        if (o->n == 0)
            return PD_END;
    }
    *rec = o->recs + o->at;
    return PD_OK;
}

#endif
