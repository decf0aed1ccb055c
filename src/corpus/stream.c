/*
 * corpus/stream.c - see src/corpus/stream.h
 *
 * The window v[pos, n) fills step by step and moves to the front of its buffer when at least as
 * much has been consumed as must be moved, so moving costs no more than reading did. `marks` ties
 * decoded positions to stored ones: one where each member in the window starts, and one where the
 * last has ended.
 */
#include "stream.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "pardup/base/error.h"
#include "pardup/base/search.h"
#include "unpack.h"

#define PAD       64                 /* readable bytes behind the window */
#define KEEP_MOST ((size_t)64 << 20) /* bytes of a window that is kept for the next file */

/* A member that inflates so much is no text but a bomb; gzip reaches 1032, pages stay below 100. */
#define RATIO_MOST 1000
#define RATIO_FREE ((uint64_t)1 << 30) /* decoded bytes of a member that need no such guard */

#define FIRST_ROOM  ((size_t)1 << 20)
#define MAGIC_LEAST 4
#define MAGIC_MOST  16
#define OLD_MARKS   1024                /* passed marks that are kept before they are shifted out */
#define LOOK_BACK   ((uint64_t)1 << 20) /* stored bytes by which damage may precede its discovery */

#define GZIP_MAGIC      "\x1f\x8b\x08"
#define ZSTD_MAGIC      "\x28\xb5\x2f\xfd"
#define LZW_MAGIC       "\x1f\x9d"
#define SKIPPABLE_MAGIC 0x184D2A50u /* of zstd: the low four bits are free */
#define SKIPPABLE_HEAD  8

struct mark {
    uint64_t decoded;
    uint64_t stored;
};
PD_VEC(marks, struct mark);

struct pd_stream {
    struct pd_input in;
    enum pd_compression packing;
    struct pd_gunzip *gunzip; /* NULL until a file needs it */
    struct pd_unzstd *unzstd;
    struct pd_unlzw *unlzw;
    unsigned char *v;
    size_t cap;
    size_t pos;
    size_t n;
    uint64_t base; /* decoded bytes that came before v[0] */
    struct marks marks;
    size_t mark;              /* the last one at or before the position */
    bool inside;              /* a member has been begun and has not ended */
    bool ended;               /* nothing follows v[n - 1] */
    struct pd_trouble broken; /* ... or this does */
};

struct pd_stream *pd_stream_new(void)
{
    struct pd_stream *s = pd_realloc(NULL, 1, sizeof *s);
    *s = (struct pd_stream){.in.fd = -1};
    return s;
}

