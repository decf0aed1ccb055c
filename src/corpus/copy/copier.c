/* corpus/copy/copier.c - see include/pardup/corpus/copier.h */
#include "pardup/corpus/copier.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "corpus/packed/stream.h"
#include "pardup/base/bytes.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/open.h"
#include "pardup/corpus/packer.h"

#define STEP ((size_t)1 << 20) /* bytes that are copied at a time */
#define LOOK 256               /* bytes in which a comma is looked for at a time */

struct pd_copier {
    const char *path;
    FILE *to;
    int fd;                   /* the file as it is stored */
    struct pd_stream *stream; /* the file decoded */
    uint64_t at;              /* stored bytes before this one are copied; not while `inside` */
    bool inside;              /* the stream stands inside a member that is packed again */
    struct pd_packer packer;  /* what is packed again */
    struct pd_bytes stored;   /* buffer for bytes that are copied as they are */
};

int pd_copier_open(struct pd_copier **made, const char *path, FILE *to)
{
    struct pd_copier *c = pd_realloc(NULL, 1, sizeof *c);
    *c = (struct pd_copier){.path = path, .to = to, .stream = pd_stream_new()};
    *made = c;
    c->fd = pd_open_regular(path);
    PD_TRY(c->fd < 0 ? PD_EIO : PD_OK);
    PD_TRY(pd_stream_open(c->stream, path, 0));
    const enum pd_compression compression = pd_stream_compression(c->stream);
    c->packer.packing = compression == PD_GZIP   ? PD_PACK_GZIP
                        : compression == PD_ZSTD ? PD_PACK_ZSTD
                                                 : PD_PACK_NONE;
    return PD_OK;
}

static int put(struct pd_copier *c, const void *bytes, size_t n)
{
    return n == 0 || fwrite(bytes, 1, n, c->to) == n ? PD_OK
                                                     : pd_fail(PD_EIO, "%s", strerror(errno));
}

/* Copy stored bytes up to byte `to`, or to the end of the file. */
static int copy_stored(struct pd_copier *c, uint64_t to)
{
    pd_bytes_reserve(&c->stored, STEP);
    while (c->at < to) {
        const ssize_t n =
            pread(c->fd, c->stored.v, (size_t)pd_min_u64(STEP, to - c->at), (off_t)c->at);
        if (n < 0)
            return pd_fail(PD_EIO, "%s: %s", c->path, strerror(errno));
        if (n == 0)
            break;
        PD_TRY(put(c, c->stored.v, (size_t)n));
        c->at += (uint64_t)n;
    }
    return PD_OK;
}

/* ---- members that are packed again ---- */

/* Go on by up to n decoded bytes, but not beyond the end of the member; emit them if `keep`. */
static int pass(struct pd_copier *c, uint64_t n, bool keep, uint64_t *passed)
{
    const unsigned char *s;
    size_t have;
    const size_t want = (size_t)pd_min_u64(n, STEP);
    const int status = pd_stream_peek(c->stream, want, &s, &have);
    if (status == PD_EIO)
        return status;
    size_t take = pd_min_size(want, have);
    if (take == 0) {
        uint64_t offset, skip;
        pd_stream_where(c->stream, &offset, &skip);
        return pd_fail(PD_EFORMAT,
                       "%s: damaged in the member at byte %llu, which cannot be written again: "
                       "mend the file and run detect again",
                       c->path, (unsigned long long)offset);
    }
    take = pd_min_size(take, pd_stream_next_boundary(c->stream, 1));
    PD_TRY(keep ? pd_packer_add(&c->packer, s, take, c->to) : PD_OK);
    pd_stream_advance(c->stream, take);
    *passed = take;
    return PD_OK;
}

/* If the stream stands where a member begins, the copy of stored bytes goes on from there. */
static int leave_at_boundary(struct pd_copier *c)
{
    uint64_t offset, skip;
    pd_stream_where(c->stream, &offset, &skip);
    if (skip > 0)
        return PD_OK;
    c->at = offset;
    c->inside = false;
    return pd_packer_end(&c->packer, c->to);
}

/* Copy up to the decoded byte that lies `skip` bytes behind the member at `offset`. */
static int go_to(struct pd_copier *c, uint64_t offset, uint64_t skip)
{
    for (;;) {
        uint64_t at, in, passed = 0;
        if (!c->inside) {
            PD_TRY(copy_stored(c, offset));
            pd_stream_go_to(c->stream, offset);
            c->inside = true;
        }
        pd_stream_where(c->stream, &at, &in);
        PD_CHECK(at < offset || (at == offset && in <= skip));
        if (at == offset && in == skip)
            return PD_OK;
        PD_TRY(pass(c, at == offset ? skip - in : STEP, true, &passed));
        if (at < offset)
            PD_TRY(leave_at_boundary(c));
    }
}

