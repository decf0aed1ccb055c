/* run/job/check/look_up.h - classes of sources: one by its name, others by sets that are similar. */
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

/*
 * What the sources have of a class, kept from its look-up until it is matched. `df`: as above; if
 * it is 0, no source has the class. `name` is its number in `segment`, which has it.
 */
struct pd_known_class {
    uint64_t df, name;
    uint64_t times;   /* occurrences in sources, but for segments where it is common */
    uint32_t n;       /* postings of it, if they are kept beside it */
    uint16_t places;  /* occurrences in sources that are kept; PD_PLACES_MANY: look it up again */
    uint16_t segment; /* an index has at most 2^16 */
};
PD_VEC(pd_known_classes, struct pd_known_class);
enum { PD_PLACES_KEPT = 8, PD_PLACES_MANY = PD_PLACES_KEPT + 1 };

/*
 * Many look-ups at once. In the order of names the tables are read from their begin to their end,
 * so a look-up takes a third of the time that it takes alone.
 */
struct pd_look_ups {
    struct pd_u64s asked;   /* name, and the number of the question */
    struct pd_u64s answers; /* of each question: its place in `classes` */
    struct pd_known_classes classes;
    struct pd_u64s firsts; /* of each class, in `places` */
    struct pd_occurrences places;
    struct pd_name_hint *hints; /* of each segment; NULL until needed */
    size_t segments;
};
void pd_look_ups_begin(struct pd_look_ups *l); /* zeroed before the first time */
static inline void pd_look_ups_ask(struct pd_look_ups *l, pd_sig name)
{
    const uint64_t number = l->asked.n / 2;
    pd_u64s_push(&l->asked, name);
    pd_u64s_push(&l->asked, number);
}
int pd_look_ups_end(struct pd_look_ups *l, const struct pd_index *index); /* PD_OK or PD_EFORMAT */
void pd_look_ups_release(struct pd_look_ups *l);

/*
 * The answer to question k, and the places that are kept. Behind the end. What later questions read
 * is asked for, as it lies anywhere in large tables.
 */
static inline const struct pd_known_class *pd_look_ups_answer(const struct pd_look_ups *l, size_t k,
                                                              const struct pd_occurrence **places)
{
    enum { AHEAD = 16 };
    const uint64_t *answers = l->answers.v, n = l->asked.n / 2;
    const uint64_t first = l->firsts.v[answers[k]];
    if (k + 2 * AHEAD < n && l->places.n) {
        __builtin_prefetch(&l->classes.v[answers[k + 2 * AHEAD]]);
        __builtin_prefetch(&l->firsts.v[answers[k + 2 * AHEAD]]);
        __builtin_prefetch(l->places.v + l->firsts.v[answers[k + AHEAD]]);
    }
    *places = first < l->places.n ? l->places.v + first : NULL; /* there are none, maybe at all */
    return &l->classes.v[answers[k]];
}

/* Is a class marked that was looked up? */
static inline bool pd_known_class_marked(const struct pd_known_class *c, pd_sig name,
                                         const struct pd_marks *marks)
{
    return c->df ? pd_marks_at(marks, c->segment, c->name) : pd_marks_strange(marks, name);
}

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
