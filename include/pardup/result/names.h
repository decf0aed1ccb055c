/* result/names.h - a hash table from texts (document ids, names of classes) to numbers. */
#ifndef PARDUP_RESULT_NAMES_H
#define PARDUP_RESULT_NAMES_H

#include <stdint.h>

#include "pardup/base/bytes.h"

/* A slot of the table. */
struct pd_name {
    uint64_t hash;
    uint64_t number;
    size_t at; /* where the text begins in pd_names.text; 0: the slot is free */
    size_t n;  /* bytes of the text, without NUL */
};

/* A zeroed struct is an empty table. */
struct pd_names {
    struct pd_bytes text; /* one unused byte, then all texts, each ended by NUL */
    struct pd_name *slots;
    size_t n;   /* texts in the table */
    size_t cap; /* slots, a power of two */
};

/*
 * The number of the text s[0, n). A text that is not in the table is added with the number `fresh`;
 * its bytes are copied. Cost: O(n), amortised.
 */
uint64_t pd_names_put(struct pd_names *t, const char *s, size_t n, uint64_t fresh);
void pd_names_release(struct pd_names *t);

#endif
