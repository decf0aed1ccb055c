/*
 * run/visit.c - see visit.h
 *
 * At a's holder, which finds it, a passage learns a's byte offsets and a byte of the words beyond its ends (struct
 * pd_fringe); at b's holder b's offsets, and whether these bytes agree. They mostly do not: then the passage is finished,
 * and no word has been decoded. Else it takes b's words with it, back to a's holder, to see how far they go.
 *
 * Passages come in order of a. Those whose a does not stay in memory, and all that arrive from other
 * ranks, are sorted by document, on disk if need be, before the first is looked at: so each document is
 * decoded once a hop, and volumes that pass through memory do so once a hop.
 */
#include "visit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/passage/edges.h"
#include "pardup/store/sorter.h"
#include "sign.h"

enum {
    VISITS_SHARE =
        16,      /* visits of a hop may fill this part of --memory, those of the next as much */
    FOUND = 1024 /* passages asked of the source at a time */
};

/* Where a record goes: nowhere, as it is at a's holder; to b's, a's again, or, finished, to the owner of the row. */
enum kind { AT_A, TO_B, BACK_TO_A, FINISHED, STOPS = FINISHED };

/* What all records begin with on their way: first the size, as comm/exchange.h wants. */
struct head {
    uint32_t size, kind;
};

/*
 * This goes to b's holder: first what it is sorted by. In all of them, and in passages that wait at a's, a and b
 * are places (holders.h). Neighbours have at most PD_EDGE_WORDS words that matter.
 */
struct visit {
    pd_doc b, a;
    uint32_t start_a, start_b, length_a, length_b, matched; /* as in struct pd_passage */
    uint32_t nwords;                                        /* of a inside the passage */
    double similarity;
    uint64_t bytes_a;                /* as in struct pd_row */
    uint32_t sentences_a, zero;      /* units of a */
    uint16_t near_back, near_ahead;  /* words of a's neighbouring units; 0: there is none */
    uint8_t first_back, first_ahead; /* of the words next to the passage in a (pd_fringe_of) */
    uint16_t none;
    uint64_t host_a[]; /* one, where hosts are compared */
};

/* A word beyond a passage's end in b, and the byte where the passage would end with it. */
struct word {
    uint64_t term, bound;
};

/* What becomes a row. */
struct measured {
    uint64_t bytes_a, bytes_b, sentences; /* as in struct pd_row */
    uint32_t nwords;                      /* of a inside the passage */
};

/* From b's holder back to a's. */
struct back {
    struct head head;
    struct pd_passage p;
    struct measured m;
    uint32_t nback, nahead; /* words of b that follow, nearest first */
    struct word words[];
};

struct finished {
    struct head head;
    struct pd_row row;
};

/* What waits at a holder, sorted by document. */
struct stop {
    struct pd_visiting *h;
    const struct errand *errand;
    pd_doc least, range; /* of documents: [least, least + range) */
    struct pd_sorter *sorter;
};

struct pd_visiting {
    struct pd_detect *job;
    const struct pd_holders *holders;
    struct pd_gathering_rows *rows;
    const struct pd_passage_source *source;
    struct pd_passages found; /* some of the source's ... */
    size_t taken;             /* ... and how many of these have left */
    bool ended;               /* the source has no more */
    size_t visit_bytes;       /* of a struct visit */
    struct stop stops[STOPS];
    enum kind at;           /* the stop at hand ... */
    struct pd_ordered here; /* ... what has arrived there, once it is in order ... */
    struct pd_held doc;     /* ... and the document */
    struct pd_stored stored;
    struct pd_sentences derived;
    const struct pd_sentences *units; /* ... its units ... */
    const uint64_t *terms;            /* ... and words, by number */
    uint64_t *beyond;                 /* room for PD_EDGE_WORDS */
};

/*
 * The row of a passage, unless it has too few words. Returns its bytes. Written where it goes, word by word: what is
 * put together elsewhere has to wait until that can be read as a whole.
 */
static size_t finish(struct pd_visiting *h, const struct pd_passage *p, const struct measured *m,
                     unsigned char *to)
{
    struct finished *f = (struct finished *)(void *)to;
    if (m->nwords < h->job->options->min_passage_words) {
        h->job->too_short++;
        return 0;
    }
    f->head = (struct head){sizeof *f, FINISHED};
    f->row.a = pd_place_doc(p->a);
    f->row.b = pd_place_doc(p->b);
    f->row.starts = pd_ij(p->start_a, p->start_b);
    f->row.lengths = pd_ij(p->length_a, p->length_b);
    f->row.bytes_a = m->bytes_a;
    f->row.bytes_b = m->bytes_b;
    f->row.sentences = m->sentences;
    f->row.matched = p->matched;
    f->row.similarity = p->similarity;
    return sizeof *f;
}

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
    const bool far = h->job->options->edges == PD_EDGES_FAR;
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

