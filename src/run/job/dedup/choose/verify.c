/*
 * run/job/dedup/choose/verify.c - see run/job/dedup/choose/verify.h
 *
 * What travels:
 *     copied     {place, begin, ...}           owner of the document that may lose the unit
 *     questions  {place, bytes, who asks}      owner of the text, who answers (asking.h)
 */
#include "run/job/dedup/choose/verify.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"
#include "run/job/dedup/choose/asking.h"
#include "run/job/dedup/choose/compare.h"

enum {
    DOCS_OF_TASK = 16,
    WINDOW_U64S = 5632, /* read at a time: 512 units that were found, or more claims */
    LATER = 8,          /* 1 / LATER of the copied sentences are left for searches that go on */
    FOLLOWS_MOST = 3,   /* rounds in which text that has gone leads to text that stays */
    SEEKS_MOST = 32     /* rounds in which all text that stays is compared */
};

struct verifying {
    struct pd_dedup *d;
    struct pd_choice *choice;
    struct pd_comparing c;
    uint64_t at, nfound;        /* units that this rank has found in this round, in its file */
    int follows, seeks;         /* rounds */
    uint64_t *owned;            /* by rank: units that were found in its documents */
    struct pd_shuffle *answers; /* what goes of documents that are asked for, pair by pair */
    struct pd_cuts lost;        /* the same of the pair of documents at hand */
    struct pair {
        uint64_t gone, kept;
        uint64_t number; /* 1 for the first pair, whose claims come first */
    } pair;              /* the pair at hand */
};

/* ---- records that are read back ---- */

/* Records of one size in the file of a rank, one after the other. */
struct window {
    struct pd_dedup *d;
    uint64_t rank, at, left;
    size_t size, n, next;
    uint64_t v[WINDOW_U64S];
};

static void open_window(struct window *w, struct pd_dedup *d, int rank, uint64_t at, uint64_t n,
                        size_t size)
{
    w->d = d;
    w->rank = (uint64_t)rank;
    w->at = at;
    w->left = n;
    w->size = size;
    w->n = w->next = 0;
}

/* The next record; NULL with PD_END: no more. */
static int next_record(struct window *w, const void **rec)
{
    if (w->next == w->n) {
        w->n = (size_t)pd_min_u64(w->left, sizeof w->v / w->size);
        w->next = 0;
        *rec = NULL;
        if (w->n == 0)
            return PD_END;
        PD_TRY(pd_shared_read(&w->d->shared, w->rank, w->at, w->n * w->size, w->v));
        w->at += w->n * w->size;
        w->left -= w->n;
    }
    *rec = (const char *)w->v + w->next++ * w->size;
    return PD_OK;
}

/* ---- what was found ---- */

/* Put what was found into the file of this rank, so that memory is for what the rank owns. */
static int keep_found(struct verifying *v)
{
    const size_t n = v->c.found.n;
    v->c.found.n = 0;
    v->nfound += n;
    if (n)
        v->owned[pd_place_owner(v->d, v->c.found.v->place)] += n;
    return n ? pd_shared_append(&v->d->shared, v->c.found.v, n * sizeof *v->c.found.v, NULL)
             : PD_OK;
}

/* ---- the first round: documents of all ranks, by whichever rank is free ---- */

static int verify_document(struct verifying *v, uint64_t place, struct window *claims)
{
    struct pd_dedup *d = v->d;
    const int owner = pd_place_owner(d, place);
    const void *claim;
    struct pd_worded w;
    int status;
    PD_TRY(pd_dedup_worded(d, place, &w));
    if (w.nclaims == 0)
        return PD_OK;
    PD_TRY(pd_compare_document(&v->c, place));
    for (size_t u = 0; u < v->c.gone.nunits; u++)
        pd_unit_places(&v->c)[u] = pd_first_place;
    open_window(claims, d, owner,
                pd_shared_begin_of(&d->shared, PD_SHARED_CLAIMS, (uint64_t)owner) +
                    w.claims * sizeof(struct pd_claim),
                w.nclaims, sizeof(struct pd_claim));
    while ((status = next_record(claims, &claim)) == PD_OK) {
        PD_TRY(pd_dedup_poll(d));
        PD_TRY(pd_compare_claim(&v->c, claim, NULL));
    }
    PD_TRY(status);
    pd_dedup_did(d, w.nclaims);
    PD_TRY(pd_compare_boxes(&v->c));
    return keep_found(v);
}

