/*
 * corpus/packed/gzip.c - see unpack.h
 *
 * A member that fits into the buffers is decoded by libdeflate in one call. Most do: archives are
 * written with one record a member. A larger member, or one that libdeflate refuses, is decoded by
 * ISA-L step by step. Either way CRC and size are checked.
 */
#include "pardup/base/scan.h"
#include "unpack.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"

#define WHOLE_STORED ((size_t)256 << 10) /* stored bytes at hand for decoding in one call */

#define HEAD_BYTES  10                 /* bytes of a header without optional fields */
#define HEAD_START  "\x1f\x8b\x08\x00" /* how such a header begins */
#define MAGIC_BYTES 3                  /* bytes of the magic number, with the method: deflate */
#define TAIL_BYTES  8                  /* bytes of CRC and size, both little-endian */

struct pd_gunzip {
    struct libdeflate_decompressor *decompressor; /* for a member in one call */
    struct inflate_state state; /* ISA-L: the member that is decoded step by step */
    bool inside;                /* a member has been begun step by step */
};

struct pd_gunzip *pd_gunzip_new(void)
{
    struct pd_gunzip *g = pd_realloc(NULL, 1, sizeof *g);
    g->inside = false;
    g->decompressor = libdeflate_alloc_decompressor();
    if (!g->decompressor)
        pd_panic("out of memory: inflate tables");
    return g;
}

void pd_gunzip_free(struct pd_gunzip *g)
{
    if (!g)
        return;
    libdeflate_free_decompressor(g->decompressor);
    free(g);
}

void pd_gunzip_reset(struct pd_gunzip *g) { g->inside = false; }

static void begin_inflate(struct inflate_state *st, uint32_t wrapper)
{
    isal_inflate_init(st);
    st->crc_flag = wrapper;
}

static void set_input(struct inflate_state *st, const unsigned char *s, size_t n)
{
    st->next_in = (uint8_t *)(uintptr_t)s; /* ISA-L does not write to it */
    st->avail_in = (uint32_t)n;
}

static int corrupt(struct pd_trouble *t, int isal)
{
    const bool checksum = isal == ISAL_INCORRECT_CHECKSUM;
    *t = (struct pd_trouble){PD_SKIP_CORRUPT,
                             checksum ? "gzip checksum is wrong" : "gzip data is corrupt"};
    return PD_EFORMAT;
}

/* Decode a step of the member that has been begun with ISA-L. */
static int inflate_step(struct pd_gunzip *g, struct pd_input *in, unsigned char *out, size_t *made,
                        struct pd_trouble *trouble)
{
    struct inflate_state *st = &g->state;
    st->next_out = out;
    st->avail_out = (uint32_t)PD_STEP;
    for (;;) {
        const size_t left = pd_input_left(in);
        set_input(st, in->v + in->pos, left);
        const int ret = isal_inflate(st);
        /* left - avail_in will not do: ISA-L is off by a byte there when it finds bad data */
        pd_input_take(in, (size_t)(st->next_in - (in->v + in->pos)));
        *made = PD_STEP - st->avail_out;
        if (ret < 0)
            return corrupt(trouble, ret);
        if (st->block_state == ISAL_BLOCK_FINISH) {
            g->inside = false;
            return PD_END;
        }
        if (st->avail_out == 0)
            return PD_OK;
        if (st->avail_in > 0) /* it stops although there are room and input */
            return corrupt(trouble, ret);
        PD_TRY(pd_input_fill(in, 1));
        if (pd_input_left(in) == 0) {
            *trouble = (struct pd_trouble){PD_SKIP_TRUNCATED, "gzip data ends inside the member"};
            return PD_EFORMAT;
        }
    }
}

/*
 * Decode the member at s in one call. Returns its stored bytes; 0 when s[0, n) does not hold all of
 * it, when it does not fit into the room, or when it is bad. The usual header is parsed here and
 * the CRC left to ISA-L, whose CRC is faster than libdeflate's.
 */
static size_t decode_whole(struct pd_gunzip *g, const unsigned char *s, size_t n,
                           unsigned char *out, size_t room, size_t *made)
{
    size_t used;
    enum libdeflate_result result;
    if (n < HEAD_BYTES + TAIL_BYTES || memcmp(s, HEAD_START, sizeof HEAD_START - 1) != 0) {
        result = libdeflate_gzip_decompress_ex(g->decompressor, s, n, out, room, &used, made);
        return result == LIBDEFLATE_SUCCESS ? used : 0;
    }
    const size_t deflated = n - HEAD_BYTES - TAIL_BYTES;
    result = libdeflate_deflate_decompress_ex(g->decompressor, s + HEAD_BYTES, deflated, out, room,
                                              &used, made);
    if (result != LIBDEFLATE_SUCCESS)
        return 0;
    const unsigned char *tail = s + HEAD_BYTES + used;
    const bool good = pd_scan_number(tail, 4) == crc32_gzip_refl(0, out, *made) &&
                      pd_scan_number(tail + 4, 4) == (uint32_t)*made;
    return good ? HEAD_BYTES + used + TAIL_BYTES : 0;
}

