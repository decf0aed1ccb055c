/* run/dedup/verify.c - all passages are compared, in rounds, and all ranks get what is found. */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "run/dedup/compare.h"

enum {
    DOCS_OF_TASK = 16,
    LISTS = 2,       /* of copied sentences: as they were found, and in order; then what goes */
    LATER = 8,       /* 1 / LATER of the copied sentences are left for searches that go on */
    FOLLOWS_MOST = 3 /* rounds in which text that has gone leads to text that stays */
};

/* What a round compares. */
enum round {
    FIRST,  /* all passages */
    AGAIN,  /* passages of blocked documents, behind the passages in which their units were found */
    FOLLOW, /* text that stays because text has gone that is the same */
};

struct verifying {
    struct pd_dedup *d;
    struct pd_comparing c;
    struct pd_follow follow;
    uint64_t shared; /* units that all ranks have found in this round */
};

/*
 * Turn passages so that the document that comes later in the order of --keep loses its text, and
 * sort them by it, then by the order of the other document.
 */
static void turn_claims(struct pd_dedup *d)
{
    for (size_t k = 0; k < d->claims.n; k++) {
        struct pd_claim *claim = &d->claims.v[k];
        const struct pd_worded *a = pd_dedup_worded(d, claim->gone);
        const struct pd_worded *b = pd_dedup_worded(d, claim->kept);
        if (a->order < b->order || (a->order == b->order && a->doc < b->doc))
            *claim = (struct pd_claim){claim->kept, a->order,          claim->gone,
                                       claim->row,  claim->kept_bytes, claim->gone_bytes};
        else
            claim->kept_order = b->order;
    }
    pd_sort_records(d->claims.v, d->claims.n, PD_CLAIM_U64S, PD_CLAIM_KEYS);
    for (size_t k = 0; k < d->claims.n; k++) {
        struct pd_worded *w = pd_dedup_worded(d, d->claims.v[k].gone);
        w->claims = w->nclaims++ ? w->claims : k;
    }
}

/* Say which units of a blocked document are to be looked for, and behind which passage. */
static void find_blocked(struct verifying *v, const struct pd_worded *w)
{
    const struct pd_copied *c = v->d->copied.v + w->copied;
    for (size_t k = 0, same; k < w->ncopied; k += same) {
        const struct pd_copied *last = &c[k];
        bool stays = false;
        for (same = 0; k + same < w->ncopied && c[k + same].unit == c[k].unit; same++) {
            last = &c[k + same];
            stays |= last->kept == PD_DEDUP_NOWHERE ||
                     pd_dedup_stays(v->d, last->kept, last->kept_begin, last->kept_end);
        }
        if (!stays)
            pd_unit_places(&v->c)[last->unit] =
                (struct pd_unit_place){last->kept_order, last->kept, last->row + 1};
    }
}

/* Remember which blocked units were not found, so that nobody looks for them again. */
static void end_search(struct verifying *v, const struct pd_worded *w)
{
    for (size_t u = 0; u < v->c.gone.nunits; u++)
        if (pd_unit_places(&v->c)[u].kept != UINT64_MAX)
            pd_copieds_push(&v->c.found, (struct pd_copied){.order = w->order,
                                                            .doc = w->doc,
                                                            .begin = v->c.gone.units[u].begin,
                                                            .kept_order = UINT64_MAX,
                                                            .kept = PD_DEDUP_NOWHERE,
                                                            .end = v->c.gone.units[u].end,
                                                            .unit = (uint32_t)u});
}

static int verify_document(struct verifying *v, const struct pd_worded *w, bool again)
{
    const struct pd_claim *claims = v->d->claims.v + w->claims;
    if (w->nclaims == 0)
        return PD_OK;
    PD_TRY(pd_compare_document(&v->c, w->doc));
    for (size_t u = 0; u < v->c.gone.nunits; u++)
        pd_unit_places(&v->c)[u] = again ? pd_no_place : pd_first_place;
    if (again)
        find_blocked(v, w);
    for (uint64_t k = 0; k < w->nclaims; k++) {
        if (pd_comm_stopping())
            return pd_fail(PD_ESTOP, "stopped by a signal: --resume goes on");
        PD_TRY(pd_compare_claim(&v->c, &claims[k], again));
    }
    if (again)
        end_search(v, w);
    return PD_OK;
}

