/*
 * corpus/records.h - files of records that can be told by how they begin.
 *
 * The same rule (struct pd_layout) finds the record that follows another, a piece's first record,
 * a record behind garbage, and the end of a record whose own length is wrong or not given, so that
 * neighbouring pieces agree. Where a format tells lengths, a right one wins over such a beginning
 * inside the content.
 */
#ifndef PARDUP_CORPUS_RECORDS_H
#define PARDUP_CORPUS_RECORDS_H

#include "inside.h"

int pd_records_next(struct pd_reader *r, struct pd_raw *raw);

/*
 * First place in s[from, n), the stream's window, where a record starts, or where a line begins
 * with `close` (NULL: none such); n when there is none that is decided.
 */
size_t pd_records_find(const struct pd_reader *r, const unsigned char *s, size_t from, size_t n,
                       const char *close);

void pd_records_advance(struct pd_reader *r, const unsigned char *s, size_t n);

/* The file ends or breaks (PD_EFORMAT) inside the record at the mark: tell, and pass what is there. */
int pd_records_lose(struct pd_reader *r, const unsigned char *s, size_t have, int status);

/* Leave a record for the next that can be found behind its first n bytes. PD_END or PD_EIO. */
int pd_records_leave(struct pd_reader *r, const unsigned char *s, size_t n);

/*
 * Frames of records without a length. The record at the mark goes to behind the first line that
 * begins with `close`, or to the next record, or to the end of the file.
 */
struct pd_frame {
    const unsigned char *s; /* the record */
    size_t content;         /* bytes before `close` */
    bool closed;            /* by `close` */
};

/* PD_OK: the record is in the window, and passed. PD_END: lost (told, passed). PD_EIO. */
int pd_records_frame(struct pd_reader *r, const char *close, struct pd_frame *frame);

#endif
