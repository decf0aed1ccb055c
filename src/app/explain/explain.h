/* app/explain/explain.h - print why two documents match, or do not, on a terminal. */
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

/* What a unit is called. */
const char *pd_explain_unit(const struct pd_options *o, bool several);

/* Append text as printf does. */
void pd_explain_add(struct pd_bytes *to, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
