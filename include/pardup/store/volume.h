/*
 * store/volume.h - documents that were read one after the other, with a vocabulary of their own.
 *
 * A rank's documents lie in volumes of bounded size. Each is written to a scratch file when it is
 * full, stays in memory as long as there is room (store/library.h), and is read back when it is
 * needed: so memory does not grow with the collection, and a job that was interrupted finds what
 * it has read. A volume knows nothing of ranks: any rank can take it up.
 */
#ifndef PARDUP_STORE_VOLUME_H
#define PARDUP_STORE_VOLUME_H

#include <stdbool.h>

#include "pardup/store/blob.h"
#include "pardup/store/packed.h"

/* A document; its number follows from its place (run/collection.h). */
struct pd_docrec {
    uint64_t segment;
    uint64_t offset, skip, length; /* as in struct pd_raw */
    uint64_t host;                 /* hash of the host it came from; 0: unknown */
    uint64_t body_bytes, text_bytes;
    uint64_t id_at; /* its id: ids.v[id_at], id_n bytes */
    uint32_t id_n, file;
    uint32_t block, at; /* where its sentences and words are */
    uint32_t sentences, words;
    uint32_t part, zero; /* of its piece, as in struct pd_part */
};
PD_VEC(pd_docrecs, struct pd_docrec);

/* Something set aside while reading. Sorted by all of it: the order does not depend on ranks. */
struct pd_skiprec {
    uint64_t file, offset, skip, why;
};
PD_VEC(pd_skiprecs, struct pd_skiprec);

/* What a volume holds of a piece of the input (run/plan.c): parts 0 .. are in ascending volumes. */
struct pd_part {
    uint64_t piece;
    uint32_t part, last; /* last: the piece ends with it */
};
PD_VEC(pd_parts, struct pd_part);

PD_VEC(pd_terms, uint64_t);
PD_VEC(pd_counts, uint32_t);
PD_VEC(pd_blocks, struct pd_bytes);

struct pd_volume_counts {
    uint64_t ignored, repaired, replaced; /* as in struct pd_totals */
};

struct pd_volume {
    struct pd_volume_counts counts;
    struct pd_parts parts;
    struct pd_skiprecs skips;
    struct pd_docrecs docs;
    struct pd_bytes ids;
    struct pd_terms terms; /* the words, by number */
    struct pd_counts
        df; /* in how many of its documents each is; none when that is not needed any more */
    struct pd_blocks blocks; /* of blobs; none when they are to be read from the file ... */
    uint32_t first_block;    /* ... where they begin with this one */
    unsigned char *flags;    /* of words, once known (store/library.h); else NULL */
};

/* Append what is stored of the document pushed to docs last. Returns the bytes it takes. */
size_t pd_volume_push(struct pd_volume *v, const struct pd_sentence *sentences,
                      const struct pd_fringe *fringes, size_t n, const struct pd_token *tokens);

/* It is whole: give back memory that it does not need. */
void pd_volume_trim(struct pd_volume *v);

/* Bytes of memory it takes. */
uint64_t pd_volume_bytes(const struct pd_volume *v);

/* Write all but the flags to a new file. The file is open for reading afterwards; NULL: pd_fail. */
struct pd_packed *pd_volume_write(const struct pd_volume *v, const char *path);

/* Read it back from its file, with its blocks of blobs or without. PD_OK, PD_EIO, PD_EFORMAT. */
int pd_volume_read(struct pd_volume *v, struct pd_packed *file, bool blocks);

void pd_volume_release(struct pd_volume *v);

#endif
