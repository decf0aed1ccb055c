/*
 * passage/share.h - the share of a document that another one has.
 *
 * The words outside set-aside text that passages with the other document cover, over all words
 * outside set-aside text (docs/glossary.md). A passage covers the words that lie in its bytes,
 * whether they agree or not. Every command that tells a share counts it here.
 */
#ifndef PARDUP_PASSAGE_SHARE_H
#define PARDUP_PASSAGE_SHARE_H

#include "pardup/passage/ends.h"

/* Words outside set-aside text. */
struct pd_share {
    uint64_t covered, all; /* in passages; of the document */
};

/*
 * Count a share whose passages are known by own words.
 *   passages  own words of each passage: pd_ij(the first one, the end). In any order, and they may
 *             overlap; sorted afterwards
 *   all       own words of the document
 * O(n log n).
 */
struct pd_share pd_share_of_own(uint64_t *passages, size_t n, uint64_t all);

/*
 * The same with words, whether they are set aside or not.
 *   passages  words of each passage, as above; they become own words
 *   words     words of the document
 */
struct pd_share pd_share_of_words(uint64_t *passages, size_t n, uint32_t words,
                                  const struct pd_aside_runs *aside);

/* A share as a number in [0, 1]. NaN: all words are set aside, or their number is not known. */
double pd_share_real(struct pd_share s);

#endif
