/*
 * run/stage/families/documents.c - see src/run/stage/families/documents.h
 *
 * What travels:
 *     links   {document, document}                   owner of the document, in rounds (stars.h)
 *     ties    {document, first of its family}        holder of the document, which knows its length
 *     sizes   {first, document, length}              owner of a range of documents
 *     places  {document, family}                     holder of the document
 */
#include "documents.h"

#include <stdio.h>
#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/result/rows.h"
#include "run/stage/table/table.h"
#include "stars.h"

/*
 * Resemblance of near duplicates if the method has no threshold: Nikkhoo, "The impact of
 * near-duplicate documents on information retrieval evaluation", Waterloo 2010, section 3.
 */
#define LEAST_RESEMBLANCE 0.5

struct tie {
    uint64_t doc, first;
};
struct size {
    uint64_t first, doc, bytes;
};
struct place {
    uint64_t doc, family;
};

struct pd_document_families {
    struct pd_job *job;
    const struct pd_families_from *from;
    bool whole;                /* whole documents are compared */
    double least;              /* resemblance or coverage of a pair that counts */
    struct pd_spool links;     /* struct pd_link */
    struct pd_spool rows;      /* struct pd_document_family_row */
    struct pd_shuffle places;  /* of the documents that this rank holds */
    uint64_t nfamilies, first; /* families that this rank numbers; the number of the first one */
    uint64_t ndocuments;       /* documents in them */
    uint64_t largest;          /* documents of the largest one of them */
};

/* ---- who gets what ---- */

int pd_document_owner(const struct pd_job *job, pd_doc doc, int nranks)
{
    const uint64_t all = job->collection.totals.documents + job->foreign_sources;
    return (int)((unsigned __int128)doc * (unsigned)nranks / all);
}

uint32_t pd_document_partition(const struct pd_job *job, pd_doc doc, uint32_t npartitions)
{
    const uint64_t all = job->collection.totals.documents + job->foreign_sources;
    const uint64_t in_range =
        doc * (uint64_t)job->comm->size % all; /* 0 to all: its owner's range */
    return (uint32_t)(in_range * npartitions / all);
}

static int holder_of(const void *rec, int nranks, void *ctx)
{
    const struct pd_families_from *from = ((struct pd_document_families *)ctx)->from;
    (void)nranks;
    return from->holder(from->ctx, *(const uint64_t *)rec);
}

static int owner_of_size(const void *rec, int nranks, void *ctx)
{
    const struct pd_document_families *f = ctx;
    return pd_document_owner(f->job, ((const struct size *)rec)->first, nranks);
}

static bool count_size(const void *rec, void *ctx)
{
    struct pd_document_families *f = ctx;
    const struct size *s = rec;
    f->nfamilies += s->doc == s->first;
    f->ndocuments++;
    return true;
}

static const struct pd_flow ties_flow = {.name = "ties",
                                         .budget = PD_BUDGET_TIES,
                                         .size = sizeof(struct tie),
                                         .keys = 1,
                                         .owner = holder_of};
static const struct pd_flow sizes_flow = {.name = "sizes",
                                          .budget = PD_BUDGET_SIZES,
                                          .size = sizeof(struct size),
                                          .keys = 2,
                                          .owner = owner_of_size,
                                          .arrive = count_size};
static const struct pd_flow places_flow = {.name = "places",
                                           .budget = PD_BUDGET_PLACES,
                                           .size = sizeof(struct place),
                                           .keys = 1,
                                           .owner = holder_of};

/* ---- pairs ---- */

struct pd_document_families *pd_document_families_open(struct pd_job *job,
                                                       const struct pd_families_from *from)
{
    struct pd_document_families *f = pd_realloc(NULL, 1, sizeof *f);
    const struct pd_method_options *o = &job->options->method;
    *f = (struct pd_document_families){
        .job = job, .from = from, .whole = o->units == PD_UNIT_DOCUMENT};
    f->least = !f->whole ? o->family_coverage : o->tau > 0 ? o->tau : LEAST_RESEMBLANCE;
    pd_job_spool(job, &f->links, sizeof(struct pd_link), PD_BUDGET_PAIRED, "paired");
    return f;
}

int pd_document_families_take(struct pd_document_families *f, const struct pd_pair *pair)
{
    const struct pd_link link = {pair->a, pair->b};
    const double value = f->whole                              ? pair->resemblance
                         : pair->coverage_a < pair->coverage_b ? pair->coverage_a
                                                               : pair->coverage_b;
    return value >= f->least ? pd_spool_push(&f->links, &link) : PD_OK;
}

/* ---- components ---- */

/* The documents of stars, each with the first of its family. */
struct tying {
    struct pd_shuffle *stars;
    uint64_t last; /* the document that was seen last */
};

static int next_tie(void *ctx, void *out)
{
    struct tying *t = ctx;
    const void *rec;
    int status;
    while ((status = pd_shuffle_next(t->stars, &rec)) == PD_OK) {
        const struct pd_link link = *(const struct pd_link *)rec;
        if (link.u == t->last)
            continue;
        t->last = link.u;
        *(struct tie *)out = (struct tie){link.u, pd_min_u64(link.u, link.v)};
        return PD_OK;
    }
    return status;
}

/* Ties at the holders of their documents. */
struct sizing {
    const struct pd_families_from *from;
    struct pd_shuffle *ties;
};

