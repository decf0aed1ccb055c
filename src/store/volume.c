/*
 * store/volume.c - see include/pardup/store/volume.h
 *
 * The file: a block with the head, one for each array that is not empty, then the blobs' blocks.
 */
#include "pardup/store/volume.h"

#include <stdlib.h>

#include "pardup/base/error.h"

enum { VOLUME_FORMAT = 4, ARRAYS = 6 };

struct head {
    uint64_t format, nblocks, n[ARRAYS];
    struct pd_volume_counts counts;
};

/* An array as bytes: what all of them have in common. */
struct array {
    void *vec; /* a PD_VEC, seen as struct pd_bytes: v, n, cap */
    size_t size;
    bool plain; /* not compressed */
};

#define ARRAY(vec) ((struct array){(void *)(vec), sizeof *(vec)->v, false})

static void list_arrays(const struct pd_volume *v, struct array arrays[ARRAYS])
{
    arrays[0] = ARRAY(&v->parts);
    arrays[1] = ARRAY(&v->skips);
    arrays[2] = ARRAY(&v->docs);
    arrays[3] = ARRAY(&v->ids);
    arrays[4] = ARRAY(&v->terms);
    arrays[4].plain = true; /* hashes */
    arrays[5] = ARRAY(&v->df);
}

/* All PD_VECs have this shape. */
struct shape {
    void *v;
    size_t n, cap;
};

/* Nothing will be added: keep no room for it. */
static void trim(void *vec, size_t size)
{
    struct shape *s = vec;
    if (!s->n || s->n == s->cap)
        return;
    s->v = pd_realloc(s->v, s->n, size);
    s->cap = s->n;
}

void pd_volume_trim(struct pd_volume *v)
{
    struct array arrays[ARRAYS];
    list_arrays(v, arrays);
    for (int k = 0; k < ARRAYS; k++)
        trim(arrays[k].vec, arrays[k].size);
    for (size_t k = 0; k < v->blocks.n; k++)
        trim(&v->blocks.v[k], 1);
}

/* The block is full: what it holds in as much memory, its room for the next one. */
static void turn_over(struct pd_volume *v)
{
    struct pd_bytes *full = &v->blocks.v[v->blocks.n - 1];
    const struct pd_bytes next = {full->v, 0, full->cap};
    full->v = memcpy(pd_alloc_filled(full->n), full->v, full->n);
    full->cap = full->n;
    pd_blocks_push(&v->blocks, next);
}

size_t pd_volume_push(struct pd_volume *v, const struct pd_sentence *sentences,
                      const struct pd_fringe *fringes, size_t n, const struct pd_token *tokens)
{
    struct pd_docrec *doc = &v->docs.v[v->docs.n - 1];
    if (!v->blocks.n)
        pd_blocks_push(&v->blocks, (struct pd_bytes){0});
    else if (v->blocks.v[v->blocks.n - 1].n >= PD_PACKED_BLOCK)
        turn_over(v);
    struct pd_bytes *block = &v->blocks.v[v->blocks.n - 1];
    doc->block = (uint32_t)(v->blocks.n - 1);
    doc->at = (uint32_t)block->n;
    pd_blob_encode(sentences, fringes, n, tokens, block);
    return block->n - doc->at;
}

uint64_t pd_volume_bytes(const struct pd_volume *v)
{
    struct array arrays[ARRAYS];
    uint64_t bytes = v->flags ? v->terms.n : 0;
    list_arrays(v, arrays);
    for (int k = 0; k < ARRAYS; k++)
        bytes += ((const struct shape *)arrays[k].vec)->cap * arrays[k].size;
    for (size_t k = 0; k < v->blocks.n; k++)
        bytes += v->blocks.v[k].cap;
    return bytes;
}

