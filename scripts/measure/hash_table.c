/*
 * hash_table.c - what an index is measured against: a plain hash table of 128-bit values in memory.
 *
 * hash_table SOURCES TARGETS: two files with a text on each line. The XXH3 value of each line of SOURCES and its number
 * go into a table with open addressing, at least half of whose slots are free. Each line of TARGETS is looked up. Prints bytes,
 * seconds of processor time, and lines found. No words are cut, and no passage is made.
 * Build: cc -O2 -o hash_table hash_table.c -lxxhash
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <xxhash.h>

struct slot {
    uint64_t low, high; /* of the value */
    uint64_t place;     /* number of the line, plus 1; 0: the slot is free */
};

static struct slot *slots;
static uint64_t nslots, used;

static double processor(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The slot of a value: its own, or the free one where it would be. */
static struct slot *find(XXH128_hash_t value)
{
    uint64_t k = value.low64 & (nslots - 1);
    while (slots[k].place && (slots[k].low != value.low64 || slots[k].high != value.high64))
        k = (k + 1) & (nslots - 1);
    return &slots[k];
}

static void *need(void *p, const char *what)
{
    if (!p) {
        perror(what);
        exit(1);
    }
    return p;
}

/* Make room for one more value. */
static void grow(void)
{
    struct slot *const old = slots;
    const uint64_t n = nslots;
    if (2 * (used + 1) <= n)
        return;
    nslots = n ? 2 * n : 1024;
    slots = need(calloc(nslots, sizeof *slots), "memory");
    for (uint64_t k = 0; k < n; k++)
        if (old[k].place)
            *find((XXH128_hash_t){old[k].low, old[k].high}) = old[k];
    free(old);
}

int main(int argc, char **argv)
{
    char *line = NULL;
    size_t room = 0;
    uint64_t lines = 0, asked = 0, found = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: hash_table SOURCES TARGETS\n");
        return 2;
    }
    FILE *sources = need(fopen(argv[1], "r"), argv[1]), *targets = need(fopen(argv[2], "r"), argv[2]);
    double began = processor();
    for (ssize_t n; (n = getline(&line, &room, sources)) > 0; lines++) {
        const XXH128_hash_t value = XXH3_128bits(line, (size_t)n);
        grow();
        struct slot *slot = find(value);
        used += slot->place == 0;
        if (slot->place == 0)
            *slot = (struct slot){value.low64, value.high64, lines + 1};
    }
    const double made = processor() - began;
    began = processor();
    for (ssize_t n; (n = getline(&line, &room, targets)) > 0; asked++)
        found += find(XXH3_128bits(line, (size_t)n))->place != 0;
    const double looked = processor() - began;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("plain hash table: %llu lines, %llu different; %.1f bytes for each different line, %.1f MB resident; made in %.2f s; "
           "%.2f us for a look-up (%llu of %llu found)\n",
           (unsigned long long)lines, (unsigned long long)used, (double)(nslots * sizeof *slots) / (double)used,
           (double)usage.ru_maxrss / 1e3, made, looked / (double)asked * 1e6, (unsigned long long)found, (unsigned long long)asked);
    return 0;
}
