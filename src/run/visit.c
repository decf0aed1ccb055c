/*
 * run/visit.c - see visit.h
 *
 * At a's holder a passage learns a's byte offsets and the first words beyond its ends; at b's
 * holder b's offsets, and whether those first words agree. They mostly do not: then the passage is
 * finished. Else it takes b's words with it, back to a's holder, to see how far they go.
 */
#include "visit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"
#include "pardup/passage/edges.h"
#include "sign.h"

enum hop { AT_A, AT_B, BACK_AT_A };

/* A word beyond a passage's end in b, and the byte where the passage would end with it. */
struct word {
    uint64_t term, bound;
};

struct visit {
    uint32_t size; /* of the record with its words: first, as comm/exchange.h wants */
    uint32_t zero;
    struct pd_passage p;
    uint64_t host_a;
    uint64_t sentences; /* units of a and b, as in struct pd_row, like the next two */
    uint64_t bytes_a, bytes_b;
    uint64_t first_back, first_ahead; /* terms next to the passage in a */
    uint32_t near_back, near_ahead;   /* words of a's neighbouring units; 0: there is none */
    uint32_t nback, nahead;           /* words of b that follow, nearest first */
    uint32_t nwords, more_zero;       /* words of a inside the passage */
    struct word words[];
};

/* Where a record is among those that arrived, keyed by document: each is decoded once. */
struct place {
    pd_doc doc;
    uint64_t at;
};
PD_VEC(places, struct place);

/* One hop: records under way from `out`, arriving in `in`. */
struct pd_visiting {
    struct pd_detect *job;
    enum hop hop;
    struct places places; /* of those in `in` */
    struct pd_bytes out, in;
    size_t at; /* bytes of out already sent */
    struct pd_stored stored;
    struct pd_sentences derived;
    const struct pd_sentences *units; /* of the document stored */
    const uint64_t *terms;            /* of its words, by number */
    uint64_t *beyond;                 /* room for PD_EDGE_WORDS */
};

static const struct visit *visit_at(const struct pd_bytes *bytes, size_t at)
{
    return (const struct visit *)(const void *)(bytes->v + at);
}

/* Append what a visit begins with: `host_a` and what follows is for a's holder to say. */
static void push_passage(struct pd_bytes *bytes, const struct pd_passage *p)
{
    const struct visit v = {.size = offsetof(struct visit, host_a), .p = *p};
    pd_bytes_append(bytes, &v, v.size);
}

/* Append a visit: its head, which tells how many words follow ... */
static void push_visit(struct pd_bytes *bytes, const struct visit *v)
{
    struct visit head = *v;
    head.size = (uint32_t)(sizeof head + (v->nback + v->nahead) * sizeof(struct word));
    pd_bytes_append(bytes, &head, sizeof head);
}

/* ... and with them. */
static void push_with_words(struct pd_bytes *bytes, const struct visit *v, const struct word *back,
                            const struct word *ahead)
{
    push_visit(bytes, v);
    pd_bytes_append(bytes, back, v->nback * sizeof *back);
    pd_bytes_append(bytes, ahead, v->nahead * sizeof *ahead);
}

static int fill_visits(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_visiting *h = ctx;
    *n = 0;
    while (h->at < h->out.n) {
        const struct visit *v = visit_at(&h->out, h->at);
        if (*n + v->size > cap)
            return PD_OK;
        memcpy(to + *n, v, v->size);
        *n += v->size;
        h->at += v->size;
    }
    return PD_END;
}

static pd_doc document_of(enum hop hop, const struct visit *v)
{
    return hop == AT_B ? v->p.b : v->p.a;
}

static int owner_of_text(const void *rec, int nranks, void *ctx)
{
    const struct pd_visiting *h = ctx;
    (void)nranks;
    return pd_collection_holder(&h->job->collection, document_of(h->hop, rec));
}

