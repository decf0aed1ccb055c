/*
 * run/stage/write/output.c - the write stage, pd_job_write() of run/stage/job.h: the result file.
 *
 * Passages and pairs are written by sliced.c, families by run/stage/families/, what is set aside
 * and attributes by aside_rows.c, aside_spans.c and provenance.c. Here are the tables of documents,
 * skipped records, files and common classes, and the order of all.
 *
 * Every rank writes a range of the rows of most tables. Documents are shared out evenly, skipped
 * records by file. Common classes stay where they are: each rank has a range of their set names.
 * Rank 0 writes the table of files.
 */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/comm/exchange.h"
#include "pardup/result/rows.h"
#include "provenance.h"
#include "run/stage/collection/unread.h"
#include "run/stage/families/families.h"
#include "run/stage/job.h"
#include "run/stage/source_rows.h"
#include "run/stage/table/table.h"
#include "tables.h"

/* ---- the table /skipped: records of the input that did not become documents ---- */

enum { SKIP_U64S = sizeof(struct pd_skiprec) / 8 }; /* of a skipped record, all of them its key */

/* Skipped records on their way from the ranks that read them to the ranks that write them. */
struct sending {
    struct pd_collection *col;
    uint64_t *counts;           /* records of each file */
    size_t volume;              /* volume that is sent from */
    size_t next;                /* record of that volume that is sent next */
    struct pd_shuffle arriving; /* the records that this rank writes */
};

static int owner_of(const void *rec, int nranks, void *ctx)
{
    const struct sending *s = ctx;
    return (int)((unsigned __int128)((const struct pd_skiprec *)rec)->file * (unsigned)nranks /
                 s->col->files.n);
}

static const struct pd_flow skips_flow = {.name = "skipped",
                                          .budget = PD_BUDGET_SKIPS,
                                          .size = sizeof(struct pd_skiprec),
                                          .keys = SKIP_U64S,
                                          .owner = owner_of};

static int next_skip(void *ctx, void *rec)
{
    struct sending *s = ctx;
    const int status = pd_collection_next_skip(s->col, &s->volume, &s->next, rec);
    if (status == PD_OK)
        s->counts[((const struct pd_skiprec *)rec)->file]++;
    return status;
}

/* Make a row of the next record that has arrived. */
static int next_row(void *ctx, struct pd_bytes *to)
{
    struct pd_shuffle *s = ctx;
    const void *rec;
    PD_PASS(pd_shuffle_next(s, &rec));
    const struct pd_skiprec *skip = rec;
    struct pd_skipped_row row = {.file = skip->file, .offset = skip->offset, .skip = skip->skip};
    const char *reason = pd_skip_name((enum pd_skip)skip->why);
    memcpy(row.reason, reason, strlen(reason));
    pd_bytes_append(to, &row, sizeof row);
    return PD_OK;
}

/* COLLECTIVE. Write the records that have arrived. */
static int write_rows(struct pd_job *job, struct pd_writer *w, struct pd_shuffle *s)
{
    struct pd_handed_rows rows = {.table = PD_TABLE_SKIPPED,
                                  .size = sizeof(struct pd_skipped_row),
                                  .n = pd_sorter_bytes(s->sorter) / sizeof(struct pd_skiprec),
                                  .next = next_row,
                                  .ctx = s};
    rows.at = pd_comm_before(job->comm, rows.n);
    return pd_table_write(job, w, &rows);
}

/*
 * COLLECTIVE. Write the table, in collection order and within PD_BUDGET_SKIPS.
 *   counts   a count for each input file; grows by the skipped records that this rank has read
 * Agreed: PD_OK, or the failure of some rank.
 */
static int skipped_write(struct pd_job *job, struct pd_writer *w, uint64_t *counts)
{
    struct sending s = {.col = &job->collection, .counts = counts};
    pd_shuffle_open(&s.arriving, &job->transport, &skips_flow, &s, NULL);
    int status = pd_shuffle_make(&s.arriving, next_skip, &s);
    PD_THEN(status, write_rows(job, w, &s.arriving));
    pd_shuffle_close(&s.arriving);
    return status;
}

/* ---- documents, files and common classes ---- */

