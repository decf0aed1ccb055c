/* run/job/check/answer.h - what a query says, as a line of JSON. */
#ifndef PARDUP_RUN_CHECK_ANSWER_H
#define PARDUP_RUN_CHECK_ANSWER_H

#include "query.h"

/* Append s[0, n) as a JSON string. Bytes that are no UTF-8 become U+FFFD. */
void pd_answer_text(struct pd_bytes *to, const char *s, size_t n);

/*
 * Append the members of the answer behind the id: decision, passages, ranking. `units`: units of
 * the target. PD_OK or PD_EFORMAT (the index is damaged).
 */
int pd_answer_query(struct pd_bytes *to, const struct pd_query *q, size_t units);

#endif
