/*
 * run/resume/checkpoint.h - what a stopped or broken job leaves in scratch, and how a later job takes it up.
 *
 * Three things are kept. Each is agreed by all ranks and on disk before it counts: volumes of documents as they are read
 * (store/volume.h), the classes of units that match, and finished slices of passages. Manifests say which files they
 * consist of (run/scratch/manifest.h). Any number of ranks can take them up. A file that is damaged, or that no rank can
 * see, costs its own stage only; a damaged volume costs its own documents only.
 */
#ifndef PARDUP_RUN_CHECKPOINT_H
#define PARDUP_RUN_CHECKPOINT_H

#include "run/job.h"

/*
 * COLLECTIVE. Write the description of the job, or with --resume compare it with the description in scratch. The files of
 * the collection are listed. PD_OK, PD_EIO, or PD_ESTALE: other options or another input, with the first difference.
 */
int pd_checkpoint_open(struct pd_job *job);

/*
 * COLLECTIVE. Put the volumes in scratch up in the library. A piece is marked in `done`, one byte for each piece, when
 * volumes hold it whole; marks are the same on all ranks. PD_OK or PD_EIO.
 */
int pd_checkpoint_take_volumes(struct pd_collection *col, unsigned char *done);

/* COLLECTIVE. Keep job->matches; take it up, if scratch has it (*taken). PD_OK, PD_EIO. */
int pd_checkpoint_save_matches(struct pd_job *job);
int pd_checkpoint_take_matches(struct pd_job *job, bool *taken);

/* COLLECTIVE. Keep the newest slice: the last of job->aligned.slices is this rank's part of it. PD_OK or PD_EIO. */
int pd_checkpoint_save_slice(struct pd_job *job);

/* COLLECTIVE. Take up all finished slices. First documents below *from are done. PD_OK or PD_EIO. */
int pd_checkpoint_take_slices(struct pd_job *job, pd_doc *from);

#endif
