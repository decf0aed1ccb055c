/*
 * run/families/families.c - see src/run/families/families.h
 *
 * What travels:
 *     spans     {document, bytes, end of a passage, words}   holder of a range of documents
 *     dates     {document, date}                             holder of a range of documents
 *     ends      {end of a passage, member}                   owner of the passage
 *     links     {member, member}                             owner of the member, in rounds (stars.h)
 *     facts     {member, kind, ...}                          owner of the member
 *     parts     {family, kind, ...}                          owner of a range of documents
 *     answers   {row, family}                                rank that writes the row
 *
 * A member has the number document << BEGIN_BITS | first byte: two members of a document never begin
 * at the same byte. A family has the number of its first member until all are counted, so families
 * are in order of their first members.
 */
#include "families.h"

#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/base/minmax.h"
#include "pardup/base/search.h"
#include "pardup/passage/members.h"
#include "pardup/result/rows.h"
#include "pardup/store/spool.h"
#include "run/write/slices.h"
#include "stars.h"
#include "table.h"

enum { BEGIN_BITS = 30, ROW_BITS = 48 };

/* A passage as its ends know it: the rank that writes its row, and the row. */
static uint64_t place_of(int rank, uint64_t row) { return (uint64_t)rank << ROW_BITS | row; }
static uint64_t row_of(uint64_t place) { return place & (((uint64_t)1 << ROW_BITS) - 1); }

struct span {
    uint64_t doc, bytes; /* first byte and end: two 32-bit numbers */
    uint64_t place, side;
    uint64_t words;
};
struct end {
    uint64_t place, side, member;
};

/* Facts about a member, sorted by kind. */
enum { FACT_FIRST, FACT_SPAN, FACT_DATE, FACT_PASSAGE };
struct fact {
    uint64_t member, kind;
    uint64_t
        a; /* FIRST: first member of the family; SPAN: end; DATE: of its document; PASSAGE: the other member */
    uint64_t b; /* SPAN: words; PASSAGE: its place */
};

/* Parts of a family: its members, then its passages. */
struct part {
    uint64_t family, kind; /* the first member; as in struct fact, not FACT_FIRST */
    uint64_t member, a, b; /* as in struct fact */
};

/* The date of a document. */
struct dated {
    uint64_t doc, date;
};

struct answer {
    uint64_t row, family;
};

struct pd_families {
    struct pd_job *job;
    struct pd_families_from from;
    struct pd_document_families *documents;
    struct pd_shuffle answers;           /* of this rank's rows of /passages */
    struct pd_spool families;            /* struct pd_family_row */
    struct pd_spool members;             /* struct pd_member_row */
    uint64_t first_family, first_member; /* rows of the first ones of this rank */
    uint64_t nfamilies, nmembers;        /* of this rank */
    uint64_t largest, example; /* members of the largest family of this rank; its document */
};

/* ---- owners ---- */

static int owner_of_span(const void *rec, int nranks, void *ctx)
{
    return pd_document_owner(((struct pd_families *)ctx)->job, ((const struct span *)rec)->doc,
                             nranks);
}
static int owner_of_date(const void *rec, int nranks, void *ctx)
{
    return pd_document_owner(((struct pd_families *)ctx)->job, ((const struct dated *)rec)->doc,
                             nranks);
}
static int owner_of_end(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_node_owner(((const struct end *)rec)->place, nranks);
}
static int owner_of_fact(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_node_owner(((const struct fact *)rec)->member, nranks);
}
static int owner_of_part(const void *rec, int nranks, void *ctx)
{
    const uint64_t doc = ((const struct part *)rec)->family >> BEGIN_BITS;
    return pd_document_owner(((struct pd_families *)ctx)->job, doc, nranks);
}
static int owner_of_answer(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    (void)nranks;
    return (int)(((const struct answer *)rec)->row >> ROW_BITS);
}

/* A member arrives at the rank that will number its family. */
static bool count_part(const void *rec, void *ctx)
{
    struct pd_families *f = ctx;
    const struct part *p = rec;
    f->nmembers += p->kind == FACT_SPAN;
    f->nfamilies += p->kind == FACT_SPAN && p->member == p->family;
    return true;
}

