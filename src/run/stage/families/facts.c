/*
 * run/stage/families/facts.c - see src/run/stage/families/facts.h
 *
 * What travels:
 *     spans     {document, bytes, end of a passage, words}   holder of a range of documents
 *     dates     {document, date}                             holder of a range of documents
 *     ends      {end of a passage, member, bytes of both}    owner of the passage
 *     facts     {member, kind, ...}                          owner of the member
 * and what representatives.h sends.
 */
#include "facts.h"

#include <string.h>

#include "documents.h"
#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/passage/members.h"
#include "pardup/store/spool.h"
#include "representatives.h"
#include "run/stage/table/table.h"
#include "stars.h"

/* An end is the place of its passage, then a bit for its side. */
static uint64_t end_of(uint64_t place, int side) { return place << 1 | (uint64_t)side; }
static uint64_t place_of_end(uint64_t end) { return end >> 1; }

struct span {
    uint64_t doc, bytes; /* first byte and end: two 32-bit numbers */
    uint64_t end, words;
};
/* What an end of a passage covers of a member. */
struct end {
    uint64_t end, member;
    uint64_t bytes;   /* from where to where in the span: two 32-bit numbers */
    uint64_t lengths; /* bytes of the span, then of the member: two 32-bit numbers */
};

/* The date of a document. */
struct dated {
    uint64_t doc;
    struct pd_date date;
};

/* What the search begins with. */
struct finding {
    struct pd_job *job;
    const struct pd_families_from *from;
    struct pd_document_families *documents; /* gets each pair that goes by */
    struct pd_families_extent *extent;
};

/* ---- owners ---- */

/* The owner of the document that a record begins with. */
static int owner_of_document(const void *rec, int nranks, void *ctx)
{
    return pd_document_owner(((const struct pd_families_extent *)ctx)->job, *(const pd_doc *)rec,
                             nranks);
}
static int owner_of_end(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_node_owner(place_of_end(((const struct end *)rec)->end), nranks);
}

/* ---- partitions ---- */

static uint32_t partition_of_span(const void *rec, uint32_t npartitions, void *ctx)
{
    return pd_document_partition(((const struct pd_families_extent *)ctx)->job,
                                 ((const struct span *)rec)->doc, npartitions);
}
/* A rank owns some passages of each rank. */
static uint32_t partition_of_end(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct pd_families_extent *e = ctx;
    const uint64_t place = place_of_end(((const struct end *)rec)->end);
    const uint64_t row = (place >> PD_ROW_BITS) * e->rows + pd_row_of(place);
    return pd_node_partition(row, (uint64_t)e->job->comm->size * e->rows, npartitions);
}

static const struct pd_flow spans_flow = {.name = "spans",
                                          .budget = PD_BUDGET_SPANS,
                                          .size = sizeof(struct span),
                                          .keys = 2,
                                          .owner = owner_of_document,
                                          .partition = partition_of_span};
static const struct pd_flow dates_flow = {.name = "dates",
                                          .budget = PD_BUDGET_DATES,
                                          .size = sizeof(struct dated),
                                          .keys = 1,
                                          .owner = owner_of_document};
static const struct pd_flow ends_flow = {.name = "ends",
                                         .budget = PD_BUDGET_ENDS,
                                         .size = sizeof(struct end),
                                         .keys = 2,
                                         .owner = owner_of_end,
                                         .partition = partition_of_end};
static const struct pd_flow facts_flow = {.name = "facts",
                                          .budget = PD_BUDGET_FACTS,
                                          .size = sizeof(struct pd_fact),
                                          .keys = 2,
                                          .owner = pd_to_owner_of_node,
                                          .partition = pd_partition_of_member};
static const struct pd_flow members_flow = {.name = "members",
                                            .budget = PD_BUDGET_MEMBERS,
                                            .size = sizeof(struct pd_fact),
                                            .keys = 2,
                                            .owner = pd_to_owner_of_node,
                                            .partition = pd_partition_of_member};

/* ---- spans: what passages reach ---- */

struct sending {
    struct finding *f;
    struct pd_rows rows; /* rows of the pair at hand */
    uint64_t first;      /* number of its first row */
    size_t next;         /* its row that is sent next */
    uint64_t taken;      /* rows of all pairs so far */
};

static void put_span(const struct pd_row *row, uint64_t place, int side, unsigned char *to)
{
    const struct span s = {.doc = side ? row->b : row->a,
                           .bytes = side ? row->bytes_b : row->bytes_a,
                           .end = end_of(place, side),
                           .words = side ? (uint32_t)row->words : row->words >> 32};
    memcpy(to, &s, sizeof s);
}

