/*
 * corpus/stream.c - see src/corpus/stream.h
 *
 * The decoded bytes that have not been passed are v[pos, n). Decoding adds to them step by step.
 * They move to the front of v only when they are no more than the bytes that have been passed, so
 * moving costs no more than decoding did.
 *
 * An anchor ties a decoded position to a stored one. There is an anchor where each member in v
 * starts, and one where the last member has ended.
 */
#include "stream.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "pardup/base/error.h"
#include "pardup/base/search.h"
#include "unpack.h"

#define PAD       64                 /* readable bytes behind v[n - 1] */
#define KEEP_MOST ((size_t)64 << 20) /* a larger v is freed before the next file */

/*
 * A member that decodes to more than RATIO_MOST times its stored bytes is a bomb and no text. gzip
 * can reach 1032 times; pages stay below 100. A member of up to RATIO_FREE decoded bytes is
 * harmless and not checked.
 */
#define RATIO_MOST 1000
#define RATIO_FREE ((uint64_t)1 << 30)

#define FIRST_ROOM  ((size_t)1 << 20)   /* least bytes of v */
#define MAGIC_LEAST 4                   /* shortest magic of a record, bytes */
#define MAGIC_MOST  16                  /* longest magic of a record, bytes */
#define OLD_ANCHORS 1024                /* passed anchors that are dropped together */
#define LOOK_BACK   ((uint64_t)1 << 20) /* stored bytes by which damage may precede its discovery */

/*
 * Behind a break, each member that begins before the break is tried in turn, and most break at the
 * same place. Trying may cost TRIES_FREE bytes and TRIES_SHARE bytes for each stored byte of the
 * file, read and made; then what has been read once is not tried again.
 */
#define TRIES_FREE  ((uint64_t)16 << 20)
#define TRIES_SHARE 16

#define GZIP_MAGIC       "\x1f\x8b\x08"
#define ZSTD_MAGIC       "\x28\xb5\x2f\xfd"
#define LZW_MAGIC        "\x1f\x9d"
#define SKIPPABLE_MAGIC  0x184D2A50u /* zstd; the low four bits may have any value */
#define DICTIONARY_MAGIC 0x184D2A5Du /* a skippable frame with a dictionary */
#define DICTIONARY_MOST  (64u << 20) /* bytes of a dictionary */
#define SKIPPABLE_HEAD   8           /* bytes: magic number and length of a skippable frame */

struct anchor {
    uint64_t decoded; /* decoded bytes before this position */
    uint64_t stored;  /* offset of the stored byte there */
};
PD_VEC(anchors, struct anchor);

struct pd_stream {
    struct pd_input in;
    int (*stopping)(void);       /* nonzero asks to stop; NULL: nobody asks */
    enum pd_compression packing; /* compression of the open file */
    struct pd_gunzip *gunzip;    /* NULL until a gzip file is opened */
    struct pd_unzstd *unzstd;    /* NULL until a zstd file is opened */
    bool dictionary;             /* `unzstd` has the dictionary of the open file */
    struct pd_unlzw *unlzw;      /* NULL until a `.Z` file is opened */
    unsigned char *v;            /* decoded bytes */
    size_t cap;                  /* bytes of v that may be used; PAD more are allocated */
    size_t pos;                  /* v[pos] is the current position */
    size_t n;                    /* bytes in v */
    uint64_t base;               /* decoded bytes that came before v[0] */
    struct anchors anchors;      /* in ascending order */
    size_t anchor;               /* index of the last anchor at or before the current position */
    bool inside;                 /* a member has been begun and has not ended */
    bool ended;                  /* the decoded bytes end with v[n - 1] */
    uint64_t entered;            /* stored offset at which decoding of the file began */
    uint64_t tried;              /* bytes read and made of members that broke */
    uint64_t furthest;           /* stored offset behind all members that broke */
    size_t dropped;              /* bytes made in the step that broke, which are not in v */
    struct pd_trouble broken;    /* what is wrong behind v[n - 1]; text is NULL: nothing */
};

struct pd_stream *pd_stream_new(void)
{
    struct pd_stream *s = pd_realloc(NULL, 1, sizeof *s);
    *s = (struct pd_stream){.in.fd = -1};
    return s;
}

