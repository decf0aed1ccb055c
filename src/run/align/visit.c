/*
 * run/align/visit.c - see src/run/align/visit.h
 *
 * The passages of a slice make three hops. A passage is found at the holder of its first document,
 * where it gets its offsets in that document and waits. First hop: a request goes to the holder of
 * the second document. It says where the passage lies, and has one byte of the word next to the
 * passage at each end (struct pd_fringe). Second hop: the reply brings the offsets in the second
 * document. If a byte agrees, the reply also has the words beyond that end, so that the first
 * holder can see how far the words agree. Bytes rarely agree, so hardly any word is decoded. The
 * request also has a hash of the words of the passage. If the words differ in the second document,
 * they follow the reply, and the first holder finds out how many agree. Third hop: the passage
 * becomes a row and travels to the rank that writes it.
 *
 * Passages come in order of the first document. Requests are sorted by the second document, and
 * replies into the order in which the passages wait. So each document is decoded once in a hop, and
 * each volume that does not stay in memory is loaded once in a hop. If volumes do not ascend with
 * document numbers, as after some restarts, passages whose volume does not stay in memory are set
 * aside. They follow the others in the order of their volumes.
 */
#include "visit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "opened.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/passage/edges.h"
#include "pardup/passage/ends.h"
#include "pardup/passage/trim.h"
#include "pardup/store/spool.h"
#include "run/collection/site.h"
#include "words.h"

enum { PASSAGES_AT_ONCE = 1024 }; /* most passages that the source is asked for at a time */

/* A passage that waits at the holder of its first document. */
struct waiting {
    struct pd_passage p;
    uint64_t bytes_a;     /* as in struct pd_row */
    uint32_t sentences_a; /* units of all of the first document */
    uint32_t nwords;      /* words of the passage in the first document */
};

/*
 * A waiting passage is known by the rank at which it waits and its index among the passages that
 * wait there. The index is in the low INDEX_BITS bits of `waits_at`, the rank above.
 */
#define INDEX_BITS 40
static uint64_t index_of(uint64_t waits_at) { return waits_at & (((uint64_t)1 << INDEX_BITS) - 1); }
static int rank_of(uint64_t waits_at) { return (int)(waits_at >> INDEX_BITS); }

/*
 * Asks for the offsets of a passage in its second document. Goes to the holder of the second
 * document. Order: b.
 */
struct request {
    uint64_t b;                 /* locator of the second document (holders.h) */
    uint64_t waits_at;          /* where the passage waits */
    uint64_t words_a;           /* hash of the words of the passage in the first document */
    uint32_t start_b, length_b; /* units of the passage in the second document */

    /*
     * words of the units next to the passage in the first document, PD_EDGE_WORDS at most; 0: none,
     * or no edges
     */
    uint16_t near_back, near_ahead;

    /* bytes of the words next to the passage in the first document (pd_fringe_of) */
    uint8_t first_back, first_ahead;
    uint16_t zero; /* 0: in place of padding */

    /*
     * what the second document must not share, each number absent unless it is compared: the host
     * of the first document, then the hash of its field
     */
    uint64_t apart_a[];
};

/*
 * A word beyond the end of a passage, and the byte where the passage would end if it had that word.
 */
struct edge_word {
    uint64_t term, bound;
};

/* Words of the second document before (back) and behind (ahead) a passage. */
struct edge_words {
    uint32_t nback, nahead;
    struct edge_word v[]; /* nback words, then nahead words, each side nearest first */
};

/*
 * The reply to a request. Goes to the rank where the passage waits. Order: waits_at, sent, so that
 * it comes before the words that follow it (struct pd_words_part). If there are edge words, the
 * record ends with a struct edge_words.
 */
struct reply {
    uint32_t size; /* bytes of the record, with its edge words */

    /* units of all of the second document; 0: the passage is left out */
    uint32_t sentences_b;
    uint64_t waits_at; /* where the passage waits */

    /*
     * words of the second document that follow in records of their own: all words of the passage;
     * 0: none, since both documents have the same words
     */
    uint64_t sent;

