/*
 * run/stage/align/visit_reply.c - the second hop: replies, from the holder of the second document.
 * See visiting.h.
 */
#include "pardup/base/minmax.h"
#include "run/stage/collection/site.h"
#include "visiting.h"

/*
 * How many of n words beyond the passage, from the nearest on, may agree with words of the first
 * document. The request has a byte of each word there. If all bytes agree, all n words may.
 */
static uint32_t may_agree(const struct pd_visiting *v, const struct pd_request *request,
                          const struct pd_edge_side *side, enum pd_direction direction, uint32_t n)
{
    uint8_t bytes[PD_OUTER];
    if (v->outer_at == 0)
        return n;
    const uint8_t *const outer =
        (const uint8_t *)request + v->outer_at + (direction == PD_BACK ? 0 : PD_OUTER);
    const uint32_t compared = pd_min_u32(n, PD_OUTER);
    pd_opened_bytes(&v->opened, side, direction, compared, bytes);
    for (uint32_t k = 0; k < compared; k++) {
        if (bytes[k] != outer[k])
            return k;
    }
    return n;
}

/*
 * Write the words beyond the passage on one side that may agree. Returns how many.
 *   first_agrees  the byte of the nearest word agrees with that in the request
 */
static uint32_t write_words(struct pd_visiting *v, const struct pd_request *request,
                            const struct pd_edge_side *side, enum pd_direction direction,
                            bool first_agrees, struct pd_edge_word *words)
{
    const uint32_t near_a = direction == PD_BACK ? request->near_back : request->near_ahead;
    uint32_t n = first_agrees ? pd_edge_compared(side, near_a) : 0;
    if (n == 0)
        return 0;
    n = may_agree(v, request, side, direction, n);
    pd_opened_decode(&v->opened, side, direction, n);
    for (uint32_t k = 0; k < n; k++) {
        const struct pd_token *token = pd_opened_word(&v->opened, side, direction, k);
        words[k] = (struct pd_edge_word){pd_opened_term(&v->opened, token),
                                         direction == PD_BACK ? token->begin : token->end};
    }
    return n;
}

/* Must its passage be left out, as both documents share what they must not? 0: no. */
static uint32_t left_out(const struct pd_visiting *v, const struct pd_request *request)
{
    const struct pd_method_options *o = &v->job->options->method;
    const struct pd_docrec *b = v->opened.held.rec;
    const uint64_t *host = request->apart_a, *field = host + o->skip_same_host;
    if (o->skip_same_host && pd_site_is_host(b->host) && *host == b->host)
        return PD_REPLY_SAME_HOST;
    return o->skip_same && b->same && *field == b->same ? PD_REPLY_SAME_FIELD : 0;
}

/* Write the reply to a request, whose document is at hand. Returns its bytes. */
static size_t write_reply(struct pd_visiting *v, const struct pd_request *request,
                          struct pd_reply *to)
{
    *to = (struct pd_reply){
        .size = sizeof *to, .left_out = left_out(v, request), .waits_at = request->waits_at};
    if (to->left_out)
        return to->size;
    const uint32_t start = request->start_b, end = start + request->length_b;
    const struct pd_ends ends = pd_opened_ends(&v->opened, start, request->length_b);
    struct pd_sent_words *words = (struct pd_sent_words *)(void *)(to + 1);
    to->bytes_b = pd_units_bytes(v->opened.view.units, start, request->length_b);
    to->own_b = ends.own;
    to->own = pd_opened_own(&v->opened);
    if (pd_opened_hash(&v->opened, start, request->length_b) != request->words_a) {
        to->sent = ends.inside;
        v->words_left = (struct pd_words_left){.waits_at = to->waits_at,
                                               .part = PD_FIRST_PART,
                                               .next = ends.ahead.nearest - ends.inside,
                                               .end = ends.ahead.nearest};
    }
    words->nback = write_words(
        v, request, &ends.back, PD_BACK,
        pd_opened_byte_back(&v->opened, &ends.back, start) == request->first_back, words->v);
    words->nahead =
        write_words(v, request, &ends.ahead, PD_AHEAD,
                    pd_opened_byte_ahead(&v->opened, &ends.ahead, end) == request->first_ahead,
                    words->v + words->nback);
    const uint32_t n = words->nback + words->nahead;
    if (n > 0)
        to->size += (uint32_t)(sizeof *words + n * sizeof *words->v);
    return to->size;
}

/*
 * Is the request that comes `ahead` requests later the first request for a document in memory?
 * *held: that document. Only requests that have been read from the sorter are looked at.
 */
static bool comes_to_document(const struct pd_visiting *v, size_t ahead, struct pd_held *held)
{
    const struct pd_ordered *next = &v->reading->ordered;
    const size_t at = next->at + ahead * v->request_bytes;
    if (at >= next->n)
        return false;
    const struct pd_request *request = (const struct pd_request *)(const void *)(next->recs + at);
    const struct pd_request *before =
        (const struct pd_request *)(const void *)(next->recs + at - v->request_bytes);
    return request->b != before->b && pd_locator_stays(request->b) &&
           pd_collection_doc(v->job->sources.collection, pd_locator_doc(request->b), held) == PD_OK;
}

/*
 * Prefetch documents of later requests: first the record that says where a document lies, then the
 * beginning of the document. In a large collection neither is in the cache. Only documents that
 * stay in memory are looked up, so the document at hand stays valid.
 */
static void fetch_ahead(const struct pd_visiting *v)
{
    enum { LATER = 24, SOON = 12 }; /* requests ahead */
    struct pd_held held;
    if (comes_to_document(v, LATER, &held))
        __builtin_prefetch(&held.rec->block);
    if (comes_to_document(v, SOON, &held))
        pd_library_expect(&v->job->sources.collection->library, held.volume, held.rec);
}

static int fill_replies(struct pd_visiting *v, unsigned char *to, size_t cap, size_t *n)
{
    PD_TRY(pd_visiting_read(v, &v->requests));
    for (*n = 0; cap - *n >= PD_REPLY_MOST;) {
        const void *rec;
        if (v->words_left.next < v->words_left.end) {
            *n += pd_words_send(&v->words_left, &v->opened,
                                (struct pd_words_part *)(void *)(to + *n));
            continue;
        }
        PD_TRY(pd_shuffle_look(v->reading, &rec));
        const struct pd_request *request = rec;
        if (!request)
            return PD_END;
        fetch_ahead(v);
        PD_TRY(pd_opened_go(&v->opened, &v->job->sources, pd_locator_doc(request->b), false));
        *n += write_reply(v, request, (struct pd_reply *)(void *)(to + *n));
        pd_shuffle_pass(v->reading, v->request_bytes);
    }
    return PD_OK;
}

int pd_visiting_fill_replies(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_visiting *v = ctx;
    *n = 0;
    const int status = fill_replies(v, to, cap, n);
    v->replied += *n;
    return status;
}
