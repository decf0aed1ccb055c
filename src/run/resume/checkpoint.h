/*
 * run/resume/checkpoint.h - what a stopped or broken job left in scratch, and taking it up.
 *
 * Three things are kept, each agreed and on disk before it counts: volumes of documents as they are
 * read (store/volume.h), the classes of units that match, and finished slices of passages. What each
 * consists of stands in manifests (run/scratch/manifest.h). All of it can be taken up by another number of ranks. A
 * file that is damaged or cannot be seen by the ranks costs its own stage (volumes: its own documents), no more.
 */
#ifndef PARDUP_RUN_CHECKPOINT_H
#define PARDUP_RUN_CHECKPOINT_H

#include "run/job.h"

/*
 * COLLECTIVE. The job's description: write it, or with --resume compare it with the one that is there. The files
 * of the collection are listed. PD_OK, PD_EIO, or PD_ESTALE: other options or another input, with the first
 * difference.
 */
int pd_checkpoint_open(struct pd_job *job);

/*
 * COLLECTIVE. With --resume, put up the volumes that are there; the pieces they hold whole are marked in
 * `done`, a byte each, the same on all ranks. PD_OK or PD_EIO.
 */
int pd_checkpoint_take_volumes(struct pd_collection *col, unsigned char *done);

/* COLLECTIVE. Classes, partners and what was set aside, of all ranks. PD_OK, PD_EIO. */
int pd_checkpoint_save_joined(struct pd_job *job);
int pd_checkpoint_take_joined(struct pd_job *job, bool *taken);

/*
 * COLLECTIVE. The newest slice, this rank's part of which was pushed to job->slices last; all finished slices: then
 * first documents below *from are done. PD_OK or PD_EIO.
 */
int pd_checkpoint_save_slice(struct pd_job *job);
int pd_checkpoint_take_slices(struct pd_job *job, pd_doc *from);

#endif
