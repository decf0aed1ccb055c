/* result/compress.c - see include/pardup/result/compress.h */
#include "pardup/result/compress.h"

#include <isa-l/igzip_lib.h>
#include <stdint.h>
#include <zstd.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "pardup/base/error.h"

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

#ifdef __SSE2__
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

void pd_shuffle(unsigned char *to, const unsigned char *from, size_t width, size_t n)
{
    for (size_t k = shuffle_vectors(to, from, width, n); k < n; k += ROWS_IN_CACHE) {
        const size_t rows = n - k < ROWS_IN_CACHE ? n - k : ROWS_IN_CACHE;
        shuffle_rows(to + k, from + k * width, width, rows, n);
    }
}

/* ISA-L writes zlib's format, and takes a seventh of zlib's time. */
static size_t deflate(unsigned char *to, size_t cap, const unsigned char *from, size_t n)
{
    static unsigned char work[ISAL_DEF_LVL1_DEFAULT];
    struct isal_zstream z;
    PD_CHECK(cap <= UINT32_MAX); /* chunks of HDF5 have less than 4 GiB */
    isal_deflate_stateless_init(&z);
    z.hist_bits = 0; /* the default window; ISA-L 2.30 leaves this uninitialized */
    z.level = PD_DEFLATE_LEVEL;
    z.level_buf = work;
    z.level_buf_size = sizeof work;
    z.gzip_flag = IGZIP_ZLIB;
    z.end_of_stream = 1;
    z.next_in = (uint8_t *)(uintptr_t)from; /* is only read */
    z.avail_in = (uint32_t)n;
    z.next_out = to;
    z.avail_out = (uint32_t)cap;
    PD_CHECK(isal_deflate_stateless(&z) == COMP_OK);
    return z.total_out;
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
    pd_shuffle(scratch->v, values, width, n);
    pd_bytes_reserve(to, to->n + cap);
    to->n += (compress == PD_COMPRESS_ZSTD ? compress_zstd : deflate)(to->v + to->n, cap,
                                                                      scratch->v, bytes);
}
