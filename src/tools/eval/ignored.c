/* tools/eval/ignored.c - see src/tools/eval/ignored.h */
#include "ignored.h"

#include <stdbool.h>

#include "pardup/base/sort.h"

void pd_ignored_merge(struct pd_ignored_texts *texts)
{
    struct pd_ignored *v = texts->v;
    size_t kept = 0;
    pd_sort_records(v, texts->n, PD_IGNORED_U64S, PD_IGNORED_U64S);
    for (size_t k = 0; k < texts->n; k++) {
        if (kept == 0 || v[k].doc != v[kept - 1].doc || v[k].begin > v[kept - 1].end)
            v[kept++] = v[k];
        else if (v[k].end > v[kept - 1].end)
            v[kept - 1].end = v[k].end;
    }
    texts->n = kept;
}

/* Subtract from every offset the length of the ignored text before it. Marks are sorted. */
static void restate(const struct pd_ignored_texts *texts, const struct pd_marks *marks)
{
    const struct pd_ignored *t = texts->v, *end = t + texts->n;
    uint64_t doc = UINT64_MAX, gone = 0; /* length of the ignored texts of doc that come before t */
    for (size_t k = 0; k < marks->n; k++) {
        const struct pd_mark *m = &marks->v[k];
        if (m->doc != doc) {
            doc = m->doc;
            gone = 0;
        }
        for (; t < end && (t->doc < doc || (t->doc == doc && t->end <= m->at)); t++)
            gone += t->doc == doc ? t->end - t->begin : 0;
        const bool within = t < end && t->doc == doc && t->begin < m->at;
        *m->where = m->at - gone - (within ? m->at - t->begin : 0);
    }
}

uint64_t pd_ignored_cut(const struct pd_ignored_texts *texts, struct pd_matches *matches)
{
    const size_t all = matches->n;
    struct pd_marks marks = {0};
    if (texts->n == 0)
        return 0;
    pd_marks_of(matches, UINT64_MAX, &marks);
    pd_sort_records(marks.v, marks.n, PD_MARK_U64S, 2);
    restate(texts, &marks);
    pd_marks_release(&marks);
    matches->n = 0;
    for (size_t k = 0; k < all; k++) {
        const struct pd_match *m = &matches->v[k];
        if (m->begin_a < m->end_a && m->begin_b < m->end_b)
            matches->v[matches->n++] = *m;
    }
    pd_sort_records(matches->v, matches->n, PD_MATCH_U64S, PD_MATCH_U64S);
    return all - matches->n;
}
