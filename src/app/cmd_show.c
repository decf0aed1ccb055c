/* app/cmd_show.c - pardup show: passages side by side, with their text, in a terminal. */
#include <stdio.h>
#include <string.h>

#include "app/show/family.h"
#include "app/show/viewer.h"
#include "commands.h"
#include "ids.h"
#include "pardup/base/error.h"
#include "pardup/base/search.h"
#include "print.h"

enum { ROWS_AT_ONCE = 4096, ROOM_OF_TITLE = 4096 }; /* rows; bytes */

/* The families of passages: rows [from, from + n) of the column are at hand. */
struct families {
    struct pd_cells cells;
    uint64_t from, n;
};

/* The documents that were asked for. Several documents may have one id. */
struct wanted {
    struct pd_doc_rows doc;     /* --doc: a passage is in one of them */
    struct pd_doc_rows pair[2]; /* --pair: a passage is in one of each */
    struct pd_doc_rows kin;     /* --document-family: a passage is in two of them */
    struct families families;
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

/* ---- families ---- */

/* *of: the family of a passage. */
static int family_of(struct pd_viewer *p, struct families *f, uint64_t row, uint64_t *of)
{
    if (row < f->from || row - f->from >= f->n) {
        f->from = row;
        f->n = p->rows - row < ROWS_AT_ONCE ? p->rows - row : ROWS_AT_ONCE;
        PD_TRY(pd_result_read(p->result, "passages", "family", f->from, f->n, &f->cells));
    }
    *of = pd_cells_count(&f->cells, row - f->from);
    return PD_OK;
}

/* ---- passages ---- */

static int show_row(struct pd_viewer *p, const struct pd_passage_row *row)
{
    static const char *const no_names[2] = {"", ""};
    char title[ROOM_OF_TITLE];
    PD_TRY(pd_viewer_fetch(p, row));
    snprintf(title, sizeof title, "# %llu: %s ~ %s", (unsigned long long)row->number,
             p->sides[0].id, p->sides[1].id);
    pd_print_wrapped(title, strlen(title), p->how.terminal.width, 0, 2);
    snprintf(title, sizeof title, "%llu units matched, similarity %.2f, agreement %.2f",
             (unsigned long long)row->matched, row->similarity, row->agreement);
    pd_viewer_draw(p, row, title, no_names);
    return PD_OK;
}

static int show_all(struct pd_viewer *p, const struct pd_print_options *o, struct wanted *w)
{
    const uint64_t limit = o->limit ? (uint64_t)o->limit : UINT64_MAX;
    struct pd_passage_row row;
    uint64_t shown = 0;
    int status = PD_OK;
    if (o->doc)
        PD_TRY(pd_ids_find(p->result, o->doc, &w->doc));
    for (int k = 0; k < 2 && o->pair[0]; k++)
        PD_TRY(pd_ids_find(p->result, o->pair[k], &w->pair[k]));
    if (o->family >= 0)
        PD_TRY(pd_show_family(p, (uint64_t)o->family, &w->families.cells));
    if (o->document_family >= 0)
        PD_TRY(
            pd_show_document_family(p, (uint64_t)o->document_family, &w->families.cells, &w->kin));
    if (o->passage >= 0 && (uint64_t)o->passage >= p->rows)
        return pd_fail(PD_EFORMAT, "--passage %lld: the result has %llu passages",
                       (long long)o->passage, (unsigned long long)p->rows);
    if (o->passage >= 0)
        p->at = (uint64_t)o->passage;
    while (shown < limit && (status = pd_viewer_next(p, &row)) == PD_OK) {
        if (o->passage >= 0 && row.number != (uint64_t)o->passage)
            break;
        if (!is_wanted(p, w, &row))
            continue;
        if (o->family >= 0) {
            uint64_t of;
            PD_TRY(family_of(p, &w->families, row.number, &of));
            if (of != (uint64_t)o->family)
                continue;
        }
        fputs(shown++ ? "\n" : "", stdout);
        PD_TRY(show_row(p, &row));
    }
    if (shown == 0 && status >= 0)
        puts("no passages");
    return status < 0 ? status : pd_stdout_done();
}

static int run(const struct pd_options *o)
{
    struct pd_viewer p;
    struct wanted w = {0};
    int status = pd_viewer_open(&p, o->operands.v[0], &o->print);
    if (status >= 0)
        status = show_all(&p, &o->print, &w);
    pd_viewer_close(&p);
    pd_bytes_release(&w.families.cells.values);
    pd_doc_rows_release(&w.doc);
    pd_doc_rows_release(&w.kin);
    pd_doc_rows_release(&w.pair[0]);
    pd_doc_rows_release(&w.pair[1]);
    return status;
}

const struct pd_command pd_command_show = {
    .name = "show",
    .usage = "[options] OUT.h5",
    .help = "show passages side by side, with their text",
    .example = "pardup show --limit 3 out.h5",
    .operands = PD_OPERANDS_RESULT,
    .alone = run,
};
