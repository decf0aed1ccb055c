/*
 * passage/refine.c - see include/pardup/passage/refine.h
 *
 * All scores are whole numbers, in sixteenths of a bit. If a copy keeps each word with probability
 * r, and a word stands by chance in n words with probability q = n / 2^rarity, a word that stands
 * in the other span has the log-likelihood ratio log2(r / q), and another word about log2(1 - r).
 */
#include "pardup/passage/refine.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "literal.h"
#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"
#include "pardup/passage/stretch.h"

/* A share r of words that a copy keeps, in sixteenths of a bit. */
struct keeping {
    int kept; /* 16 log2(r) */
    int lost; /* 16 log2(1 - r) */
};
static const struct keeping verbatim = {0, -90}; /* r = .98 */
static const struct keeping edited = {-17, -15}; /* r = .48 */
static const struct keeping summary = {-69, -1}; /* r = .05 */

/*
 * Scores are sums over both sides. Constants were chosen on half of PAN13's training pairs and
 * checked on the other half; the last changes were judged on all of them.
 */
enum {
    GAIN_MOST = 104,      /* a word scores 6.5 bits at most */
    HALF_BIT = 8,         /* rarities are rounded down to whole bits: half a bit is added */
    SCORE_LEAST = 1039,   /* the least score of a span: 65 bits, or 45 nats */
    SCORE_UNEVEN = 1501,  /* the least score of an uneven span: 94 bits, or 65 nats */
    SCORE_TRIED = 577,    /* a region whose span has less is not tried for uneven spans */
    SCORE_HOPEFUL = 1000, /* an uneven span that scores less in the first round is given up */
    WORDS_LEAST = 15,     /* least words of either side of a span */
    UNEVEN_RATIO = 2,     /* least ratio of the sides of an uneven span, in words */
    EDITED_TENTHS = 13,   /* `edited` must score 1.3 times as much as `verbatim` to be chosen */
    SCORE_LITERAL = 480,  /* the least score of a literal span: 30 bits */
    WORDS_LITERAL = 10,   /* least words of either side of a literal span */
    WORDS_SURE = 20,      /* a literal span of so many words needs no score */
    ALIKE_LITERAL = 120,  /* the same as ALIKE, for words of the longer side of a literal span */
    NEAR = 20,            /* words before and behind a region in which literal spans are found */
    WIDEN_WORDS = 30,     /* words by which either end is widened, besides half the length */
    WIDE_ROUNDS = 4,      /* rounds with widened spans, at most */
    ROUNDS = 6,           /* all rounds, at most */
    ALIKE = 65,           /* least matched words and neighbours for 100 words of the shorter side */
    ALIKE_UNEVEN = 90,    /* the same for an uneven span */
    RUN = 3,              /* common words in a row at both ends of a verbatim span */
    UNLIKE_TENTHS = 3,    /* a span of which fewer tenths agree has to say more */
    SCORE_UNLIKE = 2720,  /* the least score of such a span: 170 bits */
    SCORE_WORD = 16,      /* and for each word of its shorter side: one bit */
    TRIM_MOST = 64        /* words by which an end of a verbatim span moves inward at most */
};

int pd_log2_sixteenths(uint64_t n)
{
    const int whole = 63 - __builtin_clzll(n);
    uint64_t mantissa = n << (63 - whole); /* 2^63 stands for 1 */
    int log = whole;
    for (int k = 0; k < 4; k++) { /* squaring doubles the logarithm: its next bit is the carry */
        const unsigned __int128 square = (unsigned __int128)mantissa * mantissa;
        const int carry = (int)(square >> 127);
        mantissa = (uint64_t)(square >> (63 + carry));
        log = 2 * log + carry;
    }
    return log;
}

/* ---- the words of both windows, numbered ---- */

/* The id of a word. Words are hashes, but for their last bits (pd_refine_word). */
static inline uint32_t id_of(struct pd_refining *r, uint64_t word)
{
    const size_t mask = r->slots.n - 1;
    size_t slot = word >> 4 & mask;
    while (r->slots.v[slot] && r->words.v[r->slots.v[slot] - 1] != word)
        slot = (slot + 1) & mask;
    if (!r->slots.v[slot]) {
        r->words.v[r->words.n++] = word;
        r->slots.v[slot] = (uint32_t)r->words.n;
    }
    return r->slots.v[slot] - 1;
}

