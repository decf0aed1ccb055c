/* result/names.h - texts (document ids, classes) to numbers. */
#ifndef PARDUP_RESULT_NAMES_H
#define PARDUP_RESULT_NAMES_H

#include <stdint.h>

#include "pardup/base/bytes.h"

struct pd_name {
    uint64_t hash;
    uint64_t number;
    size_t at; /* bytes of text; a slot is free while at is 0 */
    size_t n;
};

/* Zeroed is empty. The texts are kept, each ended by NUL, behind a first byte that is not used. */
struct pd_names {
    struct pd_bytes text;
    struct pd_name *slots;
    size_t n;
    size_t cap; /* cap: a power of two */
};

/* The number of the text s[0, n); a new text gets `fresh`. Amortised O(n). */
uint64_t pd_names_put(struct pd_names *t, const char *s, size_t n, uint64_t fresh);
void pd_names_release(struct pd_names *t);

#endif
