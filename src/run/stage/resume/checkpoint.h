/*
 * run/stage/resume/checkpoint.h - what a stopped or broken job leaves in scratch, and how a resumed
 * job takes it up.
 *
 * Three things are kept: volumes of documents as they are read (store/volume.h), the matches
 * (classes and their partners), and finished slices of passages. Matches and slices count when all
 * ranks have written their files and rank 0 has written the manifest that names the files
 * (run/scratch/manifest.h). Volumes have no manifest. Every file has checksums, which are verified
 * before it is taken up.
 *
 * Any number of ranks can take the files up. A file that is damaged, or that no rank can see, costs
 * its own stage only; a damaged volume costs the documents in it and in volumes that share pieces
 * with it.
 */
#ifndef PARDUP_RUN_CHECKPOINT_H
#define PARDUP_RUN_CHECKPOINT_H

#include "run/stage/job.h"

/*
 * COLLECTIVE. Begin a checkpoint: describe the job in scratch, where files of other jobs are
 * removed. With --resume and a checkpoint in scratch, compare the job with the description instead,
 * and set job->resumed. The files of the collection have been listed. PD_OK, PD_EIO, or PD_ESTALE
 * (other options or another input; the message has the first difference).
 */
int pd_checkpoint_open(struct pd_job *job);

/*
 * COLLECTIVE. Add the volumes in scratch to the libraries of the ranks, each to one library.
 *   done   a byte for each piece, the same on all ranks: set to 1 if volumes hold the piece whole,
 *          else to 0
 * Agreed: PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_checkpoint_take_volumes(struct pd_collection *col, unsigned char *done);

/* COLLECTIVE. Keep job->matches in scratch. Agreed: PD_OK or PD_EIO. */
int pd_checkpoint_save_matches(struct pd_job *job);

/*
 * COLLECTIVE. Take up job->matches, with what is counted beside it, if a resumed job finds it in
 * scratch (*taken). Agreed: PD_OK, PD_EIO or PD_ESTOP.
 */
int pd_checkpoint_take_matches(struct pd_job *job, bool *taken);

/*
 * COLLECTIVE. Keep the newest slice, whose part on this rank is the last of job->aligned.slices.
 * Agreed: PD_OK or PD_EIO.
 */
int pd_checkpoint_save_slice(struct pd_job *job);

/*
 * COLLECTIVE. A resumed job takes up all finished slices into job->aligned. First documents below
 * *from are then done; 0: there are no finished slices.
 */
void pd_checkpoint_take_slices(struct pd_job *job, pd_doc *from);

#endif
