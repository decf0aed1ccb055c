/*
 * store/cursor.h - read the records of a packed file one after the other.
 *
 *     pd_cursor_begin(&c, file, 0, pd_packed_blocks(file));
 *     while ((status = pd_cursor_look(&c, &recs, &n)) == PD_OK)
 *         c.at += bytes of the records at recs that were used;
 *     pd_cursor_release(&c);
 */
#ifndef PARDUP_STORE_CURSOR_H
#define PARDUP_STORE_CURSOR_H

#include "pardup/store/packed.h"

/* A zeroed struct has no file; begin it with pd_cursor_begin(). */
struct pd_cursor {
    struct pd_packed *file; /* borrowed */
    uint32_t next, end;     /* blocks [next, end) are still to be loaded */
    struct pd_bytes block;  /* the loaded block */
    size_t at;              /* bytes of `block` that have been read */
};

/* Read blocks [begin, end) of a file from the first record on. The cursor is zeroed or was used. */
void pd_cursor_begin(struct pd_cursor *c, struct pd_packed *file, uint32_t begin, uint32_t end);

/*
 * Look at the next records: at least one whole record, as far as the loaded block goes.
 *   recs   the records, borrowed until the next call. They are aligned to 8 bytes if all records of
 *          the block have sizes that are multiples of 8
 *   n      their bytes; 0 if there are none
 * The records stay the next ones until the caller adds the bytes it has read to c->at.
 * Returns PD_OK, PD_END (no more records), PD_EIO or PD_EFORMAT (the block cannot be loaded).
 */
int pd_cursor_look(struct pd_cursor *c, const unsigned char **recs, size_t *n);

/* Free the memory of the cursor. The file stays open. */
void pd_cursor_release(struct pd_cursor *c);

#endif