static void zeroes(struct pd_word_ids *v, size_t n)
{
    pd_word_ids_reserve(v, n);
    memset(v->v, 0, n * sizeof *v->v);
    v->n = n;
}

/* List the words of a side that stand in the window of the other side. */
static void list_shared(struct pd_refining *r, int side)
{
    const uint32_t *ids = r->ids[side].v, *there = r->in_window[!side].v;
    const size_t n = r->ids[side].n;
    pd_shared_words_reserve(&r->shared[side], n + 1);
    pd_word_ids_reserve(&r->shared_before[side], n + 1);
    struct pd_shared_word *to = r->shared[side].v;
    uint32_t *before = r->shared_before[side].v, found = 0;
    for (uint32_t k = 0; k < n; k++) {
        before[k] = found;
        to[found] = (struct pd_shared_word){k, ids[k]};
        found += there[ids[k]] > 0;
    }
    before[n] = found;
}

static void number_words(struct pd_refining *r, const struct pd_window *a,
                         const struct pd_window *b)
{
    const struct pd_window *const windows[2] = {a, b};
    const size_t most = (size_t)a->n + b->n;
    size_t nslots = 2;
    while (nslots < 2 * most)
        nslots *= 2;
    zeroes(&r->slots, nslots);
    pd_u64s_reserve(&r->words, most);
    r->words.n = 0;
    for (int side = 0; side < 2; side++) {
        const size_t n = r->ids[side].n = windows[side]->n;
        pd_word_ids_reserve(&r->ids[side], n);
        zeroes(&r->in_window[side], most);
        for (size_t k = 0; k < n; k++) {
            const uint32_t id = id_of(r, windows[side]->v[k]);
            r->ids[side].v[k] = id;
            r->in_window[side].v[id]++;
        }
    }
    zeroes(&r->in_span, r->words.n);
    pd_aboves_reserve(&r->above, r->words.n);
    memset(r->above.v, 0, r->words.n * sizeof *r->above.v);
    for (int side = 0; side < 2; side++)
        list_shared(r, side);
}

/* ---- the span of one side, given that of the other ---- */

/* Both sides of a span while it is sought; how its sides were found, and what they score. */
struct sought {
    struct pd_stretch at[2];
    int64_t score[2];
    const struct keeping *keeping[2];
};

/* The shared words of a side in a stretch: [*end is set, returned). */
static const struct pd_shared_word *shared_in(const struct pd_refining *r, int side,
                                              struct pd_stretch at,
                                              const struct pd_shared_word **end)
{
    *end = r->shared[side].v + r->shared_before[side].v[at.to];
    return r->shared[side].v + r->shared_before[side].v[at.from];
}

/* Count the words of a stretch that both windows have. */
static void count_span(struct pd_refining *r, int side, struct pd_stretch at, uint32_t step)
{
    const struct pd_shared_word *end, *w = shared_in(r, side, at, &end);
    for (; w < end; w++)
        r->in_span.v[w->id] += step;
}

/*
 * What a word with this id scores in one side if it stands in the other span, which has
 * 2^(log_words / 16) words. A word that is more frequent in the window of its side than in the
 * other span is what the text is about: it scores less, by the square of the ratio.
 */
static int32_t gain_of(const struct pd_refining *r, int side, uint32_t id, int log_words,
                       const struct keeping *keeping)
{
    const int commonness = (int)(r->words.v[id] & PD_REFINE_COMMONNESS);
    const int information = 16 * (PD_REFINE_RARITY_MOST - commonness) + HALF_BIT;
    const int64_t gain = information - log_words + keeping->kept;
    if (gain <= 0)
        return 0;
    const int64_t most = gain > GAIN_MOST ? GAIN_MOST : gain;
    const int64_t there = r->in_span.v[id], here = r->in_window[side].v[id];
    return (int32_t)(here > there ? most * there / here * there / here : most);
}

/*
 * Given a stretch of one side, find the stretch of the other side that has a word of `core` and the
 * greatest sum of scores (passage/stretch.h), for each share of nchoices that a copy may keep.
 */
