/* run/job/dedup/choose/seek.c - see run/job/dedup/choose/verify.h: text that stays twice. */
#include "run/job/dedup/choose/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"
#include "run/job/dedup/owners.h"

enum {
    SEEDS_AT_ONCE = 512, /* seeds that are read at a time */
    SHORT = 8,           /* a unit with fewer words is looked up with the unit beside it */
    RUN = 4,             /* words of a run that edited copies of a unit may have, too */
    RUNS = 4,            /* runs of a unit that are looked up */
    GAP = 16,            /* bytes of white space between two units of a run at most */
    BEFORE =
        8 /* the nearest documents before, with the same seed, that a document is compared with */
};
#define FACTOR 0x9e3779b97f4a7c15u /* odd: of the hash of words */

#define OF_RUN ((uint64_t)1 << 63) /* in `words`: the seed is a run of words only */

/* Parts of the time that a search takes, in 20ths: seeds are made, and documents are paired. */
enum { SEEDS = 12, PAIRS = 17, PARTS = 20 };

/* Tell how far a search is: `share` of the parts from `from` to `to`. */
static void tell(struct pd_dedup *d, int from, int to, double share)
{
    const double unit = 1 << 20;
    pd_progress_tell(&d->progress, (uint64_t)(unit * (from + (to - from) * share)),
                     (uint64_t)(unit * PARTS), 0, 0);
}

struct seed {
    uint64_t hash, place;
    uint64_t bytes; /* first byte and end: two 32-bit numbers */
    uint64_t words; /* words of the last unit; of all units: two 32-bit numbers */
};

/* ---- seeds of all text ---- */

struct seeding {
    struct pd_dedup *d;
    const struct pd_choice *c;
    struct pd_dedup_words words;
    struct pd_bytes asides; /* of the document at hand */
    uint64_t own;           /* the next document */
    size_t unit;            /* the next unit of the document at hand */
    uint64_t aside;         /* the first one that does not end before the unit */
    uint64_t last;          /* hash of the unit before; 0: it has no words, or is set aside */
    size_t nseeds;          /* of the unit at hand, which are not sent yet */
    struct seed seeds[RUNS + 2];
};

/* Bring the next document to hand. *more: there is one. */
static int next_document(struct seeding *s, bool *more)
{
    const struct pd_choice *c = s->c;
    *more = s->own < c->n;
    if (!*more)
        return PD_OK;
    PD_TRY(pd_dedup_words(s->d, c->first + s->own, &s->words));
    if (c->worded[s->own].asides)
        PD_TRY(pd_dedup_asides(s->d, &c->worded[s->own], &s->asides));
    s->own++;
    s->unit = s->aside = s->last = 0;
    return PD_OK;
}

/* Is a part of the unit set aside? Ask unit by unit. */
static bool is_aside(struct seeding *s, const struct pd_sentence *unit)
{
    const uint64_t asides = s->c->worded[s->own - 1].asides;
    const struct pd_cut *a = (const struct pd_cut *)(const void *)s->asides.v;
    while (s->aside < asides && a[s->aside].end <= unit->begin)
        s->aside++;
    return s->aside < asides && a[s->aside].begin < unit->end;
}

/* The hash of the words of a unit of the document at hand; never 0. */
static uint64_t hash_of(const struct seeding *s, const struct pd_sentence *unit)
{
    uint64_t hash = unit->nwords;
    for (uint32_t k = 0; k < unit->nwords; k++)
        hash = hash * FACTOR + s->words.words[unit->word + k].term;
    return pd_mix(hash) | 1;
}

/* Give a seed to the units from `first` to `unit`, which are one or two. */
static void push_seed(struct seeding *s, uint64_t hash, const struct pd_sentence *first,
                      const struct pd_sentence *unit, uint64_t run)
{
    const uint32_t words = unit->nwords + (first < unit ? first->nwords : 0);
    s->seeds[s->nseeds++] = (struct seed){.hash = hash,
                                          .place = s->words.place,
                                          .bytes = (uint64_t)first->begin << 32 | unit->end,
                                          .words = run | (uint64_t)unit->nwords << 32 | words};
}

