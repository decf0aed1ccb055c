/*
 * passage/refine.h - from a region to the copied text in it, by the words of both documents.
 *
 * A span of document a and a span of document b are found in turn: each is the stretch of words
 * with the greatest sum of scores, given the words of the other. A word that also stands in the
 * other span scores its information; any other word costs. So the order of words does not matter,
 * and sentence ends are not needed. What a missing word costs follows from the share of words that
 * a copy keeps, which is chosen for each span: nearly all, or about half. If one side is much
 * longer than the other, as for a summary, a twentieth.
 * Spans that score too little when both sides have been found once are given up: few of them would
 * score enough in the end.
 * Words that a region and its neighbourhood share in the same order are spans as well
 * (passage/literal.h): short quotations, and copies of a part of what is alike.
 * A region without a span is one itself, with the least score, if its ends grow by 15 words on both
 * sides (passage/grow.h): its other words were misread, or are spelled in another way.
 *
 * Source: the task and its parts (seeds, extension that adapts, filtering by quality, a mode for
 * summaries) as in Sanchez-Perez, Sidorov, Gelbukh, "A Winning Approach to Text Alignment for Text
 * Reuse Detection at PAN 2014", CLEF 2014. The stretch with the greatest sum: Bentley,
 * "Programming Pearls", CACM 27(9), 1984.
 * Deviation from Sanchez-Perez: words instead of sentences are compared, and log-likelihood
 * ratios instead of cosine and Dice.
 */
#ifndef PARDUP_PASSAGE_REFINE_H
#define PARDUP_PASSAGE_REFINE_H

#include <stdbool.h>

#include "pardup/base/hash.h"
#include "pardup/base/record.h"
#include "pardup/base/spelling.h"
#include "pardup/passage/agreement.h"
#include "pardup/passage/grow.h"
#include "pardup/passage/stretch.h"

enum {
    PD_REFINE_MARGIN = 500,     /* words before and behind a region that are looked at */
    PD_REFINE_RARITY_MOST = 17, /* bits; the rarity of a word is this number less its commonness */
    PD_REFINE_COMMONNESS = 15   /* the bits of a packed word that hold its commonness */
};

/* A word as it is compared: its term, whose last bits are replaced by its commonness, 0 to 15. */
static inline uint64_t pd_refine_word(uint64_t term, unsigned commonness)
{
    return (term & ~(uint64_t)PD_REFINE_COMMONNESS) | commonness;
}

/*
 * A word that is set aside, as it is compared: like no other one, and common, so that it ends spans
 * as words of one document alone do. *spelling: letters that are made of its place.
 *   doc, word  its place; doc differs between the documents of a pair
 */
static inline uint64_t pd_refine_hidden(uint64_t doc, uint32_t word, uint64_t *spelling)
{
    const uint64_t letters = UINT64_C(0x084210842108421); /* a bit of each of 12 */
    const uint64_t hash = pd_mix(doc << 32 | word);
    *spelling = (hash & (letters * PD_SPELLING_CODES)) | letters;
    return pd_refine_word(hash, PD_REFINE_COMMONNESS);
}

/* Consecutive words of a document (pd_refine_word), borrowed. `first`: the index of v[0] in it. */
struct pd_window {
    const uint64_t *v;
    uint32_t n, first;
    const uint64_t *spellings; /* of each word (base/spelling.h); NULL: spans do not grow */
};

/* How a span was found, in the order in which spans are chosen. */
enum pd_span_kind {
    PD_SPAN_EVEN,
    PD_SPAN_UNEVEN, /* one side keeps a small share of the words of the other */
    PD_SPAN_LITERAL /* most words stand in both sides in the same order */
};

/* Words [start, start + length) of two documents that are taken for a copy. */
struct pd_span {
    int64_t score; /* sixteenths of a bit */
    uint32_t start_a, start_b, length_a, length_b;
    uint32_t matched; /* words of the shorter side that stand in the other; a, if equally long */
    uint32_t kind;    /* enum pd_span_kind */
    struct pd_growth back, ahead; /* words by which the span grows, if nothing is in the way */
    bool joined;                  /* pd_refine_pair(): it becomes one span with the next one */
};
PD_VEC(pd_spans, struct pd_span);

