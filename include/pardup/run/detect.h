/*
 * run/detect.h - the main job: passages shared between the documents of a collection.
 *
 *   read -> count -> gather -> join -> align -> write     (ARCHITECTURE.md, "The way of the data")
 *
 * A method is a preset of units, feature, join and thresholds (app/methods.c): PDC-MR with shingles,
 * I-Match or SpotSigs, and the sentence methods of the other papers.
 */
#ifndef PARDUP_RUN_DETECT_H
#define PARDUP_RUN_DETECT_H

#include "pardup/base/row.h"
#include "pardup/feature/units.h"
#include "pardup/join/classes.h"
#include "pardup/run/collection.h"

/* What one stage hands to the next, on this rank. */
struct pd_detect {
    const struct pd_comm *comm;
    const struct pd_options *options;
    struct pd_stages stages;
    struct pd_collection collection;

    struct pd_units_form form;
    unsigned char *word_flags;            /* count: PD_WORD_* per vocabulary number */
    uint64_t terms_left_out, antecedents; /* distinct terms of the collection */

    struct pd_joined joined;  /* gather: collapsed classes this rank owns; join: matches of them */
    struct pd_commons common; /* gather: classes set aside, in order of signature */
    struct pd_join_counts {
        uint64_t classes, too_large; /* that take part; sets beyond PD_SET_MOST */
        uint64_t probes, slices, candidates, verified, similar, crowded;
    } counts; /* join: of the collection */

    struct pd_rows rows; /* align: finished passages of the slice at hand */
    struct pd_writer *writer;

    uint64_t signed_units, dots, slices, same_host, too_short,
        below;                /* of the collection, for the summary ... */
    uint64_t passages, pairs; /* ... written by this rank */
};

/* COLLECTIVE. Each ends agreed. run/count.c, gather.c, join.c, align.c, output.c */
int pd_detect_count(struct pd_detect *job);
int pd_detect_gather(struct pd_detect *job);
int pd_detect_join(struct pd_detect *job);
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

/* COLLECTIVE. Bytes a rank may use for records in flight: --memory, or a share of the node's. */
uint64_t pd_detect_memory(const struct pd_detect *job);

/* COLLECTIVE. The whole job. PD_OK, or the agreed failure with nothing left behind. */
int pd_detect(const struct pd_comm *c, const struct pd_options *options);

#endif
