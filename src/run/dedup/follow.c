/* run/dedup/follow.c - where text that has gone leads: to the text that stays because of it. */
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/sort.h"
#include "run/dedup/dedup.h"

enum { SEED = 8 }; /* words that are looked up to find where a run of equal words begins */

#define FACTOR 0x9e3779b97f4a7c15u /* odd: of the hash of a run of words */

/* Does the unit [begin, end) of the document stay? */
static bool stays(const struct pd_dedup *d, const struct pd_worded *w, uint64_t begin, uint64_t end)
{
    return pd_dedup_stays(d, w->doc, (uint32_t)begin, (uint32_t)end);
}

/* Text that has gone: bytes of the document of a removal, which are in it at least in part. */
struct lost {
    const struct pd_removal *removal;
    uint64_t begin, end;
};

/*
 * Append a claim that text [begin, end) of document w stands where the lost text has led to: in the
 * text that proves its removal, about as far from its begin.
 */
static void push(const struct pd_dedup *d, const struct pd_worded *w, uint64_t begin, uint64_t end,
                 const struct lost *lost, uint64_t row, struct pd_claims *found)
{
    const struct pd_removal *r = lost->removal;
    const uint64_t n = r->end - r->begin, kept_n = r->kept_end - r->kept_begin;
    const uint64_t room = (n < kept_n ? kept_n - n : n - kept_n) + end - begin;
    const uint64_t from = r->kept_begin + (lost->begin < r->begin ? 0 : lost->begin - r->begin);
    const uint64_t to = r->kept_begin + (lost->end < r->end ? lost->end - r->begin : n);
    const uint64_t kept_begin = from > r->kept_begin + room ? from - room : r->kept_begin;
    const uint64_t kept_end = to + room < r->kept_end ? to + room : r->kept_end;
    pd_claims_push(found, (struct pd_claim){.gone = w->doc,
                                            .kept_order = pd_dedup_worded(d, r->kept)->order,
                                            .kept = r->kept,
                                            .row = row,
                                            .gone_bytes = begin << 32 | end,
                                            .kept_bytes = kept_begin << 32 | kept_end});
}

/* ---- units that were found in text that has gone ---- */

static void follow_copied(const struct pd_dedup *d, const struct pd_worded *w,
                          struct pd_claims *found)
{
    for (uint64_t k = 0; k < w->ncopied; k++) {
        const struct pd_copied *c = &d->copied.v[w->copied + k];
        if (c->kept == PD_DEDUP_NOWHERE || !stays(d, w, c->begin, c->end))
            continue;
        const struct pd_worded *kept = pd_dedup_worded(d, c->kept);
        struct lost lost = {NULL, c->kept_begin, c->kept_end};
        for (uint64_t n = pd_dedup_removal_behind(d, kept, c->kept_begin); n < kept->removed; n++) {
            lost.removal = &d->removals.v[kept->first + n];
            if (lost.removal->begin >= c->kept_end)
                break;
            push(d, w, c->begin, c->end, &lost, c->row, found);
        }
    }
}

/* Note that the unit of a record stays, and which removals of its kept document it leads to. */
static uint64_t hash_copied(const struct pd_dedup *d, const struct pd_copied *c)
{
    const struct pd_worded *kept = pd_dedup_worded(d, c->kept);
    uint64_t hash = c->begin;
    for (uint64_t n = pd_dedup_removal_behind(d, kept, c->kept_begin); n < kept->removed; n++) {
        const struct pd_removal *r = &d->removals.v[kept->first + n];
        if (r->begin >= c->kept_end)
            break;
        hash = pd_mix(hash + r->kept) + r->kept_begin;
    }
    return hash;
}

