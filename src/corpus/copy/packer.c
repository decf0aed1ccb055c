/* corpus/copy/packer.c - see include/pardup/corpus/packer.h */
#include "pardup/corpus/packer.h"

#include <errno.h>
#include <libdeflate.h>
#include <stdbool.h>
#include <string.h>
#include <zstd.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"

enum { GZIP_LEVEL = 1, ZSTD_LEVEL = 3 };

/* Write what is waiting as a member, also if it is nothing. */
static int write_member(struct pd_packer *c, FILE *to)
{
    struct pd_bytes *d = &c->waiting, *p = &c->packed;
    const struct pd_bytes *out = p;
    if (c->packing == PD_PACK_NONE) {
        out = d;
    } else if (c->packing == PD_PACK_GZIP) {
        if (!c->deflate && !(c->deflate = libdeflate_alloc_compressor(GZIP_LEVEL)))
            pd_panic("no memory for a compressor");
        pd_bytes_reserve(p, libdeflate_gzip_compress_bound(c->deflate, d->n));
        p->n = libdeflate_gzip_compress(c->deflate, d->v, d->n, p->v, p->cap);
    } else {
        pd_bytes_reserve(p, ZSTD_compressBound(d->n));
        p->n = ZSTD_compress(p->v, p->cap, d->v, d->n, ZSTD_LEVEL);
        PD_CHECK(!ZSTD_isError(p->n));
    }
    const bool written = fwrite(out->v, 1, out->n, to) == out->n;
    d->n = 0;
    return written ? PD_OK : pd_fail(PD_EIO, "cannot write: %s", strerror(errno));
}

int pd_packer_end(struct pd_packer *p, FILE *to)
{
    return p->waiting.n ? write_member(p, to) : PD_OK;
}

int pd_packer_finish(struct pd_packer *p, FILE *to)
{
    PD_TRY(pd_packer_end(p, to));
    return ftell(to) == 0 && p->packing != PD_PACK_NONE ? write_member(p, to) : PD_OK;
}

int pd_packer_add(struct pd_packer *p, const void *from, size_t n, FILE *to)
{
    const unsigned char *bytes = from;
    for (size_t take; n > 0; bytes += take, n -= take) {
        take = pd_min_size(n, PD_MEMBER_MOST - p->waiting.n);
        pd_bytes_append(&p->waiting, bytes, take);
        if (p->waiting.n == PD_MEMBER_MOST)
            PD_TRY(pd_packer_end(p, to));
    }
    return PD_OK;
}

void pd_packer_release(struct pd_packer *p)
{
    if (p->deflate)
        libdeflate_free_compressor(p->deflate);
    PD_RELEASE(pd_bytes, &p->waiting, &p->packed);
    *p = (struct pd_packer){.packing = PD_PACK_NONE};
}