bool pd_stream_stopped(const struct pd_stream *s) { return s->stopping && s->stopping(); }

void pd_stream_stop_when(struct pd_stream *s, int (*stopping)(void)) { s->stopping = stopping; }

/* PD_OK, or PD_EIO when reading is to stop. */
static int go_on(const struct pd_stream *s)
{
    if (pd_stream_stopped(s))
        return pd_fail(PD_EIO, "%s: reading was stopped", s->in.path);
    return PD_OK;
}

void pd_stream_free(struct pd_stream *s)
{
    if (!s)
        return;
    pd_input_release(&s->in);
    pd_gunzip_free(s->gunzip);
    pd_unzstd_free(s->unzstd);
    pd_unlzw_free(s->unlzw);
    anchors_release(&s->anchors);
    free(s->v);
    free(s);
}

/* ---- members ---- */

static uint32_t little_endian(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool is_skippable(const unsigned char *p)
{
    return (little_endian(p) & ~0xFu) == SKIPPABLE_MAGIC;
}

static const char *magic_of(enum pd_compression packing, size_t *n)
{
    static const char *const magics[] = {
        [PD_GZIP] = GZIP_MAGIC, [PD_ZSTD] = ZSTD_MAGIC, [PD_LZW] = LZW_MAGIC};
    *n = strlen(magics[packing]);
    return magics[packing];
}

static void reset_decoder(struct pd_stream *s)
{
    if (s->gunzip)
        pd_gunzip_reset(s->gunzip);
    if (s->unzstd)
        pd_unzstd_reset(s->unzstd);
    if (s->unlzw)
        pd_unlzw_reset(s->unlzw);
}

/* Drop the decoded bytes and go on at stored `offset`. Decoded positions go on counting. */
static void restart(struct pd_stream *s, uint64_t offset)
{
    pd_input_seek(&s->in, offset);
    reset_decoder(s);
    s->base += s->n;
    s->pos = s->n = s->anchor = s->anchors.n = 0;
    s->inside = s->ended = false;
    s->broken.text = NULL;
    anchors_push(&s->anchors, (struct anchor){s->base, offset});
}

static enum pd_compression packing_of(const unsigned char head[4])
{
    if (memcmp(head, GZIP_MAGIC, strlen(GZIP_MAGIC)) == 0)
        return PD_GZIP;
    if (memcmp(head, LZW_MAGIC, strlen(LZW_MAGIC)) == 0)
        return PD_LZW;
    return memcmp(head, ZSTD_MAGIC, 4) == 0 || is_skippable(head) ? PD_ZSTD : PD_PLAIN;
}

static void shrink(struct pd_stream *s)
{
    if (s->cap <= KEEP_MOST)
        return;
    free(s->v);
    s->v = NULL;
    s->cap = 0;
}

/* Drop the decoded bytes and go on at stored `offset`, which becomes decoded position 0. */
static void begin_at(struct pd_stream *s, uint64_t offset)
{
    restart(s, offset);
    s->base = 0;
    s->anchors.v[0].decoded = 0;
    s->entered = s->furthest = offset;
    s->tried = 0;
}

void pd_stream_go_to(struct pd_stream *s, uint64_t from)
{
    shrink(s);
    begin_at(s, from);
}

void pd_stream_go_to_one(struct pd_stream *s, uint64_t from)
{
    s->in.ahead = PD_INPUT_ONE;
    pd_stream_go_to(s, from);
}

/* Is stored byte `offset` within the file, or its end? */
static bool reaches(const struct pd_input *in, uint64_t offset)
{
    struct stat st;
    return fstat(in->fd, &st) != 0 || offset <= (uint64_t)st.st_size;
}

/*
 * Give the zstd decoder the dictionary of the file, or none. It is the content of the first frame
 * if that is a skippable frame with the magic number of the WARC zstd convention (IIPC, "Use of
 * Zstandard in WARC files", section 3). Returns PD_OK or PD_EIO.
 */
static int load_dictionary(struct pd_stream *s, const unsigned char head[4])
{
    unsigned char *v = NULL, bytes[SKIPPABLE_HEAD - 4] = {0};
    size_t got = 0, n = 0;
    int status = PD_OK;
    if (little_endian(head) == DICTIONARY_MAGIC)
        PD_TRY(pd_input_read(&s->in, bytes, sizeof bytes, &got));
    if (got == sizeof bytes && little_endian(bytes) <= DICTIONARY_MOST &&
        reaches(&s->in, SKIPPABLE_HEAD + little_endian(bytes)))
        n = little_endian(bytes);
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

int pd_stream_open(struct pd_stream *s, const char *path, uint64_t from)
{
    pd_stream_close(s);
    shrink(s);
    PD_TRY(pd_input_open(&s->in, path));
    unsigned char head[4] = {0};
    size_t got = 0;
    PD_TRY(pd_input_read(&s->in, head, sizeof head, &got));
    s->packing = packing_of(head);
    if (s->packing == PD_GZIP && !s->gunzip)
        s->gunzip = pd_gunzip_new();
    if (s->packing == PD_ZSTD && !s->unzstd)
        s->unzstd = pd_unzstd_new();
    if (s->packing == PD_LZW && !s->unlzw)
        s->unlzw = pd_unlzw_new();
    if (s->packing == PD_ZSTD)
        PD_TRY(load_dictionary(s, head));
    begin_at(s, from);
    return PD_OK;
}

void pd_stream_close(struct pd_stream *s) { pd_input_close(&s->in); }

enum pd_compression pd_stream_compression(const struct pd_stream *s) { return s->packing; }

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
    if (s->packing == PD_LZW) /* it starts with the file, and carries no checksum to tell it by */
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
        PD_TRY(go_on(s));
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
    begin_at(s, s->in.offset);
    return status;
}

/*
 * Where to look for a member behind the break: behind the start of the broken member, since the
 * damage may begin anywhere in it. When too much has been tried, behind all that has been read.
 */
static uint64_t behind_break(struct pd_stream *s)
{
    const struct anchor *member = &s->anchors.v[s->anchors.n - 1];
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
    restart(s, s->in.offset);
    s->ended = status == PD_END;
    return status;
}

bool pd_stream_broken_begins(struct pd_stream *s, const char *magic, size_t n)
{
    PD_CHECK(s->broken.text && n >= MAGIC_LEAST && n <= MAGIC_MOST);
    const uint64_t seen = s->in.offset;
    pd_input_seek(&s->in, s->anchors.v[s->anchors.n - 1].stored);
    const bool yes = pd_input_fill(&s->in, PD_PEEK_STORED) == PD_OK && begins(s, magic, n);
    pd_input_seek(&s->in, seen);
    return yes;
}

enum pd_skip pd_stream_broken(const struct pd_stream *s, const char **text)
{
    *text = s->broken.text;
    return s->broken.why;
}

/* ---- decoded bytes ---- */

/* Find the anchor of the current position, and drop old anchors. */
static void settle(struct pd_stream *s)
{
    const uint64_t at = s->base + s->pos;
    while (s->anchor + 1 < s->anchors.n && s->anchors.v[s->anchor + 1].decoded <= at)
        s->anchor++;
    if (s->anchor >= OLD_ANCHORS) {
        s->anchors.n -= s->anchor;
        memmove(s->anchors.v, s->anchors.v + s->anchor, s->anchors.n * sizeof *s->anchors.v);
        s->anchor = 0;
    }
}

/*
 * Make room for a step behind v[n - 1]. The caller asks for `want` bytes from the current position
 * on; v does not grow far beyond.
 */
static void make_room(struct pd_stream *s, size_t want)
{
    const size_t held = s->n - s->pos;
    if (held == 0 || (s->cap - s->n < PD_STEP_ROOM && s->pos >= held)) {
        if (held > 0)
            memmove(s->v, s->v + s->pos, held);
        s->base += s->pos;
        s->n = held;
        s->pos = 0;
    }
    if (s->cap - s->n >= PD_STEP_ROOM)
        return;
    size_t cap = s->cap + s->cap / 2;
    const size_t enough = want > SIZE_MAX / 2 ? want : s->pos + want + PD_STEP_ROOM;
    if (cap > enough)
        cap = enough;
    if (cap < s->n + PD_STEP_ROOM)
        cap = s->n + PD_STEP_ROOM;
    if (cap < FIRST_ROOM)
        cap = FIRST_ROOM;
    s->v = pd_realloc(s->v, cap + PAD, 1);
    s->cap = cap;
}

static int read_plain(struct pd_stream *s)
{
    size_t got = 0;
    PD_TRY(pd_input_read(&s->in, s->v + s->n, s->cap - s->n, &got));
    s->n += got;
    s->ended = got == 0;
    return PD_OK;
}

/*
 * Pass what may lie between members: zeros as padding (gzip), skippable frames (zstd). A skippable
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
        if (s->packing == PD_GZIP && left > 0 && *p == 0) {
            pd_input_take(in, 1);
        } else if (s->packing == PD_ZSTD && left >= SKIPPABLE_HEAD && is_skippable(p) &&
                   reaches(in, in->offset + SKIPPABLE_HEAD + little_endian(p + 4))) {
            pd_input_seek(in, in->offset + SKIPPABLE_HEAD + little_endian(p + 4));
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
    s->anchors.v[s->anchors.n - 1].stored = s->in.offset;
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
    return pd_unlzw_step(s->unlzw, &s->in, out, room, made, &s->broken);
}

static bool is_bomb(const struct pd_stream *s)
{
    const struct anchor *m = &s->anchors.v[s->anchors.n - 1];
    const uint64_t decoded = s->base + s->n - m->decoded;
    return decoded > RATIO_FREE && decoded / RATIO_MOST > s->in.offset - m->stored;
}

static void end_member(struct pd_stream *s)
{
    const struct anchor m = {s->base + s->n, s->in.offset};
    /* an empty member needs no anchor of its own: millions may follow */
    if (s->anchors.v[s->anchors.n - 1].decoded == m.decoded)
        s->anchors.v[s->anchors.n - 1] = m;
    else
        anchors_push(&s->anchors, m);
}

