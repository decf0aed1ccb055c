/* index/sections.c - see include/pardup/index/sections.h */
#include "pardup/index/sections.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pardup/base/bytes.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/open.h"

#define MAGIC "PDINDEX\n"
enum { MAGIC_BYTES = 8, VERSION = 9, ALIGNMENT = 8, BEHIND = 8 };
static const uint32_t byte_order = 0x01020304;

/* The first bytes of a file. */
struct head {
    char magic[MAGIC_BYTES];
    uint32_t order, version;
};

struct pd_sections_entry {
    char name[PD_SECTION_NAME];
    uint64_t at, n; /* first byte in the file, bytes */
};

/* The last bytes of a file. In front of them are the sums and then the entries. */
struct tail {
    uint64_t nblocks, nsections;
    uint64_t checksum; /* of the sums, the entries, nblocks and nsections */
    char magic[MAGIC_BYTES];
};

PD_VEC(sums, uint64_t);

struct pd_sections_writer {
    FILE *f;
    char *path;
    uint64_t at; /* bytes written */
    struct pd_sections_entry table[PD_SECTIONS_MOST];
    uint64_t nsections;
    struct sums sums;
    int (*stop)(void);                      /* asked before each block; NULL: nothing is asked */
    unsigned char block[PD_SECTIONS_BLOCK]; /* the block that is being filled */
};

/* ---- writing ---- */

static int cannot_write(const char *path)
{
    return pd_fail(PD_EIO, "%s: %s", path, strerror(errno ? errno : EIO));
}

/* End the block that is being filled: write it, and remember its checksum. */
static int end_block(struct pd_sections_writer *w, size_t n)
{
    if (w->stop)
        PD_TRY(w->stop());
    sums_push(&w->sums, pd_hash_bytes(w->block, n));
    return fwrite(w->block, 1, n, w->f) == n ? PD_OK : cannot_write(w->path);
}

static int put(struct pd_sections_writer *w, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    while (n > 0) {
        const size_t used = w->at % PD_SECTIONS_BLOCK, room = PD_SECTIONS_BLOCK - used;
        const size_t take = n < room ? n : room;
        memcpy(w->block + used, p, take);
        w->at += take;
        p += take;
        n -= take;
        if (take == room)
            PD_TRY(end_block(w, PD_SECTIONS_BLOCK));
    }
    return PD_OK;
}

/* Bytes that are read together with the last bytes of a section, and alignment of the next. */
static int pad(struct pd_sections_writer *w)
{
    static const unsigned char zeros[BEHIND + ALIGNMENT];
    return put(w, zeros, BEHIND + (ALIGNMENT - w->at % ALIGNMENT) % ALIGNMENT);
}

static int end_section(struct pd_sections_writer *w)
{
    if (w->nsections == 0)
        return PD_OK;
    struct pd_sections_entry *last = &w->table[w->nsections - 1];
    last->n = w->at - last->at;
    return pad(w);
}

struct pd_sections_writer *pd_sections_create(const char *path)
{
    struct head head = {.order = byte_order, .version = VERSION};
    memcpy(head.magic, MAGIC, MAGIC_BYTES);
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!f) {
        (void)!cannot_write(path);
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    struct pd_sections_writer *w = pd_zeroed(1, sizeof *w);
    w->f = f;
    w->path = pd_printed("%s", path);
    (void)!put(w, &head, sizeof head); /* stays in the block */
    return w;
}

void pd_sections_stop_when(struct pd_sections_writer *w, int (*stop)(void)) { w->stop = stop; }

int pd_sections_begin(struct pd_sections_writer *w, const char *name)
{
    PD_CHECK(w->nsections < PD_SECTIONS_MOST && strlen(name) < PD_SECTION_NAME);
    PD_TRY(end_section(w));
    struct pd_sections_entry *next = &w->table[w->nsections++];
    strcpy(next->name, name);
    next->at = w->at;
    return PD_OK;
}

int pd_sections_append(struct pd_sections_writer *w, const void *bytes, size_t n)
{
    return put(w, bytes, n);
}

/* Write what the block that is being filled has so far. It is written again when it is full. */
static int write_begun_block(struct pd_sections_writer *w)
{
    const size_t n = w->at % PD_SECTIONS_BLOCK;
    const bool written =
        fflush(w->f) == 0 && pwrite(fileno(w->f), w->block, n, (off_t)(w->at - n)) == (ssize_t)n;
    return written ? PD_OK : cannot_write(w->path);
}

