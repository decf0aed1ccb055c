/*
 * corpus/packed/input.h - the stored bytes of one file, through a buffer that is kept from file to
 * file.
 *
 * The unread bytes in the buffer are v[pos, n), and v[pos] is byte `offset` of the file.
 */
#ifndef PARDUP_CORPUS_INPUT_H
#define PARDUP_CORPUS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define PD_INPUT_MOST ((size_t)1 << 20) /* bytes of the buffer */
#define PD_INPUT_FIRST                                                                             \
    ((size_t)1 << 15) /* bytes of the first read; each next read takes twice the bytes */
#define PD_INPUT_ONE ((size_t)1 << 14) /* the same where one document of many is read */

struct pd_input {
    int fd;           /* -1: closed */
    const char *path; /* borrowed from the caller of pd_input_open() */
    unsigned char *v; /* NULL until the first pd_input_fill() */
    size_t pos;       /* first unread byte of v */
    size_t n;         /* bytes in v */
    uint64_t offset;  /* offset of v[pos] in the file, bytes */
    size_t ahead;     /* most bytes of the next read: a single document needs few */
    bool end;         /* the file ends with v[n - 1] */
};

/* Open `path`, which is borrowed until close. Returns PD_OK or PD_EIO. */
int pd_input_open(struct pd_input *in, const char *path);
void pd_input_close(struct pd_input *in); /* the buffer stays */
void pd_input_release(struct pd_input *in);

/*
 * Read until the buffer holds at least `least` unread bytes, or the rest of the file. `least` is at
 * most PD_INPUT_MOST. Returns PD_OK or PD_EIO.
 */
int pd_input_fill(struct pd_input *in, size_t least);

/* Go to byte `offset` of the file. Bytes in the buffer are used again when they lie there. */
void pd_input_seek(struct pd_input *in, uint64_t offset);

/*
 * Read up to n bytes from in->offset on into `to`, without the buffer, and move on behind them. For
 * files that are not compressed. *got is how many bytes there were; 0 at the end of the file.
 * Returns PD_OK or PD_EIO.
 */
int pd_input_read(struct pd_input *in, void *to, size_t n, size_t *got);

/* When the content of a file was last changed: nanoseconds since 1970, never 0. */
uint64_t pd_input_changed(const struct stat *st);

/*
 * Does the open file still have this size, and was it last changed at this time? `changed` 0: any
 * time. Returns PD_OK, or PD_EIO with a message that names the file.
 */
int pd_input_check(const struct pd_input *in, uint64_t bytes, uint64_t changed);

/* Unread bytes in the buffer. */
static inline size_t pd_input_left(const struct pd_input *in) { return in->n - in->pos; }

/* Pass n bytes in the buffer, n <= pd_input_left(). */
static inline void pd_input_take(struct pd_input *in, size_t n)
{
    in->pos += n;
    in->offset += n;
}

#endif
