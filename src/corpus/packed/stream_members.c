/*
 * corpus/packed/stream_members.c - the members of a compressed file: see src/corpus/packed/stream_inside.h
 *
 * The stream's place in the file is here, too. Members are decoded step by step. Where one does not decode, the stream stops, and the next
 * member is found by its magic number.
 */
#include <string.h>
#include <sys/stat.h>

#include "pardup/base/error.h"
#include "pardup/base/scan.h"
#include "stream_inside.h"

/*
 * A member that decodes to more than RATIO_MOST times its stored bytes is a bomb and no text. gzip
 * can reach 1032 times; pages stay below 100. A member of up to RATIO_FREE decoded bytes is
 * harmless and not checked.
 */
#define RATIO_MOST 1000
#define RATIO_FREE ((uint64_t)1 << 30)

#define MAGIC_LEAST 4                   /* shortest magic of a record, bytes */
#define MAGIC_MOST  16                  /* longest magic of a record, bytes */
#define LOOK_BACK   ((uint64_t)1 << 20) /* stored bytes by which damage may precede its discovery */

/*
 * Behind a break, each member that begins before the break is tried in turn, and most break at the
 * same place. Trying may cost TRIES_FREE bytes and TRIES_SHARE bytes for each stored byte of the
 * file, read and made; then what has been read once is not tried again.
 */
#define TRIES_FREE  ((uint64_t)16 << 20)
#define TRIES_SHARE 16

#define SKIPPABLE_MAGIC  0x184D2A50u /* zstd; the low four bits may have any value */
#define DICTIONARY_MAGIC 0x184D2A5Du /* a skippable frame with a dictionary */
#define DICTIONARY_MOST  (64u << 20) /* bytes of a dictionary */
#define SKIPPABLE_HEAD   8           /* bytes: magic number and length of a skippable frame */

/* ---- where decoding stands ---- */

int pd_stream_go_on(const struct pd_stream *s)
{
    if (s->stopping && s->stopping())
        return pd_fail(PD_EIO, "%s: reading was stopped", s->in.path);
    return PD_OK;
}

static void reset_decoder(struct pd_stream *s)
{
    if (s->gunzip)
        pd_gunzip_reset(s->gunzip);
    if (s->unzstd)
        pd_unzstd_reset(s->unzstd);
    if (s->unlzw)
        pd_unlzw_reset(s->unlzw);
    if (s->unarchive)
        pd_unarchive_reset(s->unarchive);
}

void pd_stream_restart(struct pd_stream *s, uint64_t offset)
{
    pd_input_seek(&s->in, offset);
    reset_decoder(s);
    s->base += s->n;
    s->pos = s->n = s->waypoint = s->waypoints.n = 0;
    s->inside = s->ended = false;
    s->broken.text = NULL;
    pd_waypoints_push(&s->waypoints, (struct pd_waypoint){s->base, offset});
}

void pd_stream_begin_at(struct pd_stream *s, uint64_t offset)
{
    pd_stream_restart(s, offset);
    s->base = 0;
    s->waypoints.v[0].decoded = 0;
    s->entered = s->furthest = offset;
    s->tried = 0;
}

/* ---- kinds of members ---- */

static bool is_skippable(const unsigned char *p)
{
    return (pd_scan_number(p, 4) & ~0xFu) == SKIPPABLE_MAGIC;
}

static const char *magic_of(enum pd_compression packing, size_t *n)
{
    static const char *const magics[] = {
        [PD_GZIP] = "\x1f\x8b\x08", [PD_ZSTD] = "\x28\xb5\x2f\xfd", [PD_LZW] = "\x1f\x9d",
        [PD_BZIP2] = "BZh",         [PD_XZ] = "\xfd\x37zXZ",        [PD_LZ4] = "\x04\x22\x4d\x18"};
    *n = strlen(magics[packing]);
    return magics[packing];
}

enum pd_compression pd_members_packing(const unsigned char head[PD_MAGIC_HEAD])
{
    static const char block[] = "1AY&SY", no_block[] = "\x17rE8P\x90"; /* of bzip2 */
    size_t n;
    for (enum pd_compression packing = PD_GZIP; packing <= PD_LZ4; packing++) {
        const char *magic = magic_of(packing, &n);
        if (memcmp(head, magic, n) == 0 &&
            (packing != PD_BZIP2 || memcmp(head + 4, block, strlen(block)) == 0 ||
             memcmp(head + 4, no_block, strlen(no_block)) == 0))
            return packing;
    }
    return is_skippable(head) ? PD_ZSTD : PD_PLAIN;
}

/* Is stored byte `offset` within the file, or its end? */
static bool reaches(const struct pd_input *in, uint64_t offset)
{
    struct stat st;
    return fstat(in->fd, &st) != 0 || offset <= (uint64_t)st.st_size;
}

/*
 * The dictionary is the content of the first frame if it is a skippable frame with the magic number
 * of the WARC zstd convention (IIPC, "Use of Zstandard in WARC files", section 3).
 */
