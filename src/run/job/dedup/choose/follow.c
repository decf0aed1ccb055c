/* run/job/dedup/choose/follow.c - see run/job/dedup/choose/verify.h: where text that has gone leads. */
#include "run/job/dedup/choose/verify.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"
#include "run/job/dedup/choose/asking.h"

enum { SEED = 8 }; /* words that are looked up to find where a run of equal words begins */

#define FACTOR 0x9e3779b97f4a7c15u /* odd: of the hash of a run of words */

/* Text that has gone: bytes of the document of a removal, which are in it at least in part. */
struct lost {
    const struct pd_removal *removal;
    uint64_t begin, end;
};

/*
 * Append the claim, which lacks the kept text, that its text stands where the lost text has led to:
 * in the text that proves its removal, about as far from its begin.
 */
static void push(struct pd_claim claim, const struct lost *lost, struct pd_claims *found)
{
    const struct pd_removal *r = lost->removal;
    const uint64_t bytes = (uint32_t)claim.gone_bytes - (claim.gone_bytes >> 32);
    const uint64_t n = r->end - r->begin, kept_n = r->kept_end - r->kept_begin;
    const uint64_t room = (n < kept_n ? kept_n - n : n - kept_n) + bytes;
    const uint64_t from = r->kept_begin + (lost->begin < r->begin ? 0 : lost->begin - r->begin);
    const uint64_t to = r->kept_begin + (lost->end < r->end ? lost->end - r->begin : n);
    const uint64_t kept_begin = from > r->kept_begin + room ? from - room : r->kept_begin;
    const uint64_t kept_end = to + room < r->kept_end ? to + room : r->kept_end;
    claim.kept = r->kept;
    claim.kept_bytes = kept_begin << 32 | kept_end;
    pd_claims_push(found, claim);
}

/* ---- units that were found in text that has gone: the owner of the text knows why it has ---- */

/* The unit stays: it is of use to know where its text has gone. */
static bool is_traced(const struct pd_choice *c, uint64_t unit)
{
    const struct pd_copied *u = &c->copied.v[unit];
    return u->kept != PD_DEDUP_NOWHERE && pd_choice_stays(c, u->place, (uint32_t)u->begin, u->end);
}

/* A making of questions. */
struct tracing {
    const struct pd_choice *c;
    uint64_t rank;
    size_t next;
};

static int next_question(void *ctx, void *rec)
{
    struct tracing *t = ctx;
    while (t->next < t->c->copied.n && !is_traced(t->c, t->next))
        t->next++;
    if (t->next == t->c->copied.n)
        return PD_END;
    const struct pd_copied *u = &t->c->copied.v[t->next];
    const struct pd_question q = {u->kept, (uint64_t)u->kept_begin << 32 | u->kept_end, t->rank,
                                  t->next++};
    memcpy(rec, &q, sizeof q);
    return PD_OK;
}

/* What this rank follows, document by document. */
struct following {
    struct pd_dedup *d;
    struct pd_choice *c;
    struct pd_shuffle *answers;
    struct pd_dedup_words words;
    struct pd_claims claims; /* of a document */
    struct pd_bytes buffer;
};

/* ---- text that stands twice in a document ---- */

/* The words of a document, with the runs of SEED words that have gone. */
struct repeats {
    const struct pd_dedup *d;
    const struct pd_fate *fate;
    const struct pd_removal *removals; /* of the document */
    const struct pd_choice *choice;
    const struct pd_dedup_words *words;
    struct pd_claims *found;
    const uint64_t *hashes;     /* of the run of SEED words that begins with each word */
    const unsigned char *stays; /* for each word */
    uint32_t *places;           /* open addressing by hash: 1 plus the last run with it; 0: free */
    unsigned log;               /* of the number of places */
};

static void hash_runs(const struct pd_dedup_words *words, uint64_t *hashes)
{
    uint64_t hash = 0, out = 1; /* `out`: the factor of the word that leaves the run */
    for (int k = 1; k < SEED; k++)
        out *= FACTOR;
    for (size_t k = 0; k < words->nwords; k++) {
        hash = hash * FACTOR + words->words[k].term;
        if (k + 1 < SEED)
            continue;
        hashes[k + 1 - SEED] = hash;
        hash -= out * words->words[k + 1 - SEED].term;
    }
}

/* Say which words stay: a removal has whole units. */
static void mark_words(const struct repeats *p, unsigned char *stays)
{
    const struct pd_removal *r = p->removals;
    uint64_t at = 0;
    for (size_t u = 0; u < p->words->nunits; u++) {
        const struct pd_sentence *unit = &p->words->units[u];
        while (at < p->fate->removed && r[at].end <= unit->begin)
            at++;
        memset(stays + unit->word, at == p->fate->removed || unit->begin < r[at].begin,
               unit->nwords);
    }
}