static int fill_spans(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct sending *s = ctx;
    const struct pd_families_from *from = s->f->from;
    const int rank = s->f->job->comm->rank;
    for (*n = 0; *n + 2 * sizeof(struct span) <= cap; s->next++) {
        while (s->next == s->rows.n) {
            struct pd_pair pair;
            s->rows.n = s->next = 0;
            PD_PASS(from->next(from->ctx, &s->rows, &pair, &s->first));
            PD_TRY(pd_document_families_take(s->f->documents, &pair));
            s->taken += s->rows.n;
            pd_stages_progress(&s->f->job->stages, s->taken * PD_FAMILIES_SPANS,
                               from->rows * PD_FAMILIES_PHASES, 0, 0);
            s->f->extent->rows = pd_max_u64(s->f->extent->rows, s->first + s->rows.n);
        }
        for (int side = 0; side < 2; side++, *n += sizeof(struct span))
            put_span(&s->rows.v[s->next], pd_place_of(rank, s->first + s->next), side, to + *n);
    }
    return PD_OK;
}

/* COLLECTIVE. Send the spans of all passages to the ranks that cut them. */
static int send_spans(struct finding *f, struct pd_shuffle *spans)
{
    struct sending s = {.f = f};
    pd_shuffle_open(spans, &f->job->transport, &spans_flow, f->extent, &f->job->spare);
    const int status = pd_shuffle_send(spans, fill_spans, &s);
    pd_rows_release(&s.rows);
    pd_comm_max(f->job->comm, &f->extent->rows, 1);
    return status < 0 ? status : pd_shuffle_sort(spans);
}

/* ---- ends: which members a passage reaches ---- */

/* The spans of a document, on their way to become ends of passages and facts about members. */
struct cutting {
    struct pd_shuffle *spans;
    struct pd_shuffle *dates;    /* of documents, in order */
    struct pd_shuffle *facts;    /* gets the members of this rank, which stay until they are sent */
    struct pd_bytes group;       /* spans of the document at hand, in order */
    struct pd_reaches reaches;   /* its distinct spans */
    struct pd_members members;   /* its members */
    struct pd_u64s words;        /* of each member: the most that a passage has in it */
    struct pd_portions portions; /* of the span at hand */
    size_t next, portion;        /* the next span, and its portion that is sent next */
};

static uint64_t begin_of(const struct span *s) { return s->bytes >> 32; }
static uint64_t end_of_span(const struct span *s) { return (uint32_t)s->bytes; }

/* Find the date of a document. Documents are asked for in order. */
static int date_of(struct pd_shuffle *dates, uint64_t doc, struct pd_date *date)
{
    const void *rec;
    const int status = pd_shuffle_seek(dates, doc, &rec);
    const struct dated *d = rec;
    *date = d && d->doc == doc ? d->date : PD_NO_DATE;
    return status;
}

/* Push what is known about the members of the document at hand. */
static int push_members(struct cutting *c, uint64_t doc)
{
    struct pd_date date;
    PD_TRY(date_of(c->dates, doc, &date));
    for (size_t k = 0; k < c->members.n; k++) {
        const struct pd_member *m = &c->members.v[k];
        const struct pd_fact fact = {doc << PD_BEGIN_BITS | m->begin, PD_FACT_SPAN, m->end,
                                     c->words.v[k]};
        PD_TRY(pd_shuffle_push(c->facts, &fact, sizeof fact));
        const struct pd_fact dated = {fact.member, PD_FACT_DATE, date.first, date.last};
        if (pd_date_is_known(date))
            PD_TRY(pd_shuffle_push(c->facts, &dated, sizeof dated));
    }
    return PD_OK;
}

/* Words of a passage count in a member as far as its bytes are there. */
static void count_words(struct cutting *c, const struct span *s)
{
    const uint64_t length = end_of_span(s) - begin_of(s);
    for (size_t k = 0; k < c->portions.n; k++) {
        const struct pd_portion *p = &c->portions.v[k];
        uint64_t *words = &c->words.v[p->member];
        *words = pd_max_u64(*words, (s->words * (p->end - p->begin) + length / 2) / length);
    }
}

