/*
 * store/spool.h - a queue for any number of records: the first ones in memory, the others on disk.
 *
 * All records are pushed before the first one is read; they come back in the order of pushing.
 */
#ifndef PARDUP_STORE_SPOOL_H
#define PARDUP_STORE_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/store/cursor.h"
#include "pardup/store/sorter.h"

struct pd_spool_page;

/* Callers may read `how` and `n` only. */
struct pd_spool {
    struct pd_spooling {
        size_t size;            /* bytes of a record, a multiple of 8 */
        size_t memory;          /* bytes of records in memory, about; a file needs some more */
        const char *path;       /* path of the scratch file, made when it is needed; copied */
        struct pd_spare *spare; /* memory for records, borrowed until the spool is released */
    } how;
    uint64_t n;                  /* records pushed */
    size_t held;                 /* bytes of all pages that were ever taken */
    struct pd_spool_page *first; /* the page that is read; NULL: none */
    struct pd_spool_page *last;  /* the page that is filled */
    size_t end;                  /* bytes of records in the last page */
    size_t at;                   /* bytes of the first page that have been read */
    char *path;                  /* the copy of how.path, allocated */
    struct pd_packed *file;      /* later records; NULL: all are in memory */
    struct pd_cursor cursor;     /* reads the file */
};

/* Begin an empty spool. The caller releases it with pd_spool_release(). */
void pd_spool_init(struct pd_spool *s, const struct pd_spooling *how);

/* Add a record of how.size bytes. Returns PD_OK, or PD_EIO (the disk is full, for example). */
int pd_spool_push(struct pd_spool *s, const void *rec);

/*
 * End pushing and begin reading. Returns PD_OK or PD_EIO; after a failure only pd_spool_release()
 * may be called.
 */
int pd_spool_finish(struct pd_spool *s);

/*
 * Look at the next record. It stays the next one, and is borrowed, until pd_spool_pass(). Returns
 * PD_OK; PD_END (*rec is NULL), also when called again; PD_EIO or PD_EFORMAT (the file cannot be
 * read).
 */
int pd_spool_look(struct pd_spool *s, const void **rec);

/* Go on to the record behind what pd_spool_look() gave. */
void pd_spool_pass(struct pd_spool *s);

/* Look at the next record and pass it. It is borrowed until the next call. */
int pd_spool_next(struct pd_spool *s, const void **rec);

/* A source for an exchange (comm/exchange.h): all records that have not been read. ctx is the spool. */
int pd_spool_fill(void *ctx, unsigned char *to, size_t cap, size_t *n);

/* Free the memory and delete the file. The spool may be zeroed, and is zeroed afterwards. */
void pd_spool_release(struct pd_spool *s);

#endif