static const struct pd_flow spans_flow = {.name = "spans",
                                          .budget = PD_BUDGET_SPANS,
                                          .size = sizeof(struct span),
                                          .keys = 4,
                                          .owner = owner_of_span};
static const struct pd_flow dates_flow = {.name = "dates",
                                          .budget = PD_BUDGET_DATES,
                                          .size = sizeof(struct dated),
                                          .keys = 1,
                                          .owner = owner_of_date};
static const struct pd_flow ends_flow = {.name = "ends",
                                         .budget = PD_BUDGET_ENDS,
                                         .size = sizeof(struct end),
                                         .keys = 2,
                                         .owner = owner_of_end};
static const struct pd_flow facts_flow = {.name = "facts",
                                          .budget = PD_BUDGET_FACTS,
                                          .size = sizeof(struct fact),
                                          .keys = 4,
                                          .owner = owner_of_fact};
static const struct pd_flow members_flow = {.name = "members",
                                            .budget = PD_BUDGET_MEMBERS,
                                            .size = sizeof(struct fact),
                                            .keys = 4,
                                            .owner = owner_of_fact};
static const struct pd_flow parts_flow = {.name = "parts",
                                          .budget = PD_BUDGET_PARTS,
                                          .size = sizeof(struct part),
                                          .keys = 5,
                                          .owner = owner_of_part,
                                          .arrive = count_part};
static const struct pd_flow answers_flow = {.name = "answers",
                                            .budget = PD_BUDGET_ANSWERS,
                                            .size = sizeof(struct answer),
                                            .keys = 1,
                                            .owner = owner_of_answer};

/* ---- the passages of a job ---- */

/* The files of slices and the documents of a job. */
struct of_job {
    struct pd_slices_reader slices;
    uint64_t next; /* index of the next document of this rank that is asked for its date */
};

static int next_of_job(void *ctx, struct pd_rows *rows, struct pd_pair *pair, uint64_t *first)
{
    struct pd_slices_reader *r = &((struct of_job *)ctx)->slices;
    PD_TRY(pd_slices_next_file(r));
    if (r->rows_left == 0)
        return PD_END;
    *first = r->at.rows;
    return pd_slices_pair(r, rows, pair);
}

static int length_in_job(void *ctx, pd_doc doc, uint64_t *bytes)
{
    const struct pd_slices_reader *r = &((struct of_job *)ctx)->slices;
    struct pd_held held;
    PD_TRY(pd_collection_doc(&r->job->collection, doc, &held));
    PD_CHECK(held.rec);
    *bytes = held.rec->text_bytes;
    return PD_OK;
}

static int holder_in_job(void *ctx, pd_doc doc)
{
    return pd_collection_holder(&((struct of_job *)ctx)->slices.job->collection, doc);
}

static int dated_in_job(void *ctx, pd_doc *doc, uint64_t *date)
{
    struct of_job *o = ctx;
    struct pd_collection *col = &o->slices.job->collection;
    struct pd_held held;
    while (o->next < col->ndocs) {
        PD_TRY(pd_collection_nth(col, o->next++, &held));
        *doc = held.number;
        *date = held.rec->date;
        if (*date != PD_NO_DATE)
            return PD_OK;
    }
    return PD_END;
}

/* ---- spans: what passages reach ---- */

struct sending {
    struct pd_families *f;
    struct pd_rows rows; /* rows of the pair at hand */
    uint64_t first;      /* number of its first row */
    size_t next;         /* its row that is sent next */
};

static void put_span(const struct pd_row *row, uint64_t place, int side, unsigned char *to)
{
    const struct span s = {.doc = side ? row->b : row->a,
                           .bytes = side ? row->bytes_b : row->bytes_a,
                           .place = place,
                           .side = (uint64_t)side,
                           .words = side ? (uint32_t)row->words : row->words >> 32};
    memcpy(to, &s, sizeof s);
}

