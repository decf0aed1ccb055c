/* run/stage/collection/metadata.c - see src/run/stage/collection/metadata.h */
#include "metadata.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/base/minmax.h"
#include "pardup/base/open.h"
#include "pardup/base/plain.h"
#include "wanted.h"

enum { IDS_SHOWN = 5, SHOWN_ROOM = 512, NAME_ROOM = 80 };

/* List the ids of the table: its column "id", or else its first one. */
static int list_ids(struct pd_metadata *m)
{
    const struct pd_csv *t = &m->table;
    const size_t named = pd_csv_column(t, "id"), column = named == SIZE_MAX ? 0 : named;
    for (size_t row = 0; row < t->rows; row++) {
        const char *id = pd_csv_cell(t, row, column);
        char shown[NAME_ROOM];
        pd_plain_line(shown, sizeof shown, id, strlen(id));
        if (pd_names_put(&m->ids, id, strlen(id), row) != row)
            return pd_fail(PD_EFORMAT, "%s: line %zu: the id %s occurs twice", m->path,
                           t->lines.v[row + 1], shown);
    }
    const bool all = m->keep.n == 0;
    for (size_t k = 0; all && k < t->columns; k++)
        if (k != column &&
            pd_keeping_add(&m->keep, pd_csv_name(t, k), strlen(pd_csv_name(t, k))) < 0) {
            pd_error_clear();
            return pd_fail(PD_EFORMAT,
                           "%s: %zu columns, of which one has no name, or more than %d: name those "
                           "to keep with --keep-fields",
                           m->path, t->columns, PD_KEPT_FIELDS);
        }
    return PD_OK;
}

/* Nobody has named a field: keep the date, and what else documents tell about themselves. */
static int imply(struct pd_metadata *m, const char *date)
{
    if (date)
        PD_TRY(pd_keeping_add(&m->keep, date, strlen(date)));
    for (int what = PD_BYLINE_TITLE; what <= PD_BYLINE_AUTHOR; what++)
        PD_TRY(pd_keeping_add(&m->keep, pd_byline_names[what], strlen(pd_byline_names[what])));
    m->implied = m->keep.n;
    return PD_OK;
}

int pd_metadata_share(const struct pd_comm *c, struct pd_metadata *m,
                      const struct pd_options *options)
{
    const struct pd_input_options *o = &options->input;
    const char *same = options->method.skip_same;
    struct pd_bytes bytes = {0};
    m->path = o->metadata;
    m->date = m->same = SIZE_MAX;
    PD_TRY(pd_comm_agree(c, pd_keeping_list(&m->keep, o->keep_fields)));
    int status = PD_OK;
    if (m->path) {
        status = pd_comm_agree(c, c->rank == 0 ? pd_read_regular(m->path, &bytes) : PD_OK);
        if (status >= 0)
            pd_comm_share(c, &bytes);
        PD_THEN(status, pd_csv_read(&m->table, m->path, bytes.v, bytes.n));
        PD_THEN(status, list_ids(m));
        m->hash = pd_hash_bytes(bytes.v, bytes.n);
        pd_bytes_release(&bytes);
    }
    if (!o->keep_fields && !m->path)
        status = imply(m, o->date_field);
    if (same && status >= 0)
        status = pd_keeping_add(&m->keep, same, strlen(same));
    for (size_t k = 0; k < m->keep.n; k++) {
        m->columns[k] =
            m->path && status >= 0 ? pd_csv_column(&m->table, m->keep.names[k]) : SIZE_MAX;
        if (o->date_field && strcmp(m->keep.names[k], o->date_field) == 0)
            m->date = k;
        if (same && strcmp(m->keep.names[k], same) == 0)
            m->same = k;
    }
    return pd_comm_agree(c, status);
}

void pd_metadata_see(struct pd_metadata *m, const struct pd_files *files)
{
    if (!m->path)
        return;
    m->whose = pd_printed("--metadata %s", m->path);
    pd_given_files(&m->given, &m->ids, files);
}

uint64_t pd_metadata_row(const struct pd_metadata *m, const char *id, size_t n, const char *url,
                         size_t url_n)
{
    return m->path ? pd_given_find_page(&m->given, id, n, url, url_n, UINT64_MAX) : UINT64_MAX;
}

