/*
 * run/check/batch.c - check a collection of targets: see include/pardup/run/check.h
 *
 * Targets are read as `detect` reads its collection. Each rank looks up the documents that it
 * holds, in the mapped index. All are signed first, to know which units many targets have (names.h).
 * Then they are matched, without a message. Rows travel to the ranks that write them.
 */
#include <stdlib.h>

#include "names.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/run/check.h"
#include "run/align/rows.h"
#include "run/families/families.h"
#include "run/frozen.h"
#include "verdicts.h"

struct checking {
    struct pd_job *job;
    struct pd_index *index;
    struct pd_query query;
    struct pd_signing signing;
    struct pd_target_names names;
    struct pd_gathering_rows rows;
    struct pd_verdicts verdicts;
    uint64_t doc; /* the next target of this rank */
    size_t next;  /* the next row of the query that has not been added */
};

/* Add the rows of the next pair of the target at hand. */
static void add_pair(struct checking *s)
{
    struct pd_rows *rows = &s->query.rows;
    const size_t from = s->next;
    while (s->next < rows->n && rows->v[s->next].b == rows->v[from].b)
        s->next++;
    pd_rows_add(&s->rows, rows->v + from, s->next - from);
}

/* Look up the next target of this rank. It is loaded if it shares a name with a source. */
static int ask_next(struct checking *s)
{
    struct pd_collection *col = &s->job->collection;
    struct pd_held held;
    PD_TRY(pd_collection_nth(col, s->doc, &held));
    const struct pd_docrec rec = *held.rec; /* another volume may take its place */
    const pd_doc number = held.number;
    PD_TRY(pd_target_names_next(&s->names));
    if (s->query.names.n)
        PD_TRY(pd_signing_load(&s->signing, s->doc));
    PD_TRY(pd_query_match(&s->query, &s->signing, &rec));
    PD_TRY(pd_verdicts_add(&s->verdicts, &s->query, number));
    s->doc++;
    s->next = 0;
    pd_stages_progress(&s->job->stages, s->doc, col->ndocs, 0, 0);
    return PD_OK;
}

static int fill_rows(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct checking *s = ctx;
    for (*n = 0;;) {
        *n += pd_rows_send(&s->rows, to + *n, cap - *n);
        if (pd_rows_wait(&s->rows))
            return PD_OK;
        if (s->next < s->query.rows.n)
            add_pair(s);
        else if (s->doc < s->job->collection.ndocs)
            PD_TRY(ask_next(s));
        else
            return PD_END;
    }
}

/* COLLECTIVE. Look up all targets. */
static int ask_all(struct checking *s)
{
    struct pd_job *job = s->job;
    uint64_t *weights = pd_realloc(NULL, PD_ROW_BINS, sizeof *weights);
    for (size_t k = 0; k < PD_ROW_BINS; k++)
        weights[k] = 1;
    pd_rows_begin(&s->rows, job, 0, PD_ROW_BINS, weights);
    free(weights);
    int status = pd_shuffle_send(&s->rows.pairs, fill_rows, s);
    job->aligned.left_out = s->query.left_out;
    pd_asides_add_up(&s->query.asides, job);
    if (status >= 0)
        status = pd_rows_end(&s->rows);
    pd_rows_abandon(&s->rows);
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
    if (status >= 0)
        status = pd_target_names_make(&s->names, job, &s->query, &s->signing);
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
}

/*
 * COLLECTIVE. Open the index, in one state of it on all ranks: another job may add to it meanwhile.
 */
static int open_index(const struct pd_comm *c, struct pd_index *index, const char *dir)
{
    for (;;) {
        PD_TRY(pd_comm_agree(c, pd_index_open(index, dir)));
        uint64_t states[2] = {index->manifest.checksum, ~index->manifest.checksum};
        pd_comm_max(c, states, 2);
        if (states[0] == ~states[1])
            return PD_OK;
        pd_index_close(index);
    }
}

int pd_check(const struct pd_comm *c, const struct pd_options *o)
{
    struct pd_job job;
    struct pd_index index = {.nsegments = 0};
    struct checking s = {.job = &job, .index = &index};
    pd_job_init(&job, c, o);
    int status = open_index(c, &index, o->check.index);
    if (status >= 0)
        status = pd_scratch_open(&job.scratch, c, o);
    if (status >= 0)
        status = pd_writer_check(c, o->output);
    if (status >= 0) {
        pd_scratch_empty(&job.scratch);
        pd_verdicts_init(&s.verdicts, &job, &index);
        pd_query_init(&s.query, &job, &index);
        pd_signing_init(&s.signing, &job);
        status = run_stages(&s);
        if (status >= 0)
            tell(&s);
        pd_target_names_release(&s.names);
        pd_query_release(&s.query);
        pd_signing_release(&s.signing);
    }
    pd_verdicts_release(&s.verdicts);
    pd_job_end(&job);
    pd_index_close(&index);
    return status;
}
