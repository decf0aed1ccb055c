/*
 * result/compress.h - a chunk of a column as it stands in the file: shuffled and compressed.
 *
 * This is done here instead of by HDF5's own filters. They, too, shuffle byte by byte and deflate
 * with zlib, so any reader of HDF5 gets the values back.
 */
#ifndef PARDUP_RESULT_COMPRESS_H
#define PARDUP_RESULT_COMPRESS_H

#include "pardup/base/bytes.h"

enum pd_compress { PD_COMPRESS_DEFLATE, PD_COMPRESS_ZSTD, PD_COMPRESS_NONE };

enum { PD_DEFLATE_LEVEL = 1, PD_ZSTD_LEVEL = 1 };

/*
 * Shuffle n values of `width` bytes: write the first bytes of all values to `to`, then the second
 * bytes of all values, and so on.
 */
void pd_bytes_shuffle(unsigned char *to, const unsigned char *from, size_t width, size_t n);

/*
 * Append a chunk with n values of `width` bytes to `to`, shuffled and compressed. The chunk is
 * neither shuffled nor compressed for PD_COMPRESS_NONE.
 *   scratch  memory for the shuffled values, reused from call to call; the caller releases it
 */
void pd_chunk_compress(enum pd_compress compress, const unsigned char *values, size_t width,
                       size_t n, struct pd_bytes *scratch, struct pd_bytes *to);

#endif
