/* run/dedup/plan.c - what the result says: documents, files, passages, and names for the output. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/folder.h"
#include "pardup/base/log.h"
#include "pardup/base/minmax.h"
#include "run/dedup/dedup.h"

enum { ROWS_AT_ONCE = 1 << 16, BUNDLE_FILES = 1024 };
enum { LEAST_WORDS = 8 }; /* of a text that is found a second time in a document */
#define BUNDLE_BYTES ((uint64_t)32 << 20)

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

/* ---- names ---- */

/*
 * The path from the root, without `.`, `..` and empty parts; it begins in `folder` if it is none from
 * the root. Links are not followed. Allocated.
 */
static char *whole_path(const char *folder, const char *path)
{
    const char *const starts[] = {*path == '/' ? "" : folder, path};
    char *to = pd_realloc(NULL, strlen(folder) + strlen(path) + 3, 1);
    size_t n = 0;
    for (int k = 0; k < 2; k++)
        for (const char *at = starts[k]; *at;) {
            const size_t part = strcspn(at, "/");
            const bool up = part == 2 && memcmp(at, "..", 2) == 0;
            while (up && n > 0 && to[--n] != '/')
                ;
            if (part > 0 && !up && !(part == 1 && *at == '.')) {
                to[n++] = '/';
                memcpy(to + n, at, part);
                n += part;
            }
            at += part + (at[part] == '/');
        }
    to[n] = '\0';
    return to;
}

/* Bytes of the longest prefix of n paths that ends with a slash. */
static size_t common_folder(char *const *paths, size_t npaths)
{
    size_t n = npaths ? strlen(paths[0]) : 0;
    for (size_t k = 1; k < npaths; k++)
        while (n > 0 && strncmp(paths[0], paths[k], n) != 0)
            n--;
    while (n > 0 && paths[0][n - 1] != '/')
        n--;
    return n;
}

