/*
 * app/command/cmd_decontaminate.c - pardup decontaminate: a corpus without the items of a
 * benchmark.
 *
 * `detect --against` finds runs of words that items and documents of the corpus share, and `dedup`
 * removes what is a leak (run/job/dedup/leaks.h). The result stays beside the proof.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/settle.h"
#include "app/temporary.h"
#include "pardup/base/error.h"
#include "pardup/base/folder.h"
#include "pardup/base/log.h"
#include "pardup/run/dedup.h"
#include "pardup/run/detect.h"
#include "pardup/run/option_table.h"
#include "pardup/run/uncut.h"

#define RESULT "leaks.h5"

/*
 * The passages of a pair are its runs of equal words. Grams of five words match that at most
 * --max-df documents have. The gap is that of four grams, which a common gram leaves; a changed
 * word leaves five. A run is as long as words agree.
 */
static const char *const runs[] = {"units",       "gram", "feature", "sequence", "ngram",  "5",
                                   "char-ngram",  "8",    "gamma",   "0",        "gap",    "4",
                                   "passages",    "all",  "edges",   "far",      "common", "aside",
                                   "max-repeats", "1000", "repeats", "first",    NULL};

static int settings(const struct pd_options *o, const char *const **list)
{
    (void)o;
    *list = runs;
    return PD_OK;
}

/*
 * The fields of items, or else the field `text`, which the corpus has. The text lives as long as
 * the process.
 */
static int settle_fields(struct pd_options *o)
{
    static char list[PD_OPTION_TEXT_MOST];
    const char *given = o->input.text_field;
    if (strcmp(given, "text") == 0 || strchr(given, '|'))
        return PD_OK;
    if (snprintf(list, sizeof list, "%s|text", given) >= (int)sizeof list)
        return pd_fail(PD_EUSAGE, "--text-field: too long");
    o->input.text_field = list;
    return PD_OK;
}

/* ---- folders ---- */

/* Refuse a folder that has something in it, other than the result of an earlier try. */
static int check_empty(const char *path)
{
    const struct dirent *entry;
    bool empty = true;
    DIR *folder = opendir(path);
    if (!folder && errno != ENOENT)
        return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    while (folder && (entry = readdir(folder)) != NULL)
        empty &= entry->d_name[0] == '.' || strncmp(entry->d_name, RESULT, strlen(RESULT)) == 0;
    if (folder)
        closedir(folder);
    return empty ? PD_OK : pd_fail(PD_EUSAGE, "%s: not empty: choose another folder", path);
}

static int settle(struct pd_options *o)
{
    if (!o->output || !*o->output)
        return pd_fail(PD_EUSAGE, "-o DIR is required: where to write the corpus");
    if (strlen(o->output) + sizeof ".proof/" RESULT >= PATH_MAX)
        return pd_fail(PD_EUSAGE, "-o: the name is too long");
    if (o->input.against.n == 0)
        return pd_fail(PD_EUSAGE, "--against TESTS is required: the benchmark");
    char *proof = pd_dedup_proof_path(o), *work = pd_printed("%s/" PD_DEDUP_WORK, o->output);
    o->dedup.resume = access(work, F_OK) == 0; /* an earlier try was killed in its second job */
    int status = o->dedup.resume ? PD_OK : check_empty(o->output);
    if (status >= 0 && !o->dedup.resume)
        status = check_empty(proof);
    free(work);
    free(proof);
    PD_TRY(status);
    PD_TRY(settle_fields(o));
    o->preset = PD_PRESET_PAPER; /* nothing is to be chosen by what the corpus is */
    return pd_settle_method(o);
}

/* ---- the two jobs ---- */

/* COLLECTIVE. Find what items and corpus share. */
static int find(const struct pd_comm *c, const struct pd_options *o, const char *result)
{
    struct pd_options job = *o;
    job.output = result;
    job.job.reproducible = true;
    job.job.only_sources = true;
    pd_log_open(c->rank, c->size,
                o->quiet     ? PD_LOG_ERROR
                : o->verbose ? PD_LOG_DEBUG
                             : PD_LOG_WARN);
    const int status = pd_detect(c, &job);
    pd_log_open(c->rank, c->size,
                o->quiet     ? PD_LOG_ERROR
                : o->verbose ? PD_LOG_DEBUG
                             : PD_LOG_INFO);
    return status;
}

/* COLLECTIVE. Write the corpus without the leaks. */
static int write_corpus(const struct pd_comm *c, const struct pd_options *o, const char *result)
{
    struct pd_options job = *o;
    struct pd_dedup_made made;
    const char *results[] = {result};
    const bool whole = o->dedup.remove == PD_REMOVE_DOCUMENTS;
    job.operands = (struct pd_texts){results, 1};
    job.dedup.keep = "first";
    job.dedup.max_loss = 1;
    job.dedup.min_run = 1; /* a leak goes, whatever it is */
    job.dedup.min_left = whole ? 1 : 0;
    const int status = pd_dedup(c, &job, &made);
    pd_dedup_made_release(&made);
    return status;
}

/* Can the list of inputs be read only once? Then files are checked after the first job. */
static bool is_piped(const struct pd_options *o)
{
    struct stat st;
    return o->input.files_from && (stat(o->input.files_from, &st) != 0 || !S_ISREG(st.st_mode));
}

/*
 * COLLECTIVE. Both jobs, with the result in a file of the folder of the proof, which rank 0 locks:
 * *lock is to be closed.
 */
static int run_jobs(const struct pd_comm *c, const struct pd_options *o, const char *proof,
                    const char *result, int *lock)
{
    PD_TRY(pd_comm_agree(c, c->rank == 0 && !is_piped(o) ? pd_uncut_check(o) : PD_OK));
    int status = c->rank == 0 ? pd_folder_make(proof) : PD_OK;
    if (c->rank == 0)
        PD_THEN(status, pd_folder_lock(proof, lock));
    PD_TRY(pd_comm_agree(c, status));
    status = find(c, o, result);
    if (status >= 0 && !o->dedup.resume) /* another job may have begun to write */
        status = pd_comm_agree(c, c->rank == 0 ? check_empty(o->output) : PD_OK);
    if (status < 0 && c->rank == 0) {
        unlink(result);
        rmdir(proof);
    }
    PD_TRY(status);
    status = write_corpus(c, o, result);
    if (status >= 0)
        pd_log(PD_LOG_INFO, "  proof       %s/ (items.jsonl: what was found of each item)", proof);
    else if (c->rank == 0 && pd_temporary_take_away(o->output))
        pd_temporary_remove(proof); /* both folders were empty, and no try can go on from them */
    return status;
}

static int run(const struct pd_comm *c, const struct pd_options *o)
{
    char *proof = pd_dedup_proof_path(o), *result = pd_printed("%s/" RESULT, proof);
    int lock = -1;
    const int status = run_jobs(c, o, proof, result, &lock);
    if (lock >= 0)
        close(lock);
    PD_FREE(result, proof);
    return status;
}

const struct pd_command pd_command_decontaminate = {
    .name = "decontaminate",
    .usage = "[options] --against TESTS -o DIR CORPUS...",
    .help = "write a corpus without the items of a benchmark",
    .brief = "output against text-field run max-df remove as ranks memory scratch skip-unknown",
    .example = "pardup decontaminate --against tests.jsonl -o clean corpus/",
    .operands = PD_OPERANDS_INPUTS,
    .settings = settings,
    .settings_of = "detect",
    .settled = true,
    .settle = settle,
    .together = run,
};
