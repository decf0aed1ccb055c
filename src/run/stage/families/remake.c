/*
 * run/stage/families/remake.c - see include/pardup/run/families.h
 *
 * Each rank takes a range of /pairs with their rows of /passages, and a range of /documents. The
 * file is copied, the old families are taken out of the copy, and the new ones are written there.
 */
#include "pardup/run/families.h"

#include <stdlib.h>
#include <string.h>

#include "families.h"
#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/result/table.h"
#include "pardup/run/option_table.h"
#include "run/stage/table/table.h"

enum { MEMBER_BITS = 30 };

/* Columns of the tables of the result. An earlier pardup may have made it. */
enum { DOC_A, DOC_B, BEGIN_A, END_A, BEGIN_B, END_B, WORDS_A, WORDS_B };
static const char *const passage_columns[] = {
    "?doc_a", "?doc_b", "?begin_a", "?end_a", "?begin_b", "?end_b", "?words_a", "?words_b", NULL};
enum { PAIR_A, PAIR_B, PASSAGES, COVERAGE_A, COVERAGE_B, RESEMBLANCE };
static const char *const pair_columns[] = {
    "?doc_a", "?doc_b", "?passages", "?coverage_a", "?coverage_b", "?resemblance", NULL};
static const char *const length_columns[] = {"?text_bytes", NULL};
static const char *const date_columns[] = {"?date", NULL};

struct remaking {
    struct pd_job job;
    struct pd_result *result;
    struct pd_table_reader passages, pairs, lengths, dates;
    struct pd_table_reader sources; /* lengths, in a result of check */
    uint64_t pair, end_pair;        /* the next pair of this rank; the end of its pairs */
    uint64_t row, first_row;        /* the next row of /passages of this rank; its first one */
    pd_doc dated, end_dated; /* the next document asked for its date; the end of this rank's */
    struct pd_families *families;
    struct pd_writer *writer;
};

/* ---- reading ---- */

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
    const struct pd_table_reader *t = &r->passages;
    uint64_t at[4];
    PD_TRY(pd_table_at(&r->passages, r->row));
    for (int c = 0; c < 4; c++)
        at[c] = pd_table_count(t, BEGIN_A + c);
    if (pd_table_count(t, DOC_A) != pair->a ||
        number_of(r, pd_table_count(t, DOC_B), true) != pair->b || at[0] >= at[1] ||
        at[2] >= at[3] || (at[1] | at[3]) >> MEMBER_BITS)
        return damaged(r, "passages", r->row);
    pd_rows_push(rows, (struct pd_row){.a = pair->a,
                                       .b = pair->b,
                                       .bytes_a = at[0] << 32 | at[1],
                                       .bytes_b = at[2] << 32 | at[3],
                                       .words = pd_table_count(t, WORDS_A) << 32 |
                                                pd_table_count(t, WORDS_B)});
    r->row++;
    return PD_OK;
}

static int next_pair(void *ctx, struct pd_rows *rows, struct pd_pair *pair, uint64_t *first)
{
    struct remaking *r = ctx;
    const struct pd_table_reader *t = &r->pairs;
    if (r->pair == r->end_pair)
        return PD_END;
    PD_TRY(pd_table_at(&r->pairs, r->pair));
    *pair = (struct pd_pair){.a = pd_table_count(t, PAIR_A),
                             .b = number_of(r, pd_table_count(t, PAIR_B), true),
                             .passages = pd_table_count(t, PASSAGES),
                             .coverage_a = pd_table_real(t, COVERAGE_A),
                             .coverage_b = pd_table_real(t, COVERAGE_B),
                             .resemblance = pd_table_real(t, RESEMBLANCE)};
    const uint64_t documents = r->job.collection.totals.documents;
    if (pair->a > pair->b || pair->a >= documents ||
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
    struct pd_table_reader *t = source ? &r->sources : &r->lengths;
    PD_TRY(pd_table_at(t, source ? doc - r->lengths.rows : doc));
    *bytes = pd_table_count(t, 0);
    return PD_OK;
}

static int holder_of(void *ctx, pd_doc doc)
{
    const struct remaking *r = ctx;
    const uint64_t documents = r->lengths.rows;
    return doc < documents ? (int)((unsigned __int128)doc * (unsigned)r->job.comm->size / documents)
                           : PD_FAMILIES_SOURCES_AT;
}

static int next_dated(void *ctx, pd_doc *doc, struct pd_date *date)
{
    struct remaking *r = ctx;
    size_t n;
    while (r->dated < r->end_dated) {
        PD_TRY(pd_table_at(&r->dates, r->dated));
        const char *text = pd_table_text(&r->dates, 0, &n);
        *doc = r->dated++;
        *date = pd_date_parse(text, n);
        if (pd_date_is_known(*date))
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
    PD_TRY(pd_table_open(&r->passages, r->result, "passages", passage_columns));
    PD_TRY(pd_table_open(&r->pairs, r->result, "pairs", pair_columns));
    PD_TRY(pd_table_open(&r->lengths, r->result, "documents", length_columns));
    PD_TRY(pd_table_open(&r->dates, r->result, "documents", date_columns));
    r->job.collection.totals.documents = r->lengths.rows;
    if (pd_result_has(r->result, "sources", "id"))
        PD_TRY(pd_table_open(&r->sources, r->result, "sources", length_columns));
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
    uint64_t mine = 0, all;
    int status = PD_OK;
    r->pair = r->pairs.rows * rank / size;
    r->end_pair = r->pairs.rows * (rank + 1) / size;
    for (uint64_t pair = r->pair; pair < r->end_pair && status >= 0; pair++) {
        status = pd_table_at(&r->pairs, pair);
        mine += status < 0 ? 0 : pd_table_count(&r->pairs, PASSAGES);
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
        pd_stages_progress(&r->job.stages, until, total, 0, 0);
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
    struct pd_families_from from = {r, next_pair, length_of, holder_of, next_dated, 0};
    PD_TRY(pd_comm_agree(r->job.comm, open_result(r)));
    documents_of(r, &r->dated, &r->end_dated);
    if (!pd_result_has(r->result, "documents", "date")) /* an earlier pardup made the result */
        from.dated = NULL;
    PD_TRY(divide(r));
    from.rows = r->passages.rows / (uint64_t)r->job.comm->size;
    PD_TRY(pd_families_find_in(&r->job, &from, &r->families));
    pd_progress_begin(&r->job.stages.progress, "write");
    PD_TRY(write_result(r));
    const int status = pd_writer_commit(r->writer);
    r->writer = NULL;
    pd_progress_end(&r->job.stages.progress);
    if (status >= 0)
        pd_families_tell(&r->job.written.families);
    return status;
}

int pd_families_remake(const struct pd_comm *c, const struct pd_options *options)
{
    struct remaking r = {.result = NULL};
    struct pd_options o = *options;
    o.output = o.output ? o.output : o.operands.v[0];
    pd_job_init(&r.job, c, &o);
    int status = pd_scratch_open(&r.job.scratch, c, &o);
    if (status >= 0) {
        status = pd_writer_check(c, o.output);
        PD_THEN(status, remake(&r));
        pd_writer_discard(r.writer);
        pd_families_close(r.families);
        pd_scratch_empty(&r.job.scratch);
        pd_scratch_close(&r.job.scratch);
    }
    pd_table_close(&r.passages);
    pd_table_close(&r.pairs);
    pd_table_close(&r.lengths);
    pd_table_close(&r.sources);
    pd_table_close(&r.dates);
    pd_result_close(r.result);
    pd_job_release(&r.job);
    return status;
}