/* The fate of a span that was found in a region: the first floor that it misses. */
enum pd_span_fate {
    PD_SPAN_KEPT,
    PD_SPAN_SHORT,  /* too few words on its shorter side */
    PD_SPAN_LOW,    /* its score is too low */
    PD_SPAN_LOOSE,  /* too few of its words stand in the other side, and beside the same words */
    PD_SPAN_UNLIKE, /* too few of its words agree in order, for its score */
    PD_SPAN_STILL   /* the region itself, in place of a span: its ends do not grow enough */
};

/* A span, its fate, and what it has and would need there: words, sixteenths of a bit, or per cent. */
struct pd_tried {
    struct pd_span span;
    enum pd_span_fate fate;
    int64_t has, needs; /* of the floor that it misses */
};
PD_VEC(pd_trieds, struct pd_tried);

PD_VEC(pd_word_ids, uint32_t);

/* Buffers, and the spans of the pair at hand. A zeroed struct is empty; release it in the end. */
struct pd_refining {
    struct pd_spans spans; /* of all regions of the pair */
    struct pd_spans chosen;
    struct pd_word_ids ids[2];       /* the words of the windows, numbered */
    struct pd_word_ids in_window[2]; /* by word id: occurrences in the window */
    struct pd_word_ids
        in_span; /* by word id: occurrences in the other span; zeroes between calls */
    struct pd_shared_words shared[2];    /* the words of the windows that both windows have */
    struct pd_word_ids shared_before[2]; /* by index in the window: shared words before it */
    struct pd_u64s words;                /* by word id: the word */
    struct pd_u64s adjacent;             /* pairs of ids of adjacent words */
    struct pd_word_ids slots;            /* hash table of word ids */
    struct pd_aboves above; /* by word id: see best_stretches in refine.c; zeroes between calls */
    struct pd_agreement agreement;
    struct pd_growing growing;
    struct pd_literal *literal; /* made when it is needed first */
    struct pd_trieds *tried;    /* all spans that are looked at are added; borrowed; NULL: none */
};

/* The words around [start, start + length) of a document of n words that its window has. */
static inline struct pd_stretch pd_refine_around(uint32_t start, uint32_t length, size_t n)
{
    const uint64_t end = (uint64_t)start + length + PD_REFINE_MARGIN;
    return (struct pd_stretch){start > PD_REFINE_MARGIN ? start - PD_REFINE_MARGIN : 0,
                               end < n ? (uint32_t)end : (uint32_t)n};
}

/*
 * Find the spans of a region.
 *   region   its units are words
 *   a, b     the words of both documents in the region, and PD_REFINE_MARGIN words before and
 *            behind it, or all there are
 * Time: O(words of both windows).
 */
void pd_refine_region(struct pd_refining *r, const struct pd_passage *region,
                      const struct pd_window *a, const struct pd_window *b);

/*
 * End a pair: append the passages of its spans to `out` in order of (start_a, start_b), and forget
 * the spans. Spans are chosen in three rounds; S is the sum of the scores of the chosen spans that
 * a new span overlaps on either side:
 *   1. even spans, by score, the greatest first: a span that overlaps none is chosen
 *   2. an uneven span is chosen in place of them if its score is at least 1.1 S
 *   3. a literal span is chosen in place of them if its score is at least S. Here S is without the
 *      spans inside the new one, and without uneven spans that have at most twice as many words on
 *      their shorter side as the new one. If its score is less, it may be shortened: words at its
 *      ends go that chosen spans (but not what it replaces) have as well, which begin behind its begin
 *      or end before its end in both documents, from both sides alike. It is chosen if 20 words are
 *      left. Articles of a law follow each other in another order, with the same head between them:
 *      two equal articles both end in it
 * Then spans grow (passage/grow.h), but for uneven ones. In order of a, the growth ahead of a span
 * x meets that of y, the next span in a, and of z, the next span in b. If y is z, and if x grows
 * over the begin of y in both documents, or y over the end of x, both become one span. Otherwise a
 * growth that reaches into words of another span is none. If the growths of both still overlap in
 * both documents, and y is z, both become one span; and if they overlap in one, that of the later
 * span is none. `matched` is as in struct pd_span, or the sum over joined spans; grown words do not
 * count. The similarity is the share of matched words in the shorter side. Time: O(spans^2).
 */
void pd_refine_pair(struct pd_refining *r, pd_doc a, pd_doc b, struct pd_passages *out);
void pd_refining_release(struct pd_refining *r);

/* floor(16 log2(n)), n >= 1. */
int pd_log2_sixteenths(uint64_t n);

#endif
