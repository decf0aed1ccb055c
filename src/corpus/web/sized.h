/* corpus/web/sized.h - records whose header gives the length of their content: WARC and ARC. */
#ifndef PARDUP_CORPUS_SIZED_H
#define PARDUP_CORPUS_SIZED_H

#include "corpus/records.h"

#define PD_NO_LENGTH UINT64_MAX /* the header gives no length that can be read */

/* One record. The format sets header, length, lines and wanted; pd_sized_take() the rest. */
struct pd_sized {
    size_t header;          /* bytes of the header */
    uint64_t length;        /* declared bytes of the content, or PD_NO_LENGTH */
    int lines;              /* line ends behind the content, by the format */
    bool wanted;            /* the record may hold a document, so its loss is reported */
    const unsigned char *s; /* bytes from the start of the record on */
    size_t have;            /* bytes at s */
    size_t content;         /* bytes of the content as found */
    size_t total;           /* bytes of header, content and line ends */
    bool repaired;          /* the declared length was wrong or missing */
};

/* The number that s[0, n) spells in decimal digits; PD_NO_LENGTH when it is none, or too large. */
uint64_t pd_sized_number(const char *s, size_t n);

/*
 * pd_stream_peek() into rec->s and rec->have, but with PD_END when the file ends before `want`
 * bytes. Returns PD_OK, PD_END, PD_EFORMAT or PD_EIO.
 */
int pd_sized_peek(struct pd_reader *r, struct pd_sized *rec, size_t want);

/*
 * Find content and end of the record at the mark, whose header has been read, and pass the record.
 * Returns PD_OK when the record belongs to this piece's stripe: the content is then
 * rec->s[rec->header] on, rec->content bytes. Returns PD_END when the record is lost, which has
 * been reported, or belongs to another stripe; or PD_EIO.
 */
int pd_sized_take(struct pd_reader *r, struct pd_sized *rec);

/*
 * Finish a record that pd_sized_take() has passed, by the status of reading its content. PD_OK: the
 * document is delivered in *raw. PD_END: the record is ignored, as it holds no document.
 * PD_EFORMAT: it is skipped, and reported with *trouble. Returns PD_OK or PD_END.
 */
int pd_sized_deliver(struct pd_reader *r, const struct pd_sized *rec, int status,
                     const struct pd_trouble *trouble, struct pd_raw *raw);

#endif
