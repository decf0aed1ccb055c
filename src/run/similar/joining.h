/*
 * run/similar/joining.h - the join stage of methods that compare sets: its parts and what they share.
 *
 *   join.c       runs the parts below in this order
 *   represent.c  brings each class to the text of one of its units, its representative, and signs that unit
 *   order.c      orders signatures by frequency: signature sets become sets of keys
 *   sift.c       asks at which meetings large sets are wanted
 *   probe.c      sends sets to their meetings and compares them
 *   partners.c   sends the units of similar classes to each other
 *
 * Whatever grows with the number of classes is on disk: sets one after the other in a file, all else in shuffles.
 */
#ifndef PARDUP_RUN_JOINING_H
#define PARDUP_RUN_JOINING_H

#include "pardup/base/hash.h"
#include "pardup/feature/superimposed.h"
#include "pardup/join/similar.h"
#include "pardup/store/cursor.h"
#include "pardup/store/sorter.h"
#include "run/classes/sign.h"

/*
 * The signature set of a representative, as it lies in a file of sets. First it holds signatures, in ascending order. When
 * codes are known, keys stand before the signatures whose code is not known yet. When sets have been sifted, the meetings at
 * which the set is wanted stand behind its keys.
 */
struct signed_set {
    uint64_t number;       /* of the class, among the classes of all ranks */
    uint64_t superimposed; /* LSH by bits only: the superimposed signature */
    uint16_t
        nset; /* signatures of the unit; signatures that no other set has may be missing below */
    uint16_t nkeys; /* keys */
    uint16_t nrest; /* signatures without a code, or meetings, behind the keys */
    uint16_t zero;
    pd_key keys[]; /* nkeys keys, then nrest u64s */
};
_Static_assert(sizeof(struct signed_set) == 24 && PD_SET_MOST <= UINT16_MAX, "sets are packed");

static inline size_t signed_set_bytes(const struct signed_set *set)
{
    return sizeof *set + ((size_t)set->nkeys + set->nrest) * sizeof *set->keys;
}

struct joining {
    struct pd_job *job;
    struct pd_signing signing;
    uint64_t *first; /* the number of each rank's first class; last: the number of all classes */
    struct pd_packed *sets;          /* the file of sets of this rank's representatives */
    struct pd_bit_sampling sampling; /* LSH */
    uint64_t nsigs;                  /* signatures in `sets`; not for LSH */
    uint64_t nprobes;                /* probes this rank will send; not for LSH */
    uint64_t probe_bytes;            /* bytes of its probes */
    bool sifted;                     /* sets hold the meetings at which they are wanted */
    struct pd_shuffle crowds; /* with --max-near: struct crowd, as far as this rank has counted */
    struct pd_shuffle found;  /* struct pd_similar that this rank has found */
};

/* The number of partners of a class that a rank has found. Owner: of the class. Order: number. */
struct crowd {
    uint64_t number, n;
};

/* A walk over the sets of a file. The cursor is to be released in the end. */
struct set_walk {
    struct pd_cursor cursor;
    const struct signed_set *set; /* the set at hand; NULL: none */
};
void pd_set_walk_begin(struct set_walk *w, struct pd_packed *sets);
int pd_set_walk_next(
    struct set_walk *w); /* PD_OK; PD_END, PD_EIO, PD_EFORMAT: there is no set at hand */

/* The rank that owns class `number`. */
int pd_joining_owner(const struct joining *j, uint64_t number);

/* Make a new file of sets. PD_OK or PD_EIO. */
int pd_joining_new_sets(const struct joining *j, struct pd_packed **sets);

/* The number of probes of a set: the keys of its prefix that other sets have; LSH: the tables. */
uint32_t pd_joining_probes(const struct joining *j, const struct signed_set *set);

/*
 * COLLECTIVE. The number of passes over the meetings in which records are sent, so that what a rank receives in one pass
 * takes a few times --memory on disk. `bytes`: of all records that this rank sends.
 */
uint64_t pd_joining_passes(const struct joining *j, uint64_t bytes);
static inline bool pd_joining_is_of_pass(uint64_t meeting, uint64_t pass, uint64_t npasses)
{
    return pd_mix(meeting) % npasses == pass;
}

/* Sort the keys of a set. Sets are short as a rule. */
void pd_joining_sort_keys(pd_key *v, size_t n);

/* The parts of the stage, COLLECTIVE, in this order. Each returns an agreed status. */
int pd_joining_represent(struct joining *j);
int pd_joining_order(struct joining *j); /* not for LSH */
int pd_joining_sift(struct joining *j);  /* not for LSH */
int pd_joining_probe(struct joining *j);
int pd_joining_expand(struct joining *j); /* partners are in job->matches.joined afterwards */

#endif
