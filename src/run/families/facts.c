/*
 * run/families/facts.c - see src/run/families/facts.h
 *
 * What travels:
 *     spans     {document, bytes, end of a passage, words}   holder of a range of documents
 *     dates     {document, date}                             holder of a range of documents
 *     ends      {end of a passage, member}                   owner of the passage
 *     links     {member, member}                             owner of the member, in rounds (stars.h)
 *     facts     {member, kind, ...}                          owner of the member
 */
#include "facts.h"

#include <string.h>

#include "documents.h"
#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/passage/members.h"
#include "pardup/result/rows.h"
#include "pardup/store/spool.h"
#include "run/table/table.h"
#include "stars.h"

/* An end is the place of its passage, then a bit for its side. */
static uint64_t end_of(uint64_t place, int side) { return place << 1 | (uint64_t)side; }
static uint64_t place_of_end(uint64_t end) { return end >> 1; }

struct span {
    uint64_t doc, bytes; /* first byte and end: two 32-bit numbers */
    uint64_t end, words;
};
struct end {
    uint64_t end, member;
};

/* The date of a document. */
struct dated {
    uint64_t doc, date;
};

/* What the search begins with. */
struct finding {
    struct pd_job *job;
    const struct pd_families_from *from;
    struct pd_document_families *documents; /* gets each pair that goes by */
    struct pd_families_extent *extent;
};

/* ---- owners ---- */

static int owner_of_span(const void *rec, int nranks, void *ctx)
{
    return pd_document_owner(((const struct pd_families_extent *)ctx)->job,
                             ((const struct span *)rec)->doc, nranks);
}
static int owner_of_date(const void *rec, int nranks, void *ctx)
{
    return pd_document_owner(((const struct pd_families_extent *)ctx)->job,
                             ((const struct dated *)rec)->doc, nranks);
}
static int owner_of_end(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_node_owner(place_of_end(((const struct end *)rec)->end), nranks);
}
static int owner_of_fact(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_node_owner(((const struct pd_fact *)rec)->member, nranks);
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
static uint32_t partition_of_fact(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct pd_families_extent *e = ctx;
    return pd_node_partition(((const struct pd_fact *)rec)->member, e->members, npartitions);
}

static const struct pd_flow spans_flow = {.name = "spans",
                                          .budget = PD_BUDGET_SPANS,
                                          .size = sizeof(struct span),
                                          .keys = 2,
                                          .owner = owner_of_span,
                                          .partition = partition_of_span};
static const struct pd_flow dates_flow = {.name = "dates",
                                          .budget = PD_BUDGET_DATES,
                                          .size = sizeof(struct dated),
                                          .keys = 1,
                                          .owner = owner_of_date};
static const struct pd_flow ends_flow = {.name = "ends",
                                         .budget = PD_BUDGET_ENDS,
                                         .size = sizeof(struct end),
                                         .keys = 1,
                                         .owner = owner_of_end,
                                         .partition = partition_of_end};
static const struct pd_flow facts_flow = {.name = "facts",
                                          .budget = PD_BUDGET_FACTS,
                                          .size = sizeof(struct pd_fact),
                                          .keys = 2,
                                          .owner = owner_of_fact,
                                          .partition = partition_of_fact};
static const struct pd_flow members_flow = {.name = "members",
                                            .budget = PD_BUDGET_MEMBERS,
                                            .size = sizeof(struct pd_fact),
                                            .keys = 2,
                                            .owner = owner_of_fact,
                                            .partition = partition_of_fact};

/* ---- spans: what passages reach ---- */

struct sending {
    struct finding *f;
    struct pd_rows rows; /* rows of the pair at hand */
    uint64_t first;      /* number of its first row */
    size_t next;         /* its row that is sent next */
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
            const int status = from->next(from->ctx, &s->rows, &pair, &s->first);
            if (status != PD_OK)
                return status;
            PD_TRY(pd_document_families_take(s->f->documents, &pair));
            s->f->extent->rows = pd_max_u64(s->f->extent->rows, s->first + s->rows.n);
        }
        for (int side = 0; side < 2; side++, *n += sizeof(struct span))
            put_span(&s->rows.v[s->next], pd_place_of(rank, s->first + s->next), side, to + *n);
    }
    return PD_OK;
}

/* COLLECTIVE. Send the spans of all passages to the ranks that unite them. */
static int send_spans(struct finding *f, struct pd_shuffle *spans)
{
    struct sending s = {.f = f};
    pd_shuffle_open(spans, &f->job->transport, &spans_flow, f->extent, &f->job->spare);
    const int status = pd_shuffle_send(spans, fill_spans, &s);
    pd_rows_release(&s.rows);
    pd_comm_max(f->job->comm, &f->extent->rows, 1);
    return status < 0 ? status : pd_shuffle_sort(spans);
}