int pd_sections_look_back(struct pd_sections_writer *w, const char *name, struct pd_map *map,
                          const unsigned char **v)
{
    uint64_t k = 0;
    while (strcmp(w->table[k].name, name) != 0)
        PD_CHECK(++k + 1 < w->nsections);
    PD_TRY(write_begun_block(w));
    const int fd = open(w->path, O_RDONLY | O_CLOEXEC);
    const bool mapped = fd >= 0 && pd_map_file(map, fd, w->path, w->at);
    const int status = mapped ? PD_OK : pd_fail(PD_EIO, "%s: %s", w->path, strerror(errno));
    if (fd >= 0)
        close(fd);
    *v = mapped ? map->v + w->table[k].at : NULL;
    return status;
}

/* The checksum of the tables at the end of a file. */
static uint64_t checksum_of(const uint64_t *block_sums, uint64_t nblocks,
                            const struct pd_sections_entry *table, uint64_t nsections)
{
    const uint64_t parts[] = {pd_hash_bytes(block_sums, nblocks * sizeof *block_sums),
                              pd_hash_bytes(table, nsections * sizeof *table), nblocks, nsections};
    return pd_hash_bytes(parts, sizeof parts);
}

static int write_end(struct pd_sections_writer *w, uint64_t *checksum)
{
    PD_TRY(end_section(w));
    if (w->at % PD_SECTIONS_BLOCK)
        PD_TRY(end_block(w, w->at % PD_SECTIONS_BLOCK));
    struct tail tail = {.nblocks = w->sums.n, .nsections = w->nsections};
    tail.checksum = checksum_of(w->sums.v, w->sums.n, w->table, w->nsections);
    memcpy(tail.magic, MAGIC, MAGIC_BYTES);
    if (checksum)
        *checksum = tail.checksum;
    errno = 0;
    return fwrite(w->sums.v, sizeof *w->sums.v, w->sums.n, w->f) == w->sums.n &&
                   fwrite(w->table, sizeof *w->table, w->nsections, w->f) == w->nsections &&
                   fwrite(&tail, sizeof tail, 1, w->f) == 1 && fflush(w->f) == 0 &&
                   fsync(fileno(w->f)) == 0
               ? PD_OK
               : cannot_write(w->path);
}

static void free_writer(struct pd_sections_writer *w)
{
    free(w->path);
    sums_release(&w->sums);
    free(w);
}

int pd_sections_finish(struct pd_sections_writer *w, uint64_t *checksum)
{
    int status = write_end(w, checksum);
    if (fclose(w->f) != 0 && status >= 0)
        status = cannot_write(w->path);
    if (status < 0)
        unlink(w->path);
    free_writer(w);
    return status;
}

void pd_sections_abandon(struct pd_sections_writer *w)
{
    if (!w)
        return;
    fclose(w->f);
    unlink(w->path);
    free_writer(w);
}

/* ---- reading ---- */

static int damaged(const struct pd_sections *s, uint64_t at)
{
    return pd_fail(PD_EFORMAT, "%s: damaged at byte %llu; make the index again", s->path,
                   (unsigned long long)at);
}

bool pd_sections_is(const char *path)
{
    char magic[MAGIC_BYTES];
    FILE *f = fopen(path, "re");
    const bool read = f && fread(magic, 1, sizeof magic, f) == sizeof magic;
    if (f)
        fclose(f);
    return read && memcmp(magic, MAGIC, MAGIC_BYTES) == 0;
}

