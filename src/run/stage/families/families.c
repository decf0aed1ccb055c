/*
 * run/stage/families/families.c - see src/run/stage/families/families.h
 *
 * What travels, once all is known about each member (facts.h):
 *     parts     {family, kind, ...}                          owner of a range of documents
 *     answers   {row, family}                                rank that writes the row
 *
 * A family has the number of its representative until all are counted, so families are in order of
 * their representatives.
 */
#include "families.h"

#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "facts.h"
#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/minmax.h"
#include "pardup/base/numbers.h"
#include "pardup/base/search.h"
#include "pardup/result/rows.h"
#include "pardup/store/spool.h"
#include "run/stage/table/table.h"
#include "stars.h"

/*
 * Parts of a family. First come its members, in order. Then come dates and passages, in any order:
 * a family may have nearly all passages of a job, and it would take long to sort them.
 */
struct part {
    uint64_t family, place; /* the representative; where the part stands (place_of) */
    uint64_t member, a, b;  /* as in struct pd_fact */
    uint64_t verified;      /* of a member */
};
enum { PART_KEYS = 2 };
#define PART_DATE    (UINT64_MAX - 1)
#define PART_PASSAGE UINT64_MAX

static uint64_t place_of(const struct pd_fact *fact)
{
    PD_CHECK(fact->member < PART_DATE);
    return fact->kind == PD_FACT_SPAN   ? fact->member
           : fact->kind == PD_FACT_DATE ? PART_DATE
                                        : PART_PASSAGE;
}
static bool is_member(const struct part *p) { return p->place < PART_DATE; }

struct answer {
    uint64_t row, family;
};

struct pd_families {
    struct pd_job *job;
    struct pd_families_from from;
    struct pd_document_families *documents;
    struct pd_families_extent extent;
    struct pd_shuffle answers;           /* of this rank's rows of /passages */
    struct pd_spool families;            /* struct pd_family_row */
    struct pd_spool members;             /* struct pd_member_row */
    uint64_t first_family, first_member; /* rows of the first ones of this rank */
    uint64_t nfamilies, nmembers;        /* of this rank */
};

/* ---- owners ---- */

static int owner_of_part(const void *rec, int nranks, void *ctx)
{
    const uint64_t doc = ((const struct part *)rec)->family >> PD_BEGIN_BITS;
    return pd_document_owner(((struct pd_families *)ctx)->job, doc, nranks);
}
static int owner_of_answer(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    (void)nranks;
    return (int)(((const struct answer *)rec)->row >> PD_ROW_BITS);
}

static uint32_t partition_of_part(const void *rec, uint32_t npartitions, void *ctx)
{
    const uint64_t doc = ((const struct part *)rec)->family >> PD_BEGIN_BITS;
    return pd_document_partition(((struct pd_families *)ctx)->job, doc, npartitions);
}
static uint32_t partition_of_answer(const void *rec, uint32_t npartitions, void *ctx)
{
    return pd_node_partition(pd_row_of(((const struct answer *)rec)->row),
                             ((struct pd_families *)ctx)->extent.rows, npartitions);
}

/* A member arrives at the rank that will number its family. */
static bool count_part(const void *rec, void *ctx)
{
    struct pd_families *f = ctx;
    const struct part *p = rec;
    f->nmembers += is_member(p);
    f->nfamilies += is_member(p) && p->member == p->family;
    return true;
}

static const struct pd_flow parts_flow = {.name = "parts",
                                          .budget = PD_BUDGET_PARTS,
                                          .size = sizeof(struct part),
                                          .keys = PART_KEYS,
                                          .owner = owner_of_part,
                                          .partition = partition_of_part,
                                          .arrive = count_part};
static const struct pd_flow answers_flow = {.name = "answers",
                                            .budget = PD_BUDGET_ANSWERS,
                                            .size = sizeof(struct answer),
                                            .keys = 1,
                                            .owner = owner_of_answer,
                                            .partition = partition_of_answer};

/* ---- parts: what belongs to a family ---- */

struct dividing {
    struct pd_shuffle *facts;
    uint64_t member, family; /* the member at hand; its representative, or NO_FAMILY */
    uint64_t verified;
};
#define NO_FAMILY UINT64_MAX

