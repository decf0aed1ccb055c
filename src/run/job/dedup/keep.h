/*
 * run/job/dedup/keep.h - the keys of --keep: first, longest, field:NAME or best:KEY,KEY...
 *
 * A document without a value of a key comes last, whichever way the key goes.
 */
#ifndef PARDUP_RUN_DEDUP_KEEP_H
#define PARDUP_RUN_DEDUP_KEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/document/document.h"
#include "pardup/result/table.h"

enum { PD_KEEP_KEYS = 8, PD_KEEP_NAME = 256 };

enum pd_keep_what {
    PD_KEEP_FIELD, /* of the record or of /documents/meta */
    PD_KEEP_WORDS, /* words of the text */
    PD_KEEP_BYTES, /* bytes of the text */
    PD_KEEP_DATE,  /* /documents/date */
    PD_KEEP_DEPTH  /* of the address: parts of its path and of its query */
};

struct pd_keep_key {
    enum pd_keep_what what;
    char name[PD_KEEP_NAME]; /* of the field */
    bool numbers_down;       /* the greatest number comes first; numbers come before texts */
    bool texts_down;         /* the greatest text comes first */
};

struct pd_keep_keys {
    struct pd_keep_key v[PD_KEEP_KEYS];
    size_t n;               /* 0: the order is that of the collection, or of a list */
    struct pd_bytes values; /* for each document a struct pd_keep_head, and its values, padded */
    uint64_t seen[PD_KEEP_KEYS]; /* documents with a value, by key */
    struct pd_bytes value;       /* buffer */
};

/* Before the values of a document. */
struct pd_keep_head {
    uint64_t doc, bytes; /* row of /documents; bytes of its values */
};

/* What --keep says. PD_OK or PD_EUSAGE. */
int pd_keep_read(const char *keep, struct pd_keep_keys *k);
void pd_keep_release(struct pd_keep_keys *k);

/* Columns of /documents from which values come: a table of them is open, or has no rows. */
#define PD_KEEP_COLUMNS                                                                            \
    {                                                                                              \
        "?url", "?meta", "?date", NULL                                                             \
    }

/*
 * Append the values of a document.
 *   order   the value of the field of field:NAME in its record, of order_n bytes; NULL: none
 *   told    PD_KEEP_COLUMNS of the result
 * PD_OK or a failure to read the result.
 */
int pd_keep_append(struct pd_keep_keys *k, uint64_t doc, const struct pd_document *t,
                   const char *order, size_t order_n, struct pd_table_reader *told);

/* Rows of documents, the best one first; ties by row. */
struct pd_keep_rows {
    uint64_t *v; /* to be freed */
    size_t n;
};
void pd_keep_sort(const struct pd_keep_keys *k, const struct pd_bytes *all,
                  struct pd_keep_rows *rows);

#endif
