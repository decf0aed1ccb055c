/*
 * run/job/dedup/choose/compare.h - which units of a passage have their words in the document that
 * keeps it.
 *
 * Words are compared only where enough of them can stand there: a set of the document's words is
 * asked first, then a set of the words of the passage.
 */
#ifndef PARDUP_RUN_DEDUP_COMPARE_H
#define PARDUP_RUN_DEDUP_COMPARE_H

#include "pardup/base/cut.h"
#include "pardup/passage/alignment.h"
#include "run/job/dedup/choose/choose.h"
#include "run/job/dedup/word_bits.h"

/* Where a unit is looked for: behind this passage; the last place: nowhere any more. */
struct pd_unit_place {
    uint64_t kept, row;
};
static const struct pd_unit_place pd_first_place = {0, 0};
static const struct pd_unit_place pd_no_place = {UINT64_MAX, UINT64_MAX};

#define PD_ALL_LOST UINT32_MAX /* end of the first cut of a document that goes whole */

struct pd_comparing {
    struct pd_dedup *d;
    struct pd_dedup_words gone, kept; /* the documents at hand */
    struct pd_alignment alignment;    /* of a passage or unit */
    struct pd_bytes terms, matches;   /* buffers */
    size_t first;                     /* the first word of `gone` in `terms` */
    struct pd_word_bits bits;         /* the words of a passage in `kept` */
    struct pd_ring words, sets;       /* of documents that keep text */
    struct pd_bytes set;              /* buffer */
    struct pd_bytes after;            /* for each unit of `gone`: a struct pd_unit_place */
    struct pd_copieds found;          /* units that were found */
    const struct pd_cuts *lost;       /* what goes of the text of `kept`; NULL: nothing does */
    uint64_t text_place;              /* of the document whose text is in `text` */
    struct pd_bytes text, kept_text;  /* of `gone`; a part of that of `kept` */
};

void pd_comparing_open(struct pd_comparing *c, struct pd_dedup *d);
void pd_comparing_close(struct pd_comparing *c);

/* The places of the units of the document that may lose text, for the caller to set. */
static inline struct pd_unit_place *pd_unit_places(const struct pd_comparing *c)
{
    return (struct pd_unit_place *)(void *)c->after.v;
}

/*
 * Say of the units that were found which box they are in: a run of fragments. A unit is a fragment
 * if it does not end as sentences do (document/fragment.h) and is shorter than three times
 * --min-run; if it is shorter than half of it, and alone on its lines; or if it is program text. Entries of
 * lists, rows of tables, labels and headings are fragments. PD_OK or PD_EIO.
 */
int pd_compare_boxes(struct pd_comparing *c);

/* Bring the words of a document that may lose text into c->gone, and make room for its places. */
int pd_compare_document(struct pd_comparing *c, uint64_t place);

/*
 * Compare a passage of this document, if a unit is to be looked for in it. What is found goes to
 * c->found, and its place becomes the last one.
 *   lost   what goes of the other document, by the choice that was made last: only text that stays
 *          is of use; NULL: no choice was made
 */
int pd_compare_claim(struct pd_comparing *c, const struct pd_claim *claim,
                     const struct pd_cuts *lost);

#endif
