/*
 * corpus/reader.h - documents of a piece of a collection, one after the other.
 *
 * Formats with many documents a file are WARC 0.18, 1.0 and 1.1 (records of the types response,
 * resource and conversion that hold HTML or text), ARC 1 and 2, JSON lines, TREC's SGML and formats
 * like it (SogouT), Reuters-21578, and mbox. Formats with one document a file are a message with
 * its header, HTML, and plain text. Every format may be compressed (corpus/packed/stream.h). File
 * names do not matter: PD_FORMAT_AUTO looks at the first decoded bytes.
 *
 * A document keeps the id that the collection gives it. Without one, its id is path:offset, or
 * path:offset+skip inside a compressed file (see struct pd_raw). The id of a document that is a
 * whole file is the file's path. A byte of an id that is NUL or no UTF-8 is written as \xHH.
 *
 * Which documents a piece yields depends on the file and the piece alone, never on the number of
 * ranks. The pieces that cover a file yield each of its documents once.
 */
#ifndef PARDUP_CORPUS_READER_H
#define PARDUP_CORPUS_READER_H

#include <stdint.h>

#include "pardup/base/raw.h"
#include "pardup/corpus/files.h"
#include "pardup/corpus/formats.h"
#include "pardup/corpus/kept.h"

/*
 * A piece owns the records that start in stored bytes [from, to) of the file. A record that starts
 * before `to` is read to its end, which may lie behind `to`.
 *
 * A file that can only be decoded from its start has pieces with nstripes > 1. Then [from, to) is
 * the whole file, whose decoded bytes are divided into bands of PD_STRIPE bytes. The piece owns the
 * records that start in every band whose number b has b % nstripes == stripe.
 */
struct pd_piece {
    uint32_t file;     /* index into the collection's files */
    uint32_t stripe;   /* which stripe of the file this piece is, from 0 */
    uint32_t nstripes; /* stripes of the file; 1: the piece is a range of stored bytes */
    uint32_t zero;     /* 0: names the padding, so that no byte is undefined */
    uint64_t from;     /* first stored byte */
    uint64_t to;       /* stored byte behind the last */
};
PD_VEC(pd_pieces, struct pd_piece);
#define PD_STRIPE ((uint64_t)4 << 20) /* decoded bytes of a band */

struct pd_reader_options {
    enum pd_format format; /* PD_FORMAT_AUTO, or the format of every file */

    /*
     * JSON lines: the fields with id, text and address. NULL stands for "id", "text" and "url".
     * A dot in a name goes into an object, unless a field has the whole name.
     * When an object lacks the field "id", "text" or "url", the name that ClueWeb22 uses is tried:
     * "ClueWeb22-ID", "Clean-Text" or "URL".
     */
    const char *id_field;
    const char *text_field;
    const char *url_field;
    const char *order_field; /* JSON lines: a field for pd_raw.order; NULL: none. Borrowed. */
    const char *site_field;  /* JSON lines: the field with the site; NULL: none */

    /*
     * Fields that pd_raw.kept gets: of JSON lines, strings and numbers. Of WARC, "date" is
     * WARC-Date. NULL: none. Borrowed.
     */
    const struct pd_keeping *keep;

    bool revisits; /* records of type revisit are documents without a body; else they are ignored */

    /*
     * Bytes of the largest document, and of a line or record that holds one, at most
     * PD_DOCUMENT_MOST; 0 stands for PD_DOCUMENT_MOST. Larger ones are skipped. Buffers do not grow
     * far beyond this size.
     */
    uint64_t max_document;

    /*
     * Called for every record that is skipped; NULL: not called. `offset` and `skip` say where the
     * record starts, as in struct pd_raw; `detail` says what is wrong and is valid for the call.
     */
    void (*skipped)(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip,
                    const char *detail);
    void *ctx; /* first argument of `skipped` */

    /*
     * Optional: nonzero asks to stop. Called for each 256 KiB that are decoded, and for each place
     * at which damaged data is looked at. Then reading ends with PD_EIO.
     */
    int (*stopping)(void);
};

struct pd_reader;
/* The options and their strings are copied. The caller frees the reader. */
struct pd_reader *pd_reader_new(const struct pd_reader_options *options);
void pd_reader_free(struct pd_reader *r); /* NULL: does nothing */

