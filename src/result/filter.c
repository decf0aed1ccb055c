/* result/filter.c - see src/result/filter.h */
#include "filter.h"

#include <hdf5.h>
#include <zstd.h>

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
