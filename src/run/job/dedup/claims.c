/* run/job/dedup/claims.c - see run/job/dedup/claims.h */
#include "run/job/dedup/claims.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"
#include "run/job/dedup/leaks.h"
#include "run/job/dedup/owners.h"

enum { ROWS_AT_ONCE = 1 << 16 }; /* rows of a chunk, which is unpacked as a whole */

/* ---- rows of /passages ---- */

enum { A, B, BEGIN_A, END_A, BEGIN_B, END_B, FAMILY };

/* A walk through this rank's share of /passages. */
struct passages {
    struct pd_dedup *d;
    struct pd_table_reader t;
    uint64_t end;                /* of the share */
    struct pd_leak_reader leaks; /* decontaminate: the leaks of the share, in place of t */
    /* for pd_find_wanted() */
    uint64_t other; /* 1 plus the second document of the row before; 0: none */
    uint64_t hash;  /* of the rows that were read */
};

/* To be closed in any case. */
static int passages_open(struct passages *p, struct pd_dedup *d)
{
    static const char *const columns[] = {"doc_a",   "doc_b", "begin_a", "end_a",
                                          "begin_b", "end_b", "?family", NULL};
    const struct pd_comm *c = d->comm;
    const uint64_t from = pd_first_row(d->passages, c->rank, c->size);
    *p = (struct passages){.d = d, .end = pd_first_row(d->passages, c->rank + 1, c->size)};
    int status = pd_table_open(&p->t, d->result, "passages", columns);
    p->t.next = from;
    if (status >= 0 && d->options->dedup.run)
        status = pd_leak_reader_open(&p->leaks, d, from, p->end);
    return pd_comm_agree(c, status);
}

static void passages_close(struct passages *p)
{
    pd_table_close(&p->t);
    if (p->leaks.d)
        pd_leak_reader_close(&p->leaks);
}

/* The same as next_passage(), of leaks. */
static int next_leak(struct passages *p, void *rec)
{
    struct pd_leak leak;
    PD_PASS(pd_leak_next(&p->leaks, &leak));
    const struct pd_claim claim = {.gone = leak.doc,
                                   .kept = leak.item,
                                   .row = leak.row,
                                   .family = p->d->has_families ? leak.family : 0,
                                   .gone_bytes = leak.begin << 32 | leak.end,
                                   .kept_bytes = leak.item_begin << 32 | leak.item_end};
    memcpy(rec, &claim, sizeof claim);
    return PD_OK;
}

/* The next passage of two documents, as rows of /documents: a making (owners.h). */
static int next_passage(void *ctx, void *rec)
{
    struct passages *p = ctx;
    struct pd_table_reader *t = &p->t;
    const struct pd_dedup *d = p->d;
    if (d->options->dedup.run)
        return next_leak(p, rec);
    while (t->next < p->end) {
        PD_TRY(pd_table_next(t));
        const struct pd_claim claim = {
            .gone = pd_table_count(t, A),
            .kept = pd_table_count(t, B) + (d->foreign ? d->targets : 0),
            .row = t->row,
            .family = d->has_families ? pd_table_count(t, FAMILY) : 0,
            .gone_bytes = pd_table_count(t, BEGIN_A) << 32 | pd_table_count(t, END_A),
            .kept_bytes = pd_table_count(t, BEGIN_B) << 32 | pd_table_count(t, END_B)};
        if (claim.gone >= d->ndocs - d->foreign || claim.kept >= d->ndocs)
            return pd_fail(PD_EFORMAT, "%s: /passages names documents that are not there",
                           pd_result_path(d->result));
        if (claim.gone == claim.kept)
            continue;
        memcpy(rec, &claim, sizeof claim);
        return PD_OK;
    }
    return PD_END;
}

/* ---- which documents are in passages ---- */

/* The next document of a passage: a making. */
static int next_end(void *ctx, void *rec)
{
    struct passages *p = ctx;
    struct pd_claim claim = {.gone = p->other - 1};
    const int status = p->other ? PD_OK : next_passage(p, &claim);
    if (p->other || status != PD_OK) {
        p->other = 0;
    } else {
        p->other = claim.kept + 1;
        p->hash += pd_mix(pd_mix(claim.row + 1) ^ claim.gone_bytes ^ claim.kept_bytes << 1);
    }
    memcpy(rec, &claim.gone, sizeof claim.gone);
    return status;
}

/* What the owner of a range of rows knows of each. */
struct rows {
    struct pd_dedup *d;
    uint64_t first, n;
    unsigned char *wanted; /* for pd_find_wanted() */
    uint64_t *places;      /* for pd_bring_claims() */
};

