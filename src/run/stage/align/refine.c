/*
 * run/stage/align/refine.c - see src/run/stage/align/refine.h
 *
 * Two hops. First, a request goes to the holder of the second document, while the region waits at
 * the holder of the first one. Second, the words of the second document around the region come
 * back, in parts of bounded size. They arrive in the order in which the regions wait, so the
 * regions of a pair are refined one after the other, and only the words of one region are held.
 */
#include "refine.h"

#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/feature/signer.h"
#include "pardup/passage/ends.h"
#include "pardup/passage/refine.h"
#include "pardup/store/spool.h"
#include "waits.h"

enum {
    PART_WORDS = 4096 /* most words in a part */
};
_Static_assert((int)PD_REFINE_RARITY_MOST == (int)PD_RARITY_MOST, "one measure of rarity");

/*
 * Asks for the words around a region in its second document. Goes to the holder of that document.
 * Order: b.
 */
struct region_request {
    uint64_t b;                 /* locator of the second document (holders.h) */
    uint64_t waits_at;          /* where the region waits (waits.h) */
    uint32_t start_b, length_b; /* words of the region in the second document; at least one */
};

/*
 * Words of the second document (pd_refine_word), then their spellings. Goes to the rank where the
 * region waits.
 */
struct words_part {
    uint32_t size;     /* bytes of the record */
    uint32_t zero;     /* 0: in place of padding */
    uint64_t waits_at; /* as in the request. Order: waits_at, part */
    uint64_t part;     /* index of the part in its window */
    uint32_t first;    /* the window begins with this word of the document */
    uint32_t all;      /* words in all parts of the window */
    uint64_t v[];
};
enum { PART_MOST = sizeof(struct words_part) + 2 * PART_WORDS * sizeof(uint64_t) };
_Static_assert(PART_MOST <= PD_EXCHANGE_RECORD, "a record must fit");

/* The document at hand: its word numbers, and what they stand for. */
struct at_hand {
    struct pd_held held; /* rec is NULL: no document is at hand */
    struct pd_stored stored;
    const struct pd_volume *volume;
    struct pd_aside_runs asides; /* words that are set aside */
};

struct pd_refiner {
    struct pd_job *job;
    const struct pd_holders *holders;
    struct pd_passage_reader regions;

    struct pd_spool waiting;    /* struct pd_passage: regions, in the order of their requests */
    struct pd_shuffle requests; /* struct region_request, at the holders of second documents */
    struct pd_shuffle parts;    /* struct words_part, at the ranks where the regions wait */
    struct pd_spool refined;    /* struct pd_passage, in order of pair */

    struct at_hand doc;
    bool sorted;           /* the shuffle that this hop reads has been sorted */
    uint64_t words_left;   /* second hop: words of the window that have not been sent */
    uint64_t regions_read; /* regions that have been refined */
    struct pd_u64s a, b;   /* third step: the words of both windows */
    struct pd_u64s spelled_a, spelled_b; /* and their spellings */
    struct pd_refining refining;
    struct pd_passages pair; /* passages of the pair that was refined last */
};

/* ---- documents and windows ---- */

/* List the words of the document at hand that are set aside. */
static int list_asides(struct pd_refiner *r, pd_doc number)
{
    struct pd_aside_units units;
    r->doc.asides.n = 0;
    PD_TRY(pd_aside_file_find(&r->job->asides, number, &units));
    for (size_t k = 0; k < units.n; k++) {
        PD_CHECK(units.v[k] < r->doc.stored.sentences.n);
        const struct pd_sentence *unit = &r->doc.stored.sentences.v[units.v[k]];
        if (unit->nwords)
            pd_aside_add(&r->doc.asides, unit->word, unit->word + unit->nwords);
    }
    return PD_OK;
}

