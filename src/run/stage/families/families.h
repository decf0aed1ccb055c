/*
 * run/stage/families/families.h - the families of a job's passages.
 *
 * A member is a part of the copied text of a document, which is cut where passages begin and end
 * (passage/members.h). A family is a representative and the members that agree with it
 * (run/stage/families/representatives.h). Overlap alone never joins two members. Memory that is not
 * planned: the spans of one document, the links of one member, and the members of one family.
 * Families of whole documents are found beside them (run/stage/families/documents.h).
 *
 * In a result of check or of detect --known, the sources of the index are numbered behind the
 * documents: source n has the number pd_families_source(job, n). The tables of check say which of
 * the two a number is; after --known both are rows of /documents.
 */
#ifndef PARDUP_RUN_FAMILIES_ROOM_H
#define PARDUP_RUN_FAMILIES_ROOM_H

#include "pardup/base/date.h"
#include "pardup/base/row.h"
#include "run/stage/job.h"

struct pd_families;

/*
 * Where the passages come from: the files of a job, or a result. The functions are not collective.
 */
struct pd_families_from {
    void *ctx;
    /*
     * Replace `rows` by the rows of this rank's next pair and set `pair`; *first: the row of
     * /passages of the first of them. PD_OK; PD_END (no more pairs); PD_EIO or PD_EFORMAT.
     */
    int (*next)(void *ctx, struct pd_rows *rows, struct pd_pair *pair, uint64_t *first);
    /* Bytes of the text of a document that this rank holds. Documents are asked for in order. */
    int (*length)(void *ctx, pd_doc doc, uint64_t *bytes);
    int (*holder)(void *ctx, pd_doc doc); /* the rank that holds a document */
    /*
     * The next document of this rank that has a date (base/date.h), in order. PD_OK; PD_END; PD_EIO
     * or PD_EFORMAT. NULL on all ranks: no document has one.
     */
    int (*dated)(void *ctx, pd_doc *doc, struct pd_date *date);
    uint64_t rows; /* of this rank, about: for the progress */
};

/*
 * COLLECTIVE. Find the families of the passages in the job's files of slices. *f is set also after
 * a failure; end it with pd_families_close(). Agreed: PD_OK or a failure.
 */
int pd_families_find(struct pd_job *job, struct pd_families **f);

/* The number of a source of an index among all documents of the families. */
static inline pd_doc pd_families_source(const struct pd_job *job, uint64_t source)
{
    return job->collection.totals.documents + source;
}

/* The rank that holds the sources of an index: it writes the table of sources, too. */
enum { PD_FAMILIES_SOURCES_AT = 0 };

/* Tell rows of /documents from rows of /sources: one of them is set, the other one is -1. */
static inline void pd_families_place(const struct pd_job *job, pd_doc doc, int64_t *document,
                                     int64_t *source)
{
    const uint64_t documents =
        job->collection.totals.documents + (job->known ? job->foreign_sources : 0);
    *document = doc < documents ? (int64_t)doc : -1;
    *source = doc < documents ? -1 : (int64_t)(doc - documents);
}

/*
 * COLLECTIVE. The same for passages from elsewhere. Members of the job that are used: comm,
 * options, transport, scratch, spare, foreign_sources, and the number of documents in
 * collection.totals. `from` is copied; `from->ctx` is borrowed during the call.
 */
int pd_families_find_in(struct pd_job *job, const struct pd_families_from *from,
                        struct pd_families **f);

/*
 * Not collective. The family of a row of /passages of this rank. Ask for each row of this rank, in
 * order. PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_families_of(struct pd_families *f, uint64_t row, uint64_t *family);

/*
 * Not collective. *family: the row of /document_families of a document that this rank holds; -1:
 * none. Ask for documents in ascending order; the same one may be asked for again. PD_OK, PD_EIO or
 * PD_EFORMAT.
 */
int pd_families_of_document(struct pd_families *f, pd_doc doc, int64_t *family);

/* COLLECTIVE. Write /families, /members and /document_families, and count them. Agreed. */
int pd_families_write(struct pd_families *f, struct pd_writer *w, struct pd_family_counts *counts);

/* Log how many families there are: no line, one or two. */
void pd_families_tell(const struct pd_family_counts *counts);

void pd_families_close(struct pd_families *f); /* f may be NULL */

#endif
