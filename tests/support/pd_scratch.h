/*
 * tests/support/pd_scratch.h - files in a directory of their own, and data packed as archives are.
 *
 * Include in one .c of a test program. Every failure panics: without its data a test says nothing.
 */
#ifndef PD_SCRATCH_H
#define PD_SCRATCH_H

#include <ftw.h>
#include <libdeflate.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "pardup/base/bytes.h"
#include "pardup/base/error.h"

static char scratch_dir[4096];

static inline int scratch_remove(const char *path, const struct stat *st, int what, struct FTW *ftw)
{
    (void)st, (void)what, (void)ftw;
    return remove(path);
}

static inline void scratch_close(void)
{
    nftw(scratch_dir, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
}

/* Make the directory; it goes away when the program ends. */
static inline void scratch_open(void)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(scratch_dir, sizeof scratch_dir, "%s/pardup-test-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(scratch_dir))
        pd_panic("%s: cannot be made", scratch_dir);
    atexit(scratch_close);
}

/* Path of `name` in the directory; four results are valid at a time. */
static inline const char *scratch_path(const char *name)
{
    static char paths[4][4200];
    static unsigned next;
    char *path = paths[next++ % 4];
    if (!*scratch_dir) /* or two programs would write the same file at the root */
        pd_panic("scratch_open() was not called");
    snprintf(path, sizeof paths[0], "%s/%s", scratch_dir, name);
    return path;
}

static inline const char *scratch_write(const char *name, const void *v, size_t n)
{
    const char *path = scratch_path(name);
    FILE *f = fopen(path, "wb");
    if (!f || (n > 0 && fwrite(v, 1, n, f) != n) || fclose(f))
        pd_panic("%s: cannot be written", path);
    return path;
}

static inline void put(struct pd_bytes *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static inline void put(struct pd_bytes *b, const char *fmt, ...)
{
    char text[4096];
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    PD_CHECK(n >= 0 && (size_t)n < sizeof text);
    pd_bytes_append(b, text, (size_t)n);
}

/* Append v[0, n) as one gzip member. */
static inline void put_gzip(struct pd_bytes *b, const void *v, size_t n)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
    const size_t most = libdeflate_gzip_compress_bound(c, n);
    pd_bytes_reserve(b, b->n + most);
    b->n += libdeflate_gzip_compress(c, v, n, b->v + b->n, most);
    libdeflate_free_compressor(c);
}

/* Append v[0, n) as one zstd frame with a checksum; `sized`: its header tells n. */
static inline void put_zstd_frame(struct pd_bytes *b, const void *v, size_t n, int sized)
{
    const size_t most = ZSTD_compressBound(n);
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, sized);
    pd_bytes_reserve(b, b->n + most);
    const size_t made = ZSTD_compress2(c, b->v + b->n, most, v, n);
    PD_CHECK(!ZSTD_isError(made));
    b->n += made;
    ZSTD_freeCCtx(c);
}

static inline void put_zstd(struct pd_bytes *b, const void *v, size_t n)
{
    put_zstd_frame(b, v, n, 1);
}

/* The same bytes for the same seed on every machine. */
static inline uint32_t noise(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

#endif
