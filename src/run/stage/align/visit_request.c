/*
 * run/stage/align/visit_request.c - the first hop: requests, from the holder of the first document.
 * See visiting.h.
 */
#include "pardup/base/minmax.h"
#include "run/stage/finding.h"
#include "visiting.h"

/* Words of the unit next to the passage that can count as edge words. */
static uint16_t near_words(const struct pd_edge_side *side)
{
    return (uint16_t)pd_min_u32(side->near, PD_EDGE_WORDS);
}

/* Write the request of a passage whose first document is at hand, and let the passage wait. */
static int ask(struct pd_visiting *v, const struct pd_passage *p, struct pd_request *out)
{
    const struct pd_ends ends = pd_opened_ends(&v->opened, p->start_a, p->length_a);
    const bool edges = pd_copy_has_edges((enum pd_copy)p->copy, &v->job->options->method);
    const struct pd_waiting waiting = {
        *p, pd_units_bytes(v->opened.view.units, p->start_a, p->length_a), ends.own,
        pd_opened_own(&v->opened), ends.inside};
    out->b = pd_holders_locate(v->holders, p->b);
    out->waits_at = pd_waits_at(v->job->comm->rank, v->waiting.n);
    out->words_a = pd_opened_hash(&v->opened, p->start_a, p->length_a);
    out->start_b = p->start_b;
    out->length_b = p->length_b;
    out->near_back = edges ? near_words(&ends.back) : 0;
    out->near_ahead = edges ? near_words(&ends.ahead) : 0;
    out->first_back = pd_opened_byte_back(&v->opened, &ends.back, p->start_a);
    out->first_ahead = pd_opened_byte_ahead(&v->opened, &ends.ahead, p->start_a + p->length_a);
    out->zero = 0;
    if (v->job->options->method.skip_same_host)
        out->apart_a[0] = v->opened.held.rec->host;
    if (v->job->options->method.skip_same)
        out->apart_a[v->job->options->method.skip_same_host] = v->opened.held.rec->same;
    if (v->outer_at) {
        uint8_t *const outer = (uint8_t *)out + v->outer_at;
        pd_opened_bytes(&v->opened, &ends.back, PD_BACK, PD_OUTER, outer);
        pd_opened_bytes(&v->opened, &ends.ahead, PD_AHEAD, PD_OUTER, outer + PD_OUTER);
    }
    return pd_spool_push(&v->waiting, &waiting);
}

/*
 * Visit the first document of a passage that has a locator in place of its number, and write the
 * request.
 */
static int ask_located(struct pd_visiting *v, const struct pd_passage *located, unsigned char *to,
                       size_t *n)
{
    struct pd_passage p = *located;
    p.a = pd_locator_doc(located->a);
    PD_TRY(pd_opened_go(&v->opened, &v->job->targets, p.a, true));
    PD_TRY(ask(v, &p, (struct pd_request *)(void *)(to + *n)));
    *n += v->request_bytes;
    return PD_OK;
}

/* A passage of the source visits its first document at once, or later, in order of volumes. */
static int begin_passage(struct pd_visiting *v, struct pd_passage *p, unsigned char *to, size_t *n)
{
    p->a = pd_holders_locate(v->holders, p->a);
    return pd_locator_stays(p->a) || v->holders->ascending
               ? ask_located(v, p, to, n)
               : pd_shuffle_push(&v->later, p, sizeof *p);
}

/*
 * Write the requests: first of passages as they come from the source, then of the passages in
 * v->later.
 */
int pd_visiting_fill_requests(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_visiting *v = ctx;
    for (*n = 0; cap - *n >= v->request_bytes;) {
        const void *rec;
        struct pd_passage *p;
        PD_TRY(pd_passage_reader_next(&v->passages, &p));
        if (p) {
            PD_TRY(begin_passage(v, p, to, n));
            continue;
        }
        PD_TRY(pd_visiting_read(v, &v->later));
        PD_TRY(pd_shuffle_look(v->reading, &rec));
        if (!rec)
            return PD_END;
        PD_TRY(ask_located(v, rec, to, n));
        pd_shuffle_pass(v->reading, sizeof(struct pd_passage));
    }
    return PD_OK;
}