static struct rows rows_of(struct pd_dedup *d)
{
    const struct pd_comm *c = d->comm;
    const uint64_t first = pd_first_row(d->ndocs, c->rank, c->size);
    return (struct rows){
        .d = d, .first = first, .n = pd_first_row(d->ndocs, c->rank + 1, c->size) - first};
}

static int mark(const void *recs, size_t bytes, void *ctx)
{
    const struct rows *r = ctx;
    const uint64_t *docs = recs;
    for (size_t k = 0; k < bytes / sizeof *docs; k++)
        r->wanted[docs[k] - r->first] = 1;
    return PD_OK;
}

int pd_find_wanted(struct pd_dedup *d, struct pd_bytes *marks, uint64_t *hash)
{
    struct passages p;
    struct rows r = rows_of(d);
    int status = pd_comm_agree(
        d->comm, pd_dedup_plan(d, "its tables", r.n * (1 + sizeof *r.places), PD_BUDGET_DOCUMENTS));
    if (status < 0)
        return status;
    pd_bytes_reserve(marks, r.n + 1);
    marks->n = r.n;
    memset(marks->v, 0, r.n);
    r.wanted = marks->v;
    status = passages_open(&p, d);
    PD_THEN(status, pd_dedup_exchange(d, (struct pd_making){next_end, &p, sizeof(uint64_t)},
                                      pd_owner_of_doc, mark, &r));
    *hash += p.hash;
    passages_close(&p);
    return status;
}

int pd_publish_wanted(struct pd_dedup *d, struct pd_bytes *marks)
{
    pd_shared_begin(&d->shared, PD_SHARED_WANTED);
    const int status = pd_shared_append(&d->shared, marks->v, marks->n, NULL);
    pd_bytes_release(marks);
    return pd_shared_publish(&d->shared, PD_SHARED_WANTED, status);
}

int pd_is_wanted(struct pd_wanted_rows *w, uint64_t doc, bool *wanted)
{
    struct pd_dedup *d = w->d;
    if (doc < w->from || doc - w->from >= w->marks.n) {
        const int ranks = d->comm->size, owner = pd_row_owner(doc, d->ndocs, ranks);
        const uint64_t end = pd_first_row(d->ndocs, owner + 1, ranks);
        w->from = doc;
        pd_bytes_reserve(&w->marks, ROWS_AT_ONCE);
        w->marks.n = pd_min_u64(end - doc, ROWS_AT_ONCE);
        PD_TRY(pd_shared_part(&d->shared, PD_SHARED_WANTED, (uint64_t)owner,
                              doc - pd_first_row(d->ndocs, owner, ranks), w->marks.n, w->marks.v));
    }
    *wanted = w->marks.v[doc - w->from];
    return PD_OK;
}

/* ---- claims by places ---- */

/* Parts of the time that the walks through all claims take; the last one writes them. */
enum { READ = 4, FIRST = 3, SECOND = 1, WRITE = 2, WALKS = READ + FIRST + SECOND + WRITE };

/* A walk has come past a claim. */
static void walked(struct pd_dedup *d, int parts)
{
    const bool tells = d->walked % ROWS_AT_ONCE < (uint64_t)parts;
    d->walked += (uint64_t)parts;
    if (tells)
        pd_progress_tell(&d->progress, d->walked, WALKS * d->passages / (uint64_t)d->comm->size, 0,
                         0);
}

struct number {
    uint64_t doc, place;
};

/* The documents of this rank, with their places: a making. */
struct numbering {
    const struct pd_wordeds *own;
    size_t next;
    uint64_t first; /* place of the first one */
};

static int next_number(void *ctx, void *rec)
{
    struct numbering *n = ctx;
    if (n->next == n->own->n)
        return PD_END;
    const struct number number = {n->own->v[n->next].doc, n->first + n->next};
    memcpy(rec, &number, sizeof number);
    n->next++;
    return PD_OK;
}

static int keep_number(const void *recs, size_t bytes, void *ctx)
{
    const struct rows *r = ctx;
    const struct number *v = recs;
    for (size_t k = 0; k < bytes / sizeof *v; k++)
        r->places[v[k].doc - r->first] = v[k].place;
    return PD_OK;
}

/* Claims out of a shuffle that get the place of one of their documents: a making. */
struct naming {
    const struct rows *rows;
    struct pd_shuffle *from;
};

static int next_claim(const struct naming *n, struct pd_claim *claim)
{
    const void *rec;
    const int status = pd_shuffle_next(n->from, &rec);
    if (status == PD_OK)
        memcpy(claim, rec, sizeof *claim);
    return status;
}

