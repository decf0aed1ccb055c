/*
 * store/packed.h - the packed file: a scratch file of blocks that are compressed and checked.
 *
 * Records are appended and gathered into blocks; each record lies in one block. A block is
 * compressed with zstd unless the caller chooses another way, and has a checksum of the bytes on
 * disk. Blocks can be read in any order. A file that was cut short or changed anywhere is reported
 * (PD_EFORMAT) and never taken for a shorter file, because its index is at its end. The checksums
 * cover the name of the file without its folder, so a file copied over another one is reported,
 * too. A file cannot be read on a machine with another byte order.
 */
#ifndef PARDUP_STORE_PACKED_H
#define PARDUP_STORE_PACKED_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/store/map.h"

#define PD_PACKED_BLOCK ((size_t)128 << 10) /* bytes of records in a block, about */

/* An open packed file. It is written first and read afterwards. */
struct pd_packed;

/* Where a record lies: the number of its block, and its offset in the unpacked block, bytes. */
struct pd_packed_at {
    uint32_t block, offset;
};

/*
 * Create an empty file for writing; a file at `path` is replaced. The caller closes it with
 * pd_packed_close(). Returns NULL after pd_fail(PD_EIO).
 */
struct pd_packed *pd_packed_create(const char *path);

/*
 * Pack the blocks of an empty file as deltas (store/deltas.h), not with zstd. For records of u64s
 * that are similar to the record before them.
 *   size   bytes of a record; 0: each record begins with its size, a uint32_t
 */
void pd_packed_as_u64s(struct pd_packed *f, size_t size);

/*
 * Open a finished file for reading. The caller closes it with pd_packed_close(). Returns NULL after
 * pd_fail(PD_EIO), or pd_fail(PD_EFORMAT) if the file is damaged.
 */
struct pd_packed *pd_packed_open(const char *path);

/*
 * Hold the first blocks in memory instead of on disk, `bytes` of records at most. For an empty file
 * without a name (pd_packed_forget) that is read again soon.
 */
void pd_packed_hold(struct pd_packed *f, size_t bytes);

/*
 * Append one record of n > 0 bytes, which may be longer than a block.
 *   at   if not NULL: receives where the record lies
 * Returns PD_OK, or PD_EIO with a message that names the file.
 */
int pd_packed_append(struct pd_packed *f, const void *rec, size_t n, struct pd_packed_at *at);

/*
 * From the next block on, store blocks without compression (plain is true) or compressed again. For
 * bytes that zstd makes hardly shorter. Call it only at the beginning of a block.
 */
void pd_packed_store_plain(struct pd_packed *f, bool plain);

/* End the current block: the next record begins a new one. Returns PD_OK or PD_EIO. */
int pd_packed_end_block(struct pd_packed *f);

/*
 * Write the last block and the index. Then the file can be read but not written. The call does not
 * wait for the disk: if the machine goes down before all is on disk, the checksums tell
 * (pd_packed_verify). Returns PD_OK or PD_EIO.
 */
int pd_packed_finish(struct pd_packed *f);

/* How many blocks have been ended. */
uint32_t pd_packed_blocks(const struct pd_packed *f);

/* Bytes that have been written to disk. */
uint64_t pd_packed_stored(const struct pd_packed *f);

/*
 * Replace the contents of `to` by block k, unpacked. A block that has been ended can be read while
 * the file is still written. Returns PD_OK, PD_EIO or PD_EFORMAT; the message names file and byte.
 */
int pd_packed_load(struct pd_packed *f, uint32_t k, struct pd_bytes *to);

/*
 * Get all blocks before block `end` of a finished file in memory, as they are stored: mapped, or
 * copied if the file cannot be mapped. Block k begins at pd_packed_offset(k) of the map. Checksums
 * are not tested. The caller releases the map; the file may be closed before. Returns PD_OK, PD_EIO
 * or PD_EFORMAT.
 */
int pd_packed_map(const struct pd_packed *f, uint32_t end, struct pd_map *to);

/* Where the bytes of block k begin in the file, behind the head of the block. */
uint64_t pd_packed_offset(const struct pd_packed *f, uint32_t k);

/* The path under which the file was created or opened; borrowed. */
const char *pd_packed_path(const struct pd_packed *f);

/* Read all blocks and test all checksums. Returns PD_OK, PD_EIO or PD_EFORMAT. */
int pd_packed_verify(struct pd_packed *f);

/*
 * Remove the name of the file. It can be written and read until it is closed; then the system
 * deletes it, also when the process is killed. Returns PD_OK or PD_EIO.
 */
int pd_packed_forget(struct pd_packed *f);

/* Close and free; f may be NULL. A file that is not finished is deleted. */
void pd_packed_close(struct pd_packed *f);

#endif
