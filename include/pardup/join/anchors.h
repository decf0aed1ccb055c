/*
 * join/anchors.h - match common classes without pairs of all their documents (--common first).
 *
 * The anchor of a common class is one document. Where all documents are on both sides, it is the
 * first one with a unit that may stand in the first document of a pair, and all later documents are
 * paired with it. Where targets are compared with sources, it is the first source, and all targets
 * are paired with it: what a target matches does not depend on other targets' places. A class in n
 * documents makes at most n - 1 document pairs, and every target that could have a pair has one.
 *
 * The occurrences in one document are counted in tiers of PD_TIER, and match occurrences of the
 * same tier only. So a line that two documents repeat n times makes at most PD_TIER * n dots, among
 * them the dots of the k-th with the k-th occurrence, which an exact copy needs.
 *
 * Source: none of the papers; they leave common units out (Yoon, Jang, Kim, Park, "Detecting
 * Partial and Near Duplication in the Blogosphere", IEICE 2012, section 2), or pair all documents.
 *
 * Memory: the class's occurrences in the anchor and in the document at hand, and PD_OTHERS_MOST
 * other occurrences.
 */
#ifndef PARDUP_JOIN_ANCHORS_H
#define PARDUP_JOIN_ANCHORS_H

#include <stddef.h>

#include "pardup/base/record.h"

enum {
    PD_TIER = 16,            /* occurrences in a tier */
    PD_OTHERS_MOST = 1 << 14 /* most occurrences that are handed over together */
};

PD_VEC(pd_occurrences, struct pd_occurrence);
PD_VEC(pd_tier_keys, uint64_t);

/* The tier of an occurrence of a class with an anchor: it is in the flags above the unit's flags. */
static inline uint32_t pd_tier_of(const struct pd_occurrence *o)
{
    return o->flags >> PD_FLAG_BITS;
}

/* The state of finding anchors. The caller sets the first members and zeroes the others. */
struct pd_anchoring {
    pd_doc sources_from; /* the first source, behind all targets; 0: all are on both sides */

    /*
     * `others` is called with n occurrences of class `number` outside the anchor, of one
     * tier, in order of (doc, unit). `anchors` is called once for each class, after all its other
     * occurrences: a class that has the occurrences in the anchor, in order of (tier, unit). It
     * may have none. Arguments are borrowed. A negative result ends the work.
     */
    int (*others)(void *ctx, uint64_t number, const struct pd_occurrence *v, size_t n);
    int (*anchors)(void *ctx, const struct pd_class *class);
    void *ctx; /* argument of both */

    /* private */
    uint64_t number;               /* classes finished so far */
    bool has_anchor;               /* the anchor is known */
    struct pd_occurrences kept;    /* occurrences in it */
    struct pd_occurrences doc;     /* occurrences in the document at hand */
    struct pd_occurrences pending; /* other occurrences that have not been handed over */
    struct pd_occurrences sorted;  /* scratch: occurrences sorted by tier */
    struct pd_tier_keys keys;      /* scratch: tier and index of each occurrence */
    struct pd_u64s class;          /* scratch: the class that is handed over */
};

/*
 * Add n occurrences of the class at hand. All calls for a class together take its occurrences in
 * order of (doc, unit). Returns PD_OK, or a negative result of `others`.
 */
int pd_anchoring_add(struct pd_anchoring *a, const struct pd_occurrence *v, size_t n);

/*
 * Finish the class at hand, which has the set name `sig`, and begin the next one. Classes are
 * numbered from 0. Returns PD_OK, or a negative result of a callback.
 */
int pd_anchoring_end(struct pd_anchoring *a, pd_sig sig);

void pd_anchoring_release(struct pd_anchoring *a);

#endif
