/* app/command/cmd_check.c - pardup check: targets against an index (pardup index). */
#include <stdio.h>
#include <string.h>

#include "app/commands.h"
#include "app/next.h"
#include "app/result_options.h"
#include "app/settle.h"
#include "app/show/show.h"
#include "app/temporary.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/rename.h"
#include "pardup/run/check.h"
#include "pardup/run/detect.h"

enum { LINE_ROOM = 4096 }; /* bytes */

/* Refuse what has no meaning for lines, so that nothing is passed over without a word. */
static int settle_lines(const struct pd_options *o)
{
    const struct pd_input_options *in = &o->input;
    if (o->operands.n || in->files_from || o->output)
        return pd_fail(PD_EUSAGE, "--stdin and --socket take neither INPUT nor -o");
    if (o->check.show)
        return pd_fail(
            PD_EUSAGE,
            "--show goes neither with --stdin nor with --socket, which answer with JSON");
    if (o->check.lines && o->check.socket)
        return pd_fail(PD_EUSAGE, "--stdin does not go with --socket: give one of them");
    if (in->format != PD_FORMAT_AUTO && in->format != PD_FORMAT_JSONL)
        return pd_fail(PD_EUSAGE, "--stdin and --socket read JSON lines: leave --format out");
    if (in->docs_from || in->limit_docs || in->include.n || in->exclude.n || in->strict)
        return pd_fail(PD_EUSAGE, "--stdin and --socket answer every line: leave --%s out",
                       in->docs_from    ? "docs-from"
                       : in->limit_docs ? "limit-docs"
                       : in->include.n  ? "include"
                       : in->exclude.n  ? "exclude"
                                        : "strict");
    return PD_OK;
}

static int settle(struct pd_options *o)
{
    if (!o->check.index)
        return pd_fail(PD_EUSAGE, "--index INDEX is required: pardup index makes one");
    PD_TRY(pd_settle_method(o));
    if (o->method.refine != PD_REFINE_NONE && o->check.texts == PD_TEXTS_NO)
        return pd_fail(PD_EUSAGE,
                       "--texts no does not go with the method of this index (--refine), "
                       "which compares the words of sources");
    if (o->check.lines || o->check.socket)
        return settle_lines(o);
    if (!o->check.show && (!o->output || !*o->output))
        return pd_fail(PD_EUSAGE, "-o FILE is required: where to write the result; or --show");
    return PD_OK;
}

static int settings(const struct pd_options *o, const char *const **list)
{
    return pd_index_settings(o->check.index, false, list);
}

/*
 * COLLECTIVE. Check, and let rank 0 print the result, whose path is on all ranks.
 *   temporary  folder of a result that nobody keeps, which rank 0 removes as soon as the result is
 *              open; when a source cannot be read, what can be found without texts is printed.
 *              NULL: the result is kept, so it must be what was asked for
 */
static int check_and_show(const struct pd_comm *c, const struct pd_options *o,
                          const char *temporary)
{
    struct pd_options job = *o;
    char why[LINE_ROOM] = "--texts no reads no text of a source";
    int status = pd_check(c, &job);
    if (status == PD_EFORMAT && temporary && job.check.texts == PD_TEXTS_YES &&
        job.method.refine == PD_REFINE_NONE) {
        snprintf(why, sizeof why, "%s", pd_error_text());
        pd_error_clear();
        job.check.texts = PD_TEXTS_NO;
        status = pd_check(c, &job);
    }
    if (c->rank == 0)
        pd_detect_end_on_signals();
    if (status < 0)
        return status;
    return pd_comm_agree(c, c->rank ? PD_OK
                                    : pd_check_show(&job, job.output, temporary,
                                                    job.check.texts == PD_TEXTS_NO ? why : NULL));
}

/* COLLECTIVE. The same with a result that nobody keeps. */
static int only_show(const struct pd_comm *c, const struct pd_options *o)
{
    char folder[PATH_MAX] = "", path[PATH_MAX];
    struct pd_options job = *o;
    struct pd_bytes shared = {0};
    PD_TRY(pd_comm_agree(c, c->rank == 0 ? pd_temporary_make(o, folder) : PD_OK));
    pd_sync_nothing();
    pd_bytes_append(&shared, folder, strlen(folder) + 1);
    pd_comm_share(c, &shared);
    snprintf(path, sizeof path, "%.*s/result.h5", PATH_MAX - PD_TEMPORARY_ROOM,
             (const char *)shared.v);
    job.output = path;
    if (c->size == 1)
        job.job.scratch = folder;
    job.job.progress = PD_PROGRESS_NONE;
    const int status = check_and_show(c, &job, folder);
    if (c->rank == 0)
        pd_temporary_remove(folder);
    pd_bytes_release(&shared);
    return status;
}

static int run(const struct pd_comm *c, const struct pd_options *o)
{
    if (o->check.lines || o->check.socket)
        return pd_check_lines(c, o);
    if (!o->check.show)
        return pd_check(c, o);
    if (o->output)
        return check_and_show(c, o, NULL);
    pd_log_open(c->rank, c->size, PD_LOG_WARN); /* the answer counts what was found */
    return only_show(c, o);
}

const struct pd_command pd_command_check = {
    .name = "check",
    .usage = "--index INDEX [options] {-o OUT.h5 | --show | --stdin | --socket PATH} TARGET...",
    .help = "find what targets share with the sources of an index",
    .brief =
        "index output stdin show delta gamma ignore files-from format top texts limit ranks memory",
    .example = "pardup check --index sources.index --show essay.txt",
    .next = pd_next_report,
    .operands = PD_OPERANDS_INPUTS,
    .settings = settings,
    .settings_of = "index",
    .settle = settle,
    .together = run,
};
