/*
 * run/stage/similar/joining.h - the join stage of methods that compare sets: its files and what
 * they share.
 *
 *   joining.c    what they share
 *   join.c       runs the files below in this order
 *   represent.c  brings each class to the text of its representative, and signs that unit
 *   order.c      orders signatures by frequency: signature sets become sets of keys
 *   sift.c       asks at which meetings sets are wanted
 *   tally.c      counts the signatures that pairs of sets share, for large sets or for all
 *   probe.c      sends sets to their meetings and compares them
 *   partners.c   sends the units of each class to the owners of its partners
 *
 * Data that grow with the number of classes can be on disk: sets are in a file, all other records
 * in shuffles.
 */
#ifndef PARDUP_RUN_JOINING_H
#define PARDUP_RUN_JOINING_H

#include "pardup/base/hash.h"
#include "pardup/feature/superimposed.h"
#include "pardup/join/similar.h"
#include "pardup/store/cursor.h"
#include "run/stage/job.h"

/*
 * The signature set of a representative, as it lies in a file of sets. At first it holds signatures
 * in ascending order, and no keys. While codes become known, keys stand before the signatures whose
 * code is not known yet. After sifting, the meetings at which the set is wanted stand behind the
 * keys. LSH needs no codes: its sets hold signatures in place of keys.
 */
struct signed_set {
    uint64_t number;       /* the class, among the classes of all ranks */
    uint64_t superimposed; /* LSH only: the superimposed signature, which bit sampling uses */
    uint32_t nset;         /* signatures of the unit, also dropped ones that no other set has */
    uint32_t nkeys;        /* keys */
    uint32_t nrest;        /* signatures without a code yet, or meetings, behind the keys */
    uint32_t weight;       /* times that its signatures are counted: 1; --sct: its documents */
    pd_key keys[];         /* nkeys keys, then nrest u64s */
};
_Static_assert(sizeof(struct signed_set) == 32, "sets are packed");

static inline size_t signed_set_bytes(const struct signed_set *set)
{
    return sizeof *set + ((size_t)set->nkeys + set->nrest) * sizeof *set->keys;
}

/* What the files of the stage hand to each other. */
struct joining {
    struct pd_job *job;
    uint64_t *first;                 /* number of each rank's first class; then number of classes */
    struct pd_packed *sets;          /* the file of sets of the representatives signed here */
    struct pd_bit_sampling sampling; /* LSH by bits: the sampled bits of each table */
    uint64_t nsigs;                  /* signatures in `sets`; not for LSH */
    uint64_t ncounts;                /* the same, each as often as it is counted */
    uint64_t nlarge;                 /* sets of more than PD_SET_MOST signatures in `sets` */
    uint64_t nshared;                /* times that two sets share a signature; not for LSH */
    uint32_t most_sent;              /* larger sets are counted and do not travel (tally.c) */
    uint64_t nprobes;                /* probes that this rank would send unsifted; not for LSH */
    uint64_t sift_candidates;        /* candidates that sifting found on this rank */
    uint64_t probe_bytes;            /* bytes of the probes that this rank will send */
    bool sifted;                     /* sets hold the meetings at which they are wanted */
    struct pd_shuffle crowds;        /* with --max-near: struct crowd, the counts of this rank */
    struct pd_shuffle found;         /* struct pd_similar, the pairs that this rank has found */
};

/*
 * How many partners of a class one rank has found. Goes to the owner of the class. Order: number.
 */
struct crowd {
    uint64_t number; /* the class, among the classes of all ranks */
    uint64_t n;      /* partners; PD_NOTHING_LEFT: all signatures of the class are over --sct */
};

#define PD_NOTHING_LEFT (UINT64_C(1) << 62)

/* A walk over the sets of a file. The caller releases the cursor. */
struct set_walk {
    struct pd_cursor cursor;
    const struct signed_set *set; /* the set at hand; NULL: none */
};
void pd_set_walk_begin(struct set_walk *w, struct pd_packed *sets);

/* Go on to the next set. PD_OK; PD_END, PD_EIO or PD_EFORMAT: there is no set at hand. */
int pd_set_walk_next(struct set_walk *w);

/* The rank that owns class `number`, among the classes of all ranks. */
int pd_joining_owner(const struct joining *j, uint64_t number);

/*
 * Make an empty file of sets, which has no name and is held in memory up to its budget. PD_OK or
 * PD_EIO.
 */
int pd_joining_new_sets(const struct joining *j, struct pd_packed **sets);

/*
 * The number of probes of a set, one for each meeting: the keys of its prefix, without signatures
 * that no other set has. LSH: the number of tables.
 */
uint32_t pd_joining_probes(const struct joining *j, const struct signed_set *set);

/* Does the set travel to meetings? Pairs with a set that does not are found by tally.c. */
static inline bool pd_joining_travels(const struct joining *j, const struct signed_set *set)
{
    return set->nset <= j->most_sent;
}

/*
 * COLLECTIVE. The number of passes in which records are sent to meetings. The records of one pass
 * take at most a few times --memory on a rank's disk, if ranks receive about equally much. `bytes`:
 * bytes of all records that this rank sends.
 */
uint64_t pd_joining_passes(const struct joining *j, uint64_t bytes);

/* Are the records of this meeting sent in pass `pass` of `npasses`? */
static inline bool pd_joining_is_of_pass(uint64_t meeting, uint64_t pass, uint64_t npasses)
{
    return pd_mix(meeting) % npasses == pass;
}

/* Sort the keys of a set. Most sets are short. */
void pd_joining_sort_keys(pd_key *v, size_t n);

/* What the stage does, in this order. COLLECTIVE. Each function returns an agreed status. */
int pd_joining_represent(struct joining *j); /* represent.c: fills in `first` and `sets` */
int pd_joining_order(struct joining *j);     /* order.c, not for LSH: keys in `sets` */
int pd_joining_sift(struct joining *j);      /* sift.c, not for LSH: meetings in `sets` */
int pd_joining_tally(struct joining *j);     /* tally.c: adds to `found` and `crowds` */
int pd_joining_probe(struct joining *j);     /* probe.c: adds to `found` and `crowds` */
int pd_joining_expand(struct joining *j);    /* partners.c: fills in job->matches.joined */

#endif
