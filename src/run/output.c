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
#include "pardup/passage/folded.h"
#include "pardup/passage/pair.h"
#include "pardup/run/detect.h"
#include "pardup/run/provenance.h"
#include "pardup/store/cursor.h"

enum { WRITE_SHARE = 16 }; /* rows written at once may fill this part of --memory */

/* Records on their way from where they lie to where they are written. */
struct moving {
    struct pd_source source;
    struct pd_detect *job;
    struct pd_bytes got;
    uint64_t next;    /* documents: the next to send ... */
    pd_doc from, to;  /* ... of those written at once */
    uint64_t *counts; /* of documents by file, for /files */
};

static int take(const void *recs, size_t bytes, void *ctx)
{
    pd_bytes_append(&((struct moving *)ctx)->got, recs, bytes);
    return PD_OK;
}

/* A row of /documents; on the way it is preceded by its size and number, as exchange.h wants. */
struct docrow {
    uint32_t size, id_n;
    uint64_t number;
    uint64_t file, offset, skip, length, sentences, text_bytes;
    char id[];
};

static size_t docrow_bytes(size_t id_n) { return (sizeof(struct docrow) + id_n + 7) / 8 * 8; }

static void write_docrow(struct docrow *row, size_t bytes, const struct pd_held *held,
                         const unsigned char *ids)
{
    const struct pd_docrec *d = held->rec;
    memset(row, 0, bytes);
    *row = (struct docrow){.size = (uint32_t)bytes,
                           .id_n = d->id_n,
                           .number = held->number,
                           .file = d->file,
                           .offset = d->offset,
                           .skip = d->skip,
                           .length = d->length,
                           .sentences = d->sentences,
                           .text_bytes = d->text_bytes};
    memcpy(row->id, ids + d->id_at, d->id_n);
}

static int fill_documents(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct moving *m = ctx;
    struct pd_collection *col = &m->job->collection;
    *n = 0;
    for (; m->next < col->ndocs; m->next++) {
        struct pd_held held;
        PD_TRY(pd_collection_nth(col, m->next, &held));
        const size_t bytes = docrow_bytes(held.rec->id_n);
        if (held.number >= m->to)
            return PD_END;
        if (*n + bytes > cap)
            return PD_OK;
        write_docrow((struct docrow *)(void *)(to + *n), bytes, &held,
                     pd_collection_volume(col, &held)->ids.v);
        m->counts[held.rec->file]++;
        *n += bytes;
    }
    return PD_END;
}