static int fill_spans(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct sending *s = ctx;
    const struct pd_families_from *from = &s->f->from;
    const int rank = s->f->job->comm->rank;
    for (*n = 0; *n + 2 * sizeof(struct span) <= cap; s->next++) {
        while (s->next == s->rows.n) {
            struct pd_pair pair;
            s->rows.n = s->next = 0;
            const int status = from->next(from->ctx, &s->rows, &pair, &s->first);
            if (status != PD_OK)
                return status;
            PD_TRY(pd_document_families_take(s->f->documents, &pair));
        }
        for (int side = 0; side < 2; side++, *n += sizeof(struct span))
            put_span(&s->rows.v[s->next], place_of(rank, s->first + s->next), side, to + *n);
    }
    return PD_OK;
}

/* COLLECTIVE. Send the spans of all passages to the ranks that unite them. */
static int send_spans(struct pd_families *f, struct pd_shuffle *spans)
{
    struct sending s = {.f = f};
    pd_shuffle_open(spans, &f->job->transport, &spans_flow, f, &f->job->spare);
    const int status = pd_shuffle_send(spans, fill_spans, &s);
    pd_rows_release(&s.rows);
    return status < 0 ? status : pd_shuffle_sort(spans);
}

/* ---- ends: which member a passage reaches ---- */

