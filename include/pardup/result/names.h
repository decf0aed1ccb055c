/* result/names.h - a hash table from texts (document ids, names of classes) to numbers. */
#ifndef PARDUP_RESULT_NAMES_H
#define PARDUP_RESULT_NAMES_H

#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/base/hash_table.h"

/* A text of the table. */
struct pd_name {
    uint64_t number;
    size_t at;     /* where the text begins in pd_names.text */
    size_t n;      /* bytes of the text, without NUL */
    uint64_t next; /* index plus 1 of another text with the same hash; 0: none */
};
PD_VEC(pd_name_list, struct pd_name);

/* A zeroed struct is an empty table. */
struct pd_names {
    struct pd_bytes text;         /* one unused byte, then all texts, each ended by NUL */
    struct pd_name_list names;    /* the texts in the table */
    struct pd_hash_table by_hash; /* per hash: index plus 1 in `names` of a text with the hash */
};

/*
 * The number of the text s[0, n). A text that is not in the table is added with the number `fresh`;
 * its bytes are copied. Cost: O(n), amortised.
 */
uint64_t pd_names_put(struct pd_names *t, const char *s, size_t n, uint64_t fresh);

/* The number of the text s[0, n), or `none` if it is not in the table. Cost: O(n). */
uint64_t pd_names_find(const struct pd_names *t, const char *s, size_t n, uint64_t none);

/*
 * The same for the text, or else for what pd_plain_line() makes of it: lists of ids may have been
 * written by pardup. Cost: O(n).
 */
uint64_t pd_names_find_plain(const struct pd_names *t, const char *s, size_t n, uint64_t none);

/* Free the memory. The table is empty. */
void pd_names_release(struct pd_names *t);

#endif
