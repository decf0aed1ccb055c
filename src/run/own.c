/* run/own.c - see include/pardup/run/own.h */
#include "pardup/run/own.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pardup/base/error.h"
#include "pardup/result/names.h"
#include "pardup/result/reader.h"
#include "pardup/result/schema.h"
#include "pardup/run/frequencies.h"

enum { LOOKED_AT = 1 << 16 }; /* bytes at the beginning, and at the end, of a file */

/* The first or last bytes of a file. */
struct glimpse {
    char first[LOOKED_AT], last[LOOKED_AT];
    size_t first_n, last_n;
};

static bool read_glimpse(const char *path, struct glimpse *g)
{
    FILE *f = fopen(path, "re");
    if (!f)
        return false;
    g->first_n = fread(g->first, 1, sizeof g->first, f);
    const bool sought = fseek(f, 0, SEEK_END) == 0;
    const long size = sought ? ftell(f) : -1;
    const bool there =
        size >= 0 && fseek(f, size > LOOKED_AT ? size - LOOKED_AT : 0, SEEK_SET) == 0;
    g->last_n = there ? fread(g->last, 1, sizeof g->last, f) : 0;
    fclose(f);
    return there;
}

static bool is_result(const char *path)
{
    struct pd_result *r;
    char *version = NULL;
    const bool found =
        pd_result_open(path, &r) == PD_OK && pd_result_text(r, "pardup_version", &version) == PD_OK;
    free(version);
    pd_result_close(r);
    pd_error_clear();
    return found;
}

/* Pass the value of a member of an object: from behind its ':' to the ',' or '}' behind it. */
static const char *pass_value(const char *s, const char *end)
{
    if (s < end && *s == '"')
        for (s++; s < end && *s != '"'; s++)
            s += *s == '\\';
    while (s < end && *s != ',' && *s != '}')
        s++;
    return s;
}

/*
 * Find the next name of a line: from `s` on in a header, from its '"' on in JSON. Returns where the
 * name after it begins, or NULL: there is no name.
 */
static const char *next_name(const char *s, const char *end, bool json, size_t *n)
{
    const char *to = s;
    while (to < end && !strchr("\t,\"\r\n", *to))
        to++;
    *n = (size_t)(to - s);
    if (!json)
        return to < end ? to + 1 : NULL;
    if (to + 1 >= end || to[0] != '"' || to[1] != ':')
        return NULL;
    to = pass_value(to + 2, end);
    return to + 1 < end && to[1] == '"' ? to + 2 : end;
}

/* Does s[0, n), a header or a line of JSON, begin with the first columns of a table, in their order? */
static bool begins_as(const struct pd_table_schema *table, const char *s, size_t n)
{
    enum { COLUMNS = 3 }; /* that are compared: one or two are names that others use, too */
    const bool json = n > 2 && s[0] == '{' && s[1] == '"';
    const char *const end = s + n, *at = s + 2 * json;
    for (int k = 0; k < COLUMNS && table->columns[k].name; k++) {
        size_t bytes;
        const char *name = at;
        at = at < end ? next_name(name, end, json, &bytes) : NULL;
        if (!at || strlen(table->columns[k].name) != bytes ||
            memcmp(table->columns[k].name, name, bytes) != 0)
            return false;
    }
    return true;
}

static bool is_table(const char *s, size_t n)
{
    for (int t = 0; t < PD_TABLES_AND_VIEWS; t++)
        if (begins_as(&pd_schema[t], s, n))
            return true;
    return false;
}

static bool has(const char *s, size_t n, const char *text)
{
    return memmem(s, n, text, strlen(text)) != NULL;
}

bool pd_is_own(const char *path)
{
    static struct glimpse g;
    if (!read_glimpse(path, &g))
        return false;
    if (g.first_n == 0 || is_table(g.first, g.first_n) ||
        has(g.first, strnlen(PD_FREQUENCIES_MAGIC, g.first_n), PD_FREQUENCIES_MAGIC))
        return true;
    if (g.first_n >= 4 && memcmp(g.first, "PAR1", 4) == 0)
        return has(g.last, g.last_n, "pardup version");
    if (g.first[0] == '{' && has(g.first, g.first_n, "\"driver\":{\"name\":\"pardup\""))
        return true;
    if (g.first[0] == '<')
        return has(g.first, g.first_n, "<!-- generator: pardup -->") ||
               has(g.first, g.first_n, "<meta name=\"generator\" content=\"pardup\">") ||
               has(g.first, g.first_n, "<title>Shared passages</title>"); /* up to 0.2 */
    return is_result(path);
}

/* ---- among inputs ---- */

static bool is_sheet(const char *path)
{
    static struct glimpse g;
    return read_glimpse(path, &g) && has(g.first, g.first_n, PD_SHEET_COLUMNS);
}

static bool ends_with(const char *s, const char *end)
{
    const size_t n = strlen(s), m = strlen(end);
    return n > m && strcmp(s + n - m, end) == 0;
}

/* Bytes of the folder of a path, with its slash. */
static size_t folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Is the file a result, or the output of this job? */
static bool is_result_or(const struct pd_file *file, const struct stat *output)
{
    struct stat st;
    return (ends_with(file->path, ".h5") && file->bytes > 0 && is_result(file->path)) ||
           (output && stat(file->path, &st) == 0 && st.st_dev == output->st_dev &&
            st.st_ino == output->st_ino);
}

/* Is it a file of pardup, or the output, in a folder that has a result? */
static bool is_passed(const struct pd_file *file, const struct pd_names *folders,
                      const struct stat *output)
{
    static const char *const endings[] = {".html",    ".csv",   ".tsv",     ".txt",  ".jsonl",
                                          ".parquet", ".sarif", ".graphml", ".gexf", ".svg"};
    bool own = is_result_or(file, output);
    for (size_t k = 0; k < sizeof endings / sizeof *endings && !own; k++)
        own = ends_with(file->path, endings[k]) && file->bytes > 0 &&
              pd_names_find(folders, file->path, folder_of(file->path), 0) &&
              (pd_is_own(file->path) || is_sheet(file->path));
    return own;
}

int pd_own_folder(const char *path, const char *mark)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    bool used = false, own = false;
    if (!dir)
        return errno == ENOENT ? PD_OK : pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    while ((entry = readdir(dir)) != NULL) {
        used |= strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
        own |= strcmp(entry->d_name, mark) == 0;
    }
    closedir(dir);
    return own || !used
               ? PD_OK
               : pd_fail(PD_EIO, "%s: is not empty, and has no %s of pardup: choose another folder",
                         path, mark);
}

uint64_t pd_pass_own(struct pd_files *files, size_t from, const char *output,
                     struct pd_bytes *first)
{
    struct stat st;
    const struct stat *out = output && stat(output, &st) == 0 ? &st : NULL;
    struct pd_names folders = {0};
    size_t kept = from;
    for (size_t k = from; k < files->n; k++)
        if (is_result_or(&files->v[k], out))
            pd_names_put(&folders, files->v[k].path, folder_of(files->v[k].path), 1);
    for (size_t k = from; k < files->n && folders.names.n; k++) {
        const bool passed = is_passed(&files->v[k], &folders, out);
        if (!passed) {
            files->v[kept++] = files->v[k];
            continue;
        }
        if (first->n == 0)
            pd_bytes_append(first, files->v[k].path, strlen(files->v[k].path) + 1);
        free(files->v[k].path);
    }
    const uint64_t passed = folders.names.n ? files->n - kept : 0;
    files->n -= passed;
    pd_names_release(&folders);
    return passed;
}
