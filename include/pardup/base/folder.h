/* base/folder.h - make a folder. */
#ifndef PARDUP_BASE_FOLDER_H
#define PARDUP_BASE_FOLDER_H

/*
 * Make a folder, and the folders above it, unless they are there. Returns PD_OK, or PD_EIO with a
 * message that names the first folder that cannot be made.
 */
int pd_folder_make(const char *path);

#endif