static int owner_of_document(const void *rec, int nranks, void *ctx)
{
    const struct moving *m = ctx;
    const uint64_t at = ((const struct docrow *)rec)->number - m->from;
    return (int)((unsigned __int128)at * (unsigned)nranks / (m->to - m->from));
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

static void place_documents(struct pd_writer *w, const struct pd_bytes *got, uint64_t width,
                            uint64_t total)
{
    const struct pd_column columns[] = {
        {"id", PD_TYPE_TEXT, offsetof(struct docrow, id), width},
        {"file", PD_TYPE_U64, offsetof(struct docrow, file), 0},
        {"offset", PD_TYPE_U64, offsetof(struct docrow, offset), 0},
        {"skip", PD_TYPE_U64, offsetof(struct docrow, skip), 0},
        {"length", PD_TYPE_U64, offsetof(struct docrow, length), 0},
        {"sentences", PD_TYPE_U64, offsetof(struct docrow, sentences), 0},
        {"text_bytes", PD_TYPE_U64, offsetof(struct docrow, text_bytes), 0},
    };
    uint64_t n = 0, first = UINT64_MAX;
    for (size_t at = 0; at < got->n; n++) {
        const struct docrow *row = (const struct docrow *)(const void *)(got->v + at);
        first = row->number < first ? row->number : first;
        at += row->size;
    }
    unsigned char *rows = even_rows(got, width, n, first);
    const struct pd_table_rows table = {columns, sizeof columns / sizeof *columns, rows,
                                        sizeof(struct docrow) + width, n};
    const struct pd_run_of_rows run = {first, n};
    pd_writer_place(w, "documents", &table, &run, 1, total);
    free(rows);
}

/* Rows of `bytes` that the job writes at once: whole chunks. */
static uint64_t rows_at_once(const struct pd_detect *job, uint64_t bytes)
{
    const uint64_t n = job->collection.memory / WRITE_SHARE / bytes * (uint64_t)job->comm->size;
    return n < PD_CHUNK_ROWS ? PD_CHUNK_ROWS : n / PD_CHUNK_ROWS * PD_CHUNK_ROWS;
}

static int write_documents(struct pd_detect *job, struct pd_writer *w, uint64_t *counts)
{
    const uint64_t all = job->collection.totals.documents, width = job->collection.id_width;
    const uint64_t step = rows_at_once(job, 2 * (sizeof(struct docrow) + width));
    struct moving m = {.job = job, .counts = counts};
    const struct pd_route route = {0, fill_documents, owner_of_document, take, &m};
    int status = PD_OK;
    for (; m.from < all && status >= 0; m.from = m.to) {
        m.to = all - m.from > step ? m.from + step : all;
        m.got.n = 0;
        status = pd_exchange(job->comm, &route, &job->stages.moved);
        if (status >= 0)
            place_documents(w, &m.got, width ? width : 1, all);
    }
    pd_bytes_release(&m.got);
    return status;
}

struct filerow {
    uint64_t bytes, documents, skipped;
    char path[];
};

/* Rank 0 knows all files; the counts are summed from all ranks. */
static void write_files(struct pd_detect *job, struct pd_writer *w, uint64_t *counts)
{
    const struct pd_collection *col = &job->collection;
    const size_t n = col->files.n;
    size_t width = 1;
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

PD_VEC(runs, struct pd_run_of_rows);

/* Rows that are written at once, and where they go. */
struct lot {
    struct pd_bytes rows;
    uint64_t n, total; /* of this rank; in the table in the end */
    struct runs runs;
};

static void place_passages(struct pd_writer *w, const struct lot *lot)
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
    const struct pd_table_rows table = {columns, sizeof columns / sizeof *columns, lot->rows.v,
                                        sizeof(struct pd_row), lot->n};
    pd_writer_place(w, "passages", &table, lot->runs.v, lot->runs.n, lot->total);
}

static void place_pairs(struct pd_writer *w, const struct lot *lot)
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
    const struct pd_table_rows table = {columns, sizeof columns / sizeof *columns, lot->rows.v,
                                        sizeof(struct pd_pair), lot->n};
    pd_writer_place(w, "pairs", &table, lot->runs.v, lot->runs.n, lot->total);
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
    const size_t n = 2 * job->collection.files.n;
    uint64_t *counts = pd_realloc(NULL, n, sizeof *counts);
    memset(counts, 0, n * sizeof *counts);
    int status = write_documents(job, w, counts);
    if (status >= 0)
        status = write_skips(job, w);
    if (status >= 0)
        write_files(job, w, counts);
    free(counts);
    PD_TRY(status);
    write_common(job, w);
    pd_provenance_write(job, w);
    return PD_OK;
}

/* A table that is made from the slices' files. */
struct sliced {
    size_t size; /* bytes of a record */
    void (*place)(struct pd_writer *w, const struct lot *lot);
};
static const struct sliced row_table = {sizeof(struct pd_row), place_passages};
static const struct sliced pair_table = {sizeof(struct pd_pair), place_pairs};

/* This rank's parts of the slices, read one after the other. */
struct parts {
    struct pd_detect *job;
    const struct sliced *table;
    size_t next;            /* part, after the one at hand ... */
    uint64_t at, left;      /* ... whose next record goes there; records of it */
    struct pd_packed *file; /* of it */
    struct pd_cursor cursor;
    struct pd_rows rows; /* of the pair at hand ... */
    size_t row;          /* ... and the next one of these */
    struct pd_u64s scratch;
    struct runs places; /* of all parts in the table */
};

static uint64_t records_of(const struct parts *p, const struct pd_slice *s)
{
    return p->table == &row_table ? s->rows : s->pairs;
}

/* COLLECTIVE. Slice by slice, in it rank by rank: where this rank's parts go. Returns all records. */
static uint64_t find_places(struct parts *p)
{
    const struct pd_slices *slices = &p->job->slices;
    uint64_t before = 0;
    for (uint64_t slice = 0, k = 0; slice < p->job->nslices; slice++) {
        const uint64_t begin = k;
        uint64_t mine = 0;
        for (; k < slices->n && slices->v[k].slice == slice; k++)
            mine += records_of(p, &slices->v[k]);
        uint64_t at = before + pd_comm_before(p->job->comm, mine);
        for (uint64_t part = begin; part < k; part++) {
            const uint64_t n = records_of(p, &slices->v[part]);
            runs_push(&p->places, (struct pd_run_of_rows){at, n});
            at += n;
        }
        pd_comm_sum(p->job->comm, &mine, 1);
        before += mine;
    }
    return before;
}

/* Go on to the next part that has records. */
static int next_part(struct parts *p)
{
    struct pd_detect *job = p->job;
    while (p->left == 0 && p->next < p->places.n) {
        const struct pd_slice *s = &job->slices.v[p->next];
        p->at = p->places.v[p->next].at;
        p->left = p->places.v[p->next++].n;
        if (!p->left)
            continue;
        pd_packed_close(p->file);
        p->file = pd_packed_open(pd_scratch_path_of(&job->scratch, PD_ROW_FILES, s->file));
        if (!p->file)
            return PD_EIO;
        pd_cursor_begin(&p->cursor, p->file, 0, pd_packed_blocks(p->file));
    }
    return PD_OK;
}