/* Give seeds to the RUNS runs of RUN words with the least hashes: an edited copy has some of them. */
static void push_runs(struct seeding *s, const struct pd_sentence *unit)
{
    uint64_t least[RUNS];
    size_t n = 0;
    for (uint32_t k = 0; k + RUN <= unit->nwords; k++) {
        uint64_t hash = RUN;
        for (uint32_t w = k; w < k + RUN; w++)
            hash = hash * FACTOR + s->words.words[unit->word + w].term;
        hash = pd_mix(hash);
        size_t at = n;
        while (at > 0 && least[at - 1] > hash)
            at--;
        if (at == RUNS || (at > 0 && least[at - 1] == hash))
            continue;
        n += n < RUNS;
        memmove(least + at + 1, least + at, (n - 1 - at) * sizeof *least);
        least[at] = hash;
    }
    for (size_t k = 0; k < n; k++)
        push_seed(s, least[k], unit, unit, OF_RUN);
}

/*
 * Give seeds to a unit: its words and some runs of them, unless it is short. If it or its
 * neighbour before it is short, both together get one.
 */
static void push_seeds(struct seeding *s, const struct pd_sentence *unit)
{
    const uint64_t before = s->last;
    const uint64_t hash = unit->nwords && !is_aside(s, unit) ? hash_of(s, unit) : 0;
    s->last = hash;
    if (hash && before && (unit->nwords < SHORT || unit[-1].nwords < SHORT))
        push_seed(s, pd_mix(hash + before * FACTOR), unit - 1, unit, 0);
    if (!hash || unit->nwords < SHORT)
        return;
    push_seed(s, hash, unit, unit, 0);
    push_runs(s, unit);
}

static int make_seed(void *ctx, void *rec)
{
    struct seeding *s = ctx;
    for (bool more; s->nseeds == 0;) {
        if (s->words.place != UINT64_MAX && s->unit < s->words.nunits) {
            push_seeds(s, &s->words.units[s->unit++]);
            continue;
        }
        PD_TRY(pd_dedup_poll(s->d));
        tell(s->d, 0, SEEDS, (double)s->own / (double)(s->c->n + 1));
        PD_TRY(next_document(s, &more));
        if (!more)
            return PD_END;
    }
    memcpy(rec, &s->seeds[--s->nseeds], sizeof *s->seeds);
    return PD_OK;
}

static const struct pd_flow seeds_flow = {.name = "seeds",
                                          .budget = PD_BUDGET_ASKED,
                                          .size = sizeof(struct seed),
                                          .keys = 3,
                                          .lone_useless = true,
                                          .goes = PD_BY_HASH};

/* ---- seeds that two documents have: of all text, then of the text that stays ---- */

/* How many documents have the seed of the group? */
static uint64_t documents_of(const struct seed *v, size_t n)
{
    uint64_t documents = 0;
    for (size_t k = 0; k < n; k++)
        documents += k == 0 || v[k].place != v[k - 1].place;
    return documents;
}

/* A seed on its way back. */
struct shared_seed {
    uint64_t place, bytes, words, hash; /* as in a seed */
};
enum { SHARED_SEED_U64S = 4 };

struct sharing {
    struct pd_shuffle *seeds;
    struct pd_bytes group;
    size_t next; /* record of the group */
};

static int next_shared(void *ctx, void *rec)
{
    struct sharing *s = ctx;
    while (s->next == s->group.n / sizeof(struct seed)) {
        const int status = pd_shuffle_group(s->seeds, 1, &s->group);
        if (status != PD_OK)
            return status;
        const size_t n = s->group.n / sizeof(struct seed);
        s->next = documents_of((const struct seed *)(const void *)s->group.v, n) > 1 ? 0 : n;
    }
    const struct seed *v = (const struct seed *)(const void *)s->group.v + s->next++;
    memcpy(rec, &(struct shared_seed){v->place, v->bytes, v->words, v->hash},
           sizeof(struct shared_seed));
    return PD_OK;
}

