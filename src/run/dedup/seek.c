/* run/dedup/seek.c - see run/dedup/seek.h */
#include "run/dedup/seek.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "run/dedup/owners.h"

enum {
    SHORT = 8, /* a unit with fewer words is looked up with the unit beside it */
    GAP = 16,  /* bytes of white space between two units of a run at most */
    BEFORE =
        2 /* the nearest documents before, with the same seed, that a document is compared with */
};
#define FACTOR 0x9e3779b97f4a7c15u /* odd: of the hash of words */

struct seed {
    uint64_t hash, place;
    uint64_t bytes; /* first byte and end: two 32-bit numbers */
    uint64_t words; /* words of the last unit; of all units: two 32-bit numbers */
};

/* ---- seeds of the text that stays ---- */

struct seeding {
    struct pd_dedup *d;
    const struct pd_choice *c;
    struct pd_dedup_words words;
    struct pd_bytes asides;  /* of the document at hand */
    uint64_t own;            /* the next document */
    size_t unit;             /* the next unit of the document at hand */
    uint64_t removal, aside; /* the first ones that do not end before the unit */
    uint64_t last;           /* hash of the unit before; 0: it does not stay */
};

/* Bring the next document to hand. *more: there is one. */
static int next_document(struct seeding *s, bool *more)
{
    const struct pd_choice *c = s->c;
    while (s->own < c->n && c->fates[s->own].gone)
        s->own++;
    *more = s->own < c->n;
    if (!*more)
        return PD_OK;
    PD_TRY(pd_dedup_words(s->d, c->first + s->own, &s->words));
    if (c->worded[s->own].asides)
        PD_TRY(pd_dedup_asides(s->d, &c->worded[s->own], &s->asides));
    s->own++;
    s->unit = s->removal = s->aside = s->last = 0;
    return PD_OK;
}

/* Does all of the unit stay, and is none of it set aside? Ask unit by unit. */
static bool is_free(struct seeding *s, const struct pd_sentence *unit)
{
    const uint64_t own = s->own - 1, asides = s->c->worded[own].asides;
    const struct pd_fate *f = &s->c->fates[own];
    const struct pd_removal *r = f->removed ? s->c->removals.v + f->first : NULL;
    const struct pd_cut *a = (const struct pd_cut *)(const void *)s->asides.v;
    while (s->removal < f->removed && r[s->removal].end <= unit->begin)
        s->removal++;
    while (s->aside < asides && a[s->aside].end <= unit->begin)
        s->aside++;
    return (s->removal == f->removed || r[s->removal].begin >= unit->end) &&
           (s->aside == asides || a[s->aside].begin >= unit->end);
}

/* The hash of the words of a unit of the document at hand; never 0. */
static uint64_t hash_of(const struct seeding *s, const struct pd_sentence *unit)
{
    uint64_t hash = unit->nwords;
    for (uint32_t k = 0; k < unit->nwords; k++)
        hash = hash * FACTOR + s->words.words[unit->word + k].term;
    return pd_mix(hash) | 1;
}

/* A unit that stays is a seed. If it or its neighbour before it is short, both together are a seed. */
static int next_seed(void *ctx, void *rec)
{
    struct seeding *s = ctx;
    for (bool more;;) {
        while (s->words.place != UINT64_MAX && s->unit < s->words.nunits) {
            const struct pd_sentence *unit = &s->words.units[s->unit++], *first = unit;
            const uint64_t before = s->last;
            s->last = unit->nwords && is_free(s, unit) ? hash_of(s, unit) : 0;
            uint64_t hash = s->last;
            if (hash && unit->nwords < SHORT && before)
                first--;
            else if (hash && before && unit[-1].nwords < SHORT && unit[-1].nwords)
                first--;
            if (first < unit)
                hash = pd_mix(hash + before * FACTOR);
            if (!hash || (first == unit && unit->nwords < SHORT))
                continue;
            const uint32_t words = unit->nwords + (first < unit ? first->nwords : 0);
            const struct seed seed = {.hash = hash,
                                      .place = s->words.place,
                                      .bytes = (uint64_t)first->begin << 32 | unit->end,
                                      .words = (uint64_t)unit->nwords << 32 | words};
            memcpy(rec, &seed, sizeof seed);
            return PD_OK;
        }
        PD_TRY(pd_dedup_poll(s->d));
        PD_TRY(next_document(s, &more));
        if (!more)
            return PD_END;
    }
}

static const struct pd_flow seeds_flow = {.name = "seeds",
                                          .budget = PD_BUDGET_ASKED,
                                          .size = sizeof(struct seed),
                                          .keys = 3,
                                          .lone_useless = true,
                                          .goes = PD_BY_HASH};

/* ---- documents with the same seed ---- */

struct pairing {
    struct pd_shuffle *seeds;
    const struct pd_dedup *d;
    struct pd_bytes group;
    size_t next;                /* record of the group */
    unsigned partner, partners; /* of the document at hand; how many it may have */
};

