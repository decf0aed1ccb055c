/*
 * passage/linking.h - link the dots of one pair, line by line, and find the components that they
 * form: the passages of diagonal.h.
 *
 * A dot line, or line, is one unit of document a with the units of document b that it matches.
 * Lines are taken in ascending order.
 */
#ifndef PARDUP_PASSAGE_LINKING_H
#define PARDUP_PASSAGE_LINKING_H

#include <stdbool.h>

#include "pardup/passage/diagonal.h"

/* The state while the passages of one pair are found. Its buffers are in `d`. */
struct pd_linking {
    struct pd_diagonals *d;
    uint32_t gamma, reach;   /* reach: gap + 1, the units that a link may span */
    uint32_t next_line;      /* where in d->lines the next line goes, <= reach */
    size_t components_limit; /* remove finished components when there are more than this */
    bool similar;            /* the pair has blocks of units that are not identical */
    pd_doc a, b;
    struct pd_passages *out; /* receives the passages */
    pd_dot_line_taker *take; /* receives the lines in place of linking; NULL: lines are linked */
    void *ctx;               /* of `take` */
};

/* Begin a pair, with no lines yet. `similar` is false. */
struct pd_linking pd_linking_begin(struct pd_diagonals *d, pd_doc a, pd_doc b, uint32_t gamma,
                                   uint32_t gap, struct pd_passages *out);

/* True if the result is not wanted any more. It is asked often enough if lines are long. */
static inline bool pd_linking_stops(const struct pd_diagonals *d, size_t line)
{
    return line > 64 && d->stopping && d->stopping();
}

/*
 * Take the next line: unit i of a matches the n units js of b, ascending. If the pair is similar,
 * d->similarities has their similarities.
 */
void pd_linking_line(struct pd_linking *f, uint32_t i, const uint32_t *js, size_t n);

/* All lines are taken: append the passages that are left. They are in no order. */
void pd_linking_end(struct pd_linking *f);

/* Free what pd_linking_line keeps in `d`. */
void pd_linking_release(struct pd_diagonals *d);

#endif
