/* run/stage/collection/unread.c - see unread.h */
#include "unread.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/sort.h"
#include "pardup/corpus/convert.h"
#include "pardup/run/option_table.h"

enum {
    NAMES_SHOWN = 5,   /* files that the message names */
    NAMES_BYTES = 1500 /* bytes of the list of names */
};

/* List the first names of the files into `list`. Returns how many different files there are. */
static size_t list_names(const struct pd_files *files, const struct pd_unread *unread,
                         char list[NAMES_BYTES])
{
    size_t n = 0, at = 0;
    *list = '\0';
    for (size_t k = 0; k < unread->n; k++) {
        if (k > 0 && unread->v[k] == unread->v[k - 1])
            continue;
        const char *name = files->v[unread->v[k]].path, *gap = n > 0 ? ", " : "";
        const size_t bytes = strlen(name) + strlen(gap);
        if (n < NAMES_SHOWN && at + bytes < NAMES_BYTES)
            at += (size_t)snprintf(list + at, NAMES_BYTES - at, "%s%s", gap, name);
        else if (n <= NAMES_SHOWN && at + strlen(", ...") < NAMES_BYTES)
            at += (size_t)snprintf(list + at, NAMES_BYTES - at, "%s...", gap);
        n++;
    }
    return n;
}

int pd_unread_files(const struct pd_files *files, struct pd_unread *unread,
                    const struct pd_input_options *o, bool tell)
{
    char names[NAMES_BYTES];
    if (unread->n == 0)
        return PD_OK;
    pd_sort_records(unread->v, unread->n, 1, 1);
    const size_t n = list_names(files, unread, names);
    const char *what = n == 1 ? "file was" : "files were";
    if (!o->skip_unknown)
        return pd_fail(PD_EFORMAT,
                       "%zu %s not read at all: %s; --skip-unknown goes on without them", n, what,
                       names);
    if (tell)
        pd_log(PD_LOG_WARN, "%zu %s not read at all: %s", n, what, names);
    return PD_OK;
}

/* Is `name` not what the option has when the user does not give it? */
static bool is_given(const char *option, const char *name)
{
    const struct pd_option *found = pd_option_find("detect", option, strlen(option));
    return name && (!found->standard || strcmp(name, found->standard) != 0);
}

int pd_unread_fields(const struct pd_field_counts *counts, const struct pd_input_options *o)
{
    const struct {
        const char *option, *name;
        uint64_t found;
    } fields[] = {{"id-field", o->id_field, counts->ids},
                  {"text-field", o->text_field, counts->texts},
                  {"url-field", o->url_field, counts->urls},
                  {"site-field", o->site_field, counts->sites}};
    for (size_t k = 0; counts->objects > 0 && k < sizeof fields / sizeof *fields; k++)
        if (fields[k].found == 0 && is_given(fields[k].option, fields[k].name))
            return pd_fail(PD_EFORMAT,
                           "--%s %s: none of the %" PRIu64 " JSON objects has this field",
                           fields[k].option, fields[k].name, counts->objects);
    return PD_OK;
}

void pd_unread_renamed(const struct pd_field_counts *counts)
{
    const uint64_t n = counts->renamed;
    if (n > 0)
        pd_log(PD_LOG_INFO,
               "%" PRIu64 " table%s columns in other letters, as Text or ID: taken for text or id",
               n, n == 1 ? " has" : "s have");
}

void pd_unread_kinds(const struct pd_field_counts *counts)
{
    static const char *const names[PD_KIND_CONVERTED] = {"docx", "odt", "pptx", "epub", "notebook"};
    struct pd_bytes list = {0};
    for (int k = 0; k < PD_KINDS; k++) {
        const uint64_t n = counts->kinds[k];
        if (n == 0)
            continue;
        pd_bytes_print(&list, "%s%s ", list.n ? ", " : "", pd_grouped(n));
        if (k < PD_KIND_CONVERTED) {
            pd_bytes_print(&list, "%s", names[k]);
        } else {
            const struct pd_converter *c = pd_converter(k - PD_KIND_CONVERTED);
            pd_bytes_print(&list, "%s (", c->kind);
            pd_converter_program(c, &list);
            pd_bytes_print(&list, ")");
        }
    }
    if (list.n > 0)
        pd_log(PD_LOG_INFO, "files made into text: %s", (const char *)list.v);
    pd_bytes_release(&list);
}