static void best_stretches(struct pd_refining *r, int side, struct pd_stretch core,
                           struct pd_stretch other, const struct keeping *const *choices,
                           int nchoices, struct pd_scored_stretch *best)
{
    const int log_words = pd_log2_sixteenths(other.to - other.from);
    const struct pd_shared_word *end, *const begin = shared_in(r, !side, other, &end);
    struct pd_above *const above = r->above.v;
    const uint32_t *before = r->shared_before[side].v;
    struct pd_stretching s = {.v = r->shared[side].v,
                              .core_from = before[core.from],
                              .core_to = before[core.to],
                              .n = before[r->ids[side].n],
                              .core = core,
                              .above = above};
    count_span(r, !side, other, 1);
    for (int c = 0; c < nchoices; c++)
        s.lost[c] = choices[c]->lost;
    for (const struct pd_shared_word *w = begin; w < end; w++)
        for (int c = 0; c < nchoices && above[w->id].by[c] == 0; c++) /* once a word */
            above[w->id].by[c] = gain_of(r, side, w->id, log_words, choices[c]) - s.lost[c];
    pd_stretch_best(&s, nchoices, best);
    for (const struct pd_shared_word *w = begin; w < end; w++) {
        above[w->id] = (struct pd_above){{0}};
        r->in_span.v[w->id] = 0;
    }
}

/* A stretch, widened on both sides as far as its window goes. */
static struct pd_stretch widened(const struct pd_refining *r, int side, struct pd_stretch at)
{
    const uint32_t by = WIDEN_WORDS + (at.to - at.from) / 2;
    return (struct pd_stretch){at.from > by ? at.from - by : 0,
                               pd_min_u32(at.to + by, (uint32_t)r->ids[side].n)};
}

/* Is the score with a smaller share of kept words enough to choose that share? */
static bool is_better(int64_t score, int64_t before)
{
    return before <= 0 || 10 * score > EDITED_TENTHS * before;
}

/*
 * Find one side anew, given the other. `choices`: nchoices shares that a copy may keep, the
 * greatest first. A smaller share must score more than EDITED_TENTHS / 10 of the share before.
 */
static void seek_side(struct pd_refining *r, int side, bool wide,
                      const struct keeping *const *choices, int nchoices, struct sought *s)
{
    const struct pd_stretch other = wide ? widened(r, !side, s->at[!side]) : s->at[!side];
    struct pd_scored_stretch best[PD_STRETCH_CHOICES];
    best_stretches(r, side, s->at[side], other, choices, nchoices, best);
    for (int k = 0; k < nchoices; k++) {
        if (k > 0 && !is_better(best[k].score, s->score[side]))
            continue;
        s->at[side] = best[k].at;
        s->score[side] = best[k].score;
        s->keeping[side] = choices[k];
    }
}

static int64_t score_of(const struct sought *s) { return s->score[0] + s->score[1]; }

static bool same_places(const struct sought *x, const struct sought *y)
{
    return memcmp(x->at, y->at, sizeof x->at) == 0;
}

/*
 * Find both sides in turn until they stay, first with widened spans, then with the spans
 * themselves. Sides that score too little in the first round are given up: they hardly ever score
 * enough later. `uneven`: the side whose words are mostly not in the other; -1: none.
 */
static struct sought seek(struct pd_refining *r, const struct pd_stretch *core, int uneven)
{
    static const struct keeping *const even[] = {&verbatim, &edited}, *const sparse[] = {&summary};
    struct sought s = {.at = {core[0], core[1]}};
    for (int round = 0; round < ROUNDS; round++) {
        const struct sought before = s;
        const bool wide = round < WIDE_ROUNDS;
        for (int side = 0; side < 2; side++)
            if (side == uneven)
                seek_side(r, side, wide, sparse, 1, &s);
            else
                seek_side(r, side, wide, even, 2, &s);
        if (round == 0 && score_of(&s) < (uneven < 0 ? SCORE_TRIED : SCORE_HOPEFUL))
            break;
        if (same_places(&s, &before)) {
            if (!wide)
                break;
            round = WIDE_ROUNDS - 1;
        }
    }
    return s;
}

