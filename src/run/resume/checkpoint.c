/*
 * run/resume/checkpoint.c - see src/run/resume/checkpoint.h; run/resume/resume.c takes up volumes
 */
#include "checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"
#include "pardup/run/option_table.h"
#include "pardup/store/cursor.h"
#include "run/classes/wordlist.h"
#include "run/scratch/manifest.h"

/* Names of manifests: the options of the job, the input files, the files of job->matches. */
#define JOB_FILE    "job"
#define INPUTS_FILE "inputs"
#define JOINED_FILE "joined"

enum { SCRATCH_FORMAT = 8 }; /* raised whenever a file that a job can take up is stored otherwise */

/* ---- the job ---- */

/* Print a line for each option that a resumed job must share with its first try. */
static void describe_options(const struct pd_options *o, struct pd_bytes *text)
{
    struct pd_setting s;
    for (const struct pd_option *option = pd_option_table; option->name; option++)
        if (option->role == PD_OPTION_SHAPES) {
            pd_option_setting(option, o, &s);
            pd_manifest_print(text, "%s %s\n", s.name, s.text);
        }
}

/* Print the version, and the options under each preset that the job may choose. */
static void describe_job(const struct pd_job *job, struct pd_bytes *text)
{
    struct pd_options o = *job->options;
    pd_manifest_print(text, "pardup %s, scratch format %d\n", PARDUP_VERSION, SCRATCH_FORMAT);
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
    pd_manifest_print(text, "%s, %lld bytes, changed %s.%09ld UTC\n", path, (long long)st.st_size,
                      changed, st.st_mtim.tv_nsec);
}

/* Print a line for each file that the result depends on. */
static void describe_inputs(const struct pd_job *job, struct pd_bytes *text)
{
    const struct pd_options *o = job->options;
    for (size_t k = 0; k < job->collection.files.n; k++) {
        if (k == job->collection.target_files)
            pd_manifest_print(text, "files of --against:\n");
        describe_file(text, job->collection.files.v[k].path);
    }
    if (o->input.docs_from)
        pd_manifest_print(text, "--docs-from: %zu ids, %016" PRIx64 "\n",
                          job->collection.wanted.ids.names.n,
                          pd_wanted_hash(&job->collection.wanted));
    if (o->input.metadata)
        pd_manifest_print(text, "--metadata: %zu rows, %016" PRIx64 "\n",
                          job->collection.metadata.table.rows, job->collection.metadata.hash);
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
    pd_bytes_release(&kept_options);
    pd_bytes_release(&kept_inputs);
    return status;
}

/* COLLECTIVE. Begin a new checkpoint: remove the files of other jobs, and describe this job. */
static int begin_job(struct pd_job *job, const struct pd_bytes *options, struct pd_bytes *inputs)
{
    struct pd_bytes text = {0};
    pd_scratch_bind(&job->scratch, 0); /* the manifests that describe the job are read before it */
    pd_scratch_empty(&job->scratch);
    job->collection.cut_for = job->comm->size;
    pd_manifest_print(&text, "ranks %d\n", job->comm->size);
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
    pd_bytes_release(&options);
    pd_bytes_release(&inputs);
    return status;
}

/* ---- files that a rank takes up ---- */

/* Warn that a part of the checkpoint cannot be used, and why. The job goes on without it. */
static void give_up(const char *stage)
{
    pd_log_rank(PD_LOG_WARN, "%s; %s again", pd_error_text(), stage);
    pd_error_clear();
}

/* COLLECTIVE. Have all ranks taken up what they need? */
static bool all_have(const struct pd_comm *c, int status, const char *stage)
{
    uint64_t bad = status < 0;
    if (bad)
        give_up(stage);
    pd_comm_max(c, &bad, 1);
    return !bad;
}

/* Open a file that is whole: all its checksums hold. NULL after pd_fail. */
static struct pd_packed *open_whole(const char *path)
{
    struct pd_packed *f = pd_packed_open(path);
    if (f && pd_packed_verify(f) < 0) {
        pd_packed_close(f);
        f = NULL;
    }
    return f;
}

/* The rank that takes up file k of n files. In order of ranks, the files stay in order. */
static int taker_of(const struct pd_comm *c, uint64_t k, uint64_t n)
{
    return (int)(k * (uint64_t)c->size / n);
}

