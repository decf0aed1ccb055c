/*
 * run/job/check/batch.c - check a collection of targets: see include/pardup/run/check.h
 *
 * Targets are read as `detect` reads its collection. Each rank looks up the documents that it
 * holds, in the mapped index. All are signed first, to know which units many targets have
 * (names.h). Then they are matched, without a message. Rows travel to the ranks that write them.
 */
#include <stdlib.h>
#include <string.h>

#include "asking.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/result/rows.h"
#include "pardup/run/check.h"
#include "pardup/store/spool.h"
#include "query.h"
#include "run/stage/families/families.h"
#include "run/stage/source_rows.h"
#include "run/stage/table/table.h"

/* ---- the tables that only a result of check has ---- */

/* Decisions and rankings of targets, on their way to the ranks that write them. */
struct verdicts {
    struct pd_job *job;
    struct pd_index *index;
    uint64_t duplicates;                /* targets of this rank that are duplicates */
    struct pd_spool decisions, ranking; /* rows of this rank's targets */
    struct pd_spare spare;              /* memory of both */
};

static void open_spool(struct verdicts *v, struct pd_spool *spool, const char *name, size_t size)
{
    const struct pd_spooling how = {
        .size = size,
        .memory = pd_transport_budget(&v->job->transport, PD_BUDGET_VERDICTS) / 2,
        .path = pd_scratch_path(&v->job->scratch, name),
        .spare = &v->spare};
    pd_spool_init(spool, &how);
}

/* Make ready. The job has its scratch folder; it and the index are borrowed until the release. */
static void verdicts_init(struct verdicts *v, struct pd_job *job, struct pd_index *index)
{
    *v = (struct verdicts){.job = job, .index = index};
    open_spool(v, &v->decisions, "decisions", sizeof(struct pd_decision_row));
    open_spool(v, &v->ranking, "ranking", sizeof(struct pd_ranking_row));
}

static void verdicts_release(struct verdicts *v)
{
    PD_RELEASE(pd_spool, &v->decisions, &v->ranking);
    pd_spare_release(&v->spare);
}

/* Keep what the query says of target `doc`. PD_OK or PD_EIO. */
static int verdicts_add(void *ctx, const struct pd_query *q, pd_doc doc)
{
    struct verdicts *v = ctx;
    const struct pd_decision_row decision = {doc, q->collisions, q->duplicate};
    v->duplicates += q->duplicate;
    PD_TRY(pd_spool_push(&v->decisions, &decision));
    for (size_t k = 0; k < q->ranking.n; k++) {
        const struct pd_ranking_row row = {doc, k + 1, q->ranking.v[k].source,
                                           q->ranking.v[k].score};
        PD_TRY(pd_spool_push(&v->ranking, &row));
    }
    return PD_OK;
}

/* ---- decisions and ranking ---- */

/* COLLECTIVE. Write a table: rows of u64s, in order of their first `keys`. */
static int write_rows(struct pd_job *job, enum pd_table table, unsigned keys, struct pd_spool *mine)
{
    const struct pd_flow flow = {.name = "verdicts",
                                 .budget = PD_BUDGET_VERDICT_ROWS,
                                 .size = mine->how.size,
                                 .keys = keys,
                                 .owner = pd_to_writer};
    struct pd_shuffle rows;
    PD_TRY(pd_comm_agree(job->comm, pd_spool_finish(mine)));
    pd_shuffle_open(&rows, &job->transport, &flow, job, NULL);
    int status = pd_shuffle_gather(&rows, pd_spool_fill, mine);
    PD_THEN(status, pd_job_write_arrived(job, job->writer, table, mine->how.size, &rows));
    pd_shuffle_close(&rows);
    return status;
}

/* ---- sources ---- */

/* The sources, which one rank writes. */
struct sources {
    struct pd_job *job;
    const struct pd_index *index;
    size_t row_bytes; /* bytes of a row: of one with the longest id */
    pd_doc doc;       /* the next one */
};

