/*
 * run/visit.c - see visit.h
 *
 * At a's holder a passage learns a's byte offsets and the first words beyond its ends; at b's
 * holder b's offsets, and whether those first words agree. They mostly do not: then the passage is
 * finished. Else it takes b's words with it, back to a's holder, to see how far they go.
 *
 * What arrives is sorted by document, on disk if need be, before the first is looked at: so each
 * document is decoded once a hop, and volumes that pass through memory do so once a hop.
 */
#include "visit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "holders.h"
#include "pardup/base/error.h"
#include "pardup/passage/edges.h"
#include "pardup/store/sorter.h"
#include "sign.h"

/* Visits of a hop may fill this part of --memory, those of the next as much. */
enum { VISITS_SHARE = 16 };

enum kind { TO_B, BACK_TO_A, FINISHED };

/*
 * What all records begin with from a's holder on: first the size, as comm/exchange.h wants. In them p.a and p.b
 * are places (holders.h).
 */
struct head {
    uint32_t size, kind;
};

/* From a's holder to b's. Neighbours have at most PD_EDGE_WORDS words that matter. */
struct visit {
    struct head head;
    struct pd_passage p;
    uint64_t host_a, bytes_a;         /* bytes as in struct pd_row */
    uint32_t sentences_a, nwords;     /* units of a; words of a inside the passage */
    uint16_t near_back, near_ahead;   /* words of a's neighbouring units; 0: there is none */
    uint16_t first_back, first_ahead; /* of the terms next to the passage in a, 16 bits */
};

/* A word beyond a passage's end in b, and the byte where the passage would end with it. */
struct word {
    uint64_t term, bound;
};

/* From b's holder back to a's. */
struct back {
    struct head head;
    struct pd_passage p;
    uint64_t bytes_a, bytes_b, sentences; /* as in struct pd_row */
    uint32_t nwords;                      /* of a inside the passage */
    uint16_t nback, nahead;               /* words of b that follow, nearest first */
    struct word words[];
};

struct finished {
    struct head head;
    struct pd_row row;
};

struct pd_visiting {
    struct pd_detect *job;
    struct pd_holders holders;
    struct pd_gathering_rows *rows;
    const struct pd_passage_source *source;
    const struct hop *at, *to; /* the hop at hand; where its records go, to documents ... */
    pd_doc least, range;       /* ... in [least, least + range) */
    struct pd_ordered here;    /* what has arrived, by document ... */
    struct pd_sorter *next;    /* ... and what arrives for the next hop */
    struct pd_held doc;        /* at hand ... */
    struct pd_stored stored;
    struct pd_sentences derived;
    const struct pd_sentences *units; /* ... its units ... */
    const uint64_t *terms;            /* ... and words, by number */
    uint64_t *beyond;                 /* room for PD_EDGE_WORDS */
};

