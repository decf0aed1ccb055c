/* app/cmd_check.c - pardup check: targets against an index (pardup index). */
#include "commands.h"
#include "index_options.h"
#include "pardup/base/error.h"
#include "pardup/run/check.h"
#include "pardup/run/detect.h"
#include "settle.h"

static int settle(struct pd_options *o)
{
    if (!o->check.index)
        return pd_fail(PD_EUSAGE, "--index INDEX is required: pardup index makes one");
    PD_TRY(pd_settle_method(o));
    if (o->check.lines && (o->operands.n || o->input.files_from || o->output))
        return pd_fail(PD_EUSAGE, "--stdin takes neither INPUT nor -o");
    if (!o->check.lines && (!o->output || !*o->output))
        return pd_fail(PD_EUSAGE, "-o FILE is required: where to write the result");
    return PD_OK;
}

static int settings(const struct pd_options *o, const char *const **list)
{
    return pd_index_settings(o->check.index, false, list);
}

static int run(const struct pd_comm *c, const struct pd_options *o)
{
    return o->check.lines ? pd_check_lines(c, o) : pd_check(c, o);
}

const struct pd_command pd_command_check = {
    .name = "check",
    .usage = "--index INDEX [options] -o OUT.h5 TARGET...",
    .help = "find what targets share with the sources of an index",
    .brief = "output index stdin files-from format delta gamma top texts memory scratch",
    .example = "pardup check --index sources.index -o out.h5 essay.txt",
    .operands = PD_OPERANDS_INPUTS,
    .settings = settings,
    .settle = settle,
    .prepare = pd_detect_stop_on_signals,
    .together = run,
};
