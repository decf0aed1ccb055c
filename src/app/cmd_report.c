/* app/cmd_report.c - pardup report: one page to look at, search, print and send. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/report/report.h"
#include "commands.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/store/commit.h"
#include "part.h"

static int settle(struct pd_options *o)
{
    return o->output ? PD_OK : pd_fail(PD_EUSAGE, "report: give the page a name with -o FILE");
}

static int write_page(struct pd_page *r, const char *path)
{
    char *part = pd_part_begin(path);
    FILE *f = fopen(part, "wx");
    int status = f ? pd_report_write(r, f) : pd_fail(PD_EIO, "%s: %s", part, strerror(errno));
    if (f && status >= 0) {
        const long bytes = ftell(f);
        status = pd_file_commit(f, part, path);
        if (status >= 0)
            pd_log(PD_LOG_INFO, "%s: %s of %s passage%s, %s document%s, %s", path,
                   pd_grouped(r->passages.n), pd_grouped(r->rows), pd_plural(r->rows),
                   pd_grouped(r->documents.n), pd_plural(r->documents.n), pd_size((uint64_t)bytes));
    } else if (f) {
        fclose(f);
    }
    return pd_part_end(part, status);
}

static int run(const struct pd_options *o)
{
    struct pd_page r;
    int status = pd_report_open(&r, o);
    if (status >= 0)
        status = write_page(&r, o->output);
    if (r.missing > 1)
        pd_log(PD_LOG_WARN, "%s texts cannot be read any more: the page is without them",
               pd_grouped(r.missing));
    pd_report_release(&r);
    return status;
}

const struct pd_command pd_command_report = {
    .name = "report",
    .usage = "[options] -o REPORT.html OUT.h5",
    .help = "write one page to look at, search, print and send",
    .example = "pardup report -o report.html out.h5",
    .operands = PD_OPERANDS_RESULT,
    .settle = settle,
    .alone = run,
};
