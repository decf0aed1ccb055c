/*
 * corpus/unpack.h - gzip members, zstd frames and compress files, decoded step by step.
 *
 * A step makes PD_STEP bytes, or fewer when the member ends or breaks; what a member yields before
 * it breaks therefore depends on the file alone. What a step has made when it finds the data
 * corrupt is for the caller to drop: then a member of up to PD_STEP bytes comes whole or not at all.
 */
#ifndef PARDUP_CORPUS_UNPACK_H
#define PARDUP_CORPUS_UNPACK_H

#include "input.h"
#include "pardup/base/bytes.h"
#include "pardup/base/raw.h"

#define PD_STEP      ((size_t)256 << 10)
#define PD_STEP_ROOM ((size_t)512 << 10) /* least room for a step: most pages in one go */
/* Stored bytes that a probe may need to see: a zstd block, or a gzip header with a long name. */
#define PD_PROBE_STORED ((size_t)128 << 10)

#define PD_PROBE_BYTES ((size_t)4 << 10) /* decoded bytes that chance does not produce */

struct pd_trouble {
    enum pd_skip why;
    const char *text; /* static; NULL: no trouble */
};

struct pd_gunzip;
struct pd_gunzip *pd_gunzip_new(void);
void pd_gunzip_free(struct pd_gunzip *g);
void pd_gunzip_reset(struct pd_gunzip *g); /* the next step begins a member */

/*
 * Decode on into out[0, room), room >= PD_STEP_ROOM; *made tells how much. PD_OK, PD_END (the
 * member is complete, `in` stands behind it), PD_EIO, or PD_EFORMAT with *trouble.
 */
int pd_gunzip_step(struct pd_gunzip *g, struct pd_input *in, unsigned char *out, size_t room,
                   size_t *made, struct pd_trouble *trouble);

/*
 * The first `want` decoded bytes of what would be a member at s: how many there are before the
 * member or the input ends; -1 when it is no member.
 */
long pd_gunzip_probe(struct pd_gunzip *g, const unsigned char *s, size_t n, unsigned char *out,
                     size_t want);

enum pd_wrapper { PD_WRAP_GZIP, PD_WRAP_ZLIB, PD_WRAP_NONE };

/*
 * Append the decoded s[0, n) to `out`, `most` bytes at the most. An early end of s is no trouble.
 * PD_OK or PD_EFORMAT.
 */
int pd_gunzip_all(struct pd_gunzip *g, enum pd_wrapper wrapper, const unsigned char *s, size_t n,
                  struct pd_bytes *out, uint64_t most, struct pd_trouble *trouble);

struct pd_unzstd; /* the same for zstd frames */
struct pd_unzstd *pd_unzstd_new(void);
void pd_unzstd_free(struct pd_unzstd *z);
void pd_unzstd_reset(struct pd_unzstd *z);
int pd_unzstd_step(struct pd_unzstd *z, struct pd_input *in, unsigned char *out, size_t room,
                   size_t *made, struct pd_trouble *trouble);
long pd_unzstd_probe(struct pd_unzstd *z, const unsigned char *s, size_t n, unsigned char *out,
                     size_t want);
int pd_unzstd_all(struct pd_unzstd *z, const unsigned char *s, size_t n, struct pd_bytes *out,
                  uint64_t most, struct pd_trouble *trouble);

struct pd_unlzw; /* the same for files of compress(1); a file is one member */
struct pd_unlzw *pd_unlzw_new(void);
void pd_unlzw_free(struct pd_unlzw *z);
void pd_unlzw_reset(struct pd_unlzw *z);
int pd_unlzw_step(struct pd_unlzw *z, struct pd_input *in, unsigned char *out, size_t room,
                  size_t *made, struct pd_trouble *trouble);

#endif