/* Compare the passages of some documents. */
static int verify_task(void *ctx, uint64_t task)
{
    struct verifying *v = ctx;
    const uint64_t n = v->d->firsts[v->d->comm->size];
    struct window *claims = pd_realloc(NULL, 1, sizeof *claims);
    int status = PD_OK;
    for (uint64_t k = task * DOCS_OF_TASK; k < pd_min_u64(n, (task + 1) * DOCS_OF_TASK); k++)
        PD_THEN(status, verify_document(v, k, claims));
    free(claims);
    return status;
}

/* COLLECTIVE. Compare all passages. */
static int verify_all(struct verifying *v)
{
    const struct pd_comm *c = v->d->comm;
    const uint64_t n = v->d->firsts[c->size];
    const struct pd_dedup_step step = {"compare", v->d->passages};
    return pd_comm_agree(
        c, pd_dedup_do(v->d, step, (n + DOCS_OF_TASK - 1) / DOCS_OF_TASK, verify_task, v));
}

/* ---- later rounds: documents of this rank ---- */

/* Is the claim of another pair of documents? Then `p` becomes this pair. */
static bool is_next_pair(struct pair *p, const struct pd_claim *claim)
{
    if (p->number && claim->gone == p->gone && claim->kept == p->kept)
        return false;
    *p = (struct pair){claim->gone, claim->kept, p->number + 1};
    return true;
}

/* A making of questions: what goes of the other document of each pair? */
struct pairing {
    struct pd_dedup *d;
    const struct pd_searches *searches;
    struct window claims;
    size_t next;
    struct pair last;
};

static int next_pair(void *ctx, void *rec)
{
    struct pairing *p = ctx;
    const struct pd_claim *claim;
    const void *read;
    for (;;) {
        int status = p->next ? next_record(&p->claims, &read) : PD_END;
        PD_TRY(status);
        if (status == PD_END && p->next == p->searches->n)
            return PD_END;
        if (status == PD_END) {
            const struct pd_search *s = &p->searches->v[p->next++];
            open_window(&p->claims, p->d, p->d->comm->rank, s->at, s->n, sizeof *claim);
            continue;
        }
        claim = read;
        if (!is_next_pair(&p->last, claim))
            continue;
        const struct pd_question q = {claim->kept, UINT32_MAX, (uint64_t)p->d->comm->rank,
                                      p->last.number};
        memcpy(rec, &q, sizeof q);
        return PD_OK;
    }
}

/* COLLECTIVE. Ask what goes of the documents in which this rank is to search. */
static int ask(struct verifying *v, const struct pd_searches *searches, struct pd_shuffle *answers)
{
    struct pairing *p = pd_realloc(NULL, 1, sizeof *p);
    p->d = v->d;
    p->searches = searches;
    p->next = 0;
    p->last = (struct pair){0, 0, 0};
    const int status = pd_ask_owners(v->d, v->choice, next_pair, p, answers);
    free(p);
    return status;
}

/* Bring what goes of the kept document of the claim into v->lost. Claims come in order. */
static int bring_lost(struct verifying *v, const struct pd_claim *claim)
{
    const void *rec;
    int status;
    if (!is_next_pair(&v->pair, claim))
        return PD_OK;
    v->lost.n = 0;
    while ((status = pd_shuffle_look(v->answers, &rec)) == PD_OK) {
        const struct pd_answer *t = rec;
        if (t->why > v->pair.number)
            break;
        if (t->kept == PD_ANSWER_WHOLE)
            v->lost.n = 0;
        if (v->lost.n == 0 || v->lost.v[0].end != PD_ALL_LOST)
            pd_cuts_push(&v->lost, (struct pd_cut){(uint32_t)(t->bytes >> 32), (uint32_t)t->bytes});
        pd_shuffle_pass(v->answers, sizeof *t);
    }
    return status < 0 ? status : PD_OK;
}

/* Say which units of a blocked document are to be looked for, and behind which passage. */
static void find_blocked(struct verifying *v, const struct pd_fate *f)
{
    const struct pd_choice *choice = v->choice;
    const struct pd_copied *c = choice->copied.v + f->copied;
    for (size_t u = 0; u < v->c.gone.nunits; u++)
        pd_unit_places(&v->c)[u] = pd_no_place;
    for (size_t k = 0, same; k < f->ncopied; k += same) {
        const struct pd_copied *last = &c[k];
        bool stays = false;
        for (same = 0; k + same < f->ncopied && c[k + same].unit == c[k].unit; same++) {
            last = &c[k + same];
            stays |= last->kept == PD_DEDUP_NOWHERE || pd_copied_stays(choice, last);
        }
        if (!stays)
            pd_unit_places(&v->c)[last->unit] = (struct pd_unit_place){last->kept, last->row + 1};
    }
}