/* The name of a file in scratch; "-": no file. */
static const char *name_of(const struct pd_packed *f)
{
    return f ? strrchr(pd_packed_path(f), '/') + 1 : "-";
}

/* ---- matches ---- */

/* Write n records of `size` bytes to a new file in scratch, and finish it. */
static struct pd_packed *write_list(struct pd_job *job, const char *name, const void *v, size_t n,
                                    size_t size, int *status)
{
    struct pd_packed *f = pd_packed_create(pd_scratch_path(&job->scratch, name));
    *status = f ? PD_OK : PD_EIO;
    for (size_t k = 0; k < n && *status >= 0; k++)
        *status = pd_packed_append(f, (const char *)v + k * size, size, NULL);
    if (*status >= 0)
        *status = pd_packed_finish(f);
    return f;
}

/*
 * Write common classes and templates to files, and print this rank's line of the manifest: the names of its
 * files.
 */
static int describe_joined(struct pd_job *job, struct pd_bytes *line)
{
    const struct pd_joineds *joined = &job->matches.joined;
    const struct pd_joined *j = &joined->v[0];
    const struct pd_joined anchored = joined->n > 1 ? joined->v[1] : (struct pd_joined){0};
    const struct pd_commons *common = &job->matches.common;
    const struct pd_templates *templates = &job->matches.templates;
    struct pd_packed *listed = NULL;
    int status;
    struct pd_packed *commons =
        write_list(job, "common", common->v, common->n, sizeof *common->v, &status);
    if (status >= 0)
        listed =
            write_list(job, "templates", templates->v, templates->n, sizeof *templates->v, &status);
    if (status >= 0)
        pd_manifest_print(line, "%s %s %s %s %s %s\n", name_of(j->classes), name_of(j->partners),
                          name_of(anchored.classes), name_of(anchored.partners), name_of(commons),
                          name_of(listed));
    pd_packed_close(listed);
    pd_packed_close(commons);
    return status;
}

/*
 * Counts of the stages before align that the result file or the summary shows. A job that takes up
 * the matches does not run these stages, so the counts are in the manifest.
 */
enum { COUNTS = 16 };
static void list_counts(struct pd_job *job, uint64_t *counts[COUNTS])
{
    struct pd_join_counts *c = &job->matches.counts;
    uint64_t *const list[COUNTS] = {&job->gathered.units,
                                    &job->gathered.signed_units,
                                    &job->counted.terms_left_out,
                                    &job->counted.antecedents,
                                    &c->classes,
                                    &job->gathered.whole_common,
                                    &job->gathered.repeated,
                                    &job->gathered.template_units,
                                    &job->gathered.template_words,
                                    &c->probes,
                                    &c->passes,
                                    &c->shared,
                                    &c->candidates,
                                    &c->verified,
                                    &c->similar,
                                    &c->crowded};
    memcpy(counts, list, sizeof list);
}

/* Print the first line of the manifest: number of ranks, then counts. */
static void print_counts(struct pd_job *job, struct pd_bytes *text)
{
    uint64_t *counts[COUNTS];
    list_counts(job, counts);
    pd_manifest_print(text, "%d", job->comm->size);
    for (int k = 0; k < COUNTS; k++)
        pd_manifest_print(text, " %" PRIu64, *counts[k]);
    pd_manifest_print(text, "\n");
}

/* Read the line that print_counts printed. Returns the number of ranks. */
static int scan_counts(struct pd_job *job, char *line)
{
    uint64_t *counts[COUNTS];
    list_counts(job, counts);
    const int ranks = (int)strtol(line, &line, 10);
    for (int k = 0; k < COUNTS; k++)
        *counts[k] = strtoull(line, &line, 10);
    return ranks;
}

int pd_checkpoint_save_matches(struct pd_job *job)
{
    struct pd_bytes line = {0}, text = {0};
    int status = pd_comm_agree(job->comm, describe_joined(job, &line));
    if (status >= 0) {
        print_counts(job, &text);
        pd_comm_gather(job->comm, line.v, line.n, &text);
        status = pd_comm_agree(job->comm, job->comm->rank == 0
                                              ? pd_manifest_write(&job->scratch, JOINED_FILE, &text)
                                              : PD_OK);
    }
    pd_bytes_release(&line);
    pd_bytes_release(&text);
    return status;
}