/* How many documents have the seed of the group? */
static uint64_t documents_of(const struct seed *v, size_t n)
{
    uint64_t documents = 0;
    for (size_t k = 0; k < n; k++)
        documents += k == 0 || v[k].place != v[k - 1].place;
    return documents;
}

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
                const struct pd_claim claim = {.gone = v[p->next].place,
                                               .kept = v[at].place,
                                               .row = PD_NO_PASSAGE,
                                               .family = v[p->next].words,
                                               .gone_bytes = v[p->next].bytes,
                                               .kept_bytes = v[at].bytes};
                memcpy(rec, &claim, sizeof claim);
                return PD_OK;
            }
        const int status = pd_shuffle_group(p->seeds, 1, &p->group);
        if (status != PD_OK)
            return status;
        p->next = 0;
        p->partner = 0;
        v = (const struct seed *)(const void *)p->group.v;
        const bool common =
            p->d->most_documents && documents_of(v, p->group.n / sizeof *v) > p->d->most_documents;
        p->partners = !common ? 1 + BEFORE : p->d->common_first;
    }
}

static const struct pd_flow sought_flow = {.name = "sought",
                                           .budget = PD_BUDGET_ASKED,
                                           .size = sizeof(struct pd_claim),
                                           .keys = PD_CLAIM_U64S,
                                           .owner = pd_owner_of_place};

/* ---- claims of a document ---- */

struct seeking {
    struct pd_dedup *d;
    struct pd_choice *c;
    struct pd_claims claims; /* of a document */
};

/* Does the claim go on with the run? Then the run grows. Words are counted in `family`. */
static bool goes_on(struct pd_claim *run, const struct pd_claim *claim)
{
    const uint32_t gone = (uint32_t)(claim->gone_bytes >> 32), end = (uint32_t)run->gone_bytes;
    const uint32_t kept = (uint32_t)(claim->kept_bytes >> 32), stop = (uint32_t)run->kept_bytes;
    if (run->kept != claim->kept || gone > end + GAP || kept > stop + GAP ||
        (uint32_t)claim->kept_bytes <= stop || (gone < end) != (kept < stop))
        return false;
    run->family += gone < end ? claim->family >> 32 : (uint32_t)claim->family;
    run->gone_bytes = run->gone_bytes >> 32 << 32 | (uint32_t)claim->gone_bytes;
    run->kept_bytes = run->kept_bytes >> 32 << 32 | (uint32_t)claim->kept_bytes;
    return true;
}

/* Join what goes on in both documents, and drop what is shorter than a passage may be. */
static void join_claims(struct seeking *s)
{
    struct pd_claims *v = &s->claims;
    size_t n = 0;
    for (size_t k = 0; k < v->n; k++) {
        if (n > 0 && goes_on(&v->v[n - 1], &v->v[k]))
            continue;
        n -= n > 0 && (uint32_t)v->v[n - 1].family < s->d->least_words;
        v->v[n++] = v->v[k];
    }
    n -= n > 0 && (uint32_t)v->v[n - 1].family < s->d->least_words;
    v->n = n;
    for (size_t k = 0; k < n; k++)
        v->v[k].family = PD_NO_PASSAGE;
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
        const struct pd_claim claim = *(const struct pd_claim *)rec;
        pd_shuffle_pass(sought, sizeof claim);
        if (s->claims.n && s->claims.v[0].gone != claim.gone) {
            PD_TRY(list_claims(s, searches));
            s->claims.n = 0;
        }
        pd_claims_push(&s->claims, claim);
        PD_TRY(pd_dedup_plan(s->d, "passages of a document", s->claims.n * sizeof claim,
                             PD_BUDGET_FOLLOWED));
    }
    PD_TRY(status);
    if (s->claims.n)
        PD_TRY(list_claims(s, searches));
    return pd_shared_show(&s->d->shared);
}

int pd_seek(struct pd_dedup *d, struct pd_choice *c, struct pd_searches *searches)
{
    struct pd_shuffle seeds = {0}, sought = {0};
    struct seeding seeding = {.d = d, .c = c, .words.place = UINT64_MAX};
    struct pairing pairing = {.seeds = &seeds, .d = d};
    struct seeking seeking = {.d = d, .c = c};
    int status = pd_dedup_send(d, &seeds, &seeds_flow, next_seed, &seeding);
    PD_RELEASE(pd_bytes, &seeding.words.bytes, &seeding.asides);
    PD_THEN(status, pd_dedup_send(d, &sought, &sought_flow, next_pair, &pairing));
    pd_shuffle_close(&seeds);
    pd_bytes_release(&pairing.group);
    const bool sent = status >= 0;
    if (sent)
        status = list_all(&seeking, &sought, searches);
    pd_shuffle_close(&sought);
    pd_claims_release(&seeking.claims);
    return sent ? pd_comm_agree(d->comm, status) : status;
}
