/*
 * store/packed.c - see include/pardup/store/packed.h
 *
 * A file is MAGIC, the blocks, the index and a footer. A block is a struct block_head and its
 * bytes: packed, or as they are if packing does not make them shorter or is not wanted. The index
 * has for each block the byte where it begins, a u64.
 */
#include "pardup/store/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <zstd.h>

#include "deltas.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"

/* "pudpack3" as a number. A file from a machine of another byte order has another number. */
#define MAGIC UINT64_C(0x336B636170647570)

enum { LEVEL = 1 }; /* of zstd; disks and page cache are hardly faster than this level */

struct block_head {
    uint32_t raw;    /* bytes of the unpacked block */
    uint32_t stored; /* bytes in the file; equal to raw: not packed */
    uint64_t sum;    /* checksum: block_sum() */
};

struct footer {
    uint64_t nblocks;  /* blocks of the file */
    uint64_t index_at; /* where the index begins, bytes */
    uint64_t deltas;   /* blocks are packed as deltas: size of a record, plus 1; 0: with zstd */
    uint64_t sum;      /* checksum: index_sum() */
    uint64_t magic;    /* MAGIC */
};

PD_VEC(offsets, uint64_t);
PD_VEC(blocks, struct pd_bytes);

struct pd_packed {
    char *path;     /* allocated */
    uint64_t place; /* hash of the name of the file: a part of every checksum */
    int fd;
    bool named;             /* the file is new and still has its name */
    bool finished;          /* the index is written */
    bool plain;             /* new blocks are stored without compression */
    bool deltas;            /* blocks are packed as deltas, not with zstd */
    size_t record;          /* deltas: bytes of a record; 0: each record has its size */
    uint64_t end;           /* end of the blocks, bytes: the next block or the index begins there */
    uint64_t file_end;      /* bytes of the file */
    struct offsets index;   /* per block: where it begins, bytes */
    struct blocks held;     /* the first blocks, which are held in memory, unpacked */
    size_t hold;            /* bytes of records that may still be held in memory */
    struct pd_bytes block;  /* records of the current block */
    struct pd_bytes stored; /* a block as it is packed, or as it is read from disk, with its head */
    ZSTD_CCtx *pack;        /* NULL until the first use */
    ZSTD_DCtx *unpack;      /* NULL until the first use */
};

/* ---- bytes of the file ---- */

static int damaged(const struct pd_packed *f, uint64_t at, const char *what)
{
    return pd_fail(PD_EFORMAT, "%s: byte %llu: damaged (%s)", f->path, (unsigned long long)at,
                   what);
}

/* Write n buffers one after the other to the file, from byte `at` on. `buffers` is changed. */
static int write_buffers(const struct pd_packed *f, uint64_t at, struct iovec *buffers, int n)
{
    while (n > 0) {
        const ssize_t put = pwritev(f->fd, buffers, n, (off_t)at);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return pd_fail(PD_EIO, "%s: %s", f->path, strerror(put < 0 ? errno : EIO));
        at += (size_t)put;
        size_t left = (size_t)put;
        for (; n > 0 && left >= buffers->iov_len; n--)
            left -= (buffers++)->iov_len;
        if (n > 0) {
            buffers->iov_base = (char *)buffers->iov_base + left;
            buffers->iov_len -= left;
        }
    }
    return PD_OK;
}

static int write_at(const struct pd_packed *f, uint64_t at, const void *v, size_t n)
{
    struct iovec all = {(void *)(uintptr_t)v, n};
    return write_buffers(f, at, &all, n > 0);
}

