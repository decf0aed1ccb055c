/* run/dedup/plan.c - what the result says: documents, files and passages. */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "run/dedup/dedup.h"

enum { ROWS_AT_ONCE = 1 << 16 };
enum { LEAST_WORDS = 8 }; /* of a text that is found a second time in a document */

#define U64_AT(type, member) offsetof(struct type, member)

/*
 * Read a column of counts into a member of n structs of `size` bytes.
 *   offset   bytes from the start of a struct to the member, a uint64_t
 */
static int read_counts(struct pd_result *r, const char *table, const char *column, uint64_t n,
                       void *structs, size_t size, size_t offset)
{
    struct pd_cells cells = {0};
    int status = PD_OK;
    for (uint64_t from = 0, take; from < n && status >= 0; from += take) {
        take = n - from < ROWS_AT_ONCE ? n - from : ROWS_AT_ONCE;
        status = pd_result_read(r, table, column, from, take, &cells);
        for (uint64_t k = 0; k < take && status >= 0; k++) {
            const uint64_t value = pd_cells_count(&cells, k);
            memcpy((char *)structs + (from + k) * size + offset, &value, sizeof value);
        }
    }
    pd_bytes_release(&cells.values);
    return status;
}

/* Append the sources of an index to the documents. No file of the collection has them. */
static int append_sources(struct pd_dedup *d)
{
    d->docs = pd_realloc(d->docs, d->ndocs + d->foreign + 1, sizeof *d->docs);
    struct pd_dedup_doc *sources = d->docs + d->ndocs;
    for (uint64_t k = 0; k <= d->foreign; k++)
        sources[k] = (struct pd_dedup_doc){.file = UINT64_MAX};
    d->targets = d->ndocs;
    d->ndocs += d->foreign;
    PD_TRY(read_counts(d->result, "sources", "text_bytes", d->foreign, sources, sizeof *sources,
                       U64_AT(pd_dedup_doc, text_bytes)));
    return read_counts(d->result, "sources", "text_hash", d->foreign, sources, sizeof *sources,
                       U64_AT(pd_dedup_doc, text_hash));
}

static int load_documents(struct pd_dedup *d)
{
    static const struct {
        const char *name;
        size_t offset;
    } columns[] = {{"file", U64_AT(pd_dedup_doc, file)},
                   {"offset", U64_AT(pd_dedup_doc, offset)},
                   {"skip", U64_AT(pd_dedup_doc, skip)},
                   {"text_bytes", U64_AT(pd_dedup_doc, text_bytes)},
                   {"text_hash", U64_AT(pd_dedup_doc, text_hash)},
                   {"words", U64_AT(pd_dedup_doc, words)}};
    PD_TRY(pd_result_rows(d->result, "documents", &d->ndocs));
    d->docs = pd_realloc(NULL, d->ndocs + 1, sizeof *d->docs);
    memset(d->docs, 0, (d->ndocs + 1) * sizeof *d->docs);
    d->has_words = pd_result_has(d->result, "documents", "words");
    d->targets = d->ndocs;
    if (pd_result_count(d->result, "targets", &d->targets) && d->targets > d->ndocs)
        return pd_fail(PD_EFORMAT, "%s: more targets than documents", pd_result_path(d->result));
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        if (pd_result_has(d->result, "documents", columns[k].name))
            PD_TRY(read_counts(d->result, "documents", columns[k].name, d->ndocs, d->docs,
                               sizeof *d->docs, columns[k].offset));
    return d->foreign ? append_sources(d) : PD_OK;
}

static char *copy_text(const char *s, size_t n)
{
    char *to = pd_realloc(NULL, n + 1, 1);
    memcpy(to, s, n);
    to[n] = '\0';
    return to;
}

/* Set first and last of the files. Documents are numbered file by file. */
static int share_documents(struct pd_dedup *d)
{
    uint64_t doc = 0, target_files = 0;
    const bool told = pd_result_count(d->result, "target_files", &target_files);
    for (uint64_t k = 0; k < d->nfiles; k++) {
        struct pd_dedup_file *f = &d->files[k];
        f->first = doc;
        while (doc < d->ndocs && d->docs[doc].file == k)
            doc++;
        f->last = doc;
        f->written =
            told ? k < target_files : f->first < d->targets || d->targets == d->ndocs || d->foreign;
    }
    if (doc < d->ndocs - d->foreign)
        return pd_fail(PD_EFORMAT, "%s: /documents are not in the order of /files",
                       pd_result_path(d->result));
    return PD_OK;
}

