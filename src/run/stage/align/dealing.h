/*
 * run/stage/align/dealing.h - fans at the rank of their first documents are dealt to pairs of
 * documents.
 *
 * The fans of a document are sorted by pair in memory (passage/pairing.h). A document with too many
 * dots for that is sorted as blocks, on disk if need be.
 */
#ifndef PARDUP_RUN_ALIGN_DEALING_H
#define PARDUP_RUN_ALIGN_DEALING_H

#include "pardup/passage/pairing.h"
#include "run/shuffle.h"
#include "run/stage/job.h"

PD_VEC(pd_block_list, const struct pd_block *);

/* The pairs of this rank's first documents, one after the other. */
struct pd_dealing {
    struct pd_job *job;
    uint32_t gamma;             /* pairs of at most gamma matching units are dropped */
    struct pd_shuffle fans;     /* struct pd_fan; opened and sorted by the caller */
    bool open;                  /* a first document is at hand, and may have more pairs */
    struct pd_pairing *pairing; /* sorts the dots of that document by pair */
    struct pd_shuffle blocks;  /* open if the document has too many dots: struct pd_block by pair */
    struct pd_bytes pair;      /* all blocks of one pair of such a document */
    struct pd_block_list list; /* the blocks in `pair` that have dots, or say that it is equal */
    struct pd_brief brief;     /* what the others say */
    uint64_t done;             /* bytes of fans that were read, for the progress */
};

/* Make ready. `job` is borrowed until the dealing is released. */
void pd_dealing_begin(struct pd_dealing *d, struct pd_job *job, uint32_t gamma);

/*
 * Not collective. The next pair whose first document is below `to`: its dots are valid until the
 * next call. Documents, and their pairs, come in ascending order. PD_OK; PD_END: there is none;
 * PD_EIO, PD_EFORMAT. Where the job is to stop, the pair may be incomplete (pd_comm_check_stop).
 */
int pd_dealing_next(struct pd_dealing *d, pd_doc to, struct pd_pair_dots *pair);

/* Free the memory and close the shuffles. */
void pd_dealing_release(struct pd_dealing *d);

#endif
