/* index/indexed.h - how a segment keeps a document, for segment.c. */
#ifndef PARDUP_INDEX_INDEXED_H
#define PARDUP_INDEX_INDEXED_H

#include "pardup/base/hash_table.h"
#include "pardup/index/segment.h"

enum {
    PD_INDEXED_GROUP =
        16, /* documents or files that are kept as differences to the first of them */
    PD_HOSTS_MOST = 1 << 14, /* hosts in the table of a segment; others stand with each document */
    PD_HOST_NONE = 0,        /* codes of a host: none, as it is, number 0 of the table */
    PD_HOST_RAW = 1,
    PD_HOST_FIRST = 2
};

/* What the packed form of a document leaves to the tables of the segment. */
struct pd_indexed_context {
    const struct pd_indexed *first; /* of its group; NULL: it is the first itself */
    bool with_text;
    uint64_t host; /* its code. Unpacking sets it, and the host if it is PD_HOST_RAW */
};

/* Append a document. Its number of units and its bounds are taken from `doc`. */
void pd_indexed_put(const struct pd_indexed *doc, const struct pd_indexed_context *c,
                    struct pd_bytes *to);

/* Read it from v[0, n). Pointers go into v. nunits is not set. False: it is broken. */
bool pd_indexed_take(const unsigned char *v, size_t n, struct pd_indexed_context *c,
                     struct pd_indexed *out);

/* A file of a segment: its bytes, and its path in two parts. */
struct pd_kept_file {
    uint64_t bytes;
    const char *before, *rest;
    size_t before_n, rest_n;
};

/* Append a file. first: the path of the first one of its group, empty if it is the first itself. */
void pd_file_put(const char *path, uint64_t bytes, const struct pd_bytes *first,
                 struct pd_bytes *to);

/* Read it from v[0, n); `first` as before, or NULL. Pointers go into v. False: it is broken. */
bool pd_file_take(const unsigned char *v, size_t n, const struct pd_kept_file *first,
                  struct pd_kept_file *out);

/* Append the bounds of the units of a document, packed. */
void pd_bounds_pack(const struct pd_sentences *units, struct pd_bytes *to);

#endif
