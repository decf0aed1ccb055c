/*
 * tests/support/pd_synced.h - what a test program has synced. Include in one .c of a test program
 * that is linked with -Wl,--wrap=fsync.
 */
#ifndef PD_SYNCED_H
#define PD_SYNCED_H

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>

static struct {
    unsigned files, folders; /* calls of fsync that went well */
    bool fails;              /* the next call of fsync for a file fails */
    bool folder_fails;       /* the next call of fsync for a folder fails */
} synced;

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return -1;
    bool *const fails = S_ISDIR(st.st_mode) ? &synced.folder_fails : &synced.fails;
    if (*fails && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))) {
        *fails = false;
        errno = EIO;
        return -1;
    }
    synced.files += S_ISREG(st.st_mode);
    synced.folders += S_ISDIR(st.st_mode);
    return __real_fsync(fd);
}

#endif