static int next_part(void *ctx, void *out)
{
    struct dividing *d = ctx;
    const void *rec;
    int status;
    while ((status = pd_shuffle_next(d->facts, &rec)) == PD_OK) {
        const struct pd_fact *fact = rec;
        if (fact->member != d->member)
            d->family = NO_FAMILY;
        d->member = fact->member;
        if (fact->kind == PD_FACT_HOME) {
            d->family = fact->a;
            d->verified = fact->b;
        } else if (d->family != NO_FAMILY) {
            *(struct part *)out = (struct part){d->family, place_of(fact), fact->member,
                                                fact->a,   fact->b,        d->verified};
            return PD_OK;
        }
    }
    return status;
}

/* ---- families ---- */

/* Families on their way to the tables; their numbers on their way to the rows of passages. */
struct numbering {
    struct pd_families *f;
    struct pd_shuffle *parts;
    bool open;               /* a family is at hand */
    uint64_t representative; /* of it */
    struct pd_bytes group;   /* its members: parts, in order */
    struct pd_date date;     /* the first date of its documents */
    uint64_t begin;          /* the first second of the date that begins first */
    uint64_t dated;          /* the first document with this date */
    uint64_t family;         /* its number */
    uint64_t member;         /* row of /members of its first member */
};

static size_t members_of(const struct numbering *b) { return b->group.n / sizeof(struct part); }

static const struct part *part_of(const struct numbering *b, size_t k)
{
    return (const struct part *)(const void *)b->group.v + k;
}

static pd_doc document_of(const struct part *member) { return member->member >> PD_BEGIN_BITS; }

/* The date of a document of the family. Dates come in any order, and several may be the first. */
static void take_date(struct numbering *b, pd_doc doc, struct pd_date date)
{
    const int order = pd_date_compare(date, b->date);
    b->begin = pd_min_u64(b->begin, date.first);
    if (order < 0 || (order == 0 && doc < b->dated)) {
        b->date = date;
        b->dated = doc;
    }
}

static struct pd_member_row row_of(const struct numbering *b, const struct part *m)
{
    struct pd_member_row row = {.family = b->family,
                                .begin = m->member & (((uint64_t)1 << PD_BEGIN_BITS) - 1),
                                .end = m->a,
                                .verified = m->verified};
    pd_families_place(b->f->job, document_of(m), &row.doc, &row.source);
    return row;
}

/* Push the rows of the family at hand, when all its parts have come. */
static int end_family(struct numbering *b)
{
    struct pd_families *f = b->f;
    const size_t n = members_of(b);
    const size_t best = pd_search_first(b->group.v, n, sizeof(struct part),
                                        offsetof(struct part, member), b->representative);
    PD_CHECK(best < n && part_of(b, best)->member == b->representative);
    struct pd_family_row row = {
        .members = n, .words = part_of(b, best)->b, .representative = b->member + best};
    const bool known = pd_date_is_known(b->date);
    row.first_doc = known ? (int64_t)b->dated : -1;
    row.first_sure = known && pd_date_is_sure(b->date) && b->begin >= b->date.first;
    pd_date_print(b->date, row.first_date);
    for (size_t k = 0; k < n; k++)
        row.documents += k == 0 || document_of(part_of(b, k)) != document_of(part_of(b, k - 1));
    PD_TRY(pd_spool_push(&f->families, &row));
    for (size_t k = 0; k < n; k++) {
        const struct pd_member_row member = row_of(b, part_of(b, k));
        PD_TRY(pd_spool_push(&f->members, &member));
    }
    b->open = false;
    b->family++;
    b->member += n;
    return PD_OK;
}

static void begin_family(struct numbering *b, uint64_t representative)
{
    b->open = true;
    b->representative = representative;
    b->date = PD_NO_DATE;
    b->begin = UINT64_MAX;
    b->group.n = 0;
}

