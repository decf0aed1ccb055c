/*
 * index/sections.h - a file of named sections, which is mapped and checked where it is read.
 *
 * An index (docs/queries.md) is a folder of such files. A file is written once, from its begin to
 * its end. Behind the sections are a checksum of each block of PD_SECTIONS_BLOCK bytes and the
 * table of sections. Opening a file reads the two tables only. A block is checked when it is first
 * asked for, so a query costs no more than the blocks that it reads. A damaged block, a file that
 * was cut short and a file of another kind, version or byte order are failures with one clear line.
 */
#ifndef PARDUP_INDEX_SECTIONS_H
#define PARDUP_INDEX_SECTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/error.h"
#include "pardup/store/map.h"

enum {
    PD_SECTIONS_BLOCK = 1 << 15,                /* bytes that have a checksum of their own */
    PD_SECTIONS_MAPPED = 2 * PD_SECTIONS_BLOCK, /* bytes that Linux maps around a block, at most */
    PD_SECTION_NAME = 16,                       /* bytes of the name of a section, with its NUL */
    PD_SECTIONS_MOST = 24                       /* sections of a file */
};

/* ---- writing ---- */

struct pd_sections_writer;

/* Create a file, which must not be there. NULL after pd_fail(PD_EIO). */
struct pd_sections_writer *pd_sections_create(const char *path);

/*
 * Ask `stop` before each block is written. Any other result than PD_OK is the result of the call
 * that would write the block.
 */
void pd_sections_stop_when(struct pd_sections_writer *w, int (*stop)(void));

/* Begin the next section. It ends where the next one begins. PD_OK or PD_EIO. */
int pd_sections_begin(struct pd_sections_writer *w, const char *name);

/* Append bytes to the section. PD_OK or PD_EIO. */
int pd_sections_append(struct pd_sections_writer *w, const void *bytes, size_t n);

/*
 * Map a section that has ended, while the file is still written. *v: its bytes; at least 8 bytes
 * follow them. The caller releases the map. PD_OK or PD_EIO.
 */
int pd_sections_look_back(struct pd_sections_writer *w, const char *name, struct pd_map *map,
                          const unsigned char **v);

/*
 * Write the tables, sync and close the file, and free w in any case. *checksum, unless NULL: stands
 * for the whole file. PD_OK or PD_EIO; after a failure the file is deleted.
 */
int pd_sections_finish(struct pd_sections_writer *w, uint64_t *checksum);

/* Delete the file and free w, which may be NULL. */
void pd_sections_abandon(struct pd_sections_writer *w);

/* ---- reading ---- */

struct pd_sections {
    struct pd_map map;
    char *path;                            /* allocated */
    uint64_t checksum;                     /* as pd_sections_finish gave it */
    const struct pd_sections_entry *table; /* in the map */
    uint64_t nsections, nblocks;
    const uint64_t *sums; /* in the map: a checksum for each block */
    /* a byte for each block: not 0 if it is sound; pd_map_round if it is mapped, too */
    unsigned char *checked;
};

/* A section of an open file. */
struct pd_section {
    struct pd_sections *file; /* borrowed */
    const unsigned char *v;   /* its bytes in the map; at least 8 bytes follow them */
    uint64_t n;
};

/* Does a file begin as a file of an index does, whatever its version is and however it goes on? */
bool pd_sections_is(const char *path);

/* Open a file. *s is zeroed. PD_OK, PD_EIO or PD_EFORMAT; to be closed in any case. */
int pd_sections_open(struct pd_sections *s, const char *path);
void pd_sections_close(struct pd_sections *s);

/* Find a section. PD_OK, or PD_EFORMAT (there is none of this name). */
int pd_sections_find(struct pd_sections *s, const char *name, struct pd_section *section);

/* The bytes of a section; 0: there is none of this name. */
uint64_t pd_sections_bytes(const struct pd_sections *s, const char *name);

/* Called by pd_section_check for bytes of several blocks, or of one that is not checked and mapped. */
int pd_section_check_blocks(const struct pd_section *section, uint64_t from, uint64_t n);

/*
 * Check bytes [from, from + n) of a section, unless that has been done. PD_OK, or PD_EFORMAT (the
 * file is damaged, or the section has no such bytes).
 */
static inline int pd_section_check(const struct pd_section *section, uint64_t from, uint64_t n)
{
    const uint64_t begin = (uint64_t)(section->v - section->file->map.v) + from;
    const uint64_t block = begin / PD_SECTIONS_BLOCK;
    return from <= section->n && n <= section->n - from && n > 0 &&
                   section->file->checked[block] == pd_map_round &&
                   (begin + n - 1) / PD_SECTIONS_BLOCK == block
               ? PD_OK
               : pd_section_check_blocks(section, from, n);
}

/* The number in `bytes` bytes (1 to 8) at p, the lowest byte first. 8 bytes must be readable. */
static inline uint64_t pd_packed_number(const unsigned char *p, unsigned bytes)
{
    uint64_t x;
    __builtin_memcpy(&x, p, sizeof x);
    return bytes == sizeof x ? x : x & (((uint64_t)1 << 8 * bytes) - 1);
}

/* How many bytes hold all numbers below n: 1 to 8. */
static inline unsigned pd_bytes_below(uint64_t n)
{
    unsigned bytes = 1;
    while (bytes < sizeof n && n > (uint64_t)1 << 8 * bytes)
        bytes++;
    return bytes;
}

#endif
