/*
 * store/cursor.h - the records of a packed file, one after the other.
 */
#ifndef PARDUP_STORE_CURSOR_H
#define PARDUP_STORE_CURSOR_H

#include "pardup/store/packed.h"

struct pd_cursor {
    struct pd_packed *file; /* borrowed */
    uint32_t next, end;     /* blocks still to be loaded */
    struct pd_bytes block;  /* the one at hand ... */
    size_t at;              /* ... and how far it has been read */
};

/* Begin at block `begin`; stop before block `end`. Of a zeroed or used cursor. */
void pd_cursor_begin(struct pd_cursor *c, struct pd_packed *file, uint32_t begin, uint32_t end);

/*
 * What follows of the block at hand: at least one whole record, *n bytes, aligned as the records' sizes
 * allow; borrowed until the next call. The caller moves on by adding to c->at.
 * PD_OK; PD_END (*n is 0); PD_EIO, PD_EFORMAT.
 */
int pd_cursor_look(struct pd_cursor *c, const unsigned char **recs, size_t *n);

void pd_cursor_release(struct pd_cursor *c); /* the file stays open */

#endif
