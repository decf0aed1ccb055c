/*
 * feature/imatch.h - I-Match: one signature for the set of a unit's terms of medium frequency.
 *
 * Zhang, Zhang, Yu, Huang, "Efficient Partial-Duplicate Detection Based on Sequence Matching",
 * SIGIR 2010, section 4.1, after Chowdhury et al., "Collection Statistics for Fast Duplicate
 * Document Detection", TOIS 20(2), 2002.
 * Deviation from Zhang: mixed 64-bit word hashes are added up; the paper hashes the sorted terms
 * with SHA-1. Two different sets share a signature with probability 2^-64 for each pair of sets
 * compared.
 * Deviation from Zhang: a unit without a term that counts matches nothing, and ends a passage. In
 * the paper such sentences match each other, as with --empty match: its recall is almost 100 % with
 * an idf from 0.4, and its precision 1.4 %.
 */
#ifndef PARDUP_FEATURE_IMATCH_H
#define PARDUP_FEATURE_IMATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/hash.h"
#include "pardup/base/record.h"

/* How far outside its range an idf may lie and still count: it absorbs rounding. */
#define PD_IDF_TOLERANCE 1e-12

/*
 * The normalised idf of a term, log(N/df) / log N; 0 if N < 2.
 *   df         documents with the term, >= 1
 *   documents  N, the documents that have a sentence
 */
double pd_imatch_idf(uint64_t df, uint64_t documents);

/* True if the term counts: lo <= idf <= hi, with both bounds widened by PD_IDF_TOLERANCE. */
bool pd_imatch_counts(uint64_t df, uint64_t documents, double lo, double hi);

/* Document frequencies df with least <= df < end. */
struct pd_df_range {
    uint64_t least, end;
};

/*
 * The document frequencies df of terms that count. Their idf (see pd_imatch_counts) is at most
 * `hi`, and at least `lo` unless df <= always; df is at most `most_share` of `documents`. They are
 * a range because idf falls as df grows. Cost: O(log documents).
 * Deviation from Zhang: words of at most `always` documents count in any case (--always-df; 0 in
 * the preset paper). The paper's collections have millions of documents. In a collection of a few
 * documents, "medium frequency" would leave out most words that two documents share.
 *
 * The limit that `lo` sets for df, documents^(1 - lo), is continuous in the size of the collection,
 * and so is its maximum with `always`. With always = 1,000 and lo = 0.1 the paper's limit holds
 * from 2,155 documents on.
 */
struct pd_df_range pd_imatch_range(uint64_t documents, double lo, double hi, uint64_t always,
                                   double most_share);

/* A signature under construction: a zeroed struct is the empty set. */
struct pd_imatch {
    uint64_t sum;    /* of the mixed terms, modulo 2^64 */
    uint64_t nterms; /* terms added */
};

/*
 * Add a term to the set. Each distinct term must be added once; the order does not matter. This is
 * the definition: pd_sign_words in imatch.c adds the same sums up in its own loop.
 */
static inline void pd_imatch_add(struct pd_imatch *m, uint64_t term)
{
    m->sum += pd_mix(term);
    m->nterms++;
}

/* The signature of the set, which must not be empty: a unit without terms has no signature. */
static inline pd_sig pd_imatch_signature(const struct pd_imatch *m)
{
    return pd_mix(m->sum + m->nterms);
}

#endif
