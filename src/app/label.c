/* app/label.c - see src/app/label.h */
#include "label.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/corpus/kept.h"
#include "pardup/run/fetch.h"

enum { SHORTENED_MOST = 100000 }; /* documents: the ends of all paths take 100 bytes each */

enum { ID, FILE_ROW, URL, HOST, DATE, META };
static const char *const columns[] = {"id", "file", "?url", "?host", "?date", "?meta", NULL};

bool pd_label_is_number(const char *id, size_t n)
{
    static const char urn[] = "urn:";
    return n >= sizeof urn && memcmp(id, urn, sizeof urn - 1) == 0;
}

/* The name of the file in a path, without folders and without its last ending. */
static const char *file_name(const char *path, size_t n, size_t *name_n)
{
    const char *slash = memrchr(path, '/', n);
    const char *name = slash ? slash + 1 : path;
    const size_t rest = n - (size_t)(name - path);
    const char *dot = rest > 1 ? memrchr(name + 1, '.', rest - 1) : NULL;
    *name_n = dot ? (size_t)(dot - name) : rest;
    return name;
}

/* The value of a field of the row at hand, in *n bytes; 0: the document has none. */
static const char *value_of(struct pd_doc_label *l, const struct pd_table_reader *t,
                            const char *field, size_t *n)
{
    static const char *const names[] = {"id", "url", "host"};
    size_t meta_n;
    const char *meta = pd_table_text(t, META, &meta_n);
    *n = 0;
    if (pd_table_has(t, META) && pd_kept_find(meta, meta_n, field, &l->value) && l->value.n) {
        *n = l->value.n;
        return (const char *)l->value.v;
    }
    for (int c = 0; c < 3; c++)
        if (strcmp(field, names[c]) == 0)
            return pd_table_text(t, c == 0 ? ID : URL + c - 1, n);
    if (strcmp(field, "date") == 0)
        return pd_table_text(t, DATE, n);
    if (strcmp(field, "name") == 0) {
        const char *id = pd_table_text(t, ID, n);
        return file_name(id, *n, n);
    }
    return "";
}

static void append(struct pd_bytes *to, const char *s, size_t n)
{
    pd_bytes_append(to, (const unsigned char *)s, n);
}

/* Write the pattern with the values of the row at hand. Returns how many fields have one. */
static size_t write(struct pd_doc_label *l, const struct pd_table_reader *t)
{
    size_t found = 0, n;
    for (const char *at = l->pattern; *at;) {
        const size_t plain = strcspn(at, "{");
        append(&l->text, at, plain);
        at += plain;
        if (!*at)
            break;
        const size_t length = strcspn(at, "}") - 1;
        char *field = pd_printed("%.*s", (int)length, at + 1);
        const char *value = value_of(l, t, field, &n);
        append(&l->text, n ? value : "?", n ? n : 1);
        free(field);
        found += n > 0;
        at += length + 2;
    }
    return found;
}

/* The end of a path behind its next folder; NULL: no folder is left. */
static const char *shorter(const char *path, size_t *n)
{
    const char *slash = memchr(path, '/', *n);
    *n -= slash ? (size_t)(slash + 1 - path) : 0;
    return slash ? slash + 1 : NULL;
}

/* Count the ends of the ids of a table. */
static int count_ends(struct pd_doc_label *l, const char *table)
{
    static const char *const ids[] = {"id", NULL};
    struct pd_table_reader t;
    size_t n;
    int status = pd_table_open(&t, l->result, table, ids);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK)
        for (const char *end = pd_table_text(&t, 0, &n); end; end = shorter(end, &n))
            ++*pd_hash_table_at(&l->ends, pd_hash_bytes(end, n));
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

/* Count the ends of all ids, once, unless there are too many. */
static int count_all(struct pd_doc_label *l)
{
    uint64_t documents, sources = 0;
    const bool has_sources = pd_result_has(l->result, "sources", "id");
    l->counted = true;
    PD_TRY(pd_result_rows(l->result, "documents", &documents));
    if (has_sources)
        PD_TRY(pd_result_rows(l->result, "sources", &sources));
    if (documents + sources > SHORTENED_MOST)
        return PD_OK;
    PD_TRY(count_ends(l, "documents"));
    return has_sources ? count_ends(l, "sources") : PD_OK;
}

/* Is the id of the row at hand the path of its file? */
static int is_path(struct pd_doc_label *l, const struct pd_table_reader *t, bool *is)
{
    static const char *const paths[] = {"path", NULL};
    const bool source = t == &l->tables[1];
    struct pd_table_reader *files = &l->files[source];
    size_t n, path_n;
    const char *id = pd_table_text(t, ID, &n);
    *is = false;
    if (!memchr(id, '/', n) || !pd_result_has(l->result, source ? "source_files" : "files", "path"))
        return PD_OK;
    if (!files->table)
        PD_TRY(pd_table_open(files, l->result, source ? "source_files" : "files", paths));
    if (pd_table_count(t, FILE_ROW) >= files->rows)
        return PD_OK; /* a damaged result, which has its say where the text is read */
    PD_TRY(pd_table_at(files, pd_table_count(t, FILE_ROW)));
    const char *path = pd_table_text(files, 0, &path_n);
    *is = n == path_n && memcmp(id, path, n) == 0;
    return PD_OK;
}

