/*
 * corpus/stream.h - the decoded bytes of a file, whatever it is packed in.
 *
 * Plain, gzip (one member or many), zstd (one frame or many) and compress (`.Z`), told apart by
 * their first bytes.
 * A window on the decoded bytes lies in memory; it grows to what the caller asks for at once, so
 * memory is that of the largest record plus a fixed read-ahead.
 */
#ifndef PARDUP_CORPUS_STREAM_H
#define PARDUP_CORPUS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/raw.h"

enum pd_compression { PD_PLAIN, PD_GZIP, PD_ZSTD, PD_LZW };

struct pd_stream; /* one open file at a time; buffers are kept from file to file */

struct pd_stream *pd_stream_new(void);
void pd_stream_free(struct pd_stream *s);

/*
 * Open `path` and stand at stored byte `from`: for PD_PLAIN any byte; for packed files 0 or the
 * start of a member or frame. Returns PD_OK or PD_EIO. Borrows `path` until close.
 */
int pd_stream_open(struct pd_stream *s, const char *path, uint64_t from);
void pd_stream_close(struct pd_stream *s);
void pd_stream_go_to(struct pd_stream *s, uint64_t from); /* in the open file; otherwise the same */
enum pd_compression pd_stream_compression(const struct pd_stream *s);

/*
 * Stand at the first member or frame that starts at or after stored byte `from` and whose decoded
 * bytes begin with `magic` (4 to 16 bytes). PD_OK, PD_END when there is none before stored byte
 * `to`, or PD_EIO. Not for PD_PLAIN.
 */
int pd_stream_seek_member(struct pd_stream *s, uint64_t from, uint64_t to, const char *magic,
                          size_t n);

/*
 * The bytes at the current position. At least `want` of them unless the file ends or breaks first;
 * *have tells how many there are. The pointer is valid until the next call that takes a stream that
 * is not const, pd_stream_advance() and pd_stream_broken_begins() excepted; 64 readable bytes
 * follow (values unspecified).
 * Returns PD_OK (also with *have < want at a clean end), PD_EIO, or PD_EFORMAT when the data is
 * cut short or corrupt behind the *have good bytes (see pd_stream_broken; no error is recorded).
 */
int pd_stream_peek(struct pd_stream *s, size_t want, const unsigned char **bytes, size_t *have);
void pd_stream_advance(struct pd_stream *s, size_t n); /* n <= *have of the last peek */

/*
 * After PD_EFORMAT: what is wrong (PD_SKIP_TRUNCATED: early end of file, PD_SKIP_CORRUPT,
 * PD_SKIP_GARBAGE: bytes between members that are none, or PD_SKIP_TOO_LARGE: a member that
 * inflates beyond 1 GB and 1000 times its size), and the same in words (static).
 */
enum pd_skip pd_stream_broken(const struct pd_stream *s, const char **text);

/*
 * After PD_EFORMAT: drop the good bytes and what is left of the broken member or frame, and stand
 * at the next one that decodes (searched by its magic bytes, and its first kilobytes must decode).
 * PD_OK, PD_END when there is none (the stream then stands at the end of the file), or PD_EIO.
 */
int pd_stream_recover(struct pd_stream *s);

/*
 * Does a member or frame start (or the last one end) k bytes after the current position, k <= *have
 * of the last peek? Never for PD_PLAIN.
 */
bool pd_stream_boundary(const struct pd_stream *s, size_t k);

/* The first such place k bytes or more after the current position; SIZE_MAX: none in the window. */
size_t pd_stream_next_boundary(const struct pd_stream *s, size_t k);

/*
 * After PD_EFORMAT: do the decoded bytes of the broken member begin with `magic` (4 to 16 bytes)?
 * The same question that pd_stream_seek_member() asks, so neighbours agree on whose member it is.
 */
bool pd_stream_broken_begins(struct pd_stream *s, const char *magic, size_t n);

/*
 * Where the current position is in the file, in the terms of struct pd_raw: stored offset of the
 * plain byte / member / frame, and decoded bytes to skip from there. At the end of a member this is
 * the start of the next one, or the end of the file.
 */
void pd_stream_where(const struct pd_stream *s, uint64_t *offset, uint64_t *skip);
uint64_t pd_stream_decoded(const struct pd_stream *s); /* decoded bytes since open or seek */
uint64_t pd_stream_read(const struct pd_stream *s);    /* stored bytes read since open */
uint64_t pd_stream_reached(const struct pd_stream *s); /* stored byte that is decoded next */

#endif