static int take_visits(const void *recs, size_t bytes, void *ctx)
{
    pd_bytes_append(&((struct pd_visiting *)ctx)->in, recs, bytes);
    return PD_OK;
}

static void push_row(struct pd_detect *job, const struct visit *v)
{
    const struct pd_passage *p = &v->p;
    if (v->nwords < job->options->min_passage_words) {
        job->too_short++;
        return;
    }
    pd_rows_push(&job->rows, (struct pd_row){.a = p->a,
                                             .b = p->b,
                                             .starts = pd_ij(p->start_a, p->start_b),
                                             .lengths = pd_ij(p->length_a, p->length_b),
                                             .bytes_a = v->bytes_a,
                                             .bytes_b = v->bytes_b,
                                             .sentences = v->sentences,
                                             .matched = p->matched,
                                             .similarity = p->similarity});
}

static uint64_t bytes_of(const struct pd_sentences *units, uint32_t start, uint32_t length)
{
    PD_CHECK((uint64_t)start + length <= units->n && length > 0);
    return pd_ij(units->v[start].begin, units->v[start + length - 1].end);
}

/* The tokens next to units [start, start + length), and how many of them the neighbours have. */
struct ends {
    const struct pd_token *back, *ahead; /* the nearest ones */
    uint32_t nback, nahead;              /* how many there are in all */
    uint32_t near_back, near_ahead;
    uint32_t words; /* inside */
};

static uint32_t end_word(const struct pd_sentence *s) { return s->word + s->nwords; }

/* Decode n words from `nearest` on, in the direction of `step`. */
static void decode(struct pd_visiting *h, const struct pd_token *nearest, int step, uint32_t n)
{
    const uint32_t at = (uint32_t)(nearest - h->stored.tokens.v);
    pd_stored_words(&h->stored, step < 0 ? at + 1 - n : at, step < 0 ? at + 1 : at + n);
}

/* Of the words on both sides the nearest sentences' are decoded; others when they are asked for. */
static struct ends ends_of(struct pd_visiting *h, uint32_t start, uint32_t length)
{
    const bool far = h->job->options->edges == PD_EDGES_FAR;
    const struct pd_sentence *s = h->units->v;
    const uint32_t last = start + length - 1, n = (uint32_t)h->units->n;
    const uint32_t from = s[start].word, to = end_word(&s[last]);
    const uint32_t all = (uint32_t)h->stored.tokens.n;
    if (h->units == &h->stored.sentences && h->job->options->edges != PD_EDGES_SENTENCE) {
        if (start > 0)
            pd_stored_sentence(&h->stored, start - 1);
        if (last + 1 < n)
            pd_stored_sentence(&h->stored, last + 1);
    }
    const struct pd_token *tokens = h->stored.tokens.v;
    return (struct ends){.back = tokens + from - 1,
                         .ahead = tokens + to,
                         .nback = from,
                         .nahead = all - to,
                         .near_back = far         ? from
                                      : start > 0 ? from - s[start - 1].word
                                                  : 0,
                         .near_ahead = far            ? all - to
                                       : last + 1 < n ? end_word(&s[last + 1]) - to
                                                      : 0,
                         .words = to - from};
}

static uint64_t term_of(const struct pd_visiting *h, const struct pd_token *t)
{
    return h->terms[t->term];
}

static void visit_a(struct pd_visiting *h, const struct visit *rec, const struct pd_docrec *doc)
{
    struct visit v = {.p = rec->p};
    const struct ends ends = ends_of(h, v.p.start_a, v.p.length_a);
    v.bytes_a = bytes_of(h->units, v.p.start_a, v.p.length_a);
    v.sentences = (uint64_t)h->units->n << 32;
    v.host_a = doc->host;
    v.nwords = ends.words;
    if (h->job->options->edges != PD_EDGES_SENTENCE) {
        v.near_back = ends.near_back;
        v.near_ahead = ends.near_ahead;
        v.first_back = ends.near_back ? term_of(h, ends.back) : 0;
        v.first_ahead = ends.near_ahead ? term_of(h, ends.ahead) : 0;
    }
    push_visit(&h->out, &v);
}