    /* as in struct pd_row; if the passage is left out, 1: by --skip-same, 0: by --skip-same-host */
    uint64_t bytes_b;
};
enum {
    REPLY_MOST = sizeof(struct reply) + sizeof(struct edge_words) +
                 2 * PD_EDGE_WORDS * sizeof(struct edge_word)
};
_Static_assert(REPLY_MOST <= PD_EXCHANGE_RECORD, "a record must fit");
_Static_assert((int)REPLY_MOST >= (int)PD_WORDS_PART_MOST, "where a reply fits, a part fits");

struct pd_visiting {
    struct pd_job *job;
    const struct pd_holders *holders;
    struct pd_gathering_rows *rows; /* takes the rows of the slice */
    size_t request_bytes;           /* bytes of a request, with apart_a */

    const struct pd_passage_source *source;
    struct pd_passages passages; /* the passages that the source gave last */
    size_t begun;      /* passages of `passages` that have made a request, or are in `later` */
    bool source_ended; /* the source has no more passages */

    /*
     * struct pd_passage whose first document is not in memory, with its locator in place of its
     * number
     */
    struct pd_shuffle later;

    struct pd_shuffle requests; /* struct request, at the holders of second documents */
    struct pd_shuffle replies;  /* struct reply, at the ranks where the passages wait */
    struct pd_spool waiting;    /* struct waiting, in the order in which requests were made */
    uint64_t replies_read;      /* waiting passages whose replies have been read */
    struct pd_rows pair;        /* rows of the pair at hand */

    bool trims;                    /* passages of a pair must not overlap */
    struct pd_trim_rows untrimmed; /* rows of the pair at hand, before their edges are trimmed */
    struct pd_u64s steps;          /* the edges of these rows (passage/trim.h) */
    struct pd_u64s order;          /* scratch of pd_trim */

    struct pd_shuffle *reading; /* the shuffle that this hop reads in order; NULL: none yet */
    struct pd_opened opened;    /* the document at hand */
    uint64_t *terms_beyond;     /* scratch: room for PD_EDGE_WORDS terms */

    struct pd_words_left words_left; /* second hop: words behind the reply that was written last */
    struct pd_u64s words_a, words_b; /* third hop: the words of a passage whose words differ */
    struct pd_agreement agreement;   /* third hop: compares them */
};

/* ---- the records at hand ---- */

/* Begin to read `shuffle`, whose records have all come, unless it is read already. */
static int read_from(struct pd_visiting *v, struct pd_shuffle *shuffle)
{
    if (v->reading == shuffle)
        return PD_OK;
    v->reading = shuffle;
    pd_opened_forget(&v->opened);
    return pd_shuffle_sort_own(shuffle);
}

/* ---- first hop: requests, from the holder of the first document ---- */

/* Words of the unit next to the passage that can count as edge words. */
static uint16_t near_words(const struct pd_edge_side *side)
{
    return (uint16_t)pd_min_u32(side->near, PD_EDGE_WORDS);
}