/* What a document may tell about itself under this name; PD_BYLINES: nothing. */
static int byline_as(const char *name)
{
    int what = 0;
    while (what < PD_BYLINES && strcmp(pd_byline_names[what], name) != 0)
        what++;
    return what;
}

bool pd_metadata_wants_byline(const struct pd_metadata *m)
{
    bool any = false;
    for (size_t k = 0; k < m->keep.n; k++)
        any |= byline_as(m->keep.names[k]) < PD_BYLINES;
    return any;
}

struct pd_field_facts pd_metadata_write(const struct pd_metadata *m, const struct pd_raw *raw,
                                        const struct pd_byline *byline, struct pd_bytes *to)
{
    const uint64_t row =
        m->keep.n ? pd_metadata_row(m, raw->id, raw->id_n, raw->url, raw->url_n) : UINT64_MAX;
    struct pd_kept values[PD_KEPT_FIELDS] = {{0}};
    struct pd_field_facts facts = {.date = PD_NO_DATE};
    for (size_t k = 0; k < m->keep.n; k++) {
        if (raw->kept)
            values[k] = raw->kept[k];
        const char *cell = row != UINT64_MAX && m->columns[k] != SIZE_MAX
                               ? pd_csv_cell(&m->table, row, m->columns[k])
                               : "";
        if (*cell)
            values[k] = (struct pd_kept){.v = cell, .n = strlen(cell)};
        const int what = byline && values[k].n == 0 ? byline_as(m->keep.names[k]) : PD_BYLINES;
        if (what < PD_BYLINES && byline->values[what].n > 0)
            values[k] = (struct pd_kept){.v = (const char *)byline->values[what].v,
                                         .n = byline->values[what].n};
    }
    facts.cut = pd_kept_write(&m->keep, values, to);
    if (m->same != SIZE_MAX && values[m->same].n > 0)
        facts.same = pd_max_u64(pd_hash_bytes(values[m->same].v, values[m->same].n), 1);
    if (m->date != SIZE_MAX && values[m->date].n > 0) {
        facts.date = pd_date_parse(values[m->date].v, values[m->date].n);
        facts.undated = !pd_date_is_known(facts.date);
    }
    return facts;
}

/* Warn of rows whose ids no document has. */
static void tell_missing(const struct pd_metadata *m, const uint64_t *found)
{
    const struct pd_name_list *names = &m->ids.names;
    char shown[SHOWN_ROOM] = "", one[NAME_ROOM];
    uint64_t missing = 0;
    for (size_t k = 0; k < names->n; k++)
        if (!found[k] && missing++ < IDS_SHOWN) {
            pd_plain_line(one, sizeof one, (const char *)m->ids.text.v + names->v[k].at,
                          names->v[k].n);
            strcat(strcat(shown, " "), one);
        }
    if (missing)
        pd_log(PD_LOG_WARN, "%llu of the %zu ids of --metadata %s are of no document:%s%s",
               (unsigned long long)missing, names->n, m->path, shown,
               missing > IDS_SHOWN ? " ..." : "");
}

int pd_metadata_tell(const struct pd_comm *c, struct pd_metadata *m, const uint64_t *found,
                     const uint64_t *fields, uint64_t documents)
{
    uint64_t with = 0;
    for (size_t k = 0; k < m->ids.names.n; k++)
        with += found[k];
    if (m->path) {
        PD_TRY(pd_given_check(&m->given, m->whose, found));
        if (with == 0 && m->ids.names.n > 0)
            return pd_given_none(c, &m->given, m->whose, documents);
        tell_missing(m, found);
        pd_given_tell(&m->given, m->whose);
        pd_log(PD_LOG_INFO, "--metadata %s: %llu of %llu documents have a row", m->path,
               (unsigned long long)with, (unsigned long long)documents);
    }
    for (size_t k = 0; k < m->keep.n; k++)
        if (fields[k] == 0 && (k >= m->implied || k == m->same))
            pd_log(PD_LOG_WARN, "--%s %s: no document has this field",
                   k == m->same ? "skip-same" : "keep-fields", m->keep.names[k]);
    return PD_OK;
}

void pd_metadata_release(struct pd_metadata *m)
{
    pd_keeping_release(&m->keep);
    pd_csv_release(&m->table);
    pd_given_release(&m->given);
    free(m->whose);
    pd_names_release(&m->ids);
}
