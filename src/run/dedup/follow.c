/* run/dedup/follow.c - where text that has gone leads: to the text that stays because of it. */
#include <string.h>

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

static void mark_words(const struct repeats *p, unsigned char *stays)
{
    const struct pd_removal *r = p->d->removals.v + p->w->first;
    uint64_t at = 0;
    for (size_t k = 0; k < p->words->nwords; k++) {
        while (at < p->w->removed && r[at].end <= p->words->words[k].begin)
            at++;
        stays[k] = at == p->w->removed || p->words->words[k].end <= r[at].begin;
    }
}

/* Do the SEED words from `at` on all stay, or have they all gone? */
static bool is_run(const struct repeats *p, size_t at)
{
    return memchr(p->stays + at, !p->stays[at], SEED) == NULL;
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

static void find_repeats(const struct repeats *p)
{
    const size_t end = p->words->nwords - SEED + 1;
    for (size_t k = 0; k < end; k++)
        if (!p->stays[k] && is_run(p, k))
            *pd_hash_table_at(&p->f->places, p->hashes[k]) = k + 1;
    for (size_t k = 0, n; k < end && p->f->places.n > 0; k += n ? n : 1) {
        const bool looked_up = p->stays[k] && is_run(p, k);
        const uint64_t gone = looked_up ? pd_hash_table_get(&p->f->places, p->hashes[k]) : 0;
        n = gone ? common_run(p, gone - 1, k) : 0;
        if (n > 0 && is_long(p, k, n))
            push_repeat(p, gone - 1, k, n);
    }
    pd_hash_table_release(&p->f->places);
}

static void follow_repeats(const struct pd_dedup *d, const struct pd_worded *w,
                           const struct pd_dedup_words *words, struct pd_follow *f)
{
    const size_t n = words->nwords;
    if (n < SEED || w->removed == 0)
        return;
    pd_bytes_reserve(&f->buffer, n * (sizeof(uint64_t) + 1));
    uint64_t *hashes = (uint64_t *)(void *)f->buffer.v;
    unsigned char *stay = f->buffer.v + n * sizeof *hashes;
    const struct repeats p = {d, w, words, f, hashes, stay};
    hash_runs(words, hashes);
    mark_words(&p, stay);
    find_repeats(&p);
}

void pd_dedup_follow(const struct pd_dedup *d, const struct pd_worded *w,
                     const struct pd_dedup_words *words, struct pd_follow *f)
{
    f->claims.n = 0;
    if (!d->skips) /* a claim may join two documents whose passages the user left out */
        follow_copied(d, w, &f->claims);
    follow_repeats(d, w, words, f);
    pd_sort_records(f->claims.v, f->claims.n, PD_CLAIM_U64S, PD_CLAIM_U64S);
}
