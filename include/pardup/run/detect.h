/*
 * run/detect.h - the main job: passages shared between the documents of a collection.
 *
 *   read -> count -> gather -> align -> write     (ARCHITECTURE.md, "The way of the data")
 *
 * Method: PDC-MR with I-Match (METHODS.md section 1), edges and gaps (section 7).
 */
#ifndef PARDUP_RUN_DETECT_H
#define PARDUP_RUN_DETECT_H

#include "pardup/base/row.h"
#include "pardup/run/collection.h"

/* What one stage hands to the next, on this rank. */
struct pd_detect {
    const struct pd_comm *comm;
    const struct pd_options *options;
    struct pd_stages stages;
    struct pd_collection collection;

    unsigned char *left_out; /* count: per vocabulary number, 1 when idf is out of range */
    uint64_t terms_left_out; /* distinct terms of the collection */

    struct pd_postings postings; /* gather: collapsed classes this rank owns */
    struct pd_commons common;    /* gather: classes set aside, in order of signature */

    struct pd_rows rows; /* align: finished passages of the slice at hand */
    struct pd_writer *writer;

    uint64_t signed_units, dots, slices, same_host,
        too_short;            /* of the collection, for the summary ... */
    uint64_t passages, pairs; /* ... written by this rank */
};

/* COLLECTIVE. Each ends agreed. run/count.c, gather.c, align.c, output.c */
int pd_detect_count(struct pd_detect *job);
int pd_detect_gather(struct pd_detect *job);
int pd_detect_align(struct pd_detect *job);
int pd_detect_write(struct pd_detect *job);

/*
 * COLLECTIVE. Sort the rows of one slice (first documents in [from, to)) over the ranks and append
 * them and their pairs to the result: slices ascend, so the tables are in order. job->rows is
 * emptied. run/output.c
 */
int pd_detect_write_rows(struct pd_detect *job, pd_doc from, pd_doc to);

/*
 * COLLECTIVE. Give `n` passages (any number on each rank) their byte offsets, with edges extended,
 * and append them to job->rows on some rank (those of one host left out when asked). run/visit.c
 */
int pd_detect_visit(struct pd_detect *job, const struct pd_passage *passages, size_t n);

/* COLLECTIVE. The whole job. PD_OK, or the agreed failure with nothing left behind. */
int pd_detect(const struct pd_comm *c, const struct pd_options *options);

#endif