/* Append the records of a file to `to`. */
static int read_list(struct pd_bytes *to, const char *path)
{
    struct pd_packed *f = open_whole(path);
    struct pd_cursor c = {0};
    const unsigned char *recs;
    size_t n;
    int status;
    if (!f)
        return PD_EIO;
    pd_cursor_begin(&c, f, 0, pd_packed_blocks(f));
    while ((status = pd_cursor_look(&c, &recs, &n)) == PD_OK) {
        pd_bytes_append(to, recs, n);
        c.at += n;
    }
    pd_cursor_release(&c);
    pd_packed_close(f);
    return status;
}

/* Take up the lists of common classes and of templates. */
static int take_lists(struct pd_job *job, const char *commons, const char *templates)
{
    struct pd_matches *m = &job->matches;
    struct pd_bytes list = {0};
    int status = read_list(&list, pd_scratch_file(&job->scratch, commons));
    pd_commons_append(&m->common, list.v, list.n / sizeof *m->common.v);
    list.n = 0;
    if (status >= 0)
        status = read_list(&list, pd_scratch_file(&job->scratch, templates));
    pd_templates_append(&m->templates, list.v, list.n / sizeof *m->templates.v);
    pd_bytes_release(&list);
    return status;
}

/* Take up the files of an element of job->matches.joined; "-" in place of a name: no file. */
static int take_joined(struct pd_job *job, const char *classes, const char *partners)
{
    struct pd_joined j = {0};
    if (strcmp(classes, "-") == 0)
        return PD_OK;
    j.classes = open_whole(pd_scratch_file(&job->scratch, classes));
    if (!j.classes)
        return PD_EIO;
    if (strcmp(partners, "-") != 0)
        j.partners = open_whole(pd_scratch_file(&job->scratch, partners));
    pd_joineds_push(&job->matches.joined, j);
    return j.partners || strcmp(partners, "-") == 0 ? PD_OK : PD_EIO;
}

/* Take up the files that a line of the manifest names. */
static int take_line(struct pd_job *job, char *line)
{
    char *rest = line;
    const char *classes = strsep(&rest, " "), *partners = strsep(&rest, " ");
    const char *anchored = strsep(&rest, " "), *others = strsep(&rest, " ");
    const char *commons = strsep(&rest, " "), *templates = rest;
    if (!classes || !partners || !anchored || !others || !commons || !templates)
        return pd_fail(PD_EFORMAT, "%s: not as this pardup writes it", job->scratch.path);
    PD_TRY(take_joined(job, classes, partners));
    PD_TRY(take_joined(job, anchored, others));
    return take_lists(job, commons, templates);
}

static int owner_of_common(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_hash_range(((const struct pd_common *)rec)->sig, nranks);
}

/*
 * COLLECTIVE. Move common classes to the owners of their signatures, in the order of their table.
 */
static int share_commons(struct pd_job *job)
{
    struct pd_source source = {job->matches.common.v, job->matches.common.n,
                               sizeof *job->matches.common.v, 0};
    struct pd_bytes got = {0};
    const int status = pd_shuffle_collect(&job->transport, sizeof *job->matches.common.v,
                                          pd_fill_from, &source, owner_of_common, NULL, &got);
    job->matches.common.n = 0;
    pd_commons_append(&job->matches.common, got.v, got.n / sizeof *job->matches.common.v);
    pd_bytes_release(&got);
    pd_sort_records(job->matches.common.v, job->matches.common.n, PD_COMMON_U64S, PD_COMMON_U64S);
    return status;
}

int pd_checkpoint_take_matches(struct pd_job *job, bool *taken)
{
    struct pd_bytes text = {0};
    size_t at = 0;
    int status = PD_OK;
    *taken = job->resumed && pd_manifest_read(&job->scratch, JOINED_FILE, &text);
    if (*taken) {
        const int n = scan_counts(job, pd_manifest_line(&text, &at));
        for (int k = 0; k < n; k++) {
            char *line = pd_manifest_line(&text, &at);
            if (status >= 0 && line &&
                taker_of(job->comm, (uint64_t)k, (uint64_t)n) == job->comm->rank)
                status = take_line(job, line);
        }
        *taken = all_have(job->comm, status, "units are signed and compared");
    }
    pd_bytes_release(&text);
    if (*taken)
        return share_commons(job);
    pd_job_forget_matches(job);
    return PD_OK;
}

