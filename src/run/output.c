/*
 * run/output.c - rows to the ranks that write them, sorted, and into the result file.
 *
 * Every table is cut into consecutive parts, one a rank: passages by ranges of their first
 * document with about equal numbers of rows, documents evenly, skips by file, common classes by
 * signature (as they lie).
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"
#include "pardup/passage/inner.h"
#include "pardup/passage/pair.h"
#include "pardup/run/detect.h"
#include "pardup/run/provenance.h"

enum { BINS = 1 << 14 }; /* grain of the ranges of first documents */

/* Records on their way from where they lie to where they are written. */
struct moving {
    struct pd_source source;
    struct pd_detect *job;
    struct pd_bytes got;
    pd_doc from, to;  /* passages: their first documents ... */
    int *rank_of_bin; /* ... by ranges */
    size_t next;      /* documents: the next to send */
};

static int take(const void *recs, size_t bytes, void *ctx)
{
    pd_bytes_append(&((struct moving *)ctx)->got, recs, bytes);
    return PD_OK;
}

static size_t bin_of(const struct moving *m, pd_doc doc)
{
    return (size_t)((unsigned __int128)(doc - m->from) * BINS / (m->to - m->from));
}

static int owner_of_row(const void *rec, int nranks, void *ctx)
{
    const struct moving *m = ctx;
    (void)nranks;
    return m->rank_of_bin[bin_of(m, ((const struct pd_row *)rec)->a)];
}

/* Consecutive bins to each rank, about equally many rows. */
static void share_bins(const struct moving *m)
{
    const struct pd_detect *job = m->job;
    uint64_t *bins = pd_realloc(NULL, BINS, sizeof *bins), total = 0, before = 0;
    memset(bins, 0, BINS * sizeof *bins);
    for (size_t k = 0; k < job->rows.n; k++)
        bins[bin_of(m, job->rows.v[k].a)]++;
    pd_comm_sum(job->comm, bins, BINS);
    for (size_t k = 0; k < BINS; k++)
        total += bins[k];
    for (size_t k = 0; k < BINS; before += bins[k++])
        m->rank_of_bin[k] =
            total ? (int)((unsigned __int128)before * (unsigned)job->comm->size / total) : 0;
    free(bins);
}

static int sort_rows(struct pd_detect *job, pd_doc from, pd_doc to)
{
    struct moving m = {.job = job, .from = from, .to = to};
    m.source = (struct pd_source){job->rows.v, job->rows.n, sizeof *job->rows.v, 0};
    m.rank_of_bin = pd_realloc(NULL, BINS, sizeof *m.rank_of_bin);
    share_bins(&m);
    const struct pd_route route = {sizeof *job->rows.v, pd_fill_from, owner_of_row, take, &m};
    const int status = pd_exchange(job->comm, &route, &job->stages.moved);
    free(m.rank_of_bin);
    pd_rows_release(&job->rows);
    job->rows.v = (struct pd_row *)(void *)m.got.v; /* the bytes were allocated for any type */
    job->rows.n = m.got.n / sizeof *job->rows.v;
    job->rows.cap = m.got.cap / sizeof *job->rows.v;
    pd_sort_records(job->rows.v, job->rows.n, PD_ROW_WORDS, PD_ROW_WORDS); /* no ties: one order */
    return status;
}

/* The end of the rows of one pair that begin at `begin`. */
static size_t pair_end(const struct pd_rows *rows, size_t begin)
{
    size_t end = begin + 1;
    while (end < rows->n && rows->v[end].a == rows->v[begin].a &&
           rows->v[end].b == rows->v[begin].b)
        end++;
    return end;
}

/* Passages extended as far as words agree can end up inside each other: the outer ones stay. */
static void drop_inner(struct pd_rows *rows)
{
    struct pd_inner_keys keys = {0};
    size_t left = 0;
    for (size_t begin = 0, end; begin < rows->n; begin = end) {
        end = pair_end(rows, begin);
        const size_t n = pd_inner_drop(rows->v + begin, end - begin, &keys);
        memmove(rows->v + left, rows->v + begin, n * sizeof *rows->v);
        left += n;
    }
    rows->n = left;
    pd_inner_keys_release(&keys);
}

static void make_pairs(const struct pd_detect *job, struct pd_pairs *pairs)
{
    const struct pd_rows *rows = &job->rows;
    uint64_t *scratch = pd_realloc(NULL, rows->n + 1, sizeof *scratch);
    for (size_t begin = 0, end; begin < rows->n; begin = end) {
        end = pair_end(rows, begin);
        pd_pairs_push(pairs, pd_pair_of(rows->v + begin, end - begin, scratch));
    }
    free(scratch);
}

