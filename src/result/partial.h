/*
 * result/partial.h - the file of a result that is not complete, under its temporary name PATH.part.
 *
 * The file is locked while it is written. It gets its final name when it is complete and synced. A
 * signal that stops the job removes it. Only rank 0 has the file; HDF5 writes what is in it
 * (result/writer.h). No function here is collective.
 */
#ifndef PARDUP_RESULT_PARTIAL_H
#define PARDUP_RESULT_PARTIAL_H

struct pd_partial {
    char *path;      /* the final name */
    char *temporary; /* the temporary name */
    int lock;        /* descriptor of the temporary file, locked while it is written; else -1 */
};

/* Set the two names. Nothing is created. `path` is copied. */
void pd_partial_init(struct pd_partial *p, const char *path);

/*
 * Close the file, if it is open, and free the names. A file that has not been renamed or removed
 * stays under its temporary name.
 */
void pd_partial_release(struct pd_partial *p);

/*
 * Create the temporary file, empty and locked. This comes before HDF5 opens the file: the errors of
 * open(2) are clear, and all ranks can still agree on them. A temporary file that a killed job has
 * left is replaced. PD_OK, or PD_EIO (the folder cannot be written, another job writes the file, or
 * one of the two names is that of something else than a regular file).
 */
int pd_partial_create(struct pd_partial *p);

/* Copy the bytes of the file `from` to the temporary file. PD_OK or PD_EIO. */
int pd_partial_copy(const struct pd_partial *p, const char *from);

/*
 * From now on a signal that stops the job also removes the temporary file, until
 * pd_partial_release. One file at a time.
 */
void pd_partial_remove_on_signal(const struct pd_partial *p);

/* Remove the temporary file. */
void pd_partial_remove(const struct pd_partial *p);

/*
 * Sync the temporary file, which HDF5 has closed, and give it its final name. PD_OK, PD_EIO, or
 * PD_ESTOP (a signal asks the job to stop: the file gets no name).
 */
int pd_partial_rename(const struct pd_partial *p);

#endif
