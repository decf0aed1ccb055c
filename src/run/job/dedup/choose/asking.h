/*
 * run/job/dedup/choose/asking.h - questions to the owners of documents: what goes of a text?
 *
 * What travels:
 *     questions  {place, bytes, who asks, why}    owner of the document
 *     answers     {why, bytes that go, ...}        who has asked
 */
#ifndef PARDUP_RUN_DEDUP_ASKING_H
#define PARDUP_RUN_DEDUP_ASKING_H

#include "run/job/dedup/choose/choose.h"
#include "run/job/dedup/owners.h"

struct pd_question {
    uint64_t place; /* of the document */
    uint64_t bytes; /* first byte and end of the text that is meant: two 32-bit numbers */
    uint64_t rank;  /* who asks */
    uint64_t why;   /* comes back in the answers */
};

/* A removal that the text is in, at least in part, and what proves it. */
struct pd_answer {
    uint64_t why;
    uint64_t bytes;      /* of the removal */
    uint64_t kept;       /* place of the document that keeps the text; or PD_ANSWER_WHOLE */
    uint64_t kept_bytes; /* of the text that stays */
    uint64_t rank;
};
#define PD_ANSWER_WHOLE                                                                            \
    UINT64_MAX /* the document goes whole; `bytes` are all that a text can have */

/*
 * COLLECTIVE. Ask, and open `answers` with the replies, sorted by `why`, then by their bytes.
 * Agreed: PD_OK or a failure. To be closed in any case.
 *   c              what the owners have decided
 *   next_question  makes the next struct pd_question, as in struct pd_making
 */
int pd_ask_owners(struct pd_dedup *d, const struct pd_choice *c,
                  int (*next_question)(void *ctx, void *rec), void *ctx,
                  struct pd_shuffle *answers);

#endif
