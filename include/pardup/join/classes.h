/*
 * join/classes.h - collapse postings to classes, set common classes aside, expand classes to fans.
 *
 * Units with the same signature set become one class. The number of document pairs of a class grows
 * with the square of its documents, so common classes are listed, and set aside or handed to
 * join/anchors.h.
 *
 * For methods that ask for equality this is the whole join (Zhang, Zhang, Yu, Huang, "Efficient
 * Partial-Duplicate Detection Based on Sequence Matching", SIGIR 2010, section 4.2).
 * Deviation from Zhang: units with equal sets are one class, and a pair is found once. The paper
 * emits every pair under every signature that it shares.
 * Deviation from Zhang: two units of one document are no match. Algorithm 1 as printed emits
 * repeats within a document, too, which --within does.
 *
 * Other methods compare one representative of each class (join/similar.h). Two similar classes are
 * then expanded like a class with itself.
 *
 * Collapsing and expanding hold one class (one pair of classes) in memory at a time.
 */
#ifndef PARDUP_JOIN_CLASSES_H
#define PARDUP_JOIN_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/base/fan.h"
#include "pardup/join/anchors.h"

PD_VEC(pd_code_ends, size_t);

#define PD_LARGE_CLASS 300 /* a class in more documents makes over 45,000 pairs of documents */

/* The state of collapsing postings. The caller sets the first members and zeroes the others. */
struct pd_collapse {
    uint64_t max_df;      /* classes in more documents than this are common; 0: none */
    bool count_times;     /* max_df is a limit for the units of a class, not for its documents */
    uint64_t max_repeats; /* limit for units that recur in their document; 0: none */
    bool first_repeats;   /* true: the first max_repeats units of a document count; false: none */
    bool keep_single;     /* keep classes in one document, which match only similar classes */
    bool within;          /* keep classes with several units in one document */
    /*
     * For an index: `keep` gets all classes, common ones with at least the occurrences in their
     * first document. Units that make no dots with later documents (PD_QUERY_ONLY) only count for
     * max_repeats.
     */
    bool for_index;
    struct pd_commons *aside;       /* common classes are appended here, in order of signature */
    pd_doc listed_from;             /* only with a document of this number, or a greater one */
    struct pd_anchoring *anchoring; /* takes all of a common class; NULL: it is only set aside */
    /* called with each class that is not common; borrowed; collapsing stops at a result < 0 */
    int (*keep)(void *ctx, const struct pd_class *class);
    void *ctx; /* argument of `keep` */

    /* private */
    uint64_t number;       /* classes kept so far, whole documents left out */
    uint64_t large;        /* classes kept so far that are in more than PD_LARGE_CLASS documents */
    uint64_t repeated;     /* postings that do not count as they recur */
    uint64_t whole_common; /* documents in common classes of whole documents so far */
    struct pd_posting first; /* the first posting of the current class */
    bool begun;              /* there is a current class */
    uint64_t df;             /* documents of the current class so far; `keep` may read it */
    uint64_t times;          /* its postings that count, in the documents before the last one */
    uint64_t repeats;        /* postings of the current class in the document of the last posting */
    uint64_t counted;        /* those of them that count for df */
    pd_doc last;             /* that document */
    struct pd_u64s class;    /* the current class, a struct pd_class */
};

/*
 * Collapse the next n postings. All calls together take the postings in order of (sig, more, doc,
 * unit). Kept classes are numbered from 0 in the same order, but classes of whole documents have no
 * number.
 * Returns PD_OK, or a negative result of `keep` or of a callback of `anchoring`.
 */
int pd_collapse_postings(struct pd_collapse *c, const struct pd_posting *v, size_t n);

/* What max_df limits of the class at hand. Whole documents count once, whatever postings they have. */
static inline uint64_t pd_collapse_count(const struct pd_collapse *c)
{
    return c->count_times && !(pd_posting_flags(&c->first) & PD_WHOLE) ? c->times : c->df;
}

/* Is the class at hand common? `keep` may ask. */
static inline bool pd_collapse_is_common(const struct pd_collapse *c)
{
    return pd_is_common(pd_collapse_count(c), c->max_df);
}

/* Finish the last class: there are no more postings. Returns as pd_collapse_postings does. */
int pd_collapse_end(struct pd_collapse *c);

void pd_collapse_release(struct pd_collapse *c);

/*
 * Occurrences that match: every one of a[0, na) matches every one of b[0, nb) in a later document.
 * Both lists are in order of (doc, unit). They are the same list or have no unit in common.
 */
struct pd_matching {
    const struct pd_occurrence *a, *b;
    size_t na, nb;
    double similarity; /* (0, 1]; 1: identical */
};

/*
 * The state of expanding matching occurrences to fans. A zeroed struct is empty; release it in the
 * end.
 */
struct pd_expansion {
    bool within; /* units also match later units of their document; set by the caller */
    struct pd_matching of;
    bool whole;               /* the occurrences are whole documents (PD_WHOLE) */
    size_t x, x_end;          /* a[x, x_end): of the current first document; within: one of them */
    size_t y_first;           /* b[y_first, nb) is what they match */
    size_t x_done;            /* a[x, x + x_done) has all its fans */
    size_t y;                 /* the next occurrences of a have their fans with b[y_first, y) */
    struct pd_bytes code;     /* b in the form it has in fans, from the first value of y_first on */
    struct pd_code_ends ends; /* where in `code` each occurrence of b ends */
    uint64_t dots;            /* dots written so far, in all expansions; not of whole documents */
};

/*
 * Begin an expansion; an expansion under way is dropped.
 *   of    copied; its occurrences are borrowed until the next call or release
 *   from  expand only first documents with this or a higher number
 */
void pd_expansion_begin(struct pd_expansion *e, const struct pd_matching *of, pd_doc from);

/*
 * Write the next fans, until `to` is full. Fans come in unspecified order.
 *   to, cap  room for the fans; cap >= PD_FAN_MOST
 *   n        set to the bytes written
 * Returns 1 if the expansion is complete, else 0.
 * Cost: b is coded once per expansion; each fan copies the end of that code.
 */
int pd_expansion_write(struct pd_expansion *e, unsigned char *to, size_t cap, size_t *n);

void pd_expansion_release(struct pd_expansion *e);

#endif
