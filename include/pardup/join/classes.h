/*
 * join/classes.h - identical units: collapse, set common ones aside; expand what matches to dots.
 *
 * Identical units become one class first; classes in many documents, which make pairs by their
 * square, are set aside and listed. For methods that ask for equality this is the whole join (Zhang et al., SIGIR 2010,
 * section 4.2, without emitting every pair under every signature); for the others (join/similar.h)
 * one representative of each class takes part, and similar classes are expanded like a class with
 * itself.
 *
 * Both ways classes stream by: nothing here holds more than the class at hand.
 */
#ifndef PARDUP_JOIN_CLASSES_H
#define PARDUP_JOIN_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/base/fan.h"

PD_VEC(pd_code_ends, size_t);

/* Collapsing under way; zeroed but for the first members. */
struct pd_collapse {
    uint64_t max_df;  /* classes in more documents are set aside; 0: none are */
    bool keep_single; /* classes of one document match nothing, but may be similar to others */
    struct pd_commons *aside;                             /* appended to, in order of signature */
    int (*keep)(void *ctx, const struct pd_class *class); /* the class is borrowed; < 0: stop */
    void *ctx;

    uint64_t number;         /* of classes kept so far */
    struct pd_posting first; /* of the class at hand */
    uint64_t df;             /* documents of it so far; 0: there is none at hand */
    pd_doc last;
    struct pd_u64s class; /* a struct pd_class */
};

/*
 * Postings in order (sig, more, doc, unit), as they come. Classes kept are numbered from 0 on.
 * PD_OK, or what `keep` returned.
 */
int pd_collapse_postings(struct pd_collapse *c, const struct pd_posting *v, size_t n);
int pd_collapse_end(struct pd_collapse *c); /* no more postings; likewise */
void pd_collapse_release(struct pd_collapse *c);

/*
 * Expansion under way: occurrences a match occurrences b in documents with larger numbers. Both are
 * in order of (doc, unit), borrowed. Zeroed is empty; release in the end.
 */
struct pd_expansion {
    const struct pd_occurrence *a, *b; /* the same, or without a common unit */
    size_t na, nb;
    double similarity;
    size_t x, x_end;          /* occurrences in the first document at hand ... */
    size_t y_first;           /* ... and the first one in a later document */
    size_t x_done, y;         /* how much of both lists is in fans already: before y */
    struct pd_bytes code;     /* of all that is in b, as it stands in fans ... */
    struct pd_code_ends ends; /* ... and where the code of each occurrence ends */
    uint64_t dots;            /* written so far, by all expansions */
};

/* Begin with the first documents numbered `from` or more; what was under way is forgotten. */
void pd_expansion_begin(struct pd_expansion *e, const struct pd_occurrence *a, size_t na,
                        const struct pd_occurrence *b, size_t nb, double similarity, pd_doc from);

/*
 * Write whole fans (in any order) into to[0, cap), cap >= PD_FAN_MOST, and set *n to their bytes.
 * Returns 1 when these were the last.
 * b is coded once: what the fan of a first document says of the others is the end of that.
 */
int pd_expansion_write(struct pd_expansion *e, unsigned char *to, size_t cap, size_t *n);

void pd_expansion_release(struct pd_expansion *e);

#endif
