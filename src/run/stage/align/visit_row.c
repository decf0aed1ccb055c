/*
 * run/stage/align/visit_row.c - the third hop: rows, from the holder of the first document. See
 * visiting.h.
 */
#include "pardup/base/minmax.h"
#include "visiting.h"

/*
 * Let an end of the passage grow. The second holder sent no more words than the longer of the two
 * neighbouring units has, so all n count as near.
 */
static void extend_side(struct pd_visiting *v, const struct pd_edge_side *side,
                        enum pd_direction direction, const struct pd_edge_word *words, uint32_t n)
{
    const uint32_t known = pd_min_u32(side->n, n);
    pd_opened_decode(&v->opened, side, direction, known);
    for (uint32_t k = 0; k < known; k++) {
        const struct pd_token *token = pd_opened_word(&v->opened, side, direction, k);
        v->beyond[k] = (struct pd_edge_word){pd_opened_term(&v->opened, token),
                                             direction == PD_BACK ? token->begin : token->end};
    }
    pd_finishing_edge(&v->finish, direction, (struct pd_beyond){v->beyond, known, n},
                      (struct pd_beyond){words, n, n});
}

/* Let both ends of the passage grow, over words that the second holder has sent. */
static int extend(struct pd_visiting *v, const struct pd_waiting *w, const struct pd_sent_words *b)
{
    PD_TRY(pd_opened_go(&v->opened, &v->job->targets, w->p.a, true));
    const struct pd_ends ends = pd_opened_ends(&v->opened, w->p.start_a, w->p.length_a);
    extend_side(v, &ends.back, PD_BACK, b->v, b->nback);
    extend_side(v, &ends.ahead, PD_AHEAD, b->v + b->nback, b->nahead);
    return PD_OK;
}

/* Compare the words of the passage. v->words_b has the words of the second document. */
static int compare_words(struct pd_visiting *v, const struct pd_waiting *w)
{
    PD_TRY(pd_opened_go(&v->opened, &v->job->targets, w->p.a, true));
    const uint32_t end = pd_opened_ends(&v->opened, w->p.start_a, w->p.length_a).ahead.nearest;
    pd_u64s_reserve(&v->words_a, w->nwords);
    pd_opened_terms(&v->opened, end - w->nwords, end, v->words_a.v);
    return pd_finishing_words(&v->finish, (struct pd_spoken){v->words_a.v, w->nwords},
                              (struct pd_spoken){v->words_b.v, (uint32_t)v->words_b.n});
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
                           .own = pd_ij(w->own, (uint32_t)reply->own),
                           .matched = p->matched,
                           .similarity = p->similarity,
                           .own_a = w->own_a,
                           .own_b = reply->own_b};
}

/*
 * Add a waiting passage to v->finish, unless it is left out. Its reply comes next, with the words
 * behind it.
 */
static int end_passage(struct pd_visiting *v, const struct pd_waiting *w)
{
    const void *rec;
    PD_TRY(pd_shuffle_look(v->reading, &rec));
    const struct pd_reply *reply = rec;
    PD_CHECK(reply && pd_waits_index(reply->waits_at) == v->replies_read &&
             reply->sent <= UINT32_MAX);
    const uint64_t waits_at = reply->waits_at;
    const uint32_t sent = (uint32_t)reply->sent, left_out = reply->left_out;
    const struct pd_row row = row_of(w, reply);
    if (!left_out)
        pd_finishing_add(&v->finish, &row, (enum pd_copy)w->p.copy);
    if (reply->size > sizeof *reply)
        PD_TRY(extend(v, w, (const struct pd_sent_words *)(const void *)(reply + 1)));
    pd_shuffle_pass(v->reading, reply->size);
    PD_TRY(pd_words_receive(v->reading, waits_at, sent, &v->words_b));
    v->job->aligned.left_out.same += left_out == PD_REPLY_SAME_FIELD;
    v->job->aligned.left_out.same_host += left_out == PD_REPLY_SAME_HOST;
    if (left_out)
        return PD_OK;
    if (sent && !pd_finishing_is_short(&v->finish))
        return compare_words(v, w);
    pd_finishing_same(&v->finish, w->nwords);
    return PD_OK;
}

/* Count the single characters of the first document of a pair, if they say less than other words. */
static int count_singles(struct pd_visiting *v, pd_doc a)
{
    if (!v->job->options->method.char_ngram || v->counted == a)
        return PD_OK;
    PD_TRY(pd_opened_go(&v->opened, &v->job->targets, a, true));
    pd_opened_singles(&v->opened, &v->finish.singles);
    v->counted = a;
    return PD_OK;
}

/* Make the rows of the next pair. Its passages wait one after the other. *any: there was a pair. */
static int next_pair(struct pd_visiting *v, bool *any)
{
    const void *rec;
    pd_doc a = 0, b = 0;
    pd_finishing_begin(&v->finish);
    for (*any = false;; *any = true) {
        PD_TRY(pd_spool_look(&v->waiting, &rec));
        const struct pd_waiting *w = rec;
        if (!w || (*any && (w->p.a != a || w->p.b != b)))
            return PD_OK;
        a = w->p.a;
        b = w->p.b;
        PD_TRY(count_singles(v, a));
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
        pd_finishing_end(&v->finish);
        if (!any)
            return PD_END;
        if (v->finish.rows.n)
            pd_rows_add(v->rows, v->finish.rows.v, v->finish.rows.n);
    }
}
