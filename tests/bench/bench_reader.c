/* Archives to pages as stored: inflating, records, HTTP. MB are those of the pages. */
#include <stdio.h>
#include <sys/stat.h>

#include "bench.h"
#include "pardup/base/error.h"
#include "pardup/corpus/reader.h"

/* The pages of a file, and their bytes. */
static uint64_t read_file(struct pd_reader *reader, const char *path, double *bytes)
{
    struct pd_file file = {.path = (char *)path};
    struct stat st;
    struct pd_raw raw;
    uint64_t pages = 0;
    if (stat(path, &st) != 0)
        return 0;
    file.bytes = (uint64_t)st.st_size;
    const struct pd_piece all = {.nstripes = 1, .to = file.bytes};
    if (pd_reader_open(reader, &file, &all) != PD_OK)
        return 0;
    for (; pd_reader_next(reader, &raw) == PD_OK; pages++)
        *bytes += (double)raw.n;
    return pages;
}

int main(int argc, char **argv)
{
    const struct pd_reader_options options = {0};
    struct pd_reader *reader = pd_reader_new(&options);
    double seconds[BENCH_REPEATS], bytes = 0;
    uint64_t pages = 0;
    for (int r = 0; r < BENCH_REPEATS; r++) {
        const double start = bench_seconds();
        bytes = 0;
        pages = 0;
        for (int k = 1; k < argc; k++)
            pages += read_file(reader, argv[k], &bytes);
        seconds[r] = bench_seconds() - start;
    }
    pd_reader_free(reader);
    if (pages == 0) {
        fprintf(stderr, "usage: %s FILE...   archives or pages, as pardup reads them\n", argv[0]);
        return 2;
    }
    bench_print("reader", "MB/s", bytes, seconds, pages);
    return 0;
}
