/*
 * run/dedup.h - the collection of a result without its copies.
 *
 * A sentence leaves a document if a passage leads from it to a document that comes before in the
 * order of --keep, and its words stand there, in the same order, in text that stays. So no removal
 * rests on a chain of copies, and what no passage matched stays. Sentences go in runs, no list is
 * cut in two, and numbers and names agree (docs/dedup.md). Files are written one by one by
 * whichever rank is free; the bytes do not depend on the number of ranks.
 */
#ifndef PARDUP_RUN_DEDUP_H
#define PARDUP_RUN_DEDUP_H

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

#define PD_DEDUP_WORK "dedup-work" /* in the output folder: files of a job that is not done */

/* in the folder of the proof: files of the job that --check runs over the output */
#define PD_DEDUP_CHECK   "dedup-check"
#define PD_DEDUP_CHECKED "check.json" /* what this job found */

/* in the folder of the proof, with --check: text that detect has set aside */
#define PD_DEDUP_ASIDE "aside.txt.zst"

/* What a job has made. Paths are the same on all ranks; only rank 0 has the counts. */
struct pd_dedup_made {
    struct pd_texts files;   /* paths of the new collection, in the order of the old one */
    struct pd_texts sources; /* after detect --against: paths of the sources */
    char *index;             /* after check, detect --known: path of the index; else NULL */
    bool known;              /* after detect --known */
    char *proof;             /* path of the folder with the proof */
    uint64_t documents;      /* in the new collection */
    uint64_t words;          /* in the new collection; 0 if the result does not say it */
    uint64_t removals;       /* runs of sentences that went */
    uint64_t touched;        /* documents that went or were cut */
    uint64_t words_gone;     /* in the removals and in documents that went */
};

/*
 * Not collective. The path of the folder with the proof, which the options say: that of -o with
 * .proof behind it, or --proof, or -o itself where no collection is written. To be freed.
 */
char *pd_dedup_proof_path(const struct pd_options *o);

/* Not collective. Is this an order that --keep knows? PD_OK or PD_EUSAGE. */
int pd_dedup_check_keep(const char *keep);

/* Not collective. Free the paths. */
void pd_dedup_made_release(struct pd_dedup_made *made);

/*
 * COLLECTIVE. Agreed: PD_OK, or a failure: PD_EIO; PD_EFORMAT (no result, or inputs that have
 * changed since); PD_EFULL (--memory, or --max-loss); PD_ESTALE (--resume with other options);
 * PD_ESTOP.
 *   made   to be released, also after a failure
 */
int pd_dedup(const struct pd_comm *c, const struct pd_options *o, struct pd_dedup_made *made);

#endif
