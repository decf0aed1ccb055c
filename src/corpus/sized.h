/* corpus/sized.h - records whose header tells how long they are: WARC, ARC. */
#ifndef PARDUP_CORPUS_SIZED_H
#define PARDUP_CORPUS_SIZED_H

#include "records.h"

#define PD_NO_LENGTH UINT64_MAX

struct pd_sized {
    size_t header;          /* bytes */
    uint64_t length;        /* of the content, as declared; PD_NO_LENGTH */
    int lines;              /* line ends that close a record */
    bool wanted;            /* may hold a document: a loss is told */
    const unsigned char *s; /* the whole record, and what else is in the window */
    size_t have;
    size_t content;
    size_t total; /* bytes; total: with header and closing line ends */
    bool repaired;
};

/* What n decimal digits say; PD_NO_LENGTH when they are none, or too many. */
uint64_t pd_sized_number(const char *s, size_t n);

/* Peek, with the status told apart from a mere end: PD_OK, PD_END (fewer than want), PD_EFORMAT. */
int pd_sized_peek(struct pd_reader *r, struct pd_sized *rec, size_t want);

/*
 * Find the content and the end of the record at the mark, whose header has been read, and pass it.
 * PD_OK: content in the window, the record is this stripe's. PD_END: not so (told). PD_EIO.
 */
int pd_sized_take(struct pd_reader *r, struct pd_sized *rec);

/*
 * What becomes of a taken record whose content was read with `status`: delivered (PD_OK), not wanted
 * (PD_END: ignored), or bad (PD_EFORMAT: told as `trouble` says). PD_OK or PD_END.
 */
int pd_sized_deliver(struct pd_reader *r, const struct pd_sized *rec, int status,
                     const struct pd_trouble *trouble, struct pd_raw *raw);

#endif
