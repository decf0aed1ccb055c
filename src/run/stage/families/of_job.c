/* run/stage/families/of_job.c - the families of the passages of a job, which are in files of slices. */
#include "families.h"
#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/index/index.h"
#include "run/stage/table/slices.h"

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
    const size_t at = rows->n;
    PD_TRY(pd_slices_pair(r, rows, pair));
    if (r->job->foreign_sources && !r->job->known) {
        pair->b = pd_families_source(r->job, pair->b);
        for (size_t k = at; k < rows->n; k++)
            rows->v[k].b = pair->b;
    }
    return PD_OK;
}

static int length_in_job(void *ctx, pd_doc doc, uint64_t *bytes)
{
    struct pd_job *job = ((struct of_job *)ctx)->slices.job;
    struct pd_held held;
    struct pd_indexed source;
    if (doc >= job->collection.totals.documents) {
        const uint64_t number = doc - job->collection.totals.documents;
        PD_TRY(pd_segment_document(pd_index_segment(job->index, number), number, &source));
        *bytes = source.text_bytes;
        return PD_OK;
    }
    PD_TRY(pd_collection_doc(&job->collection, doc, &held));
    PD_CHECK(held.rec);
    *bytes = held.rec->text_bytes;
    return PD_OK;
}

static int holder_in_job(void *ctx, pd_doc doc)
{
    const struct pd_job *job = ((struct of_job *)ctx)->slices.job;
    return doc < job->collection.totals.documents ? pd_collection_holder(&job->collection, doc)
                                                  : PD_FAMILIES_SOURCES_AT;
}

static int dated_in_job(void *ctx, pd_doc *doc, struct pd_date *date)
{
    struct of_job *o = ctx;
    struct pd_collection *col = &o->slices.job->collection;
    struct pd_held held;
    while (o->next < col->ndocs) {
        PD_TRY(pd_collection_nth(col, o->next++, &held));
        *doc = held.number;
        *date = held.rec->date;
        if (pd_date_is_known(*date))
            return PD_OK;
    }
    return PD_END;
}

int pd_families_find(struct pd_job *job, struct pd_families **f)
{
    struct of_job o = {.next = 0};
    const struct pd_families_from from = {&o,
                                          next_of_job,
                                          length_in_job,
                                          holder_in_job,
                                          job->collection.totals.dated ? dated_in_job : NULL,
                                          job->written.passages};
    pd_slices_open(&o.slices, job);
    const int status = pd_families_find_in(job, &from, f);
    pd_slices_close(&o.slices);
    return status;
}