/* Cut the next document into members. */
static int next_document(struct cutting *c)
{
    PD_PASS(pd_shuffle_group(c->spans, 1, &c->group));
    const struct span *spans = (const struct span *)(const void *)c->group.v;
    const size_t n = c->group.n / sizeof *spans;
    c->reaches.n = c->words.n = c->next = 0;
    for (size_t k = 0; k < n; k++)
        if (k > 0 && spans[k].bytes == spans[k - 1].bytes)
            c->reaches.v[c->reaches.n - 1].passages++;
        else
            pd_reaches_push(&c->reaches,
                            (struct pd_reach){begin_of(&spans[k]), end_of_span(&spans[k]), 1});
    pd_members_cut(&c->reaches, &c->members);
    for (size_t k = 0; k < c->members.n; k++)
        pd_u64s_push(&c->words, 0);
    for (size_t k = 0; k < n; k++) {
        if (k == 0 || spans[k].bytes != spans[k - 1].bytes)
            pd_members_cover(&c->members, begin_of(&spans[k]), end_of_span(&spans[k]),
                             &c->portions);
        count_words(c, &spans[k]);
    }
    c->portions.n = c->portion = 0;
    return push_members(c, spans[0].doc);
}

/* Go on to the next span. PD_OK, PD_END or a failure. */
static int next_span(struct cutting *c)
{
    if (c->next * sizeof(struct span) == c->group.n)
        PD_PASS(next_document(c));
    const struct span *s = (const struct span *)(const void *)c->group.v + c->next;
    if (c->next == 0 || s->bytes != s[-1].bytes)
        pd_members_cover(&c->members, begin_of(s), end_of_span(s), &c->portions);
    c->next++;
    c->portion = 0;
    return PD_OK;
}

static int next_end(void *ctx, void *rec)
{
    struct cutting *c = ctx;
    PD_PASS(c->portion == c->portions.n ? next_span(c) : PD_OK);
    const struct span *s = (const struct span *)(const void *)c->group.v + c->next - 1;
    const struct pd_portion *p = &c->portions.v[c->portion++];
    const struct pd_member *m = &c->members.v[p->member];
    *(struct end *)rec = (struct end){
        s->end, s->doc << PD_BEGIN_BITS | m->begin,
        pd_ij((uint32_t)(p->begin - begin_of(s)), (uint32_t)(p->end - begin_of(s))),
        pd_ij((uint32_t)(end_of_span(s) - begin_of(s)), (uint32_t)(m->end - m->begin))};
    return PD_OK;
}

static int next_date(void *ctx, void *rec)
{
    const struct pd_families_from *from = ctx;
    struct dated *dated = rec;
    return from->dated(from->ctx, &dated->doc, &dated->date);
}

/* COLLECTIVE. Send the dates of documents to the ranks that cut their text. */
static int send_dates(struct finding *f, struct pd_shuffle *dates)
{
    if (!f->from->dated)
        return PD_OK;
    pd_shuffle_open(dates, &f->job->transport, &dates_flow, f->extent, &f->job->spare);
    return pd_shuffle_make(dates, next_date, (void *)f->from);
}

/* COLLECTIVE. Send the members of all ends to the owners of the passages; `members` stays here. */
static int send_ends(struct finding *f, struct pd_shuffle *ends, struct pd_shuffle *members)
{
    struct pd_shuffle spans = {0}, dates = {0};
    struct cutting c = {.spans = &spans, .dates = &dates, .facts = members};
    pd_shuffle_open(ends, &f->job->transport, &ends_flow, f->extent, &f->job->spare);
    pd_shuffle_open(members, &f->job->transport, &members_flow, f->extent, &f->job->spare);
    int status = send_spans(f, &spans);
    PD_THEN(status, send_dates(f, &dates));
    PD_THEN(status, pd_shuffle_send_made(ends, next_end, &c));
    PD_CLOSE(pd_shuffle, &spans, &dates);
    pd_bytes_release(&c.group);
    pd_reaches_release(&c.reaches);
    pd_members_release(&c.members);
    pd_u64s_release(&c.words);
    pd_portions_release(&c.portions);
    return status < 0 ? status : pd_shuffle_sort(ends);
}

/* ---- facts: what is known about a member ---- */

/* Passages as facts about a member, and as bonds between members. */
struct bonding {
    struct pd_shuffle *ends;
    struct pd_spool *bonds;
    struct pd_bytes side[2]; /* struct end of both ends of the passage at hand */
};

/* A portion of one end, on a scale that both ends share: bytes of one times bytes of the other. */
struct scaled {
    uint64_t from, to;
};

static struct scaled scale(const struct end *e, const struct end *other)
{
    const uint64_t by = other->lengths >> 32;
    return (struct scaled){(e->bytes >> 32) * by, (uint32_t)e->bytes * by};
}

/* The index of the longest portion of an end. */
static size_t chief_of(const struct end *v, size_t n)
{
    size_t chief = 0;
    for (size_t k = 1; k < n; k++)
        if ((uint32_t)v[k].bytes - (v[k].bytes >> 32) >
            (uint32_t)v[chief].bytes - (v[chief].bytes >> 32))
            chief = k;
    return chief;
}