bool pd_dedup_ends_with(const char *s, const char *end)
{
    const size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

/* What the file at `path` is called in the output folder. Attributes are JSON lines. Allocated. */
static char *name_of(const struct pd_dedup *d, const char *path)
{
    const bool lines = d->options->dedup.annotate && pd_dedup_ends_with(path, ".parquet");
    const char *const end = lines ? ".jsonl" : "";
    const size_t n = strlen(path), m = strlen(end);
    char *name = pd_realloc(NULL, n + m + 1, 1);
    memcpy(name, path, n);
    memcpy(name + n, end, m + 1);
    return name;
}

static int compare_names(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Is this the name of a file or folder of the job itself, or in such a folder? */
static bool is_own_name(const struct pd_dedup *d, const char *name)
{
    static const char *const names[] = {PD_DEDUP_WORK, PD_DEDUP_REMOVED, PD_DEDUP_SUMMARY,
                                        PD_DEDUP_CHECK, PD_DEDUP_CHECKED};
    enum { WITH_CHECK = 2 }; /* names at the end, of --check only */
    const struct pd_dedup_options *o = &d->options->dedup;
    const size_t n = strcspn(name, "/"), all = sizeof names / sizeof *names;
    if (o->annotate || o->list) /* no collection is written, so no name can meet another one */
        return false;
    for (size_t k = 0; k < (o->check ? all : all - WITH_CHECK); k++)
        if (strlen(names[k]) == n && strncmp(name, names[k], n) == 0)
            return true;
    return false;
}

/* The proof and the summary of an earlier dedup hold no document. They are not written. */
static void leave_out_own_files(struct pd_dedup *d)
{
    for (uint64_t k = 0; k < d->nfiles; k++) {
        struct pd_dedup_file *f = &d->files[k];
        if (!f->written || f->first < f->last || !is_own_name(d, f->name))
            continue;
        f->written = false;
        if (d->comm->rank == 0)
            pd_log(PD_LOG_WARN, "%s: has no document, and is not copied: dedup has such a file too",
                   f->path);
    }
}

/* Names of the written files must differ, and none may be the folder of another. */
static int check_names(const struct pd_dedup *d)
{
    const char **names = pd_realloc(NULL, d->nfiles + 1, sizeof *names);
    size_t n = 0;
    int status = PD_OK;
    for (uint64_t k = 0; k < d->nfiles; k++)
        if (d->files[k].written)
            names[n++] = d->files[k].name;
    qsort(names, n, sizeof *names, compare_names);
    for (size_t k = 0; k < n && status >= 0; k++) {
        if (k > 0 && strcmp(names[k - 1], names[k]) == 0)
            status = pd_fail(PD_EUSAGE,
                             "%s: two files of the collection would be written to this one: run "
                             "detect with each file once",
                             names[k]);
        else if (is_own_name(d, names[k]))
            status = pd_fail(PD_EUSAGE,
                             "%s: dedup has a file or folder of this name: rename the one of the "
                             "collection, and run detect again",
                             names[k]);
    }
    free(names);
    return status;
}

/* Is the output folder empty, not there, or that of an earlier try? */
static int check_folder(const struct pd_dedup *d)
{
    const char *path = d->options->output;
    DIR *dir = opendir(path);
    const struct dirent *entry;
    bool used = false;
    struct stat st;
    if (!dir)
        return errno == ENOENT ? PD_OK : pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    while ((entry = readdir(dir)) != NULL)
        used |= strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    const bool tried = stat(d->work, &st) == 0;
    if (used && !tried)
        return pd_fail(PD_EIO, "%s: is not empty: choose another folder", path);
    if (tried && !d->options->dedup.resume)
        return pd_fail(PD_EIO,
                       "%s: has the files of an earlier try: --resume goes on with them, or "
                       "remove the folder",
                       path);
    return PD_OK;
}

/* No file that is written may be an input, under whatever name. Notes when inputs were changed. */
static int check_inputs(struct pd_dedup *d)
{
    char path[PATH_MAX];
    struct stat in, out;
    for (uint64_t k = 0; k < d->nfiles; k++) {
        if (!d->files[k].written)
            continue;
        if (stat(d->files[k].found, &in) != 0)
            return pd_fetch_tell(&d->fetch, d->files[k].found,
                                 pd_fail(PD_EIO, "%s: %s", d->files[k].found, strerror(errno)));
        if ((uint64_t)in.st_size != d->files[k].bytes)
            return pd_fail(PD_EFORMAT,
                           "%s: has changed since the result was made: run detect again",
                           d->files[k].found);
        d->files[k].changed =
            (uint64_t)in.st_mtim.tv_sec * 1000000000 + (uint64_t)in.st_mtim.tv_nsec;
        if (snprintf(path, sizeof path, "%s/%s", d->options->output, d->files[k].name) >=
            (int)sizeof path)
            return pd_fail(PD_EIO, "%s: the name is too long", d->files[k].name);
        if (stat(path, &out) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            return pd_fail(PD_EIO, "%s: would be written over: choose another folder", path);
    }
    return PD_OK;
}

/* Small files are written together: a file that is synced takes some 10 ms on a disk. */
static void bundle_files(struct pd_dedup *d)
{
    uint64_t bytes = 0;
    for (uint64_t k = 0; k < d->nfiles; k++) {
        struct pd_bundle *last = d->bundles.n ? &d->bundles.v[d->bundles.n - 1] : NULL;
        if (!last || bytes + d->files[k].bytes > BUNDLE_BYTES || k - last->from == BUNDLE_FILES) {
            pd_bundles_push(&d->bundles, (struct pd_bundle){k, k + 1});
            bytes = 0;
        } else {
            last->to = k + 1;
        }
        bytes += d->files[k].bytes;
    }
}

/* Name the written files as they are called below the folder that all of them share. */
static void set_names(struct pd_dedup *d)
{
    char **paths = pd_realloc(NULL, d->nfiles + 1, sizeof *paths), here[PATH_MAX];
    const char *folder = d->fetch.directory;
    size_t n = 0;
    if (!folder)
        folder = getcwd(here, sizeof here) ? here : "";
    for (uint64_t k = 0; k < d->nfiles; k++)
        if (d->files[k].written)
            paths[n++] = whole_path(folder, d->files[k].path);
    const size_t shared = common_folder(paths, n);
    for (uint64_t k = d->nfiles; k-- > 0;)
        if (d->files[k].written) {
            d->files[k].name = name_of(d, paths[--n] + shared);
            free(paths[n]);
        }
    free(paths);
}

int pd_dedup_name_files(struct pd_dedup *d)
{
    set_names(d);
    leave_out_own_files(d);
    bundle_files(d);
    PD_TRY(check_names(d));
    PD_TRY(d->comm->rank == 0 ? check_folder(d) : PD_OK);
    return d->comm->rank == 0 ? check_inputs(d) : PD_OK;
}
