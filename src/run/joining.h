/*
 * run/joining.h - the join stage of methods that compare sets: its parts and what they share.
 *
 * join.c runs it, represent.c brings classes to their texts and orders signatures, probe.c makes
 * sets meet and compares them, partners.c turns similar classes into matches of occurrences.
 */
#ifndef PARDUP_RUN_JOINING_H
#define PARDUP_RUN_JOINING_H

#include "pardup/feature/superimposed.h"
#include "pardup/join/codes.h"
#include "pardup/join/similar.h"
#include "pardup/store/sorter.h"
#include "sign.h"

/* A unit of this rank's documents that stands for its class. */
struct representative {
    pd_doc doc;
    uint64_t unit;
    uint64_t number; /* of the class: its place among all classes of all ranks */
};
PD_VEC(representatives, struct representative);

struct joining {
    struct pd_detect *job;
    struct pd_signing signing;
    uint64_t *first;             /* number of each rank's first class, and their sum */
    struct representatives reps; /* in this rank's documents, in order of (doc, unit) */
    struct pd_codes codes;       /* of signatures that several representatives have */
    struct pd_sampling sampling; /* LSH */
    uint64_t probe_bytes;        /* at most, of this rank's probes */
    struct pd_tally partners;    /* with --max-near: of classes, as far as this rank has found */
    struct pd_similars similar;  /* found by this rank in the bucket at hand, and before: */
    struct pd_sorter *found;
};

/* The rank that owns class `number`. */
int pd_joining_owner(const struct joining *j, uint64_t number);

/* Load and sign representative k, a set of n (a document is decoded once for all in it). */
int pd_joining_sign(struct joining *j, size_t k, size_t *n);

/* What is in j->similar to j->found, which may spill. PD_OK or PD_EIO. */
int pd_joining_found(struct joining *j);

/* COLLECTIVE, in this order. Each returns an agreed status. */
int pd_joining_represent(struct joining *j); /* classes to the holders of their first occurrence */
int pd_joining_order(struct joining *j);     /* codes of signatures by df; not for LSH */
int pd_joining_probe(struct joining *j);     /* similar classes */
int pd_joining_expand(struct joining *j);    /* to partners in job->joined */

#endif
