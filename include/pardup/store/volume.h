/*
 * store/volume.h - the volume: documents that a rank has read and stored together, with their
 * vocabulary.
 *
 * Volumes have a bounded size, and each has a scratch file. Blobs go to the file while documents
 * are read; the other arrays are written when the volume is full. The library (store/library.h)
 * keeps volumes in memory while there is room, with their blobs as mapped pages of the file, and
 * reads the others from their files. So memory does not grow with the collection, and a resumed job
 * finds what was read. Nothing in a volume depends on a rank: any rank can load it.
 */
#ifndef PARDUP_STORE_VOLUME_H
#define PARDUP_STORE_VOLUME_H

#include <stdbool.h>

#include "pardup/base/date.h"
#include "pardup/base/raw.h"
#include "pardup/store/blob.h"
#include "pardup/store/packed.h"

/*
 * A document. Its number is not stored: it follows from the batch that the document lies in
 * (run/stage/collection/collection.h).
 */
struct pd_docrec {
    uint64_t piece_key;            /* as in struct pd_raw */
    uint64_t offset, skip, length; /* as in struct pd_raw */
    uint64_t host;                 /* number of its site (run/stage/collection/site.h) */
    uint64_t body_bytes;           /* bytes of its body */
    uint64_t text_bytes;           /* bytes of its text */
    uint64_t text_hash;            /* pd_hash_bytes() of its text */
    uint64_t inner_hash;           /* hash of the base units outside its frame */
    uint64_t text_at;   /* where its text is kept, if it is (run/stage/collection/filling.c) */
    uint64_t id_at;     /* its id, address, site and kept fields begin at ids.v[id_at] */
    uint32_t id_n;      /* bytes of its id */
    uint32_t url_n;     /* bytes of its address */
    uint32_t site_n;    /* bytes of the name of its site */
    uint32_t file;      /* number of its input file */
    uint32_t block;     /* block of the volume's file that has its blob */
    uint32_t at;        /* offset of its blob in the unpacked block, bytes */
    uint32_t sentences; /* base units */
    uint32_t words;
    uint32_t fragment;     /* `index` of its struct pd_fragment */
    uint8_t page;          /* 1: it is an HTML page; 0: it is not */
    uint8_t letter;        /* 1: it is a letter whose sender is known; 0: it is not */
    uint16_t article;      /* 1: it surely is an article; 0: it may be another page */
    uint32_t single_words; /* words that are single characters (document.h) */
    uint32_t frame_sentences, frame_words; /* base units in the frame of the page, their words */
    uint32_t meta_n;                       /* bytes of its kept fields, as JSON; 0: none */
    struct pd_date date;
    uint64_t same; /* hash of its value of the field of --skip-same; 0: none */
};
PD_VEC(pd_docrecs, struct pd_docrec);

/* A record that did not become a document. Sorted by all members, so that ranks do not matter. */
struct pd_skiprec {
    uint64_t file;         /* number of the input file */
    uint64_t offset, skip; /* as in struct pd_raw */
    uint64_t why;          /* an enum pd_skip */
};
PD_VEC(pd_skiprecs, struct pd_skiprec);

/*
 * A fragment: the documents of one piece of the input (run/stage/collection/plan.c) that lie in
 * this volume. A piece that does not fit into a volume has fragments 0, 1, ... in consecutive
 * volumes.
 */
struct pd_fragment {
    uint64_t piece; /* number of the piece */
    uint32_t index; /* number of the fragment in its piece */
    uint32_t last;  /* 1: the last fragment of its piece */
};
PD_VEC(pd_fragments, struct pd_fragment);

PD_VEC(pd_terms, uint64_t);
PD_VEC(pd_counts, uint32_t);
PD_VEC(pd_blocks, uint64_t);

/* What happened while the documents were read; added up in struct pd_totals. */
struct pd_volume_counts {
    uint64_t ignored;  /* records that are no documents, such as requests and images */
    uint64_t unlisted; /* documents that --docs-from does not name */
    uint64_t repaired; /* documents with a length or bytes that had to be mended */
    uint64_t replaced; /* broken byte sequences that became U+FFFD */
    uint64_t cut;      /* kept values that were cut or left out, as they are too long */
    uint64_t undated;  /* documents with a date that cannot be read */
    struct pd_field_counts fields;
};

/* A zeroed struct is no volume; begin it with pd_volume_begin() or pd_volume_read(). */
struct pd_volume {
    struct pd_volume_counts counts;
    struct pd_fragments fragments;
    struct pd_skiprecs skips;   /* records that did not become documents */
    struct pd_docrecs docs;     /* the documents, in the order of reading */
    struct pd_bytes ids;        /* ids, addresses, sites and kept fields of the documents */
    struct pd_terms terms;      /* the vocabulary: the term of each word number */
    struct pd_counts df;        /* per term: documents of the volume it is in; empty: not needed */
    struct pd_bytes forms;      /* the shingled form of each term; empty: not needed */
    struct pd_counts form_ends; /* per term: where its form ends in `forms`; empty: not needed */
    struct pd_terms spellings;  /* per term: its spelling (base/spelling.h); empty: not needed */
    struct pd_packed *file;     /* the file while it is written; its first blocks have blobs */
    uint32_t nblocks;           /* blocks of blobs in the file */
    struct pd_bytes block;      /* blobs for the next block of the file */
    struct pd_map map;          /* the blocks of blobs in memory; empty: they are not in memory */
    struct pd_blocks offsets;   /* per block of blobs: where it begins in `map` */
    struct pd_bytes singles;    /* per term: 1 if it is a single character; empty: not needed */
    unsigned char *flags;       /* a byte per term, owned (store/library.h); NULL: not known */
};

/* Begin an empty volume with a new file. *v is zeroed. Returns PD_OK or PD_EIO. */
int pd_volume_begin(struct pd_volume *v, const char *path);

/*
 * Store the blob of the document that was pushed last to v->docs, and set its `block` and `at`.
 *   sentences, fringes, n, tokens   as in pd_blob_encode()
 *   bytes                           grows by the size of the blob
 * Returns PD_OK, or PD_EIO; after a failure the volume can only be released.
 */
int pd_volume_push(struct pd_volume *v, const struct pd_sentence *sentences,
                   const struct pd_fringe *fringes, size_t n, const struct pd_token *tokens,
                   uint64_t *bytes);

/* Bytes of memory that the volume takes: its arrays, flags and mapped blobs. */
uint64_t pd_volume_bytes(const struct pd_volume *v);

/*
 * End the volume: write what is not in its file, except the flags, and free memory that arrays do
 * not use. The file is finished, and still open in v->file. Returns PD_OK or PD_EIO.
 */
int pd_volume_end(struct pd_volume *v);

/*
 * Read the arrays of a volume from its file, but not its blobs. *v is zeroed or was read before;
 * `file` is borrowed for the call. Returns PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_volume_read(struct pd_volume *v, struct pd_packed *file);

/*
 * Map the blobs of a volume. `file` is the volume's finished file and may be closed afterwards.
 * Returns PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_volume_map(struct pd_volume *v, const struct pd_packed *file);

/* Free all and zero the volume. If it has not been ended, its file is deleted. */
void pd_volume_release(struct pd_volume *v);

#endif
