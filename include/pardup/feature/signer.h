/*
 * feature/signer.h - the signature set of a unit, whatever the feature.
 *
 * feature/feature.h lists the features. There is one file for each kind of feature: imatch.c
 * (words), fingerprint.c (bag, sequence, lengths), shingle.c, bytes.c, spotsigs.c, pairs.c. Each
 * names the papers it follows.
 */
#ifndef PARDUP_FEATURE_SIGNER_H
#define PARDUP_FEATURE_SIGNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/base/record.h"
#include "pardup/base/unit.h"
#include "pardup/feature/feature.h"

/* Flags of a word number. A counted word is one that is not left out. */
enum { PD_WORD_LEFT_OUT = 1, PD_WORD_ANTECEDENT = 2, PD_WORD_STOP = 4 };

/*
 * The commonness of a word number is in the high four bits of its flags. A word of commonness c has
 * a rarity of PD_RARITY_MOST - c bits (pd_rarity).
 */
enum { PD_COMMONNESS_SHIFT = 4, PD_RARITY_LEAST = 2, PD_RARITY_MOST = 17 };

/*
 * The rarity of a word in whole bits, the information of its occurrence: log2(words / n), rounded
 * down, at least PD_RARITY_LEAST and at most PD_RARITY_MOST. n: its occurrences, 1 to `words`, the
 * number of all words of the collection.
 */
static inline unsigned pd_rarity(uint64_t n, uint64_t words)
{
    unsigned bits = PD_RARITY_LEAST;
    while (bits < PD_RARITY_MOST && n <= words >> (bits + 1))
        bits++;
    return bits;
}

enum {
    PD_LEXICONS_MOST = 64, /* words: most lexicons */
    PD_REACH_MOST = 8,     /* pairs: most pairs of a unit */
    PD_RUN_WORDS = 5,      /* pairs: words of a run, which is one more signature */
    PD_PAIR_WORDS = 16     /* pairs: how many words behind the first the second word may stand */
};

PD_VEC(pd_sigs, pd_sig);

/* 128 bits of hash that stand for a signature set. A set name is the first 118 of them. */
struct pd_identity {
    uint64_t v[2];
};

/* What the words feature looks at for each word of a unit: 16 bytes, so one cache miss. */
struct pd_known {
    uint64_t term;
    uint64_t stamp; /* the last unit that contained the word; all ones if the word is left out */
};

/* The counted words [from, to) behind the first word of a unit: places and terms, in a ring. */
struct pd_ahead {
    const uint32_t *looked;            /* the last word that was looked at; borrowed, like `at` */
    const uint32_t *at[PD_REACH_MOST]; /* the place of counted word k is at k % PD_REACH_MOST */
    uint64_t term[PD_REACH_MOST];      /* its term, at the same index */
    uint32_t from, to;                 /* counted words, numbered as they come */
};

/* A signer. The caller sets the first members before pd_signer_use() and zeroes the others. */
struct pd_signer {
    /* set by the caller */
    enum pd_feature_kind kind;
    uint32_t lexicons;      /* words: lexicons (imatch.h); above 1 a unit gets a name for each */
    uint32_t shingle_bytes; /* bytes: length of a shingle, bytes, >= 1 */
    bool blanks;            /* bytes: a blank stands between two words */
    bool empty;             /* words: units without a counted word have a signature, all the same */
    uint64_t sample;        /* bytes: one fingerprint in `sample` is kept, >= 1 */
    uint32_t ngram;         /* shingle, gram: words in a run, >= 1 */
    uint32_t char_ngram;    /* gram: single characters that say as much, > ngram; 0: see singles */
    uint32_t spot_distance; /* spot: words to the next word of a chain, >= 1, stop words left out */
    uint32_t spot_chain;    /* spot: words in a chain, behind its antecedent, >= 1 */
    uint32_t reach;         /* pairs: following words that a word is paired with, >= 1 */
    bool first_halves;      /* pairs: the second halves of names are not asked for */

