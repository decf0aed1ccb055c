/*
 * store/sorter.h - sort any number of records, in memory or with sorted runs on disk.
 *
 * Records are pushed in any order and come back sorted by their key. They stay in memory up to a
 * given number of bytes. Beyond it the sorter spills: sorted runs go to one scratch file
 * (store/packed.h) and are merged while they are read. The caller sees no difference, except with
 * `lone_useless`.
 */
#ifndef PARDUP_STORE_SORTER_H
#define PARDUP_STORE_SORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/error.h"

/* Bytes of memory: a sorter that spills uses at least about this much. */
#define PD_SORTER_LEAST ((size_t)2 << 20)

struct pd_sorter;

/*
 * Memory that several sorters and spools share, at the same time or one after another. What one has
 * read is given back at once and filled by another, so that fewer pages are touched. A zeroed
 * struct is empty. One thread only.
 */
enum { PD_PAGE_SIZES = 6 }; /* sizes of pages: see store/spare.h */
struct pd_spare {
    void *pages[PD_PAGE_SIZES]; /* per size: list of free pages */
    struct pd_slab *slabs;      /* list of slabs, the newest first */
    size_t held;                /* bytes of all slabs */
    size_t used;                /* bytes of the newest slab that have been cut into pages */
};

/* Free all slabs, after all sorters and spools that use the memory are freed. */
void pd_spare_release(struct pd_spare *s);

/* What a sorter sorts, and with what. */
struct pd_sorting {
    /* bytes of a record, a multiple of 8; 0: a record begins with its size, a uint32_t */
    size_t size;
    unsigned key_at, keys; /* the key: u64s [key_at, key_at + keys) of a record, unsigned */
    /*
     * Bytes of memory for records, sorting and merging; about half of it holds records. If it is
     * less than PD_SORTER_LEAST or than 16 times the longest record, a sorter that spills uses
     * more.
     */
    size_t memory;
    const char *path; /* path of the scratch file, which is made when it is needed; copied */
    /*
     * Optional: the partition of a record, in [0, npartitions). It must not decrease when the key
     * increases, and should spread records evenly: for hashed keys it is their high bits. Only
     * speed depends on it.
     */
    uint32_t (*partition)(const void *rec, uint32_t npartitions, void *ctx);
    void *ctx; /* the context of `partition` */
    /*
     * In place of `partition`: the first key u64 times this, modulo 2^64, is spread over all u64s
     * and ascends with the key. 0: it is not.
     */
    uint64_t spread;
    /*
     * The caller does not need a lone record: a record whose first key u64, a hash, no other record
     * has. The sorter may leave out lone records, and leaves out most of them if it does not spill.
     * For records of one size only.
     */
    bool lone_useless;
    struct pd_spare *spare; /* optional, borrowed until the sorter is freed: shared memory */
};

/* A new sorter without records. The caller frees it with pd_sorter_free(). */
struct pd_sorter *pd_sorter_new(const struct pd_sorting *how);

/* Add whole records, `bytes` in all. Returns PD_OK, or PD_EIO (the disk is full, for example). */
int pd_sorter_push(struct pd_sorter *s, const void *recs, size_t bytes);

/*
 * End pushing and begin reading. Returns PD_OK or PD_EIO; after a failure only pd_sorter_free() may
 * be called.
 */
int pd_sorter_finish(struct pd_sorter *s);

/*
 * Get the next records in order of their keys. Records with equal keys come in any order.
 *   recs   whole records, borrowed until the next call
 *   n      their bytes; 0 if there are no more
 * Records with the same key may be divided between two calls. Returns PD_OK, PD_END, or PD_EIO or
 * PD_EFORMAT (the scratch file cannot be read); after a failure only pd_sorter_free() may be
 * called.
 */
int pd_sorter_next(struct pd_sorter *s, const unsigned char **recs, size_t *n);

/* Bytes of records that have been pushed. */
uint64_t pd_sorter_bytes(const struct pd_sorter *s);

/* How many bytes of the records lie behind the reader, with lone ones, when it has got `got` bytes. */
uint64_t pd_sorter_passed(const struct pd_sorter *s, uint64_t got);

/* Bytes that have been written to disk; 0: all records were in memory. For tests. */
uint64_t pd_sorter_spilled(const struct pd_sorter *s);

/* Free the sorter and delete its scratch file. s may be NULL. */
void pd_sorter_free(struct pd_sorter *s);

/* Reads the records of a finished sorter one by one. Begin with `from` set and the rest zero. */
struct pd_ordered {
    struct pd_sorter *from;    /* borrowed */
    const unsigned char *recs; /* the records of the last pd_sorter_next() */
    size_t n;                  /* bytes of `recs` */
    size_t at;                 /* bytes of `recs` that have been read */
};

/*
 * Look at the next record. It stays the next one, and is borrowed, until the caller adds its size
 * to o->at. Returns PD_OK; PD_END (*rec is NULL), also when called again; PD_EIO or PD_EFORMAT.
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
