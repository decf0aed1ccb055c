/*
 * app/export/called.c - what documents are called: ids, addresses, kept fields; see export.h
 *
 * Memory: ids and fields of all documents, padded to the longest.
 */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "pardup/base/error.h"

/* The value of a field in a document. */
struct kept {
    uint64_t doc;
    size_t at, n; /* in pd_bytes texts */
};
PD_VEC(kepts, struct kept);

/* The fields of all documents of a table, while they are read. */
struct reading {
    struct pd_keeping names;
    struct kepts values[PD_KEPT_FIELDS];
    struct pd_bytes texts;
    uint64_t doc;
};

static void take_field(void *ctx, const char *name, const char *value, size_t n)
{
    struct reading *r = ctx;
    size_t field = 0;
    while (field < r->names.n && strcmp(r->names.names[field], name) != 0)
        field++;
    if (field == r->names.n && pd_keeping_add(&r->names, name, strlen(name)) < 0) {
        pd_error_clear(); /* no job keeps more fields, or one without a name */
        return;
    }
    kepts_push(&r->values[field], (struct kept){r->doc, r->texts.n, strnlen(value, n)});
    pd_bytes_append(&r->texts, value, n);
}

/* The place of what has this name, which is added if it is new. */
static struct pd_called *called(struct pd_exporting *x, const char *name)
{
    for (size_t k = 0; k < x->ncalled; k++)
        if (strcmp(x->called[k].name, name) == 0)
            return &x->called[k];
    if (x->ncalled == PD_CALLED_MOST)
        return NULL;
    x->called[x->ncalled].name = pd_printed("%s", name);
    return &x->called[x->ncalled++];
}

/* Make cells of the values of a field in n documents. */
static void pad(const struct kepts *values, const struct pd_bytes *texts, uint64_t n,
                struct pd_cells *cells)
{
    cells->kind = PD_VALUES_TEXT;
    cells->width = 1;
    for (size_t k = 0; k < values->n; k++)
        cells->width = values->v[k].n > cells->width ? values->v[k].n : cells->width;
    pd_bytes_reserve(&cells->values, n * cells->width);
    cells->values.n = n * cells->width;
    memset(cells->values.v, 0, cells->values.n);
    for (size_t k = 0; k < values->n; k++)
        memcpy(cells->values.v + values->v[k].doc * cells->width, texts->v + values->v[k].at,
               values->v[k].n);
}

/* Read the kept fields of a table of n documents. */
static int read_fields(struct pd_exporting *x, const char *table, bool of_sources, uint64_t n)
{
    struct pd_cells meta = {.kind = PD_VALUES_TEXT};
    struct reading r = {.doc = 0};
    const int status = pd_result_read(x->result, table, "meta", 0, n, &meta);
    for (; status >= 0 && r.doc < n; r.doc++) {
        size_t bytes;
        const char *object = pd_cells_text(&meta, r.doc, &bytes);
        pd_kept_each(object, bytes, take_field, &r);
    }
    for (size_t k = 0; k < r.names.n; k++) {
        struct pd_called *to = called(x, r.names.names[k]);
        if (to)
            pad(&r.values[k], &r.texts, n, &to->cells[of_sources]);
        kepts_release(&r.values[k]);
    }
    pd_keeping_release(&r.names);
    PD_RELEASE(pd_bytes, &r.texts, &meta.values);
    return status;
}

/* Has one of n documents an id that is the number of a record? */
static bool has_number(const struct pd_cells *ids, uint64_t n)
{
    size_t bytes;
    for (uint64_t k = 0; k < n; k++) {
        const char *id = pd_cells_text(ids, k, &bytes);
        if (pd_label_is_number(id, bytes))
            return true;
    }
    return false;
}

/* Make the labels of a table of n documents, as the column with this name. */
static int read_labels(struct pd_exporting *x, const char *name, const char *pattern,
                       bool of_sources, uint64_t n)
{
    struct pd_doc_label label;
    struct kepts texts = {0};
    struct pd_bytes bytes = {0};
    const char *text;
    size_t text_n;
    int status = pd_label_open(&label, x->result, pattern);
    for (uint64_t doc = 0; status >= 0 && doc < n; doc++) {
        status = pd_label_of(&label, doc | (of_sources ? PD_SOURCE_ROW : 0), &text, &text_n);
        if (status < 0)
            break;
        kepts_push(&texts, (struct kept){doc, bytes.n, text_n});
        pd_bytes_append(&bytes, text, text_n);
    }
    if (status >= 0)
        pad(&texts, &bytes, n, &called(x, name)->cells[of_sources]);
    pd_label_close(&label);
    kepts_release(&texts);
    pd_bytes_release(&bytes);
    return status;
}

int pd_export_called(struct pd_exporting *x, const char *table, bool of_sources, uint64_t n)
{
    struct pd_cells *ids = &called(x, "id")->cells[of_sources];
    PD_TRY(pd_result_read(x->result, table, "id", 0, n, ids));
    if (x->label)
        PD_TRY(read_labels(x, "label", x->label, of_sources, n));
    if (has_number(ids, n) && pd_result_has(x->result, table, "url"))
        PD_TRY(pd_result_read(x->result, table, "url", 0, n, &called(x, "url")->cells[of_sources]));
    if (pd_result_has(x->result, table, "meta"))
        PD_TRY(read_fields(x, table, of_sources, n));
    return x->lined_up ? read_labels(x, "id", NULL, of_sources, n) : PD_OK; /* for a person */
}

void pd_export_called_release(struct pd_exporting *x)
{
    for (size_t k = 0; k < x->ncalled; k++) {
        PD_RELEASE(pd_bytes, &x->called[k].cells[0].values, &x->called[k].cells[1].values);
        free(x->called[k].name);
    }
    for (size_t k = 0; k < x->nnamed; k++)
        free(x->named[k].name);
}
