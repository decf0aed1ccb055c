/*
 * app/explain/explain.h - print why two documents match, or do not, on a terminal.
 *
 * print.c and refined.c print; why.c and answer.c have the sentences about two units, a span, and
 * the documents.
 */
#ifndef PARDUP_APP_EXPLAIN_EXPLAIN_H
#define PARDUP_APP_EXPLAIN_EXPLAIN_H

#include "pardup/run/explain.h"

/*
 * Print an explanation: who is compared, the dots as a picture, the units side by side, and as the
 * last line one sentence with the answer. No line is wider than the terminal.
 */
void pd_explain_print(const struct pd_options *o, const struct pd_explanation *e);

/* Append the sentence with the answer: what they share, or what is missing. */
void pd_explain_answer(const struct pd_options *o, const struct pd_explanation *e,
                       struct pd_bytes *to);

/*
 * Append why unit a of the first document and unit b of the second one match or do not. NULL: the
 * other unit has no partner.
 */
void pd_explain_verdict(const struct pd_options *o, const struct pd_explained *a,
                        const struct pd_explained *b, struct pd_bytes *to);

/* Append which floor a span misses, and by how much. */
void pd_explain_floor(const struct pd_tried *t, struct pd_bytes *to);

/* What a unit is called. */
const char *pd_explain_unit(const struct pd_options *o, bool several);

#endif
