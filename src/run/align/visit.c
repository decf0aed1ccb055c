/*
 * run/align/visit.c - see visit.h
 *
 * At a's holder, which finds it, a passage learns a's byte offsets, and waits there. What b is asked for goes to its
 * holder, with a byte of the words beyond the passage's ends in a (struct pd_fringe). The answer has b's offsets and, if
 * these bytes agree, b's words beyond, for a's holder to see how far they go. They mostly do not: then no word is decoded.
 *
 * Passages come in order of a. What arrives at b's holder is sorted by its document, on disk if need be, answers into the
 * order in which passages wait. So each document is decoded once a hop, and volumes that pass through memory do so once a
 * hop. (Where volumes do not ascend with documents, as after some restarts, passages are sorted before they visit a.)
 */
#include "visit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/passage/edges.h"
#include "pardup/store/sorter.h"
#include "pardup/store/spool.h"
#include "run/classes/sign.h"

enum { FOUND = 1024 }; /* passages asked of the source at a time */

/* At a's holder, until the answer is there. */
struct waiting {
    struct pd_passage p;
    uint64_t bytes_a;     /* as in struct pd_row */
    uint32_t sentences_a; /* units of a */
    uint32_t nwords;      /* of a inside the passage */
};

/* A passage on one rank: the number of the rank, and that of the passage among all that wait there. */
#define NUMBER_BITS 40
static uint64_t number_of(uint64_t from) { return from & (((uint64_t)1 << NUMBER_BITS) - 1); }
static int rank_of(uint64_t from) { return (int)(from >> NUMBER_BITS); }

/* To b's holder. Neighbours have at most PD_EDGE_WORDS words that matter. */
struct visit {
    uint64_t b;    /* its place (holders.h) */
    uint64_t from; /* who asks */
    uint32_t start_b, length_b;
    uint16_t near_back, near_ahead;  /* words of a's neighbouring units; 0: there is none */
    uint8_t first_back, first_ahead; /* of the words next to the passage in a (pd_fringe_of) */
    uint16_t none;
    uint64_t host_a[]; /* one, where hosts are compared */
};

/* A word beyond a passage's end in b, and the byte where the passage would end with it. */
struct word {
    uint64_t term, bound;
};

/* Those that a's are compared with, nearest first. */
struct words {
    uint32_t nback, nahead;
    struct word v[];
};

/* Back to a's holder, with words behind it if there are any. */
struct answer {
    uint32_t size;        /* of all, as comm/exchange.h wants */
    uint32_t sentences_b; /* units of b; 0: it is left out, as both are of one host */
    uint64_t from;        /* who asked */
    uint64_t bytes_b;     /* as in struct pd_row */
};
enum {
    ANSWER_MOST =
        sizeof(struct answer) + sizeof(struct words) + 2 * PD_EDGE_WORDS * sizeof(struct word)
};
_Static_assert(ANSWER_MOST <= PD_EXCHANGE_RECORD, "a record must fit");

struct pd_visiting {
    struct pd_job *job;
    const struct pd_holders *holders;
    struct pd_gathering_rows *rows;
    const struct pd_passage_source *source;
    struct pd_passages found; /* some of the source's ... */
    size_t taken;             /* ... and how many of these have left */
    bool ended;               /* the source has no more */
    size_t visit_bytes;       /* of a struct visit */
    struct pd_shuffle later;  /* passages whose a does not stay in memory, by its locator and b */
    struct pd_shuffle visits; /* by locator of b */
    struct pd_shuffle answers;
    struct pd_spool waiting;
    uint64_t answered;       /* of those that wait */
    struct pd_rows pair;     /* of the pair at hand */
    struct pd_shuffle *here; /* records that are read in order; NULL: none yet */
    struct pd_held doc;      /* the document at hand */
    struct pd_stored stored;
    struct pd_sentences derived;
    const struct pd_sentences *units; /* ... its units ... */
    const uint64_t *terms;            /* ... and words, by number */
    uint64_t *beyond;                 /* room for PD_EDGE_WORDS */
};