static int write_volume(const struct pd_volume *v, struct pd_packed *f)
{
    struct head head = {.format = VOLUME_FORMAT, .nblocks = v->blocks.n, .counts = v->counts};
    struct array arrays[ARRAYS];
    list_arrays(v, arrays);
    for (int k = 0; k < ARRAYS; k++)
        head.n[k] = ((const struct shape *)arrays[k].vec)->n;
    PD_TRY(pd_packed_append(f, &head, sizeof head, NULL));
    for (int k = 0; k < ARRAYS; k++) {
        const struct shape *s = arrays[k].vec;
        PD_TRY(pd_packed_end_block(f));
        pd_packed_store_plain(f, arrays[k].plain);
        if (s->n)
            PD_TRY(pd_packed_append(f, s->v, s->n * arrays[k].size, NULL));
    }
    PD_TRY(pd_packed_end_block(f));
    /* zstd makes blobs a seventh shorter, and takes longer for it than numbering their words */
    pd_packed_store_plain(f, true);
    for (size_t k = 0; k < v->blocks.n; k++) {
        PD_TRY(pd_packed_end_block(f));
        PD_TRY(pd_packed_append(f, v->blocks.v[k].v, v->blocks.v[k].n, NULL));
    }
    return pd_packed_finish(f);
}

struct pd_packed *pd_volume_write(const struct pd_volume *v, const char *path)
{
    struct pd_packed *f = pd_packed_create(path);
    if (f && write_volume(v, f) < 0) {
        pd_packed_close(f);
        f = NULL;
    }
    return f;
}

static int read_head(struct pd_packed *f, struct pd_bytes *block, struct head *head)
{
    PD_TRY(pd_packed_load(f, 0, block));
    if (block->n != sizeof *head)
        return pd_fail(PD_EFORMAT, "%s: not a volume of documents", pd_packed_path(f));
    memcpy(head, block->v, sizeof *head);
    if (head->format != VOLUME_FORMAT)
        return pd_fail(PD_EFORMAT, "%s: of another version of pardup", pd_packed_path(f));
    return PD_OK;
}

static int read_arrays(struct pd_volume *v, struct pd_packed *f, const struct head *head,
                       uint32_t *at)
{
    struct array arrays[ARRAYS];
    list_arrays(v, arrays);
    for (int k = 0; k < ARRAYS; k++) {
        struct shape *s = arrays[k].vec;
        struct pd_bytes bytes = {0};
        free(s->v);
        *s = (struct shape){0};
        if (!head->n[k])
            continue;
        const int status = pd_packed_load(f, (*at)++, &bytes);
        if (status < 0 || bytes.n != head->n[k] * arrays[k].size) {
            pd_bytes_release(&bytes);
            return status < 0
                       ? status
                       : pd_fail(PD_EFORMAT, "%s: not a volume of documents", pd_packed_path(f));
        }
        *s = (struct shape){bytes.v, head->n[k], bytes.cap / arrays[k].size};
    }
    return PD_OK;
}

int pd_volume_read(struct pd_volume *v, struct pd_packed *file, bool blocks)
{
    struct head head;
    struct pd_bytes block = {0};
    uint32_t at = 1;
    const int status = read_head(file, &block, &head);
    pd_bytes_release(&block);
    PD_TRY(status);
    v->counts = head.counts;
    PD_TRY(read_arrays(v, file, &head, &at));
    v->first_block = at;
    if (pd_packed_blocks(file) != at + head.nblocks)
        return pd_fail(PD_EFORMAT, "%s: not a volume of documents", pd_packed_path(file));
    for (uint32_t k = 0; blocks && k < head.nblocks; k++) {
        pd_blocks_push(&v->blocks, (struct pd_bytes){0});
        PD_TRY(pd_packed_load(file, at + k, &v->blocks.v[k]));
    }
    return PD_OK;
}

void pd_volume_release(struct pd_volume *v)
{
    struct array arrays[ARRAYS];
    list_arrays(v, arrays);
    for (int k = 0; k < ARRAYS; k++)
        free(((struct shape *)arrays[k].vec)->v);
    for (size_t k = 0; k < v->blocks.n; k++)
        pd_bytes_release(&v->blocks.v[k]);
    pd_blocks_release(&v->blocks);
    free(v->flags);
    *v = (struct pd_volume){0};
}
