/*
 * feature/winnow.h - choose some grams of a document, so that two documents with a long run of equal
 * words choose the same grams in it.
 *
 * Source: Schleimer, Wilkerson, Aiken, "Winnowing: Local Algorithms for Document Fingerprinting",
 * SIGMOD 2003, section 3: of each `window` grams in a row, that with the least hash is chosen; of
 * equal ones, the last. Of n + window - 1 equal words in a row, n words of a gram, one gram at least
 * is chosen in both documents.
 * Deviation from Winnowing: grams are of words, not of characters.
 * Deviation from Winnowing: grams that take no part (--min-words) stand in no window, and a run of
 * fewer grams than a window has one choice.
 *
 * The hash of a gram is pd_mix(t[0] B^(n-1) + t[1] B^(n-2) + ... + t[n-1]) modulo 2^64, where t are
 * the terms of its words, and B is PD_WINNOW_BASE.
 */
#ifndef PARDUP_FEATURE_WINNOW_H
#define PARDUP_FEATURE_WINNOW_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/base/record.h"

#define PD_WINNOW_BASE UINT64_C(0x9E3779B97F4A7C15) /* odd: 2^64 / the golden ratio */

/*
 * Set hashes[k], k < nwords - ngram + 1, to the hash of the gram that begins with word k.
 *   terms  the term of each word number
 *   words  the word numbers of the document, nwords >= ngram >= 1
 * Cost: O(nwords).
 */
void pd_winnow_hash(const uint64_t *terms, const uint32_t *words, size_t nwords, size_t ngram,
                    uint64_t *hashes);

/* The same hash of one gram of n words. Cost: O(n). */
uint64_t pd_winnow_hash_of(const uint64_t *terms, const uint32_t *words, size_t n);

/*
 * Set chosen[k] to 0 for each of n hashes of grams in a row that is chosen. Others are not written.
 * Cost: O(n) for hashes in no particular order, O(n window) at most.
 */
void pd_winnow_choose(const uint64_t *hashes, size_t n, size_t window, unsigned char *chosen);

#endif
