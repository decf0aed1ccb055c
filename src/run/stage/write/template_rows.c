/*
 * run/stage/write/template_rows.c - see src/run/stage/write/tables.h
 *
 * Templates go to the holders of their first documents, which know the names of the sites. From
 * there they go to the ranks that write them: each rank has a range of first documents.
 */
#include "tables.h"

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/sort.h"
#include "pardup/result/rows.h"

struct listing {
    struct pd_job *job;
    struct pd_bytes held; /* struct pd_template, at the holders of the first documents */
    size_t next;          /* the next one of them to send */
    struct pd_bytes got;  /* struct pd_template_row, at the ranks that write them */
};

/* COLLECTIVE. Send templates to the holders of their first documents. */
static int send_templates(struct listing *l)
{
    struct pd_templates *t = &l->job->matches.templates;
    struct pd_source source = {t->v, t->n, sizeof *t->v, 0};
    const struct pd_route route = {.size = sizeof *t->v,
                                   .fill = pd_fill_from,
                                   .fill_ctx = &source,
                                   .owner = pd_to_holder,
                                   .owner_ctx = &l->job->collection};
    const int status = pd_shuffle_collect(&l->job->transport, route, &l->held);
    pd_sort_records(l->held.v, l->held.n / sizeof *t->v, PD_TEMPLATE_U64S, 3);
    return status;
}

static int fill_rows(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct listing *l = ctx;
    struct pd_collection *col = &l->job->collection;
    const struct pd_template *v = (const struct pd_template *)(const void *)l->held.v;
    *n = 0;
    for (; l->next < l->held.n / sizeof *v; l->next++) {
        const struct pd_template *t = &v[l->next];
        struct pd_held held;
        PD_TRY(pd_collection_doc(col, t->doc, &held));
        const struct pd_docrec *d = held.rec;
        const uint32_t site_n = t->words & PD_TEMPLATE_IMPRINT ? 0 : d->site_n;
        const size_t bytes = (sizeof(struct pd_template_row) + site_n + 7) / 8 * 8;
        if (*n + bytes > cap)
            return PD_OK;
        struct pd_template_row *row = (struct pd_template_row *)(void *)(to + *n);
        memset(row, 0, bytes);
        *row = (struct pd_template_row){.size = (uint32_t)bytes,
                                        .site_n = site_n,
                                        .doc = t->doc,
                                        .unit = t->unit,
                                        .text = t->text,
                                        .pages = t->pages,
                                        .words = t->words & ~PD_TEMPLATE_IMPRINT};
        memcpy(row->site, pd_collection_id(col, &held) + d->id_n + d->url_n, site_n);
        *n += bytes;
    }
    return PD_END;
}

static int writer_of_row(const void *rec, int nranks, void *ctx)
{
    const struct pd_job *job = ctx;
    const unsigned __int128 at = ((const struct pd_template_row *)rec)->doc;
    return (int)(at * (unsigned)nranks / job->collection.totals.documents);
}

/* The key of a row, and where it is. */
struct placed {
    uint64_t doc, unit, of_site, text, at; /* an imprint comes before a template of its site */
};
PD_VEC(pd_placeds, struct placed);

/* Write the rows that this rank has received. */
static void place_rows(const struct listing *l, struct pd_writer *w)
{
    const uint64_t longest = l->job->collection.site_width;
    const size_t width = longest ? longest : 1, size = sizeof(struct pd_template_row) + width;
    struct pd_placeds order = {0};
    for (size_t at = 0; at < l->got.n;) {
        const struct pd_template_row *row =
            (const struct pd_template_row *)(const void *)(l->got.v + at);
        pd_placeds_push(&order,
                        (struct placed){row->doc, row->unit, row->site_n > 0, row->text, at});
        at += row->size;
    }
    pd_sort_records(order.v, order.n, 5, 4);
    unsigned char *rows = pd_zeroed(order.n + 1, size);
    for (size_t k = 0; k < order.n; k++) {
        const struct pd_template_row *row =
            (const struct pd_template_row *)(const void *)(l->got.v + order.v[k].at);
        memcpy(rows + k * size, row, sizeof *row + row->site_n);
    }
    const struct pd_table_rows table = {
        .rows = rows, .size = size, .n = order.n, .text_widths = &width};
    pd_writer_table(w, &pd_schema[PD_TABLE_TEMPLATES], &table);
    free(rows);
    pd_placeds_release(&order);
}

/* ---- how many sites have templates ---- */

static int owner_of_site(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_hash_range(pd_mix(*(const uint64_t *)rec), nranks);
}

/* Append the different ones of `sites`, which are sorted, to `to`. */
static void keep_different(const struct pd_terms *sites, struct pd_terms *to)
{
    for (size_t k = 0; k < sites->n; k++)
        if (k == 0 || sites->v[k] != sites->v[k - 1])
            pd_terms_push(to, sites->v[k]);
}

/* COLLECTIVE. Count the sites of the templates. */
static int count_sites(struct listing *l)
{
    struct pd_job *job = l->job;
    struct pd_terms mine = {0}, sites = {0};
    struct pd_bytes got = {0};
    const struct pd_template *v = (const struct pd_template *)(const void *)l->held.v;
    struct pd_held held = {.number = UINT64_MAX};
    int status = PD_OK;
    for (size_t k = 0; k < l->held.n / sizeof *v && status >= 0; k++) {
        if (v[k].doc == held.number || v[k].words & PD_TEMPLATE_IMPRINT)
            continue;
        status = pd_collection_doc(&job->collection, v[k].doc, &held);
        if (status >= 0)
            pd_terms_push(&mine, held.rec->host);
    }
    status = pd_comm_agree(job->comm, status);
    pd_sort_records(mine.v, mine.n, 1, 1);
    keep_different(&mine, &sites);
    struct pd_source source = {sites.v, sites.n, sizeof *sites.v, 0};
    const struct pd_route route = {
        .size = sizeof *sites.v, .fill = pd_fill_from, .fill_ctx = &source, .owner = owner_of_site};
    PD_THEN(status, pd_shuffle_collect(&job->transport, route, &got));
    mine.n = sites.n = 0;
    pd_terms_append(&mine, got.v, got.n / sizeof *mine.v);
    pd_sort_records(mine.v, mine.n, 1, 1);
    keep_different(&mine, &sites);
    job->written.template_sites = sites.n;
    PD_RELEASE(pd_terms, &mine, &sites);
    pd_bytes_release(&got);
    return status;
}

int pd_templates_write(struct pd_job *job, struct pd_writer *w)
{
    struct listing l = {.job = job};
    int status = send_templates(&l);
    PD_THEN(status, count_sites(&l));
    const struct pd_route route = {
        .fill = fill_rows, .fill_ctx = &l, .owner = writer_of_row, .owner_ctx = job};
    PD_THEN(status, pd_shuffle_collect(&job->transport, route, &l.got));
    if (status >= 0)
        place_rows(&l, w);
    uint64_t sums[] = {l.held.n / sizeof(struct pd_template), job->written.template_sites};
    pd_comm_sum(job->comm, sums, 2);
    job->written.templates = sums[0];
    job->written.template_sites = sums[1];
    PD_RELEASE(pd_bytes, &l.held, &l.got);
    return status;
}
