/* app/output.c - see src/app/output.h */
#include "output.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pardup/base/error.h"
#include "pardup/run/option_table.h"
#include "pardup/run/own.h"

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
    if (!found && !o->force && !pd_is_own(o->output))
        return pd_fail(PD_EIO,
                       "%s: pardup has not written this file, which would be lost; name another "
                       "one, or add --force",
                       o->output);
    return PD_OK;
}
