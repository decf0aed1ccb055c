/*
 * corpus/packed/stream_inside.h - a stream, as corpus/packed/stream.c (the window over the decoded
 * bytes) and corpus/packed/stream_members.c (the members that they are decoded from) share it.
 * Functions are in the latter.
 */
#ifndef PARDUP_CORPUS_STREAM_INSIDE_H
#define PARDUP_CORPUS_STREAM_INSIDE_H

#include "pardup/base/vec.h"
#include "stream.h"
#include "unpack.h"

enum { PD_MAGIC_HEAD = 10 }; /* first bytes of a file that tell how it is compressed */

/* Ties a decoded position to a stored one. */
struct pd_waypoint {
    uint64_t decoded; /* decoded bytes before this position */
    uint64_t stored;  /* offset of the stored byte there */
};
PD_VEC(pd_waypoints, struct pd_waypoint);

struct pd_stream {
    struct pd_input in;
    int (*stopping)(void);          /* nonzero asks to stop; NULL: nobody asks */
    enum pd_compression packing;    /* compression of the open file */
    struct pd_gunzip *gunzip;       /* NULL until a gzip file is opened */
    struct pd_unzstd *unzstd;       /* NULL until a zstd file is opened */
    bool dictionary;                /* `unzstd` has the dictionary of the open file */
    struct pd_unlzw *unlzw;         /* NULL until a `.Z` file is opened */
    struct pd_unarchive *unarchive; /* NULL until a file that is one member is opened */
    unsigned char *v;               /* decoded bytes */
    size_t cap;                     /* bytes of v that may be used; PAD more are allocated */
    size_t pos;                     /* v[pos] is the current position */
    size_t n;                       /* bytes in v */
    uint64_t base;                  /* decoded bytes that came before v[0] */
    struct pd_waypoints waypoints;  /* in ascending order */
    size_t waypoint;          /* index of the last waypoint at or before the current position */
    bool inside;              /* a member has been begun and has not ended */
    bool ended;               /* the decoded bytes end with v[n - 1] */
    uint64_t entered;         /* stored offset at which decoding of the file began */
    uint64_t tried;           /* bytes read and made of members that broke */
    uint64_t furthest;        /* stored offset behind all members that broke */
    size_t dropped;           /* bytes made in the step that broke, which are not in v */
    struct pd_trouble broken; /* what is wrong behind v[n - 1]; text is NULL: nothing */
};

/* PD_OK, or PD_EIO when reading is to stop. */
int pd_stream_go_on(const struct pd_stream *s);

/* Drop the decoded bytes and go on at stored `offset`. Decoded positions go on counting. */
void pd_stream_restart(struct pd_stream *s, uint64_t offset);

/* Drop the decoded bytes and go on at stored `offset`, which becomes decoded position 0. */
void pd_stream_begin_at(struct pd_stream *s, uint64_t offset);

/* How a file is compressed that begins with these bytes. */
enum pd_compression pd_members_packing(const unsigned char head[PD_MAGIC_HEAD]);

/*
 * Give the zstd decoder the dictionary of the file, or none. The input stands behind `head`, the
 * first bytes of the file. Returns PD_OK or PD_EIO.
 */
int pd_members_dictionary(struct pd_stream *s, const unsigned char head[PD_MAGIC_HEAD]);

/*
 * Decode a step into the room behind v[n - 1], at least PD_STEP_ROOM bytes. What does not decode is
 * noted in s->broken. Returns PD_OK or PD_EIO.
 */
int pd_members_unpack(struct pd_stream *s);

#endif