/* Push the bond of two members, if their portions meet (representatives.h) or both are chief. */
static int push_bond(struct bonding *b, const struct end *u, const struct end *v, bool chief)
{
    const struct scaled x = scale(u, v), y = scale(v, u);
    const uint64_t from = pd_max_u64(x.from, y.from), to = pd_min_u64(x.to, y.to);
    const uint64_t met = from < to ? to - from : 0;
    const uint64_t end_u = u->lengths >> 32, end_v = v->lengths >> 32; /* bytes of the ends */
    const uint64_t shorter = pd_min_u64(end_u, end_v), longer = pd_max_u64(end_u, end_v);
    const uint64_t doubt = (longer - shorter) * shorter;
    const uint32_t bytes_u = (uint32_t)u->lengths, bytes_v = (uint32_t)v->lengths;
    const struct pd_bond bond = {u->member, v->member, bytes_u, bytes_v,
                                 (2 * met > bytes_u * end_v ? PD_BOND_U_AGREES : 0) |
                                     (2 * met > bytes_v * end_u ? PD_BOND_V_AGREES : 0) |
                                     (chief ? PD_BOND_CHIEF : 0)};
    const bool meet = 2 * met > pd_min_u64(x.to - x.from, y.to - y.from) + doubt;
    return chief || (meet && bond.u != bond.v) ? pd_spool_push(b->bonds, &bond) : PD_OK;
}

/* Push the bonds of the passage at hand: portions of both ends are in order. */
static int push_bonds(struct bonding *b, size_t chief_u, size_t chief_v)
{
    const struct end *u = (const struct end *)(const void *)b->side[0].v;
    const struct end *v = (const struct end *)(const void *)b->side[1].v;
    const size_t nu = b->side[0].n / sizeof *u, nv = b->side[1].n / sizeof *v;
    for (size_t i = 0, first = 0; i < nu; i++) {
        const struct scaled x = scale(&u[i], v);
        while (first < nv && scale(&v[first], u).to <= x.from)
            first++;
        for (size_t j = first; j < nv && scale(&v[j], u).from < x.to; j++)
            if (i != chief_u || j != chief_v)
                PD_TRY(push_bond(b, &u[i], &v[j], false));
    }
    return push_bond(b, &u[chief_u], &v[chief_v], true);
}

static int next_passage(void *ctx, void *rec)
{
    struct bonding *b = ctx;
    const struct end *v[2];
    size_t chief[2];
    for (int side = 0; side < 2; side++) { /* both ends of a passage follow each other */
        PD_PASS(pd_shuffle_group(b->ends, 1, &b->side[side]));
        v[side] = (const struct end *)(const void *)b->side[side].v;
        chief[side] = chief_of(v[side], b->side[side].n / sizeof(struct end));
    }
    const uint64_t place = place_of_end(v[0]->end);
    PD_CHECK(place == place_of_end(v[1]->end));
    *(struct pd_fact *)rec = (struct pd_fact){v[0][chief[0]].member, PD_FACT_PASSAGE, place, 0};
    return push_bonds(b, chief[0], chief[1]);
}

int pd_facts_find(struct pd_job *job, const struct pd_families_from *from,
                  struct pd_document_families *documents, struct pd_families_extent *extent,
                  struct pd_shuffle *facts)
{
    struct finding finding = {job, from, documents, extent}, *f = &finding;
    struct pd_shuffle ends = {0}, members = {0};
    struct pd_spool bonds;
    struct bonding b = {.ends = &ends, .bonds = &bonds};
    pd_job_spool(f->job, &bonds, sizeof(struct pd_bond), PD_BUDGET_BONDED, "bonded");
    pd_shuffle_open(facts, &f->job->transport, &facts_flow, f->extent, &f->job->spare);
    int status = send_ends(f, &ends, &members);
    pd_stages_progress(&job->stages, PD_FAMILIES_ENDS, PD_FAMILIES_PHASES, 0, 0);
    PD_THEN(status, pd_shuffle_send_made(facts, next_passage, &b));
    pd_shuffle_close(&ends);
    PD_RELEASE(pd_bytes, &b.side[0], &b.side[1]);
    PD_THEN(status, pd_shuffle_sort(&members));
    PD_THEN(status, pd_shuffle_send(facts, pd_shuffle_fill, &members));
    pd_shuffle_close(&members);
    PD_THEN(status, pd_comm_agree(f->job->comm, pd_spool_finish(&bonds)));
    pd_stages_progress(&job->stages, PD_FAMILIES_BONDS, PD_FAMILIES_PHASES, 0, 0);
    PD_THEN(status, pd_representatives_find(f->job, f->extent, &bonds, facts));
    pd_spool_release(&bonds);
    return status < 0 ? status : pd_shuffle_sort(facts);
}
