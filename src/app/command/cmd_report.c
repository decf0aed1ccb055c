/* app/command/cmd_report.c - pardup report: one page to look at, search, print and send. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/part.h"
#include "app/report/report.h"
#include "pardup/base/error.h"
#include "pardup/base/folder.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/run/own.h"

static int settle(struct pd_options *o)
{
    if (o->print.each && (o->print.doc || o->print.family >= 0))
        return pd_fail(PD_EUSAGE, "report: --each takes no --doc and no --family");
    if (o->print.hide_names && !o->print.each && !o->print.doc)
        return pd_fail(PD_EUSAGE, "report: --hide-names needs --each or --doc");
    return o->output ? PD_OK : pd_fail(PD_EUSAGE, "report: give the page a name with -o FILE");
}

static int write_page(struct pd_report_page *r, const char *path)
{
    struct pd_new_file n;
    long bytes = 0;
    int status = pd_part_open(&n, NULL, path);
    PD_THEN(status, pd_report_write(r, n.f));
    if (status >= 0)
        bytes = ftell(n.f);
    status = pd_part_close(&n, status);
    if (status >= 0 && !r->options->print.each)
        pd_log(PD_LOG_INFO, "%s: %s of %s passage%s, %s document%s, %s", path,
               pd_grouped(r->passages.n), pd_grouped(r->rows), pd_plural(r->rows),
               pd_grouped(r->documents.n), pd_plural(r->documents.n), pd_size((uint64_t)bytes));
    return status;
}

/* Gather a page, of the row `only` of /documents or of what the options say, and write it. */
static int make_page(struct pd_report_page *r, const struct pd_options *o, uint64_t only,
                     const char *path)
{
    int status = pd_report_open(r, o, only);
    PD_THEN(status, write_page(r, path));
    if (r->missing > 1)
        pd_log(PD_LOG_WARN, "%s texts cannot be read any more: the page is without them",
               pd_grouped(r->missing));
    return status;
}

/* ---- a page for each document ---- */

/* The first line of a key, and how keys of all versions begin. */
static const char key_head[] = "student,page,id,share,words,most_with\n",
                  key_begin[] = "student,page,id";

/* A row of the key. */
struct key_row {
    struct pd_share share; /* of the document that others have */
    size_t at, n;          /* in the texts */
};
PD_VEC(key_rows, struct key_row);

/* The rows of the key, the document with the greatest share first. */
struct key {
    struct key_rows rows;
    struct pd_bytes texts;
};

static int by_share(const void *x, const void *y)
{
    const struct key_row *a = x, *b = y;
    const double shares[2] = {pd_share_real(a->share), pd_share_real(b->share)};
    if (shares[0] != shares[1] && (shares[0] > shares[1] || shares[1] != shares[1]))
        return -1;
    if (shares[0] != shares[1] && (shares[0] < shares[1] || shares[0] != shares[0]))
        return 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

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
    char head[sizeof key_begin] = "";
    FILE *f = fopen(path, "r");
    const bool read = f && fgets(head, sizeof head, f);
    if (f)
        fclose(f);
    return read && strcmp(head, key_begin) == 0;
}

static void put_quoted(struct pd_bytes *key, const char *id, size_t n)
{
    pd_bytes_push(key, '"');
    for (size_t k = 0; k < n; k++) {
        if (id[k] == '"')
            pd_bytes_push(key, '"');
        pd_bytes_push(key, (unsigned char)id[k]);
    }
    pd_bytes_push(key, '"');
}

/* The number on the page of the document that has most of document `d`; `d`: none has any. */
static size_t most_with(const struct pd_report_page *r, size_t d)
{
    size_t best = d;
    uint64_t most = 0;
    for (size_t k = 0; k < r->pairs.n; k++)
        for (int side = 0; side < 2; side++) {
            const struct pd_report_pair *p = &r->pairs.v[k];
            if (p->document[side] == d && p->covered[side] > most) {
                most = p->covered[side];
                best = p->document[1 - side];
            }
        }
    return best;
}

