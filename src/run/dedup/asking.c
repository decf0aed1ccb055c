/* run/dedup/asking.c - see run/dedup/asking.h */
#include "run/dedup/asking.h"

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

static int owner_of_answer(const void *rec, int nranks, void *d)
{
    (void)nranks;
    (void)d;
    return (int)((const struct pd_answer *)rec)->rank;
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
                                            .owner = owner_of_answer};

int pd_ask(struct pd_dedup *d, const struct pd_choice *c, struct pd_making questions,
           struct pd_shuffle *answers)
{
    struct pd_shuffle asked = {0};
    struct replying replying = {c, &asked, 0, 0};
    int status = pd_dedup_send(d, &asked, &questions_flow, questions);
    if (status >= 0)
        status =
            pd_dedup_send(d, answers, &answers_flow,
                          (struct pd_making){next_answer, &replying, sizeof(struct pd_answer)});
    pd_shuffle_close(&asked);
    return status;
}