static size_t visit_a(struct pd_visiting *h, const void *rec, unsigned char *to)
{
    const struct pd_passage *p = rec;
    const struct ends ends = ends_of(h, p->start_a, p->length_a);
    struct head *head = (struct head *)(void *)to;
    struct visit *v = (struct visit *)(void *)(head + 1);
    const bool edges = h->job->options->edges != PD_EDGES_SENTENCE;
    *head = (struct head){(uint32_t)(sizeof *head + h->visit_bytes), TO_B};
    v->b = pd_holders_place(h->holders, p->b);
    v->a = p->a;
    v->start_a = p->start_a;
    v->start_b = p->start_b;
    v->length_a = p->length_a;
    v->length_b = p->length_b;
    v->matched = p->matched;
    v->nwords = ends.words;
    v->similarity = p->similarity;
    v->bytes_a = bytes_of(h->units, p->start_a, p->length_a);
    v->sentences_a = (uint32_t)h->units->n;
    v->zero = 0;
    v->near_back = edges ? (uint16_t)least(ends.back.near, PD_EDGE_WORDS) : 0;
    v->near_ahead = edges ? (uint16_t)least(ends.ahead.near, PD_EDGE_WORDS) : 0;
    v->first_back = ends.back.first;
    v->first_ahead = ends.ahead.first;
    v->none = 0;
    if (h->visit_bytes > sizeof *v)
        v->host_a[0] = h->doc.rec->host;
    return head->size;
}

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

static size_t visit_b(struct pd_visiting *h, const void *rec, unsigned char *to)
{
    const struct visit *v = rec;
    const struct ends ends = ends_of(h, v->start_b, v->length_b);
    if (h->visit_bytes > sizeof *v && v->host_a[0] && v->host_a[0] == h->doc.rec->host) {
        h->job->same_host++;
        return 0;
    }
    const struct pd_passage p = {v->a,        v->b,       v->start_a, v->start_b,   v->length_a,
                                 v->length_b, v->matched, 0,          v->similarity};
    const struct measured m = {v->bytes_a, bytes_of(h->units, p.start_b, p.length_b),
                               pd_ij(v->sentences_a, (uint32_t)h->units->n), v->nwords};
    struct back *back = (struct back *)(void *)to;
    const uint32_t nback =
        words_beyond(h, &ends.back, -1, v->near_back, v->first_back, back->words);
    const uint32_t nahead =
        words_beyond(h, &ends.ahead, 1, v->near_ahead, v->first_ahead, back->words + nback);
    if (nback + nahead == 0)
        return finish(h, &p, &m, to);
    const size_t bytes = sizeof *back + (nback + nahead) * sizeof *back->words;
    back->head = (struct head){(uint32_t)bytes, BACK_TO_A};
    back->p = p;
    back->m = m;
    back->nback = nback;
    back->nahead = nahead;
    return bytes;
}

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

static size_t visit_a_again(struct pd_visiting *h, const void *rec, unsigned char *to)
{
    const struct back *v = rec;
    const struct ends ends = ends_of(h, v->p.start_a, v->p.length_a);
    const struct word *back = v->words, *ahead = back + v->nback;
    struct measured m = v->m;
    uint32_t n = agree(h, &ends.back, -1, back, v->nback);
    if (n > 0) {
        m.bytes_a = pd_ij((ends.back.nearest - (n - 1))->begin, (uint32_t)m.bytes_a);
        m.bytes_b = pd_ij((uint32_t)back[n - 1].bound, (uint32_t)m.bytes_b);
        m.nwords += n;
    }
    n = agree(h, &ends.ahead, 1, ahead, v->nahead);
    if (n > 0) {
        m.bytes_a = pd_ij((uint32_t)(m.bytes_a >> 32), (ends.ahead.nearest + (n - 1))->end);
        m.bytes_b = pd_ij((uint32_t)(m.bytes_b >> 32), (uint32_t)ahead[n - 1].bound);
        m.nwords += n;
    }
    return finish(h, &v->p, &m, to);
}

