/*
 * join/classes.h - identical units: collapse, set common ones aside, expand the others to blocks of dots.
 *
 * METHODS section 6: "identical units are collapsed first", "common classes are bounded, never
 * silently". For I-Match equality is all there is, so this is the whole join (Zhang et al., SIGIR
 * 2010, section 4.2, without emitting every pair under every signature).
 *
 * Expansion is pulled in slices of the first document's number, so that the blocks in
 * flight fit the memory however many there are.
 */
#ifndef PARDUP_JOIN_CLASSES_H
#define PARDUP_JOIN_CLASSES_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/record.h"

/*
 * Sort `postings` and drop the classes in more than `max_df` documents (0: none), appending each to
 * `aside` in order of signature. What stays is in order (sig, doc, unit), classes of one document
 * dropped too: they match nothing.
 */
void pd_classes_collapse(struct pd_postings *postings, uint64_t max_df, struct pd_commons *aside);

/*
 * Add to bins[doc * nbins / ndocs] the bytes of the blocks whose first document is doc: what the
 * expansion will give. Returns the number of dots in them. `postings` as left by
 * pd_classes_collapse.
 */
uint64_t pd_classes_measure(const struct pd_postings *postings, uint64_t ndocs, uint64_t *bins,
                            size_t nbins);

/* Expansion under way; zeroed but for the first three members. */
struct pd_expansion {
    const struct pd_postings *postings; /* as left by pd_classes_collapse */
    pd_doc from, to;                    /* first documents in [from, to) only */
    size_t begin, end;                  /* the class at hand ... */
    size_t x, x_end;                    /* ... occurrences in its first document ... */
    size_t y, y_end;                    /* ... and in the next partner */
    size_t x_done, y_done;              /* how much of both lists is in blocks already */
};

/*
 * Write whole blocks (a < b; any order) into to[0, cap), cap >= pd_block_size(PD_BLOCK_MOST,
 * PD_BLOCK_MOST), and set *n to their bytes. Returns 1 when these were the last.
 * Amortised O(1) a unit written, O(log) a class and slice.
 */
int pd_classes_expand(struct pd_expansion *e, unsigned char *to, size_t cap, size_t *n);

#endif
