/*
 * run/families/remake.c - see include/pardup/run/families.h
 *
 * Each rank takes a range of /pairs with their rows of /passages, and a range of /documents. The
 * file is copied, the old families are taken out of the copy, and the new ones are written there.
 */
#include "pardup/run/families.h"

#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "families.h"
#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/result/reader.h"
#include "pardup/result/rows.h"
#include "pardup/run/option_table.h"
#include "run/table/table.h"

enum { ROWS_AT_ONCE = 1 << 16, MEMBER_BITS = 30 };

/* A table of the result, read a window of rows at a time. */
enum { WINDOW_COLUMNS = 10 };
struct window {
    const char *table;
    const char *columns[WINDOW_COLUMNS]; /* NULL behind the last */
    bool missing[WINDOW_COLUMNS];        /* the result has no such column */
    struct pd_cells cells[WINDOW_COLUMNS];
    uint64_t rows;    /* of the table */
    uint64_t from, n; /* the rows at hand */
};

enum { DOC_A, DOC_B, BEGIN_A, END_A, BEGIN_B, END_B, WORDS_A, WORDS_B }; /* of /passages */
enum { PAIR_A, PAIR_B, PASSAGES, COVERAGE_A, COVERAGE_B, RESEMBLANCE };  /* of /pairs */
static const struct window passages_window = {
    .table = "passages",
    .columns = {"doc_a", "doc_b", "begin_a", "end_a", "begin_b", "end_b", "words_a", "words_b"}};
static const struct window pairs_window = {
    .table = "pairs",
    .columns = {"doc_a", "doc_b", "passages", "coverage_a", "coverage_b", "resemblance"}};
static const struct window lengths_window = {.table = "documents", .columns = {"text_bytes"}};
static const struct window sources_window = {.table = "sources", .columns = {"text_bytes"}};
static const struct window dates_window = {.table = "documents", .columns = {"date"}};

struct remaking {
    struct pd_job job;
    struct pd_result *result;
    struct window passages, pairs, lengths, dates;
    struct window sources;   /* lengths, in a result of check */
    uint64_t pair, end_pair; /* the next pair of this rank; the end of its pairs */
    uint64_t row, first_row; /* the next row of /passages of this rank; its first one */
    pd_doc dated, end_dated; /* the next document asked for its date; the end of this rank's */
    struct pd_families *families;
    struct pd_writer *writer;
};

/* ---- reading ---- */

static int open_window(struct remaking *r, struct window *w, const struct window *what)
{
    *w = *what;
    for (size_t c = 0; c < WINDOW_COLUMNS && w->columns[c]; c++)
        w->missing[c] = !pd_result_has(r->result, w->table, w->columns[c]);
    return pd_result_rows(r->result, w->table, &w->rows);
}

static void close_window(struct window *w)
{
    for (size_t c = 0; c < WINDOW_COLUMNS; c++)
        pd_bytes_release(&w->cells[c].values);
}

/* Bring a row to hand; it is *k of the cells. */
static int bring(struct remaking *r, struct window *w, uint64_t row, uint64_t *k)
{
    if (row < w->from || row - w->from >= w->n) {
        w->from = row;
        w->n = row < w->rows ? pd_min_u64(w->rows - row, ROWS_AT_ONCE) : 1; /* too few: refused */
        for (size_t c = 0; c < WINDOW_COLUMNS && w->columns[c]; c++)
            if (!w->missing[c])
                PD_TRY(pd_result_read(r->result, w->table, w->columns[c], w->from, w->n,
                                      &w->cells[c]));
    }
    *k = row - w->from;
    return PD_OK;
}

static uint64_t count(const struct window *w, int column, uint64_t k)
{
    return w->missing[column] ? 0 : pd_cells_count(&w->cells[column], k);
}

static int damaged(const struct remaking *r, const char *what, uint64_t row)
{
    return pd_fail(PD_EFORMAT, "%s: row %llu of /%s is damaged", pd_result_path(r->result),
                   (unsigned long long)row, what);
}

/*
 * The number of a document among all of the families: second documents may be sources of an index.
 */
