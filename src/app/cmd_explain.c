/*
 * app/cmd_explain.c - pardup explain: why two documents of a result match, or do not.
 */
#include <limits.h>

#include "app/explain/explain.h"
#include "commands.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "print.h"
#include "result_options.h"
#include "settle.h"
#include "temporary.h"

static int settings(const struct pd_options *o, const char *const **list)
{
    return pd_result_settings(o->operands.v[0], list);
}

static int run(const struct pd_options *o)
{
    struct pd_explanation e = {.longest = 0};
    struct pd_result *result;
    char folder[PATH_MAX];
    pd_log_open(0, 1, PD_LOG_ERROR); /* skipped records were told by detect */
    PD_TRY(pd_result_open(o->operands.v[0], &result));
    int status = pd_temporary_make(o, folder);
    if (status >= 0) {
        status = pd_explain(o, result, o->operands.v + 1, folder, &e);
        pd_temporary_remove(folder);
    }
    if (status >= 0)
        pd_explain_print(o, &e);
    pd_explain_release(&e);
    pd_result_close(result);
    return status < 0 ? status : pd_stdout_done();
}

const struct pd_command pd_command_explain = {
    .name = "explain",
    .usage = "[options] RESULT.h5 A B",
    .help = "say why two documents share passages, or why not",
    .brief = "limit lines width ignore convert memory scratch",
    .example = "pardup explain out.h5 page-1 page-2",
    .operands = PD_OPERANDS_TWO_OF,
    .settings = settings,
    .settings_of = "detect",
    .settle = pd_settle_method,
    .alone = run,
};
