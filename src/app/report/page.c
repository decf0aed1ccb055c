/*
 * app/report/page.c - the page of src/app/report/report.h: src/app/report/page/ with the data in
 * it.
 *
 * The data is JSON in a script element that is not run. Texts of the collection have < and >
 * escaped there, and the script of the page makes text nodes of them only.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/numbers.h"
#include "report.h"

extern const unsigned char pd_report_html[]; /* made by page/page.cmake, ended by NUL */

static void put_string(FILE *out, const char *s) { pd_report_put(out, s, strlen(s)); }

/* ---- the parts of the data ---- */

static void put_attribute(struct pd_report_page *r, FILE *out, const char *attribute,
                          const char *title)
{
    char *text = NULL;
    if (pd_result_text(r->result, attribute, &text) >= 0 && *text) {
        fprintf(out, ",[\"%s\",", title);
        put_string(out, text);
        fputs("]", out);
    }
    free(text);
    pd_error_clear();
}

static int put_rows(struct pd_report_page *r, FILE *out, const char *table, const char *title)
{
    uint64_t rows;
    PD_TRY(pd_result_rows(r->result, table, &rows));
    fprintf(out, ",[\"%s\",\"%" PRIu64 "\"]", title, rows);
    return PD_OK;
}

/* How many targets of a check are duplicates, and when a target is one. */
static int put_duplicates(struct pd_report_page *r, FILE *out)
{
    static const char *const columns[] = {"duplicate", NULL};
    struct pd_table_reader t;
    uint64_t n = 0, delta = 0;
    char *units = NULL;
    int status = pd_table_open(&t, r->result, "decisions", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK)
        n += pd_table_count(&t, 0);
    pd_table_close(&t);
    pd_result_count(r->result, "delta", &delta);
    const bool grams =
        pd_result_text(r->result, "units", &units) >= 0 && strcmp(units, "gram") == 0;
    free(units);
    fprintf(out, ",[\"Duplicates\",\"%s of %s: more than %s of their units are in the index%s\"]",
            pd_grouped(n), pd_grouped(t.rows), pd_grouped(delta),
            grams ? ", and they have a passage" : "");
    return status < 0 ? status : PD_OK;
}

static int put_summary(struct pd_report_page *r, FILE *out)
{
    const bool hides = r->label.hidden > 0; /* paths and the command may have names */
    fputs("\"summary\":[[\"Result\",", out);
    put_string(out,
               hides ? "names of others are hidden, in texts by stars" : pd_result_path(r->result));
    fputs("]", out);
    PD_TRY(put_rows(r, out, "documents", r->sides[1].sources ? "Targets" : "Documents"));
    if (r->sides[1].sources)
        PD_TRY(put_rows(r, out, "sources", "Sources"));
    if (pd_result_has(r->result, "decisions", "duplicate"))
        PD_TRY(put_duplicates(r, out));
    PD_TRY(put_rows(r, out, "passages", "Passages"));
    PD_TRY(put_rows(r, out, "pairs", "Document pairs with passages"));
    if (pd_result_has(r->result, "families", "members"))
        PD_TRY(put_rows(r, out, "families", "Families of passages"));
    if (pd_result_has(r->result, "document_families", "documents"))
        PD_TRY(put_rows(r, out, "document_families", "Families of whole documents"));
    PD_TRY(put_rows(r, out, "common", "Common text, see 'Set aside'"));
    if (pd_result_has(r->result, "templates", "host"))
        PD_TRY(put_rows(r, out, "templates", "Templates, see 'Set aside'"));
    PD_TRY(put_rows(r, out, "skipped", "Records skipped"));
    if (!hides)
        put_attribute(r, out, "command", "Command");
    put_attribute(r, out, "preset_chosen", "Preset");
    put_attribute(r, out, "preset_reason", "Why this preset");
    put_attribute(r, out, "method", "Method");
    put_attribute(r, out, "start_time", "Made");
    put_attribute(r, out, "pardup_version", "pardup");
    fputs("]", out);
    return PD_OK;
}

