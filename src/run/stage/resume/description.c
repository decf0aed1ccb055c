/*
 * run/stage/resume/description.c - the description of a job in scratch: its options and its input.
 *
 * A job that resumes compares the description with its own. A job with other options or another
 * input is refused, because what is in scratch would not be part of its result.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "checkpoint.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/index/index.h"
#include "pardup/run/option_table.h"
#include "run/scratch/manifest.h"
#include "run/stage/classes/wordlist.h"

/* Names of the two manifests: the options of the job, and the files it reads. */
#define JOB_FILE    "job"
#define INPUTS_FILE "inputs"

/* raised whenever a file that a job can take up is stored otherwise */
enum { SCRATCH_FORMAT = 13 };

/* Print a line for each option that a resumed job must share with its first try. */
static void describe_options(const struct pd_options *o, struct pd_bytes *text)
{
    struct pd_setting s;
    for (const struct pd_option *option = pd_option_table; option->name; option++)
        if (option->role == PD_OPTION_SHAPES) {
            pd_option_setting(option, o, &s);
            pd_bytes_print(text, "%s %s\n", s.name, s.text);
        }
}

/* Print the version, and the options under each preset that the job may choose. */
static void describe_job(const struct pd_job *job, struct pd_bytes *text)
{
    struct pd_options o = *job->options;
    pd_bytes_print(text, "pardup %s, scratch format %d\n", PARDUP_VERSION, SCRATCH_FORMAT);
    describe_options(&o, text);
    for (int k = 0; o.preset == PD_PRESET_AUTO && k < PD_PRESETS; k++)
        if (job->options->presets[k].name) {
            o.method = job->options->presets[k];
            describe_options(&o, text);
        }
}

/* Print path, size and time of change of a file. */
static void describe_file(struct pd_bytes *text, const char *path)
{
    struct stat st;
    struct tm utc;
    char changed[32] = "";
    if (stat(path, &st) != 0)
        st = (struct stat){0};
    if (gmtime_r(&st.st_mtim.tv_sec, &utc))
        strftime(changed, sizeof changed, "%Y-%m-%d %H:%M:%S", &utc);
    pd_bytes_print(text, "%s, %lld bytes, changed %s.%09ld UTC\n", path, (long long)st.st_size,
                   changed, st.st_mtim.tv_nsec);
}

/* Print a line for each file that the result depends on. */
static void describe_inputs(const struct pd_job *job, struct pd_bytes *text)
{
    const struct pd_options *o = job->options;
    for (size_t k = 0; k < job->collection.files.n; k++) {
        if (k == job->collection.target_files)
            pd_bytes_print(text, "files of --%s:\n", o->input.with.n ? "with" : "against");
        describe_file(text, job->collection.files.v[k].path);
    }
    for (size_t k = 0; k < o->input.ignore.n; k++) {
        pd_bytes_print(text, "--ignore: ");
        describe_file(text, o->input.ignore.v[k]);
    }
    for (size_t k = 0; k < o->input.vocabulary.n; k++) {
        pd_bytes_print(text, "--vocabulary: ");
        describe_file(text, o->input.vocabulary.v[k]);
    }
    for (size_t k = 0; k < o->input.convert.n; k++)
        pd_bytes_print(text, "--convert: %s\n", o->input.convert.v[k]);
    if (job->known)
        pd_bytes_print(text, "--known: %016" PRIx64 "\n", job->index->manifest.checksum);
    if (o->input.docs_from)
        pd_bytes_print(text, "--docs-from: %zu ids, %016" PRIx64 "\n",
                       job->collection.wanted.ids.names.n, pd_wanted_hash(&job->collection.wanted));
    if (o->input.metadata)
        pd_bytes_print(text, "--metadata: %zu rows, %016" PRIx64 "\n",
                       job->collection.metadata.table.rows, job->collection.metadata.hash);
    if (job->background.hash)
        pd_bytes_print(text, "--frequencies: %016" PRIx64 "\n", job->background.hash);
    if (!pd_is_number(o->method.antecedents) && pd_wordlist_is_file(o->method.antecedents))
        describe_file(text, o->method.antecedents);
    if (pd_wordlist_is_file(o->method.stop_words))
        describe_file(text, o->method.stop_words);
}

/*
 * Compare the lines of a manifest, from byte `at` on, with the lines that this job would write.
 * PD_OK, or PD_ESTALE with the first line that differs in the message.
 */
