/* corpus/packed/zstd.c - see unpack.h */
#include <stdbool.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "unpack.h"

#define DICTIONARY_MOST ((size_t)64 << 20) /* bytes of a dictionary */

#define WINDOW_LOG 31 /* log2 of bytes: as `zstd --long=31` writes, usual for dumps of many GB */

struct pd_unzstd {
    ZSTD_DStream *stream;
    size_t wanted;    /* bytes that the decoder wants next; 0: it is at the beginning of a frame */
    uint64_t content; /* bytes that the frame says it decodes to, if it says so */
    uint64_t made;    /* bytes that it has decoded to so far */
};

struct pd_unzstd *pd_unzstd_new(void)
{
    struct pd_unzstd *z = pd_realloc(NULL, 1, sizeof *z);
    z->stream = ZSTD_createDStream();
    if (!z->stream ||
        ZSTD_isError(ZSTD_DCtx_setParameter(z->stream, ZSTD_d_windowLogMax, WINDOW_LOG)))
        pd_panic("zstd: no decoder");
    return z;
}

void pd_unzstd_free(struct pd_unzstd *z)
{
    if (!z)
        return;
    ZSTD_freeDStream(z->stream);
    free(z);
}

void pd_unzstd_reset(struct pd_unzstd *z)
{
    ZSTD_DCtx_reset(z->stream, ZSTD_reset_session_only); /* a reset of the session cannot fail */
    z->wanted = 0;
}

/* The decoder itself finds this or not, depending on the frames that it has decoded before. */
static const char too_many[] = "zstd frame decodes to more bytes than it says";

static int corrupt(struct pd_trouble *t, size_t code)
{
    const ZSTD_ErrorCode error = ZSTD_getErrorCode(code);
    *t = (struct pd_trouble){PD_SKIP_CORRUPT,
                             error == ZSTD_error_dictionary_wrong
                                 ? "zstd frame needs a dictionary that the file does not have"
                             : error == ZSTD_error_dstSize_tooSmall ? too_many
                                                                    : ZSTD_getErrorName(code)};
    return PD_EFORMAT;
}

/*
 * Decode the frame at once, if all of it is there and there is room. Leaves damaged frames alone.
 */
static bool decode_whole(struct pd_unzstd *z, struct pd_input *in, ZSTD_outBuffer *to)
{
    const unsigned char *const s = in->v + in->pos;
    const size_t n = ZSTD_findFrameCompressedSize(s, pd_input_left(in));
    if (ZSTD_isError(n) || z->content > to->size)
        return false;
    const size_t made = ZSTD_decompressDCtx(z->stream, to->dst, to->size, s, n);
    if (ZSTD_isError(made)) {
        pd_unzstd_reset(z);
        return false;
    }
    to->pos = made;
    pd_input_take(in, n);
    return true;
}

/* Begin the frame. PD_END: it was decoded at once into `to`; PD_OK: it is to be decoded; PD_EIO. */
static int begin_frame(struct pd_unzstd *z, struct pd_input *in, ZSTD_outBuffer *to)
{
    enum {
        HEADER_MOST = 18, /* bytes of the longest header of a frame */
        BEGINNING = 5     /* bytes: less than a frame has */
    };
    PD_TRY(pd_input_fill(in, HEADER_MOST));
    z->content = ZSTD_getFrameContentSize(in->v + in->pos, pd_input_left(in));
    z->made = 0;
    if (decode_whole(z, in, to))
        return PD_END;
    z->wanted = BEGINNING;
    return PD_OK;
}

/*
 * The decoder gets what it asks for and no more: the beginning of the frame, then a block at a
 * time. So all blocks before a damaged one are decoded, wherever the input happens to be cut.
 */
