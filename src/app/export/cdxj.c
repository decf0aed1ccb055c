/*
 * app/export/cdxj.c - pardup export --format cdxj: an index of archives, a line a page, by address
 * and time; see export.h
 *
 * A line is "KEY TIMESTAMP {JSON}". The key is the address with its host from right to left (SURT),
 * as players of archives sort it. The result does not keep the type, the status and the digest of a
 * record, so they are left out. Memory: the lines of all documents.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "pardup/base/error.h"
#include "pardup/base/json.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/result/table.h"

enum { FILE_ROW, OFFSET, SKIP, LENGTH, URL, DATE };
static const char *const columns[] = {"file", "offset", "skip", "length", "url", "?date", NULL};
enum { PATH };
static const char *const file_columns[] = {"path", NULL};
enum { TIMESTAMP = 14 }; /* digits */

/* A line, in struct indexing.text. */
struct line {
    const char *s; /* set when all lines are there */
    size_t at, n;
};
PD_VEC(line_list, struct line);

struct indexing {
    struct pd_table_reader documents, files;
    struct line_list lines;
    struct pd_bytes text;
    uint64_t left_out; /* documents without an address or a time, or inside a packed member */
};

/* ---- keys ---- */

static void append_lower(struct pd_bytes *to, const char *s, size_t n)
{
    for (size_t k = 0; k < n; k++)
        pd_bytes_push(to, s[k] == ' ' ? '+' : (unsigned char)tolower((unsigned char)s[k]));
}

/* Append the labels of a host from right to left, with commas between them. */
static void append_host(struct pd_bytes *to, const char *s, size_t n)
{
    for (size_t end = n; end > 0;) {
        size_t begin = end;
        while (begin > 0 && s[begin - 1] != '.')
            begin--;
        append_lower(to, s + begin, end - begin);
        end = begin ? begin - 1 : 0;
        if (end)
            pd_bytes_push(to, ',');
    }
}

/* Append the key of an address. False: no page of the web has such an address. */
static bool append_key(struct pd_bytes *to, const char *url, size_t n)
{
    const char *const end = url + n, *host = memmem(url, n, "://", 3);
    if (!host || n < 4 || strncasecmp(url, "http", 4) != 0)
        return false;
    host += 3;
    const char *path = host, *fragment = memchr(host, '#', (size_t)(end - host));
    const char *const to_end = fragment ? fragment : end;
    while (path < to_end && !strchr("/?", *path))
        path++;
    const char *at = memchr(host, '@', (size_t)(path - host));
    host = at ? at + 1 : host;
    if (path - host > 4 && strncasecmp(host, "www.", 4) == 0)
        host += 4;
    const char *port = memchr(host, ':', (size_t)(path - host)), *host_end = port ? port : path;
    append_host(to, host, (size_t)(host_end - host));
    const size_t port_n = port ? (size_t)(path - port) : 0;
    if (port_n > 1 && !(port_n == 3 && memcmp(port, ":80", 3) == 0) &&
        !(port_n == 4 && memcmp(port, ":443", 4) == 0))
        append_lower(to, port, port_n);
    pd_bytes_push(to, ')');
    if (path == to_end || *path != '/')
        pd_bytes_push(to, '/');
    append_lower(to, path, (size_t)(to_end - path));
    return true;
}

/* Append the digits of a date, up to the length of a timestamp. False: the date has no day. */
static bool append_time(struct pd_bytes *to, const char *date, size_t n)
{
    enum { DAY = 8 };
    size_t digits = 0;
    for (size_t k = 0; k < n && digits < TIMESTAMP; k++)
        if (date[k] >= '0' && date[k] <= '9') {
            pd_bytes_push(to, (unsigned char)date[k]);
            digits++;
        }
    for (size_t k = digits; digits >= DAY && k < TIMESTAMP; k++)
        pd_bytes_push(to, '0');
    return digits >= DAY;
}

/* ---- lines ---- */

/* Append the line of the document at hand. PD_END: it has none. */
static int append_line(struct indexing *x)
{
    const struct pd_table_reader *d = &x->documents;
    size_t url_n, date_n, path_n;
    const char *url = pd_table_text(d, URL, &url_n), *date = pd_table_text(d, DATE, &date_n);
    if (pd_table_count(d, SKIP) > 0 || !append_key(&x->text, url, url_n))
        return PD_END;
    pd_bytes_push(&x->text, ' ');
    if (!append_time(&x->text, date, date_n))
        return PD_END;
    PD_TRY(pd_table_at(&x->files, pd_table_count(d, FILE_ROW)));
    const char *path = pd_table_text(&x->files, PATH, &path_n);
    pd_bytes_print(&x->text, " {\"url\": ");
    pd_json_quote(&x->text, url, url_n);
    pd_bytes_print(&x->text, ", \"length\": \"%llu\", \"offset\": \"%llu\", \"filename\": ",
                   pd_ull(pd_table_count(d, LENGTH)), pd_ull(pd_table_count(d, OFFSET)));
    pd_json_quote(&x->text, path, path_n);
    pd_bytes_push(&x->text, '}');
    return PD_OK;
}

static int compare_lines(const void *x, const void *y)
{
    const struct line *a = x, *b = y;
    const int order = memcmp(a->s, b->s, a->n < b->n ? a->n : b->n);
    return order ? order : a->n < b->n ? -1 : a->n > b->n;
}

static int read_lines(struct indexing *x, struct pd_exporting *e)
{
    int status = pd_table_open(&x->documents, e->result, "documents", columns);
    PD_THEN(status, pd_table_open(&x->files, e->result, "files", file_columns));
    while (status >= 0 && (status = pd_table_next(&x->documents)) == PD_OK) {
        const size_t at = x->text.n;
        status = append_line(x);
        if (status == PD_OK) {
            line_list_push(&x->lines, (struct line){NULL, at, x->text.n - at});
        } else {
            x->left_out++;
            x->text.n = at;
        }
        pd_progress_tell(&e->progress, x->documents.row, x->documents.rows, 0, 0);
    }
    return status < 0 ? status : PD_OK;
}

int pd_export_cdxj(struct pd_exporting *e)
{
    struct indexing x = {.left_out = 0};
    const int status = read_lines(&x, e);
    for (size_t k = 0; k < x.lines.n; k++)
        x.lines.v[k].s = (const char *)x.text.v + x.lines.v[k].at;
    PD_VEC_SORT(&x.lines, compare_lines);
    for (size_t k = 0; k < x.lines.n && status >= 0; k++) {
        fwrite(x.lines.v[k].s, 1, x.lines.v[k].n, stdout);
        putchar('\n');
    }
    if (status >= 0 && x.left_out)
        pd_log(PD_LOG_WARN,
               "left out, without an address of the web, a date (--keep-fields date) or a place "
               "of their own: %s document%s",
               pd_grouped(x.left_out), pd_plural(x.left_out));
    pd_table_close(&x.documents);
    pd_table_close(&x.files);
    line_list_release(&x.lines);
    pd_bytes_release(&x.text);
    return status;
}
