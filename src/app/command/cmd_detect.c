/* app/command/cmd_detect.c - pardup detect: the passages that the documents of a collection share. */
#include "app/commands.h"
#include "app/next.h"
#include "app/result_options.h"
#include "app/settle.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/result/reader.h"
#include "pardup/run/detect.h"

static int settle_known(const struct pd_options *o)
{
    if (o->decided || o->method_given || o->given.frequencies || o->given.preset)
        return pd_fail(PD_EUSAGE, "--known takes the options of the method from the store: make a "
                                  "new one with pardup index for other ones");
    if (o->input.with.n)
        return pd_fail(PD_EUSAGE, "--known does not go with --with");
    if (o->input.against.n)
        return pd_fail(PD_EUSAGE, "--known does not go with --against: pardup check compares the "
                                  "inputs with an index alone");
    if (o->job.dry_run)
        return pd_fail(PD_EUSAGE, "--known does not go with --dry-run");
    return PD_OK;
}

static int settings(const struct pd_options *o, const char *const **list)
{
    return pd_index_settings(o->check.index, true, list);
}

static int settle(struct pd_options *o)
{
    PD_TRY(pd_settle_method(o));
    if (o->check.index)
        PD_TRY(settle_known(o));
    if (!o->job.dry_run && (!o->output || !*o->output))
        return pd_fail(PD_EUSAGE,
                       "-o FILE is required: where to write the result, such as -o result.h5");
    return PD_OK;
}

/* COLLECTIVE. With --gate: passages in the result that was written make another exit status. */
static int judge(const struct pd_comm *c, const struct pd_options *o)
{
    struct pd_result *result = NULL;
    uint64_t passages = 0;
    int status = c->rank == 0 ? pd_result_open(o->output, &result) : PD_OK;
    if (result)
        status = pd_result_rows(result, "passages", &passages);
    pd_result_close(result);
    PD_TRY(pd_comm_agree(c, status));
    pd_comm_max(c, &passages, 1);
    if (passages)
        pd_log(PD_LOG_INFO, "  gate: copies found, exit status 3");
    return passages ? PD_FOUND : PD_OK;
}

static int run(const struct pd_comm *c, const struct pd_options *o)
{
    PD_TRY(pd_detect(c, o));
    return o->job.gate && !o->job.dry_run ? judge(c, o) : PD_OK;
}

const struct pd_command pd_command_detect = {
    .name = "detect",
    .usage = "[options] -o OUT.h5 INPUT...",
    .help = "find the passages that documents share",
    .brief = "output ranks preset against with known ignore metadata keep-fields text-field format "
             "files-from docs-from gate method memory resume dry-run",
    .example = "pardup detect -o out.h5 collection/",
    .next = pd_next_report,
    .operands = PD_OPERANDS_INPUTS,
    .edited = true,
    .settings = settings,
    .settings_of = "index",
    .settle = settle,
    .together = run,
};
