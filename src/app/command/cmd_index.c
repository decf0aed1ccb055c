/* app/command/cmd_index.c - pardup index: sources that targets are checked against (pardup check). */
#include "app/commands.h"
#include "app/next.h"
#include "app/result_options.h"
#include "app/settle.h"
#include "pardup/base/error.h"
#include "pardup/run/index.h"

static int settle(struct pd_options *o)
{
    PD_TRY(pd_settle_method(o));
    if (!o->output || !*o->output)
        return pd_fail(PD_EUSAGE, "-o INDEX is required: the folder of the index");
    if ((o->check.add || o->check.refresh) &&
        (o->decided || o->method_given || o->given.frequencies))
        return pd_fail(PD_EUSAGE, "--add and --refresh take their options from the index: make a "
                                  "new index for other ones");
    if (o->check.refresh && (o->check.add || o->operands.n || o->input.files_from))
        return pd_fail(PD_EUSAGE, "--refresh takes neither SOURCE nor --add: it reads the sources "
                                  "that the index has");
    return PD_OK;
}

static int settings(const struct pd_options *o, const char *const **list)
{
    return pd_index_settings(o->output, true, list);
}

const struct pd_command pd_command_index = {
    .name = "index",
    .usage = "[options] -o INDEX SOURCE...",
    .help = "make an index of sources, for check",
    .brief = "output add with-text files-from docs-from format preset method ranks memory scratch",
    .example = "pardup index -o sources.index collection/",
    .next = pd_next_check,
    .operands = PD_OPERANDS_INPUTS,
    .settings = settings,
    .settings_of = "index",
    .settle = settle,
    .together = pd_index_make,
};
