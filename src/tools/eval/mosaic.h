/*
 * tools/eval/mosaic.h - how much text of a collection is copied, weighed by how much it was edited.
 *
 * Source: "mosaic memory", Nature Communications 2026: what a language model remembers of a text that it
 * sees once more, as a share of what it remembers of an exact copy. Three facts are from there: 1 for
 * an exact copy, 0.62 if a tenth of the words were replaced, 0.17 if half of them were.
 * Deviation from Mosaic memory: between them, and on to 0 for a text without a common word, weights
 * lie on straight lines.
 */
#ifndef PARDUP_TOOLS_EVAL_MOSAIC_H
#define PARDUP_TOOLS_EVAL_MOSAIC_H

#include <stdint.h>

#include "pardup/base/vec.h"

/* The weight of a copy, 0 to 1, by the share of words that agree, 0 to 1. */
double pd_mosaic_weight(double agreement);

/* Text [begin, end) of a document that stands in an earlier document or in a source, too. */
struct pd_copied_text {
    uint64_t doc;
    uint64_t lightness; /* billionths that the weight is less than 1 */
    uint64_t begin, end;
};
PD_VEC(pd_copied_texts, struct pd_copied_text);
enum { PD_COPIED_TEXT_U64S = 4 }; /* u64s of a struct pd_copied_text */

/* Sums over a collection, in the unit of the texts. */
struct pd_mosaic {
    uint64_t text;   /* all of it */
    uint64_t copied; /* text that stands elsewhere, too: each byte once */
    double mass;     /* the same, each byte with the greatest weight of the copies that it is in */
};

/* Add copies up into m->copied and m->mass; texts are sorted. O(n log n) time for n copies. */
void pd_mosaic_add(struct pd_mosaic *m, struct pd_copied_texts *texts);

#endif
