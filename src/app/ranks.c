/* app/ranks.c - see src/app/ranks.h */
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pardup/base/cores.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/comm/launch.h"
#include "pardup/corpus/files.h"
#include "pardup/result/table.h"

/* A rank for each BYTES_A_RANK of stored input: for less, starting a rank costs what it saves. */
static const uint64_t bytes_a_rank = 32 << 20;

/* Ranks that the environment asks for, where the command line does not. */
static const char ranks_variable[] = "PARDUP_RANKS";

/* ---- how much there is to read ---- */

/*
 * Standard input is read twice when it is the list of inputs: to measure them, and by rank 0. Put
 * it into memory. Returns false if that fails, and then nothing has been read.
 */
static bool keep_stdin(void)
{
    char bytes[1 << 16];
    ssize_t n;
    const int fd = memfd_create("pardup-inputs", MFD_CLOEXEC);
    if (fd < 0)
        return false;
    while ((n = read(STDIN_FILENO, bytes, sizeof bytes)) > 0)
        if (write(fd, bytes, (size_t)n) != n)
            break;
    lseek(fd, 0, SEEK_SET);
    dup2(fd, STDIN_FILENO);
    close(fd);
    return true;
}

/* Bytes of the inputs as they are stored. Inputs that cannot be looked at count as nothing: the
 * command will say so. */
static uint64_t bytes_of_inputs(const struct pd_options *o)
{
    struct pd_patterns patterns = {.include = o->input.include.v,
                                   .exclude = o->input.exclude.v,
                                   .nincludes = o->input.include.n,
                                   .nexcludes = o->input.exclude.n};
    struct pd_files files = {0};
    uint64_t bytes = 0;
    int status = PD_OK;
    for (size_t k = 0; k < o->operands.n && status >= 0; k++)
        status = pd_files_add(&files, o->operands.v[k], &patterns);
    for (size_t k = 0; k < o->input.against.n && status >= 0; k++)
        status = pd_files_add(&files, o->input.against.v[k], &patterns);
    for (size_t k = 0; k < o->input.with.n && status >= 0; k++)
        status = pd_files_add(&files, o->input.with.v[k], &patterns);
    if (o->check.refresh && status >= 0)
        status = pd_files_add(&files, o->output, NULL);
    const char *list = o->input.files_from;
    if (list && status >= 0 && (strcmp(list, "-") != 0 || keep_stdin()))
        status = pd_files_add_list(&files, list, o->input.null, &patterns);
    if (list && strcmp(list, "-") == 0)
        rewind(stdin);
    for (size_t k = 0; k < files.n; k++)
        bytes += files.v[k].bytes;
    pd_files_free(&files);
    return status < 0 ? 0 : bytes;
}

/* Bytes of the files whose documents are in a result. */
static uint64_t bytes_of_result(const char *path)
{
    static const char *const columns[] = {"bytes", NULL};
    struct pd_table_reader files = {.rows = 0};
    struct pd_result *result = NULL;
    uint64_t bytes = 0;
    int status = pd_result_open(path, &result);
    PD_THEN(status, pd_table_open(&files, result, "files", columns));
    while (status >= 0 && (status = pd_table_next(&files)) == PD_OK)
        bytes += pd_table_count(&files, 0);
    pd_table_close(&files);
    pd_result_close(result);
    return status < 0 ? 0 : bytes;
}

static uint64_t bytes_to_read(const struct pd_command *c, const struct pd_options *o)
{
    pd_log_open(0, 1, PD_LOG_ERROR); /* the command will tell what is odd about the inputs */
    const uint64_t bytes = c->operands == PD_OPERANDS_RESULT && o->operands.n
                               ? bytes_of_result(o->operands.v[0])
                               : bytes_of_inputs(o);
    pd_error_clear();
    return bytes;
}

/* ---- how many ranks ---- */

static int64_t asked_for(const struct pd_options *o)
{
    const char *variable = getenv(ranks_variable);
    const int wanted = variable ? atoi(variable) : 0;
    return o->job.ranks ? o->job.ranks : wanted <= PD_RANKS_MOST ? wanted : PD_RANKS_MOST;
}

/* Ranks that pay, when nobody asks for a number. */
static int64_t that_pay(const struct pd_command *c, const struct pd_options *o)
{
    const bool lines = o->check.lines || o->check.socket; /* one line is answered at a time */
    if (pd_launch_in_batch() || lines)
        return 1;
    const int cores = pd_cores("");
    const uint64_t fed = cores > 1 ? bytes_to_read(c, o) / bytes_a_rank : 0;
    return fed < 1 ? 1 : fed < (uint64_t)cores ? (int64_t)fed : cores;
}

bool pd_ranks_run(const struct pd_command *c, const struct pd_options *o, char **argv,
                  int *exit_status)
{
    if (!pd_option_named(c->name, "ranks", strlen("ranks")))
        return false;
    if (pd_comm_launcher_rank() >= 0) {
        if (o->job.ranks && !pd_launched() && pd_comm_launcher_rank() == 0)
            pd_log(PD_LOG_WARN, "-j %lld: the launcher has started the ranks, so -j is ignored",
                   (long long)o->job.ranks);
        return false;
    }
    const int64_t asked = asked_for(o), ranks = asked ? asked : that_pay(c, o);
    if (ranks <= 1)
        return false;
    if (pd_launch((int)ranks, argv, exit_status) == PD_OK)
        return true;
    pd_log_open(0, 1, o->quiet ? PD_LOG_ERROR : PD_LOG_INFO);
    pd_log(PD_LOG_WARN, "one rank instead of %lld: %s", (long long)ranks, pd_error_text());
    pd_error_clear();
    return false;
}

void pd_ranks_say(const struct pd_comm *c, const struct pd_options *o)
{
    if (pd_launched() && asked_for(o) == 0)
        pd_log(PD_LOG_INFO, "  %d ranks (-j 1 for one)", c->size);
}
