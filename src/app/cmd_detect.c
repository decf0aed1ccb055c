/* app/cmd_detect.c - pardup detect: the passages that the documents of a collection share. */
#include "commands.h"
#include "next.h"
#include "pardup/base/error.h"
#include "pardup/run/detect.h"
#include "settle.h"

static int settle(struct pd_options *o)
{
    PD_TRY(pd_settle_method(o));
    if (!o->job.dry_run && (!o->output || !*o->output))
        return pd_fail(PD_EUSAGE,
                       "-o FILE is required: where to write the result, such as -o result.h5");
    return PD_OK;
}

const struct pd_command pd_command_detect = {
    .name = "detect",
    .usage = "[options] -o OUT.h5 INPUT...",
    .help = "find the passages that documents share",
    .brief = "output against files-from docs-from format preset method tau gamma ranks memory "
             "scratch resume dry-run",
    .example = "pardup detect -o out.h5 collection/",
    .next = pd_next_report,
    .operands = PD_OPERANDS_INPUTS,
    .edited = true,
    .settle = settle,
    .prepare = pd_detect_stop_on_signals,
    .together = pd_detect,
};