/* Append the row of the next source. */
static int next_source(void *ctx, struct pd_bytes *to)
{
    struct sources *x = ctx;
    int64_t family;
    PD_TRY(pd_families_of_document(x->job->families, pd_families_source(x->job, x->doc), &family));
    return pd_source_row(x->index, x->doc++, 0, family, x->row_bytes, to);
}

/* COLLECTIVE. The rank that has the families of sources makes all rows. */
static int write_sources(struct pd_job *job, const struct pd_index *index)
{
    const size_t width = pd_source_id_width(index);
    struct sources sources = {job, index, sizeof(struct pd_document_row) + (width + 7) / 8 * 8, 0};
    const bool writes = job->comm->rank == PD_FAMILIES_SOURCES_AT;
    const uint64_t all = index->manifest.head.documents;
    return pd_table_write(job, job->writer,
                          &(struct pd_handed_rows){.table = PD_TABLE_SOURCES,
                                                   .size = sources.row_bytes,
                                                   .n = writes ? all : 0,
                                                   .at = writes ? 0 : all,
                                                   .widths = &width,
                                                   .next = next_source,
                                                   .ctx = &sources});
}

/* Add a file of sources. */
static void add_file(void *ctx, const char *path, uint64_t bytes)
{
    pd_file_rows_add(ctx, path, bytes);
}

static int write_files(struct pd_job *job, const struct pd_index *index)
{
    struct pd_file_rows f = {.width = 0};
    PD_TRY(pd_comm_agree(job->comm, pd_source_each_file(index, add_file, &f)));
    pd_file_rows_begin(&f);
    const int status = pd_comm_agree(
        job->comm, job->comm->rank == 0 ? pd_source_each_file(index, add_file, &f) : PD_OK);
    const struct pd_table_rows table = pd_file_rows_table(&f);
    if (status >= 0)
        pd_writer_table(job->writer, &pd_schema[PD_TABLE_SOURCE_FILES], &table);
    pd_bytes_release(&f.rows);
    return status;
}

/* COLLECTIVE. Say how the files of the sources are read. */
static void write_attributes(struct pd_job *job, const struct pd_index_manifest *m)
{
    static const char *const names[][2] = {{"format", "source_format"},
                                           {"id-field", "source_id_field"},
                                           {"text-field", "source_text_field"},
                                           {"url-field", "source_url_field"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *value = pd_index_manifest_option(m, names[k][0]);
        pd_writer_text(job->writer, names[k][1], value ? value : "");
    }
    pd_writer_count(job->writer, "sources", m->head.documents);
    pd_writer_text(job->writer, "source_index", job->options->check.index);
    pd_writer_text(job->writer, "source_directory", (const char *)m->directory.v);
}

/* COLLECTIVE. A function for job->more_tables; ctx is a struct verdicts. */
static int verdicts_write(struct pd_job *job, void *ctx)
{
    struct verdicts *v = ctx;
    PD_TRY(write_rows(job, PD_TABLE_DECISIONS, 1, &v->decisions));
    PD_TRY(write_rows(job, PD_TABLE_RANKING, 2, &v->ranking));
    PD_TRY(write_sources(job, v->index));
    PD_TRY(write_files(job, v->index));
    write_attributes(job, &v->index->manifest);
    return PD_OK;
}

/* ---- the job ---- */

struct checking {
    struct pd_job *job;
    struct pd_index *index;
    struct pd_asking asking;
    struct verdicts verdicts;
};

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
    job->more_tables = verdicts_write;
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
        verdicts_init(&s.verdicts, &job, &index);
        pd_asking_init(&s.asking, &job, &index);
        s.asking.keep = verdicts_add;
        s.asking.ctx = &s.verdicts;
        status = run_stages(&s);
        if (status >= 0)
            tell(&s);
        pd_asking_release(&s.asking);
    }
    verdicts_release(&s.verdicts);
    pd_job_end(&job);
    pd_index_close(&index);
    return status;
}