int pd_members_dictionary(struct pd_stream *s, const unsigned char head[PD_MAGIC_HEAD])
{
    enum { MAGIC = 4 };
    unsigned char *v = NULL, bytes[SKIPPABLE_HEAD - MAGIC] = {0};
    size_t got = 0, n = 0;
    pd_input_seek(&s->in, MAGIC);
    int status = PD_OK;
    if (pd_scan_number(head, 4) == DICTIONARY_MAGIC)
        PD_TRY(pd_input_read(&s->in, bytes, sizeof bytes, &got));
    if (got == sizeof bytes && pd_scan_number(bytes, 4) <= DICTIONARY_MOST &&
        reaches(&s->in, SKIPPABLE_HEAD + pd_scan_number(bytes, 4)))
        n = pd_scan_number(bytes, 4);
    if (n > 0)
        v = pd_realloc(NULL, n, 1);
    for (size_t k = 0; k < n && status == PD_OK; k += got) {
        status = pd_input_read(&s->in, v + k, n - k, &got);
        n = got > 0 ? n : k; /* the file has become shorter */
    }
    if (status == PD_OK && (n > 0 || s->dictionary))
        pd_unzstd_dictionary(s->unzstd, v, n);
    s->dictionary = n > 0;
    free(v);
    return status;
}

/* ---- decoding ---- */

/*
 * Pass what may lie between members: zeros as padding (gzip, zstd), skippable frames (zstd). A skippable
 * frame that would end behind the end of the file is garbage and not passed.
 * Returns PD_OK or PD_EIO.
 */
static int pass_filling(struct pd_stream *s)
{
    struct pd_input *in = &s->in;
    for (;;) {
        PD_TRY(pd_input_fill(in, SKIPPABLE_HEAD));
        const unsigned char *p = in->v + in->pos;
        const size_t left = pd_input_left(in);
        if (s->packing < PD_LZW && left > 0 && *p == 0) {
            pd_input_take(in, 1);
        } else if (s->packing == PD_ZSTD && left >= SKIPPABLE_HEAD && is_skippable(p) &&
                   reaches(in, in->offset + SKIPPABLE_HEAD + pd_scan_number(p + 4, 4))) {
            pd_input_seek(in, in->offset + SKIPPABLE_HEAD + pd_scan_number(p + 4, 4));
        } else {
            return PD_OK;
        }
    }
}

/* Set s->inside, s->ended or s->broken by what follows in the file. Returns PD_OK or PD_EIO. */
static int begin_member(struct pd_stream *s)
{
    PD_TRY(pass_filling(s));
    const size_t left = pd_input_left(&s->in);
    s->waypoints.v[s->waypoints.n - 1].stored = s->in.offset;
    size_t m;
    const char *magic = magic_of(s->packing, &m);
    if (left == 0)
        s->ended = true;
    else if (memcmp(s->in.v + s->in.pos, magic, left < m ? left : m) != 0)
        s->broken = (struct pd_trouble){PD_SKIP_GARBAGE, "bytes that are not compressed data"};
    else if (left < m)
        s->broken = (struct pd_trouble){PD_SKIP_TRUNCATED, "file ends inside a magic number"};
    else
        s->inside = true;
    return PD_OK;
}

static int step(struct pd_stream *s, size_t *made)
{
    unsigned char *out = s->v + s->n;
    const size_t room = s->cap - s->n;
    if (s->packing == PD_GZIP)
        return pd_gunzip_step(s->gunzip, &s->in, out, room, made, &s->broken);
    if (s->packing == PD_ZSTD)
        return pd_unzstd_step(s->unzstd, &s->in, out, room, made, &s->broken);
    if (s->packing == PD_LZW)
        return pd_unlzw_step(s->unlzw, &s->in, out, room, made, &s->broken);
    return pd_unarchive_step(s->unarchive, &s->in, out, made, &s->broken);
}

static bool is_bomb(const struct pd_stream *s)
{
    const struct pd_waypoint *m = &s->waypoints.v[s->waypoints.n - 1];
    const uint64_t decoded = s->base + s->n - m->decoded;
    return decoded > RATIO_FREE && decoded / RATIO_MOST > s->in.offset - m->stored;
}

static void end_member(struct pd_stream *s)
{
    const struct pd_waypoint m = {s->base + s->n, s->in.offset};
    /* an empty member needs no waypoint of its own: millions may follow */
    if (s->waypoints.v[s->waypoints.n - 1].decoded == m.decoded)
        s->waypoints.v[s->waypoints.n - 1] = m;
    else
        pd_waypoints_push(&s->waypoints, m);
}

