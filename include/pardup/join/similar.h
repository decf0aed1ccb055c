/*
 * join/similar.h - find the pairs of similar signature sets at one meeting: a key or an LSH bucket.
 *
 * The signatures of the whole collection have one order, rarest first, and become keys in that
 * order. A set goes to the meetings of the first keys of its prefix (join/similarity.h), and sets
 * at one meeting are candidates. Pairs are filtered by the sizes of the sets and by how many keys
 * each has behind the meeting (length filter and positional filter: Xiao, Wang, Lin, Yu, "Efficient
 * similarity joins for near duplicate detection", WWW 2008). Two sets may meet under several common
 * keys. They are judged under the first only, so each pair is found once, without a table of pairs.
 *
 * Deviation from PPJoin: a long list of sets is split by the next key that they have in common, and
 * again, as long as fewer pairs are left to compare.
 *
 * Sets that share k keys must be similar enough in the remaining keys, which is the same problem
 * with a new prefix. Thus frequent words, which a low threshold forces into prefixes, do not make
 * the join quadratic.
 */
#ifndef PARDUP_JOIN_SIMILAR_H
#define PARDUP_JOIN_SIMILAR_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/hash_table.h"
#include "pardup/base/record.h"
#include "pardup/join/bitmaps.h"
#include "pardup/join/similarity.h"

/*
 * A key: the code of a signature in the first byte, then 56 bits of the signature. Keys sort by
 * frequency, rarest first. Code 0 says that no other representative has the signature. Different
 * signatures have the same key with probability 2^-56 for each pair compared.
 */
typedef uint64_t pd_key;
static inline pd_key pd_key_of(pd_sig sig, uint8_t code) { return (uint64_t)code << 56 | sig >> 8; }

/*
 * The code of a signature that df >= 2 representatives have. It grows by four as df doubles, so a
 * larger df never has a smaller code.
 */
static inline uint8_t pd_key_code(uint64_t df)
{
    const unsigned top = 63 - (unsigned)__builtin_clzll(df);
    const unsigned quarter = (unsigned)(top >= 2 ? df >> (top - 2) : df << (2 - top)) & 3;
    return (uint8_t)(4 * top + quarter);
}

/* The signature set of a representative, on its way to the owner of a meeting. */
struct pd_probe {
    uint32_t size;         /* bytes of the record, which comm/exchange.h reads */
    uint32_t nset;         /* signatures in the set, including signatures without a key below */
    uint64_t meeting;      /* LSH: a bucket; else a key of the set's prefix */
    uint64_t number;       /* the number of the class */
    uint64_t superimposed; /* the superimposed signature; LSH by bit sampling only */
    uint32_t table;        /* the table that the bucket is of; LSH only */
    uint32_t nkeys;        /* keys below */
    pd_key keys[]; /* ascending; keys with code 0 are left out, because no other set has them */
};
#define PD_PROBE_BYTES(nkeys) ((uint32_t)(sizeof(struct pd_probe) + (nkeys) * sizeof(pd_key)))

/*
 * The announcement of a set at a meeting. It shows whether the set has to travel there. Order:
 * meeting, nset.
 */
struct pd_notice {
    uint64_t meeting;                   /* a key of the set's prefix */
    uint64_t nset;                      /* signatures in the set */
    uint32_t rank;                      /* the rank that has the set */
    uint32_t rest;                      /* keys of the set behind the meeting */
    uint64_t set;                       /* the index of the set in the file of sets of its rank */
    pd_key before;                      /* the key before the meeting; 0: none */
    uint64_t bits[PD_NOTICE_BITS / 64]; /* the folded bitmap of the keys behind the meeting */
};

/* The state of comparing sets. The caller sets the members up to ctx and zeroes the others. */
struct pd_comparison {
    enum pd_join_kind kind;
    double tau;            /* least similarity, (0, 1] */
    const uint64_t *masks; /* LSH by bit sampling: the bits that each table samples; else NULL */
    uint32_t rows;         /* LSH by min-wise hashing: least members that make a bucket */
    bool sifted; /* pd_comparison_sift saw a notice of every probe, and only wanted probes come */

    uint64_t max_partners; /* drop pairs of a class that has more partners; 0: keep all pairs */

    /* called with similar pairs, each once, in any order; after a result < 0 never again */
    int (*keep)(void *ctx, const struct pd_similar *v, size_t n);
    void *ctx; /* argument of `keep` */

    /*
     * If `max_partners` is set: the partners found so far of each class, also of classes with more.
     * The caller may add the counts up elsewhere and release the table to save memory. Counting
     * then starts from 0 again: all sums stay correct, but more pairs of crowded classes are kept.
     */
    struct pd_hash_table partners;
    uint64_t candidates; /* pairs that passed the filters; counts on from what it is set to */
    uint64_t verified;   /* pairs whose keys were compared behind the meeting */

    /* private */
    struct pd_similars found;     /* pairs not yet given to `keep` */
    int status;                   /* the last result of `keep` */
    struct pd_probe_list *levels; /* scratch lists, one for each depth of splitting */
    size_t nlevels;               /* lists allocated */
    struct pd_bitmaps bitmaps;    /* of the list whose pairs are compared */
    struct pd_u32s least;         /* common keys that make sets similar, by their sizes */
    struct pd_u32s kept;          /* indices of sets that may be similar to one set */
};

/*
 * Find the similar pairs among the `n` probes of one meeting.
 *   probes  all probes of the meeting, borrowed for the call
 * Returns PD_OK, or a negative result of `keep`.
 */
int pd_comparison_find(struct pd_comparison *c, const struct pd_probe **probes, size_t n);

/* Give `keep` the last pairs, after the last meeting. Returns as pd_comparison_find does. */
int pd_comparison_end(struct pd_comparison *c);

/*
 * Choose the sets that have to travel to a meeting; not for LSH.
 *   notices  all n notices of the meeting, in order; the wanted ones are moved to the front
 * Returns the number of wanted sets. A set that is not wanted has no similar set at this meeting,
 * or has already met each of them under the key before. A long list is wanted as a whole, because
 * pd_comparison_find will split it. Candidates in short lists are counted here, not when they come.
 */
size_t pd_comparison_sift(struct pd_comparison *c, struct pd_notice *notices, size_t n);
void pd_comparison_release(struct pd_comparison *c);

#endif
