/* run/job/check/look_up.c - see src/run/job/check/look_up.h */
#include "look_up.h"

#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"

/* Look a class up. hints: NULL, or one for each segment. found: NULL, or gets its occurrences. */
static int look_up(const struct pd_index *index, struct pd_name_hint *hints, pd_sig name,
                   struct pd_occurrences *found, struct pd_known_class *c)
{
    *c = (struct pd_known_class){.df = 0};
    for (size_t x = 0; x < index->nsegments; x++) {
        struct pd_name_hint none = {.bucket = 0};
        struct pd_places places;
        struct pd_place place = {.doc = 0};
        uint64_t documents = 0, common = 0;
        pd_doc last = 0;
        int status =
            pd_segment_find_near(&index->segments[x], name, hints ? &hints[x] : &none, &places);
        if (status == PD_OK && c->df == 0) {
            c->segment = (uint16_t)x;
            c->name = places.name;
        }
        while (status == PD_OK && (status = pd_places_next(&places, &place)) == PD_OK) {
            if (place.kind == PD_PLACE_COMMON) {
                common = place.df;
                continue;
            }
            documents += place.doc + 1 != last;
            last = place.doc + 1;
            if (found)
                pd_occurrences_push(
                    found, (struct pd_occurrence){last, place.unit,
                                                  place.kind == PD_PLACE_WHOLE ? PD_WHOLE : 0});
        }
        PD_TRY(status);
        c->df += common ? common : documents;
    }
    return PD_OK;
}

int pd_index_look_up(const struct pd_marks *marks, pd_sig name, struct pd_occurrences *found,
                     uint64_t *df, bool *marked)
{
    struct pd_known_class c;
    const int status = look_up(marks->index, NULL, name, found, &c);
    *df = c.df;
    *marked = pd_known_class_marked(&c, name, marks);
    return status;
}

/* ---- many look-ups ---- */

void pd_look_ups_begin(struct pd_look_ups *l)
{
    l->asked.n = l->classes.n = l->firsts.n = l->places.n = 0;
}

/* Look the next class up. Its places are kept if they are few. */
static int look_next_up(struct pd_look_ups *l, const struct pd_index *index,
                        struct pd_name_hint *hints, pd_sig name)
{
    const size_t first = l->places.n;
    struct pd_known_class c;
    PD_TRY(look_up(index, hints, name, &l->places, &c));
    const size_t n = l->places.n - first;
    c.times = n;
    c.places = (uint16_t)(n > PD_PLACES_KEPT ? PD_PLACES_MANY : n);
    if (n > PD_PLACES_KEPT)
        l->places.n = first;
    pd_known_classes_push(&l->classes, c);
    pd_u64s_push(&l->firsts, first);
    return PD_OK;
}

/* A segment that has no more names than are looked up at once is listed. */
static int begin_hints(struct pd_look_ups *l, const struct pd_index *index, size_t n)
{
    if (l->hints)
        return PD_OK;
    l->segments = index->nsegments;
    l->hints = pd_zeroed(l->segments + 1, sizeof *l->hints);
    for (size_t x = 0; x < l->segments; x++)
        if (index->segments[x].counts.names <= n)
            PD_TRY(pd_segment_list(&index->segments[x], &l->hints[x]));
    return PD_OK;
}

int pd_look_ups_end(struct pd_look_ups *l, const struct pd_index *index)
{
    enum { AHEAD = 8 }; /* names that are read ahead */
    const uint64_t *v = l->asked.v;
    const size_t n = l->asked.n / 2;
    int status = begin_hints(l, index, n);
    pd_u64s_reserve(&l->answers, n);
    pd_sort_records(l->asked.v, n, 2, 1);
    for (size_t k = 0; k < n && status == PD_OK; k++) {
        for (size_t x = 0; x < index->nsegments && k + AHEAD < n; x++)
            if (!l->hints[x].listed)
                pd_segment_expect(&index->segments[x], v[2 * (k + AHEAD)]);
        if (k == 0 || v[2 * k] != v[2 * (k - 1)])
            status = look_next_up(l, index, l->hints, v[2 * k]);
        l->answers.v[v[2 * k + 1]] = l->classes.n - 1;
    }
    return status;
}

