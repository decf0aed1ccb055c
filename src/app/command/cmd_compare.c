/*
 * app/command/cmd_compare.c - pardup compare: what two texts share, at once, in a terminal.
 *
 * Each pair of operands is a job of its own, as `detect --against` runs it, on one process. Its
 * result is shown as `show` does it. Unless -o keeps the result, it lies in a folder that is
 * removed as soon as the result is open, so nothing is left behind when the output is cut short.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/changes.h"
#include "app/commands.h"
#include "app/print.h"
#include "app/settle.h"
#include "app/show/show.h"
#include "app/temporary.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/base/rename.h"
#include "pardup/corpus/files.h"
#include "pardup/run/detect.h"

enum { OPERANDS_MOST = 26, LINE_ROOM = 4096, NAME_ROOM = 64 };

/* The pair of operands at hand. */
struct pair {
    const struct pd_options *options;
    const char *names[2]; /* the operands */
    char letters[2];      /* what the operands are called: a letter each */
    struct pd_viewer viewer;
    struct pd_shares shares;
};

/* ---- the job ---- */

/* Run the job of `o`, and open its result. */
static int detect(const struct pd_options *o, struct pd_viewer *viewer)
{
    char folder[PATH_MAX], result[PATH_MAX];
    struct pd_options job = *o;
    struct pd_comm comm;
    PD_TRY(pd_temporary_make(o, folder));
    snprintf(result, sizeof result, "%.*s/result.h5", PATH_MAX - PD_TEMPORARY_ROOM, folder);
    job.job.scratch = folder;
    job.job.progress = PD_PROGRESS_NONE;
    job.job.spans_of_all = true; /* shares are of all documents */
    job.output = o->output ? o->output : result;
    if (!o->output)
        pd_sync_nothing();
    pd_comm_alone(&comm);
    pd_log_open(0, 1, PD_LOG_WARN);
    pd_detect_stop_on_signals();
    int status = pd_detect(&comm, &job);
    pd_detect_end_on_signals();
    if (status != PD_ESTOP)
        pd_log_open(0, 1, PD_LOG_ERROR); /* files are read again: the job has told its reasons */
    PD_THEN(status, pd_viewer_open(viewer, job.output, &o->print));
    pd_temporary_remove(folder);
    return status;
}

/* ---- what is printed ---- */

static void print_line(const struct pair *p, const char *line, size_t indent)
{
    pd_print_wrapped(line, strlen(line), p->viewer.how.terminal.width, 0, indent);
}

/* Print what one side is. */
static void print_side(const struct pair *p, int k)
{
    const struct pd_side_shares *s = &p->shares.sides[k];
    char line[LINE_ROOM], n[PD_COUNT_ROOM], documents[NAME_ROOM] = "", skipped[NAME_ROOM] = "";
    char bytes[PD_COUNT_ROOM];
    if (s->documents != 1)
        snprintf(documents, sizeof documents, "%s documents, ", pd_count(n, s->documents));
    if (s->skipped)
        snprintf(skipped, sizeof skipped, "; %s record%s skipped", pd_count(n, s->skipped),
                 pd_plural(s->skipped));
    snprintf(line, sizeof line, "%c: %s (%s%s word%s, %s byte%s%s)", p->letters[k], p->names[k],
             documents, pd_count(n, s->words), pd_plural(s->words), pd_count(bytes, s->bytes),
             pd_plural(s->bytes), skipped);
    print_line(p, line, 3);
}

/* Print who is compared, and how much of each side is shared. */
static void print_summary(const struct pair *p)
{
    char line[LINE_ROOM], a[PD_COUNT_ROOM], b[PD_COUNT_ROOM], n[PD_COUNT_ROOM];
    const struct pd_side_shares *sides = p->shares.sides;
    const uint64_t rows = p->shares.rows.n;
    for (int k = 0; k < 2; k++)
        print_side(p, k);
    if (p->shares.equal) {
        snprintf(line, sizeof line, "%c and %c have the same words in the same order.",
                 p->letters[0], p->letters[1]);
        print_line(p, line, 0);
    } else if (rows == 0) {
        snprintf(line, sizeof line, "%c and %c share no passage of more than %s matched units%s.",
                 p->letters[0], p->letters[1], pd_count(n, (uint64_t)p->options->method.gamma),
                 p->options->preset == PD_PRESET_TEXTS ? "; try --preset edited" : "");
        print_line(p, line, 0);
    }
    if (rows == 0)
        return;
    pd_percent(a, sides[0].share.covered, sides[0].share.all);
    pd_percent(b, sides[1].share.covered, sides[1].share.all);
    snprintf(line, sizeof line,
             "Share of %c that %c has: %s; share of %c that %c has: %s. %s passage%s.",
             p->letters[0], p->letters[1], a, p->letters[1], p->letters[0], b, pd_count(n, rows),
             pd_plural(rows));
    print_line(p, line, 0);
    snprintf(line, sizeof line, "The longest has %s words.", pd_count(n, sides[0].longest));
    if (rows > 1)
        print_line(p, line, 0);
}