/* ---- slices ---- */

/* The name of the manifest of slice k. */
static void slice_name(char name[32], uint64_t k)
{
    snprintf(name, 32, "slice-%llu", (unsigned long long)k);
}

int pd_checkpoint_save_slice(struct pd_job *job)
{
    const struct pd_slice *s = &job->aligned.slices.v[job->aligned.slices.n - 1];
    struct pd_bytes line = {0}, text = {0};
    char name[32];
    slice_name(name, s->slice);
    pd_manifest_print(&text, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %d\n", s->from, s->to,
                      job->aligned.dots, job->comm->size);
    pd_manifest_print(&line,
                      "%" PRIu64 " %" PRIu64 " %" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64
                      " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                      s->rows, s->pairs, s->file.session, s->file.rank, s->file.number,
                      s->left_out.same_host, s->left_out.too_short, s->left_out.unlike,
                      s->left_out.below, s->left_out.same);
    pd_comm_gather(job->comm, line.v, line.n, &text);
    const int status = job->comm->rank == 0 ? pd_manifest_write(&job->scratch, name, &text) : PD_OK;
    pd_bytes_release(&line);
    pd_bytes_release(&text);
    return pd_comm_agree(job->comm, status);
}

static int scan_slice(const char *line, struct pd_slice *s)
{
    return sscanf(line,
                  "%" SCNu64 " %" SCNu64 " %" SCNx64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                  " %" SCNu64 " %" SCNu64 " %" SCNu64,
                  &s->rows, &s->pairs, &s->file.session, &s->file.rank, &s->file.number,
                  &s->left_out.same_host, &s->left_out.too_short, &s->left_out.unlike,
                  &s->left_out.below, &s->left_out.same) == 10
               ? PD_OK
               : PD_EFORMAT;
}

/* Is a file in scratch whole? */
static int check_file(struct pd_job *job, const char *what, struct pd_scratch_id id)
{
    struct pd_packed *f = open_whole(pd_scratch_path_of(&job->scratch, what, id));
    pd_packed_close(f);
    return f ? PD_OK : PD_EIO;
}

/*
 * COLLECTIVE. Take up this rank's parts of a slice of n parts, whose lines in the manifest begin at
 * byte `at` of `text`. False: some rank lacks a part; then the slice is not taken up.
 */
static bool take_parts(struct pd_job *job, struct pd_bytes *text, size_t at, struct pd_slice slice,
                       int n)
{
    const size_t before = job->aligned.slices.n;
    int status = PD_OK;
    for (int k = 0; k < n; k++) {
        char *line = pd_manifest_line(text, &at);
        if (status < 0 || taker_of(job->comm, (uint64_t)k, (uint64_t)n) != job->comm->rank)
            continue;

        status = line ? scan_slice(line, &slice) : PD_EFORMAT;
        if (status >= 0 && slice.pairs)
            status = check_file(job, PD_ROW_FILES, slice.file);
        if (status >= 0)
            pd_slices_push(&job->aligned.slices, slice);
    }
    const bool taken = all_have(job->comm, status, "passages from there on are found");
    if (!taken)
        job->aligned.slices.n = before;
    return taken;
}

int pd_checkpoint_take_slices(struct pd_job *job, pd_doc *from)
{
    struct pd_bytes text = {0};
    char name[32];
    *from = 0;
    for (bool more = job->resumed; more;) {
        struct pd_slice slice = {.slice = job->aligned.nslices};
        size_t at = 0;
        int n = 0;
        slice_name(name, job->aligned.nslices);
        more = pd_manifest_read(&job->scratch, name, &text);
        if (!more)
            break;
        more = sscanf(pd_manifest_line(&text, &at), "%" SCNu64 " %" SCNu64 " %" SCNu64 " %d",
                      &slice.from, &slice.to, &slice.dots, &n) == 4 &&
               slice.from <= *from && slice.to > *from && n > 0 &&
               take_parts(job, &text, at, slice, n);
        if (more) {
            *from = slice.to;
            job->aligned.dots = slice.dots;
            job->aligned.nslices++;
        }
    }
    pd_bytes_release(&text);
    return PD_OK;
}
