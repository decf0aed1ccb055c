/* run/check/tables.c - see src/run/check/tables.h */
#include "tables.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/result/rows.h"
#include "run/families/families.h"
#include "run/table/table.h"

enum { TAKEN_APART = 512 }; /* rows that are taken apart into columns at once */

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
    pd_spool_release(&v->decisions);
    pd_spool_release(&v->ranking);
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

/* Each rank writes the rows of a range of targets; their number is the first u64 of a row. */
static int owner_of_row(const void *rec, int nranks, void *ctx)
{
    const struct pd_job *job = ctx;
    return (int)((unsigned __int128)*(const uint64_t *)rec * (unsigned)nranks /
                 job->collection.totals.documents);
}

static int fill_rows(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_spool *from = ctx;
    const void *rec;
    int status = PD_OK;
    for (*n = 0; *n + from->how.size <= cap; *n += from->how.size) {
        if ((status = pd_spool_look(from, &rec)) != PD_OK)
            break;
        memcpy(to + *n, rec, from->how.size);
        pd_spool_pass(from);
    }
    return status;
}

/* Rows that have arrived at the rank that writes them. */
struct writing {
    struct pd_shuffle rows;
    struct pd_columns cols;
    size_t size;          /* bytes of a row */
    uint64_t at;          /* the next row of this rank */
    struct pd_bytes some; /* rows that are taken apart */
};

/* Add the rows of this rank up to row `to` of the table. */
static int add_rows(struct writing *w, uint64_t to)
{
    const void *rec;
    int status = PD_OK;
    while (status == PD_OK && w->at < to) {
        w->some.n = 0;
        uint64_t n = 0;
        for (; n < TAKEN_APART && w->at + n < to; n++) {
            if ((status = pd_shuffle_look(&w->rows, &rec)) != PD_OK)
                break;
            pd_bytes_append(&w->some, rec, w->size);
            pd_shuffle_pass(&w->rows, w->size);
        }
        pd_columns_add(&w->cols, w->at, w->some.v, w->size, n);
        w->at += n;
    }
    return status < 0 ? status : PD_OK;
}

/* COLLECTIVE. Write the rows that have arrived, range by range. */
static int write_ranges(struct pd_job *job, struct writing *w)
{
    const uint64_t mine = pd_sorter_bytes(w->rows.sorter) / w->size;
    const uint64_t step = pd_rows_at_once(job, 2 * w->size);
    uint64_t all = mine, to = 0;
    int status;
    w->at = pd_comm_before(job->comm, mine);
    pd_comm_sum(job->comm, &all, 1);
    do { /* once also without rows: the table is made */
        to = all - to > step ? to + step : all;
        status = pd_comm_agree(job->comm, add_rows(w, to));
        if (status >= 0)
            pd_writer_put(job->writer, &w->cols, to, all);
    } while (status >= 0 && to < all);
    return status;
}

/* COLLECTIVE. Write a table: rows of u64s, in order of their first `keys`. */
static int write_rows(struct pd_job *job, enum pd_table table, unsigned keys, struct pd_spool *mine)
{
    const struct pd_flow flow = {.name = "verdicts",
                                 .budget = PD_BUDGET_VERDICT_ROWS,
                                 .size = mine->how.size,
                                 .keys = keys,
                                 .owner = owner_of_row};
    struct writing w = {.size = mine->how.size};
    PD_TRY(pd_comm_agree(job->comm, pd_spool_finish(mine)));
    pd_columns_init(&w.cols, &pd_schema[table], NULL);
    pd_shuffle_open(&w.rows, &job->transport, &flow, job, NULL);
    int status = pd_shuffle_send(&w.rows, fill_rows, mine);
    if (status >= 0)
        status = pd_shuffle_sort(&w.rows);
    if (status >= 0)
        status = write_ranges(job, &w);
    pd_shuffle_close(&w.rows);
    pd_columns_release(&w.cols);
    pd_bytes_release(&w.some);
    return status;
}

/* ---- sources ---- */