/* The spans of a document, on their way to become ends of passages and facts about members. */
struct uniting {
    struct pd_shuffle *spans;
    struct pd_shuffle *dates; /* of documents, in order */
    struct pd_shuffle *facts; /* gets the members of this rank, which stay until they are sent */
    struct pd_bytes group;    /* spans of the document at hand, in order */
    struct pd_spans united;   /* its distinct spans */
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
        const struct pd_span *m = &u->united.v[k];
        const struct fact fact = {doc << BEGIN_BITS | m->begin, FACT_SPAN, m->end, u->words.v[k]};
        if (m->parent != k)
            continue;
        PD_TRY(pd_shuffle_push(u->facts, &fact, sizeof fact));
        const struct fact dated = {fact.member, FACT_DATE, date, 0};
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
            pd_spans_push(&u->united, (struct pd_span){begin, end, 0});
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
        const struct pd_span *m = &u->united.v[pd_member_of(&u->united, u->distinct)];
        const struct end end = {s->place, s->side, s->doc << BEGIN_BITS | m->begin};
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
static int send_dates(struct pd_families *f, struct pd_shuffle *dates)
{
    if (!f->from.dated)
        return PD_OK;
    pd_shuffle_open(dates, &f->job->transport, &dates_flow, f, &f->job->spare);
    PD_TRY(pd_shuffle_send(dates, fill_dates, &f->from));
    return pd_shuffle_sort(dates);
}

/* COLLECTIVE. Send the members of all ends to the owners of the passages; `members` stays here. */
static int send_ends(struct pd_families *f, struct pd_shuffle *ends, struct pd_shuffle *members)
{
    struct pd_shuffle spans = {0}, dates = {0};
    struct uniting u = {.spans = &spans, .dates = &dates, .facts = members};
    pd_shuffle_open(ends, &f->job->transport, &ends_flow, f, &f->job->spare);
    pd_shuffle_open(members, &f->job->transport, &members_flow, f, &f->job->spare);
    int status = send_spans(f, &spans);
    if (status >= 0)
        status = send_dates(f, &dates);
    if (status >= 0)
        status = pd_shuffle_send(ends, fill_ends, &u);
    pd_shuffle_close(&spans);
    pd_shuffle_close(&dates);
    pd_bytes_release(&u.group);
    pd_spans_release(&u.united);
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
    for (*n = 0; *n + sizeof(struct fact) <= cap;) {
        struct end two[2];
        for (int side = 0; side < 2; side++) { /* both ends of a passage follow each other */
            const void *rec;
            const int status = pd_shuffle_look(l->ends, &rec);
            if (status != PD_OK)
                return status;
            memcpy(&two[side], rec, sizeof *two);
            pd_shuffle_pass(l->ends, sizeof *two);
        }
        PD_CHECK(two[0].place == two[1].place);
        const struct fact fact = {two[0].member, FACT_PASSAGE, two[1].member, two[0].place};
        const struct pd_link link = {two[0].member, two[1].member};
        memcpy(to + *n, &fact, sizeof fact);
        *n += sizeof fact;
        if (link.u != link.v)
            PD_TRY(pd_spool_push(l->links, &link));
    }
    return PD_OK;
}

static int fill_links(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_spool *links = ctx;
    for (*n = 0; *n + sizeof(struct pd_link) <= cap; *n += sizeof(struct pd_link)) {
        const void *rec;
        const int status = pd_spool_look(links, &rec);
        if (status != PD_OK)
            return status;
        memcpy(to + *n, rec, sizeof(struct pd_link));
        pd_spool_pass(links);
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
        const struct fact fact = {link.u, FACT_FIRST, link.v, 0};
        pd_shuffle_pass(stars, sizeof link);
        if (link.u != node && link.v < link.u)
            PD_TRY(pd_shuffle_push(facts, &fact, sizeof fact));
        node = link.u;
    }
}

/* COLLECTIVE. Bring together all that is known about each member. */
static int send_facts(struct pd_families *f, struct pd_shuffle *facts)
{
    struct pd_shuffle ends = {0}, members = {0}, stars = {0};
    struct pd_spool links;
    struct linking l = {&ends, &links};
    pd_job_spool(f->job, &links, sizeof(struct pd_link), PD_BUDGET_LINKED, "linked");
    pd_shuffle_open(facts, &f->job->transport, &facts_flow, f, &f->job->spare);
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
        status = pd_stars_find(&f->job->transport, fill_links, &links, &stars);
    pd_spool_release(&links);
    if (status >= 0)
        status = pd_comm_agree(f->job->comm, push_stars(&stars, facts));
    pd_shuffle_close(&stars);
    return status < 0 ? status : pd_shuffle_sort(facts);
}

/* ---- parts: what belongs to a family ---- */

struct dividing {
    struct pd_shuffle *facts;
    uint64_t member, family; /* the member at hand */
};

static int fill_parts(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct dividing *d = ctx;
    for (*n = 0; *n + sizeof(struct part) <= cap;) {
        const void *rec;
        const int status = pd_shuffle_look(d->facts, &rec);
        if (status != PD_OK)
            return status;
        const struct fact *fact = rec;
        if (fact->member != d->member || fact->kind == FACT_FIRST) {
            d->member = fact->member;
            d->family = fact->kind == FACT_FIRST ? fact->a : fact->member;
        }
        if (fact->kind != FACT_FIRST) {
            const struct part part = {d->family, fact->kind, fact->member, fact->a, fact->b};
            memcpy(to + *n, &part, sizeof part);
            *n += sizeof part;
        }
        pd_shuffle_pass(d->facts, sizeof *fact);
    }
    return PD_OK;
}

/* ---- families ---- */

/* Families on their way to the tables; their numbers on their way to the rows of passages. */
struct numbering {
    struct pd_families *f;
    struct pd_shuffle *parts;
    bool open;                  /* a family is at hand */
    uint64_t first;             /* its first member */
    struct pd_bytes group;      /* its members: parts, in order */
    struct pd_member_rows rows; /* their rows, made when the first passage comes */
    size_t best;                /* index of its representative */
    uint64_t date;              /* the first date of its documents */
    uint64_t dated;             /* the first document with this date */
    uint64_t family;            /* its number */
    uint64_t member;            /* row of /members of its first member */
};

static size_t members_of(const struct numbering *b) { return b->group.n / sizeof(struct part); }

static const struct part *part_of(const struct numbering *b, size_t k)
{
    return (const struct part *)(const void *)b->group.v + k;
}

static uint64_t length_of(const struct part *member)
{
    return member->a - (member->member & (((uint64_t)1 << BEGIN_BITS) - 1));
}

/* The index of a member in its family. */
static size_t index_of(const struct numbering *b, uint64_t member)
{
    const size_t n = members_of(b), k = pd_search_first(b->group.v, n, sizeof(struct part),
                                                        offsetof(struct part, member), member);
    PD_CHECK(k < n && part_of(b, k)->member == member);
    return k;
}

/* All members of the family have come: make their rows. */
static void make_rows(struct numbering *b)
{
    const size_t n = members_of(b);
    b->best = 0;
    for (size_t k = 1; k < n; k++)
        b->best = length_of(part_of(b, k)) > length_of(part_of(b, b->best)) ? k : b->best;
    for (size_t k = 0; k < n; k++) {
        const struct part *m = part_of(b, k);
        pd_member_rows_push(&b->rows,
                            (struct pd_member_row){b->family, m->member >> BEGIN_BITS,
                                                   m->a - length_of(m), m->a, k == b->best});
    }
}

/* A passage of the family. */
static void take_passage(struct numbering *b, const struct part *passage)
{
    if (b->rows.n == 0)
        make_rows(b);
    const size_t i = index_of(b, passage->member), j = index_of(b, passage->a);
    b->rows.v[i].verified |= j == b->best;
    b->rows.v[j].verified |= i == b->best;
}

/* Push the rows of the family at hand, all passages of which have come. */
static int end_family(struct numbering *b)
{
    struct pd_families *f = b->f;
    const size_t n = members_of(b);
    struct pd_family_row row = {
        .members = n, .words = part_of(b, b->best)->b, .representative = b->member + b->best};
    row.first_doc = b->date == PD_NO_DATE ? -1 : (int64_t)b->dated;
    pd_date_print(b->date, row.first_date);
    for (size_t k = 0; k < n; k++)
        row.documents += k == 0 || b->rows.v[k].doc != b->rows.v[k - 1].doc;
    if (row.members > f->largest) {
        f->largest = row.members;
        f->example = b->rows.v[b->best].doc;
    }
    b->open = false;
    b->family++;
    b->member += n;
    PD_TRY(pd_spool_push(&f->families, &row));
    for (size_t k = 0; k < n; k++)
        PD_TRY(pd_spool_push(&f->members, &b->rows.v[k]));
    return PD_OK;
}

static void begin_family(struct numbering *b, uint64_t first)
{
    b->open = true;
    b->first = first;
    b->date = PD_NO_DATE;
    b->group.n = b->rows.n = 0;
}

static int fill_answers(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct numbering *b = ctx;
    for (*n = 0; *n + sizeof(struct answer) <= cap;) {
        const void *rec;
        const int status = pd_shuffle_look(b->parts, &rec);
        PD_TRY(status);
        const struct part *part = rec;
        if (b->open && (!part || part->family != b->first))
            PD_TRY(end_family(b));
        if (!part)
            return PD_END;
        if (!b->open)
            begin_family(b, part->family);
        if (part->kind == FACT_SPAN) {
            pd_bytes_append(&b->group, rec, sizeof *part);
        } else if (part->kind == FACT_DATE) {
            b->dated = part->a < b->date ? part->member >> BEGIN_BITS : b->dated;
            b->date = pd_min_u64(b->date, part->a);
        } else {
            const struct answer answer = {part->b, b->family};
            take_passage(b, part);
            memcpy(to + *n, &answer, sizeof answer);
            *n += sizeof answer;
        }
        pd_shuffle_pass(b->parts, sizeof *part);
    }
    return PD_OK;
}

/* COLLECTIVE. Number the families, and tell the ranks that write passages. */
static int send_answers(struct pd_families *f, struct pd_shuffle *parts)
{
    const struct pd_comm *c = f->job->comm;
    struct numbering b = {.f = f, .parts = parts};
    b.family = f->first_family = pd_comm_before(c, f->nfamilies);
    b.member = f->first_member = pd_comm_before(c, f->nmembers);
    pd_job_spool(f->job, &f->families, sizeof(struct pd_family_row), PD_BUDGET_FAMILIES,
                 "families");
    pd_job_spool(f->job, &f->members, sizeof(struct pd_member_row), PD_BUDGET_MEMBER_ROWS,
                 "member-rows");
    pd_shuffle_open(&f->answers, &f->job->transport, &answers_flow, f, &f->job->spare);
    int status = pd_shuffle_send(&f->answers, fill_answers, &b);
    pd_bytes_release(&b.group);
    pd_member_rows_release(&b.rows);
    if (status >= 0)
        status = pd_shuffle_sort(&f->answers);
    if (status >= 0)
        status = pd_spool_finish(&f->families);
    if (status >= 0)
        status = pd_spool_finish(&f->members);
    return pd_comm_agree(c, status);
}

/* COLLECTIVE. Find the families of passages. */
static int find_families(struct pd_families *f)
{
    struct pd_shuffle facts = {0}, parts = {0};
    struct dividing d = {.facts = &facts, .member = UINT64_MAX};
    int status = send_facts(f, &facts);
    pd_shuffle_open(&parts, &f->job->transport, &parts_flow, f, &f->job->spare);
    if (status >= 0)
        status = pd_shuffle_send(&parts, fill_parts, &d);
    pd_shuffle_close(&facts);
    if (status >= 0)
        status = pd_shuffle_sort(&parts);
    if (status >= 0)
        status = send_answers(f, &parts);
    pd_shuffle_close(&parts);
    return status;
}

int pd_families_find_in(struct pd_job *job, const struct pd_families_from *from,
                        struct pd_families **out)
{
    struct pd_families *f = *out = pd_realloc(NULL, 1, sizeof *f);
    *f = (struct pd_families){.job = job, .from = *from};
    f->documents = pd_document_families_open(job, &f->from);
    const int status = find_families(f);
    return status < 0 ? status : pd_document_families_find(f->documents);
}

int pd_families_find(struct pd_job *job, struct pd_families **f)
{
    struct of_job o = {.next = 0};
    const struct pd_families_from from = {&o, next_of_job, length_in_job, holder_in_job,
                                          job->collection.totals.dated ? dated_in_job : NULL};
    pd_slices_open(&o.slices, job);
    const int status = pd_families_find_in(job, &from, f);
    pd_slices_close(&o.slices);
    return status;
}

int pd_families_of(struct pd_families *f, uint64_t row, uint64_t *family)
{
    const void *rec;
    *family = UINT64_MAX;
    if (!f)
        return PD_OK;
    PD_TRY(pd_shuffle_look(&f->answers, &rec));
    PD_CHECK(rec && row_of(((const struct answer *)rec)->row) == row);
    *family = ((const struct answer *)rec)->family;
    pd_shuffle_pass(&f->answers, sizeof(struct answer));
    return PD_OK;
}

int pd_families_of_document(struct pd_families *f, pd_doc doc, int64_t *family)
{
    *family = -1;
    return f ? pd_document_families_of(f->documents, doc, family) : PD_OK;
}

/* ---- tables ---- */

/* COLLECTIVE. Tell how many families there are, and which is the largest. */
static void tell(struct pd_families *f)
{
    uint64_t sums[] = {f->families.n, f->members.n}, most = f->largest;
    pd_comm_sum(f->job->comm, sums, 2);
    pd_comm_max(f->job->comm, &most, 1);
    uint64_t first =
        f->largest == most ? UINT64_MAX - f->example : 0; /* the largest is the first document */
    pd_comm_max(f->job->comm, &first, 1);
    if (sums[0])
        pd_log(PD_LOG_INFO, "  families: %llu of %llu places; the largest: %llu (document %llu)",
               (unsigned long long)sums[0], (unsigned long long)sums[1], (unsigned long long)most,
               (unsigned long long)(UINT64_MAX - first));
}

int pd_families_write(struct pd_families *f, struct pd_writer *w)
{
    tell(f);
    PD_TRY(pd_job_write_spool(f->job, w, PD_TABLE_FAMILIES, &f->families, f->first_family));
    PD_TRY(pd_job_write_spool(f->job, w, PD_TABLE_MEMBERS, &f->members, f->first_member));
    return pd_document_families_write(f->documents, w);
}

void pd_families_close(struct pd_families *f)
{
    if (!f)
        return;
    pd_shuffle_close(&f->answers);
    pd_spool_release(&f->families);
    pd_spool_release(&f->members);
    pd_document_families_close(f->documents);
    free(f);
}
