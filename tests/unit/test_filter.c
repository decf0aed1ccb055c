/* The faster deflate behind HDF5's filter: bytes of any kind fit where zlib's would, and come back. */
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/result/filter.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { LARGEST = 70000 /* more than a stored block of deflate */ };

/* What HDF5 gives its filter: a thousandth and 12 bytes more. */
static unsigned long room_for(unsigned long n) { return n + (n + 999) / 1000 + 12; }

static void check_comes_back(const unsigned char *from, unsigned long n)
{
    static unsigned char packed[LARGEST + LARGEST / 1000 + 13], back[LARGEST];
    unsigned long cap = room_for(n);
    memset(packed, 0xAA, sizeof packed);
    CU_ASSERT_EQUAL_FATAL(compress2(packed, &cap, from, n, 1), 0);
    CU_ASSERT(cap <= room_for(n));
    CU_ASSERT_EQUAL(packed[room_for(n)], 0xAA);
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    size_t nback = 0;
    CU_ASSERT_EQUAL(libdeflate_zlib_decompress(d, packed, cap, back, n, &nback),
                    LIBDEFLATE_SUCCESS);
    CU_ASSERT_EQUAL(nback, n);
    CU_ASSERT_EQUAL(memcmp(back, from, n), 0);
    libdeflate_free_decompressor(d);
}

static void test_random_bytes(void)
{
    static unsigned char bytes[LARGEST];
    uint64_t state = 5;
    for (size_t k = 0; k < LARGEST; k++)
        bytes[k] = (unsigned char)(pd_random(&state) >> 56);
    for (unsigned long n = 1; n < 600; n++)
        check_comes_back(bytes, n);
    for (unsigned long n = 65520; n < 65560; n++)
        check_comes_back(bytes, n);
    check_comes_back(bytes, LARGEST);
}

static void test_equal_bytes(void)
{
    static const unsigned char bytes[LARGEST];
    for (unsigned long n = 1; n < 600; n++)
        check_comes_back(bytes, n);
    check_comes_back(bytes, LARGEST);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_random_bytes), PD_TEST(test_equal_bytes),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "result/filter", tests);
}
