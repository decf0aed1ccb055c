/* corpus/parquet/parquet_pages.c - see parquet_pages.h */
#include "parquet_pages.h"

#include <errno.h>
#include <libdeflate.h>
#include <string.h>
#include <zstd.h>

#include "pardup/base/error.h"

enum { PAGE_BYTES = 1 << 20, PAGE_VALUES = 1 << 20, ZSTD_LEVEL = 3, GZIP_LEVEL = 6 };

int pd_parquet_codec_made(int codec)
{
    return codec == PD_PARQUET_UNCOMPRESSED || codec == PD_PARQUET_GZIP ? codec : PD_PARQUET_ZSTD;
}

int pd_parquet_pages_raw(struct pd_parquet_pages *p, const void *v, size_t n)
{
    if (n > 0 && fwrite(v, 1, n, p->to) != n)
        return pd_fail(PD_EIO, "%s: its copy: %s", p->path, strerror(errno));
    p->at += n;
    return PD_OK;
}

void pd_parquet_pages_begin(struct pd_parquet_pages *p, const struct pd_parquet_leaf *leaf,
                            int codec)
{
    p->leaf = *leaf;
    p->made = (struct pd_parquet_made){.start = p->at, .codec = codec};
    p->values.n = p->repeats.v.n = p->levels.v.n = 0;
    p->repeats.n = p->levels.n = p->n = 0;
    p->bit = 0;
}

/* Compress the page. Returns what is to be stored, or NULL when there is no memory. */
static const struct pd_bytes *pack(struct pd_parquet_pages *p)
{
    struct pd_bytes *to = &p->packed;
    const struct pd_bytes *page = &p->page;
    if (p->made.codec == PD_PARQUET_UNCOMPRESSED)
        return page;
    if (p->made.codec == PD_PARQUET_GZIP) {
        if (!p->gzip && !(p->gzip = libdeflate_alloc_compressor(GZIP_LEVEL)))
            pd_panic("no memory for a compressor");
        pd_bytes_reserve(to, libdeflate_gzip_compress_bound(p->gzip, page->n));
        to->n = libdeflate_gzip_compress(p->gzip, page->v, page->n, to->v, to->cap);
        PD_CHECK(to->n > 0);
        return to;
    }
    if (!p->zstd && !(p->zstd = ZSTD_createCCtx()))
        pd_panic("no memory for a compressor");
    pd_bytes_reserve(to, ZSTD_compressBound(page->n));
    to->n = ZSTD_compressCCtx(p->zstd, to->v, to->cap, page->v, page->n, ZSTD_LEVEL);
    PD_CHECK(!ZSTD_isError(to->n));
    return to;
}

static int end_page(struct pd_parquet_pages *p)
{
    if (p->n == 0)
        return PD_OK;
    p->page.n = 0;
    if (p->leaf.repeats > 0)
        pd_parquet_runs_put(&p->repeats, &p->page);
    if (p->leaf.levels > 0)
        pd_parquet_runs_put(&p->levels, &p->page);
    pd_bytes_append(&p->page, p->values.v, p->values.n);
    const struct pd_bytes *stored = pack(p);
    if (p->page.n > INT32_MAX || stored->n > INT32_MAX)
        return pd_fail(PD_EFORMAT, "%s: a row of more than 2 GB", p->path);
    p->header.n = 0;
    pd_parquet_put_header(&p->header, p->n, p->page.n, stored->n);
    p->made.bytes += p->header.n + p->page.n;
    p->made.stored += p->header.n + stored->n;
    PD_TRY(pd_parquet_pages_raw(p, p->header.v, p->header.n));
    PD_TRY(pd_parquet_pages_raw(p, stored->v, stored->n));
    p->values.n = p->n = 0;
    p->bit = 0;
    return PD_OK;
}

int pd_parquet_pages_put(struct pd_parquet_pages *p, const struct pd_parquet_cell *cell)
{
    if (cell->repeat == 0 && (p->values.n + cell->n > PAGE_BYTES || p->n >= PAGE_VALUES))
        PD_TRY(end_page(p));
    if (p->leaf.repeats > 0)
        pd_parquet_runs_add(&p->repeats, cell->repeat);
    if (p->leaf.levels > 0)
        pd_parquet_runs_add(&p->levels, cell->level); /* the schema is not 256 levels deep */
    p->n++;
    p->made.values++;
    if (cell->level < p->leaf.levels)
        return PD_OK;
    if (p->leaf.type == PD_PARQUET_BOOLEAN) {
        if (p->bit == 0)
            pd_bytes_push(&p->values, 0);
        p->values.v[p->values.n - 1] |= (unsigned char)((*cell->v & 1) << p->bit);
        p->bit = (p->bit + 1) % 8;
        return PD_OK;
    }
    if (p->leaf.type == PD_PARQUET_BYTE_ARRAY)
        pd_parquet_put_length(&p->values, cell->n);
    pd_bytes_append(&p->values, cell->v, cell->n);
    return PD_OK;
}

int pd_parquet_pages_end(struct pd_parquet_pages *p) { return end_page(p); }

void pd_parquet_pages_release(struct pd_parquet_pages *p)
{
    ZSTD_freeCCtx(p->zstd);
    if (p->gzip)
        libdeflate_free_compressor(p->gzip);
    PD_RELEASE(pd_bytes, &p->values, &p->repeats.v, &p->levels.v, &p->page, &p->packed, &p->header);
}