/* Write the request of a passage whose first document is at hand, and let the passage wait. */
static int ask(struct pd_visiting *v, const struct pd_passage *p, struct request *out)
{
    const struct pd_ends ends = pd_opened_ends(&v->opened, p->start_a, p->length_a);
    const bool edges = v->job->options->method.edges != PD_EDGES_SENTENCE;
    const struct waiting waiting = {*p, pd_units_bytes(v->opened.units, p->start_a, p->length_a),
                                    (uint32_t)v->opened.units->n, ends.inside};
    PD_CHECK(v->waiting.n >> INDEX_BITS == 0);
    out->b = pd_holders_locate(v->holders, p->b);
    out->waits_at = (uint64_t)v->job->comm->rank << INDEX_BITS | v->waiting.n;
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
    PD_TRY(ask(v, &p, (struct request *)(void *)(to + *n)));
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

/* Take the next passages of the source. */
static int more_passages(struct pd_visiting *v)
{
    size_t n = 0;
    v->begun = 0;
    pd_passages_reserve(&v->passages, PASSAGES_AT_ONCE);
    const int status = v->source->fill(v->source->ctx, (unsigned char *)v->passages.v,
                                       PASSAGES_AT_ONCE * sizeof *v->passages.v, &n);
    v->passages.n = n / sizeof *v->passages.v;
    v->source_ended = status == PD_END;
    return status < 0 ? status : PD_OK;
}

/*
 * Write the requests: first of passages as they come from the source, then of the passages in
 * v->later.
 */
static int fill_requests(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_visiting *v = ctx;
    for (*n = 0; cap - *n >= v->request_bytes;) {
        const void *rec;
        if (v->begun < v->passages.n) {
            PD_TRY(begin_passage(v, &v->passages.v[v->begun++], to, n));
        } else if (!v->source_ended) {
            PD_TRY(more_passages(v));
        } else {
            PD_TRY(read_from(v, &v->later));
            PD_TRY(pd_shuffle_look(v->reading, &rec));
            if (!rec)
                return PD_END;
            PD_TRY(ask_located(v, rec, to, n));
            pd_shuffle_pass(v->reading, sizeof(struct pd_passage));
        }
    }
    return PD_OK;
}

static int holder_of_b(const void *rec, int nranks, void *ctx)
{
    const struct pd_visiting *v = ctx;
    (void)nranks;
    return pd_holders_rank(v->holders, ((const struct request *)rec)->b);
}

/* ---- second hop: replies, from the holder of the second document ---- */

/*
 * Write the words beyond the passage on one side, if the nearest word may agree. Returns how many
 * words. near_a: words of the unit next to the passage in the first document.
 */
static uint32_t write_words(struct pd_visiting *v, const struct pd_edge_side *side,
                            enum pd_direction direction, uint32_t near_a, bool may_agree,
                            struct edge_word *words)
{
    const uint32_t n = may_agree ? pd_edge_compared(side, near_a) : 0;
    if (n == 0)
        return 0;
    pd_opened_decode(&v->opened, side, direction, n);
    for (uint32_t k = 0; k < n; k++) {
        const struct pd_token *token = pd_opened_word(&v->opened, side, direction, k);
        words[k] = (struct edge_word){pd_opened_term(&v->opened, token),
                                      direction == PD_BACK ? token->begin : token->end};
    }
    return n;
}

/* Write the reply to a request, whose document is at hand. Returns its bytes. */
static size_t write_reply(struct pd_visiting *v, const struct request *request, struct reply *to)
{
    *to = (struct reply){.size = sizeof *to, .waits_at = request->waits_at};
    const struct pd_method_options *o = &v->job->options->method;
    const struct pd_docrec *b = v->opened.held.rec;
    if (o->skip_same_host && pd_site_is_host(b->host) && request->apart_a[0] == b->host)
        return to->size;
    to->bytes_b = o->skip_same && b->same && request->apart_a[o->skip_same_host] == b->same;
    if (to->bytes_b)
        return to->size;
    const uint32_t start = request->start_b, end = start + request->length_b;
    const struct pd_ends ends = pd_opened_ends(&v->opened, start, request->length_b);
    struct edge_words *words = (struct edge_words *)(void *)(to + 1);
    to->sentences_b = (uint32_t)v->opened.units->n;
    to->bytes_b = pd_units_bytes(v->opened.units, start, request->length_b);
    if (pd_opened_hash(&v->opened, start, request->length_b) != request->words_a) {
        to->sent = ends.inside;
        v->words_left = (struct pd_words_left){.waits_at = to->waits_at,
                                               .part = PD_FIRST_PART,
                                               .next = ends.ahead.nearest - ends.inside,
                                               .end = ends.ahead.nearest};
    }
    words->nback = write_words(
        v, &ends.back, PD_BACK, request->near_back,
        pd_opened_byte_back(&v->opened, &ends.back, start) == request->first_back, words->v);
    words->nahead =
        write_words(v, &ends.ahead, PD_AHEAD, request->near_ahead,
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
    const struct request *request = (const struct request *)(const void *)(next->recs + at);
    const struct request *before =
        (const struct request *)(const void *)(next->recs + at - v->request_bytes);
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

static int fill_replies(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_visiting *v = ctx;
    PD_TRY(read_from(v, &v->requests));
    for (*n = 0; cap - *n >= REPLY_MOST;) {
        const void *rec;
        if (v->words_left.next < v->words_left.end) {
            *n += pd_words_send(&v->words_left, &v->opened,
                                (struct pd_words_part *)(void *)(to + *n));
            continue;
        }
        PD_TRY(pd_shuffle_look(v->reading, &rec));
        const struct request *request = rec;
        if (!request)
            return PD_END;
        fetch_ahead(v);
        PD_TRY(pd_opened_go(&v->opened, &v->job->sources, pd_locator_doc(request->b), false));
        *n += write_reply(v, request, (struct reply *)(void *)(to + *n));
        pd_shuffle_pass(v->reading, v->request_bytes);
    }
    return PD_OK;
}

static int rank_that_waits(const void *rec, int nranks, void *ctx)
{
    (void)nranks;
    (void)ctx;
    return rank_of(((const struct reply *)rec)->waits_at);
}

/* ---- third hop: rows, from the holder of the first document ---- */

/*
 * How many of the second document's n edge words on one side agree with the words of the first
 * document, from the nearest on. The second holder sent no more words than the longer of the two
 * neighbouring units has, so all n count as near.
 */
static uint32_t words_that_agree(struct pd_visiting *v, const struct pd_edge_side *side,
                                 enum pd_direction direction, const struct edge_word *words,
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
                           enum pd_direction direction, const struct edge_word *words, uint32_t n)
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
                            enum pd_direction direction, const struct edge_word *words, uint32_t n,
                            struct pd_row *row)
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
static int extend(struct pd_visiting *v, const struct waiting *w, const struct edge_words *b,
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
 *   whole       the passage is never too short
 */
static void end_row(struct pd_visiting *v, struct pd_row *row, struct pd_agreed words,
                    uint32_t edge_words, bool whole)
{
    pd_agreed_set(row, words, edge_words);
    if (!whole && words.in_a + edge_words < v->job->options->method.min_passage_words)
        v->job->aligned.left_out.too_short++;
    else if (row->agreement < v->job->options->method.min_agreement)
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
        end_row(v, &r->row, r->words, r->nback + r->nahead, r->whole);
    }
    rows->n = v->steps.n = 0;
}

/*
 * Count the words of the matched units of a passage, and how many of them agree. v->words_b has the
 * words of the second document, or nothing if both documents have the same words.
 */
static int count_words(struct pd_visiting *v, const struct waiting *w, struct pd_agreed *words)
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
    return v->agreement.stopped || pd_comm_stopping() ? PD_ESTOP : PD_OK;
}

/*
 * Make a waiting passage a row of v->pair or v->untrimmed, unless it is left out. Its reply comes
 * next, with the words behind it.
 */
static int end_passage(struct pd_visiting *v, const struct waiting *w)
{
    const void *rec;
    PD_TRY(pd_shuffle_look(v->reading, &rec));
    const struct reply *reply = rec;
    PD_CHECK(reply && index_of(reply->waits_at) == v->replies_read && reply->sent <= UINT32_MAX);
    const uint64_t waits_at = reply->waits_at;
    const uint32_t sent = (uint32_t)reply->sent;
    const bool left_out = reply->sentences_b == 0;
    const struct pd_passage *p = &w->p;
    struct pd_row row = {.a = p->a,
                         .b = p->b,
                         .starts = pd_ij(p->start_a, p->start_b),
                         .lengths = pd_ij(p->length_a, p->length_b),
                         .bytes_a = w->bytes_a,
                         .bytes_b = reply->bytes_b,
                         .sentences = pd_ij(w->sentences_a, reply->sentences_b),
                         .matched = p->matched,
                         .similarity = p->similarity};
    const size_t steps = v->steps.n;
    struct pd_agreed words = {w->nwords, w->nwords, w->nwords};
    uint32_t nback = 0, nahead = 0;
    if (reply->size > sizeof *reply)
        PD_TRY(extend(v, w, (const struct edge_words *)(const void *)(reply + 1), &row, &nback,
                      &nahead));
    pd_shuffle_pass(v->reading, reply->size);
    PD_TRY(pd_words_receive(v->reading, waits_at, sent, &v->words_b));
    if (left_out) {
        v->job->aligned.left_out.same += row.bytes_b;
        v->job->aligned.left_out.same_host += !row.bytes_b;
        return PD_OK;
    }
    if (p->whole || v->trims ||
        w->nwords + nback + nahead >= v->job->options->method.min_passage_words)
        PD_TRY(count_words(v, w, &words));
    if (v->trims)
        pd_trim_rows_push(&v->untrimmed, (struct pd_trim_row){row, words, p->whole, steps,
                                                              steps + nback, nback, nahead, 0});
    else
        end_row(v, &row, words, nback + nahead, p->whole);
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
        const struct waiting *w = rec;
        if (!w || (*any && (w->p.a != a || w->p.b != b)))
            return PD_OK;
        a = w->p.a;
        b = w->p.b;
        PD_TRY(end_passage(v, w));
        v->replies_read++;
        pd_spool_pass(&v->waiting);
    }
}

