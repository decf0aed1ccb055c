/* run/job/dedup/choose/asking.c - see run/job/dedup/choose/asking.h */
#include "run/job/dedup/choose/asking.h"

#include <string.h>

#include "pardup/base/error.h"

/* A making of answers. */
struct replying {
    const struct pd_choice *c;
    struct pd_shuffle *questions;
    uint64_t next; /* removals of the question at hand that were told, plus 1; 0: none is at hand */
    uint64_t from; /* the first one that the text is in */
};

/* The next answer of the question. False: no more. */
static bool reply(struct replying *r, const struct pd_question *q, struct pd_answer *t)
{
    const struct pd_choice *c = r->c;
    const struct pd_fate *f = &c->fates[q->place - c->first];
    *t = (struct pd_answer){
        .why = q->why, .bytes = UINT32_MAX, .kept = PD_ANSWER_WHOLE, .rank = q->rank};
    if (r->next == 0) {
        r->from = pd_removal_behind(c, f, (uint32_t)(q->bytes >> 32));
        r->next = 1;
        if (f->gone)
            return true;
    }
    const uint64_t k = r->from + r->next - 1;
    const struct pd_removal *m = k < f->removed ? &c->removals.v[f->first + k] : NULL;
    if (!m || m->begin >= (uint32_t)q->bytes)
        return false;
    t->bytes = (uint64_t)m->begin << 32 | m->end;
    t->kept = m->kept;
    t->kept_bytes = (uint64_t)m->kept_begin << 32 | m->kept_end;
    r->next++;
    return true;
}

static int next_answer(void *ctx, void *rec)
{
    struct replying *r = ctx;
    struct pd_answer answer;
    const void *q;
    for (;; pd_shuffle_pass(r->questions, sizeof(struct pd_question))) {
        PD_TRY(pd_shuffle_look(r->questions, &q));
        if (!q)
            return PD_END;
        if (reply(r, q, &answer)) {
            memcpy(rec, &answer, sizeof answer);
            return PD_OK;
        }
        r->next = 0;
    }
}

static const struct pd_flow questions_flow = {.name = "questions",
                                              .budget = PD_BUDGET_ASKED,
                                              .size = sizeof(struct pd_question),
                                              .keys = 2,
                                              .owner = pd_owner_of_place};
static const struct pd_flow answers_flow = {.name = "answers",
                                            .budget = PD_BUDGET_ASKED,
                                            .size = sizeof(struct pd_answer),
                                            .keys = 2,
                                            .goes = PD_TO_RANK,
                                            .rank_at = offsetof(struct pd_answer, rank) /
                                                       sizeof(uint64_t)};

int pd_ask_owners(struct pd_dedup *d, const struct pd_choice *c,
                  int (*next_question)(void *ctx, void *rec), void *ctx, struct pd_shuffle *answers)
{
    struct pd_shuffle asked;
    struct replying replying = {c, &asked, 0, 0};
    pd_shuffle_open(&asked, &d->transport, &questions_flow, d, &d->spare);
    pd_shuffle_open(answers, &d->transport, &answers_flow, d, &d->spare);
    return pd_ask(&asked, next_question, ctx, answers, next_answer, &replying);
}
