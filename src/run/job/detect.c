/*
 * run/job/detect.c - see include/pardup/run/detect.h
 *
 * The driver of the main job: which stages run, in which order, and what remains when they have
 * ended.
 */
#include "pardup/run/detect.h"
#include "pardup/base/numbers.h"

#include <signal.h>
#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/join/classes.h"
#include "pardup/run/option_table.h"
#include "run/job/check/asking.h"
#include "run/job/estimate/estimate.h"
#include "run/stage/classes/background.h"
#include "run/stage/classes/wordlist.h"
#include "run/stage/job.h"
#include "run/stage/resume/checkpoint.h"
#include "run/stage/write/provenance.h"

/* ---- before the stages ---- */

/*
 * COLLECTIVE. Can the lists and the table of words be read? They are needed only after the
 * documents have been read, which may be hours later, so a mistake is told at once.
 */
static int check_lists(struct pd_job *job)
{
    const struct pd_method_options *o = &job->options->method;
    int status = PD_OK;
    if (pd_features[o->feature].counts == PD_COUNTS_SPOT_WORDS) {
        status = pd_wordlist_check(o->stop_words);
        if (status >= 0 && !pd_is_number(o->antecedents))
            status = pd_wordlist_check(o->antecedents);
    }
    PD_TRY(pd_comm_agree(job->comm, status));
    return job->known ? PD_OK : pd_job_check_table(job); /* a store has what its table says */
}

/* ---- the stages ---- */

/* COLLECTIVE. List the files, take up the checkpoint, and read the pieces that its volumes lack. */
static int read_collection(struct pd_job *job)
{
    struct pd_collection *col = &job->collection;
    PD_TRY(pd_collection_list_files(col));
    pd_job_choose_words(job);
    PD_TRY(pd_checkpoint_open(job));
    PD_TRY(pd_collection_cut(col));
    unsigned char *done = pd_realloc(NULL, col->pieces.n + 1, 1);
    int status = pd_checkpoint_take_volumes(col, done);
    PD_THEN(status, pd_collection_read(col, done, &job->stages));
    free(done);
    return status;
}

/* COLLECTIVE. Say which words count: by the collection or the table, or as the store has it. */
static int flag_words(struct pd_job *job, struct pd_known_store *known)
{
    return job->known ? pd_comm_agree(job->comm, pd_job_freeze(job, &known->index))
                      : pd_job_count(job);
}

/* COLLECTIVE. Find the units that match: take them up from the checkpoint, or compute them. */
static int match_units(struct pd_job *job, struct pd_known_store *known)
{
    bool taken;
    PD_TRY(pd_checkpoint_take_matches(job, &taken));
    /* no checkpoint keeps what is set aside, or the rarity of words, with which passages are refined */
    const size_t templates = job->matches.templates.n;
    if (taken)
        PD_TRY(pd_job_set_aside(job));
    job->matches.templates.n = templates; /* the list was taken up, too */
    if (taken)
        return job->options->method.refine == PD_REFINE_NONE && !job->known
                   ? PD_OK
                   : flag_words(job, known);
    PD_TRY(flag_words(job, known));
    PD_TRY(pd_job_gather(job));
    PD_TRY(pd_job_join(job));
    return pd_checkpoint_save_matches(job);
}

/*
 * COLLECTIVE. Warn if fewer than half of the units are compared: a result without passages then
 * means little.
 */
static void warn_if_few_are_compared(const struct pd_job *job)
{
    const struct pd_gathered *g = &job->gathered;
    uint64_t common = 0; /* units of common classes, at least */
    const bool aside = job->options->method.common == PD_COMMON_ASIDE;
    for (size_t k = 0; aside && k < job->matches.common.n; k++)
        common += job->matches.common.v[k].df;
    pd_comm_sum(job->comm, &common, 1);
    common -= aside ? g->whole_common : 0;
    const uint64_t units = pd_gathered_units(g) - g->units[PD_WHY_IGNORED];
    const uint64_t signed_units = g->units[PD_WHY_MATCHED];
    const uint64_t compared = signed_units - common - g->repeated;
    if (2 * compared < units)
        pd_log(PD_LOG_WARN,
               "only %s of %s units are compared: %s have no signature (--idf, --always-df, "
               "--min-counted, --min-words), %s are common (--max-df), %s recur in their "
               "document (--max-repeats)",
               pd_grouped(compared), pd_grouped(units), pd_grouped(units - signed_units),
               pd_grouped(common), pd_grouped(g->repeated));
}

