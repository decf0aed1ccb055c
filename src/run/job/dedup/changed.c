/* run/job/dedup/changed.c - see run/job/dedup/changed.h */
#include "run/job/dedup/changed.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "run/job/dedup/owners.h"

/* ---- white space ---- */

/* Move white space in all documents of this rank that lose text. */
static int keep_lines(struct pd_dedup *d, struct pd_choice *c)
{
    struct pd_bytes text = {0};
    int status = PD_OK;
    for (uint64_t k = 0; k < c->n && status >= 0; k++) {
        if (c->fates[k].removed == 0)
            continue;
        status = pd_dedup_poll(d);
        PD_THEN(status, pd_dedup_text(d, &c->worded[k], &text));
        if (status >= 0)
            pd_keep_lines(c, &c->fates[k], &text);
    }
    pd_bytes_release(&text);
    return status;
}

/* ---- for how many documents that go does a document stand? ---- */

struct standing {
    const struct pd_choice *c;
    uint64_t own;
    uint64_t *copies; /* by place of this rank */
};

/* The document that keeps most words of a document that goes, or else the first such document. */
static uint64_t stands_for(const struct pd_removal *r, uint64_t n)
{
    uint64_t best = 0, most = 0;
    for (uint64_t k = 0; k < n; k++) {
        uint64_t words = 0;
        for (uint64_t i = k; i < n; i++)
            words += r[i].kept == r[k].kept ? r[i].words : 0;
        if (words > most || (words == most && r[k].kept < best)) {
            most = words;
            best = r[k].kept;
        }
    }
    return best;
}

static int next_standing(void *ctx, void *rec)
{
    struct standing *s = ctx;
    while (s->own < s->c->n && !s->c->fates[s->own].gone)
        s->own++;
    if (s->own == s->c->n)
        return PD_END;
    const struct pd_fate *f = &s->c->fates[s->own++];
    const uint64_t place = stands_for(s->c->removals.v + f->first, f->removed);
    memcpy(rec, &place, sizeof place);
    return PD_OK;
}

static int take_standing(const void *recs, size_t bytes, void *ctx)
{
    struct standing *s = ctx;
    for (size_t k = 0; k < bytes / sizeof(uint64_t); k++)
        s->copies[((const uint64_t *)recs)[k] - s->c->first]++;
    return PD_OK;
}

/* COLLECTIVE. Count them, if they are wanted: *copies is for each document of this rank. */
static int count_copies(struct pd_dedup *d, const struct pd_choice *c, uint64_t **copies)
{
    if (!d->options->dedup.count_field)
        return PD_OK;
    *copies = pd_zeroed(c->n + 1, sizeof **copies);
    struct standing s = {c, 0, *copies};
    return pd_dedup_exchange(d, (struct pd_making){next_standing, &s, sizeof(uint64_t)},
                             pd_owner_of_place, take_standing, &s);
}

/* ---- from the owners of places to the owners of rows ---- */

/* A making of the documents of this rank that lose text, or of their removals. */
struct listing {
    const struct pd_choice *c;
    const uint64_t *copies;
    uint64_t own, removal; /* the next document; the next one of its removals */
};

static int next_changed(void *ctx, void *rec)
{
    struct listing *l = ctx;
    while (l->own < l->c->n && l->c->fates[l->own].removed == 0 &&
           !(l->copies && l->copies[l->own]))
        l->own++;
    if (l->own == l->c->n)
        return PD_END;
    const struct pd_worded *w = &l->c->worded[l->own];
    const struct pd_fate *f = &l->c->fates[l->own];
    const struct pd_changed changed = {.doc = w->doc,
                                       .w = *w,
                                       .gone = f->gone,
                                       .removed = f->removed,
                                       .copies = l->copies ? l->copies[l->own] : 0};
    l->own++;
    memcpy(rec, &changed, sizeof changed);
    return PD_OK;
}

static int next_removal(void *ctx, void *rec)
{
    struct listing *l = ctx;
    while (l->own < l->c->n && l->removal == l->c->fates[l->own].removed) {
        l->own++;
        l->removal = 0;
    }
    if (l->own == l->c->n)
        return PD_END;
    struct pd_removal r = l->c->removals.v[l->c->fates[l->own].first + l->removal++];
    r.doc = l->c->worded[l->own].doc;
    memcpy(rec, &r, sizeof r);
    return PD_OK;
}

static const struct pd_flow changed_flow = {.name = "changed",
                                            .budget = PD_BUDGET_CHANGED,
                                            .size = sizeof(struct pd_changed),
                                            .keys = 1,
                                            .owner = pd_owner_of_doc};
static const struct pd_flow removals_flow = {.name = "removals",
                                             .budget = PD_BUDGET_CHANGED,
                                             .size = sizeof(struct pd_removal),
                                             .keys = 2, /* the document, then the bytes */
                                             .owner = pd_owner_of_doc};

/* Append what has arrived. */
static int write_changed(struct pd_dedup *d, struct pd_shuffle *changed)
{
    const void *rec;
    uint64_t removals = 0;
    int status;
    while ((status = pd_shuffle_next(changed, &rec)) == PD_OK) {
        struct pd_changed w = *(const struct pd_changed *)rec;
        w.first = removals;
        removals += w.removed;
        PD_TRY(pd_shared_append(&d->shared, &w, sizeof w, NULL));
    }
    return status < 0 ? status : PD_OK;
}