static int name_first(void *ctx, void *rec)
{
    const struct naming *n = ctx;
    struct pd_claim claim;
    PD_PASS(next_claim(n, &claim));
    claim.gone = n->rows->places[claim.gone - n->rows->first];
    memcpy(rec, &claim, sizeof claim);
    walked(n->rows->d, FIRST);
    return PD_OK;
}

/* The document that comes later in the order of --keep loses its text. */
static int name_second(void *ctx, void *rec)
{
    const struct naming *n = ctx;
    struct pd_claim c;
    PD_PASS(next_claim(n, &c));
    c.kept = n->rows->places[c.kept - n->rows->first];
    if (c.gone < c.kept)
        c = (struct pd_claim){c.kept, c.gone, c.row, c.family, c.kept_bytes, c.gone_bytes};
    memcpy(rec, &c, sizeof c);
    walked(n->rows->d, SECOND);
    return PD_OK;
}

static int owner_of_second(const void *rec, int nranks, void *d)
{
    return pd_owner_of_doc(&((const struct pd_claim *)rec)->kept, nranks, d);
}

static const struct pd_flow firsts_flow = {.name = "claims-first",
                                           .budget = PD_BUDGET_CLAIMS,
                                           .size = sizeof(struct pd_claim),
                                           .keys = 1,
                                           .owner = pd_owner_of_doc};
static const struct pd_flow seconds_flow = {.name = "claims-second",
                                            .budget = PD_BUDGET_CLAIMS,
                                            .size = sizeof(struct pd_claim),
                                            .key_at = 1,
                                            .keys = 1,
                                            .owner = owner_of_second};
static const struct pd_flow claims_flow = {.name = "claims",
                                           .budget = PD_BUDGET_CLAIMS,
                                           .size = sizeof(struct pd_claim),
                                           .keys = PD_CLAIM_KEYS,
                                           .owner = pd_owner_of_place};

static int next_walked(void *ctx, void *rec)
{
    struct passages *p = ctx;
    walked(p->d, READ);
    return next_passage(p, rec);
}

/* COLLECTIVE. Sort the claims at their owners. */
static int sort_claims(struct pd_dedup *d, const struct rows *rows, struct pd_shuffle *claims)
{
    struct passages p;
    struct pd_shuffle firsts = {0}, seconds = {0};
    struct naming first = {rows, &firsts}, second = {rows, &seconds};
    int status = passages_open(&p, d);
    PD_THEN(status, pd_dedup_send(d, &firsts, &firsts_flow, next_walked, &p));
    passages_close(&p);
    PD_THEN(status, pd_dedup_send(d, &seconds, &seconds_flow, name_first, &first));
    pd_shuffle_close(&firsts);
    PD_THEN(status, pd_dedup_send(d, claims, &claims_flow, name_second, &second));
    pd_shuffle_close(&seconds);
    return status;
}

/* Write the sorted claims of this rank, and say which ones each document has. */
static int write_claims(struct pd_dedup *d, struct pd_shuffle *claims, struct pd_wordeds *own)
{
    const void *rec;
    int status;
    for (uint64_t n = 0; (status = pd_shuffle_next(claims, &rec)) == PD_OK; n++) {
        struct pd_worded *w = &own->v[((const struct pd_claim *)rec)->gone - pd_first_place_of(d)];
        w->claims = w->nclaims++ ? w->claims : n;
        PD_TRY(pd_shared_append(&d->shared, rec, sizeof(struct pd_claim), NULL));
        walked(d, WRITE);
    }
    return status < 0 ? status : PD_OK;
}

int pd_bring_claims(struct pd_dedup *d, struct pd_wordeds *own)
{
    struct rows rows = rows_of(d);
    struct numbering numbering = {own, 0, pd_first_place_of(d)};
    const struct pd_making numbers = {next_number, &numbering, sizeof(struct number)};
    struct pd_shuffle claims = {0};
    pd_progress_begin(&d->progress, "sort");
    d->walked = 0;
    rows.places = pd_realloc(NULL, rows.n + 1, sizeof *rows.places);
    int status = pd_dedup_exchange(d, numbers, pd_owner_of_doc, keep_number, &rows);
    PD_THEN(status, sort_claims(d, &rows, &claims));
    free(rows.places);
    pd_shared_begin(&d->shared, PD_SHARED_CLAIMS);
    PD_THEN(status, write_claims(d, &claims, own));
    pd_shuffle_close(&claims);
    status = pd_shared_publish(&d->shared, PD_SHARED_CLAIMS, status);
    pd_shared_begin(&d->shared, PD_SHARED_WORDED);
    PD_THEN(status, pd_shared_append(&d->shared, own->v, own->n * sizeof *own->v, NULL));
    return pd_shared_publish(&d->shared, PD_SHARED_WORDED, status);
}