/* ---- the ends of a verbatim span ---- */

/* Do the RUN words from word k of a side stand in a row in a stretch of the other side? */
static bool run_stands(const struct pd_refining *r, int side, uint32_t k, struct pd_stretch other)
{
    const uint32_t *x = r->ids[side].v + k, *y = r->ids[!side].v;
    for (uint32_t m = other.from; m + RUN <= other.to; m++)
        if (memcmp(x, y + m, RUN * sizeof *x) == 0)
            return true;
    return false;
}

/* Move both ends of a side inward to runs that stand in the other side, if there are some. */
static struct pd_stretch trimmed(const struct pd_refining *r, int side, const struct sought *s)
{
    const struct pd_stretch at = s->at[side], other = s->at[!side];
    struct pd_stretch to = at;
    while (to.from + RUN < to.to && to.from - at.from < TRIM_MOST &&
           !run_stands(r, side, to.from, other))
        to.from++;
    while (to.from + RUN < to.to && at.to - to.to < TRIM_MOST &&
           !run_stands(r, side, to.to - RUN, other))
        to.to--;
    return run_stands(r, side, to.from, other) && run_stands(r, side, to.to - RUN, other) ? to : at;
}

/* ---- spans of a region ---- */

/* How many words of a side stand in the other side. */
static uint32_t count_matched(struct pd_refining *r, const struct sought *s, int side)
{
    const struct pd_shared_word *end, *w = shared_in(r, side, s->at[side], &end);
    uint32_t matched = 0;
    count_span(r, !side, s->at[!side], 1);
    for (; w < end; w++)
        matched += r->in_span.v[w->id] > 0;
    count_span(r, !side, s->at[!side], UINT32_MAX);
    return matched;
}

static uint32_t words_of(const struct sought *s, int side)
{
    return s->at[side].to - s->at[side].from;
}

static int by_u64(const void *x, const void *y)
{
    const uint64_t p = *(const uint64_t *)x, q = *(const uint64_t *)y;
    return (p > q) - (p < q);
}

/*
 * How many pairs of adjacent words of a side are adjacent in the other side, in the same order.
 * Both words of a pair stand in both windows.
 */
static uint32_t count_neighbours(struct pd_refining *r, const struct sought *s, int side)
{
    const struct pd_shared_word *end, *w = shared_in(r, !side, s->at[!side], &end);
    uint32_t neighbours = 0;
    r->adjacent.n = 0;
    for (; w + 1 < end; w++)
        if (w[0].at + 1 == w[1].at)
            pd_u64s_push(&r->adjacent, pd_ij(w[0].id, w[1].id));
    pd_sort_records(r->adjacent.v, r->adjacent.n, 1, 1);
    for (w = shared_in(r, side, s->at[side], &end); r->adjacent.n && w + 1 < end; w++) {
        const uint64_t pair = pd_ij(w[0].id, w[1].id);
        neighbours += w[0].at + 1 == w[1].at &&
                      bsearch(&pair, r->adjacent.v, r->adjacent.n, sizeof pair, by_u64) != NULL;
    }
    return neighbours;
}

/* Are both sides the same words in the same order? */
static bool are_equal(const struct pd_refining *r, const struct sought *s)
{
    return words_of(s, 0) == words_of(s, 1) &&
           memcmp(r->ids[0].v + s->at[0].from, r->ids[1].v + s->at[1].from,
                  words_of(s, 0) * sizeof *r->ids[0].v) == 0;
}

/* For 100 words of a side, how many words and neighbours stand in the other side? Rounded down. */
static int64_t alike_of(struct pd_refining *r, const struct sought *s, int side)
{
    const uint64_t alike = are_equal(r, s)
                               ? 2 * (uint64_t)words_of(s, side) - 1
                               : (uint64_t)count_matched(r, s, side) + count_neighbours(r, s, side);
    return (int64_t)(100 * alike / words_of(s, side));
}

/* The least score of a span whose words agree little. */
static int64_t score_of_unlike(const struct sought *s)
{
    const int64_t by_words = (int64_t)SCORE_WORD * pd_min_u32(words_of(s, 0), words_of(s, 1));
    return by_words > SCORE_UNLIKE ? by_words : SCORE_UNLIKE;
}

