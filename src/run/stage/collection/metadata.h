/* run/stage/collection/metadata.h - what --keep-fields and --metadata add to documents. */
#ifndef PARDUP_RUN_METADATA_H
#define PARDUP_RUN_METADATA_H

#include "pardup/base/date.h"
#include "pardup/base/raw.h"
#include "pardup/comm/comm.h"
#include "pardup/corpus/csv.h"
#include "pardup/corpus/files.h"
#include "pardup/corpus/kept.h"
#include "pardup/document/byline.h"
#include "pardup/result/given.h"
#include "pardup/run/options.h"

/* A zeroed struct keeps nothing. */
struct pd_metadata {
    struct pd_keeping keep;         /* names of the fields, in order */
    size_t columns[PD_KEPT_FIELDS]; /* by field: its column in the table; SIZE_MAX: none */
    size_t date;                    /* the field with the date; SIZE_MAX: none */
    size_t implied;   /* how many of `keep` nobody named: date, title, author, as far as they are */
    size_t same;      /* the field of --skip-same; SIZE_MAX: none */
    const char *path; /* the table; NULL: there is none. Borrowed */
    struct pd_csv table;
    struct pd_names ids; /* the ids of its rows, numbered as the rows */
    struct pd_given given;
    char *whose;   /* how messages begin */
    uint64_t hash; /* of the table's bytes */
};

/*
 * COLLECTIVE. Read the table of --metadata on rank 0, give it to all ranks, and set the fields.
 * PD_OK, PD_EIO or PD_EFORMAT (the table cannot be read; an id occurs twice in it).
 */
int pd_metadata_share(const struct pd_comm *c, struct pd_metadata *m, const struct pd_options *o);

/* What the fields of a document say. */
struct pd_field_facts {
    struct pd_date date;
    uint64_t same; /* hash of the whole value of the field of --skip-same; 0: it has none */
    uint64_t cut;  /* values that are cut or left out */
    bool undated;  /* it has a date that cannot be read */
};

/*
 * Append the fields of a document to `to` as a JSON object, or nothing if it has none. A field
 * comes from the table, or else from the record, or else from what the document tells about itself.
 *   byline  NULL: nothing
 */
struct pd_field_facts pd_metadata_write(const struct pd_metadata *m, const struct pd_raw *raw,
                                        const struct pd_byline *byline, struct pd_bytes *to);

/* Is a field kept that a document may tell about itself? */
bool pd_metadata_wants_byline(const struct pd_metadata *m);

/* Not collective. Tell it the files of the collection, which ids of the table may name. */
void pd_metadata_see(struct pd_metadata *m, const struct pd_files *files);

/* The row of the table for a document; UINT64_MAX: none. url_n = 0: it has no address. */
uint64_t pd_metadata_row(const struct pd_metadata *m, const char *id, size_t n, const char *url,
                         size_t url_n);

/*
 * COLLECTIVE. Tell what has no counterpart. PD_OK, or PD_EFORMAT: no row is that of a document, or
 * one may be that of several.
 *   found      per row of the table: documents that have its id
 *   fields     per field: documents that have it
 *   documents  documents of the collection
 */
int pd_metadata_tell(const struct pd_comm *c, struct pd_metadata *m, const uint64_t *found,
                     const uint64_t *fields, uint64_t documents);

void pd_metadata_release(struct pd_metadata *m);

#endif
