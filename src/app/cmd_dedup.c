/* app/cmd_dedup.c - pardup dedup: the collection without its copies, and the proof. */
#include <string.h>

#include "commands.h"
#include "pardup/base/error.h"
#include "pardup/run/dedup.h"
#include "pardup/run/detect.h"

static int settle(struct pd_options *o)
{
    const char *keep = o->dedup.keep;
    if (!o->output || !*o->output)
        return pd_fail(PD_EUSAGE, "-o DIR is required: where to write the collection");
    if (o->dedup.annotate && o->dedup.list)
        return pd_fail(PD_EUSAGE, "--annotate and --list exclude each other");
    if (strcmp(keep, "first") != 0 && strcmp(keep, "longest") != 0 &&
        !(strncmp(keep, "field:", 6) == 0 && keep[6]) &&
        !(strncmp(keep, "list:", 5) == 0 && keep[5]))
        return pd_fail(PD_EUSAGE, "--keep %s: expected first, longest, field:NAME or list:FILE",
                       keep);
    return PD_OK;
}

const struct pd_command pd_command_dedup = {
    .name = "dedup",
    .usage = "[options] -o DIR OUT.h5",
    .example = "pardup dedup --keep longest -o clean out.h5",
    .help = "write the collection without its copies, and prove each removal",
    .operands = PD_OPERANDS_RESULT,
    .settle = settle,
    .prepare = pd_detect_stop_on_signals,
    .together = pd_dedup,
};
