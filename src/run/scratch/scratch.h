/*
 * run/scratch/scratch.h - the job's folder in --scratch, for records that spill and for
 * checkpoints.
 *
 * The folder is named after the result file, so that --resume finds it. If nodes have disks of
 * their own, the ranks of each node make a folder on their node's disk.
 */
#ifndef PARDUP_RUN_SCRATCH_H
#define PARDUP_RUN_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

#define PD_SCRATCH_LOCK "lock"   /* the name of the file that is locked */
#define PD_VOLUME_FILES "volume" /* beginning of the names of volumes, by which resume finds them */

struct pd_scratch {
    const struct pd_comm *comm;
    char *dir;  /* the path of the folder; NULL: scratch is not open */
    char *path; /* room for a path of PATH_MAX bytes: the path that was named last */
    int lock;   /* rank 0: descriptor of the lock file, locked as long as the job runs; else -1 */
    uint64_t session; /* a number that differs from try to try, so no file's name is used twice */
    uint64_t files;   /* files that this rank has named in this session */
    uint64_t job;     /* pd_scratch_bind: the job that the files belong to; 0: not known yet */
    int claim;        /* rank 0: a socket whose name stands for the result; else -1 */
};

/*
 * COLLECTIVE. Make the folder, or take over the folder that is there with all its files. Agreed:
 * PD_OK, or PD_EIO (it cannot be made or written, belongs to somebody else, or another job uses
 * it, or another job on this machine writes the same result with another --scratch).
 */
int pd_scratch_open(struct pd_scratch *s, const struct pd_comm *c, const struct pd_options *o);

/* COLLECTIVE. Remove all files in the folder but the lock. */
void pd_scratch_empty(struct pd_scratch *s);

/*
 * Not collective. Bind the files that are named from here on to a job, so that files of another job
 * are not taken up.
 *   job  a number that stands for options and inputs of the job, the same on all ranks
 */
void pd_scratch_bind(struct pd_scratch *s, uint64_t job);

/*
 * Not collective. Was the file with this name made by a try of the job that the scratch is bound
 * to?
 */
bool pd_scratch_is_ours(const struct pd_scratch *s, const char *name);

/* A file that some rank has named in this or an earlier session; all 0: no file. */
struct pd_scratch_id {
    uint64_t session, rank, number;
};

/*
 * Not collective. The path for a new file, whose name begins with `what`. The files made by all
 * ranks have different names. All paths here are borrowed until the next call of a function that
 * returns a path.
 */
const char *pd_scratch_path(struct pd_scratch *s, const char *what);

/* Not collective. The id of the file that pd_scratch_path named last. */
struct pd_scratch_id pd_scratch_last(const struct pd_scratch *s);

/* Not collective. The path of the file with this id, whose name begins with `what`. */
const char *pd_scratch_path_of(struct pd_scratch *s, const char *what, struct pd_scratch_id id);

/* Not collective. The path of the file called `name` in the folder. */
const char *pd_scratch_file(struct pd_scratch *s, const char *name);

/* Not collective. Bytes of the files in the folder that this rank has made in this session. */
uint64_t pd_scratch_bytes(struct pd_scratch *s);

/* COLLECTIVE. Unlock the folder, and remove it if it is empty. */
void pd_scratch_close(struct pd_scratch *s);

#endif
