/*
 * corpus/packed/stream.c - see src/corpus/packed/stream.h
 *
 * The decoded bytes that have not been passed are v[pos, n). Decoding adds to them step by step.
 * They move to the front of v only when they are no more than the bytes that have been passed, so
 * moving costs no more than decoding did.
 *
 * A waypoint ties a decoded position to a stored one. There is a waypoint where each member in v
 * starts, and one where the last member has ended. Members are in stream_members.c.
 */
#include "stream.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/search.h"
#include "stream_inside.h"

#define PAD           64                 /* readable bytes behind v[n - 1] */
#define KEEP_MOST     ((size_t)64 << 20) /* a larger v is freed before the next file */
#define FIRST_ROOM    ((size_t)1 << 20)  /* least bytes of v */
#define OLD_WAYPOINTS 1024               /* passed waypoints that are dropped together */

struct pd_stream *pd_stream_new(void)
{
    struct pd_stream *s = pd_realloc(NULL, 1, sizeof *s);
    *s = (struct pd_stream){.in.fd = -1};
    return s;
}

bool pd_stream_stopped(const struct pd_stream *s) { return s->stopping && s->stopping(); }

void pd_stream_stop_when(struct pd_stream *s, int (*stopping)(void)) { s->stopping = stopping; }

void pd_stream_free(struct pd_stream *s)
{
    if (!s)
        return;
    pd_input_release(&s->in);
    pd_gunzip_free(s->gunzip);
    pd_unzstd_free(s->unzstd);
    pd_unlzw_free(s->unlzw);
    pd_unarchive_free(s->unarchive);
    pd_waypoints_release(&s->waypoints);
    PD_FREE(s->v, s);
}

/* ---- files and places in them ---- */

static void shrink(struct pd_stream *s)
{
    if (s->cap <= KEEP_MOST)
        return;
    free(s->v);
    s->v = NULL;
    s->cap = 0;
}

void pd_stream_go_to(struct pd_stream *s, uint64_t from)
{
    shrink(s);
    pd_stream_begin_at(s, from);
}

void pd_stream_go_to_one(struct pd_stream *s, uint64_t from)
{
    s->in.ahead = PD_INPUT_ONE;
    pd_stream_go_to(s, from);
}

int pd_stream_open(struct pd_stream *s, const char *path, uint64_t from)
{
    pd_stream_close(s);
    shrink(s);
    PD_TRY(pd_input_open(&s->in, path));
    unsigned char head[PD_MAGIC_HEAD] = {0};
    size_t got = 0;
    PD_TRY(pd_input_read(&s->in, head, sizeof head, &got));
    s->packing = pd_members_packing(head);
    if (s->packing == PD_GZIP && !s->gunzip)
        s->gunzip = pd_gunzip_new();
    if (s->packing == PD_ZSTD && !s->unzstd)
        s->unzstd = pd_unzstd_new();
    if (s->packing == PD_LZW && !s->unlzw)
        s->unlzw = pd_unlzw_new();
    if (s->packing > PD_LZW && !s->unarchive)
        s->unarchive = pd_unarchive_new();
    if (s->packing == PD_ZSTD)
        PD_TRY(pd_members_dictionary(s, head));
    pd_stream_begin_at(s, from);
    return PD_OK;
}

void pd_stream_close(struct pd_stream *s) { pd_input_close(&s->in); }

enum pd_compression pd_stream_compression(const struct pd_stream *s) { return s->packing; }

enum pd_skip pd_stream_broken(const struct pd_stream *s, const char **text)
{
    *text = s->broken.text;
    return s->broken.why;
}

/* ---- decoded bytes ---- */

/* Find the waypoint of the current position, and drop old waypoints. */
static void settle(struct pd_stream *s)
{
    const uint64_t at = s->base + s->pos;
    while (s->waypoint + 1 < s->waypoints.n && s->waypoints.v[s->waypoint + 1].decoded <= at)
        s->waypoint++;
    if (s->waypoint >= OLD_WAYPOINTS) {
        s->waypoints.n -= s->waypoint;
        memmove(s->waypoints.v, s->waypoints.v + s->waypoint,
                s->waypoints.n * sizeof *s->waypoints.v);
        s->waypoint = 0;
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

int pd_stream_peek(struct pd_stream *s, size_t want, const unsigned char **bytes, size_t *have)
{
    while (s->n - s->pos < want && !s->ended && !s->broken.text) {
        PD_TRY(pd_stream_go_on(s));
        make_room(s, want);
        PD_TRY(s->packing == PD_PLAIN ? read_plain(s) : pd_members_unpack(s));
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
    const struct pd_waypoint *from = s->waypoints.v + s->waypoint,
                             *end = s->waypoints.v + s->waypoints.n;
    const struct pd_waypoint *next =
        from + pd_search_first(from, (size_t)(end - from), sizeof *from,
                               offsetof(struct pd_waypoint, decoded), at);
    return next < end ? (size_t)(next->decoded - s->base) - s->pos : SIZE_MAX;
}

bool pd_stream_boundary(const struct pd_stream *s, size_t k)
{
    return pd_stream_next_boundary(s, k) == k;
}

void pd_stream_where(const struct pd_stream *s, uint64_t *offset, uint64_t *skip)
{
    const struct pd_waypoint *m = &s->waypoints.v[s->waypoint];
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