    /* set by the functions below; callers read `set` only */
    const uint64_t *terms;      /* the term of each word number; borrowed, see pd_signer_use */
    const unsigned char *flags; /* PD_WORD_* of each word number; borrowed */
    size_t nterms;
    const unsigned char *singles; /* char_ngram: is a word number a single character? borrowed */
    const unsigned char *forms;   /* bytes: the forms of all word numbers; borrowed */
    const uint32_t *form_ends;    /* bytes: where the form of each word number ends; borrowed */
    struct pd_bytes text;         /* bytes: the forms of the last unit, one behind the other */
    struct pd_known *known;       /* words: an entry for each word number */
    size_t known_cap;             /* entries allocated */
    uint64_t stamp;               /* words: the unit signed last, counted from 1 */
    struct pd_ahead ahead;        /* pairs: words behind the unit signed last */
    struct pd_sigs set;           /* the last unit's distinct signatures, in unspecified order */
    struct pd_sigs room;          /* scratch */
    struct pd_identity identity;  /* of `set`; shingle and spot: set by pd_signer_identity only */
};

/*
 * How many words ahead of the current word the words feature prefetches. Most units are shorter, so
 * it reads on into the words behind the unit.
 */
#define PD_WORDS_AHEAD 32

/*
 * Set the forms of the words before pd_signer_use(), for features that read them.
 *   forms, ends  the form of word number k ends at forms[ends[k]] and begins where form k - 1 ends;
 *                borrowed as the vocabulary is
 */
static inline void pd_signer_use_forms(struct pd_signer *s, const unsigned char *forms,
                                       const uint32_t *ends)
{
    s->forms = forms;
    s->form_ends = ends;
}

/* Set which word numbers are single characters before pd_signer_use(), with s->char_ngram. */
static inline void pd_signer_use_singles(struct pd_signer *s, const unsigned char *singles)
{
    s->singles = singles;
}

/* Append the form of a word to `forms`: its normalised form without ASCII punctuation. */
void pd_signer_keep_form(const unsigned char *norm, size_t n, struct pd_bytes *forms);

/* A unit, as far as features look at it. All pointers are borrowed. */
struct pd_unit {
    /* nwords word numbers; then PD_WORDS_AHEAD more to prefetch, preferably of the words after */
    const uint32_t *words;
    uint32_t nwords;
    const struct pd_sentence *base; /* the base units that make up the unit; lengths only */
    uint32_t nbase;
    uint32_t nbehind; /* words of the document behind the unit; of grams only */
    /* pairs only: the unit that was signed last began a word before this one, in the same array */
    bool follows;
};

/*
 * Set the vocabulary of the units that are signed next.
 *   terms, flags  of the word numbers below `nterms`; borrowed until the next call
 * Cost: O(nterms) time and 16 bytes a word number for words; nothing for the other features.
 */
void pd_signer_use(struct pd_signer *s, const uint64_t *terms, const unsigned char *flags,
                   size_t nterms);
void pd_signer_release(struct pd_signer *s);

/*
 * How many words, from the first of a gram on, say as much as s->ngram words that are no single
 * characters: the fewest. A single character says s->ngram / s->char_ngram of what another word
 * says. 0: the document ends before. With s->char_ngram 0 they are the words of the gram.
 */
uint32_t pd_signer_words(const struct pd_signer *s, const struct pd_unit *gram);

/*
 * Fill s->set with the signature set of a unit, or with the names of a unit whose signatures are
 * compared one by one. Returns its size; 0 if the unit takes no part.
 * Cost: O(nwords); times ngram for shingle, times spot_chain for spot; bag sorts.
 */
size_t pd_signer_sign(struct pd_signer *s, const struct pd_unit *unit);

/*
 * The identity of the unit that was signed last and that takes part.
 *   more  set to the second 64 bits. They are not returned in a struct with the first 64: reading
 *         such a struct back right away stalls the processor
 * Returns the first 64 bits, which /common shows as hash. For words they are the I-Match signature;
 * for bag, sequence and lengths they are the signature in the set.
 * Equal sets (bag: equal multisets; sequence, lengths: equal sequences) have equal identities. Two
 * different ones have the same identity with probability 2^-128 for each pair compared.
 * Cost: O(set) for shingle and spot, O(1) for the others.
 */
uint64_t pd_signer_identity(struct pd_signer *s, uint64_t *more);

/*
 * The same for one signature of the unit that was signed last, where signatures are compared one by
 * one (PD_MAKES_NAMES, or several lexicons). k: its index in s->set.
 */
uint64_t pd_signer_name(const struct pd_signer *s, size_t k, uint64_t *more);

/*
 * The identity of all words of a document in order, whatever the feature, and whether or not words
 * are left out. `nwords` > 0 word numbers of the vocabulary. It is no identity of a unit.
 */
struct pd_identity pd_signer_whole(const struct pd_signer *s, const uint32_t *words, size_t nwords);

#endif
