/*
 * corpus/packed/stream.h - the decoded bytes of a file, however it is compressed.
 *
 * A file is not compressed, or holds gzip members, zstd frames or the output of compress(1), bzip2,
 * xz or lz4; its first bytes decide. Below, a member is a gzip member, a zstd frame, or a whole
 * file of the other kinds.
 *
 * A buffer holds the decoded bytes from the current position on. It grows to what the caller asks
 * for in one call, so the memory is that of the largest record plus a fixed read-ahead.
 */
#ifndef PARDUP_CORPUS_STREAM_H
#define PARDUP_CORPUS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/raw.h"

/* PD_PLAIN: not compressed. PD_LZW: compress(1). From it on, a file is one member. */
enum pd_compression { PD_PLAIN, PD_GZIP, PD_ZSTD, PD_LZW, PD_BZIP2, PD_XZ, PD_LZ4 };

/* One open file at a time; the buffers are kept from file to file. */
struct pd_stream;

struct pd_stream *pd_stream_new(void); /* the caller frees it */

/* From now on the functions below return PD_EIO when stopping() is nonzero; NULL: they never do. */
void pd_stream_stop_when(struct pd_stream *s, int (*stopping)(void));

/* Does the caller of pd_stream_stop_when() want to stop? */
bool pd_stream_stopped(const struct pd_stream *s);

void pd_stream_free(struct pd_stream *s); /* closes the file; NULL: does nothing */

/*
 * Open `path`, which is borrowed until close, and go to stored byte `from`. In a compressed file
 * `from` must be 0 or the start of a member. Returns PD_OK or PD_EIO.
 */
int pd_stream_open(struct pd_stream *s, const char *path, uint64_t from);
void pd_stream_close(struct pd_stream *s);

/* Go to stored byte `from` of the open file; `from` as in pd_stream_open(). */
void pd_stream_go_to(struct pd_stream *s, uint64_t from);

/*
 * The same for a single document: the next read is a small one, as it is behind pd_stream_open().
 */
void pd_stream_go_to_one(struct pd_stream *s, uint64_t from);

enum pd_compression pd_stream_compression(const struct pd_stream *s);

/*
 * Go to the first member that starts in stored bytes [from, to) and whose decoded bytes begin with
 * magic[0, n), n from 4 to 16. Not for PD_PLAIN; from PD_LZW on there is no such member.
 * Returns PD_OK, PD_END when there is none, or PD_EIO.
 */
int pd_stream_seek_member(struct pd_stream *s, uint64_t from, uint64_t to, const char *magic,
                          size_t n);

/*
 * The decoded bytes from the current position on: *have of them, at least `want` unless the file
 * ends or breaks first. 64 readable bytes of any value follow.
 * The pointer stays valid over pd_stream_advance(), pd_stream_broken_begins() and the functions
 * that take a const stream; any other call ends it.
 * Returns PD_OK, also with *have < want at a sound end of the file. Returns PD_EIO, or PD_EFORMAT
 * when *have < want and the data behind the *have good bytes is cut short or corrupt: then see
 * pd_stream_broken(). No error text is recorded for PD_EFORMAT.
 */
int pd_stream_peek(struct pd_stream *s, size_t want, const unsigned char **bytes, size_t *have);

/* Move on by n decoded bytes, n <= *have of the last peek. */
void pd_stream_advance(struct pd_stream *s, size_t n);

/*
 * After PD_EFORMAT: what is wrong, and in *text the same in words, a constant string.
 *   PD_SKIP_TRUNCATED   the file ends inside a member
 *   PD_SKIP_CORRUPT     a member does not decode
 *   PD_SKIP_GARBAGE     bytes that belong to no member
 *   PD_SKIP_TOO_LARGE   a member that decodes to more than 1 GB and 1000 times its stored size
 */
enum pd_skip pd_stream_broken(const struct pd_stream *s, const char **text);

/*
 * After PD_EFORMAT: drop the good bytes and the rest of the broken member, and go to the next
 * member. It is found by the magic number of the compression, and its first 4 KB must decode.
 * Returns PD_OK, PD_END when there is none (the stream is then at the end of the file), or PD_EIO.
 */
int pd_stream_recover(struct pd_stream *s);

/*
 * Does a member start, or the last member end, k decoded bytes behind the current position?
 * k <= *have of the last peek. False for PD_PLAIN.
 */
bool pd_stream_boundary(const struct pd_stream *s, size_t k);

/*
 * The least k' >= k for which pd_stream_boundary() holds; SIZE_MAX when there is none among the
 * bytes that have been decoded.
 */
size_t pd_stream_next_boundary(const struct pd_stream *s, size_t k);

/*
 * After PD_EFORMAT: do the decoded bytes of the broken member begin with magic[0, n), n from 4 to
 * 16? pd_stream_seek_member() asks the same question, so that the readers of two neighbouring
 * pieces agree which piece the member belongs to.
 */
bool pd_stream_broken_begins(struct pd_stream *s, const char *magic, size_t n);

/*
 * Where the current position is in the file, as in struct pd_raw. PD_PLAIN: *offset is the byte and
 * *skip is 0. Else *offset is the start of the member and *skip counts decoded bytes from there. A
 * position at the end of a member is given as the start of the next member, or the end of the file.
 */
void pd_stream_where(const struct pd_stream *s, uint64_t *offset, uint64_t *skip);

/* pd_input_check() for the open file. */
int pd_stream_check(const struct pd_stream *s, uint64_t bytes, uint64_t changed);

/* Decoded bytes passed since the last open, go_to or seek_member. */
uint64_t pd_stream_decoded(const struct pd_stream *s);

/* Offset of the stored byte that will be decoded next. */
uint64_t pd_stream_reached(const struct pd_stream *s);

#endif