static int write_removals(struct pd_dedup *d, struct pd_shuffle *removals)
{
    const void *rec;
    int status;
    while ((status = pd_shuffle_next(removals, &rec)) == PD_OK)
        PD_TRY(pd_shared_append(&d->shared, rec, sizeof(struct pd_removal), NULL));
    return status < 0 ? status : PD_OK;
}

int pd_publish_changes(struct pd_dedup *d, struct pd_choice *c)
{
    struct pd_shuffle changed = {0}, removals = {0};
    uint64_t *copies = NULL;
    int status = pd_comm_agree(d->comm, keep_lines(d, c));
    pd_copieds_release(&c->copied);
    PD_THEN(status, count_copies(d, c, &copies));
    struct listing documents = {c, copies, 0, 0}, parts = {c, NULL, 0, 0};
    PD_THEN(status, pd_dedup_send(d, &changed, &changed_flow, next_changed, &documents));
    PD_THEN(status, pd_dedup_send(d, &removals, &removals_flow, next_removal, &parts));
    free(copies);
    pd_removals_release(&c->removals);
    pd_shared_begin(&d->shared, PD_SHARED_CHANGED);
    PD_THEN(status, write_changed(d, &changed));
    status = pd_shared_publish(&d->shared, PD_SHARED_CHANGED, status);
    pd_shared_begin(&d->shared, PD_SHARED_REMOVALS);
    PD_THEN(status, write_removals(d, &removals));
    status = pd_shared_publish(&d->shared, PD_SHARED_REMOVALS, status);
    PD_CLOSE(pd_shuffle, &changed, &removals);
    return status;
}

/* ---- reading them ---- */

/* How many documents of a rank's range lose text. */
static uint64_t count_of(const struct pd_changes *c, uint64_t rank)
{
    return pd_shared_size(&c->d->shared, PD_SHARED_CHANGED, rank) / sizeof(struct pd_changed);
}

/* Bring a document to hand: number `at` of a rank. */
static int bring(struct pd_changes *c, uint64_t rank, uint64_t at, const struct pd_changed **w)
{
    if (rank != c->at_rank || at < c->at || at - c->at >= c->n) {
        c->at_rank = rank;
        c->at = at;
        c->n = pd_min_u64(count_of(c, rank) - at, PD_CHANGES_AT_ONCE);
        PD_TRY(pd_shared_part(&c->d->shared, PD_SHARED_CHANGED, rank, at * sizeof *c->v,
                              (size_t)c->n * sizeof *c->v, c->v));
    }
    *w = &c->v[at - c->at];
    return PD_OK;
}

/* Bring the next one to hand, if its row is before `end`; *w is NULL: it is not. */
static int look(struct pd_changes *c, uint64_t end, const struct pd_changed **w)
{
    const uint64_t ranks = (uint64_t)c->d->comm->size;
    for (;; c->next++) {
        *w = NULL;
        while (c->rank < ranks && c->next == count_of(c, c->rank)) {
            c->rank++;
            c->next = 0;
        }
        if (c->rank == ranks)
            return PD_OK;
        PD_TRY(bring(c, c->rank, c->next, w));
        if ((*w)->doc >= end) {
            *w = NULL;
            return PD_OK;
        }
        if (c->all || (*w)->removed)
            return PD_OK;
    }
}

int pd_changes_next(struct pd_changes *c, uint64_t end, const struct pd_changed **w)
{
    PD_TRY(look(c, end, w));
    if (!*w)
        return PD_END;
    c->floor = (*w)->doc + 1;
    c->next++;
    return PD_OK;
}

int pd_changes_seek(struct pd_changes *c, uint64_t doc)
{
    struct pd_dedup *d = c->d;
    const struct pd_changed *w;
    if (c->floor <= doc) {
        PD_TRY(pd_changes_next(c, doc, &w));
        if (w)
            PD_TRY(look(c, doc, &w));
        if (!w) /* the next one is not before the row */
            return PD_OK;
    }
    c->floor = doc;
    c->rank = d->ndocs ? (uint64_t)pd_row_owner(doc, d->ndocs, d->comm->size) : 0;
    uint64_t lo = 0, hi = c->rank < (uint64_t)d->comm->size ? count_of(c, c->rank) : 0;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        PD_TRY(bring(c, c->rank, mid, &w));
        if (w->doc < doc)
            lo = mid + 1;
        else
            hi = mid;
    }
    c->next = lo;
    return PD_OK;
}

int pd_changes_of(struct pd_changes *c, uint64_t doc, const struct pd_changed **w)
{
    PD_TRY(pd_changes_seek(c, doc));
    return look(c, doc + 1, w);
}

int pd_changes_removals(struct pd_changes *c, const struct pd_changed *w)
{
    const int owner = pd_row_owner(w->doc, c->d->ndocs, c->d->comm->size);
    c->removals.n = 0;
    pd_removals_reserve(&c->removals, w->removed);
    c->removals.n = w->removed;
    return pd_shared_part(&c->d->shared, PD_SHARED_REMOVALS, (uint64_t)owner,
                          w->first * sizeof *c->removals.v, w->removed * sizeof *c->removals.v,
                          c->removals.v);
}

void pd_cuts_of(const struct pd_removals *removals, struct pd_cuts *cuts)
{
    cuts->n = 0;
    for (size_t k = 0; k < removals->n; k++)
        pd_cuts_push(cuts, (struct pd_cut){removals->v[k].begin, removals->v[k].end});
}
