/* run/fetch.h - documents of a result, read again from their files as `detect` read them. */
#ifndef PARDUP_RUN_FETCH_H
#define PARDUP_RUN_FETCH_H

#include <stdbool.h>

#include "pardup/corpus/reader.h"
#include "pardup/document/document.h"
#include "pardup/feature/units.h"
#include "pardup/index/index.h"
#include "pardup/result/table.h"

/*
 * Set in the number of a document that is a row of /sources, as the second documents of a result of
 * `check` are; all others are rows of /documents. So sources come behind targets.
 */
#define PD_SOURCE_ROW (UINT64_C(1) << 63)

/* Reads the documents of a result again, one at a time. Set up with pd_fetch_init(). */
struct pd_fetch {
    uint64_t doc;                /* the row of /documents that was read last; UINT64_MAX: none */
    struct pd_document document; /* its text, sentences and words */
    char *id;                    /* the document's id, NUL-terminated */
    const unsigned char *body; /* the bytes of its text in the file, unpacked; NULL: not at hand */
    size_t body_n;             /* they are borrowed until the next row is read */
    char *directory;           /* where the paths of /files begin; NULL: here */
    bool placeless;            /* the result does not say where they begin */
    bool sources;              /* documents are rows of /sources, not of /documents */
    bool hashed;               /* the result has hashes of texts; results of pardup 0.1 have none */

    struct pd_result *result; /* borrowed */
    struct pd_index *index;   /* borrowed; has the texts of the documents; NULL: their files do */
    struct pd_index *store;   /* after detect --known, if it has texts; else NULL */
    uint64_t targets;         /* with a store: later documents are in it */
    struct pd_unpacker unpacker; /* of texts in the index or the store */
    struct pd_bytes text;        /* the same: of the document */
    struct pd_reader *reader;    /* of the input files; NULL before the first document */
    struct pd_table_reader documents, files; /* open after the first document */
};

/*
 * Make ready to fetch from `result`, which is borrowed until the release. The files are looked for
 * in the folder where the job ran, then in the current one. PD_OK or PD_EFORMAT; to be released in
 * any case.
 */
int pd_fetch_init(struct pd_fetch *f, struct pd_result *result);

/*
 * The same for the second documents of pairs: in a result of `check` they are rows of /sources, in
 * other results rows of /documents.
 */
int pd_fetch_init_second(struct pd_fetch *f, struct pd_result *result);

/*
 * Take texts and ids from the index that the result was made with. The index is borrowed until the
 * release.
 */
void pd_fetch_use_index(struct pd_fetch *f, struct pd_index *index);

/*
 * Like pd_fetch_init, with a reader that sets pd_raw.order from the field `order`; NULL: it sets
 * none.
 */
int pd_fetch_init_ordered(struct pd_fetch *f, struct pd_result *result, const char *order);
void pd_fetch_release(struct pd_fetch *f);

/*
 * Read the document of row `doc` of /documents into f->document and f->id, which stay until the
 * next call. PD_OK, PD_EIO, or PD_EFORMAT (the document is no longer there, or its text has
 * changed).
 */
int pd_fetch_row(struct pd_fetch *f, uint64_t doc);

/* Finds the units of fetched documents under the numbers that /matches has for them. */
struct pd_fetch_units {
    struct pd_fetch *fetch;    /* borrowed */
    struct pd_units_form form; /* how units are made of base units */
    bool frame;                /* base units in the frame of a page have no number */
    uint64_t doc;              /* the document that `units` are of; UINT64_MAX: none */
    struct pd_sentences units; /* its units */
    struct pd_sentences base;  /* buffer: its base units that have a number */
    struct pd_tokens tokens;   /* buffer: the words of `base` */
};

/* Make ready, behind pd_fetch_init(). PD_OK or PD_EFORMAT; to be released in any case. */
int pd_fetch_units_init(struct pd_fetch_units *u, struct pd_fetch *f);
void pd_fetch_units_release(struct pd_fetch_units *u);

/* Set [*begin, *end) to the bytes of a unit of a document, which is fetched. As pd_fetch_row(). */
int pd_fetch_unit(struct pd_fetch_units *u, uint64_t doc, uint64_t unit, uint64_t *begin,
                  uint64_t *end);

/*
 * The path that leads from here to a file of the result.
 *   path   in: as /files has it, allocated; out: with the folder where the job ran, if it is there
 */
void pd_fetch_find(const struct pd_fetch *f, char **path);

/*
 * Say where a file was looked for, if it is not there.
 *   path    as pd_fetch_find() has left it
 *   status  what reading the file has returned; it is returned
 */
int pd_fetch_tell(const struct pd_fetch *f, const char *path, int status);

#endif
