/*
 * store/spool.h - records in the order in which they came, however many: in memory, the last ones on disk if need be.
 */
#ifndef PARDUP_STORE_SPOOL_H
#define PARDUP_STORE_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/store/cursor.h"
#include "pardup/store/sorter.h"

struct pd_spool_page;

/* Only `how` and `n` are for others to read. */
struct pd_spool {
    struct pd_spooling {
        size_t size;      /* bytes of a record, 8 | size */
        size_t memory;    /* bytes of records in memory, about; what a file needs comes on top */
        const char *path; /* of the scratch file, made only when it is needed; copied */
        struct pd_spare *spare; /* borrowed: memory comes from there, and goes back once read */
    } how;
    uint64_t n; /* records pushed */
    size_t held;
    struct pd_spool_page *first;
    struct pd_spool_page *last;
    size_t end;
    size_t at; /* bytes used of the last page, read of the first */
    char *path;
    struct pd_packed *file;  /* NULL: all is in memory */
    struct pd_cursor cursor; /* of the file, being read */
};

void pd_spool_init(struct pd_spool *s, const struct pd_spooling *how);

/* One record. PD_OK or PD_EIO (the disk is full ...). */
int pd_spool_push(struct pd_spool *s, const void *rec);

/* No more will be pushed. PD_OK or PD_EIO; after a failure there is only pd_spool_release(). */
int pd_spool_finish(struct pd_spool *s);

/*
 * The next record, borrowed; it stays the next one until pd_spool_pass(). PD_OK; PD_END (*rec is NULL), also when
 * asked again; PD_EIO, PD_EFORMAT: the file cannot be read back.
 */
int pd_spool_look(struct pd_spool *s, const void **rec);
void pd_spool_pass(struct pd_spool *s);

/* Also removes the file. Of a zeroed one, too; it is zeroed then. */
void pd_spool_release(struct pd_spool *s);

#endif