/* Add a row of the key: the document of the page `r`, whose id is id[0, n). */
static int put_key(struct key *key, struct pd_report_page *r, const char *page, const char *id,
                   size_t n)
{
    const size_t d = pd_report_number(r, r->only), other = most_with(r, d);
    const struct pd_share share = r->documents.v[d].share;
    struct key_row row = {share, key->texts.n, 0};
    char percent[PD_COUNT_ROOM];
    pd_bytes_print(&key->texts, "%llu,%s,", pd_ull(r->only + 1), page);
    put_quoted(&key->texts, id, n);
    pd_bytes_print(&key->texts, ",%s,%llu,",
                   share.all ? pd_percent(percent, share.covered, share.all) : "",
                   pd_ull(share.covered));
    r->label.hidden = 0; /* the key has names */
    if (other != d) {
        const char *label;
        PD_TRY(pd_label_of(&r->label, r->documents.v[other].row, &label, &n));
        put_quoted(&key->texts, label, n);
    }
    pd_bytes_push(&key->texts, '\n');
    row.n = key->texts.n - row.at;
    key_rows_push(&key->rows, row);
    return PD_OK;
}

/* Write the page of each document to the folder, and list them in `key`. */
static int write_pages(const struct pd_options *o, const char *folder, struct key *key,
                       uint64_t *pages)
{
    static const char *const columns[] = {"id", NULL};
    struct pd_result *result;
    struct pd_table_reader t = {.rows = 0};
    int status = pd_result_open(o->operands.v[0], &result);
    *pages = status < 0 ? 0 : pd_report_targets(result);
    PD_THEN(status, pd_table_open(&t, result, "documents", columns));
    for (uint64_t row = 0; row < *pages && status >= 0; row++) {
        size_t n;
        char *name = pd_printed("page-%llu.html", pd_ull(row + 1));
        char *path = pd_printed("%s/%s", folder, name);
        status = pd_table_at(&t, row);
        PD_THEN(status, check_free(o, path, pd_is_own(path)));
        if (status >= 0) {
            struct pd_report_page r;
            const char *id = pd_table_text(&t, 0, &n);
            status = make_page(&r, o, row, path);
            PD_THEN(status, put_key(key, &r, name, id, n));
            pd_report_release(&r);
        }
        PD_FREE(name, path);
    }
    pd_table_close(&t);
    pd_result_close(result);
    return status;
}

static int write_key(struct key *key, const char *path)
{
    struct pd_new_file n;
    int status = pd_part_open(&n, NULL, path);
    PD_VEC_SORT(&key->rows, by_share);
    if (status >= 0)
        fputs(key_head, n.f);
    for (size_t k = 0; k < key->rows.n && status >= 0; k++)
        fwrite(key->texts.v + key->rows.v[k].at, 1, key->rows.v[k].n, n.f);
    return pd_part_close(&n, status);
}

static int make_each(const struct pd_options *o)
{
    uint64_t pages;
    int lock = -1;
    size_t n = strlen(o->output);
    while (n > 1 && o->output[n - 1] == '/')
        n--;
    char *folder = pd_printed("%.*s", (int)n, o->output), *path = pd_printed("%s.key.csv", folder);
    struct key key = {.rows = {0}};
    int status = check_free(o, path, is_key(path));
    if (status >= 0 && mkdir(folder, 0777) != 0 && errno != EEXIST)
        status = pd_fail(PD_EIO, "%s: %s", folder, strerror(errno));
    PD_THEN(status, pd_folder_lock(folder, &lock));
    PD_THEN(status, write_pages(o, folder, &key, &pages));
    PD_THEN(status, write_key(&key, path));
    if (status >= 0)
        pd_log(PD_LOG_INFO, "%s: %s page%s; %s says whose they are", folder, pd_grouped(pages),
               pd_plural(pages), path);
    if (lock >= 0)
        close(lock);
    key_rows_release(&key.rows);
    pd_bytes_release(&key.texts);
    free(folder);
    free(path);
    return status;
}

static int run(const struct pd_options *o)
{
    struct pd_report_page r;
    if (o->print.each)
        return make_each(o);
    const int status = make_page(&r, o, UINT64_MAX, o->output);
    pd_report_release(&r);
    return status;
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