int pd_gunzip_step(struct pd_gunzip *g, struct pd_input *in, unsigned char *out, size_t room,
                   size_t *made, struct pd_trouble *trouble)
{
    *made = 0;
    if (!g->inside) {
        PD_TRY(pd_input_fill(in, WHOLE_STORED));
        const size_t used = decode_whole(g, in->v + in->pos, pd_input_left(in), out, room, made);
        if (used > 0) {
            pd_input_take(in, used);
            return PD_END;
        }
        *made = 0;
        begin_inflate(&g->state, ISAL_GZIP);
        g->inside = true;
    }
    return inflate_step(g, in, out, made, trouble);
}

/*
 * Can the member at s, which begins with the magic number, be one? Its header may have a name and a
 * comment of any length (RFC 1952, section 2.3). Neither holds another magic number, so where magic
 * numbers are many, each header is read no further than to the next one. Reserved flags are passed
 * over, as ISA-L does where it decodes a member: its checksum tells whether it is one.
 */
static bool may_be_member(const unsigned char *s, size_t n)
{
    enum { EXTRA = 4, NAME = 8, COMMENT = 16 };
    size_t k = HEAD_BYTES;
    if (n < HEAD_BYTES)
        return false;
    const unsigned flags = s[3];
    if (flags & EXTRA)
        k += n - k < 2 ? 2 : 2 + (size_t)(s[k] | s[k + 1] << 8);
    for (unsigned text = NAME; text <= COMMENT; text *= 2) {
        if (!(flags & text) || k >= n)
            continue;
        const unsigned char *other = memmem(s + k, n - k, HEAD_START, MAGIC_BYTES);
        const unsigned char *end = memchr(s + k, 0, other ? (size_t)(other - s) - k : n - k);
        if (!end && other)
            return false;
        k = end ? (size_t)(end - s) + 1 : n;
    }
    return true;
}

/*
 * Decode the first `want` bytes of a member that ISA-L refuses. libdeflate forgives some wrong code
 * lengths, so a reader that comes from the member before decodes this member in one call. -1: it is
 * no member for libdeflate, either.
 */
static long probe_whole(struct pd_gunzip *g, const unsigned char *s, size_t n, unsigned char *out,
                        size_t want)
{
    unsigned char *all = pd_realloc(NULL, PD_STEP_ROOM, 1);
    size_t made;
    const bool good =
        decode_whole(g, s, pd_min_size(n, WHOLE_STORED), all, PD_STEP_ROOM, &made) > 0;
    const size_t got = good ? pd_min_size(made, want) : 0;
    memcpy(out, all, got);
    free(all);
    return good ? (long)got : -1;
}

long pd_gunzip_peek(struct pd_gunzip *g, const unsigned char *s, size_t n, unsigned char *out,
                    size_t want)
{
    n = n < PD_PEEK_STORED ? n : PD_PEEK_STORED;
    if (!may_be_member(s, n))
        return -1;
    begin_inflate(&g->state, ISAL_GZIP);
    set_input(&g->state, s, n);
    g->state.next_out = out;
    g->state.avail_out = (uint32_t)want;
    const int ret = isal_inflate(&g->state);
    pd_gunzip_reset(g);
    return ret < 0 ? probe_whole(g, s, n, out, want) : (long)(want - g->state.avail_out);
}

/* Offset of the member in s[from, n) behind zeros; n when there is none. */
static size_t next_member(const unsigned char *s, size_t n, size_t from)
{
    while (from < n && s[from] == 0)
        from++;
    return n - from > 2 && memcmp(s + from, HEAD_START, 2) == 0 ? from : n;
}

int pd_gunzip_all(struct pd_gunzip *g, enum pd_wrapper wrapper, struct pd_unpacking *u)
{
    static const uint32_t flags[] = {ISAL_GZIP, ISAL_ZLIB, ISAL_DEFLATE};
    struct inflate_state *st = &g->state;
    struct pd_bytes *out = u->out;
    u->cut = false;
    begin_inflate(st, flags[wrapper]);
    set_input(st, u->s, u->n);
    while (out->n <= u->most) {
        pd_bytes_reserve(out, out->n + PD_STEP);
        st->next_out = out->v + out->n;
        st->avail_out = (uint32_t)PD_STEP;
        const int ret = isal_inflate(st);
        if (ret < 0)
            return corrupt(&u->trouble, ret);
        out->n += PD_STEP - st->avail_out;
        if (st->block_state == ISAL_BLOCK_FINISH) {
            const size_t used = next_member(u->s, u->n, (size_t)(st->next_in - u->s));
            if (wrapper != PD_WRAP_GZIP || used == u->n)
                return PD_OK;
            begin_inflate(st, flags[wrapper]);
            set_input(st, u->s + used, u->n - used);
        } else if (st->avail_out > 0) {
            u->cut = true;
            return PD_OK;
        }
    }
    u->trouble =
        (struct pd_trouble){PD_SKIP_TOO_LARGE, "decoded body is too large (--max-document)"};
    return PD_EFORMAT;
}
