/*
 * run/stage/write/aside_rows.c - see src/run/stage/write/tables.h
 *
 * Rows go to the holders of their first documents, which know the names of the sites and the words
 * of units. From there they go to the ranks that write them: each rank has a range of first
 * documents.
 */
#include "tables.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"
#include "pardup/result/rows.h"
#include "run/stage/table/table.h"

/* Names in the column `reason`. */
static const char *const reasons[PD_ASIDE_WHYS] = {
    [PD_ASIDE_COMMON] = "common",     [PD_ASIDE_WHOLE] = "common",
    [PD_ASIDE_CROWDED] = "crowded",   [PD_ASIDE_IMPRINT] = "imprint",
    [PD_ASIDE_TEMPLATE] = "template", [PD_ASIDE_STUB] = "stub"};

struct listing {
    struct pd_job *job;
    size_t next;               /* of this rank's templates, and then of its common classes */
    struct pd_shuffle asked;   /* struct pd_aside_row without site, at the holders */
    struct pd_held held;       /* the document at hand */
    bool opened;               /* it is in `stored` */
    struct pd_stored stored;   /* without the frame that --frame sets aside */
    struct pd_sentences units; /* its units */
    struct pd_terms sites;     /* of the templates at this holder */
    struct pd_shuffle found;   /* struct pd_aside_row with site, at the ranks that write them */
    struct pd_spool templates; /* the rows of /templates among them */
};

static const struct pd_flow asked_flow = {.name = "aside",
                                          .budget = PD_BUDGET_ASIDE_DOCUMENTS,
                                          .size = sizeof(struct pd_aside_row),
                                          .keys = PD_ASIDE_ROW_U64S,
                                          .owner = pd_to_holder};

static int next_listed(void *ctx, void *rec)
{
    struct listing *l = ctx;
    const struct pd_templates *templates = &l->job->matches.templates;
    const struct pd_commons *commons = &l->job->matches.common;
    struct pd_aside_row *row = rec;
    const size_t k = l->next++;
    if (k < templates->n) {
        const struct pd_template *t = &templates->v[k];
        *row = (struct pd_aside_row){t->doc, t->unit, t->why, t->text, t->pages, t->words, ""};
    } else if (k - templates->n < commons->n) {
        const struct pd_common *c = &commons->v[k - templates->n];
        *row = (struct pd_aside_row){c->doc, c->unit, c->why, c->sig, c->df, 0, ""};
    } else {
        return PD_END;
    }
    memcpy(row->reason, reasons[row->why], strlen(reasons[row->why]));
    return PD_OK;
}

/* Set the words of a class: its first occurrence is in the document at hand. */
static int count_words(struct listing *l, struct pd_aside_row *row)
{
    const struct pd_units_form *form = &l->job->form;
    const bool whole = row->why == PD_ASIDE_WHOLE;
    if (form->kind == PD_FORM_GRAM && !whole) {
        row->words = form->size;
        return PD_OK;
    }
    if (!l->opened) {
        PD_TRY(pd_collection_open(&l->job->collection, &l->held, &l->stored));
        if (form->kind != PD_FORM_GRAM)
            pd_units_derive(form, &l->stored.sentences, &l->stored.tokens, &l->units);
        l->opened = true;
    }
    PD_CHECK(whole || row->unit < l->units.n);
    row->words = whole ? l->stored.tokens.n : l->units.v[row->unit].nwords;
    return PD_OK;
}

static int next_found(void *ctx, void *rec)
{
    struct listing *l = ctx;
    struct pd_aside_row *row = rec;
    const void *asked;
    PD_PASS(pd_shuffle_next(&l->asked, &asked));
    memset(row, 0, l->found.flow.size);
    memcpy(row, asked, sizeof *row);
    if (row->doc != l->held.number) {
        PD_TRY(pd_collection_doc(&l->job->collection, row->doc, &l->held));
        l->opened = false;
    }
    if (row->why < PD_ASIDE_IMPRINT)
        return count_words(l, row);
    if (row->why == PD_ASIDE_IMPRINT)
        return PD_OK;
    const struct pd_docrec *d = l->held.rec;
    memcpy(row->site, pd_collection_id(&l->job->collection, &l->held) + d->id_n + d->url_n,
           d->site_n);
    if (l->sites.n == 0 || l->sites.v[l->sites.n - 1] != d->host)
        pd_terms_push(&l->sites, d->host);
    return PD_OK;
}

