/* run/check/look_up.h - classes of sources: one by its name, others by sets that are similar. */
#ifndef PARDUP_RUN_CHECK_LOOK_UP_H
#define PARDUP_RUN_CHECK_LOOK_UP_H

#include "marks.h"
#include "pardup/base/hash_table.h"
#include "pardup/index/index.h"
#include "pardup/index/sets.h"
#include "pardup/join/anchors.h"
#include "pardup/join/similarity.h"
#include "run/buckets.h"

/*
 * Look a class up in all segments of the index that is marked.
 *   df      set to the sources that have it, also where occurrences are not kept
 *   marked  is the name marked?
 *   found  receives its occurrences in sources, in order, with numbers of documents plus 1; NULL:
 *          they are only counted
 * PD_OK or PD_EFORMAT.
 */
int pd_index_look_up(const struct pd_marks *marks, pd_sig name, struct pd_occurrences *found,
                     uint64_t *df, bool *marked);

/* A class that is similar, but not equal. */
struct pd_similar_class {
    pd_sig name;
    double similarity;
};
PD_VEC(pd_similar_classes, struct pd_similar_class);

struct pd_similar_search {
    const struct pd_index *index;
    const struct pd_marks *marks;
    const struct pd_method_options *method;
    struct pd_similar_classes found; /* in order of name, each once; none is common */

    /* private */
    struct pd_buckets buckets; /* --join lsh */
    struct pd_u64s set;        /* the signatures that are looked for, without those over --sct */
    struct pd_u64s keys, numbers, candidates, signatures;
};

/* Make ready. All but `s` is borrowed until the release. */
void pd_similar_search_init(struct pd_similar_search *s, const struct pd_index *index,
                            const struct pd_marks *marks, const struct pd_method_options *method);
void pd_similar_search_release(struct pd_similar_search *s);

/*
 * Find what is similar to set v[0, n), in any order, of the class with this name. A signature that
 * is in more than --sct sources does not count. PD_OK, PD_END (no signature counts, so the class
 * matches nothing) or PD_EFORMAT.
 *
 * With --join lsh the pairs of an exact join by overlap are found, and those that share no bucket
 * are left out: an index answers for any pair without tables of buckets.
 */
int pd_similar_search(struct pd_similar_search *s, pd_sig name, const pd_sig *v, size_t n);

/*
 * --max-near: which classes are similar to too many classes of sources. Such a class is set aside.
 * Answers about sources are found by looking their own sets up, and kept for the next question.
 */
struct pd_crowding {
    struct pd_similar_search search;
    struct pd_hash_table known; /* name to 1: not crowded; 2: crowded */
    struct pd_u64s set;
};
void pd_crowding_init(struct pd_crowding *c, const struct pd_index *index,
                      const struct pd_marks *marks, const struct pd_method_options *method);
void pd_crowding_release(struct pd_crowding *c);

/* Is a class with these similar classes crowded? */
static inline bool pd_is_crowd(const struct pd_method_options *method,
                               const struct pd_similar_classes *found)
{
    return method->max_near && found->n > (uint64_t)method->max_near;
}

/* Is the class of sources with this name crowded? PD_OK or PD_EFORMAT. */
int pd_crowding_ask(struct pd_crowding *c, pd_sig name, bool *crowded);

#endif
