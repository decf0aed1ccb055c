/*
 * app/report/aside.c - what a report page says of text that was set aside: common units and
 * templates.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "report.h"

enum { SHOWN_MOST = 100, EXAMPLE_BYTES = 200 };

/* A row of /common or /templates that may be on the page. */
struct aside {
    uint64_t many; /* documents or pages that have the unit */
    uint64_t row, doc, unit;
};
PD_VEC(asides, struct aside);

/* How the units of the result are made, as far as their text needs it. */
struct form {
    uint64_t grams, bases; /* words, or else base units, of a unit; both 0: the document */
};

static int by_many(const void *x, const void *y)
{
    const struct aside *a = x, *b = y;
    if (a->many != b->many)
        return a->many > b->many ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static void keep_first(struct asides *all)
{
    PD_VEC_SORT(all, by_many);
    all->n = all->n < SHOWN_MOST ? all->n : SHOWN_MOST;
}

/* Read the rows that most documents have, most first. */
static int read_asides(struct pd_report_page *r, const char *table, const char *many,
                       struct asides *all)
{
    const char *const columns[] = {many, "doc", "sentence", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, r->result, table, columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        asides_push(all, (struct aside){pd_table_count(&t, 0), t.row, pd_table_count(&t, 1),
                                        pd_table_count(&t, 2)});
        if (all->n > 4 * (size_t)SHOWN_MOST)
            keep_first(all);
    }
    pd_table_close(&t);
    keep_first(all);
    return status < 0 ? status : PD_OK;
}

static struct form form_of(struct pd_report_page *r)
{
    struct form form = {.bases = 1};
    char *units = NULL, *window = NULL;
    if (pd_result_text(r->result, "units", &units) >= 0) {
        if (strcmp(units, "gram") == 0 && pd_result_count(r->result, "ngram", &form.grams))
            form.bases = 0;
        else if (strcmp(units, "document") == 0)
            form.bases = 0;
        else if (pd_result_text(r->result, "window", &window) >= 0)
            form.bases = strtoull(window, NULL, 10);
    }
    PD_FREE(units, window);
    pd_error_clear();
    return form;
}

/* The bytes [*begin, *end) of a unit in the document that was read; false: it has no such unit. */
static bool find_unit(const struct pd_document *d, struct form form, uint64_t unit, uint32_t *begin,
                      uint32_t *end)
{
    const uint64_t n = form.grams ? form.grams : form.bases;
    const uint64_t all = form.grams ? d->words.n : d->sentences.n;
    *begin = 0;
    *end = (uint32_t)d->text_n;
    if (n == 0)
        return true;
    if (n > all || unit > all - n)
        return false;
    *begin = form.grams ? d->words.v[unit].begin : d->sentences.v[unit].begin;
    *end = form.grams ? d->words.v[unit + n - 1].end : d->sentences.v[unit + n - 1].end;
    return true;
}

/* Write the beginning of a unit, read before; `there`: its document could be read. */
static void put_unit(struct pd_report_page *r, FILE *out, bool there, struct form form,
                     uint64_t unit)
{
    const struct pd_document *d = &r->fetched->document;
    uint32_t begin, end;
    if (there && find_unit(d, form, unit, &begin, &end) && begin < end)
        pd_report_put_beginning(out, d->text + begin, EXAMPLE_BYTES, end - begin);
    else
        fputs("\"\"", out);
}

static int put_common(struct pd_report_page *r, FILE *out)
{
    struct asides all = {0};
    const struct form form = form_of(r);
    const int status = read_asides(r, "common", "df", &all);
    fputs(",\"common\":[", out);
    for (size_t k = 0; k < all.n; k++) {
        const bool there = pd_report_fetch(r, all.v[k].doc);
        const char *id = "";
        size_t n = 0;
        if (there && pd_label_of(&r->label, all.v[k].doc, &id, &n) < 0)
            pd_error_clear(); /* the text is there without a name */
        fprintf(out, "%s[%" PRIu64 ",", k ? "," : "", all.v[k].many);
        pd_report_put(out, id, n);
        fputs(",", out);
        put_unit(r, out, there, form, all.v[k].unit);
        fputs("]", out);
    }
    fputs("]", out);
    asides_release(&all);
    return status;
}

static int put_templates(struct pd_report_page *r, FILE *out)
{
    static const char *const columns[] = {"host", NULL};
    struct asides all = {0};
    struct pd_table_reader t = {.rows = 0};
    int status = PD_OK;
    fputs(",\"templates\":[", out);
    if (pd_result_has(r->result, "templates", "host"))
        status = read_asides(r, "templates", "pages", &all);
    if (status >= 0 && all.n)
        status = pd_table_open(&t, r->result, "templates", columns);
    for (size_t k = 0; k < all.n && status >= 0 && (status = pd_table_at(&t, all.v[k].row)) >= 0;
         k++) {
        size_t n;
        const char *name = pd_table_text(&t, 0, &n);
        fprintf(out, "%s[%" PRIu64 ",", k ? "," : "", all.v[k].many);
        pd_report_put(out, name, n);
        fputs(",", out);
        const bool there = pd_report_fetch(r, all.v[k].doc);
        put_unit(r, out, there, (struct form){.bases = 1}, all.v[k].unit);
        fputs("]", out);
    }
    fputs("]", out);
    pd_table_close(&t);
    asides_release(&all);
    return status;
}

/* Write a count of the whole job; 0 if the result does not have it. */
static void put_fact(struct pd_report_page *r, FILE *out, const char *name, const char *attribute)
{
    uint64_t n = 0;
    pd_result_count(r->result, attribute, &n);
    fprintf(out, ",\"%s\":%" PRIu64, name, n);
}

/* Write how much was set aside, and what that means. */
static int put_facts(struct pd_report_page *r, FILE *out)
{
    uint64_t commons, templates = 0;
    char *how = NULL;
    PD_TRY(pd_result_rows(r->result, "common", &commons));
    if (pd_result_has(r->result, "templates", "host"))
        PD_TRY(pd_result_rows(r->result, "templates", &templates));
    if (pd_result_text(r->result, "common", &how) < 0)
        pd_error_clear();
    fprintf(out, ",\"aside\":{\"commons\":%" PRIu64 ",\"templates\":%" PRIu64, commons, templates);
    put_fact(r, out, "max_df", "max_df");
    put_fact(r, out, "links", "doubtful_units");
    put_fact(r, out, "frame", "frame_sentences");
    fputs(",\"common\":", out);
    pd_report_put(out, how ? how : "", how ? strlen(how) : 0);
    fputs("}", out);
    free(how);
    return PD_OK;
}

int pd_report_aside(struct pd_report_page *r, FILE *out)
{
    PD_TRY(put_facts(r, out));
    if (r->label.hidden) { /* the texts belong to others */
        fputs(",\"common\":[],\"templates\":[]", out);
        return PD_OK;
    }
    PD_TRY(put_common(r, out));
    return put_templates(r, out);
}
