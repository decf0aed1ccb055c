/* app/command/cmd_show.c - pardup show: the best families, or passages side by side, in a terminal. */
#include <stdio.h>
#include <string.h>

#include "app/commands.h"
#include "app/ids.h"
#include "app/print.h"
#include "app/show/show.h"
#include "app/show/viewer.h"
#include "pardup/base/error.h"
#include "pardup/base/plain.h"
#include "pardup/base/search.h"

enum { ROOM_OF_TITLE = 4096, ROOM_OF_ID = 2000, ROOM_OF_RATIO = 16 }; /* bytes */

/* The documents that were asked for. Several documents may have one id. */
struct wanted {
    struct pd_doc_rows doc;          /* --doc: a passage is in one of them */
    struct pd_doc_rows pair[2];      /* --pair: a passage is in one of each */
    struct pd_doc_rows kin;          /* --document-family: a passage is in two of them */
    struct pd_table_reader families; /* --family: of the passages */
};

/* ---- documents ---- */

static bool has(const struct pd_doc_rows *wanted, uint64_t doc)
{
    return wanted->n == 0 || pd_search_has(wanted->v, wanted->n, doc);
}

static bool is_wanted(const struct pd_viewer *p, const struct wanted *w,
                      const struct pd_passage_row *row)
{
    const uint64_t a = row->doc[0], b = row->doc[1] | (p->sides[1].sources ? PD_SOURCE_ROW : 0);
    return has(&w->kin, a) && has(&w->kin, b) && (has(&w->doc, a) || has(&w->doc, b)) &&
           ((has(&w->pair[0], a) && has(&w->pair[1], b)) ||
            (has(&w->pair[0], b) && has(&w->pair[1], a)));
}

/* ---- passages ---- */

/* Print a ratio into `text`, and return it. Only what is 1 is 1.00. */
static const char *ratio(char text[ROOM_OF_RATIO], double x)
{
    const bool nearly = x >= 0.995 && x < 1;
    snprintf(text, ROOM_OF_RATIO, "%.*f", nearly ? 3 : 2, nearly && x > 0.999 ? 0.999 : x);
    return text;
}

static int show_row(struct pd_viewer *p, const struct pd_passage_row *row)
{
    static const char *const no_names[2] = {"", ""};
    char title[ROOM_OF_TITLE], ids[2][ROOM_OF_ID], ratios[2][ROOM_OF_RATIO];
    PD_TRY(pd_viewer_fetch(p, row));
    for (int side = 0; side < 2; side++) {
        const uint64_t mark = p->sides[side].sources ? PD_SOURCE_ROW : 0;
        const char *label;
        size_t n;
        PD_TRY(pd_label_of(&p->label, row->doc[side] | mark, &label, &n));
        pd_plain_line(ids[side], sizeof *ids, label, n);
    }
    snprintf(title, sizeof title, "# %llu: %s ~ %s", (unsigned long long)row->number, ids[0],
             ids[1]);
    pd_print_wrapped(title, strlen(title), p->how.terminal.width, 0, 2);
    snprintf(title, sizeof title, "%s unit%s matched, similarity %s, agreement %s",
             pd_grouped(row->matched), pd_plural(row->matched), ratio(ratios[0], row->similarity),
             ratio(ratios[1], row->agreement));
    pd_viewer_draw(p, row, title, no_names);
    return PD_OK;
}

/* Read what the options name, and print what stands above the passages. */
static int begin(struct pd_viewer *p, const struct pd_print_options *o, struct wanted *w)
{
    static const char *const columns[] = {"family", NULL};
    const bool all = o->limit == 0;
    if (o->doc)
        PD_TRY(pd_ids_find(p->result, o->doc, &w->doc));
    for (int k = 0; k < 2 && o->pair[0]; k++)
        PD_TRY(pd_ids_find(p->result, o->pair[k], &w->pair[k]));
    if (o->family >= 0)
        PD_TRY(pd_show_family(p, (uint64_t)o->family, all));
    if (o->family >= 0)
        PD_TRY(pd_table_open(&w->families, p->result, "passages", columns));
    if (o->document_family >= 0)
        PD_TRY(pd_show_document_family(p, (uint64_t)o->document_family, all, &w->kin));
    if (o->passage >= 0 && (uint64_t)o->passage >= p->passages.rows)
        return pd_fail(PD_EFORMAT, "--passage %lld: the result has %llu passage%s",
                       (long long)o->passage, (unsigned long long)p->passages.rows,
                       pd_plural(p->passages.rows));
    if (o->passage >= 0)
        p->passages.next = (uint64_t)o->passage;
    return PD_OK;
}

