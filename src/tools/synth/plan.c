/* tools/synth/plan.c - see src/tools/synth/plan.h */
#include "plan.h"

#include <math.h>
#include <stdbool.h>

#include "pardup/base/error.h"

#define PAGES_PER_HOST 20 /* the mean in large collections */
#define HOSTS_LEAST    8
#define SAME_HOST      0.8   /* share of the copies that get the host of their parent */
#define CHAINED        0.3   /* share of the near duplicates made from another copy of the source */
#define NESTED         0.15  /* share of the partial copies from a page that has a partial copy */
#define SENTENCES_MOST 20000 /* of a page */
#define GOLDEN         0.6180339887498949
#define EXACT_GROUPS   100000 /* up to this number, group sizes are summed, else estimated */
#define LENGTHS_LEAST  0.0005 /* groups have lengths from this quantile on: no extremes */
#define LENGTHS_ALL    0.999  /* the range of quantiles that groups have */
#define TRIES          64     /* how often a page with enough sentences to copy is looked for */

/* Sentences of a page at the 10th, 50th and 90th percentile. */
static const double sentences_10 = 2, sentences_50 = 19, sentences_90 = 105;

static const double z_90 = 1.2815515655446004; /* of the standard normal distribution */

uint32_t pd_synth_page_sentences(double u)
{
    const double x = pd_synth_normal(u);
    const double ratio = x < 0 ? sentences_50 / sentences_10 : sentences_90 / sentences_50;
    const double n = round(sentences_50 * exp(log(ratio) * x / z_90));
    return (uint32_t)(n < 1 ? 1 : n > SENTENCES_MOST ? SENTENCES_MOST : n);
}

/*
 * Documents of a group at quantile u. 66 % of the groups have 2 documents, 14 % have 3, 6.5 % have
 * 4, 3.6 % have 5, 2.5 % have 6. The share of a larger size s falls as s^-2.
 */
static uint32_t group_size(double u)
{
    static const double upto[] = {0.66, 0.80, 0.865, 0.901, 0.926};
    const double lo = 1 / 6.5, hi = 1 / 221.5;
    for (uint32_t k = 0; k < sizeof upto / sizeof *upto; k++)
        if (u < upto[k])
            return k + 2;
    const double v = (u - upto[4]) / (1 - upto[4]);
    return (uint32_t)round(1 / (lo - v * (lo - hi)));
}

/*
 * Sentences of a partial copy at quantile u. 60 % of the copies have 1 sentence, 20 % have 2, 12 %
 * have 3 or 4, 6 % have 5 to 9, 2 % have 10 to 49 (evenly on a logarithmic scale).
 */
static uint32_t run_length(double u)
{
    if (u < 0.60)
        return 1;
    if (u < 0.80)
        return 2;
    if (u < 0.92)
        return u < 0.86 ? 3 : 4;
    if (u < 0.98)
        return 5 + (uint32_t)((u - 0.92) / 0.06 * 5);
    return (uint32_t)(10 * pow(5, (u - 0.98) / 0.02));
}

uint32_t pd_synth_host_at(uint64_t hosts, double u)
{
    const double h = exp(u * log((double)hosts + 1)) - 1; /* Zipf's law with exponent 1 */
    return (uint32_t)(h < (double)hosts ? h : (double)hosts - 1);
}

/* The number of documents in `groups` groups. */
static double documents_of(uint64_t groups)
{
    double sum = 0;
    for (uint64_t k = 0; k < groups; k++)
        sum += group_size(((double)k + 0.5) / (double)groups);
    return sum;
}

/* How many groups have `wanted` documents together. */
static uint64_t count_groups(double wanted)
{
    const double guess = wanted / (documents_of(EXACT_GROUPS) / EXACT_GROUPS);
    if (guess > EXACT_GROUPS)
        return (uint64_t)guess;
    uint64_t lo = 0, hi = (uint64_t)wanted / 2 + 1;
    while (lo + 1 < hi) {
        const uint64_t mid = (lo + hi) / 2;
        *(documents_of(mid) <= wanted ? &lo : &hi) = mid;
    }
    return lo;
}

/* The quantile of the length of the group whose rank by size is `rank`. */
static double group_length(uint64_t rank)
{
    double whole;
    /* Large groups are next to each other in rank. Golden steps give them different lengths. */
    return modf(((double)rank + 0.5) * GOLDEN, &whole);
}

/*
 * A few large groups shift the distribution of lengths. Choose the lengths of the independent pages
 * so that all pages together have the wanted distribution.
 */
