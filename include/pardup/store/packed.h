/*
 * store/packed.h - a scratch file of compressed blocks: what does not fit in memory, what a resumed
 * job starts from.
 *
 * Records are appended and gathered to blocks; none straddles a block. Blocks are compressed with
 * zstd (if not said otherwise), carry a checksum of what is stored, and can be read in any order. A file that was cut short
 * or changed anywhere is told (PD_EFORMAT), never taken for a shorter one: its index stands at its
 * end. Not for other machines: numbers are in this machine's byte order.
 */
#ifndef PARDUP_STORE_PACKED_H
#define PARDUP_STORE_PACKED_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/store/map.h"

#define PD_PACKED_BLOCK ((size_t)128 << 10) /* bytes of records in a block, about */

struct pd_packed; /* an open file: written, then read */

/* Where a record lies. */
struct pd_packed_at {
    uint32_t block, offset;
};

/* Make `path` anew, for writing. NULL: pd_fail has been called (PD_EIO). */
struct pd_packed *pd_packed_create(const char *path);

/*
 * Of an empty file: pack records of 64-bit words, of which those that follow each other are alike, by how they
 * differ (store/deltas.h), not with zstd. `size`: bytes of each; 0: it begins with them.
 */
void pd_packed_as_u64s(struct pd_packed *f, size_t size);

/* Open a finished file for reading. NULL: pd_fail (PD_EIO; PD_EFORMAT: damaged). */
struct pd_packed *pd_packed_open(const char *path);

/*
 * Keep its first blocks in memory, up to so many bytes of records, not on disk: for a new file that has
 * no name any more (pd_packed_forget) and is read again soon.
 */
void pd_packed_hold(struct pd_packed *f, size_t bytes);

/*
 * Append one record of n bytes; it may be longer than a block. *at, if not NULL: where it lies.
 * PD_OK or PD_EIO, which names the file ("no space left" and the like).
 */
int pd_packed_append(struct pd_packed *f, const void *rec, size_t n, struct pd_packed_at *at);

/*
 * From here on, at the beginning of a block, blocks are stored as they are, or compressed again: for
 * what zstd would hardly make shorter.
 */
void pd_packed_store_plain(struct pd_packed *f, bool plain);

/* End the block at hand, so that the next record begins a new one. PD_OK or PD_EIO. */
int pd_packed_end_block(struct pd_packed *f);

/*
 * Write the index. Then the file can be read. PD_OK, PD_EIO. Nobody waits for the disk itself: what a machine that goes
 * down has not written yet fails its checksum (pd_packed_verify).
 */
int pd_packed_finish(struct pd_packed *f);

uint32_t pd_packed_blocks(const struct pd_packed *f); /* ended so far */
uint64_t pd_packed_stored(const struct pd_packed *f); /* bytes on disk so far */

/*
 * Block `k`, unpacked, into `to` (which is emptied first). A block that has been ended can be read
 * while the file is still being written. PD_OK, PD_EIO, PD_EFORMAT (names file and byte).
 */
int pd_packed_load(struct pd_packed *f, uint32_t k, struct pd_bytes *to);

/*
 * The blocks of a finished file that are before block `end`, in memory, or, if that cannot be mapped, a copy. Block k lies
 * there at pd_packed_offset(), as it is stored; no checksum is looked at. PD_OK, PD_EIO, PD_EFORMAT.
 */
int pd_packed_map(const struct pd_packed *f, uint32_t end, struct pd_map *to);
uint64_t pd_packed_offset(const struct pd_packed *f, uint32_t k);

const char *pd_packed_path(const struct pd_packed *f); /* the name it was made or opened under */

/* Read all blocks and compare all checksums. PD_OK, PD_EIO, PD_EFORMAT. */
int pd_packed_verify(struct pd_packed *f);

/* Take away its name: it can be written and read until closed, then it is gone. PD_OK, PD_EIO. */
int pd_packed_forget(struct pd_packed *f);

/* Close; f may be NULL. A file not finished is removed. */
void pd_packed_close(struct pd_packed *f);

#endif
