/*
 * app/command/cmd_explain.c - pardup explain: why two documents of a result match, or do not.
 */
#include <limits.h>

#include "app/commands.h"
#include "app/explain/explain.h"
#include "app/ids.h"
#include "app/print.h"
#include "app/result_options.h"
#include "app/settle.h"
#include "app/temporary.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"

static int settings(const struct pd_options *o, const char *const **list)
{
    return pd_result_settings(o->operands.v[0], list);
}

/* Is the name a row of /documents, as a number? */
static bool is_row(struct pd_result *result, const char *name, uint64_t *doc)
{
    char *end;
    const unsigned long long n = strtoull(name, &end, 10);
    uint64_t rows;
    if (*name < '0' || *name > '9' || *end || pd_result_rows(result, "documents", &rows) < 0)
        return false;
    *doc = n;
    return n < rows;
}

/* Find the document with this id, or else with this number. */
static int find(struct pd_result *result, const char *name, uint64_t *doc)
{
    struct pd_doc_rows found = {0};
    int status = pd_ids_find(result, name, &found);
    if (status == PD_EFORMAT && is_row(result, name, doc)) {
        pd_error_clear();
        status = PD_OK;
    } else if (status >= 0 && found.n > 1)
        status = pd_fail(PD_EFORMAT, "%s: documents %llu and %llu have this id; give the numbers",
                         name, (unsigned long long)found.v[0], (unsigned long long)found.v[1]);
    else if (status >= 0)
        *doc = found.v[0];
    pd_doc_rows_release(&found);
    return status;
}

/* Find both documents of the command line. */
static int find_both(const struct pd_options *o, struct pd_result *result, uint64_t docs[2])
{
    const char *const *names = o->operands.v + 1;
    if (pd_result_has(result, "sources", "id"))
        return pd_fail(PD_EFORMAT, "%s: made by check; explain takes a result of detect",
                       pd_result_path(result));
    for (int k = 0; k < 2; k++)
        PD_TRY(find(result, names[k], &docs[k]));
    return docs[0] != docs[1]
               ? PD_OK
               : pd_fail(PD_EUSAGE, "%s and %s are the same document", names[0], names[1]);
}

static int run(const struct pd_options *o)
{
    struct pd_explanation e = {.longest = 0};
    struct pd_result *result;
    uint64_t docs[2];
    char folder[PATH_MAX];
    pd_log_open(0, 1, PD_LOG_ERROR); /* skipped records were told by detect */
    PD_TRY(pd_result_open(o->operands.v[0], &result));
    int status = find_both(o, result, docs);
    PD_THEN(status, pd_temporary_make(o, folder));
    if (status >= 0) {
        status = pd_explain(o, result, docs, folder, &e);
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
