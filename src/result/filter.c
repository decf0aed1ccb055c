/* result/filter.c - see include/pardup/result/filter.h */
#include "pardup/result/filter.h"

#include <hdf5.h>
#include <isa-l/igzip_lib.h>
#include <string.h>
#include <zstd.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "pardup/base/error.h"

enum { DEFAULT_LEVEL = 3 };

/* HDF5 owns *buf; a filter that runs inside the program must replace it through HDF5's allocator. */
static size_t replace(void **buf, size_t *buf_size, void *with, size_t cap, size_t n)
{
    if (ZSTD_isError(n)) {
        H5free_memory(with);
        return 0;
    }
    H5free_memory(*buf);
    *buf = with;
    *buf_size = cap;
    return n;
}

static size_t zstd_filter(unsigned flags, size_t nparams, const unsigned params[], size_t nbytes,
                          size_t *buf_size, void **buf)
{
    size_t cap;
    void *out;
    if (flags & H5Z_FLAG_REVERSE) {
        const unsigned long long n = ZSTD_getFrameContentSize(*buf, nbytes);
        if (n == ZSTD_CONTENTSIZE_ERROR || n == ZSTD_CONTENTSIZE_UNKNOWN)
            return 0;
        cap = (size_t)n;
        if (!(out = H5allocate_memory(cap ? cap : 1, 0)))
            return 0;
        return replace(buf, buf_size, out, cap, ZSTD_decompress(out, cap, *buf, nbytes));
    }
    const int level = nparams > 0 ? (int)params[0] : DEFAULT_LEVEL;
    cap = ZSTD_compressBound(nbytes);
    if (!(out = H5allocate_memory(cap, 0)))
        return 0;
    return replace(buf, buf_size, out, cap, ZSTD_compress(out, cap, *buf, nbytes, level));
}

/*
 * zlib's function that the deflate filter of HDF5 calls, in its place: the same format, made by ISA-L seven times faster.
 * The linker gives the program's own function to the library that asks for it; HDF5 does not let a filter of its own
 * be registered anew. Level 1 whatever is asked for. Statuses are zlib's.
 */
int compress2(unsigned char *to, unsigned long *cap, const unsigned char *from, unsigned long n,
              int level)
{
    enum { DONE = 0, NO_ROOM = -5 };
    static unsigned char work[ISAL_DEF_LVL1_DEFAULT];
    struct isal_zstream z;
    (void)level;
    PD_CHECK(n <= UINT32_MAX && *cap <= UINT32_MAX); /* HDF5's chunks are below 4 GiB */
    isal_deflate_stateless_init(&z);
    z.level = 1;
    z.level_buf = work;
    z.level_buf_size = sizeof work;
    z.gzip_flag = IGZIP_ZLIB;
    z.end_of_stream = 1;
    z.next_in = (uint8_t *)(uintptr_t)from; /* which it only reads */
    z.avail_in = (uint32_t)n;
    z.next_out = to;
    z.avail_out = (uint32_t)*cap;
    if (isal_deflate_stateless(&z) != COMP_OK)
        return NO_ROOM;
    *cap = z.total_out;
    return DONE;
}

/* Byte b of value k, from k on, between k * width + b and b * n + k. */
static void shuffle_rest(unsigned char *to, const unsigned char *from, size_t n, size_t width,
                         size_t k, bool back)
{
    for (size_t b = 0; b < width; b++)
        for (size_t v = k; v < n; v++) {
            if (back)
                to[v * width + b] = from[b * n + v];
            else
                to[b * n + v] = from[v * width + b];
        }
}

#ifdef __SSE2__
/*
 * Sixteen values at a time, in `width` vectors. To put the bytes of their first and of their second half
 * alternately turns each byte's place, seen as a number, left by a bit: four times for the places of sixteen values
 * to change with those of the bytes in them, as often as the width has bits to change them back. Returns how many
 * values are done.
 */