bool pd_dedup_mark_follows(struct pd_dedup *d)
{
    bool any = false;
    for (size_t k = 0; k < d->worded.n; k++) {
        struct pd_worded *w = &d->worded.v[k];
        uint64_t hash = 1;
        for (uint64_t n = 0; n < w->removed; n++)
            hash =
                pd_mix(hash + d->removals.v[w->first + n].begin) + d->removals.v[w->first + n].end;
        for (uint64_t n = 0; n < w->ncopied; n++) {
            const struct pd_copied *c = &d->copied.v[w->copied + n];
            if (c->kept != PD_DEDUP_NOWHERE && stays(d, w, c->begin, c->end))
                hash = pd_mix(hash + hash_copied(d, c));
        }
        w->follow = !w->gone && w->nclaims > 0 && hash != w->seen;
        w->seen = hash;
        any |= w->follow;
    }
    return any;
}

/* ---- text that stands twice in a document ---- */

/* The words of a document, with the runs of SEED words that have gone. */
struct repeats {
    const struct pd_dedup *d;
    const struct pd_worded *w;
    const struct pd_dedup_words *words;
    struct pd_follow *f;
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
    const struct pd_removal *r = p->d->removals.v + p->w->first;
    uint64_t at = 0;
    for (size_t u = 0; u < p->words->nunits; u++) {
        const struct pd_sentence *unit = &p->words->units[u];
        while (at < p->w->removed && r[at].end <= unit->begin)
            at++;
        memset(stays + unit->word, at == p->w->removed || unit->begin < r[at].begin, unit->nwords);
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
    size_t lo = 0, hi = p->words->nunits;
    while (hi - lo > 1) {
        const size_t mid = lo + (hi - lo) / 2;
        if (p->words->units[mid].word <= word)
            lo = mid;
        else
            hi = mid;
    }
    return &p->words->units[lo];
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
    const struct pd_removal *r = p->d->removals.v + p->w->first;
    struct lost lost = {NULL, words[gone].begin, words[gone + n - 1].end};
    uint64_t k = pd_dedup_removal_behind(p->d, p->w, (uint32_t)lost.begin);
    for (; k < p->w->removed && r[k].begin < lost.end; k++) {
        lost.removal = &r[k];
        push(p->d, p->w, unit_of(p, at)->begin, unit_of(p, at + n - 1)->end, &lost, r[k].row,
             &p->f->claims);
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

static int follow_repeats(const struct pd_dedup *d, const struct pd_worded *w,
                          const struct pd_dedup_words *words, struct pd_follow *f)
{
    const size_t n = words->nwords;
    struct repeats p = {.d = d, .w = w, .words = words, .f = f, .log = 1};
    if (n < SEED || w->removed == 0)
        return PD_OK;
    while ((size_t)1 << p.log < 2 * n)
        p.log++;
    const size_t places = ((size_t)1 << p.log) * sizeof *p.places;
    const size_t room = n * (sizeof(uint64_t) + 1) + places;
    PD_TRY(pd_dedup_plan(d, "words of a document", room, PD_BUDGET_FOLLOWED));
    pd_bytes_reserve(&f->buffer, room);
    uint64_t *hashes = (uint64_t *)(void *)f->buffer.v;
    p.hashes = hashes;
    p.places = (uint32_t *)(void *)(hashes + n);
    p.stays = f->buffer.v + n * sizeof *hashes + places;
    memset(p.places, 0, places);
    hash_runs(words, hashes);
    mark_words(&p, f->buffer.v + n * sizeof *hashes + places);
    find_repeats(&p);
    return PD_OK;
}

int pd_dedup_follow(const struct pd_dedup *d, const struct pd_worded *w,
                    const struct pd_dedup_words *words, struct pd_follow *f)
{
    f->claims.n = 0;
    if (!d->skips) /* a claim may join two documents whose passages the user left out */
        follow_copied(d, w, &f->claims);
    PD_TRY(follow_repeats(d, w, words, f));
    PD_TRY(pd_dedup_plan(d, "passages of a document", f->claims.n * sizeof *f->claims.v,
                         PD_BUDGET_FOLLOWED));
    pd_sort_records(f->claims.v, f->claims.n, PD_CLAIM_U64S, PD_CLAIM_U64S);
    return PD_OK;
}