static pd_doc number_of(const struct remaking *r, uint64_t row, bool second)
{
    return second && r->job.foreign_sources ? pd_families_source(&r->job, row) : row;
}

/* Append the next row of /passages, which belongs to `pair`. */
static int read_row(struct remaking *r, const struct pd_pair *pair, struct pd_rows *rows)
{
    const struct window *w = &r->passages;
    uint64_t k, at[4];
    PD_TRY(bring(r, &r->passages, r->row, &k));
    for (int c = 0; c < 4; c++)
        at[c] = count(w, BEGIN_A + c, k);
    if (count(w, DOC_A, k) != pair->a || number_of(r, count(w, DOC_B, k), true) != pair->b ||
        at[0] > at[1] || at[2] > at[3] || (at[1] | at[3]) >> MEMBER_BITS)
        return damaged(r, "passages", r->row);
    pd_rows_push(rows, (struct pd_row){.a = pair->a,
                                       .b = pair->b,
                                       .bytes_a = at[0] << 32 | at[1],
                                       .bytes_b = at[2] << 32 | at[3],
                                       .words = count(w, WORDS_A, k) << 32 | count(w, WORDS_B, k)});
    r->row++;
    return PD_OK;
}

static int next_pair(void *ctx, struct pd_rows *rows, struct pd_pair *pair, uint64_t *first)
{
    struct remaking *r = ctx;
    const struct window *w = &r->pairs;
    uint64_t k;
    if (r->pair == r->end_pair)
        return PD_END;
    PD_TRY(bring(r, &r->pairs, r->pair, &k));
    *pair = (struct pd_pair){.a = count(w, PAIR_A, k),
                             .b = number_of(r, count(w, PAIR_B, k), true),
                             .passages = count(w, PASSAGES, k),
                             .coverage_a = pd_cells_real(&w->cells[COVERAGE_A], k),
                             .coverage_b = pd_cells_real(&w->cells[COVERAGE_B], k)};
    if (!w->missing[RESEMBLANCE])
        pair->resemblance = pd_cells_real(&w->cells[RESEMBLANCE], k);
    const uint64_t documents = r->job.collection.totals.documents;
    if (pair->a >= pair->b || pair->a >= documents ||
        pair->b >= documents + r->job.foreign_sources || pair->passages == 0)
        return damaged(r, "pairs", r->pair);
    *first = r->row;
    for (uint64_t n = 0; n < pair->passages; n++)
        PD_TRY(read_row(r, pair, rows));
    r->pair++;
    return PD_OK;
}

static int length_of(void *ctx, pd_doc doc, uint64_t *bytes)
{
    struct remaking *r = ctx;
    const bool source = doc >= r->lengths.rows;
    struct window *w = source ? &r->sources : &r->lengths;
    uint64_t k;
    PD_TRY(bring(r, w, source ? doc - r->lengths.rows : doc, &k));
    *bytes = count(w, 0, k);
    return PD_OK;
}

static int holder_of(void *ctx, pd_doc doc)
{
    const struct remaking *r = ctx;
    const uint64_t documents = r->lengths.rows;
    return doc < documents ? (int)((unsigned __int128)doc * (unsigned)r->job.comm->size / documents)
                           : PD_FAMILIES_SOURCES_AT;
}

static int next_dated(void *ctx, pd_doc *doc, uint64_t *date)
{
    struct remaking *r = ctx;
    uint64_t k;
    while (r->dated < r->end_dated) {
        PD_TRY(bring(r, &r->dates, r->dated, &k));
        size_t n;
        const char *text = pd_cells_text(&r->dates.cells[0], k, &n);
        *doc = r->dated++;
        *date = pd_date_parse(text, n);
        if (*date != PD_NO_DATE)
            return PD_OK;
    }
    return PD_END;
}

/* ---- the job ---- */

