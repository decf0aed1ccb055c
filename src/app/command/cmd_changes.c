/* app/command/cmd_changes.c - pardup changes: which pages of an archive changed from capture to capture. */
#include <stdio.h>

#include "app/changes.h"
#include "app/commands.h"
#include "app/print.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"

static int print_row(void *ctx, const struct pd_change *change)
{
    static const char *const names[PD_CHANGE_STATUSES] = {"equal", "changed", "new", "gone"};
    (void)ctx;
    pd_print_cell(stdout, change->date, change->date_n);
    printf("\t%s\t", names[change->status]);
    if (change->status == PD_CHANGE_CHANGED)
        printf("%llu\t%llu\t%llu\t", pd_ull(change->words), pd_ull(change->gone),
               pd_ull(change->more));
    else
        printf("\t\t\t");
    pd_print_cell(stdout, change->page, change->page_n);
    putchar('\n');
    return ferror(stdout) ? PD_END : PD_OK;
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
    puts("date\tstatus\twords\twords_gone\twords_new\tpage");
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
