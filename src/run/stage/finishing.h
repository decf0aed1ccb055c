/*
 * run/stage/finishing.h - the rows of a document pair, from what both documents say of its
 * passages.
 *
 * Who has both sides of a passage adds it: `detect` where the reply to its request has come
 * (run/stage/align/visiting.h), `check` where the source is at hand. All that decides about a row
 * is here: how far its ends grow, how many of its words agree, and whether it is left out.
 *
 *     pd_finishing_begin(&f);
 *     pd_finishing_add(&f, &row, copy);                      each passage of the pair
 *     pd_finishing_edge(&f, PD_BACK, a, b);                  its edges, back and then ahead
 *     pd_finishing_edge(&f, PD_AHEAD, a, b);
 *     PD_TRY(pd_finishing_words(&f, a, b));                  its words
 *     pd_finishing_end(&f);                                  f.rows has the rows of the pair
 */
#ifndef PARDUP_RUN_FINISHING_H
#define PARDUP_RUN_FINISHING_H

#include "pardup/passage/agreement.h"
#include "pardup/passage/edges.h"
#include "pardup/passage/ends.h"
#include "pardup/passage/trim.h"
#include "run/stage/finding.h"
#include "run/stage/job.h"

struct pd_finishing {
    const struct pd_method_options *options; /* borrowed */
    struct pd_left_out *left_out;            /* counts the rows that are left out; borrowed */
    struct pd_rows rows;                     /* the rows of the pair that stay */
    /* --char-ngram: single characters among the first own words of the first document
       (passage/ends.h); the caller fills it before pd_finishing_end() */
    struct pd_single_counts singles;

    /* private */
    struct pd_agreement agreement;
    struct pd_trim_rows waiting; /* rows whose edges can still be shortened */
    struct pd_u64s steps;        /* their edges (passage/trim.h) */
    struct pd_u64s order;        /* scratch of pd_trim() */
};
void pd_finishing_init(struct pd_finishing *f, const struct pd_method_options *o,
                       struct pd_left_out *left_out);
void pd_finishing_release(struct pd_finishing *f);

/* Forget the rows of the pair before. */
void pd_finishing_begin(struct pd_finishing *f);

/*
 * Add a passage.
 *   row  has the bytes and own words of its units; words and agreement are not read
 */
void pd_finishing_add(struct pd_finishing *f, const struct pd_row *row, enum pd_copy copy);

/*
 * Let an end of the passage that was added last grow over the words that agree (passage/edges.h).
 */
void pd_finishing_edge(struct pd_finishing *f, enum pd_direction direction, struct pd_beyond a,
                       struct pd_beyond b);

/*
 * Is the passage that was added last too short whatever its words are? Then they are not needed.
 * Call it when its edges are known.
 */
bool pd_finishing_is_short(const struct pd_finishing *f);

/* The words of its units are the same in both documents: n words. */
void pd_finishing_same(struct pd_finishing *f, uint32_t n);

/* Compare the words of its units. PD_OK or PD_ESTOP. */
int pd_finishing_words(struct pd_finishing *f, struct pd_spoken a, struct pd_spoken b);

/* The words of the second document are not known: the row has no agreement. */
void pd_finishing_unknown(struct pd_finishing *f, uint32_t in_a);

/* Finish the rows of the pair. */
void pd_finishing_end(struct pd_finishing *f);

#endif