static inline __attribute__((always_inline)) size_t
shuffle_vectors(unsigned char *to, const unsigned char *from, size_t n, size_t width, bool back)
{
    enum { VALUES = 16, WIDEST = 8 };
    const int turns = !back ? 4 : width == 8 ? 3 : 2;
    const size_t bytes = sizeof(__m128i), half = width / 2;
    const size_t step_from = back ? n : bytes, step_to = back ? bytes : n;
    size_t k = 0;
    for (; k + VALUES <= n; k += VALUES) {
        const unsigned char *in = from + (back ? k : k * width);
        unsigned char *out = to + (back ? k * width : k);
        __m128i v[WIDEST], turned[WIDEST];
        for (size_t r = 0; r < width; r++)
            v[r] = _mm_loadu_si128((const __m128i *)(const void *)(in + r * step_from));
        for (int t = 0; t < turns; t++) {
            for (size_t r = 0; r < half; r++) {
                turned[2 * r] = _mm_unpacklo_epi8(v[r], v[r + half]);
                turned[2 * r + 1] = _mm_unpackhi_epi8(v[r], v[r + half]);
            }
            memcpy(v, turned, width * sizeof *v);
        }
        for (size_t r = 0; r < width; r++)
            _mm_storeu_si128((__m128i *)(void *)(out + r * step_to), v[r]);
    }
    return k;
}

static size_t shuffle_most(unsigned char *to, const unsigned char *from, size_t n, size_t width,
                           bool back)
{
    if (width == sizeof(uint64_t))
        return back ? shuffle_vectors(to, from, n, sizeof(uint64_t), true)
                    : shuffle_vectors(to, from, n, sizeof(uint64_t), false);
    if (width == sizeof(uint32_t))
        return back ? shuffle_vectors(to, from, n, sizeof(uint32_t), true)
                    : shuffle_vectors(to, from, n, sizeof(uint32_t), false);
    return 0;
}
#else
static size_t shuffle_most(unsigned char *to, const unsigned char *from, size_t n, size_t width,
                           bool back)
{
    (void)to, (void)from, (void)n, (void)width, (void)back;
    return 0;
}
#endif

void pd_shuffle(unsigned char *to, const unsigned char *from, size_t bytes, size_t width, bool back)
{
    const size_t n = bytes / width, whole = n * width;
    shuffle_rest(to, from, n, width, shuffle_most(to, from, n, width, back), back);
    memcpy(to + whole, from + whole, bytes - whole);
}

static size_t shuffle_filter(unsigned flags, size_t nparams, const unsigned params[], size_t nbytes,
                             size_t *buf_size, void **buf)
{
    if (nparams != 1 || params[0] == 0)
        return 0;
    if (params[0] == 1)
        return nbytes;
    void *out = H5allocate_memory(nbytes, 0);
    if (!out)
        return 0;
    pd_shuffle(out, *buf, nbytes, params[0], flags & H5Z_FLAG_REVERSE);
    return replace(buf, buf_size, out, nbytes, nbytes);
}

/* The filter's parameter is the width of the values. */
static herr_t take_width(hid_t create, hid_t type, hid_t space)
{
    unsigned flags, width = (unsigned)H5Tget_size(type);
    size_t none = 0;
    (void)space;
    if (width == 0 ||
        H5Pget_filter_by_id2(create, H5Z_FILTER_SHUFFLE, &flags, &none, NULL, 0, NULL, NULL) < 0)
        return -1;
    return H5Pmodify_filter(create, H5Z_FILTER_SHUFFLE, flags, 1, &width);
}

/* HDF5's own goes byte by byte, and takes as long as all of deflate: this is found in its place, as compress2 is. */
const H5Z_class2_t H5Z_SHUFFLE[1] = {{
    .version = H5Z_CLASS_T_VERS,
    .id = H5Z_FILTER_SHUFFLE,
    .encoder_present = 1,
    .decoder_present = 1,
    .name = "shuffle",
    .set_local = take_width,
    .filter = shuffle_filter,
}};

int pd_filter_register(void)
{
    static const H5Z_class2_t class = {
        .version = H5Z_CLASS_T_VERS,
        .id = PD_FILTER_ZSTD,
        .encoder_present = 1,
        .decoder_present = 1,
        .name = "zstd",
        .filter = zstd_filter,
    };
    return H5Zregister(&class) < 0 ? pd_fail(PD_EIO, "HDF5 does not take the zstd filter") : PD_OK;
}
