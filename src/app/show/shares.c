/* app/show/shares.c - see src/app/show/show.h */
#include "show.h"

#include "pardup/base/error.h"
#include "pardup/base/search.h"
#include "pardup/run/walk.h"

/* A passage in one of its documents. Sorted by doc, begin. */
struct place {
    uint64_t doc, begin, end; /* row of /documents; bytes of its text */
};
PD_VEC(places, struct place);

struct counting {
    struct pd_shares *shares;
    uint64_t targets;
    struct pd_aside_text aside;
    struct pd_parts parts; /* buffer */
    struct places places;  /* passages of the result, sorted */
    struct places shown;   /* passages as they are shown, sorted */
};

static int by_begin(const void *pa, const void *pb)
{
    const struct place *a = pa, *b = pb;
    if (a->doc != b->doc)
        return a->doc < b->doc ? -1 : 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

static void push_row(struct places *places, const struct pd_passage_row *row)
{
    for (int side = 0; side < 2; side++)
        places_push(places, (struct place){row->doc[side], row->begin[side], row->end[side]});
}

static void sort_places(struct places *places) { PD_VEC_SORT(places, by_begin); }

/* List the passages of the result, and as they are shown. */
static int list_places(struct pd_viewer *p, struct counting *c)
{
    struct pd_passage_row row;
    int status;
    p->passages.next = 0;
    while ((status = pd_viewer_next(p, &row)) == PD_OK)
        push_row(&c->places, &row);
    PD_TRY(status);
    PD_TRY(pd_viewer_list(p, &c->shares->rows));
    for (size_t k = 0; k < c->shares->rows.n; k++)
        push_row(&c->shown, &c->shares->rows.v[k]);
    sort_places(&c->places);
    sort_places(&c->shown);
    return PD_OK;
}

/* The places of a document: *n of them. */
static const struct place *places_of(const struct places *all, uint64_t doc, size_t *n)
{
    const size_t first = pd_search_first(all->v, all->n, sizeof *all->v, 0, doc);
    for (*n = 0; first + *n < all->n && all->v[first + *n].doc == doc;)
        ++*n;
    return *n ? all->v + first : NULL;
}

/* Count one document. */
static int count_document(struct counting *c, uint64_t doc, const struct pd_document *d)
{
    struct pd_side_shares *s = &c->shares->sides[doc >= c->targets];
    size_t n;
    const struct place *at = places_of(&c->shown, doc, &n);
    s->words += d->words.n;
    s->bytes += d->text_n;
    for (size_t k = 0; k < n; k++) {
        const uint32_t words = pd_passage_text_of(d, at[k].begin, at[k].end).nwords;
        s->longest = words > s->longest ? words : s->longest;
    }
    at = places_of(&c->places, doc, &n);
    c->parts.n = 0;
    for (size_t k = 0; k < n; k++)
        pd_parts_push(&c->parts, (struct pd_part){at[k].begin, at[k].end});
    PD_TRY(pd_aside_read(&c->aside, doc));
    const struct pd_share share = pd_share_of_document(&c->aside, d, &c->parts);
    s->share.covered += share.covered;
    s->share.all += share.all;
    return PD_OK;
}

static int visit(void *ctx, const struct pd_raw *raw, const struct pd_document *doc, pd_doc number)
{
    (void)raw;
    return count_document(ctx, number, doc);
}

static bool have_same_words(const struct pd_document *a, const struct pd_document *b)
{
    bool same = a->words.n == b->words.n;
    for (size_t k = 0; k < a->words.n && same; k++)
        same = a->words.v[k].term == b->words.v[k].term;
    return same;
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
        c->places.n = c->shown.n = 0;
        push_row(&c->places, &shares->rows.v[0]);
        push_row(&c->shown, &shares->rows.v[0]);
    }
    PD_TRY(count_document(c, 0, a));
    PD_TRY(count_document(c, 1, b));
    if (shares->equal && shares->sides[0].share.all == 0) /* all of it is set aside */
        shares->rows.n = 0;
    return PD_OK;
}

/* Count the documents and the skipped records of both sides, by the table of files. */
static int count_records(struct pd_viewer *p, uint64_t files, struct pd_side_shares sides[2])
{
    static const char *const columns[] = {"documents", "skipped", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, p->result, "files", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        sides[t.row >= files].documents += pd_table_count(&t, 0);
        sides[t.row >= files].skipped += pd_table_count(&t, 1);
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

int pd_shares_count(struct pd_viewer *p, uint64_t files, const struct pd_options *o,
                    struct pd_shares *shares)
{
    struct counting c = {.shares = shares};
    *shares = (struct pd_shares){.equal = false};
    int status = pd_aside_open(&c.aside, p->result);
    PD_THEN(status, count_records(p, files, shares->sides));
    c.targets = shares->sides[0].documents;
    PD_THEN(status, list_places(p, &c));
    if (status >= 0 && c.targets == 1 && shares->sides[1].documents == 1)
        status = count_both(p, &c);
    else if (status >= 0)
        status = pd_walk(o, visit, &c);
    PD_RELEASE(places, &c.places, &c.shown);
    pd_parts_release(&c.parts);
    pd_aside_close(&c.aside);
    return status;
}

void pd_shares_release(struct pd_shares *shares) { pd_passage_rows_release(&shares->rows); }
