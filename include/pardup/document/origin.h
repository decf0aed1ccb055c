/*
 * document/origin.h - from which bytes of its source a text was made.
 *
 * A list of origins is made together with the text, by the same code, if the caller asks for it. A
 * text is made in steps, and each step has its own list (struct pd_trace).
 */
#ifndef PARDUP_DOCUMENT_ORIGIN_H
#define PARDUP_DOCUMENT_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/cut.h"

/*
 * Bytes [at, at + n) of the text were made from bytes [from, from + from_n) of the source: one from
 * one if n and from_n are equal, all from all otherwise, as with a character reference.
 * n is 0 for bytes of the source that are no text, but belong to the text at `at`: white space and
 * <br> that are written there as one space or line end, and the reading of a ruby.
 */
struct pd_origin {
    uint32_t at, n, from, from_n;
};
/* In ascending order of both sides. Text in no origin was made by tags, such as empty lines. */
PD_VEC(pd_origins, struct pd_origin);

/* Add an origin; it is united with the last one if both copy bytes. Empty ones are not added. */
void pd_origins_add(struct pd_origins *o, size_t at, size_t n, size_t from, size_t from_n);

/*
 * White space at the end of the text was taken back: the text ends at byte `end`. Its origins stay,
 * without text.
 */
void pd_origins_end(struct pd_origins *o, size_t end);

/*
 * Write to `source`, which is emptied, the bytes of the source from which the cuts of a text were
 * made; both ascending and disjoint. An origin without text goes if the text at its place goes.
 * False: a cut begins or ends inside an origin that cannot be divided. Linear time.
 */
bool pd_origins_cut(const struct pd_origins *o, const struct pd_cuts *text, struct pd_cuts *source);

/* The steps that may lead from the body of a document to its text, in order. */
enum pd_step {
    PD_STEP_DECODED, /* from its character set to UTF-8 */
    PD_STEP_PAGE,    /* from HTML to text, or from print to text */
    PD_STEP_MAIN,    /* from the text of a page to its main content */
    PD_STEPS
};

/* How the text of a document was made. A zeroed struct is ready for use. */
struct pd_trace {
    size_t mark;                         /* bytes of a byte order mark, before the first step */
    bool made[PD_STEPS];                 /* the steps that were made */
    struct pd_origins origins[PD_STEPS]; /* empty: the step cannot be followed */
};

/* Forget how the last text was made, and keep the buffers. */
void pd_trace_clear(struct pd_trace *t);
void pd_trace_release(struct pd_trace *t);

/*
 * Write to `body`, which is emptied, the bytes of the body from which the cuts of the text were
 * made, through all steps. False: they are not known, or a step is not made byte for byte there.
 */
bool pd_trace_cut(const struct pd_trace *t, const struct pd_cuts *text, struct pd_cuts *body);

#endif
