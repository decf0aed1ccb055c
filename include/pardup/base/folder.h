/* base/folder.h - make a folder, and keep other jobs out of it. */
#ifndef PARDUP_BASE_FOLDER_H
#define PARDUP_BASE_FOLDER_H

/*
 * Make a folder, and the folders above it, unless they are there. Returns PD_OK, or PD_EIO with a
 * message that names the first folder that cannot be made.
 */
int pd_folder_make(const char *path);

/*
 * Lock a folder for the job that writes to it. *lock receives a descriptor, which the caller closes
 * in the end if it is not -1. The lock ends with the process. Some file systems have no locks:
 * there all jobs may come in. PD_OK, or PD_EIO: another job has it.
 */
int pd_folder_lock(const char *path, int *lock);

#endif
