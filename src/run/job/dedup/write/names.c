/*
 * run/job/dedup/write/names.c - names of the files of the new collection, and whether they can be
 * written.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "run/job/dedup/job.h"

enum { BUNDLE_FILES = 1024 };
#define BUNDLE_BYTES ((uint64_t)32 << 20)
char *pd_dedup_whole_path(const char *folder, const char *path)
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

/*
 * What the file at `path` is called in the output folder. Attributes are JSON lines, and so is the
 * collection with --as jsonl, whose packing stays. Allocated.
 */
static char *name_of(const struct pd_dedup *d, const char *path)
{
    const bool lines =
        d->options->dedup.as == PD_WRITTEN_ATTRIBUTES && pd_dedup_ends_with(path, ".parquet");
    const char *packed = pd_dedup_ends_with(path, ".gz")    ? ".gz"
                         : pd_dedup_ends_with(path, ".zst") ? ".zst"
                                                            : "";
    const int n = (int)(strlen(path) - strlen(packed));
    if (d->options->dedup.as != PD_WRITTEN_JSONL)
        return pd_printed("%s%s", path, lines ? ".jsonl" : "");
    return pd_printed("%.*s%s%s", n, path,
                      n > 6 && memcmp(path + n - 6, ".jsonl", 6) == 0 ? "" : ".jsonl", packed);
}

static int compare_names(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Is this the name of the work folder, or in it? Without a collection nothing meets it. */
static bool is_own_name(const struct pd_dedup *d, const char *name)
{
    const struct pd_dedup_options *o = &d->options->dedup;
    const size_t n = strcspn(name, "/");
    return pd_writes_collection(o) && n == strlen(PD_DEDUP_WORK) &&
           strncmp(name, PD_DEDUP_WORK, n) == 0;
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
                             "%s: dedup has a folder of this name: rename the one of the "
                             "collection, and run detect again",
                             names[k]);
    }
    free(names);
    return status;
}

/* Is it the result that is read? That of decontaminate lies beside the proof. */
static bool is_result(const struct pd_dedup *d, const char *folder, const char *name)
{
    struct stat a, b;
    char *path = pd_printed("%s/%s", folder, name);
    const bool same = stat(path, &a) == 0 && stat(d->options->operands.v[0], &b) == 0 &&
                      a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    free(path);
    return same;
}

/* Is the folder empty, but for the result, or not there? */
static int check_empty(const struct pd_dedup *d, const char *path, const char *advice)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    bool used = false;
    if (!dir)
        return errno == ENOENT ? PD_OK : pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    while ((entry = readdir(dir)) != NULL)
        used |= strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                !is_result(d, path, entry->d_name);
    closedir(dir);
    return used ? pd_fail(PD_EIO, "%s: is not empty: choose another folder%s", path, advice)
                : PD_OK;
}

/* Is the folder at the first path, or in it, what the second one names? */
static bool holds(const char *folder, const char *path)
{
    const size_t n = strlen(folder);
    return strncmp(folder, path, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

/* A folder of data alone: the proof lies outside of it. */
static int check_apart(const struct pd_dedup *d)
{
    char here[PATH_MAX];
    const char *start = getcwd(here, sizeof here) ? here : "";
    char *output = pd_dedup_whole_path(start, d->options->output);
    char *proof = pd_dedup_whole_path(start, d->proof);
    const bool apart = !holds(output, proof) && !holds(proof, output);
    PD_FREE(output, proof);
    return apart ? PD_OK
                 : pd_fail(PD_EUSAGE, "--proof %s: neither it nor -o %s may be in the other one",
                           d->proof, d->options->output);
}

/* Are both folders empty, not there, or of an earlier try? */
static int check_folders(const struct pd_dedup *d)
{
    const char *path = d->options->output;
    const bool lists = !pd_writes_collection(&d->options->dedup); /* one folder */
    struct stat st;
    PD_TRY(lists ? PD_OK : check_apart(d));
    if (stat(d->work, &st) != 0) {
        PD_TRY(check_empty(d, path, ""));
        return lists ? PD_OK : check_empty(d, d->proof, " with --proof, or remove it");
    }
    return d->options->dedup.resume
               ? PD_OK
               : pd_fail(PD_EIO,
                         "%s: has the files of an earlier try: --resume goes on with them, or "
                         "remove the folder",
                         path);
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
            paths[n++] = pd_dedup_whole_path(folder, d->files[k].path);
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
    bundle_files(d);
    PD_TRY(check_names(d));
    PD_TRY(d->comm->rank == 0 ? check_folders(d) : PD_OK);
    return d->comm->rank == 0 ? check_inputs(d) : PD_OK;
}
