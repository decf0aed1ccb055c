/*
 * run/job/index/sources.h - what the ranks know of the sources travels to rank 0, which writes the
 * index: words with flags, documents, postings.
 */
#ifndef PARDUP_RUN_INDEX_SOURCES_H
#define PARDUP_RUN_INDEX_SOURCES_H

#include "pardup/index/segment.h"
#include "run/stage/classes/asides.h"
#include "run/stage/classes/sign.h"
#include "run/stage/job.h"

/*
 * COLLECTIVE. Rank 0 writes the words whose flags are not the default flags to a file. `path` and
 * `checksum` are for rank 0. The words of all volumes have their flags. Agreed: PD_OK, PD_EIO,
 * PD_EFORMAT or PD_ESTOP.
 */
int pd_write_words(struct pd_job *job, const char *path, uint64_t *checksum);

/*
 * How sets are kept, if the join compares sets; scratch[] has room for the path. NULL: it does not.
 */
struct pd_sets_making;
const struct pd_sets_making *pd_sets_how(struct pd_job *job, struct pd_sets_making *how,
                                         char *scratch);

/* How the tables of a segment are kept; scratch[] has room for the path, PATH_MAX bytes. */
struct pd_segment_making pd_tables_how(struct pd_job *job, char *scratch);

/* Not collective. Log how many bytes each part of the index in folder `dir` takes, but for words. */
void pd_index_tell_parts(const char *dir);

/*
 * COLLECTIVE. Rank 0 writes the segment of all documents of the collection, and sets counts and
 * checksum. Agreed as pd_write_words is.
 *   folder  the segment has the paths of files from this folder; empty: as they are
 */
int pd_write_segment(struct pd_job *job, const char *path, const char *folder,
                     struct pd_segment_counts *counts, uint64_t *checksum);

/*
 * COLLECTIVE. Rank 0 writes all documents and files to its `writer`.
 *   folder   the segment has the paths of files from this folder; empty: as they are
 *   signing  cuts the documents
 *   asides   what --templates sets aside of them; all of it is loaded afterwards
 * Agreed: PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP.
 */
int pd_send_documents(struct pd_job *job, const char *folder, struct pd_signing *signing,
                      struct pd_asides *asides, struct pd_segment_writer *writer);

/*
 * The sets of the units of all ranks, at rank 0, in order of their names. Zeroed but for signing.
 */
struct pd_set_stream {
    struct pd_signing *signing; /* borrowed */
    uint64_t doc;               /* the next document of this rank */
    uint32_t unit;              /* its next unit */
    struct pd_u64s set;         /* the set at hand; `sent` signatures of it were sent */
    size_t sent;
    uint64_t part;
    pd_sig name;
    struct pd_shuffle parts;
};

/* COLLECTIVE. Send the sets of all units. Agreed: PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP. */
int pd_set_stream_send(struct pd_set_stream *s);

/* Rank 0: replace the contents of `set` by the set with this name. Names come in order. */
int pd_set_stream_take(struct pd_set_stream *s, pd_sig name, struct pd_u64s *set);

void pd_set_stream_close(struct pd_set_stream *s);

#endif
