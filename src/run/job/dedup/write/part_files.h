/* run/job/dedup/write/part_files.h - a file that gets its name when it is whole. */
#ifndef PARDUP_RUN_DEDUP_PART_FILES_H
#define PARDUP_RUN_DEDUP_PART_FILES_H

#include "run/job/dedup/job.h"

struct pd_output {
    char *path, *part;
    FILE *file;
    bool lasts; /* it is on disk when it has its name; its part stays after a failure */
};

/*
 * Open the file with this number. It owns the path. Until it is whole it lies in the work folder,
 * where its name is short, and none that a file of the collection may have. It is on disk when its
 * bundle is done. PD_OK or PD_EIO; to be closed in any case.
 */
int pd_output_open(const struct pd_dedup *d, struct pd_output *o, char *path, uint64_t number);

/* The same for a file of the proof. Until it is whole it is NAME.part beside it. */
int pd_output_open_proof(const struct pd_dedup *d, struct pd_output *o, const char *name);

/* Give the file its name, unless `status` is a failure. Returns the status. */
int pd_output_close(struct pd_output *o, int status);

/* Write n bytes, which are the whole file, unless `status` is a failure, and close it. */
int pd_output_put(struct pd_output *o, int status, const void *bytes, size_t n);

/* The path of a file below the output folder, whose folders are made; to be freed. NULL: failure. */
char *pd_output_path(const struct pd_dedup *d, const char *folder, const char *name);

/* The path of a file in the work folder, by what it holds and a number; to be freed. */
char *pd_dedup_work_path(const struct pd_dedup *d, const char *what, uint64_t number);

/*
 * For rank 0. Keep in the work folder, under the name `what`, what the job goes by. PD_OK; PD_EIO;
 * or PD_ESTALE if an earlier try has kept something else.
 */
int pd_dedup_bind(const struct pd_dedup *d, const char *what, const struct pd_bytes *text);

#endif