/* COLLECTIVE. Find the rows: at the ranks that write them, in order. */
static int find(struct listing *l, size_t size)
{
    struct pd_job *job = l->job;
    const struct pd_flow found_flow = {.name = "aside_rows",
                                       .budget = PD_BUDGET_ASIDE_SPANS,
                                       .size = size,
                                       .keys = PD_ASIDE_ROW_U64S,
                                       .owner = pd_to_writer};
    pd_shuffle_open(&l->asked, &job->transport, &asked_flow, &job->collection, NULL);
    pd_shuffle_open(&l->found, &job->transport, &found_flow, job, NULL);
    return pd_ask(&l->asked, next_listed, l, &l->found, next_found, l);
}

/* ---- how many sites have templates ---- */

static int owner_of_site(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_hash_range(pd_mix(*(const uint64_t *)rec), nranks);
}

/* Sort sites, and leave each of them once. */
static void make_different(struct pd_terms *sites)
{
    size_t n = 0;
    pd_sort_records(sites->v, sites->n, 1, 1);
    for (size_t k = 0; k < sites->n; k++)
        if (k == 0 || sites->v[k] != sites->v[n - 1])
            sites->v[n++] = sites->v[k];
    sites->n = n;
}

/* COLLECTIVE. Count the templates and their sites. */
static int count_sites(struct listing *l)
{
    struct pd_job *job = l->job;
    struct pd_bytes got = {0};
    make_different(&l->sites);
    struct pd_source source = {l->sites.v, l->sites.n, sizeof *l->sites.v, 0};
    const struct pd_route route = {.size = sizeof *l->sites.v,
                                   .fill = pd_fill_from,
                                   .fill_ctx = &source,
                                   .owner = owner_of_site};
    const int status = pd_shuffle_collect(&job->transport, route, &got);
    l->sites.n = 0;
    pd_terms_append(&l->sites, got.v, got.n / sizeof *l->sites.v);
    make_different(&l->sites);
    uint64_t sums[] = {job->matches.templates.n, l->sites.n};
    pd_comm_sum(job->comm, sums, 2);
    job->written.templates = sums[0];
    job->written.template_sites = sums[1];
    pd_bytes_release(&got);
    return status;
}

/* ---- writing ---- */

/* The next row of /aside. A row of /templates is kept, too. */
static int next_row(void *ctx, struct pd_bytes *to)
{
    struct listing *l = ctx;
    const void *rec;
    PD_PASS(pd_shuffle_next(&l->found, &rec));
    pd_bytes_append(to, rec, l->found.flow.size);
    const bool both = ((const struct pd_aside_row *)rec)->why >= PD_ASIDE_IMPRINT;
    return both ? pd_spool_push(&l->templates, rec) : PD_OK;
}

static int next_template(void *ctx, struct pd_bytes *to)
{
    struct listing *l = ctx;
    const void *rec;
    PD_PASS(pd_spool_next(&l->templates, &rec));
    pd_bytes_append(to, rec, l->templates.how.size);
    return PD_OK;
}

/* COLLECTIVE. Write n rows of this rank. */
static int write(struct listing *l, struct pd_writer *w, enum pd_table table, uint64_t n,
                 int (*next)(void *ctx, struct pd_bytes *to))
{
    const size_t width = pd_max_size(l->job->collection.site_width, 1);
    struct pd_handed_rows rows = {.table = table,
                                  .size = l->found.flow.size,
                                  .n = n,
                                  .at = pd_comm_before(l->job->comm, n),
                                  .widths = &width,
                                  .next = next,
                                  .ctx = l};
    return pd_table_write(l->job, w, &rows);
}

int pd_aside_write(struct pd_job *job, struct pd_writer *w)
{
    const size_t width = pd_max_size(job->collection.site_width, 1);
    const size_t size = (sizeof(struct pd_aside_row) + width + 7) / 8 * 8;
    struct listing l = {.job = job, .held = {.number = UINT64_MAX}};
    int status = find(&l, size);
    PD_THEN(status, count_sites(&l));
    pd_job_spool(job, &l.templates, size, PD_BUDGET_ASIDE_DOCUMENTS, "templates");
    PD_THEN(status, write(&l, w, PD_TABLE_ASIDE, pd_sorter_bytes(l.found.sorter) / size, next_row));
    PD_THEN(status, pd_comm_agree(job->comm, pd_spool_finish(&l.templates)));
    PD_THEN(status, write(&l, w, PD_TABLE_TEMPLATES, l.templates.n, next_template));
    pd_spool_release(&l.templates);
    PD_CLOSE(pd_shuffle, &l.asked, &l.found);
    pd_stored_release(&l.stored);
    pd_sentences_release(&l.units);
    pd_terms_release(&l.sites);
    return status;
}