static int go_to(struct pd_refiner *r, const struct pd_side *side, pd_doc number)
{
    struct pd_collection *col = side->collection;
    if (r->doc.held.rec && r->doc.held.number == number)
        return PD_OK;
    PD_TRY(pd_collection_doc(col, number, &r->doc.held));
    PD_CHECK(r->doc.held.rec != NULL);
    PD_TRY(pd_collection_open(col, &r->doc.held, &r->doc.stored));
    pd_stored_numbers(&r->doc.stored);
    r->doc.volume = pd_collection_volume(col, &r->doc.held);
    PD_CHECK(r->doc.volume->flags != NULL);
    return list_asides(r, number);
}

/* The window around words [start, start + length) of the document at hand: [*first, returned). */
static uint32_t window_end(const struct pd_refiner *r, uint32_t start, uint32_t length,
                           uint32_t *first)
{
    const struct pd_stretch at = pd_refine_around(start, length, r->doc.stored.numbers.n);
    *first = at.from;
    return at.to;
}

/* Write words that are set aside over what stands there. */
static void hide_words(const struct pd_refiner *r, uint32_t from, uint32_t n, uint64_t *to,
                       uint64_t *spellings)
{
    const struct pd_aside_runs *runs = &r->doc.asides;
    for (size_t k = 0; k < runs->n; k++) {
        const uint32_t end = pd_min_u32(runs->v[k].end, from + n);
        for (uint32_t word = pd_max_u32(runs->v[k].word, from); word < end; word++)
            to[word - from] = pd_refine_hidden(r->doc.held.number, word, &spellings[word - from]);
    }
}

/* Write n words of the document at hand, and their spellings. */
static void write_words(const struct pd_refiner *r, uint32_t from, uint32_t n, uint64_t *to,
                        uint64_t *spellings)
{
    const struct pd_volume *v = r->doc.volume;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t word = r->doc.stored.numbers.v[from + k];
        to[k] = pd_refine_word(v->terms.v[word], v->flags[word] >> PD_COMMONNESS_SHIFT);
        spellings[k] = v->spellings.v[word];
    }
    hide_words(r, from, n, to, spellings);
}

/* ---- first hop: requests, from the holder of the first document ---- */

static int fill_requests(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_refiner *r = ctx;
    struct region_request *out = (struct region_request *)(void *)to;
    for (*n = 0; *n + sizeof *out <= cap; *n += sizeof *out) {
        struct pd_passage *p;
        PD_TRY(pd_passage_reader_next(&r->regions, &p));
        if (!p)
            return PD_END;
        *out++ = (struct region_request){.b = pd_holders_locate(r->holders, p->b),
                                         .waits_at = pd_waits_at(r->job->comm->rank, r->waiting.n),
                                         .start_b = p->start_b,
                                         .length_b = p->copy ? 1 : p->length_b};
        PD_TRY(pd_spool_push(&r->waiting, p));
    }
    return PD_OK;
}

static int holder_of_b(const void *rec, int nranks, void *ctx)
{
    const struct pd_refiner *r = ctx;
    (void)nranks;
    return pd_holders_rank(r->holders, ((const struct region_request *)rec)->b);
}

static uint32_t partition_of_request(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct pd_refiner *r = ctx;
    return pd_holders_partition(r->holders, ((const struct region_request *)rec)->b, 0,
                                r->job->collection.totals.documents, npartitions);
}

/* ---- second hop: words, from the holder of the second document ---- */

/* Write the next part of the window of a request. Returns its bytes. */
static size_t write_part(struct pd_refiner *r, const struct region_request *request,
                         struct words_part *to)
{
    uint32_t first;
    const uint32_t end = window_end(r, request->start_b, request->length_b, &first);
    const uint32_t all = end - first;
    if (r->words_left == 0)
        r->words_left = all;
    const uint32_t sent = all - (uint32_t)r->words_left;
    const uint32_t n = pd_min_u32((uint32_t)r->words_left, PART_WORDS);
    *to = (struct words_part){.size = (uint32_t)(sizeof *to + 2 * n * sizeof *to->v),
                              .waits_at = request->waits_at,
                              .part = sent / PART_WORDS,
                              .first = first,
                              .all = all};
    write_words(r, first + sent, n, to->v, to->v + n);
    r->words_left -= n;
    return to->size;
}

