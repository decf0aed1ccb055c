/*
 * join/similar.h - the pairs of similar sets among those that share a signature or a bucket.
 *
 * Signatures are put in one order over the whole collection, rarest first. A set is indexed under
 * the first signatures of its prefix (join/similarity.h); sets that meet under one are candidates.
 * They are filtered by size, and by how many signatures are left behind the one they meet under
 * (length and positional filter: Xiao, Wang, Lin, Yu, "Efficient similarity joins for near
 * duplicate detection", WWW 2008). A pair meets under each common signature of its prefixes and is
 * judged under the first only, so it is found once, with no table of pairs.
 *
 * Ours: a long list is split by the second common signature, and so on, as long as that
 * leaves fewer pairs to look at: sets that share k signatures need the rest to be similar enough,
 * which is the same problem again with a prefix of its own. So frequent words, which a low
 * threshold forces into prefixes, do not make the join quadratic.
 */
#ifndef PARDUP_JOIN_SIMILAR_H
#define PARDUP_JOIN_SIMILAR_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/record.h"
#include "pardup/join/similarity.h"
#include "pardup/join/tally.h"

/*
 * A signature as it stands in sets that are compared: a code of its df in the first byte, then 56
 * bits of the signature. So keys sort rarest first; code 0: no other representative has it.
 * Two signatures are taken for one with probability 2^-56 a pair compared.
 */
typedef uint64_t pd_key;
static inline pd_key pd_key_of(pd_sig sig, uint8_t code) { return (uint64_t)code << 56 | sig >> 8; }

/* The code of a df >= 2: four steps to each doubling. Larger df, no smaller code. */
static inline uint8_t pd_key_code(uint64_t df)
{
    const unsigned top = 63 - (unsigned)__builtin_clzll(df);
    const unsigned quarter = (unsigned)(top >= 2 ? df >> (top - 2) : df << (2 - top)) & 3;
    return (uint8_t)(4 * top + quarter);
}

/* A representative on its way to the rank that compares those of one meeting place. */
struct pd_probe {
    uint32_t size;         /* bytes of the record, as comm/exchange.h wants */
    uint32_t nset;         /* size of its set */
    uint64_t meeting;      /* LSH: the bucket. Else: the key of the prefix it meets others under */
    uint64_t number;       /* of its class */
    uint64_t superimposed; /* LSH by bits only */
    uint32_t table;        /* LSH only: whose bucket it is */
    uint32_t nkeys;
    pd_key keys[]; /* ascending; not those with code 0, which nothing can share */
};
#define PD_PROBE_BYTES(nkeys) ((uint32_t)(sizeof(struct pd_probe) + (nkeys) * sizeof(pd_key)))

/* What is told of a large set at a meeting place first, to see whether it has to travel there. */
struct pd_notice {
    uint32_t size;    /* bytes of the record, as comm/exchange.h wants */
    uint32_t nset;    /* size of the set */
    uint64_t meeting; /* as of its probe */
    uint64_t set;     /* which one of its rank */
    uint32_t rank;    /* where it lies */
    uint32_t rest;    /* its keys behind `place` */
    pd_key keys[];    /* the latest before `place`, ascending, PD_NOTICE_KEYS at most */
};
#define PD_NOTICE_KEYS         8
#define PD_NOTICE_BYTES(nkeys) ((uint32_t)(sizeof(struct pd_notice) + (nkeys) * sizeof(pd_key)))

struct pd_comparison {
    enum pd_join_kind kind; /* set by the caller, like the next two */
    double tau;
    const uint64_t *masks; /* LSH by bits: those sampled by each table; NULL: by min-wise hashing */
    uint32_t rows;         /* of min-wise hashing */
    bool sifted;           /* all probes were announced, and those that nobody wants are missing */

    uint64_t most; /* partners a class may have; 0: any number */

    /* Takes what is found: each pair once, in any order. < 0: failed, and no more will come. */
    int (*keep)(void *ctx, const struct pd_similar *v, size_t n);
    void *ctx;
    /*
     * With `most`: how many partners each class has. Pairs of a class that has more are left out; who
     * takes the counts away and adds them up gets the same sums, and perhaps more such pairs.
     */
    struct pd_tally partners;
    uint64_t candidates, verified; /* pairs that passed the filters; whose sets were compared */
    struct pd_similars found;      /* not yet taken */
    int status;                    /* of `keep` */
    struct pd_meetings *levels;    /* scratch, one a depth */
    size_t nlevels;
};

/*
 * Find the similar pairs among `n` probes of one meeting place; reorders `probes`. Then, when all
 * places have been run: hand over the last pairs found. Both: PD_OK, or what `keep` returned.
 */
int pd_comparison_find(struct pd_comparison *c, const struct pd_probe **probes, size_t n);
int pd_comparison_end(struct pd_comparison *c);

/*
 * Of `n` notices of one meeting place (not LSH): put those first whose sets have to come, and return
 * how many these are. The others are similar to none that they meet there under no earlier key. A
 * long list is wanted whole: it will be split. Candidates of short ones are counted here.
 */
size_t pd_comparison_sift(struct pd_comparison *c, const struct pd_notice **notices, size_t n);
void pd_comparison_release(struct pd_comparison *c);

#endif
