/* corpus/inside.h - what the readers of the formats share with corpus/reader.c. */
#ifndef PARDUP_CORPUS_INSIDE_H
#define PARDUP_CORPUS_INSIDE_H

#include "corpus/packed/stream.h"
#include "corpus/web/http.h"
#include "pardup/corpus/reader.h"
#include "text_fields.h"

struct pd_layout;

enum { PD_KNOWN = 256 }; /* files whose layout is not looked for again */

/* A reader, on one piece of one file. */
struct pd_reader {
    struct pd_reader_options options;  /* with strings of its own */
    struct pd_text_fields text_fields; /* options.text_field, taken apart */
    struct pd_reader_counts counts;
    struct pd_stream *stream;
    const struct pd_file *file; /* borrowed from the caller of pd_reader_open(), or `fetched` */
    struct pd_file fetched;     /* the file that pd_reader_fetch() read from last, and its path */
    struct pd_bytes fetched_path;
    struct pd_piece piece;
    const struct pd_layout *layout; /* how documents lie in this file */
    struct {
        uint64_t path; /* hash of it */
        const struct pd_layout *layout;
    } known[PD_KNOWN]; /* files that pd_reader_fetch() has opened, each at its hash */
    bool entered;      /* the stream stands at or behind the piece's first record */
    bool done;         /* the piece has no further record */
    bool quiet;        /* nothing is reported or counted: pd_reader_fetch() */

    /* Where the record that is being read starts; set by pd_reader_mark(). */
    uint64_t offset; /* stored offset, as in struct pd_raw */
    uint64_t skip;   /* decoded bytes to skip from there, as in struct pd_raw */
    uint64_t band;   /* number of the band of PD_STRIPE decoded bytes */
    uint64_t begun;  /* decoded bytes before the record */
    bool owned;      /* the record belongs to this piece's stripe */

    uint64_t counted; /* stored offset up to which counts.stored_bytes has counted */
    bool new_line;    /* the byte before the stream's position ends a line; kept by records.c */
    struct pd_arena arena; /* what lives as long as the record */
    struct pd_bytes text;  /* a body that does not lie in the file as it is */
    struct pd_http http;   /* buffers for bodies of HTTP responses */
    struct pd_http again;  /* the same for pd_warc_again() */
    void *own;             /* layout->own bytes, for the layout alone; NULL: none */
};

/*
 * The document of a record s[0, n) of a web archive that is in memory: body, n, media, charset and
 * error of *raw, as a file of such records yields them. They point into s or into memory of the
 * reader, valid until the next call. PD_OK, PD_END (it holds none) or PD_EFORMAT.
 */
int pd_warc_again(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw);

/*
 * Go to the decoded byte that lies `skip` bytes behind stored `offset`. Returns PD_OK, PD_END when
 * the file ends before it, or PD_EIO.
 */
int pd_reader_go_to(struct pd_reader *r, uint64_t offset, uint64_t skip);

/* Mark the stream's position as the start of a record, or of bytes that are no record. */
void pd_reader_mark(struct pd_reader *r);

/*
 * To be called once a piece: the stream stands at the piece's first record, or the piece has none.
 * Stored bytes before this position are not counted, except in the first piece of a file.
 */
void pd_reader_enter(struct pd_reader *r);

/*
 * Go behind the next line end, or to the end of the stream's good bytes, or to stored byte `to` or
 * behind it. Returns PD_OK or PD_EIO.
 */
int pd_reader_pass_line(struct pd_reader *r, uint64_t to);

/* Pass the byte order mark at the start of a file. Returns PD_OK or PD_EIO. */
int pd_reader_pass_mark(struct pd_reader *r);

/* r->text is the body of the record. It can be read some bytes beyond its end. */
void pd_reader_give_body(struct pd_reader *r, struct pd_raw *raw);

/* The same, and the body is in UTF-8. */
void pd_reader_give_text(struct pd_reader *r, struct pd_raw *raw);