static int compare(const struct pd_scratch *s, const char *what, struct pd_bytes *manifest,
                   size_t at, struct pd_bytes *ours)
{
    size_t at_ours = 0;
    for (;;) {
        const char *theirs = pd_manifest_line(manifest, &at);
        const char *mine = pd_manifest_line(ours, &at_ours);
        if (!theirs && !mine)
            return PD_OK;
        if (!theirs || !mine || strcmp(theirs, mine) != 0)
            return pd_fail(PD_ESTALE,
                           "%s: the checkpoint is of %s: \"%s\" there, \"%s\" here; without "
                           "--resume it is discarded",
                           s->dir, what, theirs ? theirs : "nothing", mine ? mine : "nothing");
    }
}

/* On rank 0. The file of options comes last: without it there is no checkpoint. */
static int write_job(struct pd_job *job, struct pd_bytes *options, struct pd_bytes *inputs)
{
    const int status = pd_manifest_write(&job->scratch, INPUTS_FILE, inputs);
    return status < 0 ? status : pd_manifest_write(&job->scratch, JOB_FILE, options);
}

/* COLLECTIVE. Bind the scratch to the job that the two manifests describe; rank 0 has both. */
static void bind_scratch(struct pd_job *job, const struct pd_bytes *options,
                         const struct pd_bytes *inputs)
{
    uint64_t number = 0;
    if (job->comm->rank == 0)
        number = pd_mix(pd_hash_bytes(options->v, options->n) ^
                        pd_mix(pd_hash_bytes(inputs->v, inputs->n)));
    pd_comm_max(job->comm, &number, 1);
    pd_scratch_bind(&job->scratch, number);
}

/*
 * COLLECTIVE. Compare this job with the job of the checkpoint. *found: there is a checkpoint. The
 * first line of its options is the number of ranks of the first try. This job may have another
 * number of ranks, but cuts files as the first try did.
 */
static int compare_job(struct pd_job *job, struct pd_bytes *options, struct pd_bytes *inputs,
                       bool *found)
{
    struct pd_scratch *s = &job->scratch;
    struct pd_bytes kept_options = {0}, kept_inputs = {0};
    size_t at = 0;
    int status = PD_OK;
    *found = pd_manifest_read(s, JOB_FILE, &kept_options) &&
             pd_manifest_read(s, INPUTS_FILE, &kept_inputs);
    if (*found)
        bind_scratch(job, &kept_options, &kept_inputs);
    *found = *found && sscanf(pd_manifest_line(&kept_options, &at), "ranks %d",
                              &job->collection.cut_for) == 1;
    if (*found) {
        status = compare(s, "other options", &kept_options, at, options);
        if (status >= 0 && job->comm->rank == 0)
            status = compare(s, "another input", &kept_inputs, 0, inputs);
        status = pd_comm_agree(job->comm, status);
    }
    PD_RELEASE(pd_bytes, &kept_options, &kept_inputs);
    return status;
}

/* COLLECTIVE. Begin a new checkpoint: remove the files of other jobs, and describe this job. */
static int begin_job(struct pd_job *job, const struct pd_bytes *options, struct pd_bytes *inputs)
{
    struct pd_bytes text = {0};
    pd_scratch_bind(&job->scratch, 0); /* the manifests that describe the job are read before it */
    pd_scratch_empty(&job->scratch);
    job->collection.cut_for = job->comm->size;
    pd_bytes_print(&text, "ranks %d\n", job->comm->size);
    pd_bytes_append(&text, options->v, options->n);
    const int status =
        pd_comm_agree(job->comm, job->comm->rank == 0 ? write_job(job, &text, inputs) : PD_OK);
    bind_scratch(job, &text, inputs);
    pd_bytes_release(&text);
    return status;
}

int pd_checkpoint_open(struct pd_job *job)
{
    struct pd_bytes options = {0}, inputs = {0};
    int status = PD_OK;
    describe_job(job, &options);
    if (job->comm->rank == 0)
        describe_inputs(job, &inputs);
    if (job->options->job.resume) {
        status = compare_job(job, &options, &inputs, &job->resumed);
        if (status >= 0)
            pd_log(PD_LOG_INFO,
                   job->resumed ? "%s: going on from the checkpoint"
                                : "%s: no checkpoint, starting from the beginning",
                   job->scratch.dir);
    }
    if (status >= 0 && !job->resumed)
        status = begin_job(job, &options, &inputs);
    job->begun = status >= 0;
    PD_RELEASE(pd_bytes, &options, &inputs);
    return status;
}
