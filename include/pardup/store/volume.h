/*
 * store/volume.h - documents that were read one after the other, with a vocabulary of their own.
 *
 * A rank's documents lie in volumes of bounded size. What is stored of them goes to a scratch file as they come, the
 * rest when the volume is full. It stays in memory as long as there is room (store/library.h), its blobs as pages of
 * that file, and is read back when it is needed: so memory does not grow with the collection, and a job that was
 * interrupted finds what it has read. A volume knows nothing of ranks: any rank can take it up.
 */
#ifndef PARDUP_STORE_VOLUME_H
#define PARDUP_STORE_VOLUME_H

#include <stdbool.h>

#include "pardup/store/blob.h"
#include "pardup/store/packed.h"

/* A document; its number follows from its place (run/collection/collection.h). */
struct pd_docrec {
    uint64_t piece_key;
    uint64_t offset, skip, length; /* as in struct pd_raw */
    uint64_t host;                 /* hash of the host it came from; 0: unknown */
    uint64_t body_bytes;
    uint64_t text_bytes;
    uint64_t id_at; /* its id: ids.v[id_at], id_n bytes */
    uint32_t id_n;
    uint32_t file;
    uint32_t block;
    uint32_t at; /* where its sentences and words are */
    uint32_t sentences;
    uint32_t words;
    uint32_t fragment;
    uint32_t zero; /* of its piece, as in struct pd_fragment */
};
PD_VEC(pd_docrecs, struct pd_docrec);

/* Something set aside while reading. Sorted by all of it: the order does not depend on ranks. */
struct pd_skiprec {
    uint64_t file;
    uint64_t offset, skip;
    uint64_t why;
};
PD_VEC(pd_skiprecs, struct pd_skiprec);

/* What a volume holds of a piece of the input (run/collection/plan.c): parts 0 .. are in ascending volumes. */
struct pd_fragment {
    uint64_t piece;
    uint32_t index;
    uint32_t last; /* last: the piece ends with it */
};
PD_VEC(pd_fragments, struct pd_fragment);

PD_VEC(pd_terms, uint64_t);
PD_VEC(pd_counts, uint32_t);
PD_VEC(pd_blocks, uint64_t);

struct pd_volume_counts {
    uint64_t ignored;
    uint64_t repaired;
    uint64_t replaced; /* as in struct pd_totals */
};

struct pd_volume {
    struct pd_volume_counts counts;
    struct pd_fragments fragments;
    struct pd_skiprecs skips;
    struct pd_docrecs docs;
    struct pd_bytes ids;
    struct pd_terms terms; /* the words, by number */
    struct pd_counts
        df; /* in how many of its documents each is; none when that is not needed any more */
    struct pd_packed *file;  /* being written: blocks of blobs, the first ones of the file ... */
    uint32_t nblocks;        /* ... of which there are so many ... */
    struct pd_bytes block;   /* ... and that at hand */
    struct pd_map map;       /* the file, where it is in memory, ... */
    struct pd_blocks places; /* ... and where its blocks begin in it */
    unsigned char *flags;    /* of words, once known (store/library.h); else NULL */
};

/* Begin an empty volume, in a new file. PD_OK, PD_EIO. */
int pd_volume_begin(struct pd_volume *v, const char *path);

/*
 * Append what is stored of the document pushed to docs last; *bytes grows by what it takes. PD_OK, PD_EIO: the volume is of no
 * use any more.
 */
int pd_volume_push(struct pd_volume *v, const struct pd_sentence *sentences,
                   const struct pd_fringe *fringes, size_t n, const struct pd_token *tokens,
                   uint64_t *bytes);

/* Bytes of memory it takes. */
uint64_t pd_volume_bytes(const struct pd_volume *v);

/* It is whole: write all but the flags, give back memory that it does not need. PD_OK, PD_EIO. */
int pd_volume_end(struct pd_volume *v);

/* Read it back from its file, but for its blobs. PD_OK, PD_EIO, PD_EFORMAT. */
int pd_volume_read(struct pd_volume *v, struct pd_packed *file);

/* Its blobs in memory: `file` is its own, and may be closed. PD_OK, PD_EIO, PD_EFORMAT. */
int pd_volume_map(struct pd_volume *v, const struct pd_packed *file);

/* Also one that has not ended: then its file goes, too. */
void pd_volume_release(struct pd_volume *v);

#endif