static uint32_t least(uint32_t x, uint32_t y) { return x < y ? x : y; }
static uint32_t most(uint32_t x, uint32_t y) { return x > y ? x : y; }

/* The words of b that the comparison can ask for, if the first one agrees with a's. */
static uint32_t words_beyond(struct pd_visiting *h, const struct pd_token *nearest, int step,
                             uint32_t n, uint32_t near_a, uint32_t near_b, uint64_t first_a,
                             struct word *words)
{
    if (!near_a || !n || term_of(h, nearest) != first_a)
        return 0;
    n = least(least(n, most(near_a, near_b)), PD_EDGE_WORDS);
    decode(h, nearest, step, n);
    for (uint32_t k = 0; k < n; k++, nearest += step)
        words[k] = (struct word){term_of(h, nearest), step < 0 ? nearest->begin : nearest->end};
    return n;
}

static void visit_b(struct pd_visiting *h, const struct visit *rec, const struct pd_docrec *doc)
{
    struct word back[PD_EDGE_WORDS], ahead[PD_EDGE_WORDS];
    struct visit v = *rec;
    const struct ends ends = ends_of(h, v.p.start_b, v.p.length_b);
    if (h->job->options->skip_same_host && v.host_a && v.host_a == doc->host) {
        h->job->same_host++;
        return;
    }
    v.bytes_b = bytes_of(h->units, v.p.start_b, v.p.length_b);
    v.sentences |= h->units->n;
    v.nback =
        words_beyond(h, ends.back, -1, ends.nback, v.near_back, ends.near_back, v.first_back, back);
    v.nahead = words_beyond(h, ends.ahead, 1, ends.nahead, v.near_ahead, ends.near_ahead,
                            v.first_ahead, ahead);
    if (v.nback || v.nahead)
        push_with_words(&h->out, &v, back, ahead);
    else
        push_row(h->job, &v);
}

/*
 * How many of b's n words agree with a's, walking from `nearest`. b sent no more words than the
 * longer neighbour sentence has, so all it sent are `near` here.
 */
static uint32_t agree(struct pd_visiting *h, const struct pd_token *nearest, int step, uint32_t n_a,
                      const struct word *words, uint32_t n)
{
    uint64_t terms_b[PD_EDGE_WORDS];
    const uint32_t known = least(n_a, n);
    decode(h, nearest, step, known);
    for (uint32_t k = 0; k < known; k++) {
        h->beyond[k] = term_of(h, nearest + step * (int64_t)k);
        terms_b[k] = words[k].term;
    }
    const struct pd_beyond a = {h->beyond, known, n}, b = {terms_b, known, n};
    return pd_edges_agree(&a, &b);
}

static void visit_a_again(struct pd_visiting *h, const struct visit *rec)
{
    struct visit v = *rec;
    const struct ends ends = ends_of(h, v.p.start_a, v.p.length_a);
    const struct word *back = rec->words, *ahead = rec->words + rec->nback;
    uint32_t n = agree(h, ends.back, -1, ends.nback, back, rec->nback);
    if (n > 0) {
        v.bytes_a = pd_ij((ends.back - (n - 1))->begin, (uint32_t)v.bytes_a);
        v.bytes_b = pd_ij((uint32_t)back[n - 1].bound, (uint32_t)v.bytes_b);
        v.nwords += n;
    }
    n = agree(h, ends.ahead, 1, ends.nahead, ahead, rec->nahead);
    if (n > 0) {
        v.bytes_a = pd_ij((uint32_t)(v.bytes_a >> 32), (ends.ahead + (n - 1))->end);
        v.bytes_b = pd_ij((uint32_t)(v.bytes_b >> 32), (uint32_t)ahead[n - 1].bound);
        v.nwords += n;
    }
    push_row(h->job, &v);
}

