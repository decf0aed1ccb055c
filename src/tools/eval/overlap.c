/* tools/eval/overlap.c - see src/tools/eval/overlap.h */
#include "overlap.h"

#include <stdbool.h>

#include "pardup/base/sort.h"

#include "pardup/base/minmax.h"

/* The cases, or the detections, during the sweep over document a. */
struct side {
    const struct pd_match *all;
    struct pd_indices open; /* the matches that have begun and may not have ended yet */
};

/*
 * The sweep reaches the match `m`. Remove matches of the other kind that have ended in a. Record
 * the others if they overlap `m` in b, too.
 */
static void reach(const struct pd_match *m, uint64_t number, bool is_case, struct side *others,
                  struct pd_overlaps *out)
{
    struct pd_indices *open = &others->open;
    for (size_t k = 0; k < open->n;) {
        const struct pd_match *o = &others->all[open->v[k]];
        if (o->end_a <= m->begin_a) {
            open->v[k] = open->v[--open->n];
            continue;
        }
        if (o->begin_b < m->end_b && m->begin_b < o->end_b)
            pd_overlaps_push(out, is_case ? (struct pd_overlap){number, open->v[k]}
                                          : (struct pd_overlap){open->v[k], number});
        k++;
    }
}

void pd_overlaps_find(const struct pd_match *cases, size_t ncases, const struct pd_match *found,
                      size_t nfound, struct pd_overlaps *out)
{
    struct side c = {.all = cases}, f = {.all = found};
    const size_t before = out->n;
    for (size_t i = 0, j = 0; i < ncases || j < nfound;) {
        if (j == nfound || (i < ncases && cases[i].begin_a <= found[j].begin_a)) {
            reach(&cases[i], i, true, &f, out);
            pd_indices_push(&c.open, i++);
        } else {
            reach(&found[j], j, false, &c, out);
            pd_indices_push(&f.open, j++);
        }
    }
    if (out->n > before)
        pd_sort_records(out->v + before, out->n - before, PD_OVERLAP_U64S, PD_OVERLAP_U64S);
    PD_RELEASE(pd_indices, &c.open, &f.open);
}

void pd_cover_add(struct pd_cover *c, const struct pd_match *m)
{
    pd_intervals_push(&c->a, (struct pd_interval){m->begin_a, m->end_a});
    pd_intervals_push(&c->b, (struct pd_interval){m->begin_b, m->end_b});
}

void pd_cover_add_shared(struct pd_cover *c, const struct pd_match *m, const struct pd_match *with)
{
    pd_intervals_push(&c->a, (struct pd_interval){pd_max_u64(m->begin_a, with->begin_a),
                                                  pd_min_u64(m->end_a, with->end_a)});
    pd_intervals_push(&c->b, (struct pd_interval){pd_max_u64(m->begin_b, with->begin_b),
                                                  pd_min_u64(m->end_b, with->end_b)});
}

/* The length of the union of the intervals, which are removed. */
static uint64_t union_length(struct pd_intervals *s)
{
    uint64_t sum = 0, done = 0;
    pd_sort_records(s->v, s->n, 2, 2);
    for (size_t k = 0; k < s->n; k++) {
        const uint64_t begin = pd_max_u64(s->v[k].begin, done);
        if (s->v[k].end > begin) {
            sum += s->v[k].end - begin;
            done = s->v[k].end;
        }
    }
    s->n = 0;
    return sum;
}

uint64_t pd_cover_length(struct pd_cover *c) { return union_length(&c->a) + union_length(&c->b); }

void pd_cover_release(struct pd_cover *c) { PD_RELEASE(pd_intervals, &c->a, &c->b); }
