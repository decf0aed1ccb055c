/*
 * index/index.h - an index: a folder of segments, the frozen flags of words, and a manifest.
 *
 * The manifest names the files that count, with their checksums, and has the options that say how
 * units are made and compared. It is written last and renamed into place, so an index is always
 * whole: its old state or its new state. A file that the manifest does not name is of no use and is
 * removed by the next writer. One writer at a time has the lock of the folder.
 */
#ifndef PARDUP_INDEX_INDEX_H
#define PARDUP_INDEX_INDEX_H

#include "pardup/base/hash_table.h"
#include "pardup/index/segment.h"

/* The numbers in a manifest. */
struct pd_index_head {
    uint64_t next;          /* number of the next file */
    uint64_t words;         /* number of the file of words */
    uint64_t words_sum;     /* its checksum */
    uint64_t documents;     /* sources in all segments */
    uint64_t frozen;        /* sources whose words were counted */
    uint64_t partial;       /* 1: some documents of the sources' files were not wanted */
    uint64_t default_flags; /* flags of a word that the file of words does not have */
};

/* A segment in a manifest. */
struct pd_index_part {
    uint64_t number; /* of its file */
    uint64_t documents, checksum;
};
PD_VEC(pd_index_parts, struct pd_index_part);

/* What a manifest says. A zeroed struct is empty. */
struct pd_index_manifest {
    struct pd_index_head head;
    struct pd_index_parts parts;
    struct pd_bytes options;   /* names of options, each followed by its value, all with NUL */
    struct pd_bytes directory; /* the folder from which the paths of sources are found, with NUL */
    uint64_t checksum;         /* of its file: two states of an index have different ones */
};
void pd_index_manifest_release(struct pd_index_manifest *m);

/* Read the manifest of the index in folder `dir`. PD_OK, PD_EIO or PD_EFORMAT. */
int pd_index_manifest_read(struct pd_index_manifest *m, const char *dir);

/* The value of an option in the manifest; NULL: it has none. */
const char *pd_index_manifest_option(const struct pd_index_manifest *m, const char *name);

/* ---- reading ---- */

/* An index that is open for reading. */
struct pd_index {
    struct pd_index_manifest manifest; /* as it was when the index was opened */
    struct pd_segment *segments;       /* in order of their documents */
    size_t nsegments;
    struct pd_hash_table flags; /* by term: flags of the word, plus 1 */
};

/*
 * Open an index. *x is zeroed. If a writer commits meanwhile, its new state is opened. PD_OK,
 * PD_EIO or PD_EFORMAT; to be closed in any case.
 */
int pd_index_open(struct pd_index *x, const char *dir);
void pd_index_close(struct pd_index *x);

/* The flags of a word (feature/signer.h), frozen when the index was made. */
unsigned char pd_index_flags(const struct pd_index *x, uint64_t term);

/* Was this name set aside in any segment? PD_OK or PD_EFORMAT. Cost: O(log names). */
int pd_index_has_aside(const struct pd_index *x, uint64_t name, bool *found);

/* The segment that has document `doc`. */
const struct pd_segment *pd_index_segment(const struct pd_index *x, pd_doc doc);

/* ---- writing ---- */

struct pd_index_writer {
    char *dir;
    char *path;                        /* room for the path that was named last */
    int lock;                          /* descriptor of the locked file */
    bool made;                         /* the folder was not there before */
    struct pd_index_manifest manifest; /* what will count after the commit */
};

/*
 * Make the folder unless it is there, and lock it. `dir` must be an index, or empty, or not there.
 * *exists: it is an index, whose manifest has been read. With `anew` nothing is taken from it, so
 * it may be damaged or of another release. *w is zeroed; to be ended in any case. PD_OK; PD_EIO
 * (also: another job writes to it); PD_EFORMAT (the folder has something else).
 */
int pd_index_begin(struct pd_index_writer *w, const char *dir, bool anew, bool *exists);

/* The path of a new file, with its number. Borrowed until the next call. */
const char *pd_index_new_file(struct pd_index_writer *w, const char *kind, uint64_t *number);

/* The path of a file with a number. Borrowed until the next call. */
const char *pd_index_path(struct pd_index_writer *w, const char *kind, uint64_t number);

/* Write w->manifest, make it count, and remove files that it does not name. PD_OK or PD_EIO. */
int pd_index_commit(struct pd_index_writer *w);

/*
 * Unlock and free. Files that were written and do not count are removed, and so is a folder that
 * was made and has no index in it.
 */
void pd_index_end(struct pd_index_writer *w);

#define PD_INDEX_SEGMENT "segment" /* kinds of files */
#define PD_INDEX_WORDS   "words"

#endif