/* Look at the head and the tables. */
static int read_tables(struct pd_sections *s)
{
    const struct head *head = (const struct head *)(const void *)s->map.v;
    struct tail tail;
    if (s->map.n < sizeof *head + sizeof tail || memcmp(head->magic, MAGIC, MAGIC_BYTES) != 0)
        return pd_fail(PD_EFORMAT, "%s: no file of an index of pardup", s->path);
    if (head->order != byte_order)
        return pd_fail(PD_EFORMAT, "%s: made on a machine with another byte order", s->path);
    if (head->version != VERSION)
        return pd_fail(
            PD_EFORMAT,
            "%s: version %u of the format, this pardup reads version %d: make the index again by "
            "pardup index -o",
            s->path, head->version, VERSION);
    memcpy(&tail, s->map.v + s->map.n - sizeof tail, sizeof tail);
    const uint64_t most = s->map.n / sizeof(uint64_t);
    if (memcmp(tail.magic, MAGIC, MAGIC_BYTES) != 0 || tail.nblocks > most ||
        tail.nsections > PD_SECTIONS_MOST)
        return pd_fail(PD_EFORMAT, "%s: cut short or damaged; make the index again", s->path);
    const uint64_t tables =
        tail.nblocks * sizeof *s->sums + tail.nsections * sizeof *s->table + sizeof tail;
    const uint64_t body = s->map.n - tables;
    if (tables > s->map.n || body % sizeof(uint64_t) ||
        (body + PD_SECTIONS_BLOCK - 1) / PD_SECTIONS_BLOCK != tail.nblocks)
        return pd_fail(PD_EFORMAT, "%s: cut short or damaged; make the index again", s->path);
    s->sums = (const uint64_t *)(const void *)(s->map.v + body);
    s->table = (const struct pd_sections_entry *)(const void *)(s->sums + tail.nblocks);
    s->nblocks = tail.nblocks;
    s->nsections = tail.nsections;
    s->checksum = tail.checksum;
    if (checksum_of(s->sums, s->nblocks, s->table, s->nsections) != tail.checksum)
        return damaged(s, body);
    s->checked = pd_zeroed(s->nblocks, 1);
    return PD_OK;
}

int pd_sections_open(struct pd_sections *s, const char *path)
{
    struct stat st;
    s->path = pd_printed("%s", path);
    const int fd = pd_open_regular(path);
    if (fd < 0)
        return PD_EIO;
    int status = fstat(fd, &st) == 0 ? PD_OK : cannot_write(path);
    if (status >= 0 && st.st_size == 0)
        status = pd_fail(PD_EFORMAT, "%s: no file of an index of pardup", path);
    if (status >= 0 && !pd_map_file(&s->map, fd, path, (size_t)st.st_size))
        status = cannot_write(path);
    close(fd);
    return status < 0 ? status : read_tables(s);
}

void pd_sections_close(struct pd_sections *s)
{
    pd_map_release(&s->map);
    PD_FREE(s->path, s->checked);
    *s = (struct pd_sections){.path = NULL};
}

int pd_sections_find(struct pd_sections *s, const char *name, struct pd_section *section)
{
    const uint64_t body = (uint64_t)((const unsigned char *)s->sums - s->map.v);
    for (uint64_t k = 0; k < s->nsections; k++) {
        const struct pd_sections_entry *e = &s->table[k];
        if (strncmp(e->name, name, PD_SECTION_NAME) != 0)
            continue;
        if (e->at > body || e->n > body - e->at || body - e->at - e->n < BEHIND)
            return damaged(s, body);
        *section = (struct pd_section){s, s->map.v + e->at, e->n};
        return PD_OK;
    }
    return pd_fail(PD_EFORMAT, "%s: has no section %s; make the index again", s->path, name);
}

uint64_t pd_sections_bytes(const struct pd_sections *s, const char *name)
{
    for (uint64_t k = 0; k < s->nsections; k++)
        if (strncmp(s->table[k].name, name, PD_SECTION_NAME) == 0)
            return s->table[k].n;
    return 0;
}

int pd_section_check_blocks(const struct pd_section *section, uint64_t from, uint64_t n)
{
    struct pd_sections *s = section->file;
    if (n == 0)
        return PD_OK;
    const uint64_t begin = (uint64_t)(section->v - s->map.v) + from;
    if (from > section->n || n > section->n - from)
        return damaged(s, begin);
    const uint64_t last = (begin + n - 1) / PD_SECTIONS_BLOCK;
    for (uint64_t k = begin / PD_SECTIONS_BLOCK; k <= last; k++) {
        if (s->checked[k] == pd_map_round)
            continue;
        pd_map_used(PD_SECTIONS_MAPPED);
        const uint64_t at = k * PD_SECTIONS_BLOCK;
        const uint64_t body = (uint64_t)((const unsigned char *)s->sums - s->map.v);
        const uint64_t end = at + PD_SECTIONS_BLOCK < body ? at + PD_SECTIONS_BLOCK : body;
        if (!s->checked[k] && pd_hash_bytes(s->map.v + at, end - at) != s->sums[k])
            return damaged(s, at);
        s->checked[k] = pd_map_round;
    }
    return PD_OK;
}
