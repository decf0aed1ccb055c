/* app/cmd_report.c - pardup report: one page to look at, search, print and send. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/report/report.h"
#include "commands.h"
#include "pardup/base/error.h"
#include "pardup/base/folder.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/run/own.h"
#include "pardup/store/commit.h"
#include "part.h"

static int settle(struct pd_options *o)
{
    if (o->print.each && (o->print.doc || o->print.family >= 0))
        return pd_fail(PD_EUSAGE, "report: --each takes no --doc and no --family");
    if (o->print.hide_names && !o->print.each && !o->print.doc)
        return pd_fail(PD_EUSAGE, "report: --hide-names needs --each or --doc");
    return o->output ? PD_OK : pd_fail(PD_EUSAGE, "report: give the page a name with -o FILE");
}

static int write_page(struct pd_page *r, const char *path)
{
    char *part = pd_part_begin(path);
    FILE *f = fopen(part, "wx");
    int status = f ? pd_report_write(r, f) : pd_fail(PD_EIO, "%s: %s", part, strerror(errno));
    if (f && status >= 0) {
        const long bytes = ftell(f);
        status = pd_file_commit(f, part, path);
        if (status >= 0 && !r->options->print.each)
            pd_log(PD_LOG_INFO, "%s: %s of %s passage%s, %s document%s, %s", path,
                   pd_grouped(r->passages.n), pd_grouped(r->rows), pd_plural(r->rows),
                   pd_grouped(r->documents.n), pd_plural(r->documents.n), pd_size((uint64_t)bytes));
    } else if (f) {
        fclose(f);
    }
    return pd_part_end(part, status);
}

/* Write a page: of the row `only` of /documents, or of what the options say. */
static int make_page(const struct pd_options *o, uint64_t only, const char *path)
{
    struct pd_page r;
    int status = pd_report_open(&r, o, only);
    if (status >= 0)
        status = write_page(&r, path);
    if (r.missing > 1)
        pd_log(PD_LOG_WARN, "%s texts cannot be read any more: the page is without them",
               pd_grouped(r.missing));
    pd_report_release(&r);
    return status;
}

/* ---- a page for each document ---- */

static const char key_head[] = "student,page,id\n"; /* the first line of a key */

/* May the file be written? It may if it is not there, or if pardup has written it. */
static int check_free(const struct pd_options *o, const char *path, bool own)
{
    if (access(path, F_OK) != 0 || own || o->force)
        return PD_OK;
    return pd_fail(PD_EIO,
                   "%s: pardup has not written this file, which would be lost; choose another "
                   "folder, or add --force",
                   path);
}

/* Does the file begin as a key does? */
static bool is_key(const char *path)
{
    char head[sizeof key_head] = "";
    FILE *f = fopen(path, "r");
    const bool read = f && fgets(head, sizeof head, f);
    if (f)
        fclose(f);
    return read && strcmp(head, key_head) == 0;
}

static void put_key(struct pd_bytes *key, uint64_t row, const char *page, const char *id, size_t n)
{
    pd_bytes_print(key, "%llu,%s,\"", pd_ull(row + 1), page);
    for (size_t k = 0; k < n; k++) {
        if (id[k] == '"')
            pd_bytes_push(key, '"');
        pd_bytes_push(key, (unsigned char)id[k]);
    }
    pd_bytes_print(key, "\"\n");
}

/* Write the page of each document to the folder, and list them in `key`. */
static int write_pages(const struct pd_options *o, const char *folder, struct pd_bytes *key,
                       uint64_t *pages)
{
    static const char *const columns[] = {"id", NULL};
    struct pd_result *result;
    struct pd_table_reader t = {.rows = 0};
    int status = pd_result_open(o->operands.v[0], &result);
    *pages = status < 0 ? 0 : pd_report_targets(result);
    if (status >= 0)
        status = pd_table_open(&t, result, "documents", columns);
    for (uint64_t row = 0; row < *pages && status >= 0; row++) {
        size_t n;
        char *name = pd_printed("page-%llu.html", pd_ull(row + 1));
        char *path = pd_printed("%s/%s", folder, name);
        status = pd_table_at(&t, row);
        if (status >= 0)
            status = check_free(o, path, pd_is_own(path));
        if (status >= 0) {
            const char *id = pd_table_text(&t, 0, &n);
            put_key(key, row, name, id, n);
            status = make_page(o, row, path);
        }
        free(name);
        free(path);
    }
    pd_table_close(&t);
    pd_result_close(result);
    return status;
}

static int write_key(const struct pd_bytes *key, const char *path)
{
    char *part = pd_part_begin(path);
    FILE *f = fopen(part, "wx");
    int status = f && fwrite(key->v, 1, key->n, f) == key->n
                     ? PD_OK
                     : pd_fail(PD_EIO, "%s: %s", part, strerror(errno));
    if (f && status >= 0)
        status = pd_file_commit(f, part, path);
    else if (f)
        fclose(f);
    return pd_part_end(part, status);
}

static int make_each(const struct pd_options *o)
{
    uint64_t pages;
    int lock = -1;
    size_t n = strlen(o->output);
    while (n > 1 && o->output[n - 1] == '/')
        n--;
    char *folder = pd_printed("%.*s", (int)n, o->output), *path = pd_printed("%s.key.csv", folder);
    struct pd_bytes key = {0};
    int status = check_free(o, path, is_key(path));
    pd_bytes_print(&key, "%s", key_head);
    if (status >= 0 && mkdir(folder, 0777) != 0 && errno != EEXIST)
        status = pd_fail(PD_EIO, "%s: %s", folder, strerror(errno));
    if (status >= 0)
        status = pd_folder_lock(folder, &lock);
    if (status >= 0)
        status = write_pages(o, folder, &key, &pages);
    if (status >= 0)
        status = write_key(&key, path);
    if (status >= 0)
        pd_log(PD_LOG_INFO, "%s: %s page%s; %s says whose they are", folder, pd_grouped(pages),
               pd_plural(pages), path);
    if (lock >= 0)
        close(lock);
    pd_bytes_release(&key);
    free(folder);
    free(path);
    return status;
}

static int run(const struct pd_options *o)
{
    return o->print.each ? make_each(o) : make_page(o, UINT64_MAX, o->output);
}

const struct pd_command pd_command_report = {
    .name = "report",
    .usage = "[options] -o REPORT.html OUT.h5",
    .help = "write one page to look at, search, print and send",
    .brief = "output doc family each hide-names limit label convert progress force",
    .example = "pardup report -o report.html out.h5",
    .operands = PD_OPERANDS_RESULT,
    .settle = settle,
    .alone = run,
};
