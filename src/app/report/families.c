/* app/report/families.c - the families of a report page, best first. */
#include <inttypes.h>

#include "app/best_families.h"
#include "pardup/base/error.h"
#include "report.h"

/* A family that was asked for lists more members than each of many. */
enum { FAMILIES_MOST = 400, MEMBERS_MOST = 40, MEMBERS_OF_ONE = 4000, EXAMPLE_BYTES = 200 };

int pd_report_count_families(struct pd_report_page *r)
{
    static const char *const columns[] = {"members", NULL};
    struct pd_table_reader t;
    if (!pd_result_has(r->result, "families", "members"))
        return PD_OK;
    int status = pd_table_open(&t, r->result, "families", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK)
        r->family_sizes[pd_report_bin(pd_table_count(&t, 0))]++;
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

/* Read the family asked for. */
static int read_family(struct pd_report_page *r, struct pd_best_families *all)
{
    static const char *const columns[] = {"members", "documents", "words", "representative", NULL};
    struct pd_table_reader t;
    uint64_t first = 0;
    int status = pd_table_open(&t, r->result, "families", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        const struct pd_best_family f = {.row = t.row,
                                         .places = pd_table_count(&t, 0),
                                         .documents = pd_table_count(&t, 1),
                                         .words = pd_table_count(&t, 2),
                                         .representative = pd_table_count(&t, 3),
                                         .first = first};
        first += f.places;
        if (r->family == f.row)
            pd_best_families_push(all, f);
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

/* Columns of the tables that a family is written from. */
enum { DOC, BEGIN, END, VERIFIED, SOURCE };
static const char *const member_columns[] = {"doc", "begin", "end", "verified", "?source", NULL};
enum { FIRST_DOC, FIRST_DATE };
static const char *const first_columns[] = {"?first_doc", "?first_date", NULL};

struct writing {
    struct pd_report_page *r;
    FILE *out;
    struct pd_table_reader members, firsts;
};

/* The document of the member at hand, as the page numbers it. */
static uint64_t document_of(const struct pd_table_reader *members)
{
    return pd_table_signed(members, DOC) < 0 ? pd_table_count(members, SOURCE) | PD_SOURCE_ROW
                                             : pd_table_count(members, DOC);
}

/* Write the member at hand. */
static int put_member(struct writing *w)
{
    const struct pd_table_reader *m = &w->members;
    const char *text;
    size_t n;
    PD_TRY(pd_label_of(&w->r->label, document_of(m), &text, &n));
    fprintf(w->out, "[%" PRId64 ",", pd_report_printed(document_of(m)));
    pd_report_put(w->out, text, n);
    fprintf(w->out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, pd_table_count(m, BEGIN),
            pd_table_count(m, END), pd_table_count(m, VERIFIED));
    const struct pd_table_reader *listed;
    PD_TRY(pd_report_look(w->r, document_of(m), &listed));
    text = pd_table_text(listed, PD_LISTED_DATE, &n);
    if (n) {
        fputs(",", w->out);
        pd_report_put(w->out, text, n);
    }
    fputs("]", w->out);
    return PD_OK;
}

/* Write the beginning of the representative. */
static int put_example(struct writing *w, const struct pd_best_family *f)
{
    PD_TRY(pd_table_at(&w->members, f->representative));
    const uint64_t begin = pd_table_count(&w->members, BEGIN);
    const uint64_t end = pd_table_count(&w->members, END);
    if (begin < end && pd_report_fetch(w->r, document_of(&w->members)) &&
        end <= w->r->fetched->document.text_n)
        pd_report_put_beginning(w->out, w->r->fetched->document.text + begin, EXAMPLE_BYTES,
                                end - begin);
    else
        fputs("\"\"", w->out);
    return PD_OK;
}

/* Write who had the text first, and when, if documents have dates. */
static int put_first(struct writing *w, const struct pd_best_family *f)
{
    PD_TRY(pd_table_at(&w->firsts, f->row));
    const int64_t doc = pd_table_signed(&w->firsts, FIRST_DOC);
    if (!pd_table_has(&w->firsts, FIRST_DOC) || doc < 0)
        return PD_OK;
    size_t n = 0;
    const char *text = pd_table_text(&w->firsts, FIRST_DATE, &n);
    fputs(",\"first_date\":", w->out);
    pd_report_put(w->out, text, n);
    PD_TRY(pd_label_of(&w->r->label, (uint64_t)doc, &text, &n));
    fputs(",\"first\":", w->out);
    pd_report_put(w->out, text, n);
    return PD_OK;
}

static int put_family(struct writing *w, const struct pd_best_family *f)
{
    const uint64_t most = w->r->family == UINT64_MAX ? MEMBERS_MOST : MEMBERS_OF_ONE;
    const uint64_t n = f->places < most ? f->places : most;
    fprintf(w->out,
            "{\"row\":%" PRIu64 ",\"size\":%" PRIu64 ",\"documents\":%" PRIu64 ",\"words\":%" PRIu64
            ",\"members\":[",
            f->row, f->places, f->documents, f->words);
    for (uint64_t k = 0; k < n; k++) {
        fputs(k ? "," : "", w->out);
        PD_TRY(pd_table_at(&w->members, f->first + k));
        PD_TRY(put_member(w));
    }
    fputs("],\"text\":", w->out);
    PD_TRY(put_example(w, f));
    PD_TRY(put_first(w, f));
    fputs("}", w->out);
    return PD_OK;
}

/* Write the family asked for, or the best ones. */
static int put_families(struct writing *w)
{
    struct pd_best_families all = {0};
    uint64_t ignored;
    PD_TRY(pd_table_open(&w->members, w->r->result, "members", member_columns));
    PD_TRY(pd_table_open(&w->firsts, w->r->result, "families", first_columns));
    int status = w->r->family == UINT64_MAX
                     ? pd_best_families_find(w->r->result, FAMILIES_MOST, &all, &ignored)
                     : read_family(w->r, &all);
    pd_progress_begin(&w->r->progress, "families");
    for (size_t k = 0; k < all.n && status >= 0; k++) {
        pd_progress_tell(&w->r->progress, k, all.n, 0, 0);
        fputs(k ? ",\n" : "", w->out);
        status = put_family(w, &all.v[k]);
    }
    pd_best_families_release(&all);
    return status;
}

int pd_report_families(struct pd_report_page *r, FILE *out)
{
    struct writing w = {.r = r, .out = out};
    int status = PD_OK;
    fputs(",\"families\":[", out);
    if (r->only == UINT64_MAX && pd_result_has(r->result, "families", "members"))
        status = put_families(&w);
    fputs("]", out);
    pd_table_close(&w.members);
    pd_table_close(&w.firsts);
    return status;
}