/* Do so few words of a span agree that it can be two texts about one thing? */
static bool is_unlike(struct pd_refining *r, const struct sought *s, const struct pd_window *a,
                      const struct pd_window *b)
{
    const uint32_t longer = pd_max_u32(words_of(s, 0), words_of(s, 1));
    if (score_of(s) >= score_of_unlike(s))
        return false;
    r->agreement.exact_cells = PD_AGREEMENT_CELLS;
    return 10 * pd_agreement_words(&r->agreement,
                                   (struct pd_spoken){a->v + s->at[0].from, words_of(s, 0)},
                                   (struct pd_spoken){b->v + s->at[1].from, words_of(s, 1)}) <
           (uint64_t)UNLIKE_TENTHS * longer;
}

/* The words of a window beyond an end of its side of a span. */
static struct pd_beyond_words beyond(const struct pd_window *window, struct pd_stretch at, int step)
{
    return step > 0 ? (struct pd_beyond_words){window->spellings + at.to, window->n - at.to, step}
                    : (struct pd_beyond_words){window->spellings + at.from - (at.from > 0), at.from,
                                               step};
}

/* Let the ends of a span grow; they do not without spellings. */
static void grow(struct pd_refining *r, const struct sought *s, const struct pd_window *a,
                 const struct pd_window *b, struct pd_span *span)
{
    if (!a->spellings || !b->spellings)
        return;
    span->back = pd_grow(&r->growing, beyond(a, s->at[0], -1), beyond(b, s->at[1], -1));
    span->ahead = pd_grow(&r->growing, beyond(a, s->at[0], 1), beyond(b, s->at[1], 1));
}

/* The side that has fewer words; a, if both have as many. */
static int shorter_of(const struct sought *s) { return words_of(s, 1) < words_of(s, 0); }

/* What a span of each kind needs. */
static const struct floors {
    int64_t score;
    uint32_t words; /* of its shorter side */
    int64_t alike;  /* per cent: see alike_of() */
} floors[] = {[PD_SPAN_EVEN] = {SCORE_LEAST, WORDS_LEAST, ALIKE},
              [PD_SPAN_UNEVEN] = {SCORE_UNEVEN, WORDS_LEAST, ALIKE_UNEVEN},
              [PD_SPAN_LITERAL] = {SCORE_LITERAL, WORDS_LITERAL, ALIKE_LITERAL}};

/* A floor of a span: its fate, unless it has enough or has missed a floor before. */
static void expect(struct pd_tried *j, enum pd_span_fate fate, int64_t has, int64_t needs)
{
    if (j->fate != PD_SPAN_KEPT || has >= needs)
        return;
    j->fate = fate;
    j->has = has;
    j->needs = needs;
}

/*
 * Is a span long enough, and does it score enough? A literal span of many words needs no score: in
 * a small collection all words are frequent, so scores say little there.
 */
static void weigh(const struct sought *s, struct pd_tried *j)
{
    const uint32_t words = words_of(s, shorter_of(s));
    if (j->span.kind == PD_SPAN_LITERAL && words >= WORDS_SURE)
        return;
    expect(j, PD_SPAN_SHORT, words, floors[j->span.kind].words);
    expect(j, PD_SPAN_LOW, score_of(s), floors[j->span.kind].score);
}

/*
 * Do enough words of the shorter side of a span stand in the other side, and enough of them beside
 * the same word? Two texts about one thing share words, but not their order. Of a literal span the
 * longer side is judged; other spans may not be unlike.
 */
static void compare(struct pd_refining *r, const struct sought *s, const struct pd_window *a,
                    const struct pd_window *b, struct pd_tried *j)
{
    const bool literal = j->span.kind == PD_SPAN_LITERAL;
    if (j->fate == PD_SPAN_KEPT)
        expect(j, PD_SPAN_LOOSE, alike_of(r, s, literal ? !shorter_of(s) : shorter_of(s)),
               floors[j->span.kind].alike);
    if (j->fate == PD_SPAN_KEPT && !literal && is_unlike(r, s, a, b))
        expect(j, PD_SPAN_UNLIKE, score_of(s), score_of_unlike(s));
}