static void balance(struct pd_synth_plan *p)
{
    const uint64_t step = p->groups / EXACT_GROUPS + 1;
    double documents_in[PD_SYNTH_BINS] = {0};
    const double each = (double)p->documents / PD_SYNTH_BINS;
    for (uint64_t rank = 0; rank < p->groups; rank += step)
        documents_in[(int)(group_length(rank) * PD_SYNTH_BINS)] +=
            (double)step * group_size(((double)rank + 0.5) / (double)p->groups);
    p->lengths[0] = 0;
    for (int k = 0; k < PD_SYNTH_BINS; k++) {
        const double others = documents_in[k] < each ? each - documents_in[k] : 0;
        p->lengths[k + 1] = p->lengths[k] + others;
    }
    for (int k = 1; k <= PD_SYNTH_BINS; k++)
        p->lengths[k] /= p->lengths[PD_SYNTH_BINS] > 0 ? p->lengths[PD_SYNTH_BINS] : 1;
}

/* The quantile of the length of an independent page; u is evenly distributed in [0, 1). */
static double balanced_quantile(const struct pd_synth_plan *p, double u)
{
    int lo = 0, hi = PD_SYNTH_BINS;
    while (lo + 1 < hi) {
        const int mid = (lo + hi) / 2;
        *(p->lengths[mid] <= u ? &lo : &hi) = mid;
    }
    const double width = p->lengths[hi] - p->lengths[lo];
    return (lo + (width > 0 ? (u - p->lengths[lo]) / width : 0.5)) / PD_SYNTH_BINS;
}

void pd_synth_plan_init(struct pd_synth_plan *p, const struct pd_synth_options *o,
                        uint64_t documents)
{
    PD_CHECK(documents > 0);
    p->seed = (uint64_t)o->seed;
    p->documents = documents;
    p->groups = count_groups(o->near * (double)documents);
    p->copies = (uint64_t)llround(o->partial * (double)documents);
    p->hosts = documents / PAGES_PER_HOST + HOSTS_LEAST;
    p->window = UINT64_MAX;
    balance(p);
}

static void forget_blocks(struct pd_synth_plan *p)
{
    for (unsigned k = 0; k < PD_SYNTH_WINDOW / PD_SYNTH_BLOCK; k++)
        p->block[k].n = 0;
}

void pd_synth_plan_release(struct pd_synth_plan *p)
{
    for (unsigned k = 0; k < PD_SYNTH_WINDOW / PD_SYNTH_BLOCK; k++)
        pd_synth_slots_release(&p->block[k]);
}

/* The window of document or slot x: sets its first one and its size; returns its key. */
static uint64_t window_of(const struct pd_synth_plan *p, uint64_t x, uint64_t *first, uint64_t *n)
{
    const uint64_t w = x / PD_SYNTH_WINDOW;
    *first = w * PD_SYNTH_WINDOW;
    *n = p->documents - *first < PD_SYNTH_WINDOW ? p->documents - *first : PD_SYNTH_WINDOW;
    return pd_synth_key(p->seed, PD_SYNTH_SCATTER, w, 0);
}

uint64_t pd_synth_slot_of(const struct pd_synth_plan *p, uint64_t document)
{
    uint64_t first, n;
    const uint64_t key = window_of(p, document, &first, &n);
    return first + pd_synth_permute(key, n, document - first);
}

uint64_t pd_synth_document_of(const struct pd_synth_plan *p, uint64_t slot)
{
    uint64_t first, n;
    const uint64_t key = window_of(p, slot, &first, &n);
    return first + pd_synth_unpermute(key, n, slot - first);
}

/* The key of a purpose for the whole collection. */
static uint64_t key_of(const struct pd_synth_plan *p, enum pd_synth_purpose purpose)
{
    return pd_synth_key(p->seed, purpose, 0, 0);
}

/* How many of `all` things lie before slot `first` if they are spread evenly over the slots. */
static uint64_t things_before(const struct pd_synth_plan *p, uint64_t all, uint64_t first)
{
    return (uint64_t)((unsigned __int128)all * first / p->documents);
}

/* Plan the documents of one group, from slot `at` of the block on; `rank` is by size. */
static void plan_group(const struct pd_synth_plan *p, struct pd_synth_slots *slots, uint64_t first,
                       uint32_t at, uint32_t size, uint64_t rank)
{
    struct pd_synth_slot *source = &slots->v[at];
    source->sentences = pd_synth_page_sentences(group_length(rank) * LENGTHS_ALL + LENGTHS_LEAST);
    for (uint32_t k = 1; k < size; k++) {
        struct pd_synth_random r = {pd_synth_key(p->seed, PD_SYNTH_MEMBER, first + at + k, 0)};
        struct pd_synth_slot *s = &slots->v[at + k];
        const bool chained = k > 1 && pd_synth_unit(&r) < CHAINED;
        s->parent = chained ? at + 1 + pd_synth_below(&r, k - 1) : at;
        if (pd_synth_unit(&r) < SAME_HOST)
            s->host = slots->v[s->parent].host;
        s->sentences = source->sentences;
    }
}