static int fill_parts(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_refiner *r = ctx;
    if (!r->sorted)
        PD_TRY(pd_shuffle_sort_own(&r->requests));
    r->sorted = true;
    for (*n = 0; cap - *n >= PART_MOST;) {
        const void *rec;
        PD_TRY(pd_shuffle_look(&r->requests, &rec));
        const struct region_request *request = rec;
        if (!request)
            return PD_END;
        PD_TRY(go_to(r, &r->job->sources, pd_locator_doc(request->b)));
        *n += write_part(r, request, (struct words_part *)(void *)(to + *n));
        if (r->words_left == 0)
            pd_shuffle_pass(&r->requests, sizeof *request);
    }
    return PD_OK;
}

static uint32_t partition_of_part(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct pd_refiner *r = ctx;
    const uint64_t index = pd_waits_index(((const struct words_part *)rec)->waits_at);
    return (uint32_t)(index * npartitions / r->waiting.n);
}

/* ---- third step: passages, at the holder of the first document ---- */

/*
 * Take all parts of the window of the region at hand into r->b and r->spelled_b. *first: as in the
 * parts.
 */
static int take_window(struct pd_refiner *r, uint32_t *first)
{
    const void *rec;
    r->b.n = r->spelled_b.n = 0;
    do {
        PD_TRY(pd_shuffle_look(&r->parts, &rec));
        const struct words_part *part = rec;
        PD_CHECK(part && pd_waits_index(part->waits_at) == r->regions_read);
        const size_t n = (part->size - sizeof *part) / (2 * sizeof *part->v);
        pd_u64s_append(&r->b, part->v, n);
        pd_u64s_append(&r->spelled_b, part->v + n, n);
        *first = part->first;
        rec = r->b.n < part->all ? rec : NULL;
        pd_shuffle_pass(&r->parts, part->size);
    } while (rec);
    r->regions_read++;
    return PD_OK;
}

static int refine_region(struct pd_refiner *r, const struct pd_passage *region)
{
    struct pd_window a, b;
    PD_TRY(take_window(r, &b.first));
    if (region->copy) /* equal documents need no refining; the pair has no other region */
        return pd_spool_push(&r->refined, region);
    PD_TRY(go_to(r, &r->job->targets, region->a));
    a.n = window_end(r, region->start_a, region->length_a, &a.first) - a.first;
    b.n = (uint32_t)r->b.n;
    pd_u64s_reserve(&r->a, a.n);
    pd_u64s_reserve(&r->spelled_a, a.n);
    write_words(r, a.first, a.n, r->a.v, r->spelled_a.v);
    a.v = r->a.v;
    b.v = r->b.v;
    a.spellings = r->spelled_a.v;
    b.spellings = r->spelled_b.v;
    pd_refine_region(&r->refining, region, &a, &b);
    return PD_OK;
}

/* End the pair (a, b): keep its passages. */
static int end_pair(struct pd_refiner *r, pd_doc a, pd_doc b)
{
    r->pair.n = 0;
    pd_refine_pair(&r->refining, a, b, &r->pair);
    for (size_t k = 0; k < r->pair.n; k++)
        PD_TRY(pd_spool_push(&r->refined, &r->pair.v[k]));
    return PD_OK;
}

