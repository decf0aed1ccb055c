/*
 * passage/share.h - the share of a document that another one has.
 *
 * The words outside set-aside text that passages with the other document cover, over all words
 * outside set-aside text (docs/glossary.md). A passage covers the words that lie in its bytes,
 * whether they agree or not. Every command that tells a share counts it here.
 */
#ifndef PARDUP_PASSAGE_SHARE_H
#define PARDUP_PASSAGE_SHARE_H

#include <stdint.h>

#include "pardup/base/vec.h"

/* Part of a document: words or bytes [begin, end), as who uses it says. */
struct pd_part {
    uint64_t begin, end;
};
PD_VEC(pd_parts, struct pd_part);

/* Words outside set-aside text. */
struct pd_share {
    uint64_t covered, all; /* in passages; of the document */
};

/*
 * Count a share.
 *   words     words of the document
 *   passages  words in each passage, in any order, and they may overlap; sorted afterwards
 *   aside     words that are set aside: ascending and disjoint
 * O(n log n) for n passages, and O(1) for each part that is set aside.
 */
struct pd_share pd_share_of_words(uint64_t words, struct pd_parts *passages,
                                  const struct pd_parts *aside);

/* A share as a number in [0, 1]; 0 if all words are set aside. */
static inline double pd_share_real(struct pd_share s)
{
    return s.all ? (double)s.covered / (double)s.all : 0;
}

#endif
