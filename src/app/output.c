/* app/output.c - see src/app/output.h */
#include "output.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pardup/base/error.h"
#include "pardup/result/reader.h"
#include "pardup/result/schema.h"
#include "pardup/run/frequencies.h"
#include "pardup/run/option_table.h"

/* Is `path` the same file or folder as `known`? */
static bool is_same(const char *path, const struct stat *known)
{
    struct stat st;
    return path && stat(path, &st) == 0 && st.st_dev == known->st_dev && st.st_ino == known->st_ino;
}

static bool is_one_of(const struct pd_texts *paths, const struct stat *known)
{
    for (size_t k = 0; k < paths->n; k++)
        if (is_same(paths->v[k], known))
            return true;
    return false;
}

/* Does the option name a file that the command reads, and is it this one? */
static bool is_read(const struct pd_options *o, const struct pd_option *option,
                    const struct stat *known)
{
    static const char *const files[] = {"FILE", "FILE.csv", "LIST", "SOURCE",
                                        "TABLE"}; /* in --help */
    const void *member = (const char *)o + option->offset;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        if (option->arg && strcmp(option->arg, files[k]) == 0 &&
            strcmp(option->name, "output") != 0)
            return option->kind == PD_OPTION_TEXTS ? is_one_of(member, known)
                                                   : is_same(*(const char *const *)member, known);
    return false;
}

/* Fail if the output lies in the folder of the index, where it could replace one of its files. */
static int check_index(const struct pd_options *o)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(o->output, '/');
    struct stat index;
    if (!o->check.index || stat(o->check.index, &index))
        return PD_OK;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - o->output) + 1 : 1,
             slash ? o->output : ".");
    if (is_same(folder, &index))
        return pd_fail(PD_EIO, "%s: lies in the index; the result must have a place of its own",
                       o->output);
    return PD_OK;
}

/* ---- files that pardup has written ---- */

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
    for (int t = 0; t < PD_TABLES; t++)
        if (begins_as(&pd_schema[t], s, n))
            return true;
    return false;
}

static bool has(const char *s, size_t n, const char *text)
{
    return memmem(s, n, text, strlen(text)) != NULL;
}

/* Has pardup written the file? */
static bool is_ours(const char *path)
{
    static struct glimpse g;
    if (!read_glimpse(path, &g))
        return false;
    if (g.first_n == 0 || is_table(g.first, g.first_n) ||
        has(g.first, strnlen(PD_FREQUENCIES_MAGIC, g.first_n), PD_FREQUENCIES_MAGIC))
        return true;
    if (g.first_n >= 4 && memcmp(g.first, "PAR1", 4) == 0)
        return has(g.last, g.last_n, "pardup version");
    if (g.first[0] == '<')
        return has(g.first, g.first_n, "<meta name=\"generator\" content=\"pardup\">") ||
               has(g.first, g.first_n, "<title>Shared passages</title>"); /* up to 0.2 */
    return is_result(path);
}

int pd_output_check(const struct pd_options *o, const struct pd_command *command)
{
    struct stat known;
    const bool within = strcmp(command->name, "families") == 0; /* may write into its result */
    if (!o->output)
        return PD_OK;
    PD_TRY(check_index(o));
    if (stat(o->output, &known) || S_ISDIR(known.st_mode))
        return PD_OK; /* nothing is replaced */
    if (!S_ISREG(known.st_mode))
        return pd_fail(PD_EIO, "%s: is not a regular file; name one, which the output becomes",
                       o->output);
    bool found = is_one_of(&o->operands, &known);
    for (const struct pd_option *k = pd_option_table; k->name && !found; k++)
        found = pd_option_belongs(k, command->name) && is_read(o, k, &known);
    if (found && !within)
        return pd_fail(PD_EIO, "%s: is one of the inputs; the result must have its own name",
                       o->output);
    if (!found && !o->force && !is_ours(o->output))
        return pd_fail(PD_EIO,
                       "%s: pardup has not written this file, which would be lost; name another "
                       "one, or add --force",
                       o->output);
    return PD_OK;
}
