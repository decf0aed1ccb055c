/*
 * run/align/visit_row.c - the third hop: rows, from the holder of the first document. See
 * visiting.h.
 */
#include "pardup/base/minmax.h"
#include "run/finding.h"
#include "visiting.h"

/*
 * How many of the second document's n edge words on one side agree with the words of the first
 * document, from the nearest on. The second holder sent no more words than the longer of the two
 * neighbouring units has, so all n count as near.
 */
static uint32_t words_that_agree(struct pd_visiting *v, const struct pd_edge_side *side,
                                 enum pd_direction direction, const struct pd_sent_word *words,
                                 uint32_t n)
{
    uint64_t terms_b[PD_EDGE_WORDS];
    const uint32_t known = pd_min_u32(side->n, n);
    pd_opened_decode(&v->opened, side, direction, known);
    for (uint32_t k = 0; k < known; k++) {
        v->terms_beyond[k] =
            pd_opened_term(&v->opened, pd_opened_word(&v->opened, side, direction, k));
        terms_b[k] = words[k].term;
    }
    const struct pd_beyond a = {v->terms_beyond, known, n}, b = {terms_b, known, n};
    return pd_edges_agree(&a, &b);
}

/* Append the steps of an edge of n words, which may be trimmed later. Returns n. */
static uint32_t keep_steps(struct pd_visiting *v, const struct pd_edge_side *side,
                           enum pd_direction direction, const struct pd_sent_word *words,
                           uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        const struct pd_token *token = pd_opened_word(&v->opened, side, direction, k);
        pd_u64s_push(&v->steps, pd_ij(direction == PD_BACK ? token->begin : token->end,
                                      (uint32_t)words[k].bound));
    }
    return n;
}

/* Move one end of the row out as far as words agree. Returns the number of words it moved over. */
static uint32_t extend_side(struct pd_visiting *v, const struct pd_edge_side *side,
                            enum pd_direction direction, const struct pd_sent_word *words,
                            uint32_t n, struct pd_row *row)
{
    const uint32_t agree = words_that_agree(v, side, direction, words, n);
    if (agree == 0)
        return 0;
    if (v->trims)
        return keep_steps(v, side, direction, words, agree);
    const struct pd_token *last = pd_opened_word(&v->opened, side, direction, agree - 1);
    row->bytes_a =
        pd_bytes_moved(row->bytes_a, direction, direction == PD_BACK ? last->begin : last->end);
    row->bytes_b = pd_bytes_moved(row->bytes_b, direction, (uint32_t)words[agree - 1].bound);
    return agree;
}

/* Move both ends of the row out. *nback, *nahead: the number of words they moved over. */
static int extend(struct pd_visiting *v, const struct pd_waiting *w, const struct pd_sent_words *b,
                  struct pd_row *row, uint32_t *nback, uint32_t *nahead)
{
    PD_TRY(pd_opened_go(&v->opened, &v->job->targets, w->p.a, true));
    const struct pd_ends ends = pd_opened_ends(&v->opened, w->p.start_a, w->p.length_a);
    *nback = extend_side(v, &ends.back, PD_BACK, b->v, b->nback, row);
    *nahead = extend_side(v, &ends.ahead, PD_AHEAD, b->v + b->nback, b->nahead, row);
    return PD_OK;
}

/*
 * Make a finished row one of v->pair, unless it is left out.
 *   words       without edges
 *   edge_words  words of both edges
 */
static void end_row(struct pd_visiting *v, struct pd_row *row, struct pd_agreed words,
                    uint32_t edge_words, enum pd_copy copy)
{
    pd_agreed_set(row, words, edge_words);
    const struct pd_method_options *o = &v->job->options->method;
    if (copy == PD_COPY_NO && words.in_a + edge_words < o->min_passage_words)
        v->job->aligned.left_out.too_short++;
    else if (!pd_row_agrees(row, copy, o))
        v->job->aligned.left_out.unlike++;
    else
        pd_rows_push(&v->pair, *row);
}

/* Join and finish all rows of the pair at hand that wait for that. */
static void trim_pair(struct pd_visiting *v)
{
    struct pd_trim_rows *rows = &v->untrimmed;
    rows->n = pd_trim(rows->v, rows->n, v->steps.v, &v->order);
    for (size_t k = 0; k < rows->n; k++) {
        struct pd_trim_row *r = &rows->v[k];
        end_row(v, &r->row, r->words, r->nback + r->nahead, (enum pd_copy)r->copy);
    }
    rows->n = v->steps.n = 0;
}

/*
 * Count the words of the matched units of a passage, and how many of them agree. v->words_b has the
 * words of the second document, or nothing if both documents have the same words.
 */
