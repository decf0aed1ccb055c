/*
 * tests/fuzz/fuzz.h - what the fuzz targets share.
 *
 * A target is a file with LLVMFuzzerTestOneInput(). libFuzzer calls it with inputs it makes up;
 * where that is not at hand, fuzz_main.c calls it with the inputs that are kept in corpus/. A
 * broken promise panics, so PD_CHECK() is how a target says what must hold.
 *
 * The last bytes of an input are settings, so that its first ones are those of the file it stands
 * for.
 */
#ifndef PD_FUZZ_H
#define PD_FUZZ_H

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pardup/base/error.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

/* A file in memory that holds v[0, n); its path, until the next call. */
static inline const char *fuzz_file(const void *v, size_t n)
{
    static int fd = -1;
    static char path[32];
    if (fd < 0) {
        fd = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    PD_CHECK(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, v, n, 0) == (ssize_t)n);
    return path;
}

/* Take `size` bytes of settings from the end of the input; zeros when it is too short. */
static inline void fuzz_settings(const unsigned char *data, size_t *n, void *settings, size_t size)
{
    memset(settings, 0, size);
    if (*n < size)
        return;
    *n -= size;
    memcpy(settings, data + *n, size);
}

/*
 * An input as a list of changes to a real file, so that a few bytes reach deep: three bytes of
 * offset, one byte of length, the bytes. The changes go to file[0, file_n).
 */
static inline void fuzz_change(unsigned char *file, size_t file_n, const unsigned char *data,
                               size_t n)
{
    while (n >= 4 && file_n > 0) {
        const size_t at = (data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16) % file_n;
        size_t take = data[3] < n - 4 ? data[3] : n - 4;
        data += 4;
        n -= 4;
        memcpy(file + at, data, take < file_n - at ? take : file_n - at);
        data += take;
        n -= take;
    }
}

#endif