/* The next pair of the part at hand. */
static int next_pair(struct parts *p)
{
    const unsigned char *recs;
    size_t n;
    const int status = pd_cursor_look(&p->cursor, &recs, &n);
    PD_CHECK(status != PD_END);
    PD_TRY(status);
    p->cursor.at += pd_rows_unfold(recs, &p->rows);
    p->row = 0;
    return PD_OK;
}

/* Of its rows, or of the next pair's, up to `most`. */
static int take_rows(struct parts *p, uint64_t most, struct lot *lot, size_t *n)
{
    if (p->row == p->rows.n)
        PD_TRY(next_pair(p));
    *n = p->rows.n - p->row < most ? p->rows.n - p->row : most;
    pd_bytes_append(&lot->rows, p->rows.v + p->row, *n * sizeof *p->rows.v);
    p->row += *n;
    return PD_OK;
}

static int take_pair(struct parts *p, struct lot *lot)
{
    PD_TRY(next_pair(p));
    pd_u64s_reserve(&p->scratch, p->rows.n);
    struct pd_pair pair = pd_pair_of(p->rows.v, p->rows.n, p->scratch.v);
    if (p->job->form.kind == PD_UNITS_WHOLE)
        pair.resemblance = pair.score; /* of the one passage, which is all of both */
    pd_bytes_append(&lot->rows, &pair, sizeof pair);
    return PD_OK;
}

/* Up to `most` records of the part at hand to the lot. */
static int take_records(struct parts *p, uint64_t most, struct lot *lot)
{
    most = most < p->left ? most : p->left;
    runs_push(&lot->runs, (struct pd_run_of_rows){p->at, most});
    for (size_t n = 1; most > 0; most -= n) {
        PD_TRY(p->table == &row_table ? take_rows(p, most, lot, &n) : take_pair(p, lot));
        p->at += n;
        p->left -= n;
        lot->n += n;
    }
    return PD_OK;
}

/* Asked to stop: the checkpoint has all that is being written. */
static int stopping(void)
{
    const int signal = pd_comm_stopping();
    return signal ? pd_fail(PD_ESTOP, "stopped by signal %d", signal) : PD_OK;
}

/* This rank's records whose places are below `to`. */
static int fill_lot(struct parts *p, uint64_t to, struct lot *lot)
{
    lot->rows.n = lot->n = lot->runs.n = 0;
    for (;;) {
        PD_TRY(next_part(p));
        if (p->left == 0 || p->at >= to)
            return stopping();
        PD_TRY(take_records(p, to - p->at, lot));
    }
}

static int write_lots(struct parts *p, struct lot *lot)
{
    struct pd_detect *job = p->job;
    const uint64_t step = rows_at_once(job, p->table->size);
    for (uint64_t to = step;; to += step) { /* also once when there are none */
        PD_TRY(pd_comm_agree(job->comm, fill_lot(p, to, lot)));
        p->table->place(job->writer, lot);
        if (to >= lot->total)
            return PD_OK;
    }
}

/* COLLECTIVE. One table of all slices. */
static int write_sliced(struct pd_detect *job, const struct sliced *table)
{
    struct parts p = {.job = job, .table = table};
    struct lot lot = {.total = find_places(&p)};
    const int status = write_lots(&p, &lot);
    pd_bytes_release(&lot.rows);
    runs_release(&lot.runs);
    runs_release(&p.places);
    pd_cursor_release(&p.cursor);
    pd_rows_release(&p.rows);
    pd_u64s_release(&p.scratch);
    pd_packed_close(p.file);
    return status;
}

static void sum_up_slices(struct pd_detect *job)
{
    for (size_t k = 0; k < job->slices.n; k++) {
        const struct pd_slice *s = &job->slices.v[k];
        job->passages += s->rows;
        job->pairs += s->pairs;
        job->same_host += s->same_host;
        job->too_short += s->too_short;
        job->below += s->below;
    }
}

static int write_result(struct pd_detect *job)
{
    sum_up_slices(job);
    PD_TRY(write_sliced(job, &row_table));
    PD_TRY(write_sliced(job, &pair_table));
    PD_TRY(write_tables(job, job->writer));
    return pd_comm_agree(job->comm, stopping());
}

int pd_detect_write(struct pd_detect *job)
{
    const struct pd_options *o = job->options;
    pd_stages_begin(&job->stages, PD_STAGE_WRITE);
    int status = pd_writer_open(job->comm, o->output, o->compress, &job->writer);
    if (status >= 0)
        status = write_result(job);
    if (status >= 0) {
        status = pd_writer_commit(job->writer);
        job->writer = NULL;
    }
    return pd_stages_end(&job->stages, status);
}
