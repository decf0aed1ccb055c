/* base/rename.h - give a file its final name for good. */
#ifndef PARDUP_BASE_RENAME_H
#define PARDUP_BASE_RENAME_H

/*
 * From now on no file is synced. For a process that removes all files that it makes: none of them
 * has to survive a crash of the machine.
 */
void pd_sync_nothing(void);

/* fsync(), unless pd_sync_nothing() was called. */
int pd_sync(int fd);

/*
 * Rename `from` to `to`, then sync the folder of `to`, so that the new name survives a crash of the
 * machine. Returns 0, or -1 with errno. A file system that cannot sync folders is not an error.
 * If the folder cannot be synced because the disk fails, both names are as before. Only a file
 * system that cannot exchange two names leaves the new file in the place of an old one.
 */
int pd_rename(const char *from, const char *to);

#endif
