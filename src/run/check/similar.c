/* run/check/similar.c - see src/run/check/similar.h */
#include "similar.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"

static const uint64_t number_mask = (UINT64_C(1) << PD_SETS_CODE_SHIFT) - 1;

void pd_similar_search_release(struct pd_similar_search *s)
{
    pd_similar_classes_release(&s->found);
    pd_u64s_release(&s->keys);
    pd_u64s_release(&s->numbers);
    pd_u64s_release(&s->candidates);
}

static int broken(const struct pd_segment *segment)
{
    return pd_fail(PD_EFORMAT, "%s: its sets are damaged; make the index again",
                   segment->file.path);
}

/* List the keys of the signatures that the segment has, rarest first, and their numbers. */
static int list_keys(struct pd_similar_search *s, const struct pd_segment *segment, const pd_sig *v,
                     size_t n)
{
    s->keys.n = s->numbers.n = 0;
    for (size_t k = 0; k < n; k++) {
        uint64_t key;
        const int status = pd_sets_key(segment, v[k], &key);
        PD_TRY(status);
        if (status == PD_END)
            continue;
        pd_u64s_push(&s->keys, key);
        pd_u64s_push(&s->numbers, key & number_mask);
    }
    pd_sort_records(s->keys.v, s->keys.n, 1, 1);
    pd_sort_records(s->numbers.v, s->numbers.n, 1, 1);
    return PD_OK;
}

/*
 * Collect the sets that share a key of the prefix and have a fitting size. Signatures that the
 * segment does not have are rarer than all others, so they stand first in the prefix.
 */
static int list_candidates(struct pd_similar_search *s, const struct pd_segment *segment,
                           uint32_t n)
{
    const uint64_t prefix = (uint64_t)n - pd_similarity_smallest(s->tau, n) + 1;
    const uint64_t absent = n - s->keys.n;
    s->candidates.n = 0;
    for (size_t k = 0; k + absent < prefix && k < s->keys.n; k++) {
        struct pd_set_list list;
        PD_TRY(pd_sets_list(segment, s->keys.v[k] & number_mask, &list));
        while (pd_set_list_next(&list)) {
            if (list.n == 0 || list.n > UINT32_MAX)
                return broken(segment);
            const uint32_t m = (uint32_t)list.n;
            const uint64_t most = m < s->keys.n ? m : s->keys.n; /* that can be in both */
            if (pd_similarity_least(s->kind, s->tau, n, m) <= most)
                pd_u64s_push(&s->candidates, list.set);
        }
        if (!list.at)
            return broken(segment);
    }
    pd_sort_records(s->candidates.v, s->candidates.n, 1, 1);
    return PD_OK;
}

/* Compare a candidate. */
static int judge(struct pd_similar_search *s, const struct pd_segment *segment, uint64_t set,
                 uint32_t n)
{
    struct pd_kept_set kept = {.entry = 0};
    uint32_t common;
    struct pd_similar_class match = {.name = 0};
    PD_TRY(pd_sets_at(segment, set, &kept));
    if (kept.n > UINT32_MAX || !pd_kept_set_common(&kept, s->numbers.v, s->numbers.n, &common))
        return broken(segment);
    const uint32_t m = (uint32_t)kept.n;
    if (common < pd_similarity_least(s->kind, s->tau, n, m) || (common == n && common == m))
        return PD_OK;
    match.similarity = pd_similarity(s->kind, common, n, m);
    PD_TRY(pd_segment_name(segment, kept.entry, &match.name));
    pd_similar_classes_push(&s->found, match);
    return PD_OK;
}

int pd_similar_search(struct pd_similar_search *s, const pd_sig *v, size_t n)
{
    s->found.n = 0;
    for (size_t x = 0; x < s->index->nsegments; x++) {
        const struct pd_segment *segment = &s->index->segments[x];
        PD_TRY(list_keys(s, segment, v, n));
        PD_TRY(list_candidates(s, segment, (uint32_t)n));
        for (size_t k = 0; k < s->candidates.n; k++)
            if (k == 0 || s->candidates.v[k] != s->candidates.v[k - 1])
                PD_TRY(judge(s, segment, s->candidates.v[k], (uint32_t)n));
    }
    _Static_assert(sizeof(struct pd_similar_class) == 2 * sizeof(uint64_t),
                   "matches are sorted as u64s");
    size_t kept = 0;
    pd_sort_records((uint64_t *)(void *)s->found.v, s->found.n, 2, 1);
    for (size_t k = 0; k < s->found.n; k++) /* segments may have the same class */
        if (kept == 0 || s->found.v[kept - 1].name != s->found.v[k].name)
            s->found.v[kept++] = s->found.v[k];
    s->found.n = kept;
    return PD_OK;
}
