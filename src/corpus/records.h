/*
 * corpus/records.h - files of records that can be recognised by how they begin.
 *
 * One rule, starts() of struct pd_layout, says where a record starts. It finds the record behind
 * another one, the first record of a piece, a record behind garbage, and the end of a record whose
 * length is wrong or not given. So the readers of neighbouring pieces agree where records start.
 * When a format gives the length of a record and the length is right, a beginning inside the
 * content does not count.
 */
#ifndef PARDUP_CORPUS_RECORDS_H
#define PARDUP_CORPUS_RECORDS_H

#include "inside.h"

/* The member `next` of such a layout: see struct pd_layout. */
int pd_records_next(struct pd_reader *r, struct pd_raw *raw);

/*
 * The least k in [from, n) for which a record starts at s[k], or a line that begins with `close`
 * (NULL: no such line is looked for). s[0, n) are the bytes of the last pd_stream_peek().
 * Returns n when there is no such k, or when s ends before it can be recognised.
 */
size_t pd_records_find(const struct pd_reader *r, const unsigned char *s, size_t from, size_t n,
                       const char *close);

/* pd_stream_advance() past s[0, n), which begins at the current position. */
void pd_records_advance(struct pd_reader *r, const unsigned char *s, size_t n);

/*
 * Report the record at the mark as lost, and pass the bytes s[0, have) that are there of it. The
 * `status` is PD_EFORMAT when the data breaks inside the record, else the file ends inside it.
 * Returns PD_END or PD_EIO.
 */
int pd_records_lose(struct pd_reader *r, const unsigned char *s, size_t have, int status);

/*
 * Pass the first n bytes s of a record, and then everything up to the next place where a record
 * starts. Nothing is reported. Returns PD_END or PD_EIO.
 */
int pd_records_leave(struct pd_reader *r, const unsigned char *s, size_t n);

/* A record whose format gives no length. */
struct pd_unsized {
    const unsigned char *s; /* start of the record */
    size_t content;         /* bytes of the record before its closing tag, or all */
    bool closed;            /* the record ends with its closing tag */
};

/* Pass line ends, and blanks if records may be indented. Returns PD_OK or PD_EIO. */
int pd_records_pass_blank(struct pd_reader *r);

/*
 * Does s[0, n) look like overwritten data? It does when one byte in 64 is a control character that
 * no text has, or 0xFF.
 */
bool pd_records_damaged(const unsigned char *s, size_t n);

/*
 * Find the end of the record at the mark, and pass the record. `close` is the closing tag of the
 * format; NULL: it has none. The record ends with the first line that begins with `close`, behind
 * blanks. If the next record starts before such a line, or the file ends, then the record ends with
 * a `close` inside a line, in any case of its letters; without that it ends there. A format with a
 * closing tag loses a record that the file's end leaves open, unless the record's last element is
 * closed.
 *
 * Returns PD_OK; PD_END when the record is lost, which has been reported; or PD_EIO.
 */
int pd_records_take(struct pd_reader *r, const char *close, struct pd_unsized *rec);

#endif
