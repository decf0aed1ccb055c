/* run/dedup/plan.c - what the result says: documents, files and options. */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "run/dedup/owners.h"

enum { ROWS_AT_ONCE = 1 << 16 }; /* rows of a chunk, which is unpacked as a whole */
enum { LEAST_WORDS = 8 };        /* of a text that is found a second time in a document */

int pd_dedup_counts(struct pd_dedup *d, const char *table, const char *column, uint64_t from,
                    uint64_t to, int (*take)(void *ctx, uint64_t row, uint64_t value), void *ctx)
{
    struct pd_cells cells = {0};
    int status = PD_OK;
    for (uint64_t n; from < to && status >= 0; from += n) {
        n = pd_min_u64(to - from, ROWS_AT_ONCE - from % ROWS_AT_ONCE);
        status = pd_result_read(d->result, table, column, from, n, &cells);
        for (uint64_t k = 0; k < n && status >= 0; k++)
            status = take(ctx, from + k, pd_cells_count(&cells, k));
    }
    pd_bytes_release(&cells.values);
    return status;
}

int pd_dedup_doc(struct pd_dedup *d, enum pd_doc_column column, uint64_t doc, uint64_t *value)
{
    static const char *const names[] = {[PD_DOC_OFFSET] = "offset",
                                        [PD_DOC_SKIP] = "skip",
                                        [PD_DOC_TEXT_BYTES] = "text_bytes",
                                        [PD_DOC_TEXT_HASH] = "text_hash",
                                        [PD_DOC_WORDS] = "words"};
    struct pd_doc_window *w = &d->windows[column];
    const bool foreign = pd_dedup_is_foreign(d, doc);
    const uint64_t first = foreign ? d->targets : 0, end = d->ndocs - (foreign ? 0 : d->foreign);
    const char *table = foreign ? "sources" : "documents";
    *value = 0;
    if (doc < w->from || doc - w->from >= w->n) {
        const uint64_t row = (doc - first) / ROWS_AT_ONCE * ROWS_AT_ONCE;
        if (!pd_result_has(d->result, table, names[column]))
            return PD_OK;
        w->from = first + row;
        w->n = pd_min_u64(end - w->from, ROWS_AT_ONCE);
        PD_TRY(pd_result_read(d->result, table, names[column], row, w->n, &w->cells));
    }
    *value = pd_cells_count(&w->cells, doc - w->from);
    return PD_OK;
}

/* ---- files ---- */

static int set_bytes(void *ctx, uint64_t row, uint64_t value)
{
    ((struct pd_dedup *)ctx)->files[row].bytes = value;
    return PD_OK;
}

static char *copy_text(const char *s, size_t n)
{
    char *to = pd_realloc(NULL, n + 1, 1);
    memcpy(to, s, n);
    to[n] = '\0';
    return to;
}

static int load_files(struct pd_dedup *d)
{
    struct pd_cells paths = {0};
    PD_TRY(pd_result_rows(d->result, "files", &d->nfiles));
    d->files = pd_realloc(NULL, d->nfiles + 1, sizeof *d->files);
    memset(d->files, 0, (d->nfiles + 1) * sizeof *d->files);
    PD_TRY(pd_dedup_counts(d, "files", "bytes", 0, d->nfiles, set_bytes, d));
    const int status = pd_result_read(d->result, "files", "path", 0, d->nfiles, &paths);
    for (uint64_t k = 0; k < d->nfiles && status >= 0; k++) {
        size_t n;
        const char *path = pd_cells_text(&paths, k, &n);
        d->files[k].path = copy_text(path, n);
        d->files[k].found = copy_text(path, n);
        pd_fetch_find(&d->fetch, &d->files[k].found);
    }
    pd_bytes_release(&paths.values);
    return status;
}

/* How many documents of a range of rows each file has. */
struct counting {
    struct pd_dedup *d;
    uint64_t *counts; /* by file, and behind them: of no file */
};

static int count_file(void *ctx, uint64_t row, uint64_t file)
{
    struct counting *c = ctx;
    (void)row;
    c->counts[pd_min_u64(file, c->d->nfiles)]++;
    return PD_OK;
}

/* Is the document one of the documents of its file? */
static int check_file(void *ctx, uint64_t row, uint64_t file)
{
    const struct pd_dedup *d = ((struct counting *)ctx)->d;
    return file < d->nfiles && row >= d->files[file].first && row < d->files[file].last
               ? PD_OK
               : pd_fail(PD_EFORMAT, "%s: /documents are not in the order of /files",
                         pd_result_path(d->result));
}

/* COLLECTIVE. Set first and last of the files. Documents are numbered file by file. */
static int share_documents(struct pd_dedup *d)
{
    const struct pd_comm *c = d->comm;
    const uint64_t rows = d->ndocs - d->foreign, from = pd_first_row(rows, c->rank, c->size);
    const uint64_t to = pd_first_row(rows, c->rank + 1, c->size);
    struct counting counting = {d, pd_realloc(NULL, d->nfiles + 1, sizeof(uint64_t))};
    uint64_t target_files = 0, doc = 0;
    const bool told = pd_result_count(d->result, "target_files", &target_files);
    memset(counting.counts, 0, (d->nfiles + 1) * sizeof(uint64_t));
    int status =
        pd_comm_agree(c, pd_dedup_counts(d, "documents", "file", from, to, count_file, &counting));
    pd_comm_sum(c, counting.counts, (int)d->nfiles + 1);
    for (uint64_t k = 0; k < d->nfiles; k++) {
        struct pd_dedup_file *f = &d->files[k];
        f->first = doc;
        f->last = doc += counting.counts[k];
        f->written =
            told ? k < target_files : f->first < d->targets || d->targets == rows || d->foreign;
    }
    if (status >= 0)
        status = pd_dedup_counts(d, "documents", "file", from, to, check_file, &counting);
    free(counting.counts);
    return pd_comm_agree(c, status);
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
    uint64_t gamma = 0, ngram = 0, words = 0, same_host = 0;
    pd_result_count(d->result, "gamma", &gamma);
    pd_result_count(d->result, "ngram", &ngram);
    pd_result_count(d->result, "min_passage_words", &words);
    pd_result_count(d->result, "skip_same_host", &same_host);
    const uint64_t least = grams ? gamma + ngram : LEAST_WORDS;
    d->least_words = words > least ? words : least;
    d->least_units = grams ? 0 : gamma + 1;
    d->skips = same_host || has_text(d->result, "skip_same", NULL);
}

static int load_tables(struct pd_dedup *d)
{
    uint64_t rows;
    load_options(d);
    PD_TRY(pd_result_rows(d->result, "passages", &d->passages));
    PD_TRY(pd_result_rows(d->result, "documents", &rows));
    d->has_words = pd_result_has(d->result, "documents", "words");
    d->has_families = pd_result_has(d->result, "families", "members");
    d->targets = rows;
    d->ndocs = rows + d->foreign;
    if (pd_result_count(d->result, "targets", &d->targets) && d->targets > rows)
        return pd_fail(PD_EFORMAT, "%s: more targets than documents", pd_result_path(d->result));
    if (d->foreign)
        d->targets = rows;
    return load_files(d);
}

int pd_dedup_load(struct pd_dedup *d)
{
    PD_TRY(pd_comm_agree(d->comm, load_tables(d)));
    return share_documents(d);
}
