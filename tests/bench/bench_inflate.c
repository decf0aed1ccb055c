/* Files to their decoded bytes: inflating, window by window. MB are those decoded. */
#include <stdio.h>

#include "bench.h"
#include "corpus/packed/stream.h"
#include "pardup/base/error.h"

enum { WINDOW = 64 << 10 };

/* Decoded bytes of a file. */
static uint64_t inflate_file(struct pd_stream *s, const char *path)
{
    const unsigned char *bytes;
    size_t have = 0;
    if (pd_stream_open(s, path, 0) != PD_OK)
        return 0;
    while (pd_stream_peek(s, WINDOW, &bytes, &have) == PD_OK && have > 0)
        pd_stream_advance(s, have);
    const uint64_t decoded = pd_stream_decoded(s);
    pd_stream_close(s);
    return decoded;
}

int main(int argc, char **argv)
{
    struct pd_stream *s = pd_stream_new();
    double seconds[BENCH_REPEATS];
    uint64_t bytes = 0;
    for (int r = 0; r < BENCH_REPEATS; r++) {
        const double start = bench_seconds();
        bytes = 0;
        for (int k = 1; k < argc; k++)
            bytes += inflate_file(s, argv[k]);
        seconds[r] = bench_seconds() - start;
    }
    pd_stream_free(s);
    if (bytes == 0) {
        fprintf(stderr, "usage: %s FILE...   plain, gzip, zstd or compress\n", argv[0]);
        return 2;
    }
    bench_print("inflate", "MB/s", (double)bytes, seconds, bytes);
    return 0;
}
