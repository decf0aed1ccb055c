/*
 * run/stage/write/aside_spans.c - see src/run/stage/write/tables.h
 *
 * Who has the passages asks the holders of their documents. A holder says which bytes of each
 * document are set aside. They go to the ranks that write them: each rank has a range of documents.
 */
#include "tables.h"

#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/result/rows.h"
#include "run/stage/table/slices.h"
#include "run/stage/table/table.h"

struct listing {
    struct pd_job *job;
    struct pd_slices_reader from; /* the passages of this rank */
    struct pd_rows rows;          /* of the pair at hand */
    pd_doc next[2];               /* the documents of the pair at hand that are to be sent */
    int left;                     /* how many of them */
    pd_doc last;                  /* the first document that was sent last */
    uint64_t next_own;            /* of this rank's documents: the next one to be asked about */
    struct pd_shuffle asked;      /* pd_doc, at the holders */
    struct pd_stored stored;      /* the document at hand */
    struct pd_bytes spans;        /* struct pd_aside_span_row, of the document at hand */
    size_t sent;                  /* bytes of `spans` that were sent */
    struct pd_shuffle found;      /* struct pd_aside_span_row, at the ranks that write them */
};

static const struct pd_flow asked_flow = {.name = "asked",
                                          .budget = PD_BUDGET_ASIDE_DOCUMENTS,
                                          .size = sizeof(pd_doc),
                                          .keys = 1,
                                          .owner = pd_to_holder};
static const struct pd_flow found_flow = {.name = "spans",
                                          .budget = PD_BUDGET_ASIDE_SPANS,
                                          .size = sizeof(struct pd_aside_span_row),
                                          .keys = 2,
                                          .owner = pd_to_writer};

/* Bring the documents of the next pair to hand. PD_OK; PD_END: there is none. */
static int next_pair(struct listing *l)
{
    struct pd_pair pair;
    PD_TRY(pd_slices_next_file(&l->from));
    if (l->from.rows_left == 0)
        return PD_END;
    l->rows.n = 0;
    PD_TRY(pd_slices_pair(&l->from, &l->rows, &pair));
    l->left = 0;
    const bool is_source = l->job->foreign_sources &&
                           (!l->job->known || pair.b >= l->job->collection.totals.documents);
    if (!is_source)
        l->next[l->left++] = pair.b;
    if (pair.a != l->last)
        l->next[l->left++] = pair.a;
    l->last = pair.a;
    return PD_OK;
}

/* Ask about all documents. */
static int next_own(void *ctx, void *rec)
{
    struct listing *l = ctx;
    struct pd_held held;
    if (l->next_own == l->job->collection.ndocs)
        return PD_END;
    PD_TRY(pd_collection_nth(&l->job->collection, l->next_own++, &held));
    *(pd_doc *)rec = held.number;
    return PD_OK;
}

static int next_asked(void *ctx, void *rec)
{
    struct listing *l = ctx;
    while (!l->left)
        PD_PASS(next_pair(l));
    *(pd_doc *)rec = l->next[--l->left];
    return PD_OK;
}

/* Add base unit k, which is set aside, to the spans of the document at hand. */
static void add(struct listing *l, pd_doc doc, size_t k, const char *reason, bool touches)
{
    const struct pd_sentence *unit = &l->stored.sentences.v[k];
    struct pd_aside_span_row row = {.doc = doc, .begin = unit->begin, .end = unit->end};
    snprintf(row.reason, sizeof row.reason, "%s", reason);
    struct pd_aside_span_row *last =
        (struct pd_aside_span_row *)(void *)(l->spans.v + l->spans.n) - 1;
    if (touches && strcmp(last->reason, row.reason) == 0)
        last->end = row.end;
    else
        pd_bytes_append(&l->spans, &row, sizeof row);
}

/* Why a base unit is set aside. They are asked for in order; *at begins as 0. */
static const char *reason_of(const struct pd_aside_units *asides, uint32_t unit, size_t *at)
{
    while (*at < asides->nignored && asides->ignored[*at] < unit)
        ++*at;
    if (*at < asides->nignored && asides->ignored[*at] == unit)
        return "ignored";
    return asides->stub ? "stub" : "template";
}

/* List what is set aside of the next document. PD_OK; PD_END: there is no further document. */
static int next_document(struct listing *l)
{
    struct pd_collection *col = &l->job->collection;
    const bool frames = l->job->options->method.frame == PD_TEMPLATES_ASIDE;
    struct pd_aside_units asides;
    struct pd_held held;
    PD_TRY(pd_shuffle_group(&l->asked, 1, &l->spans));
    if (l->spans.n == 0)
        return PD_END;
    const pd_doc doc = *(const pd_doc *)(const void *)l->spans.v;
    PD_TRY(pd_collection_doc(col, doc, &held));
    PD_CHECK(held.rec != NULL);
    PD_TRY(pd_collection_open_whole(col, &held, &l->stored));
    PD_TRY(pd_aside_file_find(&l->job->asides, doc, &asides));
    l->spans.n = l->sent = 0;
    uint32_t number = 0; /* of the next base unit outside the frame */
    bool touches = false;
    size_t at = 0, ignored = 0;
    for (size_t k = 0; k < l->stored.sentences.n; k++) {
        const bool frame = frames && pd_stored_fringe(&l->stored, k).frame;
        const bool other = !frame && at < asides.n && asides.v[at] == number;
        if (frame || other)
            add(l, doc, k, frame ? "frame" : reason_of(&asides, number, &ignored), touches);
        touches = frame || other;
        at += other;
        number += !frame;
    }
    return PD_OK;
}

static int next_found(void *ctx, void *rec)
{
    struct listing *l = ctx;
    while (l->sent == l->spans.n)
        PD_PASS(next_document(l));
    memcpy(rec, l->spans.v + l->sent, sizeof(struct pd_aside_span_row));
    l->sent += sizeof(struct pd_aside_span_row);
    return PD_OK;
}

/* COLLECTIVE. Find the spans: at the ranks that write them, in order. */
static int find(struct listing *l)
{
    struct pd_job *job = l->job;
    const bool all = job->options->job.spans_of_all;
    pd_slices_open(&l->from, job);
    pd_shuffle_open(&l->asked, &job->transport, &asked_flow, &job->collection, NULL);
    pd_shuffle_open(&l->found, &job->transport, &found_flow, job, NULL);
    const int status = pd_ask(&l->asked, all ? next_own : next_asked, l, &l->found, next_found, l);
    pd_slices_close(&l->from);
    return status;
}

int pd_aside_spans_write(struct pd_job *job, struct pd_writer *w)
{
    const struct pd_method_options *o = &job->options->method;
    const bool any = o->frame == PD_TEMPLATES_ASIDE || pd_job_sets_aside(job);
    struct listing l = {.job = job, .last = UINT64_MAX};
    int status = any ? find(&l) : PD_OK;
    PD_THEN(status, pd_job_write_arrived(job, w, PD_TABLE_ASIDE_SPANS,
                                         sizeof(struct pd_aside_span_row), &l.found));
    pd_shuffle_close(&l.found);
    pd_stored_release(&l.stored);
    pd_rows_release(&l.rows);
    pd_bytes_release(&l.spans);
    return status;
}
