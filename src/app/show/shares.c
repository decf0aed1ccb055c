/* app/show/shares.c - see src/app/show/shares.h */
#include "shares.h"

#include "pardup/base/error.h"
#include "pardup/run/walk.h"

/* A passage in one of its documents. */
struct place {
    uint64_t doc, begin, end; /* row of /documents; bytes of its text */
};
PD_VEC(places, struct place);

/* All passages are aligned if they have at most this many times the words of both documents. */
enum { PASSAGES_MOST = 4 };

struct counting {
    struct pd_shares *shares;
    uint64_t targets;
    struct places places; /* in order of (doc, begin) */
};

static int by_begin(const void *pa, const void *pb)
{
    const struct place *a = pa, *b = pb;
    if (a->doc != b->doc)
        return a->doc < b->doc ? -1 : 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

static void list_places(const struct pd_passage_rows *rows, struct places *places)
{
    places->n = 0;
    for (size_t k = 0; k < rows->n; k++)
        for (int side = 0; side < 2; side++)
            places_push(places, (struct place){rows->v[k].doc[side], rows->v[k].begin[side],
                                               rows->v[k].end[side]});
    if (places->n)
        qsort(places->v, places->n, sizeof *places->v, by_begin);
}

/* Count one document. */
static void count_document(struct counting *c, uint64_t doc, const struct pd_document *d)
{
    struct pd_share *s = &c->shares->sides[doc >= c->targets];
    uint64_t counted = 0; /* words in front of this byte have been counted as shared */
    size_t lo = 0, hi = c->places.n;
    s->words += d->words.n;
    s->bytes += d->text_n;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (c->places.v[mid].doc < doc)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < c->places.n && c->places.v[lo].doc == doc; lo++) {
        const struct place *at = &c->places.v[lo];
        const struct pd_passage_text text = pd_passage_text_of(d, at->begin, at->end);
        s->longest = text.nwords > s->longest ? text.nwords : s->longest;
        if (at->end <= counted)
            continue;
        const uint64_t from = at->begin > counted ? at->begin : counted;
        s->shared += pd_passage_text_of(d, from, at->end).nwords;
        counted = at->end;
    }
}

static int visit(void *ctx, const struct pd_raw *raw, const struct pd_document *doc, pd_doc number)
{
    (void)raw;
    count_document(ctx, number, doc);
    return PD_OK;
}

static bool have_same_words(const struct pd_document *a, const struct pd_document *b)
{
    bool same = a->words.n == b->words.n;
    for (size_t k = 0; k < a->words.n && same; k++)
        same = a->words.v[k].term == b->words.v[k].term;
    return same;
}

/* Mark the words of one side of a passage that have a partner in the other side. */
static void mark(const struct pd_aligned_runs *runs, int side, unsigned char *words)
{
    for (size_t k = 0; k < runs->n; k++)
        if (runs->v[k].equal)
            memset(words + (side ? runs->v[k].b : runs->v[k].a), 1, runs->v[k].na);
}

/*
 * Count the words that the alignment of any passage finds in both documents, unless that is much
 * work.
 */
static void count_aligned(struct pd_viewer *p, struct pd_shares *shares)
{
    const struct pd_document *docs[2] = {&p->sides[0].document, &p->sides[1].document};
    const uint64_t most = PASSAGES_MOST * (docs[0]->words.n + docs[1]->words.n);
    unsigned char *found[2];
    uint64_t words = 0;
    size_t k = 0;
    for (int side = 0; side < 2; side++) {
        found[side] = pd_realloc(NULL, docs[side]->words.n + 1, 1);
        memset(found[side], 0, docs[side]->words.n);
    }
    for (; k < shares->rows.n && words <= most; k++) {
        struct pd_passage_text text[2];
        pd_viewer_align(p, &shares->rows.v[k], text);
        for (int side = 0; side < 2; side++) {
            words += text[side].nwords;
            if (text[side].nwords)
                mark(&p->alignment.runs, side,
                     found[side] + (text[side].words - docs[side]->words.v));
        }
    }
    shares->aligned = k == shares->rows.n;
    for (int side = 0; side < 2; side++) {
        uint64_t n = 0;
        for (size_t w = 0; w < docs[side]->words.n; w++)
            n += found[side][w];
        if (shares->aligned)
            shares->sides[side].shared = n;
        free(found[side]);
    }
}

/* Count two single documents. */
static int count_both(struct pd_viewer *p, struct counting *c)
{
    const struct pd_passage_row both = {.doc = {0, 1}};
    struct pd_shares *shares = c->shares;
    PD_TRY(pd_viewer_fetch(p, &both));
    const struct pd_document *a = &p->sides[0].document, *b = &p->sides[1].document;
    shares->equal = a->words.n > 0 && have_same_words(a, b);
    if (shares->equal) {
        shares->rows.n = 0;
        pd_passage_rows_push(&shares->rows,
                             (struct pd_passage_row){.doc = {0, 1}, .end = {a->text_n, b->text_n}});
        list_places(&shares->rows, &c->places);
    }
    count_document(c, 0, a);
    count_document(c, 1, b);
    count_aligned(p, shares);
    return PD_OK;
}

/* Count the documents and the skipped records of both sides, by the table of files. */
static int count_records(struct pd_viewer *p, uint64_t files, struct pd_share sides[2])
{
    struct pd_cells cells = {0};
    uint64_t all;
    PD_TRY(pd_result_rows(p->result, "files", &all));
    int status = pd_result_read(p->result, "files", "documents", 0, all, &cells);
    for (uint64_t k = 0; k < all && status >= 0; k++)
        sides[k >= files].documents += pd_cells_count(&cells, k);
    if (status >= 0)
        status = pd_result_read(p->result, "files", "skipped", 0, all, &cells);
    for (uint64_t k = 0; k < all && status >= 0; k++)
        sides[k >= files].skipped += pd_cells_count(&cells, k);
    pd_bytes_release(&cells.values);
    return status;
}

int pd_shares_count(struct pd_viewer *p, uint64_t files, const struct pd_options *o,
                    struct pd_shares *shares)
{
    struct counting c = {.shares = shares};
    *shares = (struct pd_shares){.equal = false};
    int status = count_records(p, files, shares->sides);
    c.targets = shares->sides[0].documents;
    if (status >= 0)
        status = pd_viewer_list(p, &shares->rows);
    list_places(&shares->rows, &c.places);
    if (status >= 0 && c.targets == 1 && shares->sides[1].documents == 1)
        status = count_both(p, &c);
    else if (status >= 0)
        status = pd_walk(o, visit, &c);
    places_release(&c.places);
    return status;
}

void pd_shares_release(struct pd_shares *shares) { pd_passage_rows_release(&shares->rows); }