static uint64_t bytes_of(const struct pd_sentences *units, uint32_t start, uint32_t length)
{
    PD_CHECK((uint64_t)start + length <= units->n && length > 0);
    return pd_ij(units->v[start].begin, units->v[start + length - 1].end);
}

/* The words on one side of units [start, start + length): those of the neighbour, and all. */
struct side {
    const struct pd_token *nearest; /* decoded when it is asked for */
    uint32_t n, near;               /* there are; matter */
    uint8_t first;                  /* pd_fringe_of the nearest, if there is one */
};

struct ends {
    struct side back, ahead;
    uint32_t words; /* inside */
};

static uint32_t end_word(const struct pd_sentence *s) { return s->word + s->nwords; }

/* Decode the n nearest words, in the direction of `step`. */
static void decode(struct pd_visiting *h, const struct side *side, int step, uint32_t n)
{
    const uint32_t at = (uint32_t)(side->nearest - h->stored.tokens.v);
    pd_stored_words(&h->stored, step < 0 ? at + 1 - n : at, step < 0 ? at + 1 : at + n);
}

static uint64_t term_of(const struct pd_visiting *h, const struct pd_token *t)
{
    return h->terms[t->term];
}

static struct ends ends_of(struct pd_visiting *h, uint32_t start, uint32_t length)
{
    const bool far = h->job->options->method.edges == PD_EDGES_FAR;
    const bool whole = h->units == &h->stored.sentences; /* else all words have been decoded */
    const struct pd_sentence *s = h->units->v;
    const uint32_t last = start + length - 1, n = (uint32_t)h->units->n;
    const uint32_t from = s[start].word, to = end_word(&s[last]);
    const uint32_t all = (uint32_t)h->stored.tokens.n;
    const struct pd_token *tokens = h->stored.tokens.v;
    const uint32_t back = start > 0 ? from - s[start - 1].word : 0;
    const uint32_t ahead = last + 1 < n ? end_word(&s[last + 1]) - to : 0;
    struct ends ends = {.back = {tokens + from - 1, from, far ? from : back, 0},
                        .ahead = {tokens + to, all - to, far ? all - to : ahead, 0},
                        .words = to - from};
    if (ends.back.n)
        ends.back.first = whole ? pd_stored_fringe(&h->stored, start - 1).last
                                : pd_fringe_of(term_of(h, ends.back.nearest));
    if (ends.ahead.n)
        ends.ahead.first = whole ? pd_stored_fringe(&h->stored, last + 1).first
                                 : pd_fringe_of(term_of(h, ends.ahead.nearest));
    return ends;
}

static uint32_t least(uint32_t x, uint32_t y) { return x < y ? x : y; }
static uint32_t most(uint32_t x, uint32_t y) { return x > y ? x : y; }

/* Go on to a document, decode it. What comes next in reading order is fetched if it is likely to be next. */
static int arrive(struct pd_visiting *h, pd_doc number, bool in_turn)
{
    struct pd_collection *col = &h->job->collection;
    if (h->doc.rec && h->doc.number == number)
        return PD_OK;
    PD_TRY(pd_collection_doc(col, number, &h->doc));
    PD_CHECK(h->doc.rec != NULL);
    PD_TRY(h->job->form.kind == PD_FORM_BASE ? pd_collection_open(col, &h->doc, &h->stored)
                                             : pd_collection_stored(col, &h->doc, &h->stored));
    if (in_turn)
        pd_collection_expect_next(col, &h->doc);
    h->terms = pd_collection_volume(col, &h->doc)->terms.v;
    h->units = pd_units_of(h->job, &h->stored, &h->derived);
    return PD_OK;
}

/* ---- at a's holder: to those that wait, and what goes to b's ---- */