int pd_unzstd_step(struct pd_unzstd *z, struct pd_input *in, unsigned char *out, size_t room,
                   size_t *made, struct pd_trouble *trouble)
{
    ZSTD_outBuffer to = {out, room < PD_STEP ? room : PD_STEP, 0};
    *made = 0;
    if (z->wanted == 0) {
        const int status = begin_frame(z, in, &to);
        if (status != PD_OK) {
            *made = to.pos;
            return status;
        }
    }
    for (;;) {
        ZSTD_inBuffer from = {in->v + in->pos, pd_min_size(pd_input_left(in), z->wanted), 0};
        const size_t before = to.pos, ret = ZSTD_decompressStream(z->stream, &to, &from);
        pd_input_take(in, from.pos);
        if (ZSTD_isError(ret))
            return corrupt(trouble, ret);
        z->made += to.pos - before;
        if (z->made > z->content) { /* a size that is not known is the greatest number */
            *trouble = (struct pd_trouble){PD_SKIP_CORRUPT, too_many};
            return PD_EFORMAT;
        }
        *made = to.pos;
        z->wanted = ret;
        if (ret == 0)
            return PD_END;
        if (to.pos == to.size)
            return PD_OK;
        if (pd_input_left(in) > 0 && (from.pos > 0 || to.pos > before))
            continue;
        PD_TRY(pd_input_fill(in, pd_input_left(in) + 1));
        if (from.pos == from.size && pd_input_left(in) == 0) {
            *trouble = (struct pd_trouble){PD_SKIP_TRUNCATED, "zstd data ends inside the frame"};
            return PD_EFORMAT;
        }
    }
}

long pd_unzstd_peek(struct pd_unzstd *z, const unsigned char *s, size_t n, unsigned char *out,
                    size_t want)
{
    ZSTD_outBuffer to = {out, want, 0};
    ZSTD_inBuffer from = {s, n < PD_PEEK_STORED ? n : PD_PEEK_STORED, 0};
    pd_unzstd_reset(z);
    size_t ret;
    do
        ret = ZSTD_decompressStream(z->stream, &to, &from);
    while (!ZSTD_isError(ret) && ret != 0 && to.pos < to.size && from.pos < from.size);
    pd_unzstd_reset(z);
    return ZSTD_isError(ret) ? -1 : (long)to.pos;
}

/* Does a frame begin at s, which may be a skippable frame? */
static bool begins_frame(const unsigned char *s, size_t n)
{
    if (n < 4)
        return false;
    const uint32_t magic = s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16 | (uint32_t)s[3] << 24;
    return magic == ZSTD_MAGICNUMBER ||
           (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

int pd_unzstd_all(struct pd_unzstd *z, struct pd_unpacking *u)
{
    ZSTD_inBuffer from = {u->s, u->n, 0};
    struct pd_bytes *out = u->out;
    u->cut = false;
    pd_unzstd_reset(z);
    while (out->n <= u->most) {
        pd_bytes_reserve(out, out->n + PD_STEP);
        ZSTD_outBuffer to = {out->v + out->n, PD_STEP, 0};
        const size_t ret = ZSTD_decompressStream(z->stream, &to, &from);
        if (ZSTD_isError(ret))
            return corrupt(&u->trouble, ret);
        out->n += to.pos;
        const bool ended = ret == 0 && !begins_frame(u->s + from.pos, u->n - from.pos);
        u->cut = ret > 0 && to.pos < to.size;
        if (ended || u->cut)
            return PD_OK;
    }
    u->trouble =
        (struct pd_trouble){PD_SKIP_TOO_LARGE, "decoded body is too large (--max-document)"};
    return PD_EFORMAT;
}

void pd_unzstd_dictionary(struct pd_unzstd *z, const unsigned char *v, size_t n)
{
    struct pd_bytes plain = {0};
    struct pd_unpacking u = {.s = v, .n = n, .out = &plain, .most = DICTIONARY_MOST};
    ZSTD_DCtx_reset(z->stream, ZSTD_reset_session_only);
    ZSTD_DCtx_loadDictionary(z->stream, NULL, 0);
    if (begins_frame(v, n) && pd_unzstd_all(z, &u) == PD_OK) {
        v = plain.v;
        n = plain.n;
    }
    ZSTD_DCtx_reset(z->stream, ZSTD_reset_session_only);
    if (n > 0 && ZSTD_isError(ZSTD_DCtx_loadDictionary(z->stream, v, n)))
        ZSTD_DCtx_loadDictionary(z->stream, NULL, 0);
    pd_bytes_release(&plain);
}