/* Decode the document that records come to. */
static int arrive(struct pd_visiting *h, pd_doc number, struct pd_held *doc)
{
    struct pd_collection *col = &h->job->collection;
    PD_TRY(pd_collection_doc(col, number, doc));
    PD_CHECK(doc->rec != NULL);
    PD_TRY(h->job->form.kind == PD_UNITS_BASE ? pd_collection_open(col, doc, &h->stored)
                                              : pd_collection_stored(col, doc, &h->stored));
    h->terms = pd_collection_volume(col, doc)->terms.v;
    h->units = pd_units_of(h->job, &h->stored, &h->derived);
    return PD_OK;
}

enum { AHEAD = 8, CACHE_LINE = 64 }; /* records, bytes */

static void prefetch(const struct visit *v)
{
    for (size_t at = 0; at < sizeof *v; at += CACHE_LINE)
        __builtin_prefetch((const char *)v + at);
}

static void look(struct pd_visiting *h, const struct visit *v, const struct pd_docrec *doc)
{
    if (h->hop == AT_A)
        visit_a(h, v, doc);
    else if (h->hop == AT_B)
        visit_b(h, v, doc);
    else
        visit_a_again(h, v);
}

/* List what has arrived, by document. */
static void make_places(struct pd_visiting *h)
{
    struct places *places = &h->places;
    bool sorted = true;
    places->n = 0;
    for (size_t at = 0; at < h->in.n; at += visit_at(&h->in, at)->size) {
        const pd_doc doc = document_of(h->hop, visit_at(&h->in, at));
        sorted = sorted && (!places->n || places->v[places->n - 1].doc <= doc);
        places_push(places, (struct place){doc, at});
    }
    if (!sorted)
        pd_sort_records(places->v, places->n, 2, 1);
}

static int receive(struct pd_visiting *h)
{
    struct pd_held doc = {0};
    int status = PD_OK;
    make_places(h);
    for (size_t k = 0; k < h->places.n && status >= 0; k++) {
        const struct place *place = &h->places.v[k];
        if (k + AHEAD < h->places.n) /* they lie all over `in` */
            prefetch(visit_at(&h->in, place[AHEAD].at));
        if (k == 0 || doc.number != place->doc)
            status = arrive(h, place->doc, &doc);
        if (status >= 0)
            look(h, visit_at(&h->in, place->at), doc.rec);
    }
    return status;
}

static int make_hop(struct pd_visiting *h, enum hop hop)
{
    struct pd_detect *job = h->job;
    const struct pd_route route = {0, fill_visits, owner_of_text, take_visits, h};
    h->hop = hop;
    h->at = h->in.n = 0;
    PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
    h->out.n = 0;
    return pd_comm_agree(job->comm, receive(h));
}

int pd_visiting_go(struct pd_visiting *h, const struct pd_passage *passages, size_t n)
{
    h->out.n = 0;
    for (size_t k = 0; k < n; k++)
        push_passage(&h->out, &passages[k]);
    int status = make_hop(h, AT_A);
    if (status >= 0)
        status = make_hop(h, AT_B);
    if (status >= 0)
        status = make_hop(h, BACK_AT_A);
    return status;
}

struct pd_visiting *pd_visiting_new(struct pd_detect *job)
{
    struct pd_visiting *h = pd_realloc(NULL, 1, sizeof *h);
    *h = (struct pd_visiting){.job = job};
    h->beyond = pd_realloc(NULL, PD_EDGE_WORDS, sizeof *h->beyond);
    return h;
}

void pd_visiting_free(struct pd_visiting *h)
{
    places_release(&h->places);
    pd_bytes_release(&h->out);
    pd_bytes_release(&h->in);
    pd_stored_release(&h->stored);
    pd_sentences_release(&h->derived);
    free(h->beyond);
    free(h);
}