int pd_members_unpack(struct pd_stream *s)
{
    if (!s->inside) {
        PD_TRY(begin_member(s));
        if (!s->inside)
            return PD_OK;
    }
    size_t made;
    const int status = step(s, &made);
    s->dropped = 0;
    if (status == PD_EFORMAT && s->broken.why == PD_SKIP_CORRUPT) {
        s->dropped = made; /* bytes of this step may be wrong from anywhere on */
        made = 0;
    }
    s->n += made;
    if (status == PD_END) {
        s->inside = false;
        end_member(s);
    } else if (status == PD_OK && is_bomb(s)) {
        s->broken = (struct pd_trouble){
            PD_SKIP_TOO_LARGE, "member inflates to more than 1 GB and 1000 times its size"};
    }
    return status == PD_EIO ? PD_EIO : PD_OK;
}

/* ---- search ---- */

/* Decode the first `want` bytes of a member at the input's position; -1 when there is no member. */
static long peek(struct pd_stream *s, unsigned char *out, size_t want)
{
    const unsigned char *p = s->in.v + s->in.pos;
    const size_t n = pd_input_left(&s->in);
    return s->packing == PD_GZIP ? pd_gunzip_peek(s->gunzip, p, n, out, want)
                                 : pd_unzstd_peek(s->unzstd, p, n, out, want);
}

/*
 * Is there a member at the input's position whose decoded bytes begin with magic[0, n)? With n = 0
 * any member will do, but whatever is found with a magic is found without one, too. So a reader
 * that recovers from a break, and a reader that enters the file behind the break, find the same
 * member.
 */
static bool begins(struct pd_stream *s, const char *magic, size_t n)
{
    unsigned char out[PD_PEEK_BYTES];
    if (s->packing >= PD_LZW) /* it starts with the file */
        return false;
    const long got = peek(s, out, sizeof out);
    return n > 0 ? got >= (long)n && memcmp(out, magic, n) == 0 : got >= MAGIC_LEAST;
}

/*
 * Put the input at the first member in stored bytes [from, to) for which begins() holds. Returns
 * PD_OK, PD_END or PD_EIO.
 */
static int find_member(struct pd_stream *s, uint64_t from, uint64_t to, const char *magic, size_t n)
{
    struct pd_input *in = &s->in;
    size_t m;
    const char *number = magic_of(s->packing, &m);
    pd_input_seek(in, from);
    for (;;) {
        PD_TRY(pd_input_fill(in, PD_PEEK_STORED));
        const size_t left = pd_input_left(in);
        if (left < m || in->offset >= to) {
            pd_input_take(in, left < m ? left : 0);
            return PD_END;
        }
        const unsigned char *p = in->v + in->pos, *hit = memmem(p, left, number, m);
        if (!hit) {
            pd_input_take(in, left - (m - 1));
            continue;
        }
        pd_input_take(in, (size_t)(hit - p));
        PD_TRY(pd_stream_go_on(s));
        PD_TRY(pd_input_fill(in, PD_PEEK_STORED));
        if (in->offset < to && begins(s, magic, n))
            return PD_OK;
        pd_input_take(in, 1);
    }
}

int pd_stream_seek_member(struct pd_stream *s, uint64_t from, uint64_t to, const char *magic,
                          size_t n)
{
    PD_CHECK(s->packing != PD_PLAIN && n >= MAGIC_LEAST && n <= MAGIC_MOST);
    const int status = find_member(s, from, to, magic, n);
    if (status == PD_EIO)
        return status;
    pd_stream_begin_at(s, s->in.offset);
    return status;
}

/*
 * Where to look for a member behind the break: behind the start of the broken member, since the
 * damage may begin anywhere in it. When too much has been tried, behind all that has been read.
 */
static uint64_t behind_break(struct pd_stream *s)
{
    const struct pd_waypoint *member = &s->waypoints.v[s->waypoints.n - 1];
    const uint64_t seen = s->in.offset, made = s->base + s->n - member->decoded;
    uint64_t from = member->stored + 1;
    if (seen > LOOK_BACK && seen - LOOK_BACK > from)
        from = seen - LOOK_BACK;
    s->tried += seen - member->stored + made + s->dropped;
    s->furthest = seen > s->furthest ? seen : s->furthest;
    if (s->tried <= TRIES_FREE + TRIES_SHARE * (s->furthest - s->entered))
        return from;
    return s->furthest > from ? s->furthest : from;
}

int pd_stream_recover(struct pd_stream *s)
{
    const uint64_t from = behind_break(s);
    const int status = find_member(s, from, UINT64_MAX, NULL, 0);
    if (status == PD_EIO)
        return status;
    pd_stream_restart(s, s->in.offset);
    s->ended = status == PD_END;
    return status;
}

bool pd_stream_broken_begins(struct pd_stream *s, const char *magic, size_t n)
{
    PD_CHECK(s->broken.text && n >= MAGIC_LEAST && n <= MAGIC_MOST);
    const uint64_t seen = s->in.offset;
    pd_input_seek(&s->in, s->waypoints.v[s->waypoints.n - 1].stored);
    const bool yes = pd_input_fill(&s->in, PD_PEEK_STORED) == PD_OK && begins(s, magic, n);
    pd_input_seek(&s->in, seen);
    return yes;
}