/* The row of a passage, unless it has too few words. Returns its bytes. */
static size_t finish(struct pd_visiting *h, const struct back *v, unsigned char *to)
{
    const struct pd_passage *p = &v->p;
    if (v->nwords < h->job->options->min_passage_words) {
        h->job->too_short++;
        return 0;
    }
    const struct finished f = {{sizeof f, FINISHED},
                               {.a = pd_place_doc(p->a),
                                .b = pd_place_doc(p->b),
                                .starts = pd_ij(p->start_a, p->start_b),
                                .lengths = pd_ij(p->length_a, p->length_b),
                                .bytes_a = v->bytes_a,
                                .bytes_b = v->bytes_b,
                                .sentences = v->sentences,
                                .matched = p->matched,
                                .similarity = p->similarity}};
    memcpy(to, &f, sizeof f);
    return sizeof f;
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

static uint32_t least(uint32_t x, uint32_t y) { return x < y ? x : y; }
static uint32_t most(uint32_t x, uint32_t y) { return x > y ? x : y; }

static size_t visit_a(struct pd_visiting *h, const void *rec, unsigned char *to)
{
    const struct pd_passage *p = rec;
    const struct ends ends = ends_of(h, p->start_a, p->length_a);
    struct visit v = {.head = {sizeof v, TO_B},
                      .p = *p,
                      .host_a = h->doc.rec->host,
                      .bytes_a = bytes_of(h->units, p->start_a, p->length_a),
                      .sentences_a = (uint32_t)h->units->n,
                      .nwords = ends.words};
    v.p.b = pd_holders_place(&h->holders, p->b);
    if (h->job->options->edges != PD_EDGES_SENTENCE) {
        v.near_back = (uint16_t)least(ends.near_back, PD_EDGE_WORDS);
        v.near_ahead = (uint16_t)least(ends.near_ahead, PD_EDGE_WORDS);
        v.first_back = ends.near_back ? (uint16_t)term_of(h, ends.back) : 0;
        v.first_ahead = ends.near_ahead ? (uint16_t)term_of(h, ends.ahead) : 0;
    }
    memcpy(to, &v, sizeof v);
    return sizeof v;
}

/* The words of b that the comparison can ask for, if the first one agrees with a's. */
static uint32_t words_beyond(struct pd_visiting *h, const struct pd_token *nearest, int step,
                             uint32_t n, uint32_t near_a, uint32_t near_b, uint16_t first_a,
                             struct word *words)
{
    if (!near_a || !n || (uint16_t)term_of(h, nearest) != first_a)
        return 0;
    n = least(least(n, most(near_a, near_b)), PD_EDGE_WORDS);
    decode(h, nearest, step, n);
    for (uint32_t k = 0; k < n; k++, nearest += step)
        words[k] = (struct word){term_of(h, nearest), step < 0 ? nearest->begin : nearest->end};
    return n;
}

static size_t visit_b(struct pd_visiting *h, const void *rec, unsigned char *to)
{
    const struct visit *v = rec;
    const struct ends ends = ends_of(h, v->p.start_b, v->p.length_b);
    if (h->job->options->skip_same_host && v->host_a && v->host_a == h->doc.rec->host) {
        h->job->same_host++;
        return 0;
    }
    struct back found = {.p = v->p,
                         .bytes_a = v->bytes_a,
                         .bytes_b = bytes_of(h->units, v->p.start_b, v->p.length_b),
                         .sentences = pd_ij(v->sentences_a, (uint32_t)h->units->n),
                         .nwords = v->nwords};
    struct word *words = ((struct back *)(void *)to)->words;
    const uint32_t nback = words_beyond(h, ends.back, -1, ends.nback, v->near_back, ends.near_back,
                                        v->first_back, words);
    const uint32_t nahead = words_beyond(h, ends.ahead, 1, ends.nahead, v->near_ahead,
                                         ends.near_ahead, v->first_ahead, words + nback);
    if (nback + nahead == 0)
        return finish(h, &found, to);
    found.head =
        (struct head){(uint32_t)(sizeof found + (nback + nahead) * sizeof *words), BACK_TO_A};
    found.nback = (uint16_t)nback;
    found.nahead = (uint16_t)nahead;
    memcpy(to, &found, sizeof found);
    return found.head.size;
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

static size_t visit_a_again(struct pd_visiting *h, const void *rec, unsigned char *to)
{
    struct back v = *(const struct back *)rec;
    const struct ends ends = ends_of(h, v.p.start_a, v.p.length_a);
    const struct word *back = ((const struct back *)rec)->words, *ahead = back + v.nback;
    uint32_t n = agree(h, ends.back, -1, ends.nback, back, v.nback);
    if (n > 0) {
        v.bytes_a = pd_ij((ends.back - (n - 1))->begin, (uint32_t)v.bytes_a);
        v.bytes_b = pd_ij((uint32_t)back[n - 1].bound, (uint32_t)v.bytes_b);
        v.nwords += n;
    }
    n = agree(h, ends.ahead, 1, ends.nahead, ahead, v.nahead);
    if (n > 0) {
        v.bytes_a = pd_ij((uint32_t)(v.bytes_a >> 32), (ends.ahead + (n - 1))->end);
        v.bytes_b = pd_ij((uint32_t)(v.bytes_b >> 32), (uint32_t)ahead[n - 1].bound);
        v.nwords += n;
    }
    return finish(h, &v, to);
}

/* Decode the document that records come to. */
static int arrive(struct pd_visiting *h, pd_doc number)
{
    struct pd_collection *col = &h->job->collection;
    PD_TRY(pd_collection_doc(col, number, &h->doc));
    PD_CHECK(h->doc.rec != NULL);
    PD_TRY(h->job->form.kind == PD_UNITS_BASE ? pd_collection_open(col, &h->doc, &h->stored)
                                              : pd_collection_stored(col, &h->doc, &h->stored));
    h->terms = pd_collection_volume(col, &h->doc)->terms.v;
    h->units = pd_units_of(h->job, &h->stored, &h->derived);
    return PD_OK;
}

/* What arrives where, and what it becomes there. */
static const struct hop {
    size_t size;   /* bytes of a record, 0: it begins with them */
    size_t key_at; /* which of its words is the place of the document ... */
    /* ... and what is done there: writes a record at `to`, at most `most` bytes; returns them, or 0 */
    size_t (*visit)(struct pd_visiting *h, const void *rec, unsigned char *to);
    size_t most;
} hops[] = {
    {sizeof(struct pd_passage), 0, visit_a, sizeof(struct visit)},
    {0, 2, visit_b, sizeof(struct back) + 2 * PD_EDGE_WORDS * sizeof(struct word)},
    {0, 1, visit_a_again, sizeof(struct finished)},
};
enum { HOPS = sizeof hops / sizeof *hops };
#define AT_A (&hops[0])
#define AT_B (&hops[1])

static uint64_t place_of(const struct hop *hop, const void *rec)
{
    return ((const uint64_t *)rec)[hop->key_at];
}

static int fill_first(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    const struct pd_visiting *h = ctx;
    struct pd_passage *v = (struct pd_passage *)(void *)to;
    const int status = h->source->fill(h->source->ctx, to, cap, n);
    for (size_t k = 0; k < *n / sizeof *v; k++)
        v[k].a = pd_holders_place(&h->holders, v[k].a);
    return status;
}

static int fill_next(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_visiting *h = ctx;
    const struct hop *hop = h->at;
    for (*n = 0; cap - *n >= hop->most;) {
        const void *rec;
        PD_TRY(pd_ordered_look(&h->here, &rec));
        if (!rec)
            return PD_END;
        const pd_doc doc = pd_place_doc(place_of(hop, rec));
        if (!h->doc.rec || h->doc.number != doc)
            PD_TRY(arrive(h, doc));
        *n += hop->visit(h, rec, to + *n);
        h->here.at += hop->size ? hop->size : ((const struct head *)rec)->size;
    }
    return PD_OK;
}

static int owner_of_passage(const void *rec, int nranks, void *ctx)
{
    const struct pd_visiting *h = ctx;
    (void)nranks;
    return pd_holders_rank(&h->holders, ((const struct pd_passage *)rec)->a);
}

static int owner_of_visit(const void *rec, int nranks, void *ctx)
{
    const struct pd_visiting *h = ctx;
    (void)nranks;
    if (((const struct head *)rec)->kind == FINISHED)
        return pd_rows_owner(h->rows, ((const struct finished *)rec)->row.a);
    return pd_holders_rank(&h->holders, place_of(h->to, rec));
}

static int take_passages(const void *recs, size_t bytes, void *ctx)
{
    return pd_sorter_push(((struct pd_visiting *)ctx)->next, recs, bytes);
}

static int take_visits(const void *recs, size_t bytes, void *ctx)
{
    struct pd_visiting *h = ctx;
    const unsigned char *rec = recs, *const end = rec + bytes;
    for (const struct head *head; rec < end; rec += head->size) {
        head = (const struct head *)(const void *)rec;
        if (head->kind == FINISHED)
            PD_TRY(pd_sorter_push(h->rows->sorter, head + 1, sizeof(struct pd_row)));
        else
            PD_TRY(pd_sorter_push(h->next, rec, head->size));
    }
    return PD_OK;
}

static uint32_t part_of_visit(const void *rec, uint32_t nparts, void *ctx)
{
    const struct pd_visiting *h = ctx;
    return pd_holders_part(&h->holders, place_of(h->to, rec), h->least, h->range, nparts);
}

static struct pd_sorter *sorter_of(struct pd_visiting *h)
{
    struct pd_detect *job = h->job;
    const struct pd_sorting how = {.size = h->to->size,
                                   .key_at = (unsigned)h->to->key_at,
                                   .keys = 1,
                                   .memory = job->collection.memory / VISITS_SHARE,
                                   .path = pd_scratch_path(&job->scratch, "visits"),
                                   .part = part_of_visit,
                                   .ctx = h,
                                   .spare = &job->spare};
    h->least = pd_row_bin_start(job, h->rows->from);
    h->range =
        (h->to == AT_B ? job->collection.totals.documents : pd_row_bin_start(job, h->rows->to)) -
        h->least;
    return pd_sorter_new(&how);
}

/* COLLECTIVE. What is here, or comes from the source, to where it goes next; h->to is NULL: to the rows alone. */
static int make_hop(struct pd_visiting *h, const struct pd_route *route)
{
    struct pd_sorter *next = h->next = h->to ? sorter_of(h) : NULL;
    int status = pd_exchange(h->job->comm, route, &h->job->stages.moved);
    pd_sorter_free(h->here.from);
    h->here = (struct pd_ordered){.from = next};
    h->doc.rec = NULL;
    if (status >= 0 && next)
        status = pd_comm_agree(h->job->comm, pd_sorter_finish(next));
    return status;
}

int pd_visiting_go(struct pd_visiting *h, const struct pd_passage_source *source,
                   struct pd_gathering_rows *rows)
{
    const struct pd_route first = {sizeof(struct pd_passage), fill_first, owner_of_passage,
                                   take_passages, h};
    const struct pd_route next = {0, fill_next, owner_of_visit, take_visits, h};
    h->source = source;
    h->rows = rows;
    h->to = AT_A;
    PD_TRY(make_hop(h, &first));
    for (size_t k = 0; k < HOPS; k++) {
        h->at = &hops[k];
        h->to = k + 1 < HOPS ? &hops[k + 1] : NULL;
        PD_TRY(make_hop(h, &next));
    }
    return PD_OK;
}

struct pd_visiting *pd_visiting_new(struct pd_detect *job)
{
    struct pd_visiting *h = pd_realloc(NULL, 1, sizeof *h);
    *h = (struct pd_visiting){.job = job};
    pd_holders_init(&h->holders, &job->collection);
    h->beyond = pd_realloc(NULL, PD_EDGE_WORDS, sizeof *h->beyond);
    return h;
}

void pd_visiting_free(struct pd_visiting *h)
{
    pd_sorter_free(h->here.from);
    pd_holders_release(&h->holders);
    pd_stored_release(&h->stored);
    pd_sentences_release(&h->derived);
    free(h->beyond);
    free(h);
}