/* Documents on their way from the ranks that hold them to the ranks that write them. */
struct moving {
    struct pd_job *job;
    struct pd_bytes got; /* the rows that this rank writes */
    uint64_t next;       /* index of the next document of this rank to send */
    pd_doc from;         /* first document of the range that is written at once */
    pd_doc to;           /* end of that range */
    uint64_t *counts;    /* documents of each file, for /files */
    size_t widths[5];    /* bytes of the longest id, address, site, kept fields and date */
    size_t row_bytes;    /* bytes of a row whose texts are that wide */
};

/* Copies of a row in memory: as it was received, in even_rows(), and taken apart into columns. */
enum { ROW_COPIES = 3 };

/* Bytes of a row with its texts, a multiple of 8. */
static size_t document_row_bytes(const struct pd_docrec *d, size_t date_n)
{
    return (sizeof(struct pd_document_row) + d->id_n + d->url_n + d->site_n + d->meta_n + date_n +
            7) /
           8 * 8;
}

static void write_document_row(struct pd_document_row *row, size_t bytes,
                               const struct pd_held *held, int64_t family, const unsigned char *ids,
                               const char *date)
{
    const struct pd_docrec *d = held->rec;
    const size_t n = (size_t)d->id_n + d->url_n + d->site_n + d->meta_n;
    memset(row, 0, bytes);
    *row = (struct pd_document_row){.size = (uint32_t)bytes,
                                    .id_n = d->id_n,
                                    .url_n = d->url_n,
                                    .site_n = d->site_n,
                                    .number = held->number,
                                    .file = d->file,
                                    .offset = d->offset,
                                    .skip = d->skip,
                                    .length = d->length,
                                    .sentences = d->sentences,
                                    .words = d->words,
                                    .text_bytes = d->text_bytes,
                                    .text_hash = d->text_hash,
                                    .family = family,
                                    .meta_n = d->meta_n,
                                    .date_n = strlen(date)};
    memcpy(row->id, ids + d->id_at, n);
    memcpy(row->id + n, date, row->date_n);
}

static int fill_documents(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct moving *m = ctx;
    struct pd_collection *col = &m->job->collection;
    char date[PD_DATE_ROOM];
    *n = 0;
    for (; m->next < col->ndocs; m->next++) {
        struct pd_held held;
        int64_t family;
        PD_TRY(pd_collection_nth(col, m->next, &held));
        pd_date_print(held.rec->date, date);
        const size_t bytes = document_row_bytes(held.rec, strlen(date));
        if (held.number >= m->to)
            return PD_END;
        if (*n + bytes > cap)
            return PD_OK;
        PD_TRY(pd_families_of_document(m->job->families, held.number, &family));
        write_document_row((struct pd_document_row *)(void *)(to + *n), bytes, &held, family,
                           pd_collection_volume(col, &held)->ids.v, date);
        m->counts[held.rec->file]++;
        if (family >= 0)
            m->job->written.families.beside +=
                pd_unread_is_beside(col->files.v[held.rec->file].path);
        *n += bytes;
    }
    return PD_END;
}

static int owner_of_document(const void *rec, int nranks, void *ctx)
{
    const struct moving *m = ctx;
    const uint64_t at = ((const struct pd_document_row *)rec)->number - m->from;
    return (int)((unsigned __int128)at * (unsigned)nranks / (m->to - m->from));
}

/*
 * Make rows of one size, as the writer wants them: each text has the width of the longest. They are
 * rows [first, first + n) of the table. The caller frees them.
 */
static unsigned char *even_rows(const struct moving *m, size_t n, pd_doc first)
{
    const size_t *widths = m->widths, row_bytes = m->row_bytes;
    unsigned char *rows = pd_zeroed(n + 1, row_bytes);
    for (size_t at = 0; at < m->got.n;) {
        const struct pd_document_row *row =
            (const struct pd_document_row *)(const void *)(m->got.v + at);
        PD_CHECK(row->number >= first && row->number - first < n);
        unsigned char *to = rows + (row->number - first) * row_bytes;
        const size_t lengths[] = {row->id_n, row->url_n, row->site_n, row->meta_n, row->date_n};
        const char *text = row->id;
        memcpy(to, row, sizeof *row);
        to += sizeof *row;
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            memcpy(to, text, lengths[k]);
            text += lengths[k];
            to += widths[k];
        }
        at += row->size;
    }
    return rows;
}