/* The first word behind `at` that has gone if word `at` stays, or stays if that has gone. */
static size_t end_of(const struct repeats *p, size_t at)
{
    const unsigned char *end = memchr(p->stays + at, !p->stays[at], p->words->nwords - at);
    return end ? (size_t)(end - p->stays) : p->words->nwords;
}

/* The place of a run with this hash, or a free one. */
static uint32_t *place_of(const struct repeats *p, uint64_t hash)
{
    const size_t places = (size_t)1 << p->log;
    size_t k = (size_t)(hash * FACTOR >> (64 - p->log));
    while (p->places[k] && p->hashes[p->places[k] - 1] != hash)
        k = (k + 1) & (places - 1);
    return &p->places[k];
}

/* The unit that has the word. */
static const struct pd_sentence *unit_of(const struct repeats *p, size_t word)
{
    const struct pd_sentence *units = p->words->units;
    return units +
           pd_search_first_u32(units, p->words->nunits, sizeof *units,
                               offsetof(struct pd_sentence, word), word + 1) -
           1;
}

/* Is the run of n words from `at` on as long as a passage must be? */
static bool is_long(const struct repeats *p, size_t at, size_t n)
{
    const struct pd_sentence *first = unit_of(p, at), *last = unit_of(p, at + n - 1);
    const size_t all = (size_t)(last - first) + 1;
    const size_t cut = (first->word < at) + ((size_t)last->word + last->nwords > at + n);
    return n >= p->d->least_words && all >= p->d->least_units + cut;
}

/* How many words from `at` on stay, and equal words from `gone` on that have gone? */
static size_t common_run(const struct repeats *p, size_t gone, size_t at)
{
    const struct pd_located *words = p->words->words;
    size_t n = 0;
    while (gone + n < p->words->nwords && at + n < p->words->nwords && !p->stays[gone + n] &&
           p->stays[at + n] && words[gone + n].term == words[at + n].term)
        n++;
    return n;
}

/* Claim the units of n words from `at` on, which have gone from `gone` on. */
static void push_repeat(const struct repeats *p, size_t gone, size_t at, size_t n)
{
    const struct pd_located *words = p->words->words;
    const struct pd_removal *r = p->removals;
    struct pd_claim claim = {.gone = p->words->place,
                             .gone_bytes = (uint64_t)unit_of(p, at)->begin << 32 |
                                           unit_of(p, at + n - 1)->end};
    struct lost lost = {NULL, words[gone].begin, words[gone + n - 1].end};
    uint64_t k = pd_removal_behind(p->choice, p->fate, (uint32_t)lost.begin);
    for (; k < p->fate->removed && r[k].begin < lost.end; k++) {
        lost.removal = &r[k];
        claim.row = r[k].row;
        claim.family = r[k].family;
        push(claim, &lost, p->found);
    }
}

/* Look up runs that stay, in the stretch [at, end), among the runs that have gone. */
static void look_up(const struct repeats *p, size_t at, size_t end)
{
    for (size_t k = at, n; k + SEED <= end; k += n ? n : 1) {
        const uint32_t gone = *place_of(p, p->hashes[k]);
        n = gone ? common_run(p, gone - 1, k) : 0;
        if (n > 0 && is_long(p, k, n))
            push_repeat(p, gone - 1, k, n);
    }
}

static void find_repeats(const struct repeats *p)
{
    const size_t n = p->words->nwords;
    for (size_t at = 0, end; at < n; at = end) {
        end = end_of(p, at);
        for (size_t k = at; k + SEED <= end && !p->stays[at]; k++)
            *place_of(p, p->hashes[k]) = (uint32_t)k + 1;
    }
    for (size_t at = 0, end; at < n; at = end) {
        end = end_of(p, at);
        if (p->stays[at])
            look_up(p, at, end);
    }
}

static int follow_repeats(const struct pd_dedup *d, const struct pd_choice *c,
                          const struct pd_dedup_words *words, struct pd_bytes *buffer,
                          struct pd_claims *found)
{
    const size_t n = words->nwords;
    const struct pd_fate *fate = &c->fates[words->place - c->first];
    struct repeats p = {.d = d,
                        .fate = fate,
                        .removals = c->removals.n ? c->removals.v + fate->first : NULL,
                        .choice = c,
                        .words = words,
                        .found = found,
                        .log = 1};
    if (n < SEED || fate->removed == 0)
        return PD_OK;
    while ((size_t)1 << p.log < 2 * n)
        p.log++;
    const size_t places = ((size_t)1 << p.log) * sizeof *p.places;
    const size_t room = n * (sizeof(uint64_t) + 1) + places;
    PD_TRY(pd_dedup_plan(d, "words of a document", room, PD_BUDGET_FOLLOWED));
    pd_bytes_reserve(buffer, room);
    uint64_t *hashes = (uint64_t *)(void *)buffer->v;
    p.hashes = hashes;
    p.places = (uint32_t *)(void *)(hashes + n);
    p.stays = buffer->v + n * sizeof *hashes + places;
    memset(p.places, 0, places);
    hash_runs(words, hashes);
    mark_words(&p, buffer->v + n * sizeof *hashes + places);
    find_repeats(&p);
    return PD_OK;
}

