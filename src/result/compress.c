/* result/compress.c - see include/pardup/result/compress.h */
#include "pardup/result/compress.h"

#include <libdeflate.h>
#include <stdint.h>
#include <zstd.h>

#include "pardup/base/error.h"
#include "pardup/base/vector.h"

enum {
    VECTOR = 16,        /* values that are shuffled together in vectors, and bytes of a vector */
    WIDEST = 8,         /* bytes of the widest values that are shuffled in vectors */
    ROWS_IN_CACHE = 64, /* values that are shuffled together otherwise: 64 bytes of each output */
};

/*
 * Shuffle n values. Each byte of a value has an output of its own; the outputs are `stride` bytes
 * apart.
 */
static void shuffle_rows(unsigned char *to, const unsigned char *from, size_t width, size_t n,
                         size_t stride)
{
    for (size_t byte = 0; byte < width; byte++)
        for (size_t k = 0; k < n; k++)
            to[byte * stride + k] = from[k * width + byte];
}

#ifdef PD_VECTORS
/* Interleave `width` vectors: bytes of the first half alternate with bytes of the second half. */
static inline void interleave(__m128i *to, const __m128i *from, size_t width)
{
    for (size_t k = 0; k < width / 2; k++) {
        to[2 * k] = _mm_unpacklo_epi8(from[k], from[k + width / 2]);
        to[2 * k + 1] = _mm_unpackhi_epi8(from[k], from[k + width / 2]);
    }
}

/*
 * Shuffle VECTOR values. A byte's index is the number of its value (4 bits), followed by its number
 * within the value. Interleaving the two halves moves the first bit of the index to the end. After
 * four times, the number within the value comes first, as it does in the outputs.
 */
static inline void shuffle_vector(unsigned char *to, const unsigned char *from, size_t width,
                                  size_t stride)
{
    __m128i x[WIDEST], y[WIDEST];
    for (size_t k = 0; k < width; k++)
        x[k] = _mm_loadu_si128((const __m128i *)(const void *)from + k);
    interleave(y, x, width);
    interleave(x, y, width);
    interleave(y, x, width);
    interleave(x, y, width);
    for (size_t k = 0; k < width; k++)
        _mm_storeu_si128((__m128i *)(void *)(to + k * stride), x[k]);
}

/* Shuffle in vectors what can be; returns how many values were shuffled. */
static size_t shuffle_vectors(unsigned char *to, const unsigned char *from, size_t width, size_t n)
{
    const size_t whole = n / VECTOR * VECTOR;
    size_t k = 0;
    if (width == sizeof(uint64_t))
        for (; k < whole; k += VECTOR)
            shuffle_vector(to + k, from + k * sizeof(uint64_t), sizeof(uint64_t), n);
    else if (width == sizeof(uint32_t))
        for (; k < whole; k += VECTOR)
            shuffle_vector(to + k, from + k * sizeof(uint32_t), sizeof(uint32_t), n);
    return k;
}
#else
static size_t shuffle_vectors(unsigned char *to, const unsigned char *from, size_t width, size_t n)
{
    (void)to, (void)from, (void)width, (void)n;
    return 0;
}
#endif

void pd_bytes_shuffle(unsigned char *to, const unsigned char *from, size_t width, size_t n)
{
    for (size_t k = shuffle_vectors(to, from, width, n); k < n; k += ROWS_IN_CACHE) {
        const size_t rows = n - k < ROWS_IN_CACHE ? n - k : ROWS_IN_CACHE;
        shuffle_rows(to + k, from + k * width, width, rows, n);
    }
}

/*
 * libdeflate writes zlib's format, and the same bytes for the same values. ISA-L takes two thirds
 * of the time, but its bytes depend on addresses in memory: in 2.30, the first match is looked up
 * by a hash of a pointer (igzip_icf_body_h1_gr_bt.asm, .write_first_byte).
 */
static size_t deflate(unsigned char *to, size_t cap, const unsigned char *from, size_t n)
{
    static struct libdeflate_compressor *compressor;
    if (!compressor)
        compressor = libdeflate_alloc_compressor(PD_DEFLATE_LEVEL);
    PD_CHECK(compressor);
    const size_t compressed = libdeflate_zlib_compress(compressor, from, n, to, cap);
    PD_CHECK(compressed);
    return compressed;
}

static size_t compress_zstd(unsigned char *to, size_t cap, const unsigned char *from, size_t n)
{
    const size_t compressed = ZSTD_compress(to, cap, from, n, PD_ZSTD_LEVEL);
    PD_CHECK(!ZSTD_isError(compressed));
    return compressed;
}

/* Bytes that hold n bytes compressed either way. Deflate adds 5 bytes to a stored block, and 6. */
static size_t compressed_most(size_t n)
{
    const size_t deflated = n + n / 1000 + 64, zstd = ZSTD_compressBound(n);
    return deflated > zstd ? deflated : zstd;
}

void pd_chunk_compress(enum pd_compress compress, const unsigned char *values, size_t width,
                       size_t n, struct pd_bytes *scratch, struct pd_bytes *to)
{
    const size_t bytes = width * n, cap = compressed_most(bytes);
    if (compress == PD_COMPRESS_NONE) {
        pd_bytes_append(to, values, bytes);
        return;
    }
    pd_bytes_reserve(scratch, bytes);
    pd_bytes_shuffle(scratch->v, values, width, n);
    pd_bytes_reserve(to, to->n + cap);
    to->n += (compress == PD_COMPRESS_ZSTD ? compress_zstd : deflate)(to->v + to->n, cap,
                                                                      scratch->v, bytes);
}