/* Write bytes in place of whole members. */
static int replace_members(struct pd_copier *c, const struct pd_raw *raw,
                           const unsigned char *bytes, size_t n)
{
    PD_TRY(copy_stored(c, raw->offset));
    c->at = raw->offset + raw->stored;
    PD_TRY(pd_packer_add(&c->packer, bytes, n, c->to));
    return pd_packer_end(&c->packer, c->to);
}

int pd_copier_replace(struct pd_copier *c, const struct pd_raw *raw, const unsigned char *bytes,
                      size_t n)
{
    uint64_t left = raw->record_n;
    const enum pd_compression compression = pd_stream_compression(c->stream);
    if (compression >= PD_LZW)
        return pd_fail(
            PD_EFORMAT,
            "%s: compressed by compress(1), bzip2, xz or lz4, which pardup does not write: "
            "give --as jsonl, or unpack it and run detect again",
            c->path);
    if (compression == PD_PLAIN) {
        PD_TRY(copy_stored(c, raw->offset));
        c->at = raw->offset + left;
        return put(c, bytes, n);
    }
    if (raw->stored && !c->inside)
        return replace_members(c, raw, bytes, n);
    PD_TRY(go_to(c, raw->offset, raw->skip));
    for (uint64_t passed = 0; left > 0; left -= passed)
        PD_TRY(pass(c, left, false, &passed));
    PD_TRY(pd_packer_add(&c->packer, bytes, n, c->to));
    return leave_at_boundary(c);
}

/* ---- items of a list ---- */

/* Read up to LOOK stored bytes from `from` on. */
static int look(struct pd_copier *c, uint64_t from, uint64_t to, unsigned char *s, size_t *n)
{
    const ssize_t got = pread(c->fd, s, (size_t)pd_min_u64(LOOK, to - from), (off_t)from);
    if (got < 0)
        return pd_fail(PD_EIO, "%s: %s", c->path, strerror(errno));
    *n = (size_t)got;
    return PD_OK;
}

static bool is_blank(unsigned char s) { return s == ' ' || s == '\t' || s == '\r' || s == '\n'; }

/* Move *at back to a comma with only blanks behind it, if there is one that has not been copied. */
static int go_to_comma_before(struct pd_copier *c, uint64_t *at)
{
    unsigned char s[LOOK];
    for (uint64_t end = *at; end > c->at;) {
        const uint64_t from = end - c->at > LOOK ? end - LOOK : c->at;
        size_t n = 0;
        PD_TRY(look(c, from, end, s, &n));
        while (n > 0 && is_blank(s[n - 1]))
            n--;
        if (n > 0) {
            *at = s[n - 1] == ',' ? from + n - 1 : *at;
            return PD_OK;
        }
        end = from;
    }
    return PD_OK;
}

/* Move *at behind a comma with only blanks before it, if there is one. */
static int go_behind_comma(struct pd_copier *c, uint64_t *at)
{
    unsigned char s[LOOK];
    size_t n = 1;
    for (uint64_t from = *at; n > 0; from += n) {
        size_t k = 0;
        PD_TRY(look(c, from, UINT64_MAX, s, &n));
        while (k < n && is_blank(s[k]))
            k++;
        if (k < n) {
            *at = s[k] == ',' ? from + k + 1 : *at;
            return PD_OK;
        }
    }
    return PD_OK;
}

int pd_copier_drop(struct pd_copier *c, const struct pd_raw *raw)
{
    uint64_t from = raw->offset, to = raw->offset + raw->record_n;
    if (pd_stream_compression(c->stream) != PD_PLAIN)
        return pd_copier_replace(c, raw, NULL, 0);
    PD_TRY(go_to_comma_before(c, &from));
    PD_TRY(from == raw->offset ? go_behind_comma(c, &to) : PD_OK);
    PD_TRY(copy_stored(c, from));
    c->at = to;
    return PD_OK;
}

int pd_copier_finish(struct pd_copier *c)
{
    const unsigned char *s;
    size_t have;
    uint64_t passed = 0;
    while (c->inside) {
        if (pd_stream_peek(c->stream, 1, &s, &have) == PD_OK && have == 0)
            return pd_packer_finish(&c->packer, c->to);
        PD_TRY(pass(c, STEP, true, &passed));
        PD_TRY(leave_at_boundary(c));
    }
    PD_TRY(copy_stored(c, UINT64_MAX));
    return pd_packer_finish(&c->packer, c->to);
}

void pd_copier_close(struct pd_copier *c)
{
    if (!c)
        return;
    if (c->fd >= 0)
        close(c->fd);
    pd_stream_free(c->stream);
    pd_packer_release(&c->packer);
    pd_bytes_release(&c->stored);
    free(c);
}