/* Set the options that the families depend on from the result. */
static int read_options(struct remaking *r)
{
    struct pd_method_options *o = &r->job.settled.method;
    const double asked = o->family_coverage;
    char *text;
    PD_TRY(pd_result_text(r->result, "units", &text));
    const int units = pd_option_choice(pd_option_find("detect", "units", strlen("units")), text);
    free(text);
    o->units = units < 0 ? PD_UNIT_SENTENCE : (enum pd_unit_kind)units;
    PD_TRY(pd_result_real(r->result, "tau", &o->tau));
    if (asked < 0 && pd_result_real(r->result, "family_coverage", &o->family_coverage) < 0) {
        pd_error_clear(); /* an earlier pardup made the result */
        o->family_coverage =
            atof(pd_option_find("detect", "family-coverage", strlen("family-coverage"))->standard);
    }
    const struct pd_option *compress = pd_option_find("detect", "compress", strlen("compress"));
    PD_TRY(pd_result_text(r->result, "compress", &text));
    const int kind = pd_option_choice(compress, text);
    free(text);
    r->job.settled.job.compress = kind < 0 ? PD_COMPRESS_DEFLATE : (enum pd_compress)kind;
    return PD_OK;
}

static int open_result(struct remaking *r)
{
    PD_TRY(pd_result_open(r->job.options->operands.v[0], &r->result));
    PD_TRY(open_window(r, &r->passages, &passages_window));
    PD_TRY(open_window(r, &r->pairs, &pairs_window));
    PD_TRY(open_window(r, &r->lengths, &lengths_window));
    PD_TRY(open_window(r, &r->dates, &dates_window));
    r->job.collection.totals.documents = r->lengths.rows;
    if (pd_result_has(r->result, "sources", "id"))
        PD_TRY(open_window(r, &r->sources, &sources_window));
    r->job.foreign_sources = r->sources.rows;
    return read_options(r);
}

/* The documents of this rank: [*from, *to). */
static void documents_of(struct remaking *r, pd_doc *from, pd_doc *to)
{
    const uint64_t documents = r->lengths.rows;
    for (*from = 0; *from < documents && holder_of(r, *from) < r->job.comm->rank;)
        ++*from;
    for (*to = *from; *to < documents && holder_of(r, *to) == r->job.comm->rank;)
        ++*to;
}

/* COLLECTIVE. Set which pairs and passages this rank takes. */
static int divide(struct remaking *r)
{
    const struct pd_comm *c = r->job.comm;
    const uint64_t rank = (uint64_t)c->rank, size = (uint64_t)c->size;
    uint64_t mine = 0, all, k;
    int status = PD_OK;
    r->pair = r->pairs.rows * rank / size;
    r->end_pair = r->pairs.rows * (rank + 1) / size;
    for (uint64_t pair = r->pair; pair < r->end_pair && status >= 0; pair++) {
        status = bring(r, &r->pairs, pair, &k);
        mine += status < 0 ? 0 : count(&r->pairs, PASSAGES, k);
    }
    r->row = r->first_row = pd_comm_before(c, mine);
    all = mine;
    pd_comm_sum(c, &all, 1);
    if (status >= 0 && all != r->passages.rows)
        status = pd_fail(PD_EFORMAT, "%s: /pairs counts %llu passages, /passages has %llu",
                         pd_result_path(r->result), (unsigned long long)all,
                         (unsigned long long)r->passages.rows);
    return pd_comm_agree(c, status);
}

/* ---- writing ---- */

/* One column of a table: a table that has only this column. */
struct only {
    struct pd_column columns[2];
    struct pd_table_schema table;
};

static void only_family(struct only *o, enum pd_table table)
{
    const struct pd_column *column = pd_schema[table].columns;
    while (strcmp(column->name, "family") != 0)
        column++;
    *o = (struct only){.columns = {*column}};
    o->columns[0].offset = 0;
    o->table = (struct pd_table_schema){pd_schema[table].name, NULL, o->columns};
}

/* The family of a row, whatever the table is, as its 8 bytes lie in the file. */
static int family_at(struct remaking *r, enum pd_table table, uint64_t row, uint64_t *family)
{
    int64_t of = -1;
    if (table == PD_TABLE_PASSAGES)
        return pd_families_of(r->families, row, family);
    const int status =
        pd_families_of_document(r->families, number_of(r, row, table == PD_TABLE_SOURCES), &of);
    *family = (uint64_t)of;
    return status;
}