static int read_at(const struct pd_packed *f, uint64_t at, void *v, size_t n)
{
    for (size_t done = 0; done < n;) {
        const ssize_t got = pread(f->fd, (char *)v + done, n - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return pd_fail(PD_EIO, "%s: %s", f->path, strerror(errno));
        if (got == 0)
            return damaged(f, at + done, "cut short");
        done += (size_t)got;
    }
    return PD_OK;
}

/*
 * The checksum of a block. It covers the bytes on disk, not the unpacked bytes, because a zstd
 * frame has bits that make no difference. It covers `at`, where the block begins, and the name of
 * the file, so that a block in a wrong position or a wrong file is noticed, too.
 */
static uint64_t block_sum(const struct pd_packed *f, const struct block_head *h, const void *bytes,
                          uint64_t at)
{
    return pd_mix(pd_mix((uint64_t)h->raw << 32 | h->stored) ^ f->place ^ at) ^
           pd_hash_bytes(bytes, h->stored);
}

/*
 * The checksum of the index, of `deltas` of the footer and of the name of the file. Errors in the
 * other members of the footer are noticed without a checksum.
 */
static uint64_t index_sum(const struct pd_packed *f, uint64_t deltas)
{
    return pd_hash_bytes(f->index.v, f->index.n * sizeof *f->index.v) ^ pd_mix(deltas ^ f->place);
}

/* ---- opening ---- */

static struct pd_packed *open_as(const char *path, int flags)
{
    const int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (fd < 0) {
        (void)!pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
        return NULL;
    }
    struct pd_packed *f = pd_realloc(NULL, 1, sizeof *f);
    *f = (struct pd_packed){.fd = fd, .place = pd_hash_bytes(name, strlen(name))};
    f->path = pd_printed("%s", path);
    return f;
}

struct pd_packed *pd_packed_create(const char *path)
{
    struct pd_packed *f = open_as(path, O_RDWR | O_CREAT | O_TRUNC);
    if (!f)
        return NULL;
    const uint64_t magic = MAGIC;
    f->named = true;
    f->end = f->file_end = sizeof magic;
    if (write_at(f, 0, &magic, sizeof magic) < 0) {
        pd_packed_close(f);
        return NULL;
    }
    return f;
}

void pd_packed_as_u64s(struct pd_packed *f, size_t size)
{
    PD_CHECK(f->index.n == 0 && size % sizeof(uint64_t) == 0);
    f->deltas = true;
    f->record = size;
}

/* Where block k ends in the file. */
static uint64_t block_end(const struct pd_packed *f, size_t k)
{
    return k + 1 < f->index.n ? f->index.v[k + 1] : f->end;
}

/* True: the blocks follow each other without a gap, from the first MAGIC to the index. */
static bool index_is_sound(const struct pd_packed *f)
{
    if ((f->index.n ? f->index.v[0] : f->end) != sizeof(uint64_t))
        return false;
    for (size_t k = 0; k < f->index.n; k++) {
        const uint64_t from = f->index.v[k], to = block_end(f, k);
        if (to > f->end || from > to || to - from <= sizeof(struct block_head))
            return false;
    }
    return true;
}

/*
 * Read and check footer and index. The index is never longer than the file, so a damaged file does
 * not make the process allocate too much.
 */
static int read_index(struct pd_packed *f)
{
    struct stat st;
    struct footer foot;
    uint64_t magic;
    if (fstat(f->fd, &st))
        return pd_fail(PD_EIO, "%s: %s", f->path, strerror(errno));
    f->file_end = (uint64_t)st.st_size;
    if (f->file_end < sizeof magic + sizeof foot)
        return damaged(f, f->file_end, "cut short");
    const uint64_t foot_at = f->file_end - sizeof foot;
    PD_TRY(read_at(f, 0, &magic, sizeof magic));
    PD_TRY(read_at(f, foot_at, &foot, sizeof foot));
    if (magic != MAGIC)
        return damaged(f, 0, "not a file of blocks");
    if (foot.magic != MAGIC || foot.index_at > foot_at || foot.nblocks > UINT32_MAX ||
        foot.nblocks * sizeof *f->index.v != foot_at - foot.index_at)
        return damaged(f, foot_at, "no footer: not finished, or cut short");
    offsets_reserve(&f->index, foot.nblocks);
    f->index.n = foot.nblocks;
    f->end = foot.index_at;
    PD_TRY(read_at(f, f->end, f->index.v, foot_at - f->end));
    if (index_sum(f, foot.deltas) != foot.sum || !index_is_sound(f))
        return damaged(f, f->end, "index, or a file of another name");
    f->deltas = foot.deltas;
    f->record = foot.deltas ? foot.deltas - 1 : 0;
    return PD_OK;
}

struct pd_packed *pd_packed_open(const char *path)
{
    struct pd_packed *f = open_as(path, O_RDONLY);
    if (!f)
        return NULL;
    f->finished = true;
    if (read_index(f) < 0) {
        pd_packed_close(f);
        return NULL;
    }
    return f;
}

/* ---- packing ---- */

/*
 * Give f->stored room for a block of n bytes. It grows once for most files, as it has room for a
 * usual block from the first call on.
 */
static unsigned char *room_to_store(struct pd_packed *f, size_t n)
{
    pd_bytes_reserve(&f->stored, sizeof(struct block_head) + PD_PACKED_BLOCK + PD_DELTAS_SLACK);
    pd_bytes_reserve(&f->stored, n + PD_DELTAS_SLACK);
    return f->stored.v;
}

/*
 * Pack the n bytes at v to less than n bytes in f->stored. Returns the packed bytes; 0: packing
 * does not make them shorter, or is not wanted.
 */
static size_t pack(struct pd_packed *f, const void *v, size_t n)
{
    if (f->plain)
        return 0;
    unsigned char *to = room_to_store(f, n);
    if (f->deltas)
        return pd_deltas_pack(to, n - 1, v, n, f->record);
    if (!f->pack && !(f->pack = ZSTD_createCCtx()))
        pd_panic("out of memory: zstd");
    const size_t packed = ZSTD_compressCCtx(f->pack, to, n - 1, v, n, LEVEL);
    return ZSTD_isError(packed) ? 0 : packed;
}

/* Unpack a block to `to`. False: the packed bytes are damaged. */
static bool unpack(struct pd_packed *f, unsigned char *to, const struct block_head *head,
                   const unsigned char *bytes)
{
    if (f->deltas)
        return pd_deltas_unpack(to, head->raw, bytes, head->stored, f->record);
    if (!f->unpack && !(f->unpack = ZSTD_createDCtx()))
        pd_panic("out of memory: zstd");
    return ZSTD_decompressDCtx(f->unpack, to, head->raw, bytes, head->stored) == head->raw;
}

/* ---- writing ---- */

void pd_packed_hold(struct pd_packed *f, size_t bytes)
{
    PD_CHECK(!f->finished && !f->named && !f->index.n);
    f->hold = bytes;
}

static void hold_block(struct pd_packed *f, const void *v, size_t n)
{
    struct pd_bytes block = {0};
    pd_bytes_append(&block, v, n);
    blocks_push(&f->held, block);
    offsets_push(&f->index, f->end);
    f->hold -= n;
}

/* Add the n bytes at v as a block. After a failure to write, f is unchanged. */
static int write_block(struct pd_packed *f, const void *v, size_t n)
{
    if (n <= f->hold) {
        hold_block(f, v, n);
        return PD_OK;
    }
    f->hold = 0; /* later blocks go to disk */
    struct block_head head = {.raw = (uint32_t)n, .stored = (uint32_t)n};
    const size_t packed = pack(f, v, n);
    const void *bytes = packed ? f->stored.v : v;
    if (packed)
        head.stored = (uint32_t)packed;
    head.sum = block_sum(f, &head, bytes, f->end);
    PD_CHECK(f->index.n < UINT32_MAX);
    struct iovec buffers[] = {{&head, sizeof head}, {(void *)(uintptr_t)bytes, head.stored}};
    PD_TRY(write_buffers(f, f->end, buffers, 2));
    offsets_push(&f->index, f->end);
    f->end += sizeof head + head.stored;
    f->file_end = f->end;
    return PD_OK;
}

int pd_packed_append(struct pd_packed *f, const void *rec, size_t n, struct pd_packed_at *at)
{
    PD_CHECK(!f->finished && n > 0 && n <= UINT32_MAX);
    if (f->block.n && f->block.n + n > PD_PACKED_BLOCK)
        PD_TRY(pd_packed_end_block(f));
    if (at)
        *at = (struct pd_packed_at){(uint32_t)f->index.n, (uint32_t)f->block.n};
    if (n >= PD_PACKED_BLOCK)
        return write_block(f, rec, n);
    pd_bytes_reserve(&f->block, PD_PACKED_BLOCK);
    pd_bytes_append(&f->block, rec, n);
    return PD_OK;
}

void pd_packed_store_plain(struct pd_packed *f, bool plain)
{
    PD_CHECK(!f->block.n);
    f->plain = plain;
}

int pd_packed_end_block(struct pd_packed *f)
{
    PD_CHECK(!f->finished);
    if (f->block.n)
        PD_TRY(write_block(f, f->block.v, f->block.n));
    f->block.n = 0;
    return PD_OK;
}

int pd_packed_finish(struct pd_packed *f)
{
    PD_TRY(pd_packed_end_block(f));
    const size_t bytes = f->index.n * sizeof *f->index.v;
    const uint64_t deltas = f->deltas ? f->record + 1 : 0;
    const struct footer foot = {.nblocks = f->index.n,
                                .index_at = f->end,
                                .deltas = deltas,
                                .sum = index_sum(f, deltas),
                                .magic = MAGIC};
    PD_TRY(write_at(f, f->end, f->index.v, bytes));
    PD_TRY(write_at(f, f->end + bytes, &foot, sizeof foot));
    f->file_end = f->end + bytes + sizeof foot;
    f->finished = true;
    ZSTD_freeCCtx(f->pack);
    f->pack = NULL;
    pd_bytes_release(&f->block);
    return PD_OK;
}

/* ---- reading ---- */

uint32_t pd_packed_blocks(const struct pd_packed *f) { return (uint32_t)f->index.n; }

uint64_t pd_packed_stored(const struct pd_packed *f) { return f->file_end; }

const char *pd_packed_path(const struct pd_packed *f) { return f->path; }

int pd_packed_load(struct pd_packed *f, uint32_t k, struct pd_bytes *to)
{
    PD_CHECK(k < f->index.n);
    to->n = 0;
    if (k < f->held.n) {
        pd_bytes_append(to, f->held.v[k].v, f->held.v[k].n);
        return PD_OK;
    }
    struct block_head head;
    const uint64_t at = f->index.v[k], size = block_end(f, k) - at;
    PD_TRY(read_at(f, at, room_to_store(f, size), size));
    memcpy(&head, f->stored.v, sizeof head);
    const unsigned char *bytes = f->stored.v + sizeof head;
    if (head.stored != size - sizeof head || head.sum != block_sum(f, &head, bytes, at))
        return damaged(f, at, "checksum");
    if (head.stored == head.raw) {
        pd_bytes_append(to, bytes, head.raw);
        return PD_OK;
    }
    pd_bytes_reserve(to, head.raw);
    if (!unpack(f, to->v, &head, bytes))
        return damaged(f, at, f->deltas ? "deltas" : "zstd");
    to->n = head.raw;
    return PD_OK;
}

int pd_packed_map(const struct pd_packed *f, uint32_t end, struct pd_map *to)
{
    PD_CHECK(f->finished && !f->held.n && end <= f->index.n);
    const size_t n = end < f->index.n ? f->index.v[end] : f->end;
    if (pd_map_file(to, f->fd, f->path, n))
        return PD_OK;
    *to = (struct pd_map){pd_realloc(NULL, n, 1), n, true};
    const int status = read_at(f, 0, to->v, n);
    if (status < 0)
        pd_map_release(to);
    return status;
}

uint64_t pd_packed_offset(const struct pd_packed *f, uint32_t k)
{
    PD_CHECK(k < f->index.n);
    return f->index.v[k] + sizeof(struct block_head);
}

int pd_packed_verify(struct pd_packed *f)
{
    struct pd_bytes block = {0};
    int status = PD_OK;
    for (uint32_t k = 0; status == PD_OK && k < pd_packed_blocks(f); k++)
        status = pd_packed_load(f, k, &block);
    pd_bytes_release(&block);
    return status;
}

/* ---- the end ---- */

int pd_packed_forget(struct pd_packed *f)
{
    if (f->named && unlink(f->path))
        return pd_fail(PD_EIO, "%s: %s", f->path, strerror(errno));
    f->named = false;
    return PD_OK;
}

void pd_packed_close(struct pd_packed *f)
{
    if (!f)
        return;
    if (f->named && !f->finished)
        unlink(f->path);
    close(f->fd);
    ZSTD_freeCCtx(f->pack);
    ZSTD_freeDCtx(f->unpack);
    offsets_release(&f->index);
    for (size_t k = 0; k < f->held.n; k++)
        pd_bytes_release(&f->held.v[k]);
    blocks_release(&f->held);
    PD_RELEASE(pd_bytes, &f->block, &f->stored);
    PD_FREE(f->path, f);
}
