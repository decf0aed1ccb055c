/* run/check/similar.h - the classes of sources whose signature sets are similar to a set. */
#ifndef PARDUP_RUN_CHECK_SIMILAR_H
#define PARDUP_RUN_CHECK_SIMILAR_H

#include "pardup/index/index.h"
#include "pardup/index/sets.h"
#include "pardup/join/similarity.h"

/* A class that is similar, but not equal. */
struct pd_similar_class {
    pd_sig name;
    double similarity;
};
PD_VEC(pd_similar_classes, struct pd_similar_class);

/* A zeroed struct is empty; the caller sets the first members. */
struct pd_similar_search {
    const struct pd_index *index;
    enum pd_join_kind kind;
    double tau;
    struct pd_similar_classes found; /* in order of name, each once */

    /* private */
    struct pd_u64s keys, numbers, candidates;
};
void pd_similar_search_release(struct pd_similar_search *s);

/* Find what is similar to set v[0, n), in any order. PD_OK or PD_EFORMAT. */
int pd_similar_search(struct pd_similar_search *s, const pd_sig *v, size_t n);

#endif
