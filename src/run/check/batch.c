/*
 * run/check/batch.c - check a collection of targets: see include/pardup/run/check.h
 *
 * Targets are read as `detect` reads its collection. Each rank looks up the documents that it
 * holds, in the mapped index. All are signed first, to know which units many targets have (names.h).
 * Then they are matched, without a message. Rows travel to the ranks that write them.
 */
#include <stdlib.h>

#include "asking.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/run/check.h"
#include "run/families/families.h"
#include "run/frozen.h"
#include "verdicts.h"

struct checking {
    struct pd_job *job;
    struct pd_index *index;
    struct pd_asking asking;
    struct pd_verdicts verdicts;
};

static int keep_verdict(void *ctx, const struct pd_query *q, pd_doc doc)
{
    return pd_verdicts_add(ctx, q, doc);
}

/* COLLECTIVE. Look up all targets. */
static int ask_all(struct checking *s)
{
    struct pd_job *job = s->job;
    struct pd_gathering_rows rows;
    uint64_t *weights = pd_realloc(NULL, PD_ROW_BINS, sizeof *weights);
    for (size_t k = 0; k < PD_ROW_BINS; k++)
        weights[k] = 1;
    pd_rows_begin(&rows, job, 0, PD_ROW_BINS, weights);
    free(weights);
    int status = pd_asking_send(&s->asking, &rows);
    pd_asides_add_up(&s->asking.query.asides, job);
    PD_THEN(status, pd_rows_end(&rows));
    pd_rows_abandon(&rows);
    return status;
}

static int run_stages(struct checking *s)
{
    struct pd_job *job = s->job;
    struct pd_collection *col = &job->collection;
    PD_TRY(pd_ignore_read(&job->ignore, job->comm, job->options));
    PD_TRY(pd_collection_list_files(col));
    PD_TRY(pd_collection_cut(col));
    PD_TRY(pd_collection_read(col, NULL, &job->stages));
    PD_TRY(pd_job_set_sides(job));
    pd_job_choose_preset(job, 1);
    pd_stages_begin(&job->stages, PD_STAGE_COUNT);
    int status = pd_comm_agree(job->comm, pd_job_freeze(job, s->index));
    PD_THEN(status, pd_asking_prepare(&s->asking));
    PD_TRY(pd_stages_end(&job->stages, status));
    pd_stages_begin(&job->stages, PD_STAGE_ALIGN);
    PD_TRY(pd_stages_end(&job->stages, ask_all(s)));
    job->index = s->index;
    job->foreign_sources = s->index->manifest.head.documents;
    job->more_tables = pd_verdicts_write;
    job->more_ctx = &s->verdicts;
    return pd_job_write(job);
}

/* COLLECTIVE. Say what was found. */
static void tell(struct checking *s)
{
    const struct pd_job *job = s->job;
    const struct pd_totals *t = &job->collection.totals;
    const uint64_t sources = s->index->manifest.head.documents;
    uint64_t sums[3] = {job->written.passages, job->written.pairs, s->verdicts.duplicates};
    pd_comm_sum(job->comm, sums, 3);
    pd_families_tell(&job->written.families);
    pd_log(PD_LOG_INFO, "%s", job->options->output);
    pd_log(PD_LOG_INFO, "  %s target%s (%s sentence%s) against %s source%s",
           pd_grouped(t->documents), pd_plural(t->documents), pd_grouped(t->sentences),
           pd_plural(t->sentences), pd_grouped(sources), pd_plural(sources));
    pd_collection_tell_frame(&job->collection);
    pd_job_tell_ignored(job);
    if (job->gathered.asides.units)
        pd_log(PD_LOG_INFO, "  templates: %s units of sites of the index aside",
               pd_grouped(job->gathered.asides.units));
    pd_log(PD_LOG_INFO, "  %s passage%s in %s pair%s of target and source", pd_grouped(sums[0]),
           pd_plural(sums[0]), pd_grouped(sums[1]), pd_plural(sums[1]));
    pd_log(
        PD_LOG_INFO, "  duplicates: %s target%s, with more than %s unit%s in the index (--delta)%s",
        pd_grouped(sums[2]), pd_plural(sums[2]), pd_grouped((uint64_t)job->options->method.delta),
        pd_plural((uint64_t)job->options->method.delta),
        job->options->method.units == PD_UNIT_GRAM ? " and a passage" : "");
    pd_stages_tell(&job->stages, true, "");
}

int pd_check(const struct pd_comm *c, const struct pd_options *o)
{
    struct pd_job job;
    struct pd_index index = {.nsegments = 0};
    struct checking s = {.job = &job, .index = &index};
    pd_job_init(&job, c, o);
    int status = pd_asking_open_index(c, &index, o->check.index);
    PD_THEN(status, pd_scratch_open(&job.scratch, c, o));
    PD_THEN(status, pd_writer_check(c, o->output));
    if (status >= 0) {
        pd_scratch_empty(&job.scratch);
        pd_verdicts_init(&s.verdicts, &job, &index);
        pd_asking_init(&s.asking, &job, &index);
        s.asking.keep = keep_verdict;
        s.asking.ctx = &s.verdicts;
        status = run_stages(&s);
        if (status >= 0)
            tell(&s);
        pd_asking_release(&s.asking);
    }
    pd_verdicts_release(&s.verdicts);
    pd_job_end(&job);
    pd_index_close(&index);
    return status;
}
