/*
 * base/raw.h - a document as it lies in the collection: what corpus/ hands to document/.
 *
 * All pointers are borrowed from the reader and die at its next call.
 */
#ifndef PARDUP_BASE_RAW_H
#define PARDUP_BASE_RAW_H

#include <stddef.h>
#include <stdint.h>

enum pd_media { PD_MEDIA_UNKNOWN, PD_MEDIA_HTML, PD_MEDIA_TEXT };

struct pd_raw {
    const char *id; /* not NUL-terminated, UTF-8 as far as the collection is */
    size_t id_n;
    const char *url; /* address the document came from; url_n is 0 when unknown */
    size_t url_n;
    const char *charset; /* label from outside the document (HTTP); charset_n is 0 when none */
    size_t charset_n;
    const unsigned char *body; /* content without HTTP header and transfer coding */
    size_t n;                  /* bytes of body */
    enum pd_media media;       /* UNKNOWN: decide by looking at the body */

    /*
     * Where the record is: seek to stored byte `offset` of the file (a plain byte, or the start of
     * a gzip member or zstd frame), decode, drop `skip` decoded bytes: the record starts there.
     * `length` counts stored bytes when the record fills whole members or the file is plain, and
     * decoded bytes otherwise.
     */
    uint64_t offset, skip, length;
    uint64_t piece_key; /* documents of one file with equal segment are consecutive; ascending */
};

/* Why a record was set aside instead of becoming a document. Order is part of the result file. */
enum pd_skip {
    PD_SKIP_TRUNCATED, /* the file, member or frame ends inside the record */
    PD_SKIP_CORRUPT,   /* gzip or zstd data does not decode */
    PD_SKIP_GARBAGE,   /* bytes that belong to no record */
    PD_SKIP_HEADER,    /* record or HTTP header cannot be read */
    PD_SKIP_LENGTH,    /* Content-Length contradicts the next record */
    PD_SKIP_CODING,    /* transfer or content coding cannot be undone */
    PD_SKIP_JSON,      /* a line is no JSON object with the wanted fields */
    PD_SKIP_BINARY,    /* not text at all */
    PD_SKIP_CHARSET,   /* declared character set unknown to this machine */
    PD_SKIP_TOO_LARGE, /* more than PD_DOCUMENT_MOST bytes */
    PD_SKIP_KINDS
};
#define PD_DOCUMENT_MOST ((uint64_t)1 << 30) /* bytes: offsets inside a text are 32-bit */

#define PD_ID_MOST 1024 /* bytes: /documents/id is as wide as the longest, for all rows */

const char *pd_skip_name(enum pd_skip why); /* one word: "truncated", "corrupt" ... */

#endif
