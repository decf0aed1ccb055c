/* run/check/verdicts.c - see src/run/check/verdicts.h */
#include "verdicts.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/result/rows.h"
#include "run/families/families.h"
#include "run/source_rows.h"
#include "run/table/file_rows.h"
#include "run/table/table.h"

static void open_spool(struct pd_verdicts *v, struct pd_spool *spool, const char *name, size_t size)
{
    const struct pd_spooling how = {
        .size = size,
        .memory = pd_transport_budget(&v->job->transport, PD_BUDGET_VERDICTS) / 2,
        .path = pd_scratch_path(&v->job->scratch, name),
        .spare = &v->spare};
    pd_spool_init(spool, &how);
}

void pd_verdicts_init(struct pd_verdicts *v, struct pd_job *job, struct pd_index *index)
{
    *v = (struct pd_verdicts){.job = job, .index = index};
    open_spool(v, &v->decisions, "decisions", sizeof(struct pd_decision_row));
    open_spool(v, &v->ranking, "ranking", sizeof(struct pd_ranking_row));
}

void pd_verdicts_release(struct pd_verdicts *v)
{
    PD_RELEASE(pd_spool, &v->decisions, &v->ranking);
    pd_spare_release(&v->spare);
}

int pd_verdicts_add(struct pd_verdicts *v, const struct pd_query *q, pd_doc doc)
{
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

int pd_verdicts_write(struct pd_job *job, void *ctx)
{
    struct pd_verdicts *v = ctx;
    PD_TRY(write_rows(job, PD_TABLE_DECISIONS, 1, &v->decisions));
    PD_TRY(write_rows(job, PD_TABLE_RANKING, 2, &v->ranking));
    PD_TRY(write_sources(job, v->index));
    PD_TRY(write_files(job, v->index));
    write_attributes(job, &v->index->manifest);
    return PD_OK;
}
