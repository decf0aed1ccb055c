/* run/job/dedup/loading.c - what the result says: documents, files and options. */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"
#include "run/job/dedup/owners.h"

enum {
    LEAST_WORDS = 8, /* of a text that is found a second time in a document */
    MIN_RUN = 20     /* words in a row that may go */
};

/* Bring the row of a document to hand, in *t. */
static int row_of(const struct pd_dedup *d, struct pd_table_reader readers[2], uint64_t doc,
                  struct pd_table_reader **t)
{
    const bool foreign = pd_dedup_is_foreign(d, doc);
    *t = &readers[foreign];
    return pd_table_at(*t, doc - (foreign ? d->targets : 0));
}

int pd_dedup_doc(struct pd_dedup *d, enum pd_doc_column column, uint64_t doc, uint64_t *value)
{
    struct pd_table_reader *t;
    PD_TRY(row_of(d, d->documents, doc, &t));
    *value = pd_table_count(t, column);
    return PD_OK;
}

int pd_dedup_find_id(struct pd_dedup *d, uint64_t doc, const char **id, size_t *n)
{
    struct pd_table_reader *t;
    PD_TRY(row_of(d, d->ids, doc, &t));
    *id = pd_table_text(t, 0, n);
    return PD_OK;
}

/* ---- sources of a result of check: documents that are in an index ---- */

/*
 * Open the index, if it is there and has the texts of the sources. Otherwise their files are read.
 */
static void open_index(struct pd_dedup *d)
{
    struct pd_index *x = &d->index;
    pd_fetch_find(&d->fetch, &d->index_path);
    if (pd_index_open(x, d->index_path) >= 0 && x->nsegments && x->segments[0].counts.with_text &&
        x->manifest.head.documents >= d->foreign) {
        pd_fetch_use_index(&d->source_fetch, x);
        return;
    }
    pd_error_clear();
    pd_index_close(x);
}

int pd_dedup_open_sources(struct pd_dedup *d)
{
    if (!pd_result_has(d->result, "sources", "id"))
        return PD_OK;
    PD_TRY(pd_result_rows(d->result, "sources", &d->foreign));
    PD_TRY(pd_result_text(d->result, "source_index", &d->index_path));
    PD_TRY(pd_fetch_init_second(&d->source_fetch, d->result));
    open_index(d);
    return PD_OK;
}

void pd_dedup_close_sources(struct pd_dedup *d)
{
    if (d->index_path)
        pd_fetch_release(&d->source_fetch);
    pd_index_close(&d->index);
    free(d->index_path);
}

/* Has the source at hand the text that it had when the result was made? */
static int is_same(struct pd_dedup *d, uint64_t doc, bool *same)
{
    const struct pd_document *t = &d->source_fetch.document;
    uint64_t bytes, hash;
    PD_TRY(pd_dedup_doc(d, PD_DOC_TEXT_BYTES, doc, &bytes));
    PD_TRY(pd_dedup_doc(d, PD_DOC_TEXT_HASH, doc, &hash));
    *same = t->text_n == bytes && pd_hash_bytes(t->text, t->text_n) == hash;
    return PD_OK;
}

int pd_dedup_read_source(struct pd_dedup *d, uint64_t doc)
{
    struct pd_fetch *f = &d->source_fetch;
    bool same = true;
    PD_TRY(pd_fetch_row(f, doc - d->targets));
    PD_TRY(f->index ? is_same(d, doc, &same) : PD_OK);
    if (same)
        return PD_OK;
    pd_fetch_use_index(f, NULL); /* it was made again since; the files may be as they were */
    f->doc = UINT64_MAX;
    return pd_fetch_row(f, doc - d->targets);
}

/* ---- files ---- */