/* Compare units that stay with the texts that proved the removal of equal text. */
static int follow_document(struct verifying *v, const struct pd_worded *w)
{
    PD_TRY(pd_compare_document(&v->c, w->doc));
    for (size_t u = 0; u < v->c.gone.nunits; u++) {
        const struct pd_sentence *unit = &v->c.gone.units[u];
        const bool stays = pd_dedup_stays(v->d, w->doc, unit->begin, unit->end);
        pd_unit_places(&v->c)[u] = stays ? pd_first_place : pd_no_place;
    }
    PD_TRY(pd_dedup_follow(v->d, w, &v->c.gone, &v->follow));
    for (size_t k = 0; k < v->follow.claims.n; k++)
        PD_TRY(pd_compare_claim(&v->c, &v->follow.claims.v[k], true));
    return PD_OK;
}

/* Compare the passages of some documents. */
static int verify_task(struct verifying *v, uint64_t task, enum round round)
{
    const struct pd_wordeds *worded = &v->d->worded;
    const size_t from = (size_t)task * DOCS_OF_TASK;
    const size_t to = worded->n - from < DOCS_OF_TASK ? worded->n : from + DOCS_OF_TASK;
    for (size_t k = from; k < to; k++)
        if (round == FOLLOW)
            PD_TRY(worded->v[k].follow ? follow_document(v, &worded->v[k]) : PD_OK);
        else if (round == FIRST || worded->v[k].blocked)
            PD_TRY(verify_document(v, &worded->v[k], round == AGAIN));
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

/* COLLECTIVE. Take out of v->c.found what all ranks have found. */
static void gather_found(struct verifying *v, struct pd_copieds *all)
{
    struct pd_bytes bytes = {0};
    if (v->d->comm->size == 1) {
        *all = v->c.found;
    } else {
        pd_dedup_gather(v->d->comm, v->c.found.v, v->c.found.n * sizeof *v->c.found.v, &bytes);
        all->v = (struct pd_copied *)(void *)bytes.v;
        all->n = bytes.n / sizeof *all->v;
        all->cap = bytes.cap / sizeof *all->v;
        pd_copieds_release(&v->c.found);
    }
    v->c.found = (struct pd_copieds){0};
}

/* COLLECTIVE. Give all ranks what each has found, if there is room. */
static int share_found(struct verifying *v, bool again)
{
    struct pd_dedup *d = v->d;
    struct pd_copieds more = {0};
    uint64_t n = v->c.found.n;
    pd_comm_sum(d->comm, &n, 1);
    v->shared = n;
    n += again ? d->copied.n : n / LATER;
    PD_TRY(pd_dedup_plan(d, "its copied sentences", LISTS * n * sizeof *d->copied.v,
                         PD_BUDGET_COPIED));
    gather_found(v, &more);
    pd_sort_records(more.v, more.n, PD_COPIED_U64S, PD_COPIED_U64S);
    if (!again) {
        d->copied = more;
        return PD_OK;
    }
    merge_copied(&d->copied, more.v, more.n);
    pd_copieds_release(&more);
    return PD_OK;
}

/* COLLECTIVE. Compare passages on all ranks. */
static int verify(struct verifying *v, enum round round)
{
    struct pd_dedup *d = v->d;
    struct pd_queue queue;
    uint64_t task;
    int status = PD_OK;
    pd_queue_open(d->comm, &queue, (d->worded.n + DOCS_OF_TASK - 1) / DOCS_OF_TASK);
    while (status >= 0 && (task = pd_queue_take(&queue)) != PD_NO_TASK)
        status = verify_task(v, task, round);
    if (status < 0)
        pd_queue_stop(&queue);
    pd_queue_close(&queue);
    PD_TRY(pd_comm_agree(d->comm, status));
    return share_found(v, round != FIRST);
}

int pd_dedup_decide(struct pd_dedup *d)
{
    struct verifying v = {.d = d};
    turn_claims(d);
    pd_comparing_open(&v.c, d);
    int status = verify(&v, FIRST);
    for (int follows = 0; status >= 0 && v.shared > 0;) {
        const bool blocked = pd_dedup_choose(d);
        if (!blocked && (follows++ == FOLLOWS_MOST || !pd_dedup_mark_follows(d)))
            break;
        status = verify(&v, blocked ? AGAIN : FOLLOW);
    }
    pd_comparing_close(&v.c);
    pd_follow_release(&v.follow);
    return status;
}