/* A row of /documents; on the way it is preceded by its size and number, as exchange.h wants. */
struct docrow {
    uint32_t size, id_n;
    uint64_t number;
    uint64_t file, offset, skip, length, sentences, text_bytes;
    char id[];
};

static size_t docrow_bytes(size_t id_n) { return (sizeof(struct docrow) + id_n + 7) / 8 * 8; }

static int fill_documents(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct moving *m = ctx;
    const struct pd_collection *col = &m->job->collection;
    *n = 0;
    for (; m->next < col->docs.n; m->next++) {
        const struct pd_docrec *d = &col->docs.v[m->next];
        const size_t bytes = docrow_bytes(d->id_n);
        if (*n + bytes > cap)
            return PD_OK;
        struct docrow *row = (struct docrow *)(void *)(to + *n);
        memset(row, 0, bytes);
        *row = (struct docrow){.size = (uint32_t)bytes,
                               .id_n = d->id_n,
                               .number = d->number,
                               .file = d->file,
                               .offset = d->offset,
                               .skip = d->skip,
                               .length = d->length,
                               .sentences = d->sentences,
                               .text_bytes = d->text_bytes};
        memcpy(row->id, col->ids.v + d->id_at, d->id_n);
        *n += bytes;
    }
    return PD_END;
}

static int owner_of_document(const void *rec, int nranks, void *ctx)
{
    const struct moving *m = ctx;
    return (int)((unsigned __int128)((const struct docrow *)rec)->number * (unsigned)nranks /
                 m->job->collection.totals.documents);
}

/* The table as the writer wants it: equal rows, ids padded to the longest of the collection. */
static unsigned char *even_rows(const struct pd_bytes *got, size_t width, size_t n, pd_doc first)
{
    const size_t row_bytes = sizeof(struct docrow) + width;
    unsigned char *rows = pd_realloc(NULL, n + 1, row_bytes);
    memset(rows, 0, (n + 1) * row_bytes);
    for (size_t at = 0; at < got->n;) {
        const struct docrow *row = (const struct docrow *)(const void *)(got->v + at);
        PD_CHECK(row->number >= first && row->number - first < n);
        memcpy(rows + (row->number - first) * row_bytes, row, sizeof *row + row->id_n);
        at += row->size;
    }
    return rows;
}

static int write_documents(struct pd_detect *job, struct pd_writer *w)
{
    struct moving m = {.job = job};
    const struct pd_route route = {0, fill_documents, owner_of_document, take, &m};
    uint64_t width = 1, n = 0, first = UINT64_MAX;
    const int status = pd_exchange(job->comm, &route, &job->stages.moved);
    for (size_t at = 0; at < m.got.n; n++) {
        const struct docrow *row = (const struct docrow *)(const void *)(m.got.v + at);
        width = row->id_n > width ? row->id_n : width;
        first = row->number < first ? row->number : first;
        at += row->size;
    }
    pd_comm_max(job->comm, &width, 1);
    if (status >= 0) {
        const struct pd_column columns[] = {
            {"id", PD_TYPE_TEXT, offsetof(struct docrow, id), width},
            {"file", PD_TYPE_U64, offsetof(struct docrow, file), 0},
            {"offset", PD_TYPE_U64, offsetof(struct docrow, offset), 0},
            {"skip", PD_TYPE_U64, offsetof(struct docrow, skip), 0},
            {"length", PD_TYPE_U64, offsetof(struct docrow, length), 0},
            {"sentences", PD_TYPE_U64, offsetof(struct docrow, sentences), 0},
            {"text_bytes", PD_TYPE_U64, offsetof(struct docrow, text_bytes), 0},
        };
        unsigned char *rows = even_rows(&m.got, width, n, first);
        const struct pd_table_rows table = {columns, sizeof columns / sizeof *columns, rows,
                                            sizeof(struct docrow) + width, n};
        pd_writer_table(w, "documents", &table);
        free(rows);
    }
    pd_bytes_release(&m.got);
    return status;
}

struct filerow {
    uint64_t bytes, documents, skipped;
    char path[];
};