static int load_files(struct pd_dedup *d)
{
    static const char *const columns[] = {"path", "bytes", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, d->result, "files", columns);
    d->nfiles = t.rows;
    d->files = pd_zeroed(d->nfiles + 1, sizeof *d->files);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        size_t n;
        const char *path = pd_table_text(&t, 0, &n);
        struct pd_dedup_file *f = &d->files[t.row];
        f->path = pd_printed("%.*s", (int)n, path);
        f->found = pd_printed("%s", f->path);
        f->bytes = pd_table_count(&t, 1);
        pd_fetch_find(&d->fetch, &f->found);
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

/* Count the documents [from, to) of each file, and behind them those of no file. */
static int count_documents(struct pd_dedup *d, uint64_t from, uint64_t to, uint64_t *counts)
{
    for (uint64_t doc = from, file; doc < to; doc++) {
        PD_TRY(pd_dedup_doc(d, PD_DOC_FILE, doc, &file));
        counts[pd_min_u64(file, d->nfiles)]++;
    }
    return PD_OK;
}

/* Is each of the documents [from, to) one of the documents of its file? */
static int check_documents(struct pd_dedup *d, uint64_t from, uint64_t to)
{
    for (uint64_t doc = from, file; doc < to; doc++) {
        PD_TRY(pd_dedup_doc(d, PD_DOC_FILE, doc, &file));
        if (file >= d->nfiles || doc < d->files[file].first || doc >= d->files[file].last)
            return pd_fail(PD_EFORMAT, "%s: /documents are not in the order of /files",
                           pd_result_path(d->result));
    }
    return PD_OK;
}

/* COLLECTIVE. Set first and last of the files. Documents are numbered file by file. */
static int share_documents(struct pd_dedup *d)
{
    const struct pd_comm *c = d->comm;
    const uint64_t rows = d->ndocs - d->foreign, from = pd_first_row(rows, c->rank, c->size);
    const uint64_t to = pd_first_row(rows, c->rank + 1, c->size);
    uint64_t *counts = pd_zeroed(d->nfiles + 1, sizeof *counts);
    uint64_t target_files = 0, doc = 0;
    const bool told = pd_result_count(d->result, "target_files", &target_files);
    int status = pd_comm_agree(c, count_documents(d, from, to, counts));
    pd_comm_sum(c, counts, (int)d->nfiles + 1);
    for (uint64_t k = 0; k < d->nfiles; k++) {
        struct pd_dedup_file *f = &d->files[k];
        f->first = doc;
        f->last = doc += counts[k];
        f->written =
            told ? k < target_files : f->first < d->targets || d->targets == rows || d->foreign;
    }
    free(counts);
    return pd_comm_agree(c, status < 0 ? status : check_documents(d, from, to));
}

/* ---- options ---- */

int pd_dedup_plan(const struct pd_dedup *d, const char *what, uint64_t n, enum pd_budget budget)
{
    const uint64_t megabyte = (uint64_t)1 << 20, most = pd_budget_bytes(d->memory, budget);
    if (n <= most)
        return PD_OK;
    return pd_fail(
        PD_EFULL, "%s: %s take %llu MB on a rank, but have %llu MB of %llu: give --memory %lluM",
        pd_result_path(d->result), what, (unsigned long long)(n / megabyte),
        (unsigned long long)(most / megabyte), (unsigned long long)(d->memory / megabyte),
        (unsigned long long)(pd_budget_memory(n, budget) / megabyte + 1));
}

static bool has_text(struct pd_result *r, const char *name, const char *text)
{
    char *value = NULL;
    if (pd_result_text(r, name, &value) < 0)
        pd_error_clear();
    const bool has = value && (text ? strcmp(value, text) == 0 : *value);
    free(value);
    return has;
}

/* What the options of the result say of its passages. */
static void load_options(struct pd_dedup *d)
{
    const bool grams = has_text(d->result, "units", "gram");
    uint64_t gamma = 0, ngram = 0, characters = 0, words = 0, same_host = 0;
    pd_result_count(d->result, "gamma", &gamma);
    pd_result_count(d->result, "ngram", &ngram);
    pd_result_count(d->result, "char_ngram", &characters);
    pd_result_count(d->result, "min_passage_words", &words);
    pd_result_count(d->result, "skip_same_host", &same_host);
    const uint64_t least = grams ? gamma + ngram : LEAST_WORDS;
    d->least_words = words > least ? words : least;
    if (characters > ngram && ngram) /* words are single characters, at worst */
        d->least_words = (d->least_words * characters + ngram - 1) / ngram;
    d->gram_words = ngram;
    d->least_units = grams ? 0 : gamma + 1;
    d->skips = same_host || has_text(d->result, "skip_same", NULL);
    pd_result_count(d->result, "max_df", &d->most);
    d->most_places = has_text(d->result, "max_df_of", "times");
    d->common_first = has_text(d->result, "common", "first");
    d->seeks = !d->skips && d->targets == d->ndocs && !d->options->dedup.run;
}

/*
 * A copy inside a collection, or of what is known, is cut out as a person would do it. Text of
 * sources, such as a benchmark, must not stay: it goes sentence by sentence, and with changed
 * numbers, too.
 */
static void load_cutting(struct pd_dedup *d)
{
    const struct pd_dedup_options *o = &d->options->dedup;
    d->careful = (d->known || d->targets == d->ndocs) && o->remove == PD_REMOVE_PASSAGES;
    d->min_run = o->min_run >= 0 ? (uint64_t)o->min_run : d->careful ? MIN_RUN : 1;
}

static int load_tables(struct pd_dedup *d)
{
    static const char *const tables[] = {"documents", "sources"}, *const id[] = {"id", NULL};
    static const char *const columns[] = {"?file",      "?offset", "?skip", "?text_bytes",
                                          "?text_hash", "?words",  NULL};
    for (int k = 0; k < (d->foreign ? 2 : 1); k++) {
        PD_TRY(pd_table_open(&d->documents[k], d->result, tables[k], columns));
        PD_TRY(pd_table_open(&d->ids[k], d->result, tables[k], id));
    }
    PD_TRY(pd_result_rows(d->result, "passages", &d->passages));
    const uint64_t rows = d->documents[0].rows;
    d->has_words = pd_result_has(d->result, "documents", "words");
    d->has_families = pd_result_has(d->result, "families", "members");
    d->targets = rows;
    d->ndocs = rows + d->foreign;
    if (pd_result_count(d->result, "targets", &d->targets) && d->targets > rows)
        return pd_fail(PD_EFORMAT, "%s: more targets than documents", pd_result_path(d->result));
    if (d->foreign)
        d->targets = rows;
    uint64_t within = 0;
    pd_result_count(d->result, "within", &within);
    if (within)
        return pd_fail(
            PD_EFORMAT,
            "%s: was made with --within, which also pairs a document with itself; make it "
            "again without that option",
            pd_result_path(d->result));
    load_options(d);
    load_cutting(d);
    return load_files(d);
}

int pd_dedup_load(struct pd_dedup *d)
{
    PD_TRY(pd_comm_agree(d->comm, load_tables(d)));
    return share_documents(d);
}