/* End the judgement of a span. Returns whether it is kept. */
static bool end(struct pd_refining *r, const struct sought *s, const struct pd_window *a,
                const struct pd_window *b, struct pd_tried *j)
{
    struct pd_span *const span = &j->span;
    const bool kept = j->fate == PD_SPAN_KEPT;
    if (!kept && !r->tried)
        return false;
    span->score = score_of(s);
    span->start_a = a->first + s->at[0].from;
    span->start_b = b->first + s->at[1].from;
    span->length_a = words_of(s, 0);
    span->length_b = words_of(s, 1);
    span->matched = count_matched(r, s, shorter_of(s));
    if (kept)
        pd_spans_push(&r->spans, *span);
    if (r->tried)
        pd_trieds_push(r->tried, *j);
    return kept;
}

/* Judge a span, and keep it if it misses no floor. Returns whether it is kept. */
static bool judge(struct pd_refining *r, const struct sought *found, const struct pd_window *a,
                  const struct pd_window *b, enum pd_span_kind kind)
{
    struct pd_tried j = {.span.kind = kind};
    struct sought s = *found;
    weigh(&s, &j);
    if (j.fate == PD_SPAN_KEPT && kind == PD_SPAN_EVEN && s.keeping[0] == &verbatim &&
        s.keeping[1] == &verbatim)
        for (int side = 0; side < 2; side++)
            s.at[side] = trimmed(r, side, found);
    compare(r, &s, a, b, &j);
    if (j.fate == PD_SPAN_KEPT && kind != PD_SPAN_UNEVEN)
        grow(r, &s, a, b, &j.span);
    return end(r, &s, a, b, &j);
}

/*
 * Take the words of the core for a span if its ends grow by enough words: where nearly all words
 * are misread, those that are left score too little.
 */
static void judge_misread(struct pd_refining *r, const struct pd_stretch *core,
                          const struct pd_window *a, const struct pd_window *b)
{
    const struct sought s = {.at = {core[0], core[1]}, .score = {SCORE_LEAST, 0}};
    struct pd_tried j = {.span.kind = PD_SPAN_EVEN};
    const struct pd_growth *const back = &j.span.back, *const ahead = &j.span.ahead;
    grow(r, &s, a, b, &j.span);
    expect(&j, PD_SPAN_STILL, pd_min_u32(back->a + ahead->a, back->b + ahead->b), WORDS_LEAST);
    end(r, &s, a, b, &j);
}

/* ---- literal spans ---- */

/* What a side scores, if a copy keeps this share of its words. The other side has been counted. */
static int64_t score_side(const struct pd_refining *r, const struct sought *s, int side,
                          const struct keeping *keeping)
{
    const int log_words = pd_log2_sixteenths(words_of(s, !side));
    int64_t score = 0;
    for (uint32_t k = s->at[side].from; k < s->at[side].to; k++) {
        const uint32_t id = r->ids[side].v[k];
        score += r->in_span.v[id] ? gain_of(r, side, id, log_words, keeping) : keeping->lost;
    }
    return score;
}

/* Score both sides of a span as it is, with 0 at least. */
static void score_sides(struct pd_refining *r, struct sought *s)
{
    for (int side = 0; side < 2; side++) {
        count_span(r, !side, s->at[!side], 1);
        const int64_t score = score_side(r, s, side, &edited);
        s->score[side] = score_side(r, s, side, &verbatim);
        if (is_better(score, s->score[side]))
            s->score[side] = score;
        s->score[side] = s->score[side] < 0 ? 0 : s->score[side];
        count_span(r, !side, s->at[!side], UINT32_MAX);
    }
}

static bool meets(struct pd_stretch x, struct pd_stretch y)
{
    return x.from < y.to && y.from < x.to;
}

static bool covers(struct pd_stretch x, struct pd_stretch y)
{
    return x.from <= y.from && x.to >= y.to;
}

