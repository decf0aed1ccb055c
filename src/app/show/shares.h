/* app/show/shares.h - the share of each of two sets of documents that the other one has. */
#ifndef PARDUP_APP_SHOW_SHARES_H
#define PARDUP_APP_SHOW_SHARES_H

#include "app/share.h"
#include "viewer.h"

/* The documents of one side, and what of them is shared. */
struct pd_side_shares {
    uint64_t documents;
    uint64_t skipped;      /* records that did not become documents */
    uint64_t words, bytes; /* of the texts */
    struct pd_share share; /* of all documents together */
    uint64_t longest;      /* words of the longest passage */
};

struct pd_shares {
    struct pd_side_shares sides[2]; /* targets, sources */
    bool equal; /* each side is one document, and both have the same words in the same order */
    struct pd_passage_rows rows; /* what is shared: the passages as pd_viewer_list gives them */
};

/*
 * Count what the result `p` says about the targets and the sources of a job. Two documents with the
 * same words share one passage of everything, whatever the result says. Two single documents
 * are fetched. Of more documents, the files are read again, as the options of the input say.
 *   files  files of the first side; all other files are on the second side
 *   o      the options of the job
 * PD_OK, PD_EIO or PD_EFORMAT; to be released in any case.
 */
int pd_shares_count(struct pd_viewer *p, uint64_t files, const struct pd_options *o,
                    struct pd_shares *shares);
void pd_shares_release(struct pd_shares *shares);

#endif
