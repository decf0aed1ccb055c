/*
 * corpus/reader.h - documents of a piece of a collection, one after the other.
 *
 * Files of many documents: WARC 0.18, 1.0 and 1.1 (records response, resource and conversion that
 * hold HTML or text), ARC 1 and 2, JSON lines, TREC's SGML and its like (SogouT), Reuters-21578,
 * mbox. Files that are one document: a message with its header, HTML, plain text. All plain or
 * packed (corpus/stream.h). Names are not trusted: PD_FORMAT_AUTO decides by the first decoded bytes.
 * Ids are those of the collection where it has any, else path:place; a single file's is its path.
 *
 * A piece is a part of one file. Which documents a piece yields depends on the file and the piece
 * alone, never on ranks, and the pieces that cover a file yield each of its documents once.
 */
#ifndef PARDUP_CORPUS_READER_H
#define PARDUP_CORPUS_READER_H

#include <stdint.h>

#include "pardup/base/raw.h"
#include "pardup/corpus/files.h"

enum pd_format {
    PD_FORMAT_AUTO,
    PD_FORMAT_WARC,
    PD_FORMAT_JSONL,
    PD_FORMAT_HTML,
    PD_FORMAT_TEXT,
    PD_FORMAT_ARC,
    PD_FORMAT_TREC,
    PD_FORMAT_REUTERS,
    PD_FORMAT_MBOX,
    PD_FORMAT_MAIL,
    PD_FORMAT_SOGOU, /* read as TREC, which it is */
    PD_FORMATS
};

/* Names of the formats as the user types them, by enum pd_format; NULL behind the last. */
extern const char *const pd_format_names[PD_FORMATS + 1];

/*
 * A piece owns the records that start in stored bytes [from, to) of the file; the record that
 * starts before `to` is read to its end. With nstripes > 1 (a file that can only be decoded from
 * its start) from and to cover the whole file, and the piece owns the records whose decoded start
 * lies in a window w of PD_STRIPE bytes with w % nstripes == stripe.
 */
struct pd_piece {
    uint32_t file; /* index into the collection's files */
    uint32_t stripe;
    uint32_t nstripes;
    uint32_t zero; /* spells out the padding */
    uint64_t from;
    uint64_t to;
};
PD_VEC(pd_pieces, struct pd_piece);
#define PD_STRIPE ((uint64_t)4 << 20) /* decoded bytes */

struct pd_reader_options {
    enum pd_format format;
    /* JSON lines; NULL: "id", "text", "url". Where the preset is missing, ClueWeb22's name is tried. */
    const char *id_field;
    const char *text_field;
    const char *url_field;
    /* Told of every record set aside: stored offset (as in struct pd_raw) and what is wrong. */
    void (*skipped)(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip,
                    const char *detail);
    void *ctx;
};

struct pd_reader;
struct pd_reader *pd_reader_new(const struct pd_reader_options *options); /* copied, strings too */
void pd_reader_free(struct pd_reader *r);

/* Start on a piece of `file` (borrowed until the next open). PD_OK or PD_EIO. */
int pd_reader_open(struct pd_reader *r, const struct pd_file *file, const struct pd_piece *piece);

/*
 * The same, of the file that was opened last: what is known of it is not found out again, and of its bytes
 * those are at hand that were read ahead for the piece before.
 */
void pd_reader_go_on(struct pd_reader *r, const struct pd_piece *piece);

/*
 * The next document. PD_OK, PD_END, or PD_EIO (the file cannot be read: disk error). Bad data is
 * never an error here: it is told to options->skipped and passed over.
 * raw->piece_key is piece->from, or the window's number for a striped piece.
 */
int pd_reader_next(struct pd_reader *r, struct pd_raw *raw);

/* The stored byte of the file up to which it has been decoded. */
uint64_t pd_reader_reached(const struct pd_reader *r);

/* The one document that pd_raw's offset and skip point at: for commands that go back to it. */
int pd_reader_fetch(struct pd_reader *r, const struct pd_file *file, uint64_t offset, uint64_t skip,
                    struct pd_raw *raw);

/* Counters since pd_reader_new. */
struct pd_reader_counts {
    uint64_t documents;
    uint64_t ignored;  /* ignored: records that are no documents (requests, images ...) */
    uint64_t repaired; /* documents kept although a length or bytes had to be mended */
    uint64_t skipped[PD_SKIP_KINDS];
    /* However a file is cut, its pieces add up to its stored bytes, and to the decoded bytes of its
     * documents and ignored records. */
    uint64_t stored_bytes;
    uint64_t decoded_bytes;
};
const struct pd_reader_counts *pd_reader_counts(const struct pd_reader *r);

/*
 * May `file` be entered in the middle? Looks at its first bytes: plain files of many documents yes;
 * gzip or zstd when a second member or frame that starts a record is found within the first
 * megabytes (never JSON lines); single documents no. Sets *splittable, and *striped when the file holds many
 * records but must be decoded from its start. PD_OK or PD_EIO.
 */
int pd_reader_probe(struct pd_reader *r, const struct pd_file *file, int *splittable, int *striped);

#endif