static void put_tenths(FILE *out, const char *title, const uint64_t tenths[PD_REPORT_TENTHS])
{
    fprintf(out, "[\"%s\",[", title);
    for (int k = 0; k < PD_REPORT_TENTHS; k++)
        fprintf(out, "%s[\"%d to %d %%\",%" PRIu64 "]", k ? "," : "", 10 * k, 10 * k + 10,
                tenths[k]);
    fputs("]]", out);
}

/*
 * Write a chart whose k-th bin counts sizes from 2^k to 2^(k+1) - 1, without empty bins at its
 * ends.
 */
static void put_doubling(FILE *out, const char *title, const uint64_t bins[PD_REPORT_LENGTHS])
{
    size_t first = 0, end = PD_REPORT_LENGTHS;
    while (first + 1 < end && bins[first] == 0)
        first++;
    while (end > first + 1 && bins[end - 1] == 0)
        end--;
    fprintf(out, "[\"%s\",[", title);
    for (size_t k = first; k < end; k++) {
        fprintf(out, "%s[\"%s", k > first ? "," : "", pd_grouped(1ull << k));
        if (k + 1 == PD_REPORT_LENGTHS)
            fputs(" and more", out);
        else if (k > 0)
            fprintf(out, " to %s", pd_grouped((2ull << k) - 1));
        fprintf(out, "\",%" PRIu64 "]", bins[k]);
    }
    fputs("]]", out);
}

static void put_charts(const struct pd_report_page *r, FILE *out)
{
    fputs(",\"charts\":[", out);
    put_doubling(out, "Words of a passage", r->lengths);
    fputs(",", out);
    put_tenths(out, "Agreement of a passage", r->tenths);
    fputs(",", out);
    put_tenths(out, "Share of a document that another one has (document pairs)", r->coverage);
    if (r->resembling) {
        fputs(",", out);
        put_tenths(out, "Resemblance of document pairs", r->resemblance);
    }
    uint64_t families = 0;
    for (int k = 0; k < PD_REPORT_LENGTHS; k++)
        families += r->family_sizes[k];
    if (families > 0) {
        fputs(",", out);
        put_doubling(out, "Members of a family", r->family_sizes);
    }
    fputs("]", out);
}

/* Write some of the numbers that marks are made of. */
static void put_numbers(const struct pd_report_page *r, FILE *out, const struct pd_report_text *of)
{
    fputs(",[", out);
    for (size_t k = 0; k < of->n; k++)
        fprintf(out, "%s%" PRIu32, k ? "," : "", r->marks.v[of->at + k]);
    fputs("]", out);
}

static int put_documents(struct pd_report_page *r, FILE *out)
{
    fputs(",\"docs\":[", out);
    for (size_t k = 0; k < r->documents.n; k++) {
        const struct pd_report_document *d = &r->documents.v[k];
        const char *text;
        size_t n;
        PD_TRY(pd_label_of(&r->label, d->row, &text, &n));
        fprintf(out, "%s[%" PRId64 ",", k ? ",\n" : "", pd_report_printed(d->row));
        pd_report_put(out, text, n);
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",", d->bytes, d->passages);
        if (d->whole)
            pd_report_put(out, (const char *)r->texts.v + d->text.at, d->text.n);
        else
            fputs("null", out);
        fprintf(out, ",%" PRIu64 ",%" PRIu64, d->share.covered, d->share.all);
        put_numbers(r, out, &d->aside);
        PD_TRY(pd_label_fields(&r->label, d->row, &text, &n));
        fputs(",", out);
        pd_report_put(out, text, n);
        fputs("]", out);
    }
    fputs("]", out);
    return PD_OK;
}