static const struct pd_flow shared_flow = {.name = "shared",
                                           .budget = PD_BUDGET_ASKED,
                                           .size = sizeof(struct shared_seed),
                                           .keys = SHARED_SEED_U64S,
                                           .owner = pd_owner_of_place};

/* Put the seeds of this rank's documents into its file. */
static int keep_seeds(struct pd_dedup *d, struct pd_choice *c, struct pd_shuffle *shared)
{
    const void *rec;
    int status;
    c->seeds = d->shared.at;
    c->seeded = true;
    while ((status = pd_shuffle_next(shared, &rec)) == PD_OK) {
        PD_TRY(pd_shared_append(&d->shared, rec, sizeof(struct shared_seed), NULL));
        c->nseeds++;
    }
    return status < 0 ? status : pd_shared_show(&d->shared);
}

/* COLLECTIVE. Make the seeds of all text, and keep each one that two documents have. */
static int make_seeds(struct pd_dedup *d, struct pd_choice *c)
{
    struct pd_shuffle seeds = {0}, shared = {0};
    struct seeding seeding = {.d = d, .c = c, .words.place = UINT64_MAX};
    struct sharing sharing = {.seeds = &seeds};
    int status = pd_dedup_send(d, &seeds, &seeds_flow, make_seed, &seeding);
    PD_RELEASE(pd_bytes, &seeding.words.bytes, &seeding.asides);
    PD_THEN(status, pd_dedup_send(d, &shared, &shared_flow, next_shared, &sharing));
    pd_shuffle_close(&seeds);
    pd_bytes_release(&sharing.group);
    PD_THEN(status, pd_comm_agree(d->comm, keep_seeds(d, c, &shared)));
    pd_shuffle_close(&shared);
    return status;
}

/* A making of the seeds of text that stays. */
struct staying {
    struct pd_dedup *d;
    const struct pd_choice *c;
    uint64_t read;    /* seeds that were read from the file of this rank */
    size_t n, next;   /* seeds at hand; the next one */
    uint64_t place;   /* of the last seed */
    uint64_t removal; /* the first one of its document that does not end before it */
    struct shared_seed v[SEEDS_AT_ONCE];
};

static bool stays(struct staying *s, const struct shared_seed *seed)
{
    const struct pd_fate *f = &s->c->fates[seed->place - s->c->first];
    const struct pd_removal *r = f->removed ? s->c->removals.v + f->first : NULL;
    if (s->place != seed->place)
        s->removal = 0;
    s->place = seed->place;
    while (s->removal < f->removed && r[s->removal].end <= seed->bytes >> 32)
        s->removal++;
    return !f->gone && (s->removal == f->removed || r[s->removal].begin >= (uint32_t)seed->bytes);
}

static int next_seed(void *ctx, void *rec)
{
    struct staying *s = ctx;
    for (;; s->next++) {
        if (s->next == s->n) {
            PD_TRY(pd_dedup_poll(s->d));
            s->n = (size_t)pd_min_u64(s->c->nseeds - s->read, SEEDS_AT_ONCE);
            s->next = 0;
            if (s->n == 0)
                return PD_END;
            PD_TRY(pd_shared_read(&s->d->shared, (uint64_t)s->d->comm->rank,
                                  s->c->seeds + s->read * sizeof *s->v, s->n * sizeof *s->v, s->v));
            s->read += s->n;
        }
        const struct shared_seed *v = &s->v[s->next];
        if (!stays(s, v))
            continue;
        memcpy(rec, &(struct seed){v->hash, v->place, v->bytes, v->words}, sizeof(struct seed));
        s->next++;
        return PD_OK;
    }
}

/* ---- documents with the same seed ---- */

/* Units that stand in both documents. */
struct sought {
    uint64_t gone, kept;                    /* places */
    uint64_t gone_bytes, kept_bytes, words; /* as in a seed */
};
PD_VEC(sought_list, struct sought);
enum { SOUGHT_U64S = 5 };

struct pairing {
    struct pd_shuffle *seeds;
    struct pd_dedup *d;
    struct pd_bytes group;
    size_t next;                /* record of the group */
    unsigned partner, partners; /* of the document at hand; how many it may have */
};

