/*
 * result/compress.h - a chunk of a column as it stands in the file: shuffled and compressed.
 *
 * What HDF5's own filters make of the values, in their place: they shuffle byte by byte and deflate with zlib. Any
 * reader of HDF5 gets the values back.
 */
#ifndef PARDUP_RESULT_COMPRESS_H
#define PARDUP_RESULT_COMPRESS_H

#include "pardup/base/bytes.h"

enum pd_compress { PD_COMPRESS_DEFLATE, PD_COMPRESS_ZSTD, PD_COMPRESS_NONE };

enum { PD_DEFLATE_LEVEL = 1, PD_ZSTD_LEVEL = 1 };

/* The first bytes of all `n` values of `width` bytes, then the second ones, and so on. */
void pd_shuffle(unsigned char *to, const unsigned char *from, size_t width, size_t n);

/* Append the chunk with these values to `to`. `scratch` keeps its memory from call to call. */
void pd_chunk_compress(enum pd_compress compress, const unsigned char *values, size_t width,
                       size_t n, struct pd_bytes *scratch, struct pd_bytes *to);

#endif
