/*
 * run/similar/joining.h - the join stage of methods that compare sets: its parts and what they share.
 *
 * join.c runs it, represent.c brings classes to their texts and signs them, order.c orders the
 * signatures by frequency, sift.c asks where large sets have to go, probe.c makes sets meet and
 * compares them, partners.c turns similar classes into matches of occurrences. What grows with
 * the number of classes is on disk: sets one after the other in a file, all else in sorters.
 */
#ifndef PARDUP_RUN_JOINING_H
#define PARDUP_RUN_JOINING_H

#include "pardup/base/hash.h"
#include "pardup/feature/superimposed.h"
#include "pardup/join/similar.h"
#include "pardup/store/cursor.h"
#include "pardup/store/sorter.h"
#include "run/classes/sign.h"

/* The set of a class's representative, as it is kept from one pass over the sets to the next. */
struct signed_set {
    uint64_t number;       /* of the class: its place among all classes of all ranks */
    uint64_t superimposed; /* LSH by bits only */
    uint16_t nset;         /* signatures; some may have been left out: no other set has them */
    uint16_t nkeys, nrest, zero;
    /* nkeys, of signatures whose code is known; nrest signatures, ascending, or, sifted, places */
    pd_key keys[];
};
_Static_assert(sizeof(struct signed_set) == 24 && PD_SET_MOST <= UINT16_MAX, "sets are packed");

static inline size_t signed_set_bytes(const struct signed_set *set)
{
    return sizeof *set + ((size_t)set->nkeys + set->nrest) * sizeof *set->keys;
}

struct joining {
    struct pd_job *job;
    struct pd_signing signing;
    uint64_t *first;                 /* number of each rank's first class, and their sum */
    struct pd_packed *sets;          /* of this rank's representatives */
    struct pd_bit_sampling sampling; /* LSH */
    uint64_t nsigs;                  /* of those, in all; not for LSH */
    uint64_t nprobes;                /* of this rank, not for LSH ... */
    uint64_t probe_bytes;            /* ... and their bytes */
    bool sifted;                     /* sets hold the places they go to */
    struct pd_shuffle crowds; /* with --max-near: struct crowd, as far as this rank has counted */
    struct pd_shuffle found;  /* struct pd_similar that this rank has found */
};

/* How many partners of a class a rank has found. */
struct crowd {
    uint64_t number, n;
};

/* The sets of a file, one after the other. Release the cursor. */
struct set_walk {
    struct pd_cursor cursor;
    const struct signed_set *set; /* at hand; NULL: none */
};
void pd_set_walk_begin(struct set_walk *w, struct pd_packed *sets);
int pd_set_walk_next(struct set_walk *w); /* PD_OK; PD_END, PD_EIO, PD_EFORMAT: none at hand */

/* The rank that owns class `number`. */
int pd_joining_owner(const struct joining *j, uint64_t number);

/* A new file of sets. PD_OK or PD_EIO. */
int pd_joining_new_sets(const struct joining *j, struct pd_packed **sets);

/* Probes that a set makes: keys of its prefix that others have, or tables. */
uint32_t pd_joining_probes(const struct joining *j, const struct signed_set *set);

/*
 * Into how many slices of the meeting places records of this rank have to be cut that take `bytes`, and
 * those of the others, so that they take a few times --memory on disk. COLLECTIVE.
 */
uint64_t pd_joining_passes(const struct joining *j, uint64_t bytes);
static inline bool pd_joining_is_of_pass(uint64_t place, uint64_t pass, uint64_t npasses)
{
    return pd_mix(place) % npasses == pass;
}

/* Sets are short: insertion. */
void pd_joining_sort_keys(pd_key *v, size_t n);

/* COLLECTIVE, in this order. Each returns an agreed status. */
int pd_joining_represent(struct joining *j); /* classes to the holders of their first occurrence */
int pd_joining_order(struct joining *j);     /* codes of signatures by df; not for LSH */
int pd_joining_sift(struct joining *j);      /* places of large sets; not for LSH */
int pd_joining_probe(struct joining *j);     /* similar classes */
int pd_joining_expand(struct joining *j);    /* to partners in job->joined */

#endif