/* A passage, at a's document, of which `place_b` is the other one's place. */
static int visit_a(struct pd_visiting *h, const struct pd_passage *p, uint64_t place_b,
                   struct visit *v)
{
    const struct ends ends = ends_of(h, p->start_a, p->length_a);
    const bool edges = h->job->options->method.edges != PD_EDGES_SENTENCE;
    const struct waiting w = {*p, bytes_of(h->units, p->start_a, p->length_a),
                              (uint32_t)h->units->n, ends.words};
    PD_CHECK(h->waiting.n >> NUMBER_BITS == 0);
    v->b = place_b;
    v->from = (uint64_t)h->job->comm->rank << NUMBER_BITS | h->waiting.n;
    v->start_b = p->start_b;
    v->length_b = p->length_b;
    v->near_back = edges ? (uint16_t)least(ends.back.near, PD_EDGE_WORDS) : 0;
    v->near_ahead = edges ? (uint16_t)least(ends.ahead.near, PD_EDGE_WORDS) : 0;
    v->first_back = ends.back.first;
    v->first_ahead = ends.ahead.first;
    v->none = 0;
    if (h->visit_bytes > sizeof *v)
        v->host_a[0] = h->doc.rec->host;
    return pd_spool_push(&h->waiting, &w);
}

/* A passage whose a is a place. */
static int visit_place(struct pd_visiting *h, const struct pd_passage *at, unsigned char *to,
                       size_t *n)
{
    struct pd_passage p = *at;
    p.a = pd_locator_doc(at->a);
    PD_TRY(arrive(h, p.a, true));
    PD_TRY(visit_a(h, &p, pd_holders_locate(h->holders, p.b), (struct visit *)(void *)(to + *n)));
    *n += h->visit_bytes;
    return PD_OK;
}

/* A passage of the source visits a, now or, when a has to come into memory first, in order of place. */
static int begin(struct pd_visiting *h, struct pd_passage *p, unsigned char *to, size_t *n)
{
    p->a = pd_holders_locate(h->holders, p->a);
    return pd_locator_stays(p->a) || h->holders->ascending
               ? visit_place(h, p, to, n)
               : pd_shuffle_push(&h->later, p, sizeof *p);
}

static int find_some(struct pd_visiting *h)
{
    size_t n = 0;
    h->taken = 0;
    pd_passages_reserve(&h->found, FOUND);
    const int status = h->source->fill(h->source->ctx, (unsigned char *)h->found.v,
                                       FOUND * sizeof *h->found.v, &n);
    h->found.n = n / sizeof *h->found.v;
    h->ended = status == PD_END;
    return status < 0 ? status : PD_OK;
}

/* Read the records of `shuffle` from here on. */
static int go_on_with(struct pd_visiting *h, struct pd_shuffle *shuffle)
{
    if (h->here == shuffle)
        return PD_OK;
    h->here = shuffle;
    h->doc.rec = NULL;
    return pd_shuffle_sort_own(shuffle);
}

/* What comes from the source, then what had to wait for its document. */
static int fill_visits(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_visiting *h = ctx;
    for (*n = 0; cap - *n >= h->visit_bytes;) {
        const void *p;
        if (h->taken < h->found.n) {
            PD_TRY(begin(h, &h->found.v[h->taken++], to, n));
        } else if (!h->ended) {
            PD_TRY(find_some(h));
        } else {
            PD_TRY(go_on_with(h, &h->later));
            PD_TRY(pd_shuffle_look(h->here, &p));
            if (!p)
                return PD_END;
            PD_TRY(visit_place(h, p, to, n));
            pd_shuffle_pass(h->here, sizeof(struct pd_passage));
        }
    }
    return PD_OK;
}

static int owner_of_visit(const void *rec, int nranks, void *ctx)
{
    const struct pd_visiting *h = ctx;
    (void)nranks;
    return pd_holders_rank(h->holders, ((const struct visit *)rec)->b);
}

/* ---- at b's holder: the answers ---- */

/* The words of b that the comparison can ask for, if the first one may agree with a's. */
static uint32_t words_beyond(struct pd_visiting *h, const struct side *b, int step, uint32_t near_a,
                             uint8_t first_a, struct word *words)
{
    const struct pd_token *t = b->nearest;
    if (!near_a || !b->n || b->first != first_a)
        return 0;
    const uint32_t n = least(least(b->n, most(near_a, b->near)), PD_EDGE_WORDS);
    decode(h, b, step, n);
    for (uint32_t k = 0; k < n; k++, t += step)
        words[k] = (struct word){term_of(h, t), step < 0 ? t->begin : t->end};
    return n;
}