/* The seed with which number `partner` compares v[k]: the first of all, or a seed before it. */
static size_t partner_of(const struct seed *v, size_t k, unsigned partner)
{
    size_t at = k;
    for (unsigned step = 0; step < partner && at != SIZE_MAX; step++) {
        const uint64_t place = v[at].place;
        while (at != SIZE_MAX && v[at].place == place)
            at--;
    }
    return partner ? at : 0;
}

static int next_pair(void *ctx, void *rec)
{
    struct pairing *p = ctx;
    for (;;) {
        const struct seed *v = (const struct seed *)(const void *)p->group.v;
        const size_t n = p->group.n / sizeof *v;
        for (; p->next < n; p->next++, p->partner = 0)
            while (p->partner < p->partners) {
                const unsigned partner = p->partner++;
                const size_t at = partner_of(v, p->next, partner);
                if (at == SIZE_MAX || v[at].place == v[p->next].place ||
                    (partner && v[at].place == v[0].place))
                    continue;
                const struct sought both = {v[p->next].place, v[at].place, v[p->next].bytes,
                                            v[at].bytes, v[p->next].words};
                memcpy(rec, &both, sizeof both);
                return PD_OK;
            }
        PD_PASS(pd_shuffle_group(p->seeds, 1, &p->group));
        p->next = 0;
        p->partner = 0;
        v = (const struct seed *)(const void *)p->group.v;
        tell(p->d, SEEDS, PAIRS, /* each rank has a range of hashes */
             ldexp((double)v->hash * p->d->comm->size, -64) - p->d->comm->rank);
        const uint64_t places = p->group.n / sizeof *v;
        const bool common =
            p->d->most && (p->d->most_places ? places : documents_of(v, places)) > p->d->most;
        p->partners = !common ? 1 + BEFORE : p->d->common_first;
    }
}

static const struct pd_flow sought_flow = {.name = "sought",
                                           .budget = PD_BUDGET_ASKED,
                                           .size = sizeof(struct sought),
                                           .keys = SOUGHT_U64S,
                                           .owner = pd_owner_of_place};

/* ---- claims of a document ---- */

struct seeking {
    struct pd_dedup *d;
    struct pd_choice *c;
    struct sought_list found; /* of a document */
    struct pd_claims claims;
};

/* Is it a part of the run, or does it go on with the run? Then the run grows. */
static bool goes_on(struct sought *run, const struct sought *next)
{
    const uint32_t gone = (uint32_t)(next->gone_bytes >> 32), end = (uint32_t)run->gone_bytes;
    const uint32_t kept = (uint32_t)(next->kept_bytes >> 32), stop = (uint32_t)run->kept_bytes;
    const uint32_t gone_end = (uint32_t)next->gone_bytes, kept_end = (uint32_t)next->kept_bytes;
    if (run->kept != next->kept || gone > end + GAP || kept > stop + GAP ||
        (gone < end) != (kept < stop) || (gone_end <= end) != (kept_end <= stop))
        return false;
    if (gone_end <= end)
        return true;
    run->words += gone < end ? next->words >> 32 : (uint32_t)next->words;
    run->gone_bytes = run->gone_bytes >> 32 << 32 | gone_end;
    run->kept_bytes = run->kept_bytes >> 32 << 32 | kept_end;
    return true;
}

/* Add the run to the claims, if it is as long as a passage may be. */
static void add_claim(struct seeking *s, const struct sought *run)
{
    if ((uint32_t)run->words >= s->d->least_words)
        pd_claims_push(&s->claims, (struct pd_claim){.gone = run->gone,
                                                     .kept = run->kept,
                                                     .row = PD_NO_PASSAGE,
                                                     .family = PD_NO_PASSAGE,
                                                     .gone_bytes = run->gone_bytes,
                                                     .kept_bytes = run->kept_bytes});
}

/* Do both lead from the same text to the same text? */
static bool is_same(const struct sought *a, const struct sought *b)
{
    return a->kept == b->kept && a->gone_bytes == b->gone_bytes && a->kept_bytes == b->kept_bytes;
}

