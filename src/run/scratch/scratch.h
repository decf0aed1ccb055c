/*
 * run/scratch/scratch.h - the job's folder below --scratch: records that spill, and what a resumed job starts from.
 *
 * The folder is named after the result file, so that --resume finds it. Where nodes have disks of their own, the ranks of
 * each node make their own folder.
 */
#ifndef PARDUP_RUN_SCRATCH_H
#define PARDUP_RUN_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

#define PD_SCRATCH_LOCK "lock"
/* What pd_scratch_path calls volumes: a resumed job looks for files of this name. */
#define PD_VOLUME_FILES "volume"

struct pd_scratch {
    const struct pd_comm *comm;
    char *dir;
    char *path;       /* room for pd_scratch_path */
    int lock;         /* rank 0: a file that is locked as long as the job lives; other ranks: -1 */
    uint64_t session; /* differs from try to try, so no name of a file is used twice */
    uint64_t files;   /* files named by this rank in this session */
};

/*
 * COLLECTIVE. Make the folder, or take over the folder that is there with all its files. PD_OK, or PD_EIO: it cannot be
 * made or written, belongs to somebody else, or another job uses it.
 */
int pd_scratch_open(struct pd_scratch *s, const struct pd_comm *c, const struct pd_options *o);

/* COLLECTIVE. Remove all files in the folder. */
void pd_scratch_empty(struct pd_scratch *s);

/* A file of some rank in this or an earlier session; all 0: no file. */
struct pd_scratch_id {
    uint64_t session, rank, number;
};

/*
 * Not collective. Paths, which are the scratch's until the next call: of a new file for `what`, whose id pd_scratch_last
 * tells; of the file with an id; of the file with a fixed name.
 */
const char *pd_scratch_path(struct pd_scratch *s, const char *what);
struct pd_scratch_id pd_scratch_last(const struct pd_scratch *s);
const char *pd_scratch_path_of(struct pd_scratch *s, const char *what, struct pd_scratch_id id);
const char *pd_scratch_file(struct pd_scratch *s, const char *name);

/* Not collective. Bytes of the files that this rank has made in this session. */
uint64_t pd_scratch_bytes(struct pd_scratch *s);

/* COLLECTIVE. Leave the folder, and remove it if it is empty. */
void pd_scratch_close(struct pd_scratch *s);

#endif