/*
 * Say what a large collection costs where no unit is common, as in the papers: the pairs of a class
 * grow with the square of its documents.
 */
static void say_what_is_large(const struct pd_job *job)
{
    const uint64_t large = job->gathered.large;
    if (large && !job->options->method.max_df)
        pd_log(PD_LOG_INFO,
               "%s: %s unit%s in over %d documents, of which all pairs are compared: --max-df %d "
               "sets %s aside",
               pd_preset_names[job->preset], pd_grouped(large), large == 1 ? " is" : "s are",
               PD_LARGE_CLASS, PD_LARGE_CLASS, large == 1 ? "it" : "them");
}

static int run_stages(struct pd_job *job, struct pd_known_store *known)
{
    PD_CHECK(pd_budget_fits());
    PD_TRY(job->options->check.index ? pd_known_store_open(known, job) : PD_OK);
    PD_TRY(check_lists(job));
    PD_TRY(pd_ignore_read(&job->ignore, job->comm, job->options));
    PD_TRY(read_collection(job));
    PD_TRY(pd_job_set_sides(job));
    pd_job_choose_preset(job, 1);
    PD_TRY(match_units(job, known));
    warn_if_few_are_compared(job);
    say_what_is_large(job);
    PD_TRY(job->known ? pd_known_store_prepare(known) : PD_OK);
    PD_TRY(pd_job_align(job));
    return pd_job_write(job);
}

/* ---- the job ---- */

/*
 * COLLECTIVE. Keep the scratch folder if a later job can resume from it. Otherwise remove its
 * files, unless this job has failed before it took the folder over.
 */
static void end_scratch(struct pd_job *job, int status)
{
    uint64_t kept = job->kept;
    if (!job->scratch.dir)
        return;
    pd_comm_max(job->comm, &kept, 1);
    if (kept && (status == PD_EIO || status == PD_ESTOP))
        pd_log(PD_LOG_INFO, "%s: the checkpoint of what is done; --resume goes on from there",
               job->scratch.dir);
    else if (job->begun)
        pd_scratch_empty(&job->scratch);
    pd_scratch_close(&job->scratch);
}

enum { SIGNALS = 5 };
static const int signals[SIGNALS] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGXCPU};
static void (*before[SIGNALS])(int); /* what they did before; NULL: the usual */

void pd_detect_stop_on_signals(void)
{
    for (int k = 0; k < SIGNALS; k++) {
        void (*const was)(int) = signal(signals[k], pd_comm_ask_to_stop);
        before[k] = was == SIG_ERR || was == pd_comm_ask_to_stop ? before[k] : was;
    }
}

void pd_detect_end_on_signals(void)
{
    for (int k = 0; k < SIGNALS; k++)
        signal(signals[k], before[k] ? before[k] : SIG_DFL);
}

int pd_detect(const struct pd_comm *c, const struct pd_options *options)
{
    struct pd_job job;
    struct pd_known_store known = {.job = NULL};
    if (options->job.dry_run)
        return pd_estimate(c, options);
    pd_job_init(&job, c, options);
    int status = pd_scratch_open(&job.scratch, c, options);
    if (status >= 0) /* scratch is locked, so no other job writes the same result */
        status = pd_writer_check(c, options->output);
    PD_THEN(status, run_stages(&job, &known));
    if (status >= 0)
        pd_provenance_summary(&job);
    job.kept = job.resumed || job.collection.library.shelf.n > 0;
    pd_known_store_close(&known);
    pd_job_release(&job);
    end_scratch(&job, status);
    return status;
}
