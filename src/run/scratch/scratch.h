/*
 * run/scratch/scratch.h - the job's folder below --scratch: spilled records, and what a resumed job starts from.
 *
 * It is named after the result file, so that --resume finds it. Every rank makes its own if nodes have
 * disks of their own.
 */
#ifndef PARDUP_RUN_SCRATCH_H
#define PARDUP_RUN_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

#define PD_SCRATCH_LOCK "lock"
#define PD_VOLUME_FILES                                                                            \
    "volume" /* what pd_scratch_path calls them: a resumed job looks for these */

struct pd_scratch {
    const struct pd_comm *comm;
    char *dir;
    char *path;       /* room for pd_scratch_path */
    int lock;         /* rank 0: held as long as the job lives; else -1 */
    uint64_t session; /* differs from run to run: names of files are never used again */
    uint64_t files;   /* made by this rank in this session */
};

/*
 * COLLECTIVE. Make the folder, or take up the one that is there with all that is in it. PD_OK, or PD_EIO: it cannot
 * be made or written, is not ours, or another job has it.
 */
int pd_scratch_open(struct pd_scratch *s, const struct pd_comm *c, const struct pd_options *o);

/* COLLECTIVE. Remove all that is in it. */
void pd_scratch_empty(struct pd_scratch *s);

/* A file of a rank of this or an earlier session; all 0: none. */
struct pd_scratch_id {
    uint64_t session, rank, number;
};

/*
 * Not collective. Paths: of a new file for `what`, whose id pd_scratch_last tells; of the one with an id; of
 * the one file of that name. The scratch's, until the next call.
 */
const char *pd_scratch_path(struct pd_scratch *s, const char *what);
struct pd_scratch_id pd_scratch_last(const struct pd_scratch *s);
const char *pd_scratch_path_of(struct pd_scratch *s, const char *what, struct pd_scratch_id id);
const char *pd_scratch_file(struct pd_scratch *s, const char *name);

/* Not collective. Bytes of the files that this rank has made there in this session. */
uint64_t pd_scratch_bytes(struct pd_scratch *s);

/* COLLECTIVE. Leave the folder, which goes when nothing is in it. */
void pd_scratch_close(struct pd_scratch *s);

#endif