/* Returns its bytes. */
static size_t answer(struct pd_visiting *h, const struct visit *v, struct answer *to)
{
    *to = (struct answer){.size = sizeof *to, .from = v->from};
    if (h->visit_bytes > sizeof *v && v->host_a[0] && v->host_a[0] == h->doc.rec->host)
        return to->size;
    const struct ends ends = ends_of(h, v->start_b, v->length_b);
    struct words *words = (struct words *)(void *)(to + 1);
    to->sentences_b = (uint32_t)h->units->n;
    to->bytes_b = bytes_of(h->units, v->start_b, v->length_b);
    words->nback = words_beyond(h, &ends.back, -1, v->near_back, v->first_back, words->v);
    words->nahead =
        words_beyond(h, &ends.ahead, 1, v->near_ahead, v->first_ahead, words->v + words->nback);
    const uint32_t n = words->nback + words->nahead;
    if (n > 0)
        to->size += (uint32_t)(sizeof *words + n * sizeof *words->v);
    return to->size;
}

/* Is the k-th next visit the first to come to a document of memory? Then that. */
static bool is_to_come(const struct pd_visiting *h, size_t k, struct pd_held *held)
{
    const struct pd_ordered *next = &h->here->ordered;
    const size_t at = next->at + k * h->visit_bytes;
    if (at >= next->n)
        return false;
    const struct visit *v = (const struct visit *)(const void *)(next->recs + at);
    const struct visit *before =
        (const struct visit *)(const void *)(next->recs + at - h->visit_bytes);
    return v->b != before->b && pd_locator_stays(v->b) &&
           pd_collection_doc(&h->job->collection, pd_locator_doc(v->b), held) == PD_OK;
}

/*
 * The documents that next visits come to are brought to the cache: of one that comes later where it is, then
 * what it begins with. In a large collection each of these is waited for.
 */
static void expect(const struct pd_visiting *h)
{
    enum { LATER = 24, SOON = 12 }; /* visits */
    struct pd_held held;
    if (is_to_come(h, LATER, &held))
        __builtin_prefetch(&held.rec->block);
    if (is_to_come(h, SOON, &held))
        pd_library_expect(&h->job->collection.library, held.volume, held.rec);
}

static int fill_answers(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_visiting *h = ctx;
    PD_TRY(go_on_with(h, &h->visits));
    for (*n = 0; cap - *n >= ANSWER_MOST;) {
        const void *rec;
        PD_TRY(pd_shuffle_look(h->here, &rec));
        const struct visit *v = rec;
        if (!v)
            return PD_END;
        expect(h);
        PD_TRY(arrive(h, pd_locator_doc(v->b), false));
        *n += answer(h, v, (struct answer *)(void *)(to + *n));
        pd_shuffle_pass(h->here, h->visit_bytes);
    }
    return PD_OK;
}

static int owner_of_answer(const void *rec, int nranks, void *ctx)
{
    (void)nranks;
    (void)ctx;
    return rank_of(((const struct answer *)rec)->from);
}

/* ---- at a's holder again: rows ---- */

/*
 * How many of b's n words agree with a's, walking from the nearest. b sent no more words than the
 * longer neighbour sentence has, so all it sent are `near` here.
 */
static uint32_t agree(struct pd_visiting *h, const struct side *side, int step,
                      const struct word *words, uint32_t n)
{
    uint64_t terms_b[PD_EDGE_WORDS];
    const uint32_t known = least(side->n, n);
    decode(h, side, step, known);
    for (uint32_t k = 0; k < known; k++) {
        h->beyond[k] = term_of(h, side->nearest + step * (int64_t)k);
        terms_b[k] = words[k].term;
    }
    const struct pd_beyond a = {h->beyond, known, n}, b = {terms_b, known, n};
    return pd_edges_agree(&a, &b);
}

