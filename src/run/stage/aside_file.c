/* run/stage/aside_file.c - see src/run/stage/aside_file.h */
#include "run/stage/aside_file.h"

#include <stddef.h>

#include "pardup/base/error.h"
#include "pardup/base/search.h"

/* The units of one document. */
struct record {
    pd_doc doc;
    uint32_t n, stub;
    uint64_t nignored;
    uint32_t units[]; /* n of them, then nignored; a zero behind an odd number */
};

/* Bytes of a record with n units and ignored ones. */
static size_t bytes_of(size_t n) { return sizeof(struct record) + (n + n % 2) * sizeof(uint32_t); }

int pd_aside_file_add(struct pd_aside_file *f, const char *path, pd_doc doc,
                      const struct pd_aside_units *units)
{
    const size_t bytes = bytes_of(units->n + units->nignored);
    struct pd_packed_at at;
    if (units->n == 0 && !units->stub)
        return PD_OK;
    if (!f->file) {
        f->file = pd_packed_create(path);
        if (!f->file)
            return PD_EIO;
        PD_TRY(pd_packed_forget(f->file));
    }
    pd_bytes_reserve(&f->loaded, bytes);
    struct record *rec = (struct record *)(void *)f->loaded.v;
    memset(rec, 0, bytes);
    *rec = (struct record){doc, (uint32_t)units->n, units->stub, units->nignored};
    if (units->n)
        memcpy(rec->units, units->v, units->n * sizeof *units->v);
    if (units->nignored)
        memcpy(rec->units + units->n, units->ignored, units->nignored * sizeof *units->ignored);
    PD_TRY(pd_packed_append(f->file, rec, bytes, &at));
    if (f->blocks.n == 0 || f->blocks.v[f->blocks.n - 1].block != at.block)
        pd_aside_blocks_push(&f->blocks, (struct pd_aside_block){doc, at.block});
    return PD_OK;
}

int pd_aside_file_end(struct pd_aside_file *f)
{
    f->ended = true;
    f->loaded.n = 0;
    f->block = UINT64_MAX;
    return f->file ? pd_packed_finish(f->file) : PD_OK;
}

/* Make the block loaded that has a document, if any has. */
static int load(struct pd_aside_file *f, pd_doc doc)
{
    const struct pd_aside_block *v = f->blocks.v;
    const struct pd_aside_block *block =
        v + pd_search_last(v, f->blocks.n, sizeof *v, offsetof(struct pd_aside_block, first), doc);
    if (block->block == f->block)
        return PD_OK;
    f->block = UINT64_MAX;
    f->at = f->asked = 0;
    PD_TRY(pd_packed_load(f->file, (uint32_t)block->block, &f->loaded));
    f->block = block->block;
    return PD_OK;
}

/* The record at a place of the block; NULL: the block ends there. */
static const struct record *record_at(const struct pd_aside_file *f, uint64_t at)
{
    return at < f->loaded.n ? (const struct record *)(const void *)(f->loaded.v + at) : NULL;
}

int pd_aside_file_find(struct pd_aside_file *f, pd_doc doc, struct pd_aside_units *units)
{
    *units = (struct pd_aside_units){.n = 0};
    if (!f->file || doc < f->blocks.v[0].first)
        return PD_OK;
    PD_TRY(load(f, doc));
    const struct record *rec;
    if (doc < f->asked)
        f->at = 0;
    f->asked = doc;
    while ((rec = record_at(f, f->at)) && rec->doc < doc)
        f->at += bytes_of(rec->n + rec->nignored);
    if (rec && rec->doc == doc)
        *units = (struct pd_aside_units){rec->units, rec->n, rec->units + rec->n, rec->nignored,
                                         rec->stub};
    return PD_OK;
}

void pd_aside_file_close(struct pd_aside_file *f)
{
    pd_packed_close(f->file);
    pd_aside_blocks_release(&f->blocks);
    pd_bytes_release(&f->loaded);
    *f = (struct pd_aside_file){.file = NULL};
}