/* ---- pages by address ---- */

/* A page that differs, or that one side lacks. */
struct differing {
    enum pd_change_status status;
    uint64_t gone, more; /* words of A without a match, and of B */
    size_t at, n;        /* its address in the texts */
};
PD_VEC(differings, struct differing);

struct differences {
    struct differings pages;
    struct pd_bytes texts;
    struct pd_capture b; /* what the second side has */
};

static int see_page(void *ctx, const struct pd_change *c)
{
    struct differences *all = ctx;
    if (c->status != PD_CHANGE_EQUAL) {
        differings_push(&all->pages,
                        (struct differing){c->status, c->gone, c->more, all->texts.n, c->page_n});
        pd_bytes_append(&all->texts, c->page, c->page_n);
    }
    return PD_OK;
}

static void see_side(void *ctx, const struct pd_capture *capture)
{
    ((struct differences *)ctx)->b = *capture;
}

/* Changed pages first, by changed words; then pages of B alone, then pages of A alone. */
static int by_change(const void *x, const void *y)
{
    const struct differing *a = x, *b = y;
    const uint64_t words[2] = {a->gone + a->more, b->gone + b->more};
    if (a->status != b->status)
        return a->status < b->status ? -1 : 1;
    if (words[0] != words[1])
        return words[0] > words[1] ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Has the document in this row of the result an address? */
static int has_address(const struct pair *p, uint64_t row, bool *has)
{
    static const char *const columns[] = {"url", NULL};
    struct pd_table_reader t;
    size_t n;
    *has = false;
    if (!pd_result_has(p->viewer.result, "documents", "url"))
        return PD_OK;
    int status = pd_table_open(&t, p->viewer.result, "documents", columns);
    PD_THEN(status, pd_table_at(&t, row));
    if (status >= 0)
        pd_table_text(&t, 0, &n);
    *has = status >= 0 && n > 0;
    pd_table_close(&t);
    return status;
}

/* Print the pages that differ, at most --limit rows. */
static void print_pages(const struct pair *p, struct differences *all)
{
    const uint64_t limit = (uint64_t)p->options->print.limit, *counts = all->b.counts;
    const size_t n = all->pages.n, shown = limit && limit < n ? (size_t)limit : n;
    const char a = p->letters[0], b = p->letters[1];
    char line[LINE_ROOM];
    snprintf(line, sizeof line, "By address: %s equal, %s changed; %s in %c only, %s in %c only.",
             pd_grouped(counts[PD_CHANGE_EQUAL] - all->b.unknown),
             pd_grouped(counts[PD_CHANGE_CHANGED]), pd_grouped(counts[PD_CHANGE_GONE]), a,
             pd_grouped(counts[PD_CHANGE_NEW] + all->b.unknown), b);
    print_line(p, line, 0);
    if (n)
        qsort(all->pages.v, n, sizeof *all->pages.v, by_change);
    if (n)
        printf("\n words in %c alone  in %c alone  page\n", a, b);
    for (size_t k = 0; k < shown; k++) {
        const struct differing *d = &all->pages.v[k];
        pd_plain_line(line, sizeof line, (const char *)all->texts.v + d->at, d->n);
        if (d->status == PD_CHANGE_CHANGED)
            printf("%17s  %10s  %s\n", pd_grouped(d->gone), pd_grouped(d->more), line);
        else
            printf("%28s%c  %s\n", "page of ", p->letters[d->status == PD_CHANGE_NEW], line);
    }
    if (shown < n)
        printf("\n%s more page%s; --limit 0 shows all.\n", pd_grouped(n - shown),
               pd_plural(n - shown));
}

/*
 * If both sides are pages with addresses, and have an address in common: print which of them
 * differ, and set *done.
 */
static int compare_pages(const struct pair *p, const struct pd_options *one, bool *done)
{
    const struct pd_side_shares *sides = p->shares.sides;
    struct differences all = {.b = {.number = 0}};
    const struct pd_changes_told told = {&all, see_page, see_side};
    struct pd_options both = *one;
    const char *names[2] = {p->names[0], p->names[1]};
    bool a = false, b = false;
    *done = false;
    if (sides[0].documents < 2 || sides[1].documents < 2)
        return PD_OK;
    PD_TRY(has_address(p, 0, &a));
    PD_TRY(has_address(p, sides[0].documents, &b));
    if (!a || !b)
        return PD_OK;
    both.operands = (struct pd_texts){names, 2};
    both.input.against.n = 0;
    both.print.by = PD_BY_URL;
    pd_log_open(0, 1, PD_LOG_ERROR);
    const int status = pd_changes_walk(&both, &told);
    const uint64_t *counts = all.b.counts;
    *done = status >= 0 && counts[PD_CHANGE_EQUAL] + counts[PD_CHANGE_CHANGED] > all.b.unknown;
    if (*done)
        print_pages(p, &all);
    differings_release(&all.pages);
    pd_bytes_release(&all.texts);
    return status;
}

/* ---- passages ---- */

/* Print passage k. */
static int print_passage(struct pair *p, size_t k)
{
    const struct pd_passage_row *row = &p->shares.rows.v[k];
    char title[2 * LINE_ROOM], ids[2][LINE_ROOM / 2], heads[2][8], n[2][PD_COUNT_ROOM];
    const char *const names[2] = {heads[0], heads[1]};
    const bool several = p->shares.sides[0].documents + p->shares.sides[1].documents > 2;
    PD_TRY(pd_viewer_fetch(&p->viewer, row));
    for (int side = 0; side < 2; side++) {
        const uint64_t mark = p->viewer.sides[side].sources ? PD_SOURCE_ROW : 0;
        const char *label;
        size_t label_n;
        PD_TRY(pd_label_of(&p->viewer.label, row->doc[side] | mark, &label, &label_n));
        pd_plain_line(ids[side], sizeof *ids, label, label_n);
        snprintf(heads[side], sizeof heads[side], "%c: ", p->letters[side]);
    }
    putchar('\n');
    pd_count(n[0], k + 1);
    pd_count(n[1], p->shares.rows.n);
    if (several)
        snprintf(title, sizeof title, "%s of %s, %s ~ %s", n[0], n[1], ids[0], ids[1]);
    else
        snprintf(title, sizeof title, "%s of %s", n[0], n[1]);
    pd_viewer_draw(&p->viewer, row, title, names);
    return PD_OK;
}

static int print_pair(struct pair *p, const struct pd_options *one)
{
    bool pages;
    const uint64_t rows = p->shares.rows.n, limit = (uint64_t)p->options->print.limit;
    const uint64_t shown = limit && limit < rows ? limit : rows;
    char line[LINE_ROOM], n[PD_COUNT_ROOM];
    print_summary(p);
    PD_TRY(compare_pages(p, one, &pages));
    if (pages)
        return pd_stdout_done();
    for (size_t k = 0; k < shown; k++)
        PD_TRY(print_passage(p, k));
    if (shown < rows) {
        snprintf(line, sizeof line, "%s more passage%s; --limit 0 shows all.",
                 pd_count(n, rows - shown), pd_plural(rows - shown));
        putchar('\n');
        print_line(p, line, 0);
    }
    return pd_stdout_done();
}

/* ---- the command ---- */

/* Compare operands i and j. `files` is how many files operand i stands for. */
static int compare(const struct pd_options *o, size_t i, size_t j, uint64_t files)
{
    struct pd_options one = *o;
    struct pair p = {.options = o,
                     .names = {o->operands.v[i], o->operands.v[j]},
                     .letters = {(char)('A' + i), (char)('A' + j)}};
    one.operands = (struct pd_texts){&o->operands.v[i], 1};
    one.input.against = (struct pd_texts){&o->operands.v[j], 1};
    int status = detect(&one, &p.viewer);
    PD_THEN(status, pd_shares_count(&p.viewer, files, &one, &p.shares));
    PD_THEN(status, print_pair(&p, &one));
    pd_shares_release(&p.shares);
    pd_viewer_close(&p.viewer);
    return status;
}

/* Set files[k] to the number of files of operand k, so that a missing one is told at once. */
static int count_files(const struct pd_texts *operands, uint64_t files[OPERANDS_MOST])
{
    struct pd_files all = {0};
    int status = PD_OK;
    for (size_t k = 0; k < operands->n && status >= 0; k++) {
        const size_t before = all.n;
        status = pd_files_add(&all, operands->v[k], NULL);
        files[k] = all.n - before;
        if (status >= 0 && !files[k])
            status = pd_fail(PD_EFORMAT, "%s: no files in it", operands->v[k]);
    }
    pd_files_free(&all);
    return status;
}

static int run(const struct pd_options *o)
{
    uint64_t files[OPERANDS_MOST];
    bool first = true;
    PD_TRY(count_files(&o->operands, files));
    for (size_t i = 0; i < o->operands.n; i++)
        for (size_t j = i + 1; j < o->operands.n; j++) {
            if (!first)
                putchar('\n');
            first = false;
            PD_TRY(compare(o, i, j, files[i]));
        }
    return PD_OK;
}

static int settle(struct pd_options *o)
{
    if (o->operands.n < 2 || o->operands.n > OPERANDS_MOST)
        return pd_fail(PD_EUSAGE, "expected two files to compare, or up to %d", OPERANDS_MOST);
    if (o->output && o->operands.n > 2)
        return pd_fail(PD_EUSAGE, "-o goes with two files only: each pair has a result of its own");
    return pd_settle_method(o);
}

/*
 * Two texts that repeat themselves still share what they share. Without the best passages this
 * would take the square of the repeated text.
 */
static const char *const texts[] = {"max-repeats", "0", "passages", "best", NULL};

const struct pd_command pd_command_compare = {
    .name = "compare",
    .usage = "[options] A B [C...]",
    .help = "show what two files share, or each pair of a few, side by side",
    .brief = "limit lines preset method ignore format output context width color",
    .example = "pardup compare old.html new.html",
    .operands = PD_OPERANDS_INPUTS,
    .texts = texts,
    .settle = settle,
    .alone = run,
};
