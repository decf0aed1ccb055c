/*
 * corpus/input.h - the stored bytes of one file through one buffer, which is kept from file to file.
 *
 * Unread bytes are v[pos, n); v[pos] is byte `offset` of the file.
 */
#ifndef PARDUP_CORPUS_INPUT_H
#define PARDUP_CORPUS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PD_INPUT_MOST ((size_t)1 << 20) /* bytes of read-ahead */

struct pd_input {
    int fd;           /* -1: closed */
    const char *path; /* borrowed */
    unsigned char *v; /* NULL until the first pd_input_fill() */
    size_t pos;
    size_t n;
    uint64_t offset;
    uint64_t read; /* bytes read since open */
    bool end;      /* the file ends with v[n - 1] */
};

/* PD_OK or PD_EIO, here and below. */
int pd_input_open(struct pd_input *in, const char *path);
void pd_input_close(struct pd_input *in); /* keeps the buffer */
void pd_input_release(struct pd_input *in);

/* Have `least` (<= PD_INPUT_MOST) unread bytes in the buffer, or all there are. */
int pd_input_fill(struct pd_input *in, size_t least);
void pd_input_seek(struct pd_input *in, uint64_t offset);

/* Past the buffer, for plain files: up to n bytes from `offset` on; *got is 0 at the end. */
int pd_input_read(struct pd_input *in, void *to, size_t n, size_t *got);

static inline size_t pd_input_left(const struct pd_input *in) { return in->n - in->pos; }

static inline void pd_input_take(struct pd_input *in, size_t n) /* n <= pd_input_left() */
{
    in->pos += n;
    in->offset += n;
}

#endif
