/*
 * index/sets.h - the signature sets of a segment, for joins that compare sets.
 *
 * Signatures have one order in a segment: rarest first, and by value among equals. A set of n is
 * listed under the first n - s + 1 of its signatures, where s is the size of the smallest set that
 * can be similar to it (prefix filter: Chaudhuri, Ganti, Kaushik, "A Primitive Operator for
 * Similarity Joins in Data Cleaning", ICDE 2006). So a look-up reads the lists of the first
 * signatures of its own set, and then only sets of fitting sizes.
 *
 * A key is a signature with the code of its frequency; its number is its place among all keys of
 * the segment, by value. A set keeps the numbers of its keys in ascending order, as differences.
 *
 * With `sct` a signature that is in more documents of the index does not count. Which ones these
 * are depends on all segments, so a set is then listed under all its signatures but those that are
 * in too many documents of this segment alone, and a key says in how many documents it is.
 */
#ifndef PARDUP_INDEX_SETS_H
#define PARDUP_INDEX_SETS_H

#include "pardup/index/segment.h"

/* How sets are sorted and listed. All is borrowed. */
struct pd_sets_making {
    double tau;                                   /* least similarity */
    uint32_t (*smallest)(double tau, uint32_t n); /* pd_similarity_smallest of join/similarity.h */
    size_t memory;                                /* bytes, for sorting */
    uint64_t sct;        /* signatures in more documents do not count; 0: all count */
    const char *scratch; /* the path with which names of scratch files begin */
};

struct pd_sets_writer;

/* A writer of the sets of a segment. The caller frees it. `how` is copied. */
struct pd_sets_writer *pd_sets_new(const struct pd_sets_making *how);
void pd_sets_free(struct pd_sets_writer *w); /* w may be NULL */

/*
 * Add the set of the class whose name has this number, and which is in this many documents.
 * Classes come in order. PD_OK or PD_EIO.
 */
int pd_sets_add(struct pd_sets_writer *w, uint64_t name, uint64_t documents, const pd_sig *set,
                size_t n);

/* Write all sections of sets; `counts` receives their numbers. PD_OK, PD_EIO or PD_EFORMAT. */
int pd_sets_write(struct pd_sets_writer *w, struct pd_sections_writer *file,
                  struct pd_segment_counts *counts);

/* ---- reading ---- */

/* Find the sections, in a segment that has sets. PD_OK or PD_EFORMAT. */
int pd_sets_open(struct pd_segment *s);

/*
 * The key of a signature: its number, below the code of its frequency. PD_OK, PD_END (no set has
 * it) or PD_EFORMAT.
 */
int pd_sets_key(const struct pd_segment *s, pd_sig sig, uint64_t *key);
enum { PD_SETS_CODE_SHIFT = 56 };

/*
 * In how many documents of the segment a key is, by its number; more than `sct` count as sct + 1.
 * The segment must have been made with `sct`.
 */
int pd_sets_documents(const struct pd_segment *s, uint64_t number, uint64_t *documents);

/* The sets that are listed under a key, one after the other. */
struct pd_set_list {
    const unsigned char *at, *end;
    uint64_t set; /* the set at hand */
    uint64_t n;   /* its signatures; with sct: those that are not in too many of its documents */
};
int pd_sets_list(const struct pd_segment *s, uint64_t number, struct pd_set_list *list);

/* Go to the next set of the list. False: there is none, or the list is damaged (at is NULL). */
bool pd_set_list_next(struct pd_set_list *list);

/* A set of the segment. */
struct pd_kept_set {
    uint64_t name; /* the number of its class's name */
    uint64_t n;
    const unsigned char *at, *end; /* numbers of its keys, packed */
};
int pd_sets_at(const struct pd_segment *s, uint64_t set, struct pd_kept_set *out);

/* The set of the class with name number `name`. PD_OK, PD_END (it has none) or PD_EFORMAT. */
int pd_sets_of(const struct pd_segment *s, uint64_t name, struct pd_kept_set *out);

/*
 * How many of the numbers v[0, n), which ascend, the set has. False: the set is damaged.
 */
bool pd_kept_set_common(const struct pd_kept_set *set, const uint64_t *v, size_t n,
                        uint32_t *common);

/* Append the signatures of a set. PD_OK or PD_EFORMAT. */
int pd_sets_signatures(const struct pd_segment *s, const struct pd_kept_set *set,
                       struct pd_u64s *out);

#endif