/* Rank 0: write sources [from, to) into the rows of /sources, `row_bytes` each. */
static int make_source_rows(const struct pd_job *job, const struct pd_index *index, pd_doc from,
                            pd_doc to, size_t row_bytes, unsigned char *rows)
{
    memset(rows, 0, (to - from) * row_bytes);
    for (pd_doc doc = from; doc < to; doc++) {
        const struct pd_segment *s = pd_index_segment(index, doc);
        uint64_t file_base = 0;
        struct pd_indexed d;
        PD_TRY(pd_segment_document(s, doc, &d));
        for (const struct pd_segment *before = index->segments; before < s; before++)
            file_base += before->counts.files;
        struct pd_document_row *row =
            (struct pd_document_row *)(void *)(rows + (doc - from) * row_bytes);
        *row = (struct pd_document_row){.size = (uint32_t)row_bytes,
                                        .id_n = (uint32_t)(d.before_n + d.id_n),
                                        .number = doc,
                                        .file = file_base + d.file,
                                        .offset = d.offset,
                                        .skip = d.skip,
                                        .length = d.length,
                                        .sentences = d.sentences,
                                        .words = d.words,
                                        .text_bytes = d.text_bytes,
                                        .text_hash = d.text_hash};
        if (d.before_n)
            memcpy(row->id, d.before, d.before_n);
        memcpy(row->id + d.before_n, d.id, d.id_n);
        PD_TRY(pd_families_of_document(job->families, pd_families_source(job, doc), &row->family));
    }
    return PD_OK;
}

static size_t longest_id(const struct pd_index *index)
{
    size_t width = 1;
    for (size_t k = 0; k < index->nsegments; k++)
        if (index->segments[k].counts.longest_id > width)
            width = index->segments[k].counts.longest_id;
    return width;
}

/* COLLECTIVE. Rank 0 makes the rows, range by range. */
static int write_sources(struct pd_job *job, const struct pd_index *index)
{
    const uint64_t all = index->manifest.head.documents;
    const size_t width = longest_id(index);
    const size_t row_bytes = sizeof(struct pd_document_row) + (width + 7) / 8 * 8;
    const uint64_t step = pd_rows_at_once(job, 3 * row_bytes);
    struct pd_columns cols;
    int status = PD_OK;
    unsigned char *rows = pd_realloc(NULL, (all < step ? all : step) + 1, row_bytes);
    pd_columns_init(&cols, &pd_schema[PD_TABLE_SOURCES], &width);
    for (uint64_t from = 0, to; from < all && status >= 0; from = to) {
        to = all - from > step ? from + step : all;
        status = job->comm->rank == PD_FAMILIES_SOURCES_AT
                     ? make_source_rows(job, index, from, to, row_bytes, rows)
                     : PD_OK;
        status = pd_comm_agree(job->comm, status);
        if (status < 0)
            break;
        if (job->comm->rank == PD_FAMILIES_SOURCES_AT)
            pd_columns_add(&cols, from, rows, row_bytes, to - from);
        pd_writer_put(job->writer, &cols, to, all);
    }
    pd_columns_release(&cols);
    free(rows);
    return status;
}

/* Append the row of a file, whose path ends with NUL. */
static void add_file_row(const struct pd_bytes *path, uint64_t bytes, size_t row_bytes,
                         struct pd_bytes *rows)
{
    pd_bytes_reserve(rows, rows->n + row_bytes);
    struct pd_file_row *row = (struct pd_file_row *)(void *)(rows->v + rows->n);
    memset(row, 0, row_bytes);
    row->bytes = bytes;
    memcpy(row->path, path->v, path->n - 1);
    rows->n += row_bytes;
}

/*
 * Go through all files of sources. With rows append their rows, else set *width to the bytes of the
 * longest path.
 */
static int each_file(const struct pd_index *index, uint64_t *width, size_t row_bytes,
                     struct pd_bytes *rows)
{
    struct pd_bytes path = {0};
    uint64_t bytes = 0;
    int status = PD_OK;
    for (size_t k = 0; k < index->nsegments; k++)
        for (uint64_t file = 0; status >= 0 && file < index->segments[k].counts.files; file++) {
            status = pd_segment_file(&index->segments[k], file, &path, &bytes);
            if (status >= 0 && rows)
                add_file_row(&path, bytes, row_bytes, rows);
            else if (status >= 0)
                *width = path.n - 1 > *width ? path.n - 1 : *width;
        }
    pd_bytes_release(&path);
    return status;
}

static int write_files(struct pd_job *job, const struct pd_index *index)
{
    struct pd_bytes rows = {0};
    uint64_t width = 1;
    PD_TRY(pd_comm_agree(job->comm, each_file(index, &width, 0, NULL)));
    const size_t row_bytes = sizeof(struct pd_file_row) + (width + 7) / 8 * 8;
    const int status = pd_comm_agree(
        job->comm, job->comm->rank == 0 ? each_file(index, &width, row_bytes, &rows) : PD_OK);
    const struct pd_table_rows table = {
        .rows = rows.v, .size = row_bytes, .n = rows.n / row_bytes, .text_widths = &width};
    if (status >= 0)
        pd_writer_table(job->writer, &pd_schema[PD_TABLE_SOURCE_FILES], &table);
    pd_bytes_release(&rows);
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
