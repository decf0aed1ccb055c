/*
 * corpus/packed/unpack.h - gzip members, zstd frames and whole compressed files, decoded step by
 * step.
 *
 * A step makes PD_STEP bytes, or fewer when the member ends or breaks. It makes more in two cases:
 * a gzip member that fits into the room may be decoded in one step, and the last string of a step
 * of compress(1) is not cut. What a member yields before it breaks therefore depends on the file
 * alone. The caller drops what a step has made when the step finds corrupt data. So a member of up
 * to PD_STEP bytes comes whole or not at all.
 */
#ifndef PARDUP_CORPUS_UNPACK_H
#define PARDUP_CORPUS_UNPACK_H

#include <stdbool.h>

#include "input.h"
#include "pardup/base/bytes.h"
#include "pardup/base/raw.h"

#define PD_STEP      ((size_t)256 << 10) /* decoded bytes of a step */
#define PD_STEP_ROOM ((size_t)512 << 10) /* least room for a step; most pages fit in one step */

/* Stored bytes that a peek may need to see: a zstd block, or a gzip header with a long name. */
#define PD_PEEK_STORED ((size_t)128 << 10)

/*
 * Decoded bytes that a peek asks for; bytes that are no member do not decode that far by chance.
 */
#define PD_PEEK_BYTES ((size_t)4 << 10)

/* A reason why data is skipped. */
struct pd_trouble {
    enum pd_skip why;
    const char *text; /* constant string; NULL: nothing is wrong */
};

/* A gzip decoder. */
struct pd_gunzip;
struct pd_gunzip *pd_gunzip_new(void);     /* the caller frees it */
void pd_gunzip_free(struct pd_gunzip *g);  /* NULL: does nothing */
void pd_gunzip_reset(struct pd_gunzip *g); /* the next step begins a member */

/*
 * Decode the next step from `in` into out[0, room), room >= PD_STEP_ROOM. *made is the number of
 * bytes that were made, also before corrupt data.
 * Returns PD_OK, PD_END when the member is complete (`in` is then behind it), PD_EIO, or PD_EFORMAT
 * with *trouble.
 */
int pd_gunzip_step(struct pd_gunzip *g, struct pd_input *in, unsigned char *out, size_t room,
                   size_t *made, struct pd_trouble *trouble);

/*
 * Decode up to `want` bytes of a member at s[0, n) into `out`. Returns how many there are before
 * `want`, the end of the member or the end of s is reached; -1 when s is no member. Resets `g`.
 */
long pd_gunzip_peek(struct pd_gunzip *g, const unsigned char *s, size_t n, unsigned char *out,
                    size_t want);

/* The wrapper of deflate data: a gzip member (RFC 1952), zlib (RFC 1950), or none. */
enum pd_wrapper { PD_WRAP_GZIP, PD_WRAP_ZLIB, PD_WRAP_NONE };

/* Compressed bytes in memory that are decoded at once. */
struct pd_unpacking {
    const unsigned char *s;    /* borrowed */
    size_t n;                  /* bytes of s */
    struct pd_bytes *out;      /* decoded bytes are appended to it */
    uint64_t most;             /* `out` may hold this many bytes */
    bool cut;                  /* set: s ends early, which is no error */
    struct pd_trouble trouble; /* set after a failure */
};

/*
 * Decode all gzip members of u->s, or its one zlib or deflate stream. Bytes behind them that are no
 * member are ignored. Returns PD_OK, or PD_EFORMAT with u->trouble when s is corrupt, or goes on
 * when `out` holds more than `most` bytes.
 */
int pd_gunzip_all(struct pd_gunzip *g, enum pd_wrapper wrapper, struct pd_unpacking *u);

/* A zstd decoder. Its functions do for frames what pd_gunzip_*() do for members. */
struct pd_unzstd;
struct pd_unzstd *pd_unzstd_new(void);
void pd_unzstd_free(struct pd_unzstd *z);
void pd_unzstd_reset(struct pd_unzstd *z);
int pd_unzstd_step(struct pd_unzstd *z, struct pd_input *in, unsigned char *out, size_t room,
                   size_t *made, struct pd_trouble *trouble);
long pd_unzstd_peek(struct pd_unzstd *z, const unsigned char *s, size_t n, unsigned char *out,
                    size_t want);
int pd_unzstd_all(struct pd_unzstd *z, struct pd_unpacking *u);

/*
 * Decode all frames with the dictionary v[0, n), which is copied and may be a zstd frame itself;
 * n 0: without one. A dictionary that is none has no effect. What is inside a frame is lost.
 */
void pd_unzstd_dictionary(struct pd_unzstd *z, const unsigned char *v, size_t n);

/*
 * Decode one brotli stream (RFC 7932); parameter and result are as for pd_unzstd_all(). The
 * stream has no mark by which it could be told: bytes that end before anything is decoded are none.
 */
int pd_unbrotli_all(struct pd_unpacking *u);

/* A decoder for files of compress(1); its functions take a whole file as one member. */
struct pd_unlzw;
struct pd_unlzw *pd_unlzw_new(void);
void pd_unlzw_free(struct pd_unlzw *z);
void pd_unlzw_reset(struct pd_unlzw *z);
int pd_unlzw_step(struct pd_unlzw *z, struct pd_input *in, unsigned char *out, size_t room,
                  size_t *made, struct pd_trouble *trouble);

/*
 * A decoder for files of bzip2, xz and lz4, which its functions take as one member. A step makes
 * PD_STEP bytes, or fewer at the end of the file.
 */
struct pd_unarchive;
struct pd_unarchive *pd_unarchive_new(void);
void pd_unarchive_free(struct pd_unarchive *u);
void pd_unarchive_reset(struct pd_unarchive *u);
int pd_unarchive_step(struct pd_unarchive *u, struct pd_input *in, unsigned char *out, size_t *made,
                      struct pd_trouble *trouble);

#endif