/* The shortest end of the id of the row at hand that no other id has, if it is a path. */
static int write_id(struct pd_doc_label *l, const struct pd_table_reader *t)
{
    size_t n, end_n;
    bool path;
    const char *id = pd_table_text(t, ID, &n);
    PD_TRY(is_path(l, t, &path));
    if (path && !l->counted)
        PD_TRY(count_all(l));
    end_n = n;
    for (const char *end = id; path && end; end = shorter(end, &end_n))
        if (end_n > 0 && pd_hash_table_get(&l->ends, pd_hash_bytes(end, end_n)) == 1) {
            id = end;
            n = end_n;
        }
    append(&l->text, id, n);
    return PD_OK;
}

/* The label of the row at hand, into l->text. */
static int make(struct pd_doc_label *l, const struct pd_table_reader *t)
{
    size_t id_n, url_n = 0, date_n = 0;
    const char *id = pd_table_text(t, ID, &id_n), *url = pd_table_text(t, URL, &url_n);
    l->text.n = 0;
    if (l->pattern && write(l, t) > 0)
        return PD_OK;
    l->text.n = 0;
    if (l->pattern || url_n == 0 || !pd_label_is_number(id, id_n))
        return write_id(l, t);
    append(&l->text, url, url_n);
    const char *date = pd_table_text(t, DATE, &date_n);
    append(&l->text, ", ", date_n ? 2 : 0);
    append(&l->text, date, date_n);
    return PD_OK;
}

/* Bring a row of a table to hand. */
static int look(struct pd_doc_label *l, uint64_t row, struct pd_table_reader **t)
{
    const bool source = row & PD_SOURCE_ROW;
    *t = &l->tables[source];
    if (!(*t)->table)
        PD_TRY(pd_table_open(*t, l->result, source ? "sources" : "documents", columns));
    return pd_table_at(*t, row & ~PD_SOURCE_ROW);
}

/* Has a document a value of the field? The first one that has ends the search. */
static int check_field(struct pd_doc_label *l, const char *field)
{
    uint64_t rows;
    size_t n = 0;
    struct pd_table_reader *t;
    for (uint64_t mark = 0;; mark = PD_SOURCE_ROW) {
        const char *table = mark ? "sources" : "documents";
        if (pd_result_has(l->result, table, "id")) {
            PD_TRY(pd_result_rows(l->result, table, &rows));
            for (uint64_t row = 0; row < rows && n == 0; row++) {
                PD_TRY(look(l, row | mark, &t));
                value_of(l, t, field, &n);
            }
        }
        if (n > 0)
            return PD_OK;
        if (mark)
            break;
    }
    return pd_fail(PD_EFORMAT,
                   "--label: no document of %s has the field {%s}; --keep-fields and --metadata of "
                   "detect keep fields",
                   pd_result_path(l->result), field);
}

int pd_label_open(struct pd_doc_label *l, struct pd_result *result, const char *pattern)
{
    *l = (struct pd_doc_label){.result = result, .pattern = pattern};
    const char *open = pattern ? strchr(pattern, '{') : NULL;
    if (pattern && !open)
        return pd_fail(PD_EUSAGE, "--label %s: has no field, such as {id} or {author}", pattern);
    for (; open; open = strchr(open, '{')) {
        const size_t n = strcspn(open + 1, "{}");
        if (open[1 + n] != '}' || n == 0)
            return pd_fail(PD_EUSAGE, "--label %s: expected {field}", pattern);
        char *field = pd_printed("%.*s", (int)n, open + 1);
        const int status = check_field(l, field);
        free(field);
        PD_TRY(status);
        open += n + 2;
    }
    return PD_OK;
}

void pd_label_close(struct pd_doc_label *l)
{
    for (int k = 0; k < 2; k++) {
        pd_table_close(&l->tables[k]);
        pd_table_close(&l->files[k]);
    }
    pd_hash_table_release(&l->ends);
    PD_RELEASE(pd_bytes, &l->text, &l->value);
}

int pd_label_of(struct pd_doc_label *l, uint64_t row, const char **text, size_t *n)
{
    struct pd_table_reader *t;
    l->text.n = 0;
    if (row < l->hidden && row != l->shown) {
        pd_bytes_print(&l->text, "student %llu", pd_ull(row + 1));
    } else {
        PD_TRY(look(l, row, &t));
        PD_TRY(make(l, t));
    }
    *n = l->text.n;
    append(&l->text, "", 1);
    *text = (const char *)l->text.v;
    return PD_OK;
}

static void add_field(void *to, const char *name, const char *value, size_t n)
{
    struct pd_bytes *all = to;
    (void)name;
    if (n == 0)
        return;
    append(all, " \xc2\xb7 ", all->n ? 4 : 0);
    append(all, value, n);
}

int pd_label_fields(struct pd_doc_label *l, uint64_t row, const char **text, size_t *n)
{
    struct pd_table_reader *t;
    size_t meta_n = 0;
    l->text.n = 0;
    if (row >= l->hidden || row == l->shown) {
        PD_TRY(look(l, row, &t));
        const char *meta = pd_table_text(t, META, &meta_n);
        if (pd_table_has(t, META) && meta_n)
            pd_kept_each(meta, meta_n, add_field, &l->text);
    }
    *n = l->text.n;
    append(&l->text, "", 1);
    *text = (const char *)l->text.v;
    return PD_OK;
}