void pd_stream_free(struct pd_stream *s)
{
    if (!s)
        return;
    pd_input_release(&s->in);
    pd_gunzip_free(s->gunzip);
    pd_unzstd_free(s->unzstd);
    pd_unlzw_free(s->unlzw);
    marks_release(&s->marks);
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

/* Forget the window and go on at stored `offset`; the decoded count goes on, too. */
static void restart(struct pd_stream *s, uint64_t offset)
{
    pd_input_seek(&s->in, offset);
    reset_decoder(s);
    s->base += s->n;
    s->pos = s->n = s->mark = s->marks.n = 0;
    s->inside = s->ended = false;
    s->broken.text = NULL;
    marks_push(&s->marks, (struct mark){s->base, offset});
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

/* The same, as if nothing had been decoded before. */
static void begin_at(struct pd_stream *s, uint64_t offset)
{
    restart(s, offset);
    s->base = 0;
    s->marks.v[0].decoded = 0;
}

void pd_stream_go_to(struct pd_stream *s, uint64_t from)
{
    shrink(s);
    begin_at(s, from);
}

int pd_stream_open(struct pd_stream *s, const char *path, uint64_t from)
{
    pd_stream_close(s);
    shrink(s);
    PD_TRY(pd_input_open(&s->in, path));
    unsigned char head[4] = {0};
    size_t got = 0;
    PD_TRY(pd_input_read(&s->in, head, sizeof head, &got));
    s->in.read = 0; /* what follows reads them again */
    s->packing = packing_of(head);
    if (s->packing == PD_GZIP && !s->gunzip)
        s->gunzip = pd_gunzip_new();
    if (s->packing == PD_ZSTD && !s->unzstd)
        s->unzstd = pd_unzstd_new();
    if (s->packing == PD_LZW && !s->unlzw)
        s->unlzw = pd_unlzw_new();
    begin_at(s, from);
    return PD_OK;
}

void pd_stream_close(struct pd_stream *s) { pd_input_close(&s->in); }

enum pd_compression pd_stream_compression(const struct pd_stream *s) { return s->packing; }

static long probe(struct pd_stream *s, unsigned char *out, size_t want)
{
    const unsigned char *p = s->in.v + s->in.pos;
    const size_t n = pd_input_left(&s->in);
    return s->packing == PD_GZIP ? pd_gunzip_probe(s->gunzip, p, n, out, want)
                                 : pd_unzstd_probe(s->unzstd, p, n, out, want);
}

/*
 * Is there a member at the input's position that begins with `magic` (n > 0), or just any? All that
 * the first question finds the second finds, too: what follows a break is the same member for who
 * comes from before it and for who enters the file behind it.
 */
static bool begins(struct pd_stream *s, const char *magic, size_t n)
{
    unsigned char out[PD_PROBE_BYTES];
    if (s->packing == PD_LZW) /* one a file, and nothing in it says when it is none */
        return false;
    const long got = probe(s, out, sizeof out);
    return n > 0 ? got >= (long)n && memcmp(out, magic, n) == 0 : got >= MAGIC_LEAST;
}

/* Put the input at the first such member in stored bytes [from, to). */
static int find_member(struct pd_stream *s, uint64_t from, uint64_t to, const char *magic, size_t n)
{
    struct pd_input *in = &s->in;
    size_t m;
    const char *mark = magic_of(s->packing, &m);
    pd_input_seek(in, from);
    for (;;) {
        PD_TRY(pd_input_fill(in, PD_PROBE_STORED));
        const size_t left = pd_input_left(in);
        if (left < m || in->offset >= to) {
            pd_input_take(in, left < m ? left : 0);
            return PD_END;
        }
        const unsigned char *p = in->v + in->pos, *hit = memmem(p, left, mark, m);
        if (!hit) {
            pd_input_take(in, left - (m - 1));
            continue;
        }
        pd_input_take(in, (size_t)(hit - p));
        PD_TRY(pd_input_fill(in, PD_PROBE_STORED));
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

int pd_stream_recover(struct pd_stream *s)
{
    const uint64_t member = s->marks.v[s->marks.n - 1].stored, seen = s->in.offset;
    uint64_t from = member + 1;
    if (seen > LOOK_BACK && seen - LOOK_BACK > from)
        from = seen - LOOK_BACK;
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
    pd_input_seek(&s->in, s->marks.v[s->marks.n - 1].stored);
    const bool yes = pd_input_fill(&s->in, PD_PROBE_STORED) == PD_OK && begins(s, magic, n);
    pd_input_seek(&s->in, seen);
    return yes;
}

enum pd_skip pd_stream_broken(const struct pd_stream *s, const char **text)
{
    *text = s->broken.text;
    return s->broken.why;
}

/* ---- window ---- */

static void settle(struct pd_stream *s)
{
    const uint64_t at = s->base + s->pos;
    while (s->mark + 1 < s->marks.n && s->marks.v[s->mark + 1].decoded <= at)
        s->mark++;
    if (s->mark >= OLD_MARKS) {
        s->marks.n -= s->mark;
        memmove(s->marks.v, s->marks.v + s->mark, s->marks.n * sizeof *s->marks.v);
        s->mark = 0;
    }
}

/* `most`: the largest window that is asked for. */
static void make_room(struct pd_stream *s, size_t most)
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
    const size_t enough = most > SIZE_MAX / 2 ? most : s->pos + most + PD_STEP_ROOM;
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

/* Is stored byte `offset` within the file, or its end? */
static bool reaches(const struct pd_input *in, uint64_t offset)
{
    struct stat st;
    return fstat(in->fd, &st) != 0 || offset <= (uint64_t)st.st_size;
}

/*
 * What may lie between members and is none: padding with zeros (gzip), skippable frames (zstd). A
 * frame that is longer than the file is not passed: it is garbage.
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

static int begin_member(struct pd_stream *s)
{
    PD_TRY(pass_filling(s));
    const size_t left = pd_input_left(&s->in);
    s->marks.v[s->marks.n - 1].stored = s->in.offset;
    size_t m;
    const char *magic = magic_of(s->packing, &m);
    if (left == 0)
        s->ended = true;
    else if (memcmp(s->in.v + s->in.pos, magic, left < m ? left : m) != 0)
        s->broken = (struct pd_trouble){PD_SKIP_GARBAGE, "bytes that are no packed data"};
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
    const struct mark *m = &s->marks.v[s->marks.n - 1];
    const uint64_t decoded = s->base + s->n - m->decoded;
    return decoded > RATIO_FREE && decoded / RATIO_MOST > s->in.offset - m->stored;
}

static void end_member(struct pd_stream *s)
{
    const struct mark m = {s->base + s->n, s->in.offset};
    if (s->marks.v[s->marks.n - 1].decoded == m.decoded) /* an empty one: millions may follow */
        s->marks.v[s->marks.n - 1] = m;
    else
        marks_push(&s->marks, m);
}

static int unpack(struct pd_stream *s)
{
    if (!s->inside) {
        PD_TRY(begin_member(s));
        if (!s->inside)
            return PD_OK;
    }
    size_t made;
    const int status = step(s, &made);
    if (status == PD_EFORMAT && s->broken.why == PD_SKIP_CORRUPT)
        made = 0; /* nobody knows how long it has been wrong */
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
    const struct mark *from = s->marks.v + s->mark, *end = s->marks.v + s->marks.n;
    const struct mark *next = from + pd_search_first(from, (size_t)(end - from), sizeof *from,
                                                     offsetof(struct mark, decoded), at);
    return next < end ? (size_t)(next->decoded - s->base) - s->pos : SIZE_MAX;
}

bool pd_stream_boundary(const struct pd_stream *s, size_t k)
{
    return pd_stream_next_boundary(s, k) == k;
}

void pd_stream_where(const struct pd_stream *s, uint64_t *offset, uint64_t *skip)
{
    const struct mark *m = &s->marks.v[s->mark];
    const uint64_t behind = s->base + s->pos - m->decoded;
    *offset = m->stored + (s->packing == PD_PLAIN ? behind : 0);
    *skip = s->packing == PD_PLAIN ? 0 : behind;
}

uint64_t pd_stream_decoded(const struct pd_stream *s) { return s->base + s->pos; }

uint64_t pd_stream_read(const struct pd_stream *s) { return s->in.read; }
uint64_t pd_stream_reached(const struct pd_stream *s) { return s->in.offset; }
