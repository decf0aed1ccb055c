/*
 * corpus/parquet/parquet_footer.h - what the end of a Parquet file says: its columns and row
 * groups.
 *
 * Source: Apache Parquet, parquet.thrift of parquet-format 2.11. A row group holds some of the
 * rows, one chunk of bytes for each column.
 *
 * Deviation: row groups must lie one behind the other, as all known writers make them.
 */
#ifndef PARDUP_CORPUS_PARQUET_FOOTER_H
#define PARDUP_CORPUS_PARQUET_FOOTER_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/corpus/kept.h"
#include "pardup/parquet/parquet.h"

#define PD_PARQUET_WHY 240 /* bytes of a text that says what is wrong */

/*
 * A row group, or a page, whose bytes become more than FREE, and EXPANDS times more, is a bomb, as
 * in compressed files of other formats. A file may have ROWS_FREE rows, and ROWS_EACH for each
 * byte.
 */
#define PD_PARQUET_FREE      ((uint64_t)1 << 30)
#define PD_PARQUET_EXPANDS   1000
#define PD_PARQUET_ROWS_FREE ((uint64_t)1 << 16)
#define PD_PARQUET_ROWS_EACH 64

/* What a column is for. */
enum pd_parquet_role {
    PD_PARQUET_TEXT,
    PD_PARQUET_ID,
    PD_PARQUET_URL,
    PD_PARQUET_SITE,
    PD_PARQUET_KEPT, /* the first of the columns to keep */
    PD_PARQUET_ROLES = PD_PARQUET_KEPT + PD_KEPT_FIELDS
};

/* What the values of a column mean beyond their type. */
enum pd_parquet_meaning {
    PD_MEANS_ITSELF, /* a number, a truth value or bytes */
    PD_MEANS_UNSIGNED,
    PD_MEANS_DATE,
    PD_MEANS_TIME,
    PD_MEANS_TIMESTAMP,
    PD_MEANS_DECIMAL,
    PD_MEANS_UUID,
    PD_MEANS_HALF, /* a number of 16 bits */
    PD_MEANS_INTERVAL
};

/* The column for a role. */
struct pd_parquet_leaf {
    bool there; /* the file has such a column */
    enum pd_parquet_meaning means;
    bool utc;         /* times and timestamps: in UTC, and not of a place that nobody names */
    int digits;       /* times and timestamps: digits of the second; decimals: behind the point */
    uint32_t number;  /* number of the column among all that hold values */
    unsigned levels;  /* definition level of a value that is not null; 0: the column has no nulls */
    unsigned repeats; /* highest repetition level; 0: a row has one value */
    int type;         /* enum pd_parquet_type */
    uint32_t size;    /* bytes of a value; 0: they differ, or it is a truth value */
    const char *name; /* borrowed from the caller of pd_parquet_footer_read(); NULL in `every` */
    const unsigned char *own; /* its name in its group, own_n bytes of the metadata */
    size_t own_n;
};
PD_VEC(pd_parquet_leaves, struct pd_parquet_leaf);
#define PD_PARQUET_COLUMNS 65536

struct pd_parquet_group {
    uint64_t start; /* offset of the first byte of its chunks; ascends */
    uint64_t end;   /* offset behind the last byte */
    uint64_t rows;  /* at least 1 */
    size_t at;      /* offset of its metadata in the footer */
};
PD_VEC(pd_parquet_groups, struct pd_parquet_group);

/* The chunk of a column in a row group: stored bytes [start, end). */
struct pd_parquet_chunk {
    uint64_t start, end;
    uint64_t values;    /* how many it has, nulls counted */
    int codec;          /* enum pd_parquet_codec, or any other number */
    uint32_t encodings; /* bit k: it says that encoding k is used; bit 31: a higher one */
    bool encrypted;
};

struct pd_parquet_footer {
    struct pd_bytes bytes; /* the metadata as stored */
    uint64_t data_end;     /* offset of the metadata in the file */
    struct pd_parquet_leaf leaves[PD_PARQUET_ROLES];
    uint32_t nleaves;                /* columns that hold values */
    bool wants_every;                /* set by the caller: `every` is wanted */
    struct pd_parquet_leaves every;  /* all of them, or the first PD_PARQUET_COLUMNS */
    struct pd_parquet_groups groups; /* row groups that have rows */
    char why[PD_PARQUET_WHY];        /* after PD_EFORMAT: what is wrong, in words */
    bool asked;   /* after PD_EFORMAT: it is about columns that the user has asked for */
    bool renamed; /* a column has the name of a role in other letters, and no column has it */
};

/*
 * Read the metadata of the open file `fd` of `bytes` bytes.
 *   path    for messages
 *   most    largest footer, bytes
 *   names   per role: the column's name; a dot goes into a group. Without such a column, the only
 *           one with this name in other letters is taken. NULL: not wanted. Borrowed as
 *           long as the footer
 *   usual   per role: names[role] is what the user gets without asking, so the column may be
 *           missing or of an odd type. The column of the text may not
 * Returns PD_OK, PD_EIO, or PD_EFORMAT with f->why. Memory: the footer, 32 bytes a row group,
 * and 64 bytes a column.
 */
int pd_parquet_footer_read(struct pd_parquet_footer *f, int fd, uint64_t bytes, const char *path,
                           uint64_t most, const char *const names[PD_PARQUET_ROLES],
                           const bool usual[PD_PARQUET_ROLES]);

/*
 * Set chunks[role] for each column that is there. Returns false when the metadata is damaged. Its
 * chunks lie between the group's start and end.
 */
bool pd_parquet_chunks(const struct pd_parquet_footer *f, const struct pd_parquet_group *group,
                       struct pd_parquet_chunk chunks[PD_PARQUET_ROLES]);

/* The same for every column: chunks[k] is of f->every.v[k], if it has all of them. */
bool pd_parquet_every_chunk(const struct pd_parquet_footer *f, const struct pd_parquet_group *group,
                            struct pd_parquet_chunk *chunks);

void pd_parquet_footer_release(struct pd_parquet_footer *f);

/*
 * Read exactly n bytes at `offset`. Returns PD_OK, PD_END when the file is too short, or PD_EIO
 * with a message that names the path.
 */
int pd_parquet_pread(int fd, const char *path, void *to, size_t n, uint64_t offset);

#endif