static int fill_rows(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_visiting *v = ctx;
    bool any = true;
    PD_TRY(read_from(v, &v->replies));
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

/* ---- the hops of a slice ---- */

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
    return pd_holders_partition(v->holders, ((const struct request *)rec)->b, 0,
                                v->job->collection.totals.documents, npartitions);
}

static uint32_t partition_of_reply(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct pd_visiting *v = ctx;
    return (uint32_t)(index_of(((const struct reply *)rec)->waits_at) * npartitions / v->waiting.n);
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
    .size = sizeof(struct request), /* numbers are added if they are compared */
    .keys = 1,
    .owner = holder_of_b,
    .partition = partition_of_request};
static const struct pd_flow replies_flow = {.name = "replies",
                                            .budget = PD_BUDGET_REPLIES,
                                            .key_at = 1,
                                            .keys = 2,
                                            .owner = rank_that_waits,
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
    const struct pd_spooling waiting = {.size = sizeof(struct waiting),
                                        .memory = pd_transport_budget(t, PD_BUDGET_WAITING),
                                        .path = pd_scratch_path(t->scratch, "waiting"),
                                        .spare = &v->job->spare};
    struct pd_flow flow = requests_flow;
    flow.size = v->request_bytes;
    v->source = source;
    v->rows = rows;
    v->passages.n = v->begun = 0;
    v->source_ended = false;
    v->replies_read = 0;
    pd_spool_init(&v->waiting, &waiting);
    pd_shuffle_open(&v->later, t, &later_flow, v, &v->job->spare);
    pd_shuffle_open(&v->requests, t, &flow, v, &v->job->spare);
}

