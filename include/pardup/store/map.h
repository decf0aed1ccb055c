/*
 * store/map.h - map the first bytes of a file into memory.
 *
 * A mapped file needs no copy: its pages are in the page cache anyway when the file has just been
 * written, and the system may drop them and read them again. If a page cannot be read again (a disk
 * error, or the file was cut short), the process gets SIGBUS. The handler of this module then ends
 * the job with a message that names the file.
 */
#ifndef PARDUP_STORE_MAP_H
#define PARDUP_STORE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed struct maps nothing. */
struct pd_map {
    unsigned char *v; /* the bytes, read only; NULL: none */
    size_t n;         /* how many bytes */
    bool copied;      /* the bytes are a copy from malloc(), because the file could not be mapped */
};

/*
 * Map the first n > 0 bytes of an open file; the descriptor may be closed afterwards. `path` is for
 * messages and is copied. Returns false if the file cannot be mapped.
 */
bool pd_map_file(struct pd_map *map, int fd, const char *path, size_t n);

/*
 * Let pages of mapped files take this number of bytes, as far as users tell pd_map_used(). When
 * they are more, the process gives all pages up. A page that is used again is mapped again: nothing
 * but time is lost.
 */
void pd_map_limit(uint64_t bytes);

/* n bytes of a mapped file will be read that pd_map_round has not counted yet. */
void pd_map_used(size_t n);

/* 1 to 255, another number each time that pages were given up. */
extern unsigned char pd_map_round;

/* Unmap or free the bytes. The struct is zeroed. */
void pd_map_release(struct pd_map *map);

#endif
