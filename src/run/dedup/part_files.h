/* run/dedup/part_files.h - a file that gets its name when it is whole. */
#ifndef PARDUP_RUN_DEDUP_PART_FILES_H
#define PARDUP_RUN_DEDUP_PART_FILES_H

#include "run/dedup/job.h"

struct pd_output {
    char *path, *part;
    FILE *file;
};

/*
 * Open the file with this number. Until it is whole it lies in the work folder, where its name is
 * short, and none that a file of the collection may have.
 */
int pd_output_open(const struct pd_dedup *d, struct pd_output *o, const char *path,
                   uint64_t number);

/*
 * Give the file its name, or remove it if `status` is a failure. The file is on disk when its
 * bundle is done. Returns the status.
 */
int pd_output_close(struct pd_output *o, int status);

/* The path of a file below the output folder, whose folders are made; to be freed. NULL: failure. */
char *pd_output_path(const struct pd_dedup *d, const char *folder, const char *name);

/* The path of a file in the work folder, by what it holds and a number; to be freed. */
char *pd_dedup_work_path(const struct pd_dedup *d, const char *what, uint64_t number);

/*
 * For rank 0. Keep in the work folder, under the name `what`, what the job goes by. PD_OK; PD_EIO; or
 * PD_ESTALE if an earlier try has kept something else.
 */
int pd_dedup_bind(const struct pd_dedup *d, const char *what, const struct pd_bytes *text);

/*
 * Open NAME.part in the folder of the proof for writing; NULL: failure. *path and *part are for
 * pd_dedup_close_part(), also then.
 */
FILE *pd_dedup_open_part(const struct pd_dedup *d, const char *name, char **path, char **part);

/* Give the file its name unless `status` is a failure. Returns the status. */
int pd_dedup_close_part(FILE *f, char *path, char *part, int status);

#endif
