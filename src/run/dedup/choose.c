/* run/dedup/choose.c - what goes: units whose text stays in a document that comes before. */
#include <stdlib.h>
#include <string.h>

#include "run/dedup/dedup.h"

uint64_t pd_dedup_removal_behind(const struct pd_dedup *d, const struct pd_worded *w,
                                 uint32_t begin)
{
    uint64_t lo = 0, hi = w->removed;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (d->removals.v[w->first + mid].end <= begin)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool pd_dedup_stays(const struct pd_dedup *d, uint64_t doc, uint32_t begin, uint32_t end)
{
    const struct pd_worded *w = pd_dedup_worded(d, doc);
    const uint64_t next = pd_dedup_removal_behind(d, w, begin);
    return !w->gone && (next == w->removed || d->removals.v[w->first + next].begin >= end);
}

/* Does the unit follow the run directly, in both documents? */
static bool goes_on(const struct pd_removal *run, const struct pd_copied *c)
{
    return run && run->kept == c->kept && run->row == c->row && run->last_unit + 1 == c->unit &&
           run->kept_to == c->kept_from;
}

static double share_of(const struct pd_copied *c)
{
    return (double)c->matched / (c->words > c->kept_words ? c->words : c->kept_words);
}

/* The best copy of a unit, of n records; NULL: no text of them stays. */
static const struct pd_copied *best_of(const struct pd_dedup *d, const struct pd_copied *c,
                                       size_t n, const struct pd_removal *run)
{
    const struct pd_copied *best = NULL;
    for (size_t k = 0; k < n; k++) {
        if (c[k].kept == PD_DEDUP_NOWHERE ||
            !pd_dedup_stays(d, c[k].kept, c[k].kept_begin, c[k].kept_end))
            continue;
        if (goes_on(run, &c[k]))
            return &c[k];
        if (!best || share_of(&c[k]) > share_of(best))
            best = &c[k];
    }
    return best;
}

static void add_unit(struct pd_removals *out, struct pd_removal *run, const struct pd_copied *c)
{
    if (!goes_on(run, c)) {
        pd_removals_push(out, (struct pd_removal){.doc = c->doc,
                                                  .kept = c->kept,
                                                  .row = c->row,
                                                  .begin = (uint32_t)c->begin,
                                                  .end = c->next,
                                                  .kept_begin = c->kept_begin,
                                                  .kept_end = c->kept_end,
                                                  .words = c->words,
                                                  .matched = c->matched,
                                                  .kept_words = c->kept_words,
                                                  .last_unit = c->unit,
                                                  .kept_to = c->kept_to});
        return;
    }
    run->end = c->next;
    run->kept_end = c->kept_end;
    run->words += c->words;
    run->matched += c->matched;
    run->kept_words += c->kept_words;
    run->last_unit = c->unit;
    run->kept_to = c->kept_to;
}

/* Decide about one document, whose copied units are c[0, n). */
static void choose_document(struct pd_dedup *d, struct pd_worded *w, const struct pd_copied *c,
                            size_t n)
{
    uint64_t words = 0;
    w->first = d->removals.n;
    for (size_t k = 0, same; k < n; k += same) {
        for (same = 1; k + same < n && c[k + same].unit == c[k].unit; same++)
            ;
        struct pd_removal *run =
            d->removals.n > w->first ? &d->removals.v[d->removals.n - 1] : NULL;
        const struct pd_copied *best = best_of(d, c + k, same, run);
        words += best ? best->words : 0;
        w->blocked |= !best && c[k + same - 1].kept != PD_DEDUP_NOWHERE;
        if (best)
            add_unit(&d->removals, run, best);
    }
    w->removed = d->removals.n - w->first;
    const double left = w->nwords ? (double)(w->nwords - words) / (double)w->nwords : 0;
    w->gone = w->removed > 0 && (left < d->options->dedup.min_left || words == w->nwords);
    if (!w->gone && d->options->dedup.remove == PD_REMOVE_DOCUMENTS) {
        d->removals.n = w->first;
        w->removed = 0;
    }
}

/* ---- all documents ---- */

bool pd_dedup_choose(struct pd_dedup *d)
{
    const struct pd_copieds *c = &d->copied;
    bool blocked = false;
    d->removals.n = 0;
    for (size_t k = 0; k < d->worded.n; k++)
        d->worded.v[k].removed = d->worded.v[k].gone = d->worded.v[k].blocked =
            d->worded.v[k].ncopied = 0;
    for (size_t k = 0, n; k < c->n; k += n) {
        for (n = 1; k + n < c->n && c->v[k + n].doc == c->v[k].doc; n++)
            ;
        struct pd_worded *w = pd_dedup_worded(d, c->v[k].doc);
        w->copied = k;
        w->ncopied = n;
        choose_document(d, w, c->v + k, n);
        blocked |= w->blocked;
    }
    return blocked;
}
