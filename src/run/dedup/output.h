/* run/dedup/output.h - a file that gets its name when it is whole. */
#ifndef PARDUP_RUN_DEDUP_OUTPUT_H
#define PARDUP_RUN_DEDUP_OUTPUT_H

#include "run/dedup/dedup.h"

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

#endif