/* ---- ends: which member a passage reaches ---- */

/* The spans of a document, on their way to become ends of passages and facts about members. */
struct uniting {
    struct pd_shuffle *spans;
    struct pd_shuffle *dates; /* of documents, in order */
    struct pd_shuffle *facts; /* gets the members of this rank, which stay until they are sent */
    struct pd_bytes group;    /* spans of the document at hand, in order */
    struct pd_reaches united; /* its distinct spans */
    struct pd_u64s words;     /* by distinct span: most words of a passage */
    size_t next, distinct; /* the next span of the group, and its number among the distinct ones */
};

/* Find the date of a document; PD_NO_DATE: it has none. Documents are asked for in order. */
static int date_of(struct pd_shuffle *dates, uint64_t doc, uint64_t *date)
{
    const void *rec;
    int status = PD_END;
    *date = PD_NO_DATE;
    while (dates->sorter && (status = pd_shuffle_look(dates, &rec)) == PD_OK) {
        const struct dated *d = rec;
        if (d->doc == doc)
            *date = d->date;
        if (d->doc >= doc)
            break;
        pd_shuffle_pass(dates, sizeof *d);
    }
    return status < 0 ? status : PD_OK;
}

/* Push what is known about the members of the document at hand. */
static int push_members(struct uniting *u, uint64_t doc)
{
    uint64_t date;
    PD_TRY(date_of(u->dates, doc, &date));
    for (size_t k = 0; k < u->united.n; k++) {
        const size_t member = pd_member_of(&u->united, k);
        u->words.v[member] = pd_max_u64(u->words.v[member], u->words.v[k]);
    }
    for (size_t k = 0; k < u->united.n; k++) {
        const struct pd_reach *m = &u->united.v[k];
        const struct pd_fact fact = {doc << PD_BEGIN_BITS | m->begin, PD_FACT_SPAN, m->end,
                                     u->words.v[k]};
        if (m->parent != k)
            continue;
        PD_TRY(pd_shuffle_push(u->facts, &fact, sizeof fact));
        const struct pd_fact dated = {fact.member, PD_FACT_DATE, date, 0};
        if (date != PD_NO_DATE)
            PD_TRY(pd_shuffle_push(u->facts, &dated, sizeof dated));
    }
    return PD_OK;
}

/* Unite the spans of the next document. */
static int next_document(struct uniting *u)
{
    const int status = pd_shuffle_group(u->spans, 1, &u->group);
    if (status != PD_OK)
        return status;
    const struct span *spans = (const struct span *)(const void *)u->group.v;
    const size_t n = u->group.n / sizeof *spans;
    u->united.n = u->words.n = u->next = u->distinct = 0;
    for (size_t k = 0; k < n; k++) {
        const uint64_t begin = spans[k].bytes >> 32, end = (uint32_t)spans[k].bytes;
        if (k == 0 || spans[k].bytes != spans[k - 1].bytes) {
            pd_reaches_push(&u->united, (struct pd_reach){begin, end, 0});
            pd_u64s_push(&u->words, 0);
        }
        u->words.v[u->words.n - 1] = pd_max_u64(u->words.v[u->words.n - 1], spans[k].words);
    }
    pd_members_unite(&u->united);
    return push_members(u, spans[0].doc);
}

static int fill_ends(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct uniting *u = ctx;
    for (*n = 0; *n + sizeof(struct end) <= cap; *n += sizeof(struct end)) {
        if (u->next * sizeof(struct span) == u->group.n) {
            const int status = next_document(u);
            if (status != PD_OK)
                return status;
        }
        const struct span *s = (const struct span *)(const void *)u->group.v + u->next;
        u->distinct += u->next > 0 && s->bytes != s[-1].bytes;
        u->next++;
        const struct pd_reach *m = &u->united.v[pd_member_of(&u->united, u->distinct)];
        const struct end end = {s->end, s->doc << PD_BEGIN_BITS | m->begin};
        memcpy(to + *n, &end, sizeof end);
    }
    return PD_OK;
}

static int fill_dates(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    const struct pd_families_from *from = ctx;
    for (*n = 0; *n + sizeof(struct dated) <= cap; *n += sizeof(struct dated)) {
        struct dated dated;
        const int status = from->dated(from->ctx, &dated.doc, &dated.date);
        if (status != PD_OK)
            return status;
        memcpy(to + *n, &dated, sizeof dated);
    }
    return PD_OK;
}

