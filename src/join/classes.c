/* join/classes.c - see include/pardup/join/classes.h */
#include "pardup/join/classes.h"

#include <string.h>

#include "pardup/base/sort.h"

static size_t class_end(const struct pd_postings *p, size_t begin)
{
    size_t end = begin + 1;
    while (end < p->n && p->v[end].sig == p->v[begin].sig)
        end++;
    return end;
}

static uint64_t documents_in(const struct pd_posting *v, size_t n)
{
    uint64_t df = n > 0;
    for (size_t k = 1; k < n; k++)
        df += v[k].doc != v[k - 1].doc;
    return df;
}

void pd_classes_collapse(struct pd_postings *p, uint64_t max_df, struct pd_commons *aside)
{
    size_t kept = 0;
    pd_sort_records(p->v, p->n, PD_POSTING_WORDS, PD_POSTING_WORDS);
    for (size_t begin = 0, end; begin < p->n; begin = end) {
        end = class_end(p, begin);
        const struct pd_posting *first = &p->v[begin];
        const uint64_t df = documents_in(first, end - begin);
        if (max_df && df > max_df) {
            pd_commons_push(aside, (struct pd_common){first->sig, df, first->doc, first->unit});
        } else if (df > 1) {
            memmove(p->v + kept, first, (end - begin) * sizeof *first);
            kept += end - begin;
        }
    }
    p->n = kept;
}

/* The first occurrence in [x, end) of a later document than doc. */
static size_t after_document(const struct pd_postings *p, size_t x, size_t end, pd_doc doc)
{
    while (x < end && p->v[x].doc == doc)
        x++;
    return x;
}

void pd_classes_count_dots(const struct pd_postings *p, uint64_t ndocs, uint64_t *bins,
                           size_t nbins)
{
    for (size_t begin = 0, end; begin < p->n; begin = end) {
        end = class_end(p, begin);
        for (size_t x = begin, next; x < end; x = next) {
            next = after_document(p, x, end, p->v[x].doc);
            const size_t bin = (size_t)((unsigned __int128)p->v[x].doc * nbins / ndocs);
            bins[bin] += (uint64_t)(next - x) * (end - next);
        }
    }
}

/* First occurrence in [lo, hi) of a document at or after `doc`. */
static size_t lower_bound(const struct pd_postings *p, size_t lo, size_t hi, pd_doc doc)
{
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (p->v[mid].doc < doc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Stand at occurrence x: its partners are those in later documents. */
static void stand_at(struct pd_expansion *e, size_t x)
{
    if (x < e->end && x >= e->later)
        e->later = after_document(e->postings, x, e->end, e->postings->v[x].doc);
    e->x = x;
    e->y = e->later;
}

static void next_class(struct pd_expansion *e)
{
    e->begin = e->later = e->end;
    e->end = class_end(e->postings, e->begin);
    stand_at(e, lower_bound(e->postings, e->begin, e->end, e->from));
}

size_t pd_classes_expand(struct pd_expansion *e, struct pd_dot *dots, size_t cap)
{
    const struct pd_posting *v = e->postings->v;
    size_t n = 0;
    while (n < cap) {
        if (e->x < e->end && v[e->x].doc < e->to && e->y < e->end) {
            const struct pd_posting *x = &v[e->x], *y = &v[e->y++];
            dots[n++] = (struct pd_dot){x->doc, y->doc, pd_ij(x->unit, y->unit)};
        } else if (e->x < e->end && v[e->x].doc < e->to) {
            stand_at(e, e->x + 1);
        } else if (e->end < e->postings->n) {
            next_class(e);
        } else {
            break;
        }
    }
    return n;
}
