/*
 * store/map.h - the bytes of a file in memory, without a copy of them.
 *
 * The pages are those of the system's cache, which has them anyway when the file has just been written: so they are not
 * touched a second time, and the system may take them away and bring them back. What cannot be brought back (a disk
 * error, somebody who has cut the file short) comes as SIGBUS, and ends the job with a line that names the file.
 */
#ifndef PARDUP_STORE_MAP_H
#define PARDUP_STORE_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct pd_map {
    unsigned char *v; /* read only; NULL: nothing */
    size_t n;
    bool copied; /* malloc'd: the file could not be mapped */
};

/* The first n bytes (not 0) of an open file, which may be closed afterwards. False: this one cannot be mapped. */
bool pd_map_file(struct pd_map *map, int fd, const char *path, size_t n);

void pd_map_release(struct pd_map *map);

#endif