const char *pd_unread_hint(const struct pd_field_counts *counts)
{
    return counts->objects > 0 && counts->texts == 0
               ? ": no JSON object has the field with the text (--text-field)"
               : "";
}

int pd_unread_check(const struct pd_collection *col)
{
    struct pd_unread mine = {0}, unread = {0};
    struct pd_bytes all = {0};
    for (size_t k = 0; k < col->unread.n; k++)
        pd_unread_push(&mine, col->unread.v[k].file);
    pd_comm_gather(col->comm, mine.v, mine.n * sizeof *mine.v, &all);
    pd_unread_reserve(&unread, all.n / sizeof *unread.v);
    if (all.n > 0)
        memcpy(unread.v, all.v, all.n);
    unread.n = all.n / sizeof *unread.v;
    const struct pd_input_options *o = &col->options->input;
    int status = pd_unread_fields(&col->totals.fields, o);
    PD_THEN(status, pd_unread_files(&col->files, &unread, o, col->comm->rank == 0));
    PD_RELEASE(pd_unread, &mine, &unread);
    pd_bytes_release(&all);
    return status;
}

/* Where the ending of the file's name begins, with its dot; its end if it has none. */
static const char *ending_of(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    const char *dot = strrchr(*name, '.');
    return dot && dot > *name ? dot : *name + strlen(*name);
}

bool pd_unread_is_beside(const char *path)
{
    static const char *const names[] = {"README",       "LICENSE", "LICENCE",   "COPYING",
                                        "CONTRIBUTING", "NOTICE",  "CHANGELOG", "CODE_OF_CONDUCT"};
    static const char *const endings[] = {".yml", ".yaml", ".toml", ".cff", ".ini", ".cfg"};
    const char *name, *dot = ending_of(path, &name);
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        if (strcasecmp(dot, endings[k]) == 0)
            return true;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k]) == (size_t)(dot - name) &&
            strncasecmp(name, names[k], (size_t)(dot - name)) == 0)
            return true;
    return false;
}

void pd_unread_beside(const struct pd_files *files, uint64_t copies)
{
    enum { TOLD = 3 };                             /* of them are told */
    const char *name, *first = NULL, *text = NULL; /* the first file of each kind */
    for (size_t k = 0; k < files->n && (!first || !text); k++) {
        const char *path = files->v[k].path;
        const bool beside = pd_unread_is_beside(path);
        first = beside && !first ? path : first;
        text = !beside && !text ? path : text;
    }
    if (copies < TOLD || !text)
        return;
    const char *dot = ending_of(text, &name);
    pd_log(
        PD_LOG_INFO,
        "  %s files called as %s are in families of whole documents: --include '*%s' reads texts "
        "alone",
        pd_grouped(copies), first, *dot ? dot : ".txt");
}

bool pd_unread_is_text(const char *path)
{
    static const char *const endings[] = {".txt", ".text", ".html", ".htm", ".xhtml"};
    static const char *const packed[] = {".gz", ".zst", ".bz2", ".xz", ".lz4"};
    size_t n = strlen(path);
    for (size_t k = 0; k < sizeof packed / sizeof *packed; k++) {
        const size_t m = strlen(packed[k]);
        if (n > m && memcmp(path + n - m, packed[k], m) == 0) {
            n -= m;
            break;
        }
    }
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        const size_t m = strlen(endings[k]);
        if (n > m && strncasecmp(path + n - m, endings[k], m) == 0)
            return true;
    }
    return false;
}
