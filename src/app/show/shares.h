/*
 * app/show/shares.h - how much of two sets of documents lies in the passages that they share.
 */
#ifndef PARDUP_APP_SHOW_SHARES_H
#define PARDUP_APP_SHOW_SHARES_H

#include "viewer.h"

/* The documents of one side, and what of them is shared. */
struct pd_share {
    uint64_t documents;
    uint64_t skipped;      /* records that did not become documents */
    uint64_t words, bytes; /* of the texts */
    /* words in at least one passage; if `aligned`, only words that stand in both sides of one */
    uint64_t shared;
    uint64_t longest; /* words of the longest passage */
};

struct pd_shares {
    struct pd_share sides[2]; /* targets, sources */
    bool aligned; /* each side is one document, and the words of all passages were aligned */
    bool equal;   /* each side is one document, and both have the same words in the same order */
    struct pd_passage_rows rows; /* what is shared: the passages as pd_viewer_list gives them */
};

/*
 * Count what the result `p` says about the targets and the sources of a job. Two documents with the
 * same words share one passage of everything, whatever the result says. Two single documents
 * are fetched, and their passages aligned, unless all passages together are much longer than the
 * documents. Of more documents, the files are read again, as the options of the input say.
 *   files  files of the first side; all other files are on the second side
 *   o      the options of the job
 * PD_OK, PD_EIO or PD_EFORMAT; to be released in any case.
 */
int pd_shares_count(struct pd_viewer *p, uint64_t files, const struct pd_options *o,
                    struct pd_shares *shares);
void pd_shares_release(struct pd_shares *shares);

#endif