static int next_size(void *ctx, void *out)
{
    struct sizing *s = ctx;
    struct size *size = out;
    const void *rec;
    PD_PASS(pd_shuffle_next(s->ties, &rec));
    const struct tie *tie = rec;
    *size = (struct size){.first = tie->first, .doc = tie->doc};
    return s->from->length(s->from->ctx, size->doc, &size->bytes);
}

/* Families on their way to the table, one after the other. */
struct counting {
    struct pd_document_families *f;
    struct pd_shuffle *sizes;
    uint64_t next;    /* the number of the family after the family at hand */
    uint64_t first;   /* the first document of the family at hand */
    uint64_t longest; /* bytes of its representative */
    pd_doc representative;
    uint64_t documents; /* of the family at hand; 0: no family is */
};

static int end_family(struct counting *c)
{
    struct pd_document_family_row row = {.documents = c->documents};
    if (c->documents == 0)
        return PD_OK;
    pd_families_place(c->f->job, c->representative, &row.representative, &row.source);
    c->f->largest = pd_max_u64(c->f->largest, row.documents);
    c->documents = 0;
    return pd_spool_push(&c->f->rows, &row);
}

static int next_place(void *ctx, void *out)
{
    struct counting *c = ctx;
    const void *rec;
    const int status = pd_shuffle_look(c->sizes, &rec);
    PD_TRY(status);
    const struct size *size = rec;
    if (!size || size->first != c->first)
        PD_TRY(end_family(c));
    if (!size)
        return PD_END;
    if (c->documents == 0)
        c->next++;
    if (c->documents == 0 || size->bytes > c->longest) {
        c->first = size->first;
        c->longest = size->bytes;
        c->representative = size->doc;
    }
    c->documents++;
    *(struct place *)out = (struct place){size->doc, c->next - 1};
    pd_shuffle_pass(c->sizes, sizeof *size);
    return PD_OK;
}

/* COLLECTIVE. Open `to` with what a source gives, sorted. */
static int receive(struct pd_document_families *f, struct pd_shuffle *to,
                   const struct pd_flow *flow, int (*next)(void *ctx, void *rec), void *ctx)
{
    pd_shuffle_open(to, &f->job->transport, flow, f, &f->job->spare);
    return pd_shuffle_make(to, next, ctx);
}

/* COLLECTIVE. Number the families, and tell the holders of the documents. */
static int send_places(struct pd_document_families *f, struct pd_shuffle *sizes)
{
    struct counting c = {.f = f, .sizes = sizes, .first = UINT64_MAX};
    c.next = f->first = pd_comm_before(f->job->comm, f->nfamilies);
    pd_job_spool(f->job, &f->rows, sizeof(struct pd_document_family_row),
                 PD_BUDGET_DOCUMENT_FAMILIES, "document-families");
    const int status = receive(f, &f->places, &places_flow, next_place, &c);
    return status < 0 ? status : pd_comm_agree(f->job->comm, pd_spool_finish(&f->rows));
}

int pd_document_families_find(struct pd_document_families *f)
{
    struct pd_shuffle stars = {0}, ties = {0}, sizes = {0};
    struct tying tying = {&stars, UINT64_MAX};
    struct sizing sizing = {f->from, &ties};
    const uint64_t nodes = f->job->collection.totals.documents + f->job->foreign_sources;
    int status = pd_comm_agree(f->job->comm, pd_spool_finish(&f->links));
    PD_THEN(status, pd_stars_find(&f->job->transport, &nodes, &f->links, &stars));
    pd_spool_release(&f->links);
    PD_THEN(status, receive(f, &ties, &ties_flow, next_tie, &tying));
    pd_shuffle_close(&stars);
    PD_THEN(status, receive(f, &sizes, &sizes_flow, next_size, &sizing));
    pd_shuffle_close(&ties);
    PD_THEN(status, send_places(f, &sizes));
    pd_shuffle_close(&sizes);
    return status;
}

int pd_document_families_of(struct pd_document_families *f, pd_doc doc, int64_t *family)
{
    const void *rec;
    const int status = pd_shuffle_seek(&f->places, doc, &rec);
    const struct place *place = rec;
    *family = place && place->doc == doc ? (int64_t)place->family : -1;
    return status;
}

/* ---- the table ---- */

int pd_document_families_write(struct pd_document_families *f, struct pd_writer *w,
                               struct pd_family_counts *counts)
{
    uint64_t sums[] = {f->nfamilies, f->ndocuments};
    char rule[128];
    counts->greatest = f->largest;
    pd_comm_sum(f->job->comm, sums, 2);
    pd_comm_max(f->job->comm, &counts->greatest, 1);
    counts->whole = sums[0];
    counts->documents = sums[1];
    snprintf(rule, sizeof rule,
             f->whole ? "resemblance >= %.15g" : "coverage_a >= %.15g and coverage_b >= the same",
             f->least);
    PD_TRY(pd_job_write_spool(f->job, w, PD_TABLE_DOCUMENT_FAMILIES, &f->rows, f->first));
    pd_writer_group_text(w, pd_schema[PD_TABLE_DOCUMENT_FAMILIES].name, "rule", rule);
    return PD_OK;
}

void pd_document_families_close(struct pd_document_families *f)
{
    if (!f)
        return;
    PD_RELEASE(pd_spool, &f->links, &f->rows);
    pd_shuffle_close(&f->places);
    free(f);
}