/*
 * Count the record at the mark as skipped because of `why`, and report it to options.skipped. Does
 * nothing when the record belongs to another stripe, or in pd_reader_fetch().
 */
void pd_reader_tell(struct pd_reader *r, enum pd_skip why, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * After PD_EFORMAT from the stream: go to the next member or frame that decodes, and report the
 * break. Returns PD_OK, PD_END when nothing decodes any more, or PD_EIO.
 */
int pd_reader_mend(struct pd_reader *r);

/*
 * The member `next` of a layout whose file is read from its start, item by item.
 *   pass   goes to the next item: PD_OK in front of it, PD_END, PD_EFORMAT or PD_EIO
 *   read   reads the item at the mark and passes it: PD_OK for a document, PD_END when the item
 *          holds none, PD_EFORMAT when the stream breaks, or PD_EIO; may set r->done
 * Returns PD_OK, PD_END or PD_EIO.
 */
int pd_reader_next_item(struct pd_reader *r, int (*pass)(struct pd_reader *r),
                        int (*read)(struct pd_reader *r, struct pd_raw *raw), struct pd_raw *raw);

/*
 * Complete *raw for the document between the mark and the stream's position: set where it is, its
 * length and piece key, and an id if it has none; count it. Returns PD_OK.
 */
int pd_reader_deliver(struct pd_reader *r, struct pd_raw *raw);

/* Count what lies between the mark and the stream's position as a record without a document. */
void pd_reader_ignore(struct pd_reader *r);

/* May a document have the id of *raw? An id that is too long is reported. */
bool pd_reader_takes_id(struct pd_reader *r, const struct pd_raw *raw);

/* Keep v[0, n), which is copied, as the field `name` of *raw, if this field is to be kept. */
void pd_reader_keep(struct pd_reader *r, struct pd_raw *raw, const char *name, const char *v,
                    size_t n);

/*
 * Write each byte of the id that is NUL or no UTF-8 as \xHH, so that ids that differ still do where
 * they are read as text.
 */
void pd_reader_write_out_id(struct pd_reader *r, struct pd_raw *raw);

/* Does a record start here? */
enum pd_start {
    PD_START_NO,
    PD_START_YES,
    PD_START_CUT /* the bytes at hand end before this can be decided */
};

/* The first decoded bytes of a file, from which formats recognise their own files. */
struct pd_beginning {
    const unsigned char *s; /* the first byte */
    size_t n;               /* bytes at s: PD_SNIFF or more, or the whole file */
    size_t text;            /* offset of the first byte behind byte order mark and white space */
    size_t content;         /* offset of the first byte behind the declarations that follow */
};
#define PD_SNIFF ((size_t)8 << 10) /* decoded bytes that decide what a file is */
enum { PD_ENDINGS = 2 };           /* endings of names that a layout may have */

/* How documents lie in a file: one constant for each way, at the end of its own .c file. */
struct pd_layout {
    /* Is this a file of this layout? NULL: pd_layout_starts() says so. */
    bool (*recognises)(const struct pd_beginning *file);

    /*
     * What the names of its files end in, before a compression's .gz or .zst. Then the file is of
     * this layout if no layout recognises its bytes, and claims() says so. NULL: if it is empty.
     *   s, n   the first decoded bytes of the file; `whole`: all of them
     */
    const char *endings[PD_ENDINGS];
    bool (*claims)(const struct pd_reader_options *o, const unsigned char *s, size_t n, bool whole);

    /*
     * Bytes at r->own, which begin as zeros, and stay while files of this layout are read.
     *   forget   another file is at hand; NULL: nothing is to be done
     *   free     releases what the bytes point at; NULL: nothing
     */
    size_t own;
    void (*forget)(void *own);
    void (*free)(void *own);

    /* Find the next document of the piece. Returns PD_OK, PD_END or PD_EIO. */
    int (*next)(struct pd_reader *r, struct pd_raw *raw);
    bool many;  /* a file may hold many documents, so it may be cut into pieces */
    bool fixed; /* a record can be copied or left out, but not changed: PD_RECORD_OTHER */
    bool rows;  /* a document is a row, spread over the columns of a Parquet file */
    bool lines; /* a document is a line: JSON lines */

    /*
     * For pd_whole_next(): make the document of the file *raw, whose body, n, media and id are set.
     * What body points at is valid until the next document: it lies in the file or in r->text.
     * Returns PD_OK; PD_END when the file holds no document; PD_EFORMAT when the file is skipped,
     * which was told. NULL: the file is the document as it is.
     */
    int (*extract)(struct pd_reader *r, struct pd_raw *raw);

    /*
     * For pd_reader_fetch(), when `skip` counts no decoded bytes, or documents need the beginning
     * of the file: make next() yield the document at this place. Returns PD_OK, PD_END when there
     * is none, or PD_EIO. NULL: pd_reader_go_to().
     */
    int (*go_to)(struct pd_reader *r, uint64_t offset, uint64_t skip);

    /*
     * For pd_reader_uncut(): what such files are called when records cannot be left out of the file
     * that begins with s[0, n), a constant string; else NULL. NULL: they always can.
     *   packed  the file is compressed
     */
    const char *(*uncut)(const unsigned char *s, size_t n, bool packed);

    /* The members below are for pd_records_next(). */

    /*
     * Does a record start at s[0, n)? Asked at the start of a line, at the start of a member, and
     * directly behind a record, even inside a line.
     */
    enum pd_start (*starts)(const unsigned char *s, size_t n);
    size_t look;   /* bytes that starts() needs at the most to decide */
    bool indented; /* a record begins with the blanks before it on its line */

    /*
     * A piece of a compressed file begins with a member whose decoded bytes begin with `magic`, 4
     * to 16 bytes. NULL: compressed files cannot be entered in the middle.
     */
    const char *magic;
    bool always_magic; /* every record begins with `magic` */

    /*
     * Read the record at the mark and pass it. Returns PD_OK for a document, PD_END when the record
     * holds none or is lost, or PD_EIO.
     */
    int (*read)(struct pd_reader *r, struct pd_raw *raw);
};

#define PD_DECLARE_LAYOUT(NAME, name, layout, media, turn, help)                                   \
    extern const struct pd_layout pd_layout_##layout;
PD_FORMAT_ROWS(PD_DECLARE_LAYOUT)

/* A row of PD_FORMAT_ROWS, which describes the members. */
struct pd_format_row {
    const struct pd_layout *layout; /* PD_FORMAT_AUTO: of files that no format recognises */
    enum pd_media media;
    int turn;
    const char *help;
};
extern const struct pd_format_row pd_format_rows[PD_FORMATS];

/*
 * The layout of a file whose decoded bytes begin with s[0, n): PD_SNIFF or more, or all. NULL: no
 * format recognises it.
 */
const struct pd_layout *pd_layout_of(const unsigned char *s, size_t n);

/* The layout whose files are named like `path`, in any case of letters; NULL: there is none. */
const struct pd_layout *pd_layout_named(const char *path);

/* What the name of a whole file says of its body, as .html does; PD_MEDIA_UNKNOWN: nothing. */
enum pd_media pd_media_named(const char *path);

/*
 * Is the file `path`, which begins with s[0, n) and which no format recognises, not what its name
 * says? A file named as a table, archive or office document is no page, which servers send in place
 * of a file. A file named .parquet begins with PAR1, or PARE when it is encrypted, one named .pdf
 * with %PDF.
 */
bool pd_is_misnamed(const char *path, const unsigned char *s, size_t n);

/* Does a record start at the beginning of the file, behind its declarations? */
bool pd_layout_starts(const struct pd_layout *layout, const struct pd_beginning *file);

/* The member `next` of a layout whose files are one document each: see struct pd_layout. */
int pd_whole_next(struct pd_reader *r, struct pd_raw *raw);

#endif
