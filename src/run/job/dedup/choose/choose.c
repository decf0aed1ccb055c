/* run/job/dedup/choose/choose.c - see run/job/dedup/choose/choose.h */
#include "run/job/dedup/choose/choose.h"

#include <string.h>

#include "pardup/base/error.h"
#include "run/job/dedup/choose/asking.h"

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
static const struct pd_copied *best_of(const struct pd_choice *c, const struct pd_copied *v,
                                       size_t n, const struct pd_removal *run)
{
    const struct pd_copied *best = NULL;
    for (size_t k = 0; k < n; k++) {
        if (!pd_copied_stays(c, &v[k]))
            continue;
        if (goes_on(run, &v[k]))
            return &v[k];
        if (!best || share_of(&v[k]) > share_of(best))
            best = &v[k];
    }
    return best;
}

static void add_unit(struct pd_removals *out, struct pd_removal *run, const struct pd_copied *c)
{
    if (!goes_on(run, c)) {
        pd_removals_push(out, (struct pd_removal){.doc = c->place,
                                                  .kept = c->kept,
                                                  .row = c->row,
                                                  .family = c->family,
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

/* ---- as a person cuts ---- */

/*
 * Units g[from, to) follow one another, and could go. A box stays if it reaches beyond them, or if
 * it is their end and text follows, whose heading it may be. All stay if too few words are left in
 * a row.
 *   units   how many the document has
 */
static void judge_run(const struct pd_choice *c, struct pd_going *g, size_t from, size_t to,
                      uint64_t units)
{
    const struct pd_copied *first = g[from].copies, *last = g[to - 1].copies;
    const bool ends = last->unit + 1 == units;
    uint64_t words = 0;
    for (size_t k = from; k < to; k++) {
        const struct pd_copied *u = g[k].copies;
        const bool cut =
            (u->box < first->unit && u->box_end > first->unit) || u->box_end > last->unit + ends;
        g[k].goes = !cut;
        words += cut ? 0 : u->words;
    }
    for (size_t k = from; k < to && words < c->min_run; k++)
        g[k].goes = false;
}

/* Leave what is too short to go, or a part of a box. */
static void judge_runs(struct pd_choice *c, const struct pd_worded *w)
{
    struct pd_going *g = c->going.v;
    const size_t n = c->going.n;
    uint64_t words = 0;
    for (size_t k = 0; k < n; k++)
        words += g[k].goes ? g[k].copies->words : 0;
    if (words == w->nwords || c->whole || c->min_run <= 1)
        return;
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && g[from].goes && g[to].goes &&
                            g[to].copies->unit == g[to - 1].copies->unit + 1;
             to++)
            ;
        if (g[from].goes)
            judge_run(c, g, from, to, w->units);
    }
}

/* List the units that have copies, v[0, n), and which of them have one that stays. */
static void list_going(struct pd_choice *c, struct pd_fate *f, const struct pd_copied *v, size_t n)
{
    c->going.n = 0;
    for (size_t k = 0, same; k < n; k += same) {
        bool goes = false;
        for (same = 0; k + same < n && v[k + same].unit == v[k].unit; same++)
            goes = goes || pd_copied_stays(c, &v[k + same]);
        f->blocked |= !goes && v[k + same - 1].kept != PD_DEDUP_NOWHERE;
        pd_going_list_push(&c->going, (struct pd_going){&v[k], same, goes});
    }
}

/* Decide about one document, whose copied units are v[0, n). */
static void choose_document(struct pd_choice *c, struct pd_fate *f, const struct pd_worded *w,
                            const struct pd_copied *v, size_t n)
{
    const uint64_t nwords = w->nwords;
    uint64_t words = 0;
    f->first = c->removals.n;
    list_going(c, f, v, n);
    judge_runs(c, w);
    for (size_t k = 0; k < c->going.n; k++) {
        const struct pd_going *g = &c->going.v[k];
        struct pd_removal *run =
            c->removals.n > f->first ? &c->removals.v[c->removals.n - 1] : NULL;
        if (!g->goes)
            continue;
        words += g->copies->words;
        add_unit(&c->removals, run, best_of(c, g->copies, g->n, run));
    }
    f->removed = c->removals.n - f->first;
    const double left = nwords ? (double)(nwords - words) / (double)nwords : 0;
    f->gone = f->removed > 0 && (left < c->min_left || words == nwords);
    if (!f->gone && c->whole) {
        c->removals.n = f->first;
        f->removed = 0;
    }
}

/* Decide about the documents of this rank. c->lost has the answers of other ranks. */
static void choose_own(struct pd_choice *c)
{
    const struct pd_copieds *v = &c->copied;
    c->removals.n = 0;
    for (uint64_t k = 0; k < c->n; k++)
        c->fates[k] = (struct pd_fate){.seen = c->fates[k].seen, .sought = c->fates[k].sought};
    for (size_t k = 0, n; k < v->n; k += n) {
        for (n = 1; k + n < v->n && v->v[k + n].place == v->v[k].place; n++)
            ;
        const uint64_t own = v->v[k].place - c->first;
        c->fates[own].copied = k;
        c->fates[own].ncopied = n;
        choose_document(c, &c->fates[own], &c->worded[own], v->v + k, n);
    }
}

/* ---- text on other ranks: does it stay? ---- */

/* A making of questions to the rank whose turn it was: it owns the places [from, to). */
struct questioning {
    const struct pd_choice *c;
    uint64_t from, to, rank;
    size_t next;
};

static int next_question(void *ctx, void *rec)
{
    struct questioning *a = ctx;
    for (; a->next < a->c->copied.n; a->next++) {
        const struct pd_copied *u = &a->c->copied.v[a->next];
        if (u->kept < a->from || u->kept >= a->to)
            continue;
        const struct pd_question q = {u->kept, (uint64_t)u->kept_begin << 32 | u->kept_end, a->rank,
                                      a->next++};
        memcpy(rec, &q, sizeof q);
        return PD_OK;
    }
    return PD_END;
}

/* COLLECTIVE. The ranks behind `rank` ask it about their units. */
static int ask(struct pd_dedup *d, struct pd_choice *c, int rank)
{
    struct questioning q = {c, d->firsts[rank], d->comm->rank > rank ? d->firsts[rank + 1] : 0,
                            (uint64_t)d->comm->rank, 0};
    struct pd_shuffle answers = {0};
    const void *answer = NULL;
    int status = pd_ask_owners(d, c, next_question, &q, &answers);
    while (status == PD_OK && (status = pd_shuffle_next(&answers, &answer)) == PD_OK)
        c->lost.v[((const struct pd_answer *)answer)->why] = 1;
    pd_shuffle_close(&answers);
    return pd_comm_agree(d->comm, status < 0 ? status : PD_OK);
}

int pd_choose(struct pd_dedup *d, struct pd_choice *c, uint64_t *blocked)
{
    int status = PD_OK;
    pd_bytes_reserve(&c->lost, c->copied.n + 1);
    memset(c->lost.v, 0, c->copied.n + 1);
    for (int rank = 0; rank < d->comm->size && status >= 0; rank++) {
        if (rank == d->comm->rank)
            choose_own(c);
        if (rank + 1 < d->comm->size)
            status = ask(d, c, rank);
    }
    *blocked = 0;
    for (uint64_t k = 0; k < c->n; k++)
        *blocked += c->fates[k].blocked;
    pd_comm_sum(d->comm, blocked, 1);
    return status;
}
