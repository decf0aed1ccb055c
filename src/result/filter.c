/* result/filter.c - see src/result/filter.h */
#include "filter.h"

#include <hdf5.h>
#include <zstd.h>

#include "pardup/base/error.h"

enum { DEFAULT_LEVEL = 3 };

/*
 * Put `with` in the place of *buf. HDF5 owns *buf, so both must come from HDF5's allocator.
 *   cap  bytes allocated for `with`
 *   n    the result of the zstd call that filled `with`: bytes, or an error
 * Returns n, or 0 if it is an error; then `with` is freed and *buf stays.
 */
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

/* A filter function as H5Z_func_t describes it: returns the bytes in *buf, 0 on failure. */
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

int pd_filter_register(void)
{
    H5dont_atexit(); /* MPICH calls exit() in MPI_Abort, and HDF5 would crash on an open file */
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
