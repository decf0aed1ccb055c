/* corpus/inside.h - what the readers of the formats share with corpus/reader.c. */
#ifndef PARDUP_CORPUS_INSIDE_H
#define PARDUP_CORPUS_INSIDE_H

#include "http.h"
#include "pardup/corpus/reader.h"
#include "pardup/corpus/stream.h"

enum layout { LAYOUT_WARC, LAYOUT_JSONL, LAYOUT_WHOLE, LAYOUT_ARC };

struct pd_reader {
    struct pd_reader_options options;
    struct pd_reader_counts counts;
    struct pd_stream *stream;
    const struct pd_file *file;
    struct pd_piece piece;
    enum layout layout;
    bool entered; /* the stream stands at or behind the piece's first record */
    bool done;    /* ... or behind its last */
    bool quiet;   /* pd_reader_fetch: nothing is told or counted */

    /* The record at hand, as of pd_reader_mark(). */
    uint64_t offset, skip, window;
    uint64_t begun; /* decoded bytes before it */
    bool owned;     /* by this stripe */

    uint64_t counted;      /* stored bytes of the piece before this offset are counted */
    bool new_line;         /* WARC: the byte before the position ends a line */
    struct pd_arena arena; /* dies with the record */
    struct pd_bytes text;  /* JSON lines: the body */
    struct pd_http http;
};

/* Take the stream's position for the start of a record (or of what is none). */
void pd_reader_mark(struct pd_reader *r);

/* The stream stands where the piece begins, or nothing of the file is the piece's. */
void pd_reader_enter(struct pd_reader *r);

/* Count `why` at the mark and tell the caller; a record of another stripe is passed over. */
void pd_reader_tell(struct pd_reader *r, enum pd_skip why, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The stream broke: tell, and go on behind the break. PD_OK, PD_END or PD_EIO. */
int pd_reader_mend(struct pd_reader *r);

/* Finish a document that ends at the stream's position: place, length, counts, missing id. */
int pd_reader_deliver(struct pd_reader *r, struct pd_raw *raw);

/* Count the record from the mark to here as one that is no document. */
void pd_reader_ignore(struct pd_reader *r);

/* The next document of the piece: PD_OK, PD_END or PD_EIO. */
int pd_warc_next(struct pd_reader *r, struct pd_raw *raw);
int pd_jsonl_next(struct pd_reader *r, struct pd_raw *raw);
int pd_whole_next(struct pd_reader *r, struct pd_raw *raw);

#endif
