/*
 * join/classes.h - identical units: collapse, set common ones aside; expand what matches to dots.
 *
 * Identical units become one class first; classes in many documents, which make pairs by their
 * square, are set aside and listed. For methods that ask for equality this is the whole join (Zhang et al., SIGIR 2010,
 * section 4.2, without emitting every pair under every signature); for the others (join/similar.h)
 * one representative of each class takes part, and similar classes are expanded here afterwards.
 *
 * Expansion is pulled in slices of the first document's number, so that the blocks in
 * flight fit the memory however many there are.
 */
#ifndef PARDUP_JOIN_CLASSES_H
#define PARDUP_JOIN_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/record.h"

/*
 * Sort `postings` and drop the classes in more than `max_df` documents (0: none), appending each to
 * `aside` in order of signature. What stays is in order (sig, more, doc, unit). Classes of one
 * document match nothing: they are dropped too, unless `keep_single` (they may be similar to
 * others).
 */
void pd_classes_collapse(struct pd_postings *postings, uint64_t max_df, bool keep_single,
                         struct pd_commons *aside);

/* The end of the class that begins at `begin` < `limit`, of those before `limit`. */
size_t pd_class_end(const struct pd_postings *p, size_t begin, size_t limit);

/*
 * Units [a, a_end) match units [b, b_end) in documents with larger numbers. Both are places in the
 * postings of a pd_joined, in order of (doc, unit).
 */
struct pd_match {
    size_t a, a_end, b, b_end;
    double similarity;
};
PD_VEC(pd_matches, struct pd_match);

/* What a rank expands: its own classes with themselves, and explicit matches. */
struct pd_joined {
    struct pd_postings postings; /* whole classes in [0, own), lists of matches anywhere */
    size_t own;
    struct pd_matches matches;
};
void pd_joined_release(struct pd_joined *j);

/*
 * Classes some of whose units are on the query side only: turn [0, own) into explicit matches of
 * the index side with all.
 */
void pd_joined_take_sides(struct pd_joined *j);

/*
 * Add to bins[doc * nbins / ndocs] the bytes of the blocks whose first document is doc: what the
 * expansion will give. Returns the number of dots in them.
 */
uint64_t pd_joined_measure(const struct pd_joined *j, uint64_t ndocs, uint64_t *bins, size_t nbins);

/* Expansion under way; zeroed but for the first three members. */
struct pd_expansion {
    const struct pd_joined *joined;
    pd_doc from, to;       /* first documents in [from, to) only */
    size_t next_class;     /* own classes before it are done ... */
    size_t next_match;     /* ... and explicit matches before this one */
    struct pd_match match; /* the one at hand ... */
    size_t x, x_end;       /* ... occurrences in its first document ... */
    size_t y, y_end;       /* ... and in the next partner */
    size_t x_done, y_done; /* how much of both lists is in blocks already */
};

/*
 * Write whole blocks (a < b; any order) into to[0, cap), cap >= the largest block, and set *n to
 * their bytes. Returns 1 when these were the last.
 * Amortised O(1) a unit written, O(log) a match, first document and slice.
 */
int pd_joined_expand(struct pd_expansion *e, unsigned char *to, size_t cap, size_t *n);

#endif
