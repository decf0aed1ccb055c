/* corpus/copy/packer.c - see include/pardup/corpus/packer.h */
#include "pardup/corpus/packer.h"

#include <errno.h>
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"

enum { GZIP_LEVEL = 1, ISAL_LEVEL = 2, ZSTD_LEVEL = 3 };
#define NO_BYTE 0xff

/* What ISA-L needs to pack members. */
struct pd_igzip {
    struct isal_zstream stream;
    unsigned char work[ISAL_DEF_LVL2_DEFAULT];
};

/*
 * Pack what is waiting with ISA-L, which takes half the time of libdeflate. In ISA-L 2.30 the first
 * hash of a stream without a history is that of a pointer, so the history is a byte that the member
 * does not have, and that no match leads to. UTF-8 never has NO_BYTE. False: another member has it.
 */
static bool pack_fast(struct pd_packer *c)
{
    static uint8_t history[] = {NO_BYTE};
    const struct pd_bytes *d = &c->waiting;
    struct pd_bytes *p = &c->packed;
    if (d->n == 0 || memchr(d->v, NO_BYTE, d->n))
        return false;
    if (!c->igzip)
        c->igzip = pd_realloc(NULL, 1, sizeof *c->igzip);
    struct isal_zstream *z = &c->igzip->stream;
    isal_deflate_init(z);
    z->level = ISAL_LEVEL;
    z->level_buf = c->igzip->work;
    z->level_buf_size = sizeof c->igzip->work;
    z->gzip_flag = IGZIP_GZIP;
    z->end_of_stream = 1;
    z->next_in = d->v;
    z->avail_in = (uint32_t)d->n;
    z->next_out = p->v;
    z->avail_out = (uint32_t)libdeflate_gzip_compress_bound(c->deflate, d->n);
    if (isal_deflate_set_dict(z, history, sizeof history) != COMP_OK ||
        isal_deflate(z) != COMP_OK || z->internal_state.state != ZSTATE_END)
        return false;
    p->n = z->total_out;
    return true;
}

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
        if (!pack_fast(c))
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
    free(p->igzip);
    PD_RELEASE(pd_bytes, &p->waiting, &p->packed);
    *p = (struct pd_packer){.packing = PD_PACK_NONE};
}