static int count_words(struct pd_visiting *v, const struct pd_waiting *w, struct pd_agreed *words)
{
    *words = (struct pd_agreed){w->nwords, w->nwords, w->nwords};
    if (v->words_b.n == 0)
        return PD_OK;
    PD_TRY(pd_opened_go(&v->opened, &v->job->targets, w->p.a, true));
    const uint32_t end = pd_opened_ends(&v->opened, w->p.start_a, w->p.length_a).ahead.nearest;
    pd_u64s_reserve(&v->words_a, w->nwords);
    pd_opened_terms(&v->opened, end - w->nwords, end, v->words_a.v);
    words->in_b = (uint32_t)v->words_b.n;
    words->in_both =
        (uint32_t)pd_agreement_words(&v->agreement, (struct pd_spoken){v->words_a.v, words->in_a},
                                     (struct pd_spoken){v->words_b.v, words->in_b});
    return pd_comm_check_stop();
}

static struct pd_row row_of(const struct pd_waiting *w, const struct pd_reply *reply)
{
    const struct pd_passage *p = &w->p;
    return (struct pd_row){.a = p->a,
                           .b = p->b,
                           .starts = pd_ij(p->start_a, p->start_b),
                           .lengths = pd_ij(p->length_a, p->length_b),
                           .bytes_a = w->bytes_a,
                           .bytes_b = reply->bytes_b,
                           .sentences = pd_ij(w->sentences_a, reply->sentences_b),
                           .matched = p->matched,
                           .similarity = p->similarity};
}

/*
 * Make a waiting passage a row of v->pair or v->untrimmed, unless it is left out. Its reply comes
 * next, with the words behind it.
 */
static int end_passage(struct pd_visiting *v, const struct pd_waiting *w)
{
    const void *rec;
    PD_TRY(pd_shuffle_look(v->reading, &rec));
    const struct pd_reply *reply = rec;
    PD_CHECK(reply && pd_waits_index(reply->waits_at) == v->replies_read &&
             reply->sent <= UINT32_MAX);
    const uint64_t waits_at = reply->waits_at;
    const uint32_t sent = (uint32_t)reply->sent;
    const bool left_out = reply->sentences_b == 0;
    const uint32_t copy = w->p.copy;
    struct pd_row row = row_of(w, reply);
    const size_t steps = v->steps.n;
    struct pd_agreed words = {w->nwords, w->nwords, w->nwords};
    uint32_t nback = 0, nahead = 0;
    if (reply->size > sizeof *reply)
        PD_TRY(extend(v, w, (const struct pd_sent_words *)(const void *)(reply + 1), &row, &nback,
                      &nahead));
    pd_shuffle_pass(v->reading, reply->size);
    PD_TRY(pd_words_receive(v->reading, waits_at, sent, &v->words_b));
    if (left_out) {
        v->job->aligned.left_out.same += row.bytes_b == PD_REPLY_SAME_FIELD;
        v->job->aligned.left_out.same_host += row.bytes_b == PD_REPLY_SAME_HOST;
        return PD_OK;
    }
    if (copy || v->trims || w->nwords + nback + nahead >= v->job->options->method.min_passage_words)
        PD_TRY(count_words(v, w, &words));
    if (v->trims)
        pd_trim_rows_push(&v->untrimmed, (struct pd_trim_row){row, words, copy, steps,
                                                              steps + nback, nback, nahead, 0});
    else
        end_row(v, &row, words, nback + nahead, (enum pd_copy)copy);
    return PD_OK;
}

/* Make the rows of the next pair. Its passages wait one after the other. *any: there was a pair. */
static int next_pair(struct pd_visiting *v, bool *any)
{
    const void *rec;
    pd_doc a = 0, b = 0;
    v->pair.n = 0;
    for (*any = false;; *any = true) {
        PD_TRY(pd_spool_look(&v->waiting, &rec));
        const struct pd_waiting *w = rec;
        if (!w || (*any && (w->p.a != a || w->p.b != b)))
            return PD_OK;
        a = w->p.a;
        b = w->p.b;
        PD_TRY(end_passage(v, w));
        v->replies_read++;
        pd_spool_pass(&v->waiting);
    }
}

int pd_visiting_fill_rows(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_visiting *v = ctx;
    bool any = true;
    PD_TRY(pd_visiting_read(v, &v->replies));
    for (*n = 0;;) {
        *n += pd_rows_send(v->rows, to + *n, cap - *n);
        if (pd_rows_wait(v->rows))
            return PD_OK;
        PD_TRY(next_pair(v, &any));
        trim_pair(v);
        if (!any)
            return PD_END;
        if (v->pair.n)
            pd_rows_add(v->rows, v->pair.v, v->pair.n);
    }
}
