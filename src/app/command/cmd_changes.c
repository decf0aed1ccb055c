/*
 * app/command/cmd_changes.c - pardup changes: which pages of an archive changed from capture to
 * capture.
 */
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "app/changes.h"
#include "app/commands.h"
#include "app/print.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"

enum { DATE = 20 }; /* columns of a date and time */

/* Print a row of cells; with columns lined up for a person. */
static int print_cells(const char *date, size_t date_n, const char *const cells[4],
                       const char *page, size_t page_n)
{
    const bool person = isatty(STDOUT_FILENO);
    pd_print_cell(stdout, date, date_n);
    printf(person ? "%*s  %-7s  %5s  %5s  %5s  " : "%*s\t%s\t%s\t%s\t%s\t",
           person && date_n < DATE ? (int)(DATE - date_n) : 0, "", cells[0], cells[1], cells[2],
           cells[3]);
    pd_print_cell(stdout, page, page_n);
    putchar('\n');
    return ferror(stdout) ? PD_END : PD_OK;
}

static int print_row(void *ctx, const struct pd_change *change)
{
    static const char *const names[PD_CHANGE_STATUSES] = {"equal", "changed", "new", "gone"};
    char words[3][24] = {""};
    const uint64_t counts[] = {change->words, change->gone, change->more};
    (void)ctx;
    for (size_t k = 0; k < 3 && change->status == PD_CHANGE_CHANGED; k++)
        snprintf(words[k], sizeof words[k], "%llu", pd_ull(counts[k]));
    const char *const cells[] = {names[change->status], words[0], words[1], words[2]};
    return print_cells(change->date, change->date_n, cells, change->page, change->page_n);
}

/* Print what a capture has. */
static void tell_capture(void *ctx, const struct pd_capture *c)
{
    const uint64_t *counts = c->counts;
    const uint64_t all =
        counts[PD_CHANGE_EQUAL] + counts[PD_CHANGE_CHANGED] + counts[PD_CHANGE_NEW];
    char revisits[128] = "", unknown[64] = "";
    (void)ctx;
    if (c->unknown)
        snprintf(unknown, sizeof unknown, ", %s of pages not seen before", pd_grouped(c->unknown));
    if (c->revisits)
        snprintf(revisits, sizeof revisits, " (%s revisit%s%s)", pd_grouped(c->revisits),
                 pd_plural(c->revisits), unknown);
    if (c->number == 0)
        pd_log(PD_LOG_INFO, "%s: %s page%s%s", c->name, pd_grouped(all), pd_plural(all), revisits);
    else
        pd_log(PD_LOG_INFO, "%s: %s page%s: %s equal%s, %s changed, %s new, %s gone", c->name,
               pd_grouped(all), pd_plural(all), pd_grouped(counts[PD_CHANGE_EQUAL]), revisits,
               pd_grouped(counts[PD_CHANGE_CHANGED]), pd_grouped(counts[PD_CHANGE_NEW]),
               pd_grouped(counts[PD_CHANGE_GONE]));
}

static int run(const struct pd_options *o)
{
    const struct pd_changes_told told = {.page = print_row, .capture = tell_capture};
    static const char *const heads[] = {"status", "words", "words_gone", "words_new"};
    static const char *const short_heads[] = {"status", "words", "gone", "new"};
    print_cells("date", 4, isatty(STDOUT_FILENO) ? short_heads : heads, "page", 4);
    PD_TRY(pd_changes_walk(o, &told));
    return pd_stdout_done();
}

static int settle(struct pd_options *o)
{
    return o->operands.n >= 2 ? PD_OK
                              : pd_fail(PD_EUSAGE, "expected two captures or more, oldest first: "
                                                   "archives or folders");
}

const struct pd_command pd_command_changes = {
    .name = "changes",
    .usage = "[options] OLDER NEWER...",
    .help = "tell which pages changed from capture to capture",
    .brief = "aside content by format url-field",
    .example = "pardup changes monday.warc.gz tuesday.warc.gz",
    .operands = PD_OPERANDS_INPUTS,
    .settle = settle,
    .alone = run,
};