void pd_look_ups_release(struct pd_look_ups *l)
{
    for (size_t x = 0; x < l->segments; x++)
        free(l->hints[x].listed);
    free(l->hints);
    l->hints = NULL;
    l->segments = 0;
    PD_RELEASE(pd_u64s, &l->asked, &l->answers, &l->firsts);
    pd_known_classes_release(&l->classes);
    pd_occurrences_release(&l->places);
}

static const uint64_t number_mask = (UINT64_C(1) << PD_SETS_CODE_SHIFT) - 1;

void pd_similar_search_init(struct pd_similar_search *s, const struct pd_index *index,
                            const struct pd_marks *marks, const struct pd_method_options *method)
{
    *s = (struct pd_similar_search){.index = index, .marks = marks, .method = method};
    if (method->join == PD_JOIN_LSH)
        pd_buckets_make(&s->buckets, method);
}

void pd_similar_search_release(struct pd_similar_search *s)
{
    pd_similar_classes_release(&s->found);
    PD_RELEASE(pd_u64s, &s->set, &s->keys, &s->numbers, &s->candidates, &s->signatures);
}

static int broken(const struct pd_segment *segment)
{
    return pd_fail(PD_EFORMAT, "%s: its sets are damaged; make the index again",
                   segment->file.path);
}

/* ---- signatures over --sct ---- */

/* Is a signature in more than --sct documents of all segments? */
static int is_over_sct(const struct pd_similar_search *s, pd_sig sig, bool *over)
{
    const uint64_t sct = (uint64_t)s->method->sct;
    uint64_t sum = 0, documents = 0, key;
    for (size_t x = 0; sct && x < s->index->nsegments && sum <= sct; x++) {
        const int status = pd_sets_key(&s->index->segments[x], sig, &key);
        PD_TRY(status);
        if (status == PD_END)
            continue;
        PD_TRY(pd_sets_documents(&s->index->segments[x], key & number_mask, &documents));
        sum += documents;
    }
    *over = sum > sct;
    return PD_OK;
}

/* Leave the signatures over --sct out of v[0, *n). */
static int leave_common_out(const struct pd_similar_search *s, pd_sig *v, size_t *n)
{
    size_t kept = 0;
    bool over = false;
    for (size_t k = 0; k < *n; k++) {
        PD_TRY(is_over_sct(s, v[k], &over));
        if (!over)
            v[kept++] = v[k];
    }
    *n = kept;
    return PD_OK;
}

/* ---- candidates ---- */

