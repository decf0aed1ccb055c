/*
 * feature/feature.h - the table of features. A row holds all that the program knows of a feature.
 *
 * A new feature is a row here and a function in a file of feature/.
 *
 * Where features deviate from their papers (scripts/check/deviations.py makes a table of all such
 * paragraphs in docs/methods.md):
 * Deviation from Zhang: a sentence of fewer than n words is one shingle, so that short sentences
 * match too.
 * Deviation from SpotSigs: the spots of a unit are a set, not a multiset.
 * Deviation from SpotSigs: all antecedents have the same distance.
 * Deviation from SpotSigs: a chain does not extend beyond its unit, so the last antecedents of a
 * sentence may have no spot.
 * Deviation from Yoon: the counted words are sorted by their hashes, not by the alphabet.
 * Deviation from Yoon: the fingerprint is 128 bits of pd_mix with two seeds, not MD5.
 * Deviation from Yoon: the collection at hand says which words are common. The paper counts words
 * in another collection, which --frequencies does.
 * Deviation from Wang and Chang: the hash is pd_mix, not SHA-1.
 * Deviation from Nikkhoo: shingles hold no blanks, as the text of the thesis says. The shingles that
 * it prints hold some, as --shingle-blanks keep makes them.
 * Deviation from Nikkhoo: words are cut as document/word.h says, so "e-mail" begins two shingles.
 * Deviation from Nikkhoo: the fingerprint is XXH3 of 64 bits, not Rabin's.
 * Deviation from Nikkhoo: a document of fewer bytes than a shingle is one shingle, so that short
 * documents match too. In all others only whole shingles count.
 * Deviation from CoReMo: signatures are pairs of words, which survive in text that was translated
 * or whose words were replaced. There is no stemming.
 * Deviation from CoReMo: words that are frequent in the collection are left out, not those of a
 * list.
 * Deviation from CoReMo: a run of words, in order and whether they count or not, is a signature as
 * well. It finds short copies whose words are frequent.
 */
#ifndef PARDUP_FEATURE_FEATURE_H
#define PARDUP_FEATURE_FEATURE_H

/* What the count stage finds out about words before units are signed, as flags (signer.h). */
enum pd_feature_counts {
    PD_COUNTS_NOTHING,   /* the feature needs no flags */
    PD_COUNTS_DOCUMENTS, /* left-out words, from the document frequencies of words */
    PD_COUNTS_RARITY,    /* left-out words and the rarity of all words, from their occurrences */
    PD_COUNTS_SPOT_WORDS /* antecedents, from the occurrences of words or from a list; stop words */
};

/* What a feature makes of a unit. */
enum pd_feature_result {
    PD_MAKES_SET, /* a set of signatures: two sets can be similar without being equal */
    PD_MAKES_ONE, /* one signature: two units are equal or differ */

    /* signatures that are compared one by one: each of them puts the unit into a class */
    PD_MAKES_NAMES
};

/* What a feature looks at. */
enum pd_feature_input {
    PD_READS_WORDS,     /* the words of a unit */
    PD_READS_FORMS,     /* the words of a unit, and the bytes of their forms */
    PD_READS_BASE_UNITS /* the base units that make up a unit; units of other forms have none */
};

/*
 * The rows, in the order of --help. Columns:
 *   kind      the enumerator is PD_FEATURE_<kind>
 *   name      for --feature
 *   help      for --help of --feature: what the signatures are
 *   counts, result, input
 *             see above
 * The last columns are private to feature/, see sign.h there:
 *   sign      fill s->set
 *   begin     prepare for a new vocabulary; NULL: there is nothing to do
 *   identify  set s->identity from s->set; NULL: `sign` has done so
 */
/* clang-format off */
#define PD_FEATURES(ROW)                                                                           \
    /* the set of distinct counted words */                                                        \
    ROW(WORDS, "words", "one for each word",                                                       \
        PD_COUNTS_DOCUMENTS, PD_MAKES_SET, PD_READS_WORDS,                                         \
        pd_sign_words, pd_sign_words_begin, NULL)                                                  \
    /* the multiset of counted words, as a set: the n-th time that a word occurs is an element */  \
    ROW(MULTISET, "multiset", "one for each word and time that it occurs",                         \
        PD_COUNTS_DOCUMENTS, PD_MAKES_SET, PD_READS_WORDS,                                         \
        pd_sign_multiset, NULL, pd_sign_identify)                                                  \
    /* the multiset of counted words */                                                            \
    ROW(BAG, "bag", "one for all words in any order",                                              \
        PD_COUNTS_DOCUMENTS, PD_MAKES_ONE, PD_READS_WORDS,                                         \
        pd_sign_bag, NULL, NULL)                                                                   \
    /* all words in order */                                                                       \
    ROW(SEQUENCE, "sequence", "one for all words in order",                                        \
        PD_COUNTS_NOTHING, PD_MAKES_ONE, PD_READS_WORDS,                                           \
        pd_sign_sequence, NULL, NULL)                                                              \
    /* the set of runs of `ngram` adjacent words */                                                \
    ROW(SHINGLE, "shingle", "one for each run of --ngram words",                                   \
        PD_COUNTS_NOTHING, PD_MAKES_SET, PD_READS_WORDS,                                           \
        pd_sign_shingles, pd_sign_shingles_begin, pd_sign_identify)                                \
    /* the set of runs of `shingle_bytes` bytes that begin with a word */                          \
    ROW(BYTES, "bytes", "one for the next --shingle-bytes bytes at each word",                     \
        PD_COUNTS_NOTHING, PD_MAKES_SET, PD_READS_FORMS,                                           \
        pd_sign_bytes, pd_sign_bytes_begin, pd_sign_identify)                                      \
    /* the set of spots: an antecedent and the chain of words that follow it */                    \
    ROW(SPOT, "spot", "the spots of SpotSigs",                                                     \
        PD_COUNTS_SPOT_WORDS, PD_MAKES_SET, PD_READS_WORDS,                                        \
        pd_sign_spots, pd_sign_spots_begin, pd_sign_identify)                                      \
    /* a counted word with each of the next `reach` counted words, in any order; a run of words */ \
    ROW(PAIRS, "pairs", "one for a word with each of the next --reach words, one for five words",  \
        PD_COUNTS_RARITY, PD_MAKES_NAMES, PD_READS_WORDS,                                          \
        pd_sign_pairs, pd_sign_pairs_begin, NULL)                                                  \
    /* the word counts of the base units, in order */                                              \
    ROW(LENGTHS, "lengths", "one for all word counts",                                             \
        PD_COUNTS_NOTHING, PD_MAKES_ONE, PD_READS_BASE_UNITS,                                      \
        pd_sign_lengths, NULL, NULL)
/* clang-format on */

#define PD_FEATURE_KIND(kind, ...) PD_FEATURE_##kind,
#define PD_FEATURE_PLUS(...)       +1
enum pd_feature_kind { PD_FEATURES(PD_FEATURE_KIND) };
enum { PD_NFEATURES = PD_FEATURES(PD_FEATURE_PLUS) };

/* The public columns of a row. */
struct pd_feature {
    const char *name;
    const char *help;
    enum pd_feature_counts counts;
    enum pd_feature_result result;
    enum pd_feature_input input;
};

extern const struct pd_feature pd_features[PD_NFEATURES]; /* indexed by enum pd_feature_kind */

#endif