static int load_files(struct pd_dedup *d)
{
    struct pd_cells paths = {0};
    PD_TRY(pd_result_rows(d->result, "files", &d->nfiles));
    d->files = pd_realloc(NULL, d->nfiles + 1, sizeof *d->files);
    memset(d->files, 0, (d->nfiles + 1) * sizeof *d->files);
    PD_TRY(read_counts(d->result, "files", "bytes", d->nfiles, d->files, sizeof *d->files,
                       U64_AT(pd_dedup_file, bytes)));
    const int status = pd_result_read(d->result, "files", "path", 0, d->nfiles, &paths);
    for (uint64_t k = 0; k < d->nfiles && status >= 0; k++) {
        size_t n;
        const char *path = pd_cells_text(&paths, k, &n);
        d->files[k].path = copy_text(path, n);
        d->files[k].found = copy_text(path, n);
        pd_fetch_find(&d->fetch, &d->files[k].found);
    }
    pd_bytes_release(&paths.values);
    return status < 0 ? status : share_documents(d);
}

/* ---- passages ---- */

static int load_passages(struct pd_dedup *d)
{
    static const char *const names[] = {"doc_a", "doc_b", "begin_a", "end_a", "begin_b", "end_b"};
    enum { A, B, BEGIN_A, END_A, BEGIN_B, END_B, COLUMNS };
    struct pd_cells cells[COLUMNS] = {{0}};
    const uint64_t first_source = d->foreign ? d->targets : 0;
    uint64_t rows;
    PD_TRY(pd_result_rows(d->result, "passages", &rows));
    if (pd_result_has(d->result, "families", "members")) {
        d->families = pd_realloc(NULL, rows + 1, sizeof *d->families);
        PD_TRY(read_counts(d->result, "passages", "family", rows, d->families, sizeof *d->families,
                           0));
    }
    int status = PD_OK;
    pd_claims_reserve(&d->claims, rows);
    for (uint64_t from = 0, take; from < rows && status >= 0; from += take) {
        take = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        for (int c = 0; c < COLUMNS && status >= 0; c++)
            status = pd_result_read(d->result, "passages", names[c], from, take, &cells[c]);
        for (uint64_t k = 0; k < take && status >= 0; k++) {
            const struct pd_claim claim = {.gone = pd_cells_count(&cells[A], k),
                                           .kept = pd_cells_count(&cells[B], k) + first_source,
                                           .row = from + k,
                                           .gone_bytes = pd_cells_count(&cells[BEGIN_A], k) << 32 |
                                                         pd_cells_count(&cells[END_A], k),
                                           .kept_bytes = pd_cells_count(&cells[BEGIN_B], k) << 32 |
                                                         pd_cells_count(&cells[END_B], k)};
            if (claim.gone >= d->ndocs - d->foreign || claim.kept >= d->ndocs)
                status = pd_fail(PD_EFORMAT, "%s: /passages names documents that are not there",
                                 pd_result_path(d->result));
            else if (claim.gone != claim.kept)
                pd_claims_push(&d->claims, claim);
        }
    }
    for (int c = 0; c < COLUMNS; c++)
        pd_bytes_release(&cells[c].values);
    return status;
}

int pd_dedup_plan(const struct pd_dedup *d, const char *what, uint64_t n, enum pd_budget budget)
{
    const uint64_t megabyte = (uint64_t)1 << 20, most = pd_budget_bytes(d->memory, budget);
    if (n <= most)
        return PD_OK;
    return pd_fail(
        PD_EFULL, "%s: %s take %llu MB on each rank, but have %llu MB of %llu: give --memory %lluM",
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

int pd_dedup_load(struct pd_dedup *d)
{
    enum { LISTS = 3 }; /* of documents in passages: of the rank, of all ranks, in order */
    const size_t marks = 2 * sizeof(uint64_t); /* of what is held of each */
    uint64_t rows, docs;
    load_options(d);
    PD_TRY(pd_result_rows(d->result, "passages", &rows));
    PD_TRY(pd_result_rows(d->result, "documents", &docs));
    docs += d->foreign;
    PD_TRY(
        pd_dedup_plan(d, "its tables",
                      docs * (sizeof(struct pd_dedup_doc) + 1) +
                          rows * (sizeof(struct pd_claim) + sizeof *d->families) +
                          pd_min_u64(docs, 2 * rows) * (LISTS * sizeof(struct pd_worded) + marks),
                      PD_BUDGET_CLAIMS));
    PD_TRY(load_documents(d));
    PD_TRY(load_files(d));
    return load_passages(d);
}