/* The passage's ends move out as far as words agree. */
static int extend(struct pd_visiting *h, const struct waiting *w, const struct words *b,
                  struct pd_row *row, uint32_t *nwords)
{
    const struct word *back = b->v, *ahead = back + b->nback;
    PD_TRY(arrive(h, w->p.a, true));
    const struct ends ends = ends_of(h, w->p.start_a, w->p.length_a);
    uint32_t n = agree(h, &ends.back, -1, back, b->nback);
    if (n > 0) {
        row->bytes_a = pd_ij((ends.back.nearest - (n - 1))->begin, (uint32_t)row->bytes_a);
        row->bytes_b = pd_ij((uint32_t)back[n - 1].bound, (uint32_t)row->bytes_b);
        *nwords += n;
    }
    n = agree(h, &ends.ahead, 1, ahead, b->nahead);
    if (n > 0) {
        row->bytes_a = pd_ij((uint32_t)(row->bytes_a >> 32), (ends.ahead.nearest + (n - 1))->end);
        row->bytes_b = pd_ij((uint32_t)(row->bytes_b >> 32), (uint32_t)ahead[n - 1].bound);
        *nwords += n;
    }
    return PD_OK;
}

/* The passage becomes a row, unless it is left out. */
static int finish(struct pd_visiting *h, const struct waiting *w, const struct answer *b)
{
    const struct pd_passage *p = &w->p;
    struct pd_row row = {.a = p->a,
                         .b = p->b,
                         .starts = pd_ij(p->start_a, p->start_b),
                         .lengths = pd_ij(p->length_a, p->length_b),
                         .bytes_a = w->bytes_a,
                         .bytes_b = b->bytes_b,
                         .sentences = pd_ij(w->sentences_a, b->sentences_b),
                         .matched = p->matched,
                         .similarity = p->similarity};
    uint32_t nwords = w->nwords;
    if (b->sentences_b == 0) {
        h->job->same_host++;
        return PD_OK;
    }
    if (b->size > sizeof *b)
        PD_TRY(extend(h, w, (const struct words *)(const void *)(b + 1), &row, &nwords));
    if (nwords < h->job->options->method.min_passage_words)
        h->job->too_short++;
    else
        pd_rows_push(&h->pair, row);
    return PD_OK;
}

/* The rows of the next pair, if there is one: else *any is false. Passages of a pair wait one after the other. */
static int next_pair(struct pd_visiting *h, bool *any)
{
    const struct waiting *w;
    const void *rec;
    pd_doc a = 0, b = 0;
    h->pair.n = 0;
    for (*any = false;; *any = true) {
        PD_TRY(pd_spool_look(&h->waiting, &rec));
        w = rec;
        if (!w || (*any && (w->p.a != a || w->p.b != b)))
            return PD_OK;
        a = w->p.a;
        b = w->p.b;
        PD_TRY(pd_shuffle_look(h->here, &rec));
        const struct answer *from_b = rec;
        PD_CHECK(from_b && number_of(from_b->from) == h->answered);
        PD_TRY(finish(h, w, from_b));
        h->answered++;
        pd_spool_pass(&h->waiting);
        pd_shuffle_pass(h->here, from_b->size);
    }
}

static int fill_rows(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_visiting *h = ctx;
    bool any = true;
    PD_TRY(go_on_with(h, &h->answers));
    for (*n = 0;;) {
        *n += pd_rows_send(h->rows, to + *n, cap - *n);
        if (pd_rows_wait(h->rows))
            return PD_OK;
        PD_TRY(next_pair(h, &any));
        if (!any)
            return PD_END;
        if (h->pair.n)
            pd_rows_add(h->rows, h->pair.v, h->pair.n);
    }
}

/* ---- the hops of a slice ---- */

static uint32_t partition_of_later(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct pd_visiting *h = ctx;
    const pd_doc least = pd_row_bin_start(h->job, h->rows->from);
    return pd_holders_partition(h->holders, ((const struct pd_passage *)rec)->a, least,
                                pd_row_bin_start(h->job, h->rows->to) - least, npartitions);
}

static uint32_t partition_of_visit(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct pd_visiting *h = ctx;
    return pd_holders_partition(h->holders, ((const struct visit *)rec)->b, 0,
                                h->job->collection.totals.documents, npartitions);
}