/* Leave one record of each two texts, if all of their words are the same, or two runs of words. */
static void drop_lone(struct sought_list *v)
{
    size_t n = 0;
    for (size_t k = 0, same; k < v->n; k += same) {
        bool whole = false;
        for (same = 0; k + same < v->n && is_same(&v->v[k], &v->v[k + same]); same++)
            whole |= !(v->v[k + same].words & OF_RUN);
        if (!whole && same < 2)
            continue;
        v->v[n] = v->v[k];
        v->v[n++].words &= ~OF_RUN;
    }
    v->n = n;
}

/* Join what goes on in both documents. */
static void join_claims(struct seeking *s)
{
    struct sought *run = s->found.v;
    s->claims.n = 0;
    drop_lone(&s->found);
    if (s->found.n == 0)
        return;
    for (size_t k = 1; k < s->found.n; k++) {
        if (goes_on(run, &s->found.v[k]))
            continue;
        add_claim(s, run);
        run = &s->found.v[k];
    }
    add_claim(s, run);
}

/* List the claims of a document, if they have changed since the last time. */
static int list_claims(struct seeking *s, struct pd_searches *searches)
{
    struct pd_claims *v = &s->claims;
    uint64_t hash = 1;
    join_claims(s);
    if (v->n == 0)
        return PD_OK;
    const uint64_t place = v->v[0].gone;
    uint64_t *seen = &s->c->fates[place - s->c->first].sought;
    for (size_t k = 0; k < v->n; k++)
        hash = pd_mix(pd_mix(hash + v->v[k].kept) + v->v[k].gone_bytes) + v->v[k].kept_bytes;
    if (hash == *seen)
        return PD_OK;
    *seen = hash;
    struct pd_search search = {place, 0, v->n};
    PD_TRY(pd_shared_append(&s->d->shared, v->v, v->n * sizeof *v->v, &search.at));
    pd_searches_push(searches, search);
    return PD_OK;
}

/* List the claims of all documents of this rank. */
static int list_all(struct seeking *s, struct pd_shuffle *sought, struct pd_searches *searches)
{
    const void *rec;
    int status;
    while ((status = pd_shuffle_look(sought, &rec)) == PD_OK) {
        const struct sought both = *(const struct sought *)rec;
        pd_shuffle_pass(sought, sizeof both);
        if (s->found.n && s->found.v[0].gone != both.gone) {
            tell(s->d, PAIRS, PARTS, (double)(both.gone - s->c->first) / (double)s->c->n);
            PD_TRY(list_claims(s, searches));
            s->found.n = 0;
        }
        sought_list_push(&s->found, both);
        PD_TRY(pd_dedup_plan(s->d, "passages of a document",
                             s->found.n * (sizeof both + sizeof(struct pd_claim)),
                             PD_BUDGET_FOLLOWED));
    }
    PD_TRY(status);
    if (s->found.n)
        PD_TRY(list_claims(s, searches));
    return pd_shared_show(&s->d->shared);
}

int pd_seek(struct pd_dedup *d, struct pd_choice *c, struct pd_searches *searches)
{
    struct pd_shuffle seeds = {0}, sought = {0};
    struct pairing pairing = {.seeds = &seeds, .d = d};
    struct seeking seeking = {.d = d, .c = c};
    pd_progress_begin(&d->progress, "seek");
    int status = c->seeded ? PD_OK : make_seeds(d, c);
    struct staying *staying = pd_zeroed(1, sizeof *staying);
    staying->d = d;
    staying->c = c;
    staying->place = UINT64_MAX;
    PD_THEN(status, pd_dedup_send(d, &seeds, &seeds_flow, next_seed, staying));
    free(staying);
    PD_THEN(status, pd_dedup_send(d, &sought, &sought_flow, next_pair, &pairing));
    pd_shuffle_close(&seeds);
    pd_bytes_release(&pairing.group);
    const bool sent = status >= 0;
    if (sent)
        status = list_all(&seeking, &sought, searches);
    pd_shuffle_close(&sought);
    sought_list_release(&seeking.found);
    pd_claims_release(&seeking.claims);
    return sent ? pd_comm_agree(d->comm, status) : status;
}
