/* origin.c - see include/pardup/document/origin.h */
#include "pardup/document/origin.h"

#include "pardup/base/minmax.h"

static bool copies(const struct pd_origin *o) { return o->n == o->from_n; }

void pd_origins_add(struct pd_origins *o, size_t at, size_t n, size_t from, size_t from_n)
{
    struct pd_origin *last = o->n ? &o->v[o->n - 1] : NULL;
    if (from_n == 0)
        return;
    if (last && copies(last) && n == from_n && last->at + last->n == at &&
        last->from + last->from_n == from) {
        last->n += (uint32_t)n;
        last->from_n += (uint32_t)n;
        return;
    }
    pd_origins_push(
        o, (struct pd_origin){(uint32_t)at, (uint32_t)n, (uint32_t)from, (uint32_t)from_n});
}

void pd_origins_end(struct pd_origins *o, size_t end)
{
    for (size_t k = o->n; k > 0 && o->v[k - 1].at + o->v[k - 1].n > end; k--) {
        struct pd_origin *last = &o->v[k - 1];
        const bool divided = copies(last) && last->at < end;
        last->n = last->at < end ? (uint32_t)end - last->at : 0;
        last->at = (uint32_t)pd_min_size(last->at, end);
        if (divided)
            last->from_n = last->n;
    }
}

/* Append bytes [begin, end) of the source. */
static void add(struct pd_cuts *source, size_t begin, size_t end)
{
    struct pd_cut *last = source->n ? &source->v[source->n - 1] : NULL;
    if (last && last->end == begin)
        last->end = (uint32_t)end;
    else
        pd_cuts_push(source, (struct pd_cut){(uint32_t)begin, (uint32_t)end});
}

bool pd_origins_cut(const struct pd_origins *o, const struct pd_cuts *text, struct pd_cuts *source)
{
    size_t next = 0; /* the first cut that may reach into the origin */
    source->n = 0;
    for (size_t k = 0; k < o->n; k++) {
        const struct pd_origin *origin = &o->v[k];
        const size_t end = origin->at + (origin->n ? origin->n : 1);
        while (next < text->n && text->v[next].end <= origin->at)
            next++;
        for (size_t c = next; c < text->n && text->v[c].begin < end; c++) {
            const size_t from = text->v[c].begin < origin->at ? 0 : text->v[c].begin - origin->at;
            const size_t to = pd_min_size(text->v[c].end, end) - origin->at;
            if (copies(origin))
                add(source, origin->from + from, origin->from + to);
            else if (from == 0 && origin->at + to == end)
                add(source, origin->from, origin->from + origin->from_n);
            else
                return false;
        }
    }
    return true;
}

void pd_trace_clear(struct pd_trace *t)
{
    t->mark = 0;
    for (size_t k = 0; k < PD_STEPS; k++) {
        t->made[k] = false;
        t->origins[k].n = 0;
    }
}

void pd_trace_release(struct pd_trace *t)
{
    for (size_t k = 0; k < PD_STEPS; k++)
        pd_origins_release(&t->origins[k]);
}

bool pd_trace_cut(const struct pd_trace *t, const struct pd_cuts *text, struct pd_cuts *body)
{
    struct pd_cuts last = {0};
    bool known = true;
    body->n = 0;
    pd_cuts_append(body, text->v, text->n);
    for (size_t k = PD_STEPS; k-- > 0 && known;)
        if (t->made[k]) {
            last.n = 0;
            pd_cuts_append(&last, body->v, body->n);
            known = pd_origins_cut(&t->origins[k], &last, body) && (body->n > 0 || text->n == 0);
        }
    for (size_t k = 0; k < body->n; k++) {
        body->v[k].begin += (uint32_t)t->mark;
        body->v[k].end += (uint32_t)t->mark;
    }
    pd_cuts_release(&last);
    return known;
}
