/*
 * app/report/kin.c - pd_report_kin() of report.h: near-duplicate documents on a report page.
 *
 * The families of /document_families go into the data of the page, the largest first, as the member
 * `kin`: [{"row":7,"size":3,"representative":12,"members":[[12,"id of the document"], ...]}, ...].
 * Documents are numbered as pd_report_printed() says.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "pardup/base/error.h"
#include "report.h"

enum {
    KIN_MOST = 400,      /* families on the page */
    DOCUMENTS_MOST = 40, /* documents listed of a family, besides its representative */
};

/* A family that may be on the page. */
struct kin {
    uint64_t row;            /* row of /document_families */
    uint64_t documents;      /* documents in the family */
    uint64_t representative; /* as `doc` of a struct relative */
    uint64_t listed;         /* its documents that are in the listing so far */
};
PD_VEC(kins, struct kin);

/* A document of a family on the page. */
struct relative {
    uint64_t family; /* row of the family */
    uint64_t doc;    /* row of /documents, or of /sources with PD_SOURCE_ROW */
};
PD_VEC(relatives, struct relative);

struct listing {
    struct kins families; /* in order of row while documents are listed, then largest first */
    struct relatives documents;
};

static int by_size(const void *x, const void *y)
{
    const struct kin *a = x, *b = y;
    if (a->documents != b->documents)
        return a->documents > b->documents ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static int by_row(const void *x, const void *y)
{
    const struct kin *a = x, *b = y;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* Sort families by size, and forget all but the largest. */
static void keep_largest(struct kins *all)
{
    PD_VEC_SORT(all, by_size);
    all->n = all->n < KIN_MOST ? all->n : KIN_MOST;
}

/* List the largest families, in order of their rows. */
static int list_families(struct pd_report_page *r, struct kins *all)
{
    static const char *const columns[] = {"documents", "representative", "?source", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, r->result, "document_families", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        const bool source = r->sides[1].sources && pd_table_signed(&t, 1) < 0;
        const uint64_t row = source ? pd_table_count(&t, 2) | PD_SOURCE_ROW : pd_table_count(&t, 1);
        kins_push(all, (struct kin){t.row, pd_table_count(&t, 0), row, 0});
        if (all->n > 4 * (size_t)KIN_MOST)
            keep_largest(all);
    }
    pd_table_close(&t);
    keep_largest(all);
    PD_VEC_SORT(all, by_row);
    return status < 0 ? status : PD_OK;
}

/* The family in this row; NULL: it is not on the page. */
static struct kin *family_at(const struct kins *all, int64_t row)
{
    const struct kin wanted = {.row = (uint64_t)row};
    return row < 0 || all->n == 0 ? NULL : bsearch(&wanted, all->v, all->n, sizeof *all->v, by_row);
}

/*
 * List the documents that a table has of the families: each representative, and of the others the
 * first DOCUMENTS_MOST.
 *   table  "documents" or "sources"
 *   mark   0, or PD_SOURCE_ROW for sources: the bits that tell rows of the two tables apart
 */
static int list_table(struct pd_report_page *r, const char *table, uint64_t mark, struct listing *l)
{
    static const char *const columns[] = {"family", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, r->result, table, columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        struct kin *family = family_at(&l->families, pd_table_signed(&t, 0));
        const uint64_t row = t.row | mark;
        if (!family || (family->listed >= DOCUMENTS_MOST && family->representative != row))
            continue;
        family->listed++;
        relatives_push(&l->documents, (struct relative){family->row, row});
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

static int list_documents(struct pd_report_page *r, struct listing *l)
{
    PD_TRY(list_table(r, "documents", 0, l));
    return r->sides[1].sources ? list_table(r, "sources", PD_SOURCE_ROW, l) : PD_OK;
}

/* Write one family as a JSON object. */
static int put_kin(struct pd_report_page *r, const struct listing *l, const struct kin *family,
                   FILE *out)
{
    bool any = false;
    fprintf(out,
            "{\"row\":%" PRIu64 ",\"size\":%" PRIu64 ",\"representative\":%" PRId64
            ",\"members\":[",
            family->row, family->documents, pd_report_printed(family->representative));
    for (size_t k = 0; k < l->documents.n; k++) {
        const struct relative *d = &l->documents.v[k];
        if (d->family != family->row)
            continue;
        const char *label;
        size_t n;
        PD_TRY(pd_label_of(&r->label, d->doc, &label, &n));
        fprintf(out, "%s[%" PRId64 ",", any ? "," : "", pd_report_printed(d->doc));
        pd_report_put(out, label, n);
        fputs("]", out);
        any = true;
    }
    fputs("]}", out);
    return PD_OK;
}

int pd_report_kin(struct pd_report_page *r, FILE *out)
{
    struct listing l = {0};
    int status = PD_OK;
    fputs(",\"kin\":[", out);
    if (r->only == UINT64_MAX && r->family == UINT64_MAX &&
        pd_result_has(r->result, "document_families", "representative")) {
        status = list_families(r, &l.families);
        PD_THEN(status, list_documents(r, &l));
    }
    keep_largest(&l.families);
    for (size_t k = 0; k < l.families.n && status >= 0; k++) {
        fputs(k ? ",\n" : "", out);
        status = put_kin(r, &l, &l.families.v[k], out);
    }
    fputs("]", out);
    kins_release(&l.families);
    relatives_release(&l.documents);
    return status;
}