/* Look for the units that stay. */
static void find_staying(struct verifying *v, uint64_t place)
{
    for (size_t u = 0; u < v->c.gone.nunits; u++) {
        const struct pd_sentence *unit = &v->c.gone.units[u];
        const bool stays = pd_choice_stays(v->choice, place, unit->begin, unit->end);
        pd_unit_places(&v->c)[u] = stays ? pd_first_place : pd_no_place;
    }
}

/* Remember which blocked units were not found, so that nobody looks for them again. */
static void end_search(struct verifying *v, uint64_t place)
{
    for (size_t u = 0; u < v->c.gone.nunits; u++)
        if (pd_unit_places(&v->c)[u].kept != UINT64_MAX)
            pd_copieds_push(&v->c.found, (struct pd_copied){.place = place,
                                                            .begin = v->c.gone.units[u].begin,
                                                            .kept = PD_DEDUP_NOWHERE,
                                                            .end = v->c.gone.units[u].end,
                                                            .unit = (uint32_t)u});
}

static int search_document(struct verifying *v, const struct pd_search *s, bool blocked,
                           struct window *claims)
{
    const void *claim;
    int status;
    PD_TRY(pd_compare_document(&v->c, s->place));
    if (blocked)
        find_blocked(v, &v->choice->fates[s->place - v->choice->first]);
    else
        find_staying(v, s->place);
    open_window(claims, v->d, v->d->comm->rank, s->at, s->n, sizeof(struct pd_claim));
    while ((status = next_record(claims, &claim)) == PD_OK) {
        PD_TRY(pd_dedup_poll(v->d));
        PD_TRY(bring_lost(v, claim));
        PD_TRY(pd_compare_claim(&v->c, claim, &v->lost));
    }
    PD_TRY(status);
    if (blocked)
        end_search(v, s->place);
    PD_TRY(pd_compare_boxes(&v->c));
    return keep_found(v);
}

/* List all passages of the blocked documents. */
static void list_blocked(const struct verifying *v, struct pd_searches *searches)
{
    const struct pd_choice *c = v->choice;
    const uint64_t at =
        pd_shared_begin_of(&v->d->shared, PD_SHARED_CLAIMS, (uint64_t)v->d->comm->rank);
    for (uint64_t k = 0; k < c->n; k++)
        if (c->fates[k].blocked)
            pd_searches_push(searches,
                             (struct pd_search){c->first + k,
                                                at + c->worded[k].claims * sizeof(struct pd_claim),
                                                c->worded[k].nclaims});
}

/* COLLECTIVE. Look in the claims of the searches for text that stays. */
static int search(struct verifying *v, const struct pd_searches *searches, bool blocked)
{
    struct pd_shuffle answers = {0};
    struct window *claims = pd_realloc(NULL, 1, sizeof *claims);
    v->answers = &answers;
    v->pair.number = 0;
    int status = ask(v, searches, &answers);
    const bool asked = status >= 0;
    pd_progress_begin(&v->d->progress, "choose");
    for (size_t k = 0; k < searches->n && status >= 0; k++) {
        status = search_document(v, &searches->v[k], blocked, claims);
        pd_progress_tell(&v->d->progress, k + 1, searches->n, 0, 0);
    }
    pd_progress_end(&v->d->progress);
    pd_shuffle_close(&answers);
    free(claims);
    return asked ? pd_comm_agree(v->d->comm, status) : status;
}

/* ---- rounds ---- */

/* A making of what was found, which is read back. */
static int next_found(void *ctx, void *rec)
{
    const void *unit;
    PD_PASS(next_record(ctx, &unit));
    memcpy(rec, unit, sizeof(struct pd_copied));
    return PD_OK;
}

static int take_found(const void *recs, size_t bytes, void *more)
{
    pd_copieds_append(more, recs, bytes / sizeof(struct pd_copied));
    return PD_OK;
}