/* Start on a piece of `file`, which is borrowed until the next open. Returns PD_OK or PD_EIO. */
int pd_reader_open(struct pd_reader *r, const struct pd_file *file, const struct pd_piece *piece);

/*
 * Start on another piece of the file that was opened last. The file is not opened again, its format
 * is still known, and bytes that were read ahead for the previous piece are not read twice.
 */
void pd_reader_go_on(struct pd_reader *r, const struct pd_piece *piece);

/*
 * The next document of the piece. What raw points at is valid until the next call.
 * raw->piece_key is piece->from; in a piece with nstripes > 1 it is the number of the band.
 * Returns PD_OK, PD_END behind the last document, or PD_EIO when the file cannot be read. Bad data
 * is never an error here: it is counted, reported to options->skipped, and passed.
 */
int pd_reader_next(struct pd_reader *r, struct pd_raw *raw);

/*
 * The document of a JSON line s[0, n) that is in memory, as a file of such lines yields it; but the
 * id is as the line has it, and may be missing. The line must last as long as *raw. No file need be
 * open. Returns PD_OK, or PD_END when the line is skipped, which is reported: then *raw has its id
 * alone, if the line has one.
 */
int pd_reader_line(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw);

/*
 * To be asked when a piece has been read: is the file that was opened last still as its struct
 * pd_file says? Else the documents may be of neither the old nor the new file.
 * Returns PD_OK, or PD_EIO with a message that names the file.
 */
int pd_reader_check(const struct pd_reader *r);

/* The offset of the stored byte up to which the file has been decoded. */
uint64_t pd_reader_reached(const struct pd_reader *r);

/*
 * Read a document again, whose struct pd_raw had this `offset` and `skip`. Nothing is counted or
 * reported. The piece that was open is lost. A file of many documents stays open for the next call.
 * Returns PD_OK, PD_END when no document starts there, or PD_EIO.
 */
int pd_reader_fetch(struct pd_reader *r, const struct pd_file *file, uint64_t offset, uint64_t skip,
                    struct pd_raw *raw);

/* Counters since pd_reader_new(). */
struct pd_reader_counts {
    uint64_t documents;              /* documents that pd_reader_next() returned */
    uint64_t ignored;                /* sound records that hold no document: requests, images */
    uint64_t repaired;               /* documents whose length or bytes had to be mended */
    uint64_t skipped[PD_SKIP_KINDS]; /* skipped records by reason */
    struct pd_field_counts fields;   /* fields of JSON lines and tables */

    /* Both sums over the pieces of a file are the same however the file is cut. */
    uint64_t stored_bytes;  /* stored bytes; the sum over the pieces is the file's size */
    uint64_t decoded_bytes; /* decoded bytes of documents and ignored records */
};
/* The counters live as long as the reader. */
const struct pd_reader_counts *pd_reader_counts(const struct pd_reader *r);

/*
 * How may `file` be cut into pieces? Looks at its first bytes.
 *   *splittable   1: at any stored byte. An uncompressed file of many documents is; a gzip or zstd
 *                 file is when a second member or frame that begins with a record is found in its
 *                 first 8 MB. Compressed JSON lines never are.
 *   *striped      1: into stripes only, since it holds many documents but must be decoded from its
 *                 start. Both are 0 when the file is one document.
 * Returns PD_OK or PD_EIO. The piece that was open is lost.
 */
int pd_reader_probe(struct pd_reader *r, const struct pd_file *file, int *splittable, int *striped);

/*
 * NULL when documents of the file can be left out; else what such files are called, a constant
 * string: objects of a compressed JSON list have commas between them. A file that cannot be read
 * counts as one where they can. The piece that was open is lost.
 *   *rows  documents are rows of a Parquet file (corpus/parquet_copier.h); otherwise they are
 *          stretches of bytes (corpus/copier.h)
 */
const char *pd_reader_uncut(struct pd_reader *r, const char *path, bool *rows);

/*
 * Can documents of the file be left out only, as parts of its records cannot be cut out? Not if it
 * cannot be read. The piece that was open is lost.
 */
bool pd_reader_is_fixed(struct pd_reader *r, const char *path);

/* Is the file one of JSON lines? Not if it cannot be read. The piece that was open is lost. */
bool pd_reader_is_lines(struct pd_reader *r, const char *path);

#endif
