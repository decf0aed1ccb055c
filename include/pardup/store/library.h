/*
 * store/library.h - the volumes of this rank: in memory as long as there is room, else on disk.
 *
 * The first volumes are kept in memory, `keep` bytes in all. The others are loaded from disk one at
 * a time. A stage that goes through documents in their order loads each of them once.
 */
#ifndef PARDUP_STORE_LIBRARY_H
#define PARDUP_STORE_LIBRARY_H

#include "pardup/store/volume.h"

/* A volume in the library. */
struct pd_shelved {
    struct pd_volume volume;   /* empty while the volume is neither kept nor loaded */
    char *path;                /* path of its file, allocated */
    bool kept;                 /* the volume is in memory until the library is released */
    bool marked;               /* the flags of its words are in the file of flags */
    struct pd_packed_at flags; /* if `marked`: where the flags are in the file of flags */
};
PD_VEC(pd_shelf, struct pd_shelved);

/* The volumes of a rank. Zeroed except for `keep`: empty. */
struct pd_library {
    struct pd_shelf shelf;   /* the volumes, in the order in which they were added */
    uint64_t keep;           /* most bytes of kept volumes; set by the caller */
    uint64_t kept;           /* bytes of kept volumes */
    size_t loaded;           /* the loaded volume, if `file` is not NULL */
    struct pd_packed *file;  /* the file of the loaded volume; NULL: no volume is loaded */
    struct pd_bytes block;   /* a block of blobs of the loaded volume; empty: none */
    uint32_t block_number;   /* the number of that block */
    struct pd_packed *flags; /* the file of flags, for volumes that are not kept; NULL: none yet */
};

/*
 * End the volume and add it as the last one. The library takes it over and *v is empty afterwards;
 * after a failure *v is still the caller's. Returns PD_OK or PD_EIO.
 */
int pd_library_add(struct pd_library *lib, struct pd_volume *v);

/*
 * Add a volume from a file that was written before; its checksums are verified.
 * Returns PD_OK, PD_EIO or PD_EFORMAT (the file is damaged or not whole).
 */
int pd_library_open(struct pd_library *lib, const char *path);

/*
 * Get volume k with all its arrays in memory. *v is borrowed until another volume is asked for.
 * Returns PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_library_volume(struct pd_library *lib, size_t k, struct pd_volume **v);

/*
 * Get the blob of document `doc` of volume k. *blob is borrowed until another blob or volume is
 * asked for. Returns PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_library_blob(struct pd_library *lib, size_t k, const struct pd_docrec *doc,
                    const unsigned char **blob);

/*
 * Prefetch the beginning of the blob of document `doc` of volume k into the cache. Does nothing if
 * the volume is not kept, or if doc is the end of its documents.
 */
void pd_library_expect(const struct pd_library *lib, size_t k, const struct pd_docrec *doc);

/*
 * Set the flags of the words of volume k. The flags of a volume that is not kept are also written
 * to the file of flags, which is made at `path`.
 *   flags   a byte per word, one byte more; allocated, taken over also when it fails
 * Returns PD_OK or PD_EIO, or PD_EFORMAT (the volume cannot be loaded).
 */
int pd_library_mark(struct pd_library *lib, size_t k, unsigned char *flags, const char *path);

/* Free all volumes and zero the library. The files of the volumes stay. */
void pd_library_release(struct pd_library *lib);

#endif