/* Write the documents that this rank has received. */
static void place_documents(struct pd_writer *w, struct pd_columns *cols, const struct moving *m,
                            uint64_t total)
{
    uint64_t n = 0, first = UINT64_MAX;
    for (size_t at = 0; at < m->got.n; n++) {
        const struct pd_document_row *row =
            (const struct pd_document_row *)(const void *)(m->got.v + at);
        first = row->number < first ? row->number : first;
        at += row->size;
    }
    unsigned char *rows = even_rows(m, n, first);
    pd_columns_add(cols, first, rows, m->row_bytes, n);
    free(rows);
    pd_writer_put(w, cols, m->to, total);
}

/*
 * COLLECTIVE. --known: the documents of the store follow, which one rank writes: rows [m->from,
 * total).
 */
static int write_known(struct pd_writer *w, struct pd_columns *cols, struct moving *m,
                       uint64_t total, uint64_t step)
{
    struct pd_job *job = m->job;
    const pd_doc first = job->collection.totals.documents;
    int status = PD_OK;
    for (; m->from < total && status >= 0; m->from = m->to) {
        const bool writes = job->comm->rank == PD_FAMILIES_SOURCES_AT;
        int64_t family;
        m->to = pd_min_u64(total, m->from + step);
        m->got.n = 0;
        for (pd_doc doc = m->from; writes && doc < m->to && status >= 0; doc++) {
            status = pd_families_of_document(job->families, doc, &family);
            PD_THEN(status, pd_source_row(job->index, doc - first, job->collection.files.n, family,
                                          m->row_bytes, &m->got));
        }
        status = pd_comm_agree(job->comm, status);
        if (status < 0)
            return status;
        if (writes)
            pd_columns_add(cols, m->from, m->got.v, m->row_bytes, m->to - m->from);
        pd_writer_put(w, cols, m->to, total);
    }
    return PD_OK;
}

/* COLLECTIVE. Add to `counts` the documents of each file that this rank holds. */
static int write_documents(struct pd_job *job, struct pd_writer *w, uint64_t *counts)
{
    const struct pd_collection *col = &job->collection;
    const uint64_t all = col->totals.documents;
    const uint64_t total = all + (job->known ? job->foreign_sources : 0);
    struct moving m = {.job = job,
                       .counts = counts,
                       .widths = {pd_max_u64(col->id_width, 1), pd_max_u64(col->url_width, 1),
                                  pd_max_u64(col->site_width, 1), pd_max_u64(col->meta_width, 1),
                                  pd_max_u64(col->date_width, 1)}};
    if (job->known)
        m.widths[0] = pd_max_size(m.widths[0], pd_source_id_width(job->index));
    m.row_bytes = sizeof(struct pd_document_row);
    for (size_t k = 0; k < sizeof m.widths / sizeof *m.widths; k++)
        m.row_bytes += m.widths[k];
    m.row_bytes = (m.row_bytes + 7) / 8 * 8;
    const uint64_t step = pd_rows_at_once(job, ROW_COPIES * m.row_bytes);
    const struct pd_route route = {
        .fill = fill_documents, .owner = owner_of_document, .fill_ctx = &m, .owner_ctx = &m};
    struct pd_columns cols;
    int status = PD_OK;
    pd_columns_init(&cols, &pd_schema[PD_TABLE_DOCUMENTS], m.widths);
    for (; m.from < all && status >= 0; m.from = m.to) {
        m.to = all - m.from > step ? m.from + step : all;
        m.got.n = 0;
        status = pd_shuffle_collect(&job->transport, route, &m.got);
        if (status >= 0)
            place_documents(w, &cols, &m, total);
    }
    if (status >= 0 && job->known)
        status = write_known(w, &cols, &m, total, step);
    pd_columns_release(&cols);
    pd_bytes_release(&m.got);
    return status;
}

/* The rows of /files, of rank 0. */
struct listing_files {
    struct pd_job *job;
    struct pd_file_rows rows;
};

/* --known: the documents of its files are counted by nobody. */
static void add_known_file(void *ctx, const char *path, uint64_t bytes)
{
    struct listing_files *f = ctx;
    char *from_here = pd_source_path((const char *)f->job->index->manifest.directory.v, path);
    pd_file_rows_add(&f->rows, from_here, bytes);
    free(from_here);
}