/* Decode the document that records come to. */
static int arrive(struct pd_visiting *h, pd_doc number)
{
    struct pd_collection *col = &h->job->collection;
    PD_TRY(pd_collection_doc(col, number, &h->doc));
    PD_CHECK(h->doc.rec != NULL);
    PD_TRY(h->job->form.kind == PD_UNITS_BASE ? pd_collection_open(col, &h->doc, &h->stored)
                                              : pd_collection_stored(col, &h->doc, &h->stored));
    if (h->at != TO_B) /* nearly all are visited, one after the other */
        pd_collection_expect_next(col, &h->doc);
    h->terms = pd_collection_volume(col, &h->doc)->terms.v;
    h->units = pd_units_of(h->job, &h->stored, &h->derived);
    return PD_OK;
}

/* What waits where, and what it becomes there. */
static const struct errand {
    size_t key_at; /* which of a record's words is the place of the document ... */
    /* ... and what is done there: writes a record at `to`, at most `most` bytes; returns them, or 0 */
    size_t (*visit)(struct pd_visiting *h, const void *rec, unsigned char *to);
    size_t most;
} errands[STOPS] = {
    [AT_A] = {0, visit_a, sizeof(struct head) + sizeof(struct visit) + sizeof(uint64_t)},
    [TO_B] = {0, visit_b, sizeof(struct back) + 2 * PD_EDGE_WORDS * sizeof(struct word)},
    [BACK_TO_A] = {1, visit_a_again, sizeof(struct finished)},
};

/* Bytes of a record that waits at a stop; 0: it begins with them. */
static size_t size_at(const struct pd_visiting *h, enum kind kind)
{
    return kind == AT_A ? sizeof(struct pd_passage) : kind == TO_B ? h->visit_bytes : 0;
}

static uint64_t place_of(const struct errand *errand, const void *rec)
{
    return ((const uint64_t *)rec)[errand->key_at];
}

/* Visit the document of a record at the stop `kind`; *n grows by what becomes of it, at `to`. */
static int visit(struct pd_visiting *h, enum kind kind, const void *rec, unsigned char *to,
                 size_t *n)
{
    const pd_doc doc = pd_place_doc(place_of(&errands[kind], rec));
    if (!h->doc.rec || h->doc.number != doc)
        PD_TRY(arrive(h, doc));
    *n += errands[kind].visit(h, rec, to);
    return PD_OK;
}

/* A passage of the source visits a, now or, when a has to come into memory first, in order of place. */
static int begin(struct pd_visiting *h, struct pd_passage *p, unsigned char *to, size_t *n)
{
    p->a = pd_holders_place(h->holders, p->a);
    return pd_place_stays(p->a) ? visit(h, AT_A, p, to, n)
                                : pd_sorter_push(h->stops[AT_A].sorter, p, sizeof *p);
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
    return status;
}

/* Is the k-th next record at the stop at hand the first to come to a document of memory? Then that. */
static bool is_to_come(const struct pd_visiting *h, size_t k, size_t size, struct pd_held *held)
{
    const struct errand *errand = &errands[h->at];
    const size_t at = h->here.at + k * size;
    if (at >= h->here.n)
        return false;
    const uint64_t place = place_of(errand, h->here.recs + at);
    return place != place_of(errand, h->here.recs + at - size) && pd_place_stays(place) &&
           pd_collection_doc(&h->job->collection, pd_place_doc(place), held) == PD_OK;
}

/*
 * The documents that next records come to are brought to the cache: of one that comes later where it is, then
 * what it begins with. In a large collection each of these is waited for.
 */
static void expect(const struct pd_visiting *h, size_t size)
{
    enum { LATER = 24, SOON = 12 }; /* records */
    struct pd_held held;
    if (is_to_come(h, LATER, size, &held))
        __builtin_prefetch(&held.rec->block);
    if (is_to_come(h, SOON, size, &held))
        pd_library_expect(&h->job->collection.library, held.volume, held.rec);
}

/* What is at the stop at hand. */
static int visit_here(struct pd_visiting *h, unsigned char *to, size_t cap, size_t *n)
{
    const size_t size = size_at(h, h->at);
    if (!h->here.from) {
        PD_TRY(pd_sorter_finish(h->stops[h->at].sorter));
        h->here.from = h->stops[h->at].sorter;
        h->doc.rec = NULL;
    }
    while (cap - *n >= errands[h->at].most) {
        const void *rec;
        PD_TRY(pd_ordered_look(&h->here, &rec));
        if (!rec)
            return PD_END;
        if (h->at == TO_B)
            expect(h, size);
        PD_TRY(visit(h, h->at, rec, to + *n, n));
        h->here.at += size ? size : ((const struct head *)rec)->size;
    }
    return PD_OK;
}

