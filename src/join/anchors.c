/* join/anchors.c - see include/pardup/join/anchors.h */
#include "pardup/join/anchors.h"

#include "pardup/base/error.h"
#include "pardup/base/sort.h"

/* Sort v by tier into a->sorted. The order within a tier stays. */
static void sort_by_tier(struct pd_anchoring *a, const struct pd_occurrences *v)
{
    uint32_t tiers = 0;
    a->keys.n = a->sorted.n = 0;
    for (size_t k = 0; k < v->n; k++)
        tiers |= pd_tier_of(&v->v[k]);
    if (tiers == 0) { /* nearly always */
        pd_occurrences_append(&a->sorted, v->v, v->n);
        return;
    }
    for (size_t k = 0; k < v->n; k++) {
        pd_tier_keys_push(&a->keys, pd_tier_of(&v->v[k]));
        pd_tier_keys_push(&a->keys, k);
    }
    pd_sort_records(a->keys.v, v->n, 2, 2);
    for (size_t k = 0; k < v->n; k++)
        pd_occurrences_push(&a->sorted, v->v[a->keys.v[2 * k + 1]]);
}

/* Hand over the pending occurrences, tier by tier. */
static int hand_over(struct pd_anchoring *a)
{
    sort_by_tier(a, &a->pending);
    a->pending.n = 0;
    const struct pd_occurrence *v = a->sorted.v;
    for (size_t begin = 0, end; begin < a->sorted.n; begin = end) {
        for (end = begin + 1; end < a->sorted.n && pd_tier_of(&v[end]) == pd_tier_of(&v[begin]);)
            end++;
        const int status = a->others(a->ctx, a->number, v + begin, end - begin);
        if (status < 0)
            return status;
    }
    return 0;
}

/* Put the occurrences of a document among the other ones. */
static int add_others(struct pd_anchoring *a, const struct pd_occurrences *doc)
{
    for (size_t k = 0; k < doc->n; k++) {
        pd_occurrences_push(&a->pending, doc->v[k]);
        if (a->pending.n == PD_OTHERS_MOST) {
            const int status = hand_over(a);
            if (status < 0)
                return status;
        }
    }
    return 0;
}

/* Is one of the units such that it makes dots with later documents? */
static bool any_indexed(const struct pd_occurrences *doc)
{
    for (size_t k = 0; k < doc->n; k++)
        if (!(doc->v[k].flags & PD_QUERY_ONLY))
            return true;
    return false;
}

/* Can the document be the anchor of the class? */
static bool may_anchor(const struct pd_anchoring *a, const struct pd_occurrences *doc)
{
    return a->sources_from ? doc->v[0].doc >= a->sources_from : any_indexed(doc);
}

/* All occurrences in the document at hand are there. */
static int end_document(struct pd_anchoring *a)
{
    const struct pd_occurrences *doc = &a->doc;
    int status = 0;
    if (doc->n == 0)
        return 0;
    if (!a->has_anchor && may_anchor(a, doc)) {
        pd_occurrences_append(&a->kept, doc->v, doc->n);
        a->has_anchor = true;
    } else if (a->sources_from == 0 || doc->v[0].doc < a->sources_from) {
        status = add_others(a, doc);
    }
    a->doc.n = 0;
    return status;
}

int pd_anchoring_add(struct pd_anchoring *a, const struct pd_occurrence *v, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (a->doc.n && a->doc.v[0].doc != v[k].doc) {
            const int status = end_document(a);
            if (status < 0)
                return status;
        }
        struct pd_occurrence o = v[k];
        o.flags |= (uint32_t)(a->doc.n / PD_TIER) << PD_FLAG_BITS;
        pd_occurrences_push(&a->doc, o);
    }
    return 0;
}

int pd_anchoring_end(struct pd_anchoring *a, pd_sig sig)
{
    int status = end_document(a);
    PD_THEN(status, hand_over(a));
    if (status < 0)
        return status;
    sort_by_tier(a, &a->kept);
    const struct pd_class head = {
        .number = a->number, .n = a->sorted.n, .sig = sig, .flags = PD_ANCHORS};
    a->class.n = 0;
    pd_u64s_append(&a->class, &head, sizeof head / sizeof *a->class.v);
    pd_u64s_append(&a->class, a->sorted.v, a->sorted.n * sizeof *a->sorted.v / sizeof *a->class.v);
    a->kept.n = 0;
    a->has_anchor = false;
    a->number++;
    return a->anchors(a->ctx, (const struct pd_class *)(const void *)a->class.v);
}

void pd_anchoring_release(struct pd_anchoring *a)
{
    PD_RELEASE(pd_occurrences, &a->kept, &a->doc, &a->pending, &a->sorted);
    pd_tier_keys_release(&a->keys);
    pd_u64s_release(&a->class);
}