static int compare_copied(const struct pd_copied *a, const struct pd_copied *b)
{
    uint64_t x[PD_COPIED_U64S], y[PD_COPIED_U64S];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (int k = 0; k < PD_COPIED_U64S; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

/* Merge more[0, n), which is in order, into what was found before, from the last ones on. */
static void merge_copied(struct pd_copieds *all, const struct pd_copied *more, size_t n)
{
    size_t old = all->n, to = all->n + n;
    pd_copieds_reserve(all, to);
    all->n = to;
    while (n > 0) {
        const bool is_old = old > 0 && compare_copied(&all->v[old - 1], &more[n - 1]) > 0;
        all->v[--to] = is_old ? all->v[--old] : more[--n];
    }
}

/* Make room for n units: for what later rounds find, too, as `all` is not moved then. */
static int make_room(const struct pd_dedup *d, const struct pd_copieds *all, size_t n,
                     struct pd_copieds *more)
{
    const size_t room = n + (all->n ? 0 : n / LATER);
    PD_TRY(pd_dedup_plan(d, "its copied sentences",
                         (all->n + (all->n ? n : 0) + room) * sizeof *more->v, PD_BUDGET_COPIED));
    pd_copieds_reserve(more, room);
    return PD_OK;
}

/* COLLECTIVE. Give what was found to the owners. *n: how much all ranks have found. */
static int share_found(struct verifying *v, uint64_t *n)
{
    const struct pd_comm *c = v->d->comm;
    struct pd_copieds *all = &v->choice->copied, more = {0};
    struct window *reading = pd_realloc(NULL, 1, sizeof *reading);
    const struct pd_making found = {next_found, reading, sizeof(struct pd_copied)};
    open_window(reading, v->d, c->rank, v->at, v->nfound, found.size);
    *n = v->nfound;
    pd_comm_sum(c, n, 1);
    pd_comm_sum(c, v->owned, c->size);
    int status = make_room(v->d, all, v->owned[c->rank], &more);
    PD_THEN(status, pd_shared_show(&v->d->shared));
    status = pd_comm_agree(c, status);
    PD_THEN(status, pd_dedup_exchange(v->d, found, pd_owner_of_place, take_found, &more));
    free(reading);
    pd_sort_records(more.v, more.n, PD_COPIED_U64S, PD_COPIED_U64S);
    if (all->n) {
        merge_copied(all, more.v, more.n);
        pd_copieds_release(&more);
    } else {
        *all = more;
    }
    return status;
}

/* From here on what is found belongs to a new round. */
static void begin_round(struct verifying *v)
{
    v->at = v->d->shared.at;
    v->nfound = 0;
    memset(v->owned, 0, (size_t)v->d->comm->size * sizeof *v->owned);
}

/* COLLECTIVE. List what is to be compared after a choice. *blocked: by units that are blocked. */
static int list_searches(struct verifying *v, struct pd_searches *searches, uint64_t *n,
                         uint64_t *blocked)
{
    struct pd_dedup *d = v->d;
    int status = pd_choose(d, v->choice, blocked);
    *n = 0;
    if (status >= 0 && *blocked)
        list_blocked(v, searches);
    else if (status >= 0 && !d->options->dedup.run && v->follows++ < FOLLOWS_MOST)
        status = pd_follow(d, v->choice, searches);
    *n = searches->n;
    pd_comm_sum(d->comm, n, 1);
    if (status >= 0 && *n == 0 && d->seeks && v->seeks++ < SEEKS_MOST) {
        status = pd_seek(d, v->choice, searches);
        *n = searches->n;
        pd_comm_sum(d->comm, n, 1);
    }
    return status;
}

/*
 * COLLECTIVE. One round after a choice. *more: something was compared, so that there may be more.
 */
static int one_round(struct verifying *v, bool *more)
{
    struct pd_searches searches = {0};
    uint64_t blocked, n, found;
    int status = list_searches(v, &searches, &n, &blocked);
    *more = n > 0;
    if (status >= 0 && n > 0) {
        begin_round(v);
        status = search(v, &searches, blocked > 0);
        PD_THEN(status, share_found(v, &found));
        if (status >= 0 && found == 0 && !blocked && v->follows <= FOLLOWS_MOST)
            v->follows = FOLLOWS_MOST; /* nothing is new: no text that has gone leads on */
        else if (found == 0)
            *more = false;
    }
    pd_searches_release(&searches);
    return status;
}

int pd_dedup_decide(struct pd_dedup *d, struct pd_choice *c)
{
    struct verifying v = {.d = d, .choice = c};
    uint64_t found;
    v.owned = pd_realloc(NULL, (size_t)d->comm->size, sizeof *v.owned);
    pd_comparing_open(&v.c, d);
    begin_round(&v);
    int status = verify_all(&v);
    PD_THEN(status, share_found(&v, &found));
    for (bool more = true; status >= 0 && more;)
        status = one_round(&v, &more);
    free(v.owned);
    pd_comparing_close(&v.c);
    pd_cuts_release(&v.lost);
    return status;
}
