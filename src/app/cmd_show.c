/* app/cmd_show.c - pardup show: passages side by side, with their text, in a terminal. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/search.h"
#include "print.h"
#include "viewer.h"

enum { ROWS_AT_ONCE = 4096, ROOM_OF_TITLE = 4096, MEMBERS_SHOWN = 20 }; /* rows; bytes; lines */

/* Rows of /documents, ascending; none: any document is meant. */
PD_VEC(rows, uint64_t);

/* The families of passages: rows [from, from + n) of the column are at hand. */
struct families {
    struct pd_cells cells;
    uint64_t from, n;
};

/* The documents that were asked for. Several documents may have one id. */
struct wanted {
    struct rows doc;     /* --doc: a passage is in one of them */
    struct rows pair[2]; /* --pair: a passage is in one of each */
    struct families families;
};

/* ---- documents ---- */

/* List the rows of /documents with this id. PD_OK, or PD_EFORMAT: there is none. */
static int find_documents(struct pd_result *result, const char *wanted, struct rows *found)
{
    struct pd_cells ids = {0};
    uint64_t rows;
    int status = pd_result_rows(result, "documents", &rows);
    for (uint64_t from = 0; status >= 0 && from < rows; from += ROWS_AT_ONCE) {
        const uint64_t take = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        status = pd_result_read(result, "documents", "id", from, take, &ids);
        for (uint64_t k = 0; k < take && status >= 0; k++) {
            size_t n;
            const char *id = pd_cells_text(&ids, k, &n);
            if (strlen(wanted) == n && memcmp(wanted, id, n) == 0)
                rows_push(found, from + k);
        }
    }
    pd_bytes_release(&ids.values);
    if (status >= 0 && found->n == 0)
        return pd_fail(PD_EFORMAT, "%s: no document with this id", wanted);
    return status;
}

static bool has(const struct rows *wanted, uint64_t doc)
{
    return wanted->n == 0 || pd_search_has(wanted->v, wanted->n, doc);
}

static bool is_wanted(const struct wanted *w, const struct pd_passage_row *row)
{
    const uint64_t a = row->doc[0], b = row->doc[1];
    return (has(&w->doc, a) || has(&w->doc, b)) && ((has(&w->pair[0], a) && has(&w->pair[1], b)) ||
                                                    (has(&w->pair[0], b) && has(&w->pair[1], a)));
}

/* ---- families ---- */

/* Set *count to a column of one family. */
static int read_family(struct pd_result *result, const char *column, uint64_t family,
                       struct pd_cells *cells, uint64_t *count)
{
    PD_TRY(pd_result_read(result, "families", column, family, 1, cells));
    *count = pd_cells_count(cells, 0);
    return PD_OK;
}

/* *row: the first row of /members of a family. */
static int first_member(struct pd_result *result, uint64_t family, struct pd_cells *cells,
                        uint64_t *row)
{
    uint64_t from = 0, to;
    PD_TRY(pd_result_rows(result, "members", &to));
    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;
        PD_TRY(pd_result_read(result, "members", "family", middle, 1, cells));
        if (pd_cells_count(cells, 0) < family)
            from = middle + 1;
        else
            to = middle;
    }
    *row = from;
    return PD_OK;
}

/* Print a line with the member in a row of /members: what it is, date and id of its document. */
static int show_member(struct pd_viewer *p, uint64_t row, bool representative,
                       struct pd_cells *cells)
{
    char line[ROOM_OF_TITLE], date[PD_DATE_ROOM] = "";
    const char *what = representative ? "representative" : "through others";
    size_t n;
    PD_TRY(pd_result_read(p->result, "members", "verified", row, 1, cells));
    if (!representative && pd_cells_count(cells, 0))
        what = "verified";
    PD_TRY(pd_result_read(p->result, "members", "doc", row, 1, cells));
    const uint64_t doc = pd_cells_count(cells, 0);
    if (pd_result_has(p->result, "documents", "date")) {
        PD_TRY(pd_result_read(p->result, "documents", "date", doc, 1, cells));
        const char *text = pd_cells_text(cells, 0, &n);
        snprintf(date, sizeof date, "%.*s", (int)n, text);
    }
    PD_TRY(pd_result_read(p->result, "documents", "id", doc, 1, cells));
    const char *id = pd_cells_text(cells, 0, &n);
    snprintf(line, sizeof line, "%s%s%s: %.*s", what, *date ? ", " : "", date, (int)n, id);
    fputs("  ", stdout);
    pd_print_clipped(line, strlen(line), p->how.terminal.width - 2);
    putchar('\n');
    return PD_OK;
}

/* Print a line for each of the n members of a family, the first ones if they are many. */
static int show_members(struct pd_viewer *p, uint64_t family, uint64_t n, struct pd_cells *cells)
{
    char more[ROOM_OF_TITLE], count[PD_COUNT_ROOM];
    uint64_t first, representative;
    PD_TRY(first_member(p->result, family, cells, &first));
    PD_TRY(read_family(p->result, "representative", family, cells, &representative));
    for (uint64_t k = 0; k < n && k < MEMBERS_SHOWN; k++)
        PD_TRY(show_member(p, first + k, first + k == representative, cells));
    if (n > MEMBERS_SHOWN) {
        snprintf(more, sizeof more, "  ... members left: %s", pd_count(count, n - MEMBERS_SHOWN));
        pd_print_clipped(more, strlen(more), p->how.terminal.width);
        putchar('\n');
    }
    putchar('\n');
    return PD_OK;
}

/* Print what the result says of the family that was asked for. */
static int show_family(struct pd_viewer *p, uint64_t family, struct pd_cells *cells)
{
    char title[ROOM_OF_TITLE], counts[2][PD_COUNT_ROOM];
    uint64_t all, members, documents;
    if (!pd_result_has(p->result, "passages", "family"))
        return pd_fail(PD_EFORMAT, "%s: has no families: an earlier pardup wrote it",
                       pd_result_path(p->result));
    PD_TRY(pd_result_rows(p->result, "families", &all));
    if (family >= all)
        return pd_fail(PD_EFORMAT, "--family %llu: the result has %llu families",
                       (unsigned long long)family, (unsigned long long)all);
    PD_TRY(read_family(p->result, "members", family, cells, &members));
    PD_TRY(read_family(p->result, "documents", family, cells, &documents));
    snprintf(title, sizeof title, "family %llu: %s members in %s documents",
             (unsigned long long)family, pd_count(counts[0], members),
             pd_count(counts[1], documents));
    pd_print_wrapped(title, strlen(title), p->how.terminal.width, 0, 2);
    return show_members(p, family, members, cells);
}

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
        PD_TRY(find_documents(p->result, o->doc, &w->doc));
    for (int k = 0; k < 2 && o->pair[0]; k++)
        PD_TRY(find_documents(p->result, o->pair[k], &w->pair[k]));
    if (o->family >= 0)
        PD_TRY(show_family(p, (uint64_t)o->family, &w->families.cells));
    if (o->passage >= 0 && (uint64_t)o->passage >= p->rows)
        return pd_fail(PD_EFORMAT, "--passage %lld: the result has %llu passages",
                       (long long)o->passage, (unsigned long long)p->rows);
    if (o->passage >= 0)
        p->at = (uint64_t)o->passage;
    while (shown < limit && (status = pd_viewer_next(p, &row)) == PD_OK) {
        if (o->passage >= 0 && row.number != (uint64_t)o->passage)
            break;
        if (!is_wanted(w, &row))
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
    rows_release(&w.doc);
    rows_release(&w.pair[0]);
    rows_release(&w.pair[1]);
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
