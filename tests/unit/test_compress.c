/*
 * Chunks as HDF5's filters would make them: shuffled byte by byte, and deflate of bytes of any kind
 * comes back.
 */
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "pardup/result/compress.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { LARGEST = 70000 /* more than a stored block of deflate */, ROWS = 200, WIDEST = 70 };

static void unpack(enum pd_compress compress, const struct pd_bytes *packed, size_t at,
                   unsigned char *back, size_t n)
{
    size_t nback = 0;
    if (compress == PD_COMPRESS_ZSTD) {
        nback = ZSTD_decompress(back, n, packed->v + at, packed->n - at);
    } else {
        struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
        CU_ASSERT_EQUAL(
            libdeflate_zlib_decompress(d, packed->v + at, packed->n - at, back, n, &nback),
            LIBDEFLATE_SUCCESS);
        libdeflate_free_decompressor(d);
    }
    CU_ASSERT_EQUAL(nback, n);
}

/* Values of one byte are not shuffled. */
static void check_comes_back(const unsigned char *from, size_t n)
{
    static unsigned char back[LARGEST];
    struct pd_bytes scratch = {0}, packed = {0};
    pd_bytes_push(&packed, 7); /* what is there stays */
    for (int k = PD_COMPRESS_DEFLATE; k <= PD_COMPRESS_ZSTD; k++) {
        const size_t at = packed.n;
        pd_chunk_compress((enum pd_compress)k, from, 1, n, &scratch, &packed);
        unpack((enum pd_compress)k, &packed, at, back, n);
        CU_ASSERT_EQUAL(memcmp(back, from, n), 0);
    }
    CU_ASSERT_EQUAL(packed.v[0], 7);
    pd_bytes_release(&scratch);
    pd_bytes_release(&packed);
}

static void fill_randomly(unsigned char *bytes, size_t n)
{
    uint64_t state = 5;
    for (size_t k = 0; k < n; k++)
        bytes[k] = (unsigned char)(pd_random(&state) >> 56);
}

static void test_random_bytes(void)
{
    static unsigned char bytes[LARGEST];
    fill_randomly(bytes, LARGEST);
    for (size_t n = 1; n < 600; n++)
        check_comes_back(bytes, n);
    for (size_t n = 65520; n < 65560; n++)
        check_comes_back(bytes, n);
    check_comes_back(bytes, LARGEST);
}

static void test_equal_bytes(void)
{
    static const unsigned char bytes[LARGEST];
    for (size_t n = 1; n < 600; n++)
        check_comes_back(bytes, n);
    check_comes_back(bytes, LARGEST);
}

static void test_shuffle(void)
{
    static unsigned char from[ROWS * WIDEST], to[ROWS * WIDEST];
    fill_randomly(from, sizeof from);
    for (size_t width = 1; width <= WIDEST; width++)
        for (size_t n = 0; n <= ROWS; n++) {
            size_t wrong = 0;
            memset(to, 0, sizeof to);
            pd_bytes_shuffle(to, from, width, n);
            for (size_t k = 0; k < n; k++)
                for (size_t byte = 0; byte < width; byte++)
                    wrong += to[byte * n + k] != from[k * width + byte];
            CU_ASSERT_EQUAL(wrong, 0);
        }
}

/* What is packed is the shuffled values; not compressed, the values. */
static void test_values_are_shuffled(void)
{
    static unsigned char from[ROWS * 8], shuffled[ROWS * 8], back[ROWS * 8];
    struct pd_bytes scratch = {0}, packed = {0};
    fill_randomly(from, sizeof from);
    pd_bytes_shuffle(shuffled, from, 8, ROWS);
    pd_chunk_compress(PD_COMPRESS_DEFLATE, from, 8, ROWS, &scratch, &packed);
    unpack(PD_COMPRESS_DEFLATE, &packed, 0, back, sizeof back);
    CU_ASSERT_EQUAL(memcmp(back, shuffled, sizeof back), 0);
    packed.n = 0;
    pd_chunk_compress(PD_COMPRESS_NONE, from, 8, ROWS, &scratch, &packed);
    CU_ASSERT_EQUAL(packed.n, sizeof from);
    CU_ASSERT_EQUAL(memcmp(packed.v, from, sizeof from), 0);
    pd_bytes_release(&scratch);
    pd_bytes_release(&packed);
}

/* Fill the stack below: what is not initialized there has this value. */
static __attribute__((noinline)) void soil_stack(uint16_t value)
{
    enum { SOILED = 256 << 10 };
    volatile uint16_t v[SOILED / sizeof value];
    for (size_t k = 0; k < SOILED / sizeof value; k++)
        v[k] = value;
    (void)v[0];
}

/* Chunks depend on their values alone, not on what was called before. */
static void test_same_bytes(void)
{
    enum { STRIDE = 1000, VALUES = 60 * STRIDE };
    static unsigned char from[VALUES]; /* repeats itself */
    struct pd_bytes scratch = {0}, first = {0}, again = {0};
    uint64_t seed = 9;
    for (size_t k = 0; k < VALUES; k++)
        from[k] = k < STRIDE ? (unsigned char)pd_random_below(&seed, 256) : from[k - STRIDE];
    soil_stack(0);
    pd_chunk_compress(PD_COMPRESS_DEFLATE, from, 1, VALUES, &scratch, &first);
    for (uint16_t value = 1; value <= 16; value++) {
        again.n = 0;
        soil_stack(value);
        pd_chunk_compress(PD_COMPRESS_DEFLATE, from, 1, VALUES, &scratch, &again);
        CU_ASSERT(again.n == first.n && memcmp(again.v, first.v, first.n) == 0);
    }
    pd_bytes_release(&scratch);
    pd_bytes_release(&first);
    pd_bytes_release(&again);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_random_bytes), PD_TEST(test_equal_bytes),         PD_TEST(test_shuffle),
        PD_TEST(test_same_bytes),   PD_TEST(test_values_are_shuffled), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "result/compress", tests);
}