/* Plan the groups of a block. Returns the first slot behind them. */
static uint32_t plan_groups(const struct pd_synth_plan *p, struct pd_synth_slots *slots,
                            uint64_t first)
{
    const uint64_t key = key_of(p, PD_SYNTH_GROUP),
                   end = things_before(p, p->groups, first + slots->n);
    uint32_t at = 0, number = 0;
    for (uint64_t g = things_before(p, p->groups, first); g < end && at + 2 <= slots->n;
         g++, number++) {
        const uint64_t rank = pd_synth_permute(key, p->groups, g);
        uint32_t size = group_size(((double)rank + 0.5) / (double)p->groups);
        if (size > slots->n - at)
            size = (uint32_t)slots->n - at;
        for (uint32_t k = 0; k < size; k++)
            slots->v[at + k].group = number;
        plan_group(p, slots, first, at, size, rank);
        at += size;
    }
    return at;
}

/*
 * Find a slot below `target` that has enough sentences to copy a run of *run sentences. Some copies
 * are nested: they come from a page that itself has a partial copy. Such pages have the slots from,
 * from + step, from + 2 * step, ... If no page is long enough, the longest one found is taken, and
 * *run may shrink.
 */
static uint32_t find_source(const struct pd_synth_slots *slots, struct pd_synth_random *r,
                            uint32_t target, uint32_t step, uint32_t from, uint32_t *run)
{
    const bool nested = pd_synth_unit(r) < NESTED && target >= from + step;
    uint32_t best = 0, tries = 0;
    for (; tries < TRIES; tries++) {
        uint32_t k = pd_synth_below(r, target);
        if (nested)
            k = from + step * pd_synth_below(r, (target - from) / step);
        if (slots->v[k].sentences > slots->v[best].sentences)
            best = k;
        if (slots->v[k].sentences >= *run + *run / 4 + 2)
            return k;
    }
    if (*run > slots->v[best].sentences)
        *run = slots->v[best].sentences;
    return best;
}

/* Plan the partial copies of a block, evenly over the slots from `from` on. */
static void plan_copies(const struct pd_synth_plan *p, struct pd_synth_slots *slots, uint64_t first,
                        uint32_t from)
{
    const uint64_t key = key_of(p, PD_SYNTH_RUN), begin = things_before(p, p->copies, first);
    const uint32_t room = (uint32_t)slots->n - from;
    uint32_t n = (uint32_t)(things_before(p, p->copies, first + slots->n) - begin);
    if (n > room)
        n = room;
    const uint32_t step = n ? room / n : 0;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t target = from + k * step;
        struct pd_synth_random r = {pd_synth_key(p->seed, PD_SYNTH_COPY, first + target, 0)};
        struct pd_synth_slot *s = &slots->v[target];
        if (target == 0)
            continue;
        s->run = run_length(pd_synth_stratum(key, p->copies, begin + k));
        s->parent = find_source(slots, &r, target, step, from, &s->run);
        if (s->sentences < s->run)
            s->sentences = s->run;
        if (pd_synth_unit(&r) < SAME_HOST)
            s->host = slots->v[s->parent].host;
    }
}

static void plan_block(const struct pd_synth_plan *p, uint64_t first, uint32_t n,
                       struct pd_synth_slots *slots)
{
    const uint64_t lengths = key_of(p, PD_SYNTH_LENGTH), hosts = key_of(p, PD_SYNTH_HOST);
    pd_synth_slots_reserve(slots, n);
    slots->n = n;
    for (uint32_t k = 0; k < n; k++)
        slots->v[k] = (struct pd_synth_slot){
            .sentences = pd_synth_page_sentences(
                balanced_quantile(p, pd_synth_stratum(lengths, p->documents, first + k))),
            .host = pd_synth_host_at(p->hosts, pd_synth_stratum(hosts, p->documents, first + k)),
            .parent = PD_SYNTH_NONE,
            .group = PD_SYNTH_NONE};
    plan_copies(p, slots, first, plan_groups(p, slots, first));
}

const struct pd_synth_slots *pd_synth_block(struct pd_synth_plan *p, uint64_t block)
{
    const uint64_t first = block * PD_SYNTH_BLOCK, window = first / PD_SYNTH_WINDOW;
    struct pd_synth_slots *slots = &p->block[block % (PD_SYNTH_WINDOW / PD_SYNTH_BLOCK)];
    if (p->window != window)
        forget_blocks(p);
    p->window = window;
    if (slots->n == 0) {
        const uint64_t left = p->documents - first;
        plan_block(p, first, (uint32_t)(left < PD_SYNTH_BLOCK ? left : PD_SYNTH_BLOCK), slots);
    }
    return slots;
}