/* COLLECTIVE. Send the dates of documents to the ranks that unite their spans. */
static int send_dates(struct finding *f, struct pd_shuffle *dates)
{
    if (!f->from->dated)
        return PD_OK;
    pd_shuffle_open(dates, &f->job->transport, &dates_flow, f->extent, &f->job->spare);
    return pd_shuffle_gather(dates, fill_dates, (void *)f->from);
}

/* COLLECTIVE. Send the members of all ends to the owners of the passages; `members` stays here. */
static int send_ends(struct finding *f, struct pd_shuffle *ends, struct pd_shuffle *members)
{
    struct pd_shuffle spans = {0}, dates = {0};
    struct uniting u = {.spans = &spans, .dates = &dates, .facts = members};
    pd_shuffle_open(ends, &f->job->transport, &ends_flow, f->extent, &f->job->spare);
    pd_shuffle_open(members, &f->job->transport, &members_flow, f->extent, &f->job->spare);
    int status = send_spans(f, &spans);
    if (status >= 0)
        status = send_dates(f, &dates);
    if (status >= 0)
        status = pd_shuffle_send(ends, fill_ends, &u);
    pd_shuffle_close(&spans);
    pd_shuffle_close(&dates);
    pd_bytes_release(&u.group);
    pd_reaches_release(&u.united);
    pd_u64s_release(&u.words);
    return status < 0 ? status : pd_shuffle_sort(ends);
}

/* ---- facts: what is known about a member ---- */

/* Passages between members, as facts about one of them; kept, too, as links. */
struct linking {
    struct pd_shuffle *ends;
    struct pd_spool *links;
};

static int fill_passages(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct linking *l = ctx;
    for (*n = 0; *n + sizeof(struct pd_fact) <= cap;) {
        struct end two[2];
        for (int side = 0; side < 2; side++) { /* both ends of a passage follow each other */
            const void *rec;
            const int status = pd_shuffle_look(l->ends, &rec);
            if (status != PD_OK)
                return status;
            memcpy(&two[side], rec, sizeof *two);
            pd_shuffle_pass(l->ends, sizeof *two);
        }
        const uint64_t place = place_of_end(two[0].end);
        PD_CHECK(place == place_of_end(two[1].end));
        const struct pd_fact fact = {two[0].member, PD_FACT_PASSAGE, two[1].member, place};
        const struct pd_link link = {two[0].member, two[1].member};
        memcpy(to + *n, &fact, sizeof fact);
        *n += sizeof fact;
        if (link.u != link.v)
            PD_TRY(pd_spool_push(l->links, &link));
    }
    return PD_OK;
}

/* Turn stars into facts, which are at their owner already. */
static int push_stars(struct pd_shuffle *stars, struct pd_shuffle *facts)
{
    uint64_t node = UINT64_MAX;
    for (;;) {
        const void *rec;
        const int status = pd_shuffle_look(stars, &rec);
        if (status != PD_OK)
            return status < 0 ? status : PD_OK;
        const struct pd_link link = *(const struct pd_link *)rec;
        const struct pd_fact fact = {link.u, PD_FACT_FIRST, link.v, 0};
        pd_shuffle_pass(stars, sizeof link);
        if (link.u != node && link.v < link.u)
            PD_TRY(pd_shuffle_push(facts, &fact, sizeof fact));
        node = link.u;
    }
}

int pd_facts_find(struct pd_job *job, const struct pd_families_from *from,
                  struct pd_document_families *documents, struct pd_families_extent *extent,
                  struct pd_shuffle *facts)
{
    struct finding finding = {job, from, documents, extent}, *f = &finding;
    struct pd_shuffle ends = {0}, members = {0}, stars = {0};
    struct pd_spool links;
    struct linking l = {&ends, &links};
    pd_job_spool(f->job, &links, sizeof(struct pd_link), PD_BUDGET_LINKED, "linked");
    pd_shuffle_open(facts, &f->job->transport, &facts_flow, f->extent, &f->job->spare);
    int status = send_ends(f, &ends, &members);
    if (status >= 0)
        status = pd_shuffle_send(facts, fill_passages, &l);
    pd_shuffle_close(&ends);
    if (status >= 0)
        status = pd_shuffle_sort(&members);
    if (status >= 0)
        status = pd_shuffle_send(facts, pd_shuffle_fill, &members);
    pd_shuffle_close(&members);
    if (status >= 0)
        status = pd_comm_agree(f->job->comm, pd_spool_finish(&links));
    if (status >= 0)
        status = pd_stars_find(&f->job->transport, &extent->members, &links, &stars);
    pd_spool_release(&links);
    if (status >= 0)
        status = pd_comm_agree(f->job->comm, push_stars(&stars, facts));
    pd_shuffle_close(&stars);
    return status < 0 ? status : pd_shuffle_sort(facts);
}
