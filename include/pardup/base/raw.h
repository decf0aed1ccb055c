/*
 * base/raw.h - a document as corpus/ finds it in an input file and hands it to document/.
 *
 * All pointers are borrowed from the reader and are valid until its next call.
 */
#ifndef PARDUP_BASE_RAW_H
#define PARDUP_BASE_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The format of a body. UNKNOWN: document/ decides by looking at the body. XHTML: HTML whose type
 * says that it is XML.
 */
enum pd_media { PD_MEDIA_UNKNOWN, PD_MEDIA_HTML, PD_MEDIA_TEXT, PD_MEDIA_XHTML };

/* What a record is, for code that writes it again (corpus/splice.h). */
enum pd_record_kind {
    PD_RECORD_OTHER, /* it can be copied or left out, but not changed */
    PD_RECORD_JSON,  /* a line with an object */
    PD_RECORD_WARC,  /* a record of a web archive, not in segments */
    PD_RECORD_FILE,  /* a file that is one document */
    PD_RECORD_CSV    /* a row of a table */
};

struct pd_kept; /* corpus/kept.h */

struct pd_raw {
    const char *id;      /* the document's name: not NUL-terminated, UTF-8 if the collection is */
    size_t id_n;         /* bytes of id */
    bool id_number;      /* the id is a number of a JSON line, as it is written */
    const char *url;     /* the address that the document came from, not NUL-terminated */
    size_t url_n;        /* bytes of url; 0: unknown */
    const char *site;    /* the site as a field of JSON lines names it, not NUL-terminated */
    size_t site_n;       /* bytes of site; 0: no field names it */
    const char *sender;  /* mail address that the letter is from, not NUL-terminated */
    size_t sender_n;     /* bytes of sender; 0: unknown, or no letter */
    const char *path;    /* the input file */
    const char *charset; /* label that HTTP or the format gives, not NUL-terminated */
    size_t charset_n;    /* bytes of charset; 0: none */
    const unsigned char *body; /* the content, without HTTP header and transfer coding */
    size_t n;                  /* bytes of body */
    enum pd_media media;       /* the format of body */
    bool file;                 /* the body is a file as it is, whose format is not known */
    bool revisit; /* an archive says that the page of the address is unchanged: there is no body */
    bool error;   /* a server sent it in place of a page: HTTP status 4xx or 5xx */
    const char *order; /* value of the field options.order_field (corpus/reader.h); NULL: none */
    size_t order_n;    /* bytes of order */
    const struct pd_kept *kept; /* values of options.keep (corpus/reader.h); NULL: none */

    /* The record as it stands in the file, decoded, with its line ends. */
    enum pd_record_kind kind;
    const unsigned char *record; /* its first byte; NULL for PD_RECORD_OTHER */
    size_t record_n;             /* its bytes, for every kind */
    const unsigned char *value;  /* PD_RECORD_CSV: the text as the row has it, with its quotes */
    size_t value_n;              /* bytes of value */
    size_t head_n; /* PD_RECORD_WARC: bytes of the record before its body, which may be coded */

    /*
     * Where the record is. To read it again: seek to stored byte `offset` of the file, decode from
     * there, and drop `skip` decoded bytes. `offset` is the start of a gzip member or zstd frame,
     * or any byte of a file that is not compressed. `length` counts stored bytes when the record
     * fills whole members or the file is not compressed, else decoded bytes.
     */
    uint64_t offset, skip, length;
    uint64_t stored; /* stored bytes of the members that it fills; 0: it fills no whole members */
    uint64_t piece_key; /* ascends along a file; documents with the same key are consecutive */
};

/* Why a record did not become a document. The numbers are part of the result file. */
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
    PD_SKIP_TOO_LARGE, /* more bytes than a document may have (--max-document) */
    PD_SKIP_UNKNOWN,   /* the whole file is of a format that pardup does not read */
    PD_SKIP_NO_TEXT,   /* for programs only: a sitemap, robots.txt; nothing is wrong with it */
    PD_SKIP_DOUBTFUL,  /* the file is read, but hardly as what it is: pd_document_doubt() */
    PD_SKIP_KINDS      /* how many reasons there are */
};

/* The largest document, bytes: offsets inside a text have 32 bits. */
#define PD_DOCUMENT_MOST ((uint64_t)1 << 30)

/* The longest id, bytes: each row of /documents/id is as wide as the longest id in the file. */
#define PD_ID_MOST 1024

/* Bytes of an address that are kept; longer ones are cut. */
#define PD_URL_MOST 1024

/* Kinds of files that become text, or are read by their parts. */
enum pd_kind {
    PD_KIND_DOCX,
    PD_KIND_ODT,
    PD_KIND_PPTX,
    PD_KIND_EPUB,
    PD_KIND_NOTEBOOK,
    PD_KIND_CONVERTED /* and the number of the converter (corpus/convert.h) */
};
enum { PD_CONVERTERS = 32, PD_KINDS = PD_KIND_CONVERTED + PD_CONVERTERS };

/*
 * How often the wanted fields occur in objects of JSON lines and rows of tables, and what files
 * were. All members are uint64_t.
 */
struct pd_field_counts {
    uint64_t objects;          /* lines that are objects */
    uint64_t ids, texts, urls; /* objects with the field of the id, text, address */
    uint64_t sites;            /* objects with the field of the site */
    uint64_t textless;         /* files named .csv, .tsv, .jsonl, .ndjson that are plain text */
    uint64_t renamed;          /* tables with a wanted column in other letters, such as Text */
    uint64_t revisits;         /* records of archives that say that a page is unchanged */
    uint64_t messages;         /* documents whose text begins with the header of a mail */
    uint64_t kinds[PD_KINDS];  /* documents by the kind of their file */
};

/* The name of a reason, one word such as "truncated". A constant string. */
const char *pd_skip_name(enum pd_skip why);

#endif