int pd_visiting_go(struct pd_visiting *v, const struct pd_passage_source *source,
                   struct pd_gathering_rows *rows)
{
    struct pd_job *job = v->job;
    begin_slice(v, source, rows);
    PD_TRY(hop(v, &v->requests, fill_requests));
    pd_shuffle_close(&v->later);
    pd_shuffle_open(&v->replies, &job->transport, &replies_flow, v, &job->spare);
    PD_TRY(pd_comm_agree(job->comm, pd_spool_finish(&v->waiting)));
    PD_TRY(hop(v, &v->replies, fill_replies));
    pd_shuffle_close(&v->requests);
    PD_TRY(hop(v, &rows->pairs, fill_rows));
    pd_shuffle_close(&v->replies);
    pd_spool_release(&v->waiting);
    return PD_OK;
}

struct pd_visiting *pd_visiting_new(struct pd_job *job, const struct pd_holders *holders)
{
    struct pd_visiting *v = pd_realloc(NULL, 1, sizeof *v);
    *v = (struct pd_visiting){.job = job,
                              .opened = {.job = job},
                              .holders = holders,
                              .request_bytes = sizeof(struct request),
                              .trims = job->options->method.passages == PD_PASSAGES_BEST};
    if (job->options->method.skip_same_host)
        v->request_bytes += sizeof(uint64_t);
    if (job->options->method.skip_same)
        v->request_bytes += sizeof(uint64_t);
    v->agreement =
        (struct pd_agreement){.exact_cells = PD_AGREEMENT_CELLS, .stopping = pd_comm_stopping};
    v->terms_beyond = pd_realloc(NULL, PD_EDGE_WORDS, sizeof *v->terms_beyond);
    return v;
}

void pd_visiting_free(struct pd_visiting *v)
{
    pd_shuffle_close(&v->later);
    pd_shuffle_close(&v->requests);
    pd_shuffle_close(&v->replies);
    pd_spool_release(&v->waiting);
    pd_rows_release(&v->pair);
    pd_trim_rows_release(&v->untrimmed);
    pd_u64s_release(&v->steps);
    pd_u64s_release(&v->order);
    pd_passages_release(&v->passages);
    pd_opened_release(&v->opened);
    free(v->terms_beyond);
    pd_u64s_release(&v->words_a);
    pd_u64s_release(&v->words_b);
    pd_agreement_release(&v->agreement);
    free(v);
}
