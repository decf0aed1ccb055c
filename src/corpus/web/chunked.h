/*
 * corpus/web/chunked.h - the chunked transfer coding (RFC 9112, section 7.1), also with wrong
 * sizes.
 *
 * A chunk is its size in hexadecimal digits, a line end, its bytes, and a line end; a chunk of
 * size 0 is the last. "5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n" is "hello, world". http.c undoes it
 * before any other coding.
 */
#ifndef PARDUP_CORPUS_CHUNKED_H
#define PARDUP_CORPUS_CHUNKED_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/bytes.h"

/* Is the line s[0, n), without its line end, the size of a chunk? */
bool pd_chunk_line_is(const unsigned char *s, size_t n);

/*
 * Is s[0, n) nothing but chunks, of which at least one has bytes, up to the last one and what may
 * follow it? So exact a match is no accident, even where no header speaks of chunks.
 */
bool pd_chunked_whole(const unsigned char *s, size_t n);

/*
 * Replace the content of `out` by the chunks of s[0, n); 64 readable bytes follow them. Empty lines
 * before a size are passed. A size that is a few bytes off is corrected when the next size line
 * shows it. A later size that is wrong in another way ends the decoding, and the rest is kept as it
 * is. *cut: s ends inside a chunk.
 * Returns false when s is not chunked: it does not begin with the size of a first chunk, or it only
 * seems to, as a text does that begins with a number on a line of its own.
 */
bool pd_unchunk(const unsigned char *s, size_t n, struct pd_bytes *out, bool *cut);

#endif