static int next_answer(void *ctx, void *out)
{
    struct numbering *b = ctx;
    for (const void *rec;;) {
        PD_TRY(pd_shuffle_next(b->parts, &rec));
        const struct part *part = rec;
        if (b->open && (!part || part->family != b->representative))
            PD_TRY(end_family(b));
        if (!part)
            return PD_END;
        if (!b->open)
            begin_family(b, part->family);
        if (is_member(part)) {
            pd_bytes_append(&b->group, rec, sizeof *part);
        } else if (part->place == PART_DATE) {
            take_date(b, part->member >> PD_BEGIN_BITS, (struct pd_date){part->a, part->b});
        } else {
            *(struct answer *)out = (struct answer){part->a, b->family};
            return PD_OK;
        }
    }
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
    int status = pd_shuffle_send_made(&f->answers, next_answer, &b);
    pd_bytes_release(&b.group);
    PD_THEN(status, pd_shuffle_sort(&f->answers));
    PD_THEN(status, pd_spool_finish(&f->families));
    PD_THEN(status, pd_spool_finish(&f->members));
    return pd_comm_agree(c, status);
}

/* COLLECTIVE. Find the families of passages. */
static int find_families(struct pd_families *f)
{
    struct pd_shuffle facts = {0}, parts = {0};
    struct dividing d = {.facts = &facts, .member = UINT64_MAX};
    pd_progress_begin(&f->job->stages.progress, "families");
    int status = pd_facts_find(f->job, &f->from, f->documents, &f->extent, &facts);
    pd_stages_progress(&f->job->stages, PD_FAMILIES_FACTS, PD_FAMILIES_PHASES, 0, 0);
    pd_shuffle_open(&parts, &f->job->transport, &parts_flow, f, &f->job->spare);
    PD_THEN(status, pd_shuffle_send_made(&parts, next_part, &d));
    pd_shuffle_close(&facts);
    PD_THEN(status, pd_shuffle_sort(&parts));
    PD_THEN(status, send_answers(f, &parts));
    pd_shuffle_close(&parts);
    return status;
}

int pd_families_find_in(struct pd_job *job, const struct pd_families_from *from,
                        struct pd_families **out)
{
    struct pd_families *f = *out = pd_realloc(NULL, 1, sizeof *f);
    const uint64_t documents = job->collection.totals.documents + job->foreign_sources;
    *f = (struct pd_families){
        .job = job, .from = *from, .extent = {.job = job, .members = documents << PD_BEGIN_BITS}};
    f->documents = pd_document_families_open(job, &f->from);
    const int status = find_families(f);
    return status < 0 ? status : pd_document_families_find(f->documents);
}

int pd_families_of(struct pd_families *f, uint64_t row, uint64_t *family)
{
    const void *rec;
    PD_TRY(pd_shuffle_next(&f->answers, &rec));
    PD_CHECK(rec && pd_row_of(((const struct answer *)rec)->row) == row);
    *family = ((const struct answer *)rec)->family;
    return PD_OK;
}

int pd_families_of_document(struct pd_families *f, pd_doc doc, int64_t *family)
{
    return pd_document_families_of(f->documents, doc, family);
}

/* ---- tables ---- */

/* COLLECTIVE. Count the families of all ranks. */
static void count_families(struct pd_families *f, struct pd_family_counts *counts)
{
    uint64_t sums[] = {f->families.n, f->members.n};
    pd_comm_sum(f->job->comm, sums, 2);
    counts->families = sums[0];
    counts->members = sums[1];
}

void pd_families_tell(const struct pd_family_counts *c)
{
    if (c->families)
        pd_log(PD_LOG_INFO, "  %s famil%s, %s places", pd_grouped(c->families),
               c->families == 1 ? "y" : "ies", pd_grouped(c->members));
    if (c->whole)
        pd_log(PD_LOG_INFO, "  %s famil%s of whole documents, %s in all; the largest has %s",
               pd_grouped(c->whole), c->whole == 1 ? "y" : "ies", pd_grouped(c->documents),
               pd_grouped(c->greatest));
}

int pd_families_write(struct pd_families *f, struct pd_writer *w, struct pd_family_counts *counts)
{
    count_families(f, counts);
    PD_TRY(pd_job_write_spool(f->job, w, PD_TABLE_FAMILIES, &f->families, f->first_family));
    PD_TRY(pd_job_write_spool(f->job, w, PD_TABLE_MEMBERS, &f->members, f->first_member));
    return pd_document_families_write(f->documents, w, counts);
}

void pd_families_close(struct pd_families *f)
{
    if (!f)
        return;
    pd_shuffle_close(&f->answers);
    PD_RELEASE(pd_spool, &f->families, &f->members);
    pd_document_families_close(f->documents);
    free(f);
}
