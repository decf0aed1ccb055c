/* run/stage/align/visit.c - see visit.h: a slice of passages on its three hops (visiting.h). */
#include "visit.h"

#include <stdlib.h>

#include "visiting.h"

static int holder_of_b(const void *rec, int nranks, void *ctx)
{
    const struct pd_visiting *v = ctx;
    (void)nranks;
    return pd_holders_rank(v->holders, ((const struct pd_request *)rec)->b);
}

static uint32_t partition_of_later(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct pd_visiting *v = ctx;
    const pd_doc least = pd_row_bin_start(v->job, v->rows->from);
    return pd_holders_partition(v->holders, ((const struct pd_passage *)rec)->a, least,
                                pd_row_bin_start(v->job, v->rows->to) - least, npartitions);
}

static uint32_t partition_of_request(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct pd_visiting *v = ctx;
    return pd_holders_partition(v->holders, ((const struct pd_request *)rec)->b, 0,
                                v->job->collection.totals.documents, npartitions);
}

static uint32_t partition_of_reply(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct pd_visiting *v = ctx;
    return (uint32_t)(pd_waits_index(((const struct pd_reply *)rec)->waits_at) * npartitions /
                      v->waiting.n);
}

/* Passages stay on their rank; they are sorted by locator. */
static const struct pd_flow later_flow = {.name = "later",
                                          .budget = PD_BUDGET_LATER,
                                          .size = sizeof(struct pd_passage),
                                          .keys = 2,
                                          .partition = partition_of_later};
static const struct pd_flow requests_flow = {
    .name = "requests",
    .budget = PD_BUDGET_REQUESTS,
    .size = sizeof(struct pd_request), /* numbers are added if they are compared */
    .keys = 1,
    .owner = holder_of_b,
    .partition = partition_of_request};
static const struct pd_flow replies_flow = {.name = "replies",
                                            .budget = PD_BUDGET_REPLIES,
                                            .key_at = 1,
                                            .keys = 2,
                                            .owner = pd_to_waiting,
                                            .partition = partition_of_reply};

/*
 * COLLECTIVE. A hop: send the records that `fill` writes. No document is at hand in the beginning.
 */
static int hop(struct pd_visiting *v, struct pd_shuffle *to,
               int (*fill)(void *ctx, unsigned char *to, size_t cap, size_t *n))
{
    v->reading = NULL;
    pd_opened_forget(&v->opened);
    return pd_shuffle_send(to, fill, v);
}

static void begin_slice(struct pd_visiting *v, const struct pd_passage_source *source,
                        struct pd_gathering_rows *rows)
{
    const struct pd_transport *t = &v->job->transport;
    const struct pd_spooling waiting = {.size = sizeof(struct pd_waiting),
                                        .memory = pd_transport_budget(t, PD_BUDGET_WAITING),
                                        .path = pd_scratch_path(t->scratch, "waiting"),
                                        .spare = &v->job->spare};
    struct pd_flow flow = requests_flow;
    flow.size = v->request_bytes;
    v->rows = rows;
    pd_passage_reader_begin(&v->passages, source);
    v->replies_read = v->replied = 0;
    pd_spool_init(&v->waiting, &waiting);
    pd_shuffle_open(&v->later, t, &later_flow, v, &v->job->spare);
    pd_shuffle_open(&v->requests, t, &flow, v, &v->job->spare);
}

int pd_visiting_go(struct pd_visiting *v, const struct pd_passage_source *source,
                   struct pd_gathering_rows *rows)
{
    struct pd_job *job = v->job;
    begin_slice(v, source, rows);
    PD_TRY(hop(v, &v->requests, pd_visiting_fill_requests));
    pd_shuffle_close(&v->later);
    pd_shuffle_open(&v->replies, &job->transport, &replies_flow, v, &job->spare);
    PD_TRY(pd_comm_agree(job->comm, pd_spool_finish(&v->waiting)));
    PD_TRY(hop(v, &v->replies, pd_visiting_fill_replies));
    pd_shuffle_close(&v->requests);
    PD_TRY(hop(v, &rows->pairs, pd_visiting_fill_rows));
    pd_shuffle_close(&v->replies);
    pd_spool_release(&v->waiting);
    return PD_OK;
}

uint64_t pd_visiting_replied(const struct pd_visiting *v) { return v->replied; }

struct pd_visiting *pd_visiting_new(struct pd_job *job, const struct pd_holders *holders)
{
    struct pd_visiting *v = pd_realloc(NULL, 1, sizeof *v);
    *v = (struct pd_visiting){.job = job,
                              .opened = {.job = job},
                              .counted = UINT64_MAX,
                              .holders = holders,
                              .request_bytes = sizeof(struct pd_request)};
    if (job->options->method.skip_same_host)
        v->request_bytes += sizeof(uint64_t);
    if (job->options->method.skip_same)
        v->request_bytes += sizeof(uint64_t);
    if (job->options->method.edges == PD_EDGES_FAR && job->form.kind != PD_FORM_BASE) {
        v->outer_at = v->request_bytes;
        v->request_bytes += 2 * (size_t)PD_OUTER;
    }
    pd_finishing_init(&v->finish, &job->options->method, &job->aligned.left_out);
    v->beyond = pd_realloc(NULL, PD_EDGE_WORDS, sizeof *v->beyond);
    return v;
}

void pd_visiting_free(struct pd_visiting *v)
{
    PD_CLOSE(pd_shuffle, &v->later, &v->requests, &v->replies);
    pd_spool_release(&v->waiting);
    pd_finishing_release(&v->finish);
    pd_passages_release(&v->passages.taken);
    pd_opened_release(&v->opened);
    free(v->beyond);
    PD_RELEASE(pd_u64s, &v->words_a, &v->words_b);
    free(v);
}