/* Rank 0 knows all files; the counts are summed from all ranks. */
static void write_files(struct pd_detect *job, struct pd_writer *w)
{
    const struct pd_collection *col = &job->collection;
    const size_t n = col->files.n;
    uint64_t *counts = pd_realloc(NULL, 2 * n, sizeof *counts);
    size_t width = 1;
    memset(counts, 0, 2 * n * sizeof *counts);
    for (size_t k = 0; k < col->docs.n; k++)
        counts[col->docs.v[k].file]++;
    for (size_t k = 0; k < col->skips.n; k++)
        counts[n + col->skips.v[k].file]++;
    pd_comm_sum(job->comm, counts, (int)(2 * n));
    for (size_t k = 0; k < n; k++)
        width = strlen(col->files.v[k].path) > width ? strlen(col->files.v[k].path) : width;

    const size_t row_bytes = sizeof(struct filerow) + (width + 7) / 8 * 8;
    const size_t mine = job->comm->rank == 0 ? n : 0;
    unsigned char *rows = pd_realloc(NULL, mine + 1, row_bytes);
    memset(rows, 0, (mine + 1) * row_bytes);
    for (size_t k = 0; k < mine; k++) {
        struct filerow *row = (struct filerow *)(void *)(rows + k * row_bytes);
        *row = (struct filerow){col->files.v[k].bytes, counts[k], counts[n + k]};
        memcpy(row->path, col->files.v[k].path, strlen(col->files.v[k].path));
    }
    const struct pd_column columns[] = {
        {"path", PD_TYPE_TEXT, offsetof(struct filerow, path), width},
        {"bytes", PD_TYPE_U64, offsetof(struct filerow, bytes), 0},
        {"documents", PD_TYPE_U64, offsetof(struct filerow, documents), 0},
        {"skipped", PD_TYPE_U64, offsetof(struct filerow, skipped), 0},
    };
    const struct pd_table_rows table = {columns, sizeof columns / sizeof *columns, rows, row_bytes,
                                        mine};
    pd_writer_table(w, "files", &table);
    free(rows);
    free(counts);
}

static int owner_of_skip(const void *rec, int nranks, void *ctx)
{
    const struct moving *m = ctx;
    return (int)((unsigned __int128)((const struct pd_skiprec *)rec)->file * (unsigned)nranks /
                 m->job->collection.files.n);
}

struct skiprow {
    struct pd_skiprec rec;
    char reason[16];
};
PD_VEC(skiprows, struct skiprow);

static int write_skips(struct pd_detect *job, struct pd_writer *w)
{
    const struct pd_skiprecs *skips = &job->collection.skips;
    struct moving m = {.job = job};
    struct skiprows rows = {0};
    m.source = (struct pd_source){skips->v, skips->n, sizeof *skips->v, 0};
    const struct pd_route route = {sizeof *skips->v, pd_fill_from, owner_of_skip, take, &m};
    const int status = pd_exchange(job->comm, &route, &job->stages.moved);
    const size_t n = m.got.n / sizeof *skips->v, words = sizeof *skips->v / sizeof(uint64_t);
    pd_sort_records(m.got.v, n, (unsigned)words, (unsigned)words);
    for (size_t k = 0; k < n; k++) {
        struct skiprow row = {.reason = ""};
        memcpy(&row.rec, m.got.v + k * sizeof row.rec, sizeof row.rec);
        memcpy(row.reason, pd_skip_name((enum pd_skip)row.rec.why),
               strlen(pd_skip_name((enum pd_skip)row.rec.why)));
        skiprows_push(&rows, row);
    }
    if (status >= 0) {
        const struct pd_column columns[] = {
            {"file", PD_TYPE_U64, offsetof(struct skiprow, rec.file), 0},
            {"offset", PD_TYPE_U64, offsetof(struct skiprow, rec.offset), 0},
            {"skip", PD_TYPE_U64, offsetof(struct skiprow, rec.skip), 0},
            {"reason", PD_TYPE_TEXT, offsetof(struct skiprow, reason), sizeof rows.v->reason},
        };
        const struct pd_table_rows table = {columns, sizeof columns / sizeof *columns, rows.v,
                                            sizeof *rows.v, rows.n};
        pd_writer_table(w, "skipped", &table);
    }
    skiprows_release(&rows);
    pd_bytes_release(&m.got);
    return status;
}