/* What comes from the source, then what had to wait; nothing of it goes before all is here. */
static int fill(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_visiting *h = ctx;
    *n = 0;
    while (h->taken < h->found.n || !h->ended) {
        if (cap - *n < errands[AT_A].most)
            return PD_OK;
        PD_TRY(h->taken < h->found.n ? begin(h, &h->found.v[h->taken++], to + *n, n)
                                     : find_some(h));
    }
    return visit_here(h, to, cap, n);
}

static const void *without_head(const struct head *head)
{
    return head->kind == BACK_TO_A ? head : head + 1;
}

static int owner(const void *rec, int nranks, void *ctx)
{
    const struct pd_visiting *h = ctx;
    const struct head *head = rec;
    (void)nranks;
    if (head->kind == FINISHED)
        return pd_rows_owner(h->rows, ((const struct finished *)rec)->row.a);
    return pd_holders_rank(h->holders, place_of(&errands[head->kind], without_head(head)));
}

static int take(const void *recs, size_t bytes, void *ctx)
{
    const struct pd_visiting *h = ctx;
    const unsigned char *rec = recs, *const end = rec + bytes;
    for (const struct head *head; rec < end; rec += head->size) {
        head = (const struct head *)(const void *)rec;
        struct pd_sorter *to =
            head->kind == FINISHED ? h->rows->sorter : h->stops[head->kind].sorter;
        const unsigned char *from = without_head(head);
        PD_TRY(pd_sorter_push(to, from, (size_t)(rec + head->size - from)));
    }
    return PD_OK;
}

static uint32_t part_of_visit(const void *rec, uint32_t nparts, void *ctx)
{
    const struct stop *stop = ctx;
    return pd_holders_part(stop->h->holders, place_of(stop->errand, rec), stop->least, stop->range,
                           nparts);
}

static void open_stop(struct pd_visiting *h, enum kind kind)
{
    struct pd_detect *job = h->job;
    struct stop *stop = &h->stops[kind];
    const struct pd_sorting how = {.size = size_at(h, kind),
                                   .key_at = (unsigned)errands[kind].key_at,
                                   .keys = 1,
                                   .memory = job->collection.memory / VISITS_SHARE,
                                   .path = pd_scratch_path(&job->scratch, "visits"),
                                   .part = part_of_visit,
                                   .ctx = stop,
                                   .spare = &job->spare};
    const pd_doc least = pd_row_bin_start(job, h->rows->from);
    const pd_doc end =
        kind == TO_B ? job->collection.totals.documents : pd_row_bin_start(job, h->rows->to);
    *stop = (struct stop){h, &errands[kind], least, end - least, pd_sorter_new(&how)};
}

/* All has been visited here. */
static void close_stop(struct pd_visiting *h, enum kind kind)
{
    pd_sorter_free(h->stops[kind].sorter);
    h->stops[kind].sorter = NULL;
    h->here = (struct pd_ordered){0};
}

int pd_visiting_go(struct pd_visiting *h, const struct pd_passage_source *source,
                   struct pd_gathering_rows *rows)
{
    const struct pd_route route = {0, fill, owner, take, h};
    h->source = source;
    h->rows = rows;
    h->found.n = h->taken = 0;
    h->ended = false;
    open_stop(h, AT_A);
    h->doc.rec = NULL;
    for (enum kind kind = AT_A; kind < STOPS; kind++) {
        h->at = kind;
        if (kind + 1 < STOPS)
            open_stop(h, kind + 1);
        PD_TRY(pd_exchange(h->job->comm, &route, &h->job->stages.moved));
        close_stop(h, kind);
    }
    return PD_OK;
}

struct pd_visiting *pd_visiting_new(struct pd_detect *job, const struct pd_holders *holders)
{
    struct pd_visiting *h = pd_realloc(NULL, 1, sizeof *h);
    *h = (struct pd_visiting){.job = job, .holders = holders, .visit_bytes = sizeof(struct visit)};
    if (job->options->skip_same_host)
        h->visit_bytes += sizeof(uint64_t);
    h->beyond = pd_realloc(NULL, PD_EDGE_WORDS, sizeof *h->beyond);
    return h;
}

void pd_visiting_free(struct pd_visiting *h)
{
    for (enum kind kind = AT_A; kind < STOPS; kind++)
        close_stop(h, kind);
    pd_passages_release(&h->found);
    pd_stored_release(&h->stored);
    pd_sentences_release(&h->derived);
    free(h->beyond);
    free(h);
}