/* List the keys of the signatures that the segment has, rarest first, and their numbers. */
static int list_keys(struct pd_similar_search *s, const struct pd_segment *segment)
{
    s->keys.n = s->numbers.n = 0;
    for (size_t k = 0; k < s->set.n; k++) {
        uint64_t key;
        const int status = pd_sets_key(segment, s->set.v[k], &key);
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
 * Can a set of m signatures be similar? With --sct it may have fewer signatures that count, of
 * which nothing is known before the set is read.
 */
static bool fits(const struct pd_similar_search *s, uint32_t m)
{
    const uint32_t n = (uint32_t)s->set.n;
    if (s->method->sct)
        return m >= pd_similarity_smallest(s->method->tau, n);
    const uint64_t most = m < s->keys.n ? m : s->keys.n; /* that can be in both */
    return pd_similarity_least(s->method->join, s->method->tau, n, m) <= most;
}

/*
 * Collect the sets that share a key of the prefix and have a fitting size. Signatures that the
 * segment does not have are rarer than all others, so they stand first in the prefix.
 */
static int list_candidates(struct pd_similar_search *s, const struct pd_segment *segment)
{
    const uint32_t n = (uint32_t)s->set.n;
    const uint64_t prefix = (uint64_t)n - pd_similarity_smallest(s->method->tau, n) + 1;
    const uint64_t absent = n - s->keys.n;
    s->candidates.n = 0;
    for (size_t k = 0; k + absent < prefix && k < s->keys.n; k++) {
        struct pd_set_list list;
        PD_TRY(pd_sets_list(segment, s->keys.v[k] & number_mask, &list));
        while (pd_set_list_next(&list)) {
            if (list.n == 0 || list.n > UINT32_MAX)
                return broken(segment);
            if (fits(s, (uint32_t)list.n))
                pd_u64s_push(&s->candidates, list.set);
        }
        if (!list.at)
            return broken(segment);
    }
    pd_sort_records(s->candidates.v, s->candidates.n, 1, 1);
    return PD_OK;
}

/* ---- comparing ---- */

/* Read the signatures of a set, without those over --sct. */
static int read_set(struct pd_similar_search *s, const struct pd_segment *segment,
                    const struct pd_kept_set *kept)
{
    s->signatures.n = 0;
    PD_TRY(pd_sets_signatures(segment, kept, &s->signatures));
    return leave_common_out(s, s->signatures.v, &s->signatures.n);
}

/* Count the signatures of a set that count, and those that the set at hand has, too. */
static int count_common(struct pd_similar_search *s, const struct pd_segment *segment,
                        const struct pd_kept_set *kept, uint32_t *m, uint32_t *common)
{
    if (kept->n > UINT32_MAX || !pd_kept_set_common(kept, s->numbers.v, s->numbers.n, common))
        return broken(segment);
    *m = (uint32_t)kept->n;
    if (!s->method->sct)
        return PD_OK;
    PD_TRY(read_set(s, segment, kept));
    *m = (uint32_t)s->signatures.n;
    return PD_OK;
}

/* --join lsh: do the set at hand and this one share a bucket? */
static int share_bucket(struct pd_similar_search *s, const struct pd_segment *segment,
                        const struct pd_kept_set *kept, bool *share)
{
    *share = s->method->join != PD_JOIN_LSH;
    if (*share)
        return PD_OK;
    PD_TRY(read_set(s, segment, kept));
    *share = s->signatures.n &&
             pd_buckets_share(&s->buckets, s->set.v, s->set.n, s->signatures.v, s->signatures.n);
    return PD_OK;
}

/* Compare a candidate with the set at hand, which is that of class `name`. */
static int judge(struct pd_similar_search *s, const struct pd_segment *segment, uint64_t set,
                 pd_sig name)
{
    struct pd_kept_set kept = {.name = 0};
    const uint32_t n = (uint32_t)s->set.n;
    uint32_t m = 0, common = 0;
    bool share = false;
    struct pd_similar_class match = {.name = 0};
    PD_TRY(pd_sets_at(segment, set, &kept));
    PD_TRY(count_common(s, segment, &kept, &m, &common));
    if (common == 0 || common < pd_similarity_least(s->method->join, s->method->tau, n, m))
        return PD_OK;
    PD_TRY(pd_segment_name(segment, kept.name, &match.name));
    if (match.name == name)
        return PD_OK;
    PD_TRY(share_bucket(s, segment, &kept, &share));
    match.similarity = pd_similarity(s->method->join, common, n, m);
    if (share)
        pd_similar_classes_push(&s->found, match);
    return PD_OK;
}

/*
 * Is a class common because of targets, or over all segments together? One that is common in a
 * segment has no set there.
 */
static int is_common(const struct pd_similar_search *s, pd_sig name, bool *common)
{
    const uint64_t max_df = (uint64_t)s->method->max_df;
    uint64_t df = 0;
    if (max_df && s->index->nsegments > 1)
        PD_TRY(pd_index_look_up(s->marks, name, NULL, &df, common));
    else
        PD_TRY(pd_marks_known(s->marks, name, common));
    *common |= pd_is_common(df, max_df);
    return PD_OK;
}

/* Keep each class once, and no common one. */
static int keep_classes(struct pd_similar_search *s)
{
    struct pd_similar_class *v = s->found.v;
    const size_t n = s->found.n;
    size_t kept = 0;
    bool common;
    _Static_assert(sizeof *v == 2 * sizeof(uint64_t), "matches are sorted as u64s");
    pd_sort_records((uint64_t *)(void *)v, n, 2, 1);
    for (size_t k = 0; k < n; k++) {
        if (k && v[k - 1].name == v[k].name)
            continue; /* segments may have the same class */
        PD_TRY(is_common(s, v[k].name, &common));
        if (!common)
            v[kept++] = v[k];
    }
    s->found.n = kept;
    return PD_OK;
}

int pd_similar_search(struct pd_similar_search *s, pd_sig name, const pd_sig *v, size_t n)
{
    name = pd_segment_name_of(name, PD_SEGMENT_NAME); /* of a segment with sets */
    s->found.n = s->set.n = 0;
    pd_u64s_append(&s->set, v, n);
    PD_TRY(leave_common_out(s, s->set.v, &s->set.n));
    if (s->set.n == 0)
        return PD_END;
    for (size_t x = 0; x < s->index->nsegments; x++) {
        const struct pd_segment *segment = &s->index->segments[x];
        PD_TRY(list_keys(s, segment));
        PD_TRY(list_candidates(s, segment));
        for (size_t k = 0; k < s->candidates.n; k++)
            if (k == 0 || s->candidates.v[k] != s->candidates.v[k - 1])
                PD_TRY(judge(s, segment, s->candidates.v[k], name));
    }
    return keep_classes(s);
}

/* ---- crowded classes ---- */

void pd_crowding_init(struct pd_crowding *c, const struct pd_index *index,
                      const struct pd_marks *marks, const struct pd_method_options *method)
{
    *c = (struct pd_crowding){.set = {0}};
    pd_similar_search_init(&c->search, index, marks, method);
}

void pd_crowding_release(struct pd_crowding *c)
{
    pd_similar_search_release(&c->search);
    pd_hash_table_release(&c->known);
    pd_u64s_release(&c->set);
}

/* Read the set of a class of sources. PD_OK, PD_END (no segment has it) or PD_EFORMAT. */
static int find_set(struct pd_crowding *c, pd_sig name)
{
    const struct pd_index *index = c->search.index;
    struct pd_places found;
    struct pd_kept_set kept = {.name = 0};
    int status = PD_END;
    c->set.n = 0;
    for (size_t x = 0; x < index->nsegments && status == PD_END; x++) {
        const struct pd_segment *segment = &index->segments[x];
        status = pd_segment_find(segment, name, &found);
        if (status == PD_OK)
            status = pd_sets_of(segment, found.name, &kept);
        if (status == PD_OK)
            PD_TRY(pd_sets_signatures(segment, &kept, &c->set));
    }
    return status;
}

int pd_crowding_ask(struct pd_crowding *c, pd_sig name, bool *crowded)
{
    enum { KNOWN_MOST = 1 << 16, NO = 1, YES = 2 };
    const uint64_t known = pd_hash_table_get(&c->known, name);
    *crowded = known == YES;
    if (known)
        return PD_OK;
    int status = find_set(c, name);
    if (status == PD_OK)
        status = pd_similar_search(&c->search, name, c->set.v, c->set.n);
    PD_TRY(status);
    *crowded = status == PD_OK && pd_is_crowd(c->search.method, &c->search.found);
    if (c->known.n == KNOWN_MOST)
        pd_hash_table_release(&c->known);
    *pd_hash_table_at(&c->known, name) = *crowded ? YES : NO;
    return PD_OK;
}
