/*
 * store/volume.c - see include/pardup/store/volume.h
 *
 * The file of a volume is the blocks of blobs, a block for each array that is not empty, and a
 * block with the struct head.
 */
#include "pardup/store/volume.h"

#include <stdlib.h>

#include "pardup/base/error.h"

enum {
    VOLUME_FORMAT = 15, /* version of the file's format */
    ARRAYS = 10         /* arrays of a volume that are in its file */
};

struct head {
    uint64_t format;    /* VOLUME_FORMAT */
    uint64_t nblocks;   /* blocks of blobs */
    uint64_t n[ARRAYS]; /* items of each array */
    struct pd_volume_counts counts;
};

/* An array of a volume. */
struct array {
    void *vec;   /* the array, of any type that PD_VEC made: see struct shape */
    size_t size; /* bytes of an item */
    bool plain;  /* stored without compression */
};

#define ARRAY(vec) ((struct array){(void *)(vec), sizeof *(vec)->v, false})

static void list_arrays(const struct pd_volume *v, struct array arrays[ARRAYS])
{
    arrays[0] = ARRAY(&v->fragments);
    arrays[1] = ARRAY(&v->skips);
    arrays[2] = ARRAY(&v->docs);
    arrays[3] = ARRAY(&v->ids);
    arrays[4] = ARRAY(&v->terms);
    arrays[4].plain = true; /* hashes cannot be compressed */
    arrays[5] = ARRAY(&v->df);
    arrays[6] = ARRAY(&v->forms);
    arrays[7] = ARRAY(&v->form_ends);
    arrays[8] = ARRAY(&v->spellings);
    arrays[9] = ARRAY(&v->singles);
}

/* The members of every array that PD_VEC makes. */
struct shape {
    void *v;
    size_t n, cap;
};

/* Free the memory of an array beyond its items: nothing will be added. */
static void trim(void *vec, size_t size)
{
    struct shape *s = vec;
    if (!s->n || s->n == s->cap)
        return;
    s->v = pd_realloc(s->v, s->n, size);
    s->cap = s->n;
}

int pd_volume_begin(struct pd_volume *v, const char *path)
{
    v->file = pd_packed_create(path);
    if (!v->file)
        return PD_EIO;
    /* zstd would make blobs a seventh shorter, but takes longer than numbering their words does */
    pd_packed_store_plain(v->file, true);
    return PD_OK;
}

/*
 * Write the current block to the file while it is in the cache. Its memory is used for the next
 * block.
 */
static int write_block(struct pd_volume *v)
{
    PD_TRY(pd_packed_append(v->file, v->block.v, v->block.n, NULL));
    PD_TRY(pd_packed_end_block(v->file));
    v->block.n = 0;
    v->nblocks++;
    return PD_OK;
}

int pd_volume_push(struct pd_volume *v, const struct pd_sentence *sentences,
                   const struct pd_fringe *fringes, size_t n, const struct pd_token *tokens,
                   uint64_t *bytes)
{
    struct pd_docrec *doc = &v->docs.v[v->docs.n - 1];
    if (v->block.n >= PD_PACKED_BLOCK)
        PD_TRY(write_block(v));
    doc->block = v->nblocks;
    doc->at = (uint32_t)v->block.n;
    pd_blob_encode(sentences, fringes, n, tokens, &v->block);
    *bytes += v->block.n - doc->at;
    return PD_OK;
}

uint64_t pd_volume_bytes(const struct pd_volume *v)
{
    struct array arrays[ARRAYS];
    uint64_t bytes = v->map.n + (v->flags ? v->terms.n : 0);
    list_arrays(v, arrays);
    for (int k = 0; k < ARRAYS; k++)
        bytes += ((const struct shape *)arrays[k].vec)->cap * arrays[k].size;
    return bytes;
}

