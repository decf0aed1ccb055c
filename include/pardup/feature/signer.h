/*
 * feature/signer.h - a unit's words to its signature set, whatever the feature.
 *
 * One small interface, one file a feature: imatch.c (words), fingerprint.c (bag, sequence,
 * lengths), shingle.c, spotsigs.c. Sources are named there.
 */
#ifndef PARDUP_FEATURE_SIGNER_H
#define PARDUP_FEATURE_SIGNER_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/record.h"
#include "pardup/base/unit.h"

enum pd_feature_kind {
    PD_FEATURE_WORDS,    /* the set of distinct counted words */
    PD_FEATURE_BAG,      /* one signature of the multiset of counted words */
    PD_FEATURE_SEQUENCE, /* one signature of all words in order */
    PD_FEATURE_SHINGLE,  /* the set of runs of `ngram` adjacent words */
    PD_FEATURE_SPOT,     /* the set of spots: antecedent and chain of words that follow */
    PD_FEATURE_LENGTHS   /* one signature of the word counts of the unit's base units */
};

/* What a word is to the features: flags of its number. */
enum { PD_WORD_LEFT_OUT = 1, PD_WORD_ANTECEDENT = 2, PD_WORD_STOP = 4 };

PD_VEC(pd_sigs, pd_sig);

struct pd_identity {
    uint64_t v[2];
};

/* A word: one look tells its term and whether it adds to the set at hand. */
struct pd_known {
    uint64_t term;
    uint64_t stamp; /* of the last unit that had it, ascending; all ones: it is left out */
};

struct pd_signer {
    enum pd_feature_kind kind;
    uint32_t ngram, spot_distance, spot_chain; /* set by the caller, like kind */

    const uint64_t *terms;      /* by number: pd_signer_use */
    const unsigned char *flags; /* PD_WORD_*, by number */
    size_t nterms;
    struct pd_known *known; /* by number; feature words only */
    size_t known_cap;
    uint64_t stamp;
    struct pd_sigs set;  /* of the unit at hand: distinct signatures; order is unspecified */
    struct pd_sigs room; /* scratch */
    struct pd_identity identity; /* of the unit at hand; of shingles and spots once asked for */
};

/* Words to the one that is brought to the cache: a unit is too short to look ahead in. */
#define PD_WORDS_AHEAD 32

/* A unit as features see it. */
struct pd_unit {
    const uint32_t
        *words; /* their numbers; PD_WORDS_AHEAD more can be read, those that are likely next */
    uint32_t nwords;
    const struct pd_sentence *base; /* its base units */
    uint32_t nbase;
};

/* The members the caller sets are set, all others zero. */
void pd_signer_init(struct pd_signer *s);

/*
 * The units that follow are of words numbered below `nterms`; terms and flags are borrowed until the
 * next call. Memory: words take 16 bytes a number, the others none. O(nterms).
 */
void pd_signer_use(struct pd_signer *s, const uint64_t *terms, const unsigned char *flags,
                   size_t nterms);
void pd_signer_release(struct pd_signer *s);

/*
 * Fill s->set; returns its size, 0 when the unit takes no part. O(words), shingles times ngram, spots
 * times spot_chain; a bag is sorted.
 */
size_t pd_signer_sign(struct pd_signer *s, const struct pd_unit *unit);

/*
 * The identity of the unit last signed, which takes part: units with equal sets have equal ones
 * (bag, sequence, lengths: with equal multisets, sequences), others share theirs with probability
 * 2^-128 a pair. Returns its first half, which is what /common shows as hash: of words the I-Match
 * signature, of bag, sequence and lengths the signature in the set. *more: the second half, which goes straight
 * where it is wanted: a struct of two words stalls its reader.
 * O(set) for shingles and spots, O(1) for the others.
 */
uint64_t pd_signer_identity(struct pd_signer *s, uint64_t *more);

#endif
