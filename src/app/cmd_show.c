/* app/cmd_show.c - pardup show: passages side by side, with their text, in a terminal. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "pardup/base/error.h"
#include "print.h"
#include "viewer.h"

enum { ROWS_AT_ONCE = 4096, ROOM_OF_TITLE = 4096 }; /* rows; bytes */

/* Set *row to the first row of /documents with this id. PD_OK, or PD_EFORMAT: there is none. */
static int find_document(struct pd_result *result, const char *wanted, uint64_t *row)
{
    struct pd_cells ids = {0};
    uint64_t rows;
    PD_TRY(pd_result_rows(result, "documents", &rows));
    int status = PD_END;
    for (uint64_t from = 0; from < rows && status == PD_END; from += ROWS_AT_ONCE) {
        const uint64_t take = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        const int got = pd_result_read(result, "documents", "id", from, take, &ids);
        status = got < 0 ? got : status;
        for (uint64_t k = 0; k < take && status == PD_END; k++) {
            size_t n;
            const char *id = pd_cells_text(&ids, k, &n);
            if (strlen(wanted) == n && memcmp(wanted, id, n) == 0) {
                *row = from + k;
                status = PD_OK;
            }
        }
    }
    pd_bytes_release(&ids.values);
    return status == PD_END ? pd_fail(PD_EFORMAT, "%s: no document with this id", wanted) : status;
}

/* The documents that were asked for: rows of /documents; UINT64_MAX: any document. */
struct wanted {
    uint64_t doc;     /* --doc: a passage is in it */
    uint64_t pair[2]; /* --pair: a passage is in both */
};

static bool has(const struct pd_passage_row *row, uint64_t doc)
{
    return doc == UINT64_MAX || row->doc[0] == doc || row->doc[1] == doc;
}

static int show_row(struct pd_viewer *p, const struct pd_passage_row *row)
{
    static const char *const no_names[2] = {"", ""};
    char title[ROOM_OF_TITLE];
    PD_TRY(pd_viewer_fetch(p, row));
    snprintf(title, sizeof title, "# %llu  %s  ~  %s", (unsigned long long)row->number,
             p->sides[0].id, p->sides[1].id);
    pd_print_wrapped(title, strlen(title), p->how.terminal.width, 0, 2);
    snprintf(title, sizeof title, "%llu units matched, similarity %.2f",
             (unsigned long long)row->matched, row->similarity);
    pd_viewer_draw(p, row, title, no_names);
    return PD_OK;
}

static int show_all(struct pd_viewer *p, const struct pd_print_options *o)
{
    const uint64_t limit = o->limit ? (uint64_t)o->limit : UINT64_MAX;
    struct wanted w = {UINT64_MAX, {UINT64_MAX, UINT64_MAX}};
    struct pd_passage_row row;
    uint64_t shown = 0;
    int status = PD_OK;
    if (o->doc)
        PD_TRY(find_document(p->result, o->doc, &w.doc));
    for (int k = 0; k < 2 && o->pair[0]; k++)
        PD_TRY(find_document(p->result, o->pair[k], &w.pair[k]));
    if (o->passage >= 0 && (uint64_t)o->passage >= p->rows)
        return pd_fail(PD_EFORMAT, "--passage %lld: the result has %llu passages",
                       (long long)o->passage, (unsigned long long)p->rows);
    if (o->passage >= 0)
        p->at = (uint64_t)o->passage;
    while (shown < limit && (status = pd_viewer_next(p, &row)) == PD_OK) {
        if (o->passage >= 0 && row.number != (uint64_t)o->passage)
            break;
        if (!has(&row, w.doc) || !has(&row, w.pair[0]) || !has(&row, w.pair[1]))
            continue;
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
    int status = pd_viewer_open(&p, o->operands.v[0], &o->print);
    if (status >= 0)
        status = show_all(&p, &o->print);
    pd_viewer_close(&p);
    return status;
}

const struct pd_command pd_command_show = {
    .name = "show",
    .usage = "[options] OUT.h5",
    .help = "show passages side by side, with their text",
    .operands = PD_OPERANDS_RESULT,
    .alone = run,
};