/* Refine all regions that wait on this rank. */
static int refine_waiting(struct pd_refiner *r)
{
    const void *rec;
    struct pd_passage before = {0}, region;
    PD_TRY(pd_shuffle_sort_own(&r->parts));
    for (bool any = false;; any = true) {
        PD_TRY(pd_comm_check_stop());
        const int status = pd_spool_look(&r->waiting, &rec);
        if (status < 0)
            return status;
        if (any && (!rec || ((const struct pd_passage *)rec)->a != before.a ||
                    ((const struct pd_passage *)rec)->b != before.b))
            PD_TRY(end_pair(r, before.a, before.b));
        if (!rec)
            return pd_spool_finish(&r->refined);
        region = *(const struct pd_passage *)rec;
        pd_spool_pass(&r->waiting);
        PD_TRY(refine_region(r, &region));
        before = region;
    }
}

/* ---- the steps of a slice ---- */

static const struct pd_flow requests_flow = {.name = "regions",
                                             .budget = PD_BUDGET_REGIONS,
                                             .size = sizeof(struct region_request),
                                             .keys = 1,
                                             .owner = holder_of_b,
                                             .partition = partition_of_request};
static const struct pd_flow parts_flow = {.name = "windows",
                                          .budget = PD_BUDGET_WINDOWS,
                                          .key_at = 1,
                                          .keys = 2,
                                          .owner = pd_to_waiting,
                                          .partition = partition_of_part};

static void open_spool(struct pd_refiner *r, struct pd_spool *spool, enum pd_budget budget,
                       const char *name)
{
    const struct pd_spooling how = {.size = sizeof(struct pd_passage),
                                    .memory = pd_transport_budget(&r->job->transport, budget),
                                    .path = pd_scratch_path(&r->job->scratch, name),
                                    .spare = &r->job->spare};
    pd_spool_release(spool);
    pd_spool_init(spool, &how);
}

static void begin_hop(struct pd_refiner *r)
{
    r->doc.held.rec = NULL;
    r->sorted = false;
}

int pd_refiner_go(struct pd_refiner *r, const struct pd_passage_source *regions,
                  struct pd_passage_source *refined)
{
    struct pd_job *job = r->job;
    pd_passage_reader_begin(&r->regions, regions);
    r->regions_read = 0;
    open_spool(r, &r->waiting, PD_BUDGET_UNREFINED, "unrefined");
    open_spool(r, &r->refined, PD_BUDGET_REFINED, "refined");
    pd_shuffle_open(&r->requests, &job->transport, &requests_flow, r, &job->spare);
    PD_TRY(pd_shuffle_send(&r->requests, fill_requests, r));
    PD_TRY(pd_comm_agree(job->comm, pd_spool_finish(&r->waiting)));
    begin_hop(r);
    pd_shuffle_open(&r->parts, &job->transport, &parts_flow, r, &job->spare);
    PD_TRY(pd_shuffle_send(&r->parts, fill_parts, r));
    pd_shuffle_close(&r->requests);
    begin_hop(r);
    PD_TRY(pd_comm_agree(job->comm, refine_waiting(r)));
    pd_shuffle_close(&r->parts);
    pd_spool_release(&r->waiting);
    *refined = (struct pd_passage_source){pd_spool_fill, &r->refined};
    return PD_OK;
}

struct pd_refiner *pd_refiner_new(struct pd_job *job, const struct pd_holders *holders)
{
    struct pd_refiner *r = pd_realloc(NULL, 1, sizeof *r);
    *r = (struct pd_refiner){.job = job, .holders = holders};
    return r;
}

void pd_refiner_free(struct pd_refiner *r)
{
    if (!r)
        return;
    PD_CLOSE(pd_shuffle, &r->requests, &r->parts);
    PD_RELEASE(pd_spool, &r->waiting, &r->refined);
    pd_stored_release(&r->doc.stored);
    pd_aside_runs_release(&r->doc.asides);
    PD_RELEASE(pd_passages, &r->regions.taken, &r->pair);
    PD_RELEASE(pd_u64s, &r->a, &r->b, &r->spelled_a, &r->spelled_b);
    pd_refining_release(&r->refining);
    free(r);
}