/* Decode a step. Breaks are noted in s->broken. Returns PD_OK or PD_EIO. */
static int unpack(struct pd_stream *s)
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

int pd_stream_peek(struct pd_stream *s, size_t want, const unsigned char **bytes, size_t *have)
{
    while (s->n - s->pos < want && !s->ended && !s->broken.text) {
        PD_TRY(go_on(s));
        make_room(s, want);
        PD_TRY(s->packing == PD_PLAIN ? read_plain(s) : unpack(s));
    }
    settle(s);
    *bytes = s->v + s->pos;
    *have = s->n - s->pos;
    return *have < want && s->broken.text ? PD_EFORMAT : PD_OK;
}

void pd_stream_advance(struct pd_stream *s, size_t n)
{
    PD_CHECK(n <= s->n - s->pos);
    s->pos += n;
    settle(s);
}

size_t pd_stream_next_boundary(const struct pd_stream *s, size_t k)
{
    const uint64_t at = s->base + s->pos + k;
    if (s->packing == PD_PLAIN)
        return SIZE_MAX;
    const struct anchor *from = s->anchors.v + s->anchor, *end = s->anchors.v + s->anchors.n;
    const struct anchor *next = from + pd_search_first(from, (size_t)(end - from), sizeof *from,
                                                       offsetof(struct anchor, decoded), at);
    return next < end ? (size_t)(next->decoded - s->base) - s->pos : SIZE_MAX;
}

bool pd_stream_boundary(const struct pd_stream *s, size_t k)
{
    return pd_stream_next_boundary(s, k) == k;
}

void pd_stream_where(const struct pd_stream *s, uint64_t *offset, uint64_t *skip)
{
    const struct anchor *m = &s->anchors.v[s->anchor];
    const uint64_t behind = s->base + s->pos - m->decoded;
    *offset = m->stored + (s->packing == PD_PLAIN ? behind : 0);
    *skip = s->packing == PD_PLAIN ? 0 : behind;
}

uint64_t pd_stream_decoded(const struct pd_stream *s) { return s->base + s->pos; }

uint64_t pd_stream_reached(const struct pd_stream *s) { return s->in.offset; }

int pd_stream_check(const struct pd_stream *s, uint64_t bytes, uint64_t changed)
{
    return pd_input_check(&s->in, bytes, changed);
}
