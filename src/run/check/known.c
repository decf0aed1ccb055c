/* run/check/known.c - see src/run/check/known.h */
#include "known.h"

#include "pardup/base/error.h"

int pd_known_store_open(struct pd_known_store *k, struct pd_job *job)
{
    *k = (struct pd_known_store){.job = job};
    PD_TRY(pd_asking_open_index(job->comm, &k->index, job->options->check.index));
    job->index = &k->index;
    job->known = true;
    job->foreign_sources = k->index.manifest.head.documents;
    return PD_OK;
}

void pd_known_store_close(struct pd_known_store *k)
{
    if (k->asking.job)
        pd_asking_release(&k->asking);
    if (k->job)
        pd_index_close(&k->index);
}

static int send_rows(void *ctx, struct pd_gathering_rows *rows)
{
    return pd_asking_send(ctx, rows);
}

int pd_known_store_prepare(struct pd_known_store *k)
{
    struct pd_job *job = k->job;
    pd_asking_init(&k->asking, job, &k->index);
    k->asking.shift = job->collection.totals.documents;
    job->more_rows = send_rows;
    job->rows_ctx = &k->asking;
    pd_stages_begin(&job->stages, PD_STAGE_COUNT);
    return pd_stages_end(&job->stages, pd_asking_prepare(&k->asking));
}