/* ---- all documents of this rank ---- */

/* Take the answers about a unit: its text has gone because of other text. */
static int follow_unit(struct following *f, size_t unit, uint64_t *hash)
{
    const struct pd_copied *u = &f->c->copied.v[unit];
    const struct pd_claim claim = {.gone = u->place,
                                   .row = u->row,
                                   .family = u->family,
                                   .gone_bytes = u->begin << 32 | u->end};
    uint64_t sum = u->begin;
    const void *rec;
    int status;
    while ((status = pd_shuffle_look(f->answers, &rec)) == PD_OK) {
        const struct pd_answer t = *(const struct pd_answer *)rec;
        const struct pd_removal r = {.kept = t.kept,
                                     .begin = (uint32_t)(t.bytes >> 32),
                                     .end = (uint32_t)t.bytes,
                                     .kept_begin = (uint32_t)(t.kept_bytes >> 32),
                                     .kept_end = (uint32_t)t.kept_bytes};
        const struct lost lost = {&r, u->kept_begin, u->kept_end};
        if (t.why != unit)
            break;
        pd_shuffle_pass(f->answers, sizeof t);
        if (t.kept == PD_ANSWER_WHOLE)
            continue;
        sum = pd_mix(sum + r.kept) + r.kept_begin;
        if (!f->d->skips) /* a claim may join two documents whose passages the user left out */
            push(claim, &lost, &f->claims);
    }
    *hash = pd_mix(*hash + sum);
    return status < 0 ? status : PD_OK;
}

/* List where text of a document that stays may stand, too, if anything is new. */
static int follow_document(struct following *f, uint64_t own, struct pd_searches *searches)
{
    struct pd_choice *c = f->c;
    struct pd_fate *fate = &c->fates[own];
    uint64_t hash = 1;
    f->claims.n = 0;
    for (uint64_t k = fate->first; k < fate->first + fate->removed; k++)
        hash = pd_mix(hash + c->removals.v[k].begin) + c->removals.v[k].end;
    for (uint64_t k = 0; k < fate->ncopied; k++)
        if (is_traced(c, fate->copied + k))
            PD_TRY(follow_unit(f, fate->copied + k, &hash));
    const bool wanted = !fate->gone && c->worded[own].nclaims > 0 && hash != fate->seen;
    fate->seen = hash;
    if (!wanted || (fate->removed == 0 && f->claims.n == 0))
        return PD_OK;
    if (fate->removed) {
        PD_TRY(pd_dedup_words(f->d, c->first + own, &f->words));
        PD_TRY(follow_repeats(f->d, c, &f->words, &f->buffer, &f->claims));
    }
    PD_TRY(pd_dedup_plan(f->d, "passages of a document", f->claims.n * sizeof *f->claims.v,
                         PD_BUDGET_FOLLOWED));
    if (f->claims.n == 0)
        return PD_OK;
    pd_sort_records(f->claims.v, f->claims.n, PD_CLAIM_U64S, PD_CLAIM_U64S);
    struct pd_search search = {c->first + own, 0, f->claims.n};
    PD_TRY(pd_shared_append(&f->d->shared, f->claims.v, f->claims.n * sizeof *f->claims.v,
                            &search.at));
    pd_searches_push(searches, search);
    return PD_OK;
}

int pd_follow(struct pd_dedup *d, struct pd_choice *c, struct pd_searches *searches)
{
    struct pd_shuffle answers = {0};
    struct following f = {.d = d, .c = c, .answers = &answers, .words.place = UINT64_MAX};
    struct tracing tracing = {c, (uint64_t)d->comm->rank, 0};
    int status = pd_ask_owners(d, c, next_question, &tracing, &answers);
    for (uint64_t own = 0; own < c->n && status >= 0; own++)
        status = follow_document(&f, own, searches);
    PD_THEN(status, pd_shared_show(&d->shared));
    pd_shuffle_close(&answers);
    pd_claims_release(&f.claims);
    PD_RELEASE(pd_bytes, &f.buffer, &f.words.bytes);
    return pd_comm_agree(d->comm, status);
}
