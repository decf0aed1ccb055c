/*
 * store/library.h - this rank's volumes: in memory as long as there is room, else on disk.
 *
 * The first volumes stay in memory, up to `keep` bytes; the others pass through it one at a time, so
 * whoever goes through documents in their order reads each of these once.
 */
#ifndef PARDUP_STORE_LIBRARY_H
#define PARDUP_STORE_LIBRARY_H

#include "pardup/store/volume.h"

struct pd_shelved {
    struct pd_volume volume;
    char *path;  /* of its file, allocated */
    bool kept;   /* whole in memory for good */
    bool marked; /* its flags are in the file of flags, here: */
    struct pd_packed_at flags;
};
PD_VEC(pd_shelf, struct pd_shelved);

struct pd_library {
    struct pd_shelf shelf;
    uint64_t keep;
    uint64_t kept;          /* bytes: may stay, stay */
    size_t passing;         /* volume that passes through memory, if `file` is open */
    struct pd_packed *file; /* of it */
    struct pd_bytes block;  /* block `block_at` of its blobs, if block.n > 0 */
    uint32_t block_at;
    struct pd_packed *flags; /* of the words of volumes that do not stay */
};

/* End the volume and put it up behind the others; *v is empty afterwards, unless that fails. PD_OK or PD_EIO. */
int pd_library_add(struct pd_library *lib, struct pd_volume *v);

/* Put up a volume that has been written before. PD_OK, PD_EIO, PD_EFORMAT (not whole). */
int pd_library_open(struct pd_library *lib, const char *path);

/* Volume k with its arrays in memory, until another is asked for. PD_OK, PD_EIO, PD_EFORMAT. */
int pd_library_volume(struct pd_library *lib, size_t k, struct pd_volume **v);

/* The blob of document `doc` of volume k, until another is asked for; likewise. */
int pd_library_blob(struct pd_library *lib, size_t k, const struct pd_docrec *doc,
                    const unsigned char **blob);

/*
 * Bring to the cache what document `doc` of volume k begins with, or nothing: of a volume that does not stay
 * in memory, or one behind its last document.
 */
void pd_library_expect(const struct pd_library *lib, size_t k, const struct pd_docrec *doc);

/*
 * Flags of the words of volume k, a byte each; taken over (malloc'd). Those that do not stay in
 * memory go to the file `path`. PD_OK or PD_EIO.
 */
int pd_library_mark(struct pd_library *lib, size_t k, unsigned char *flags, const char *path);

/* Forget all volumes; the files stay. */
void pd_library_release(struct pd_library *lib);

#endif