/* Read the next passage that is wanted. PD_END: there is none. */
static int next(struct pd_viewer *p, const struct pd_print_options *o, struct wanted *w,
                struct pd_passage_row *row)
{
    int status;
    while ((status = pd_viewer_next(p, row)) == PD_OK) {
        if (o->passage >= 0 && row->number != (uint64_t)o->passage)
            return PD_END;
        if (!is_wanted(p, w, row))
            continue;
        if (o->family < 0)
            return PD_OK;
        PD_TRY(pd_table_at(&w->families, row->number));
        if (pd_table_count(&w->families, 0) == (uint64_t)o->family)
            return PD_OK;
    }
    return status;
}

/* Count the passages that are not shown, and print how many they are. */
static int show_rest(struct pd_viewer *p, const struct pd_print_options *o, struct wanted *w)
{
    const bool any = !w->doc.n && !w->pair[0].n && !w->kin.n && o->family < 0 && o->passage < 0;
    char line[PD_COUNT_ROOM + 64], count[PD_COUNT_ROOM];
    uint64_t n = any ? p->passages.rows - p->passages.next : 0;
    struct pd_passage_row row;
    int status = PD_END;
    while (!any && (status = next(p, o, w, &row)) == PD_OK)
        n++;
    if (n == 0 || status < 0)
        return status;
    snprintf(line, sizeof line, "%s more passage%s; --limit 0 shows all.", pd_count(count, n),
             pd_plural(n));
    putchar('\n');
    pd_print_wrapped(line, strlen(line), p->how.terminal.width, 0, 2);
    return PD_OK;
}

static int show_all(struct pd_viewer *p, const struct pd_print_options *o, struct wanted *w)
{
    const uint64_t limit = o->limit ? (uint64_t)o->limit : UINT64_MAX;
    struct pd_passage_row row;
    uint64_t shown = 0;
    int status = begin(p, o, w);
    while (status >= 0 && shown < limit && !ferror(stdout)) {
        PD_TRY(status = next(p, o, w, &row));
        if (status == PD_END)
            break;
        fputs(shown++ ? "\n" : "", stdout);
        PD_TRY(show_row(p, &row));
    }
    if (shown == 0 && status >= 0)
        puts("no passages");
    if (shown == limit && status >= 0)
        status = show_rest(p, o, w);
    return status < 0 ? status : pd_stdout_done();
}

/* Are families to be shown: has nothing been selected, and has the result any? */
static int wants_families(const struct pd_viewer *p, const struct pd_print_options *o, bool *wants)
{
    uint64_t n = 0;
    const bool selected = o->by_passage || o->doc || o->pair[0] || o->passage >= 0 ||
                          o->family >= 0 || o->document_family >= 0;
    if (!selected && pd_result_has(p->result, "families", "members"))
        PD_TRY(pd_result_rows(p->result, "families", &n));
    *wants = n > 0;
    return PD_OK;
}

static int run(const struct pd_options *o)
{
    struct pd_viewer p;
    struct wanted w = {0};
    bool families = false;
    int status = pd_viewer_open(&p, o->operands.v[0], &o->print);
    PD_THEN(status, wants_families(&p, &o->print, &families));
    if (status >= 0 && families)
        status = pd_show_best(&p, (uint64_t)o->print.limit);
    else if (status >= 0)
        status = show_all(&p, &o->print, &w);
    if (status >= 0 && families)
        status = pd_stdout_done();
    pd_viewer_close(&p);
    pd_table_close(&w.families);
    PD_RELEASE(pd_doc_rows, &w.doc, &w.kin, &w.pair[0], &w.pair[1]);
    return status;
}

const struct pd_command pd_command_show = {
    .name = "show",
    .usage = "[options] OUT.h5",
    .help = "show the best families, or passages side by side with text",
    .brief = "limit doc pair family passage document-family by-passage label lines context width "
             "color convert",
    .example = "pardup show --limit 3 out.h5",
    .operands = PD_OPERANDS_RESULT,
    .alone = run,
};