/* Go through all files: for their width, or for their rows. */
static int add_files(struct listing_files *f, const uint64_t *counts)
{
    const struct pd_collection *col = &f->job->collection;
    const size_t n = col->files.n;
    for (size_t k = 0; k < n; k++) {
        struct pd_file_row *row =
            pd_file_rows_add(&f->rows, col->files.v[k].path, col->files.v[k].bytes);
        if (row) {
            row->documents = counts[k];
            row->skipped = counts[n + k];
        }
    }
    return f->job->known ? pd_source_each_file(f->job->index, add_known_file, f) : PD_OK;
}

/*
 * COLLECTIVE. Rank 0, which knows all files, writes them.
 *   counts  of this rank: n documents by file, then n skipped records by file
 */
static int write_files(struct pd_job *job, struct pd_writer *w, uint64_t *counts)
{
    struct listing_files f = {.job = job};
    pd_comm_sum(job->comm, counts, (int)(2 * job->collection.files.n));
    int status = add_files(&f, counts);
    pd_file_rows_begin(&f.rows);
    if (status >= 0 && job->comm->rank == 0)
        status = add_files(&f, counts);
    status = pd_comm_agree(job->comm, status);
    const struct pd_table_rows table = pd_file_rows_table(&f.rows);
    if (status >= 0)
        pd_writer_table(w, &pd_schema[PD_TABLE_FILES], &table);
    pd_bytes_release(&f.rows.rows);
    return status;
}

static void write_common(const struct pd_job *job, struct pd_writer *w)
{
    const struct pd_commons *common = &job->matches.common;
    const struct pd_table_rows table = {
        .rows = common->v, .size = sizeof *common->v, .n = common->n};
    pd_writer_table(w, &pd_schema[PD_TABLE_COMMON], &table);
}

/* COLLECTIVE. All tables except passages, pairs and families. */
static int write_tables(struct pd_job *job, struct pd_writer *w)
{
    const size_t n = job->collection.files.n;
    uint64_t *counts = pd_realloc(NULL, 2 * n, sizeof *counts); /* as in write_files() */
    memset(counts, 0, 2 * n * sizeof *counts);
    int status = write_documents(job, w, counts);
    PD_THEN(status, skipped_write(job, w, counts + n));
    PD_THEN(status, write_files(job, w, counts));
    free(counts);
    PD_TRY(status);
    write_common(job, w);
    if (job->options->matches)
        PD_TRY(pd_job_write_spool(job, w, PD_TABLE_MATCHES, &job->aligned.matches,
                                  pd_comm_before(job->comm, job->aligned.matches.n)));
    PD_TRY(pd_aside_write(job, w));
    PD_TRY(pd_aside_spans_write(job, w));
    pd_provenance_write(job, w);
    return PD_OK;
}

static void sum_up_slices(struct pd_job *job)
{
    for (size_t k = 0; k < job->aligned.slices.n; k++) {
        const struct pd_slice *s = &job->aligned.slices.v[k];
        job->written.passages += s->rows;
        job->written.pairs += s->pairs;
        job->written.left_out.same_host += s->left_out.same_host;
        job->written.left_out.too_short += s->left_out.too_short;
        job->written.left_out.unlike += s->left_out.unlike;
        job->written.left_out.below += s->left_out.below;
        job->written.left_out.same += s->left_out.same;
    }
}

/* COLLECTIVE. A signal may break writing off anywhere: the checkpoint has all rows. */
static int write_result(struct pd_job *job)
{
    sum_up_slices(job);
    int status = pd_families_find(job, &job->families);
    PD_THEN(status, pd_sliced_write(job));
    PD_THEN(status, pd_families_write(job->families, job->writer, &job->written.families));
    PD_THEN(status, write_tables(job, job->writer));
    if (status >= 0 && job->more_tables)
        status = job->more_tables(job, job->more_ctx);
    pd_families_close(job->families);
    job->families = NULL;
    PD_TRY(status);
    return pd_comm_agree(job->comm, pd_comm_check_stop());
}

int pd_job_write(struct pd_job *job)
{
    const struct pd_options *o = job->options;
    pd_stages_begin(&job->stages, PD_STAGE_WRITE);
    int status = pd_writer_open(job->comm, o->output, o->job.compress, &job->writer);
    PD_THEN(status, write_result(job));
    if (status >= 0) {
        status = pd_writer_commit(job->writer);
        job->writer = NULL;
    }
    return pd_stages_end(&job->stages, status);
}