static uint32_t partition_of_answer(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct pd_visiting *h = ctx;
    return (uint32_t)(number_of(((const struct answer *)rec)->from) * npartitions / h->waiting.n);
}

static const struct pd_flow later_flow = {.name = "later",
                                          .budget = PD_BUDGET_LATER,
                                          .size = sizeof(struct pd_passage),
                                          .keys = 2,
                                          .partition = partition_of_later};
static const struct pd_flow visits_flow = {
    .name = "visits",
    .budget = PD_BUDGET_VISITS,
    .size = sizeof(struct visit), /* and one host, if hosts are compared */
    .keys = 1,
    .owner = owner_of_visit,
    .partition = partition_of_visit};
static const struct pd_flow answers_flow = {.name = "answers",
                                            .budget = PD_BUDGET_REPLIES,
                                            .key_at = 1,
                                            .keys = 1,
                                            .owner = owner_of_answer,
                                            .partition = partition_of_answer};

/* COLLECTIVE. Send what `fill` writes to where `to` takes it. No document is at hand in the beginning. */
static int hop(struct pd_visiting *h, struct pd_shuffle *to,
               int (*fill)(void *ctx, unsigned char *to, size_t cap, size_t *n))
{
    h->here = NULL;
    h->doc.rec = NULL;
    return pd_shuffle_send(to, fill, h);
}

static void begin_slice(struct pd_visiting *h, const struct pd_passage_source *source,
                        struct pd_gathering_rows *rows)
{
    const struct pd_transport *t = &h->job->transport;
    const struct pd_spooling waiting = {.size = sizeof(struct waiting),
                                        .memory = pd_transport_budget(t, PD_BUDGET_WAITING),
                                        .path = pd_scratch_path(t->scratch, "waiting"),
                                        .spare = &h->job->spare};
    struct pd_flow flow = visits_flow;
    flow.size = h->visit_bytes;
    h->source = source;
    h->rows = rows;
    h->found.n = h->taken = 0;
    h->ended = false;
    h->answered = 0;
    pd_spool_init(&h->waiting, &waiting);
    pd_shuffle_open(&h->later, t, &later_flow, h, &h->job->spare);
    pd_shuffle_open(&h->visits, t, &flow, h, &h->job->spare);
}

int pd_visiting_go(struct pd_visiting *h, const struct pd_passage_source *source,
                   struct pd_gathering_rows *rows)
{
    struct pd_job *job = h->job;
    begin_slice(h, source, rows);
    PD_TRY(hop(h, &h->visits, fill_visits));
    pd_shuffle_close(&h->later);
    pd_shuffle_open(&h->answers, &job->transport, &answers_flow, h, &job->spare);
    PD_TRY(pd_comm_agree(job->comm, pd_spool_finish(&h->waiting)));
    PD_TRY(hop(h, &h->answers, fill_answers));
    pd_shuffle_close(&h->visits);
    PD_TRY(hop(h, &rows->pairs, fill_rows));
    pd_shuffle_close(&h->answers);
    pd_spool_release(&h->waiting);
    return PD_OK;
}

struct pd_visiting *pd_visiting_new(struct pd_job *job, const struct pd_holders *holders)
{
    struct pd_visiting *h = pd_realloc(NULL, 1, sizeof *h);
    *h = (struct pd_visiting){.job = job, .holders = holders, .visit_bytes = sizeof(struct visit)};
    if (job->options->method.skip_same_host)
        h->visit_bytes += sizeof(uint64_t);
    h->beyond = pd_realloc(NULL, PD_EDGE_WORDS, sizeof *h->beyond);
    return h;
}

void pd_visiting_free(struct pd_visiting *h)
{
    pd_shuffle_close(&h->later);
    pd_shuffle_close(&h->visits);
    pd_shuffle_close(&h->answers);
    pd_spool_release(&h->waiting);
    pd_rows_release(&h->pair);
    pd_passages_release(&h->found);
    pd_stored_release(&h->stored);
    pd_sentences_release(&h->derived);
    free(h->beyond);
    free(h);
}