static void put_passages(struct pd_report_page *r, FILE *out)
{
    fputs(",\"passages\":[", out);
    for (size_t k = 0; k < r->passages.n; k++) {
        const struct pd_report_passage *p = &r->passages.v[k];
        const size_t a = pd_report_number(r, p->doc[0]), b = pd_report_number(r, p->doc[1]);
        fprintf(out, "%s[%" PRIu64 ",%zu,%zu", k ? ",\n" : "", p->row, a, b);
        for (int side = 0; side < 2; side++)
            fprintf(out, ",%" PRIu64 ",%" PRIu64, p->begin[side], p->end[side]);
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%.4g,%.4g,%" PRId64, p->words[0], p->words[1],
                p->agreement, p->similarity, (int64_t)p->family);
        for (int side = 0; side < 2; side++)
            if (p->marked)
                put_numbers(r, out, &p->marks[side]);
            else
                fputs(",null", out);
        for (int side = 0; side < 2 && p->excerpt[0].n + p->excerpt[1].n > 0; side++) {
            fputs(",", out);
            pd_report_put(out, (const char *)r->texts.v + p->excerpt[side].at, p->excerpt[side].n);
        }
        fputs("]", out);
    }
    fputs("]", out);
}

static void put_pairs(const struct pd_report_page *r, FILE *out)
{
    fputs(",\"pairs\":[", out);
    for (size_t k = 0; k < r->pairs.n; k++) {
        const struct pd_report_pair *p = &r->pairs.v[k];
        fprintf(out, "%s[%zu,%zu,%" PRIu64 ",%" PRIu64 "]", k ? "," : "", p->document[0],
                p->document[1], p->covered[0], p->covered[1]);
    }
    fputs("]", out);
}

static int put_title(struct pd_report_page *r, FILE *out)
{
    const char *label;
    size_t n;
    fputs("{\"title\":", out);
    if (r->family != UINT64_MAX) {
        fprintf(out, "\"Family %" PRIu64 "\",\"start\":\"families\"", r->family);
    } else if (r->only == UINT64_MAX) {
        fputs("\"Shared passages\"", out);
        if (pd_result_has(r->result, "families", "members"))
            fputs(",\"start\":\"families\"", out);
    } else {
        struct pd_bytes title = {0};
        PD_TRY(pd_label_of(&r->label, r->only, &label, &n));
        pd_bytes_append(&title, (const unsigned char *)"Shared passages of ", 19);
        pd_bytes_append(&title, (const unsigned char *)label, n);
        pd_report_put(out, (const char *)title.v, title.n);
        pd_bytes_release(&title);
        fprintf(out, ",\"doc\":%" PRId64 ",\"start\":\"doc/%zu\"", pd_report_printed(r->only),
                pd_report_number(r, r->only));
    }
    if (r->passages.n < r->rows)
        fprintf(
            out,
            ",\"note\":\"This page holds %s of %s passages, the longest of each pair of documents "
            "first: "
            "lists count these, shares and histograms all. 'pardup report --limit' changes it.\"",
            pd_grouped(r->passages.n), pd_grouped(r->rows));
    const bool code = r->fetched && r->fetched->document.words_kind == PD_WORDS_CODE;
    fprintf(out, ",\"code\":%s,\n", code ? "true" : "false");
    return PD_OK;
}

int pd_report_write(struct pd_report_page *r, FILE *out)
{
    const char *html = (const char *)pd_report_html, *data = strstr(html, "@DATA@");
    PD_CHECK(data);
    fwrite(html, 1, (size_t)(data - html), out);
    PD_TRY(put_title(r, out));
    PD_TRY(put_summary(r, out));
    put_charts(r, out);
    PD_TRY(put_documents(r, out));
    put_passages(r, out);
    put_pairs(r, out);
    PD_TRY(pd_report_aside(r, out));
    PD_TRY(pd_report_families(r, out));
    PD_TRY(pd_report_kin(r, out));
    fputs("}", out);
    fputs(data + strlen("@DATA@"), out);
    return PD_OK;
}