/* Extend both ends of a span while the words beyond them agree. Returns whether any does. */
static bool extend(const struct pd_refining *r, struct sought *s)
{
    const uint32_t *x = r->ids[0].v, *y = r->ids[1].v;
    const uint32_t from = s->at[0].from, to = s->at[0].to;
    while (s->at[0].from && s->at[1].from && x[s->at[0].from - 1] == y[s->at[1].from - 1]) {
        s->at[0].from--;
        s->at[1].from--;
    }
    while (s->at[0].to < r->ids[0].n && s->at[1].to < r->ids[1].n &&
           x[s->at[0].to] == y[s->at[1].to]) {
        s->at[0].to++;
        s->at[1].to++;
    }
    return s->at[0].from < from || s->at[0].to > to;
}

/*
 * Find the literal spans that have words of the core in both documents. Returns whether one of them
 * has all words of the core, and ends near it.
 */
static bool judge_literal(struct pd_refining *r, const struct pd_stretch *core,
                          const struct pd_window *a, const struct pd_window *b)
{
    struct pd_literal_words near[2];
    uint32_t from[2];
    for (int side = 0; side < 2; side++) {
        from[side] = core[side].from > NEAR ? core[side].from - NEAR : 0;
        const uint32_t to = pd_min_u32(core[side].to + NEAR, (uint32_t)r->ids[side].n);
        near[side] = (struct pd_literal_words){
            r->ids[side].v + from[side], r->shared_before[side].v + from[side], to - from[side]};
    }
    if (!r->literal)
        r->literal = pd_literal_new();
    const struct pd_passages *found = pd_literal_find(r->literal, near[0], near[1]);
    bool whole = false;
    for (size_t k = 0; k < found->n; k++) {
        const struct pd_passage *p = &found->v[k];
        const uint32_t start_a = from[0] + p->start_a, start_b = from[1] + p->start_b;
        struct sought s = {
            .at = {{start_a, start_a + p->length_a}, {start_b, start_b + p->length_b}}};
        if (!meets(s.at[0], core[0]) || !meets(s.at[1], core[1]))
            continue;
        const bool goes_on = extend(r, &s);
        score_sides(r, &s);
        if (judge(r, &s, a, b, PD_SPAN_LITERAL))
            whole |= !goes_on && covers(s.at[0], core[0]) && covers(s.at[1], core[1]);
    }
    return whole;
}

/* ---- all spans of a region ---- */

/* Find the spans that are no literal ones. */
static void judge_others(struct pd_refining *r, const struct pd_stretch *core,
                         const struct pd_window *a, const struct pd_window *b)
{
    struct sought s = seek(r, core, -1);
    judge(r, &s, a, b, PD_SPAN_EVEN);
    for (int side = 1; side >= 0 && score_of(&s) >= SCORE_TRIED; side--) {
        const struct sought uneven = seek(r, core, side);
        if (words_of(&uneven, side) >= UNEVEN_RATIO * words_of(&uneven, !side))
            judge(r, &uneven, a, b, PD_SPAN_UNEVEN);
    }
}

void pd_refine_region(struct pd_refining *r, const struct pd_passage *region,
                      const struct pd_window *a, const struct pd_window *b)
{
    const uint32_t from_a = region->start_a - a->first, from_b = region->start_b - b->first;
    const struct pd_stretch core[2] = {{from_a, from_a + region->length_a},
                                       {from_b, from_b + region->length_b}};
    const size_t before = r->spans.n;
    number_words(r, a, b);
    if (judge_literal(r, core, a, b))
        return;
    judge_others(r, core, a, b);
    if (r->spans.n == before)
        judge_misread(r, core, a, b);
}

void pd_refining_release(struct pd_refining *r)
{
    PD_RELEASE(pd_spans, &r->spans, &r->chosen);
    for (int side = 0; side < 2; side++) {
        PD_RELEASE(pd_word_ids, &r->ids[side], &r->in_window[side]);
        pd_shared_words_release(&r->shared[side]);
        pd_word_ids_release(&r->shared_before[side]);
    }
    PD_RELEASE(pd_word_ids, &r->in_span, &r->slots);
    PD_RELEASE(pd_u64s, &r->words, &r->adjacent);
    pd_aboves_release(&r->above);
    pd_agreement_release(&r->agreement);
    pd_growing_release(&r->growing);
    pd_literal_free(r->literal);
    r->literal = NULL;
}