static int write_arrays(struct pd_volume *v, struct head *head)
{
    struct array arrays[ARRAYS];
    list_arrays(v, arrays);
    for (int k = 0; k < ARRAYS; k++) {
        const struct shape *s = arrays[k].vec;
        head->n[k] = s->n;
        pd_packed_store_plain(v->file, arrays[k].plain);
        if (s->n)
            PD_TRY(pd_packed_append(v->file, s->v, s->n * arrays[k].size, NULL));
        PD_TRY(pd_packed_end_block(v->file));
        trim(arrays[k].vec, arrays[k].size);
    }
    return PD_OK;
}

int pd_volume_end(struct pd_volume *v)
{
    if (v->block.n)
        PD_TRY(write_block(v));
    struct head head = {.format = VOLUME_FORMAT, .nblocks = v->nblocks, .counts = v->counts};
    pd_bytes_release(&v->block);
    PD_TRY(write_arrays(v, &head));
    PD_TRY(pd_packed_append(v->file, &head, sizeof head, NULL));
    return pd_packed_finish(v->file);
}

static int not_a_volume(const struct pd_packed *f)
{
    return pd_fail(PD_EFORMAT, "%s: not a volume of documents", pd_packed_path(f));
}

static int read_head(struct pd_packed *f, struct head *head)
{
    struct pd_bytes block = {0};
    const uint32_t n = pd_packed_blocks(f);
    int status = n ? pd_packed_load(f, n - 1, &block) : not_a_volume(f);
    if (status >= 0 && block.n != sizeof *head)
        status = not_a_volume(f);
    if (status >= 0)
        memcpy(head, block.v, sizeof *head);
    pd_bytes_release(&block);
    if (status >= 0 && head->format != VOLUME_FORMAT)
        return pd_fail(PD_EFORMAT, "%s: was written by another version of pardup",
                       pd_packed_path(f));
    return status;
}

/* Read the arrays, which lie between the blobs and the head. */
static int read_arrays(struct pd_volume *v, struct pd_packed *f, const struct head *head)
{
    const uint32_t end = pd_packed_blocks(f) - 1;
    uint64_t at = head->nblocks;
    struct array arrays[ARRAYS];
    list_arrays(v, arrays);
    for (int k = 0; k < ARRAYS; k++) {
        struct shape *s = arrays[k].vec;
        struct pd_bytes bytes = {0};
        free(s->v);
        *s = (struct shape){0};
        if (!head->n[k])
            continue;
        const int status = at < end ? pd_packed_load(f, (uint32_t)at++, &bytes) : not_a_volume(f);
        if (status < 0 || bytes.n != head->n[k] * arrays[k].size) {
            pd_bytes_release(&bytes);
            return status < 0 ? status : not_a_volume(f);
        }
        *s = (struct shape){bytes.v, head->n[k], bytes.cap / arrays[k].size};
    }
    return at == end ? PD_OK : not_a_volume(f);
}

int pd_volume_read(struct pd_volume *v, struct pd_packed *file)
{
    struct head head;
    PD_TRY(read_head(file, &head));
    v->counts = head.counts;
    PD_TRY(read_arrays(v, file, &head));
    v->nblocks = (uint32_t)head.nblocks;
    return PD_OK;
}

int pd_volume_map(struct pd_volume *v, const struct pd_packed *file)
{
    PD_TRY(pd_packed_map(file, v->nblocks, &v->map));
    pd_blocks_reserve(&v->offsets, v->nblocks);
    for (uint32_t k = 0; k < v->nblocks; k++)
        pd_blocks_push(&v->offsets, pd_packed_offset(file, k));
    return PD_OK;
}

void pd_volume_release(struct pd_volume *v)
{
    struct array arrays[ARRAYS];
    list_arrays(v, arrays);
    for (int k = 0; k < ARRAYS; k++)
        free(((struct shape *)arrays[k].vec)->v);
    pd_packed_close(v->file);
    pd_bytes_release(&v->block);
    pd_map_release(&v->map);
    pd_blocks_release(&v->offsets);
    free(v->flags);
    *v = (struct pd_volume){0};
}
