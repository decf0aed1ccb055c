/* tools/prevalence/near.c - see src/tools/prevalence/near.h */
#include "near.h"

#include "pardup/base/error.h"
#include "pardup/base/sort.h"

enum { PAIR_U64S = sizeof(struct pd_near_pair) / 8 };

/* The bits of a double that is not negative ascend with its value. */
static uint64_t distance_of(double resemblance)
{
    uint64_t bits;
    memcpy(&bits, &resemblance, sizeof bits);
    return ~bits;
}

void pd_near_push(struct pd_near *near, uint64_t a, uint64_t b, double resemblance)
{
    const uint64_t distance = distance_of(resemblance);
    pd_near_pairs_push(&near->pairs, (struct pd_near_pair){a, distance, b});
    pd_near_pairs_push(&near->pairs, (struct pd_near_pair){b, distance, a});
}

void pd_near_sort(struct pd_near *near, size_t n)
{
    size_t at = 0;
    pd_sort_records(near->pairs.v, near->pairs.n, PAIR_U64S, PAIR_U64S);
    near->first = pd_realloc(near->first, n + 1, sizeof *near->first);
    near->marks = pd_realloc(near->marks, n + 1, sizeof *near->marks);
    memset(near->marks, 0, (n + 1) * sizeof *near->marks);
    for (size_t doc = 0; doc <= n; doc++) {
        while (at < near->pairs.n && near->pairs.v[at].doc < doc)
            at++;
        near->first[doc] = at;
    }
    PD_CHECK(at == near->pairs.n);
}

/* The closest near duplicate of a document that has a mark of this set; NULL: it has none. */
static const struct pd_near_pair *marked(const struct pd_near *near, uint64_t doc, uint64_t far)
{
    for (uint64_t k = near->first[doc]; k < near->first[doc + 1]; k++) {
        const struct pd_near_pair *pair = &near->pairs.v[k];
        if (pair->distance > far)
            return NULL;
        if (near->marks[pair->other] == near->mark)
            return pair;
    }
    return NULL;
}

size_t pd_near_count(struct pd_near *near, const uint64_t *docs, size_t n, double least)
{
    size_t count = 0;
    near->mark++;
    for (size_t k = 0; k < n; k++)
        near->marks[docs[k]] = near->mark;
    for (size_t k = 0; k < n; k++)
        count += marked(near, docs[k], distance_of(least)) != NULL;
    return count;
}

size_t pd_near_redundant(struct pd_near *near, const uint64_t *docs, size_t n, double least)
{
    size_t count = 0;
    near->mark++;
    for (size_t k = 0; k < n; k++) {
        count += marked(near, docs[k], distance_of(least)) != NULL;
        near->marks[docs[k]] = near->mark;
    }
    return count;
}

size_t pd_near_keep_first(struct pd_near *near, const uint64_t *docs, size_t n, double least,
                          uint64_t *repeats)
{
    size_t kept = 0;
    near->mark++;
    for (size_t k = 0; k < n; k++) {
        const struct pd_near_pair *pair = marked(near, docs[k], distance_of(least));
        if (!pair) {
            near->marks[docs[k]] = near->mark;
            repeats[k] = docs[k];
            kept++;
        } else {
            repeats[k] = pair->other;
        }
    }
    return kept;
}

void pd_near_release(struct pd_near *near)
{
    pd_near_pairs_release(&near->pairs);
    PD_FREE(near->first, near->marks);
    *near = (struct pd_near){.mark = 0};
}