static void append_passages(const struct pd_rows *rows, struct pd_writer *w)
{
    const struct pd_column columns[] = {
        {"doc_a", PD_TYPE_U64, offsetof(struct pd_row, a), 0},
        {"doc_b", PD_TYPE_U64, offsetof(struct pd_row, b), 0},
        {"start_a", PD_TYPE_HIGH, offsetof(struct pd_row, starts), 0},
        {"start_b", PD_TYPE_LOW, offsetof(struct pd_row, starts), 0},
        {"length_a", PD_TYPE_HIGH, offsetof(struct pd_row, lengths), 0},
        {"length_b", PD_TYPE_LOW, offsetof(struct pd_row, lengths), 0},
        {"begin_a", PD_TYPE_HIGH, offsetof(struct pd_row, bytes_a), 0},
        {"end_a", PD_TYPE_LOW, offsetof(struct pd_row, bytes_a), 0},
        {"begin_b", PD_TYPE_HIGH, offsetof(struct pd_row, bytes_b), 0},
        {"end_b", PD_TYPE_LOW, offsetof(struct pd_row, bytes_b), 0},
        {"matched", PD_TYPE_LOW, offsetof(struct pd_row, matched), 0},
        {"similarity", PD_TYPE_F64, offsetof(struct pd_row, similarity), 0},
    };
    const struct pd_table_rows table = {columns, sizeof columns / sizeof *columns, rows->v,
                                        sizeof *rows->v, rows->n};
    pd_writer_append(w, "passages", &table);
}

static void append_pairs(const struct pd_pairs *pairs, struct pd_writer *w)
{
    const struct pd_column columns[] = {
        {"doc_a", PD_TYPE_U64, offsetof(struct pd_pair, a), 0},
        {"doc_b", PD_TYPE_U64, offsetof(struct pd_pair, b), 0},
        {"passages", PD_TYPE_U64, offsetof(struct pd_pair, passages), 0},
        {"matched", PD_TYPE_U64, offsetof(struct pd_pair, matched), 0},
        {"score", PD_TYPE_F64, offsetof(struct pd_pair, score), 0},
        {"coverage_a", PD_TYPE_F64, offsetof(struct pd_pair, coverage_a), 0},
        {"coverage_b", PD_TYPE_F64, offsetof(struct pd_pair, coverage_b), 0},
        {"resemblance", PD_TYPE_F64, offsetof(struct pd_pair, resemblance), 0},
    };
    const struct pd_table_rows table = {columns, sizeof columns / sizeof *columns, pairs->v,
                                        sizeof *pairs->v, pairs->n};
    pd_writer_append(w, "pairs", &table);
}

static void write_common(const struct pd_detect *job, struct pd_writer *w)
{
    const struct pd_column columns[] = {
        {"hash", PD_TYPE_U64, offsetof(struct pd_common, sig), 0},
        {"df", PD_TYPE_U64, offsetof(struct pd_common, df), 0},
        {"doc", PD_TYPE_U64, offsetof(struct pd_common, doc), 0},
        {"sentence", PD_TYPE_U64, offsetof(struct pd_common, unit), 0},
    };
    const struct pd_table_rows table = {columns, sizeof columns / sizeof *columns, job->common.v,
                                        sizeof *job->common.v, job->common.n};
    pd_writer_table(w, "common", &table);
}

static int write_tables(struct pd_detect *job, struct pd_writer *w)
{
    PD_TRY(write_documents(job, w));
    PD_TRY(write_skips(job, w));
    write_files(job, w);
    write_common(job, w);
    pd_provenance_write(job, w);
    return PD_OK;
}

int pd_detect_write_rows(struct pd_detect *job, pd_doc from, pd_doc to)
{
    struct pd_pairs pairs = {0};
    pd_stages_begin(&job->stages, PD_STAGE_WRITE);
    const int status = sort_rows(job, from, to);
    if (status >= 0) {
        if (job->options->edges == PD_EDGES_FAR)
            drop_inner(&job->rows);
        make_pairs(job, &pairs);
        append_passages(&job->rows, job->writer);
        append_pairs(&pairs, job->writer);
        job->passages += job->rows.n;
        job->pairs += pairs.n;
    }
    pd_rows_release(&job->rows);
    pd_pairs_release(&pairs);
    return pd_stages_end(&job->stages, status);
}

/* The tables of passages exist even when there are none. */
static void finish_rows(const struct pd_detect *job)
{
    const struct pd_rows no_rows = {0};
    const struct pd_pairs no_pairs = {0};
    append_passages(&no_rows, job->writer);
    append_pairs(&no_pairs, job->writer);
}

int pd_detect_write(struct pd_detect *job)
{
    pd_stages_begin(&job->stages, PD_STAGE_WRITE);
    finish_rows(job);
    int status = write_tables(job, job->writer);
    if (status >= 0) {
        status = pd_writer_commit(job->writer);
        job->writer = NULL;
    }
    return pd_stages_end(&job->stages, status);
}