/* COLLECTIVE. Write the families of rows [from, to), which this rank has, of a table. */
static int write_families(struct remaking *r, enum pd_table table, uint64_t from, uint64_t to,
                          uint64_t total)
{
    const uint64_t step = pd_rows_at_once(&r->job, 2 * sizeof(uint64_t));
    struct pd_columns cols;
    struct only only;
    uint64_t until = 0;
    int status;
    only_family(&only, table);
    pd_columns_init(&cols, &only.table, NULL);
    do {
        until = pd_min_u64(until + step, total);
        status = PD_OK;
        for (; from < pd_min_u64(to, until) && status >= 0; from++) {
            uint64_t family;
            status = family_at(r, table, from, &family);
            if (status >= 0)
                pd_columns_add(&cols, from, &family, sizeof family, 1);
        }
        status = pd_comm_agree(r->job.comm, status < 0 ? status : pd_comm_check_stop());
        if (status >= 0)
            pd_writer_put(r->writer, &cols, until, total);
    } while (status >= 0 && until < total);
    pd_columns_release(&cols);
    return status;
}

/* COLLECTIVE. Write the copy with the new families. */
static int write_result(struct remaking *r)
{
    const struct pd_comm *c = r->job.comm;
    const struct pd_options *o = r->job.options;
    const uint64_t documents = r->lengths.rows;
    pd_doc from, to;
    PD_TRY(pd_writer_open_copy(c, o->operands.v[0], o->output, o->job.compress, &r->writer));
    for (size_t k = 0; k < 3; k++)
        pd_writer_remove(r->writer,
                         ((const char *[]){"families", "members", "document_families"})[k]);
    pd_writer_remove(r->writer, "passages/family");
    pd_writer_remove(r->writer, "documents/family");
    if (r->sources.rows)
        pd_writer_remove(r->writer, "sources/family");
    documents_of(r, &from, &to);
    PD_TRY(write_families(r, PD_TABLE_PASSAGES, r->first_row, r->row, r->passages.rows));
    PD_TRY(write_families(r, PD_TABLE_DOCUMENTS, from, to, documents));
    if (r->sources.rows)
        PD_TRY(write_families(r, PD_TABLE_SOURCES, 0,
                              c->rank == PD_FAMILIES_SOURCES_AT ? r->sources.rows : 0,
                              r->sources.rows));
    PD_TRY(pd_families_write(r->families, r->writer, &r->job.written.families));
    pd_writer_real(r->writer, "family_coverage", o->method.family_coverage);
    return PD_OK;
}

/* COLLECTIVE. */
static int remake(struct remaking *r)
{
    struct pd_families_from from = {r, next_pair, length_of, holder_of, next_dated};
    PD_TRY(pd_comm_agree(r->job.comm, open_result(r)));
    documents_of(r, &r->dated, &r->end_dated);
    if (r->dates.missing[0]) /* an earlier pardup made the result */
        from.dated = NULL;
    PD_TRY(divide(r));
    PD_TRY(pd_families_find_in(&r->job, &from, &r->families));
    PD_TRY(write_result(r));
    const int status = pd_writer_commit(r->writer);
    r->writer = NULL;
    if (status >= 0)
        pd_families_tell(&r->job.written.families);
    return status;
}

int pd_families_remake(const struct pd_comm *c, const struct pd_options *options)
{
    struct remaking r = {.result = NULL};
    struct pd_options o = *options;
    o.output = o.output ? o.output : o.operands.v[0];
    o.job.progress = PD_PROGRESS_NONE;
    pd_job_init(&r.job, c, &o);
    int status = pd_scratch_open(&r.job.scratch, c, &o);
    if (status >= 0) {
        status = pd_writer_check(c, o.output);
        if (status >= 0)
            status = remake(&r);
        pd_writer_discard(r.writer);
        pd_families_close(r.families);
        pd_scratch_empty(&r.job.scratch);
        pd_scratch_close(&r.job.scratch);
    }
    close_window(&r.passages);
    close_window(&r.pairs);
    close_window(&r.lengths);
    close_window(&r.sources);
    close_window(&r.dates);
    pd_result_close(r.result);
    pd_job_release(&r.job);
    return status;
}
