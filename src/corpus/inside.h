/* corpus/inside.h - what the readers of the formats share with corpus/reader.c. */
#ifndef PARDUP_CORPUS_INSIDE_H
#define PARDUP_CORPUS_INSIDE_H

#include "http.h"
#include "pardup/corpus/reader.h"
#include "stream.h"

struct pd_layout;

struct pd_reader {
    struct pd_reader_options options;
    struct pd_reader_counts counts;
    struct pd_stream *stream;
    const struct pd_file *file;
    struct pd_piece piece;
    const struct pd_layout *layout;
    bool entered; /* the stream stands at or behind the piece's first record */
    bool done;    /* ... or behind its last */
    bool quiet;   /* pd_reader_fetch: nothing is told or counted */

    /* The record at hand, as of pd_reader_mark(). */
    uint64_t offset;
    uint64_t skip;
    uint64_t window;
    uint64_t begun; /* decoded bytes before it */
    bool owned;     /* by this stripe */

    uint64_t counted;      /* stored bytes of the piece before this offset are counted */
    bool new_line;         /* records.h: the byte before the position ends a line */
    struct pd_arena arena; /* dies with the record */
    struct pd_bytes text;  /* the body, where it does not lie in the file as it is */
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

enum pd_start { PD_START_NO, PD_START_YES, PD_START_CUT /* the bytes end before it is decided */ };

/* How the documents lie in a file. */
struct pd_layout {
    /* The next document of the piece: PD_OK, PD_END or PD_EIO. */
    int (*next)(struct pd_reader *r, struct pd_raw *raw);
    bool many; /* documents a file, hence pieces */

    /*
     * The rest is for pd_records_next(). A record starts where starts() says so at the start of a
     * line or of a member; a record directly behind another may stand anywhere.
     */
    enum pd_start (*starts)(const unsigned char *s, size_t n);
    size_t look; /* bytes that decide */

    /*
     * What the decoded bytes of a member begin with that a piece can begin at; NULL: packed files
     * cannot be entered in the middle. `always`: no record begins otherwise.
     */
    const char *magic;
    bool always;

    /* The record at the mark. PD_OK: a document. PD_END: none, it is passed. Else PD_EIO. */
    int (*read)(struct pd_reader *r, struct pd_raw *raw);
};

extern const struct pd_layout pd_layout_warc, pd_layout_arc, pd_layout_trec, pd_layout_reuters,
    pd_layout_mbox, pd_layout_jsonl, pd_layout_mail, pd_layout_whole;

/* What a file is that begins with s[0, n); n = PD_SNIFF unless the file is shorter. */
const struct pd_layout *pd_layout_of(const unsigned char *s, size_t n);
#define PD_SNIFF ((size_t)8 << 10)

#endif
