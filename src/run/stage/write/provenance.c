/* run/stage/write/provenance.c - see src/run/stage/write/provenance.h */
#include "provenance.h"

#include <limits.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/run/option_table.h"
#include "run/stage/collection/unread.h"
#include "run/stage/families/families.h"

/* version of the result file's schema, raised when a reader must know of a change */
enum { SCHEMA_VERSION = 1 };

/* Write the options that the result keeps, each with the name and the type of its setting. */
static void write_options(const struct pd_options *o, struct pd_writer *w)
{
    struct pd_setting s;
    for (const struct pd_option *option = pd_option_table; option->name; option++) {
        if (option->role == PD_OPTION_FREE)
            continue;
        pd_option_setting(option, o, &s);
        if (s.type == PD_SETTING_COUNT)
            pd_writer_count(w, s.name, s.count);
        else if (s.type == PD_SETTING_REAL)
            pd_writer_real(w, s.name, s.real);
        else
            pd_writer_text(w, s.name, s.text);
    }
}

/* Write when the job began, and what the stages before `write` took. */
static void write_times(const struct pd_job *job, struct pd_writer *w)
{
    char name[64], start[32];
    const time_t began = time(NULL) - (time_t)(pd_clock() - job->stages.job_started);
    struct tm utc;
    uint64_t start_seconds = (uint64_t)began;
    pd_comm_max(job->comm, &start_seconds, 1); /* an attribute is the same on all ranks */
    const time_t agreed = (time_t)start_seconds;
    strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&agreed, &utc));
    pd_writer_text(w, "start_time", start);
    pd_writer_count(w, "ranks", (uint64_t)job->comm->size);
    for (int k = 0; k < PD_STAGE_WRITE; k++) { /* the stage `write` is not over */
        snprintf(name, sizeof name, "seconds_%s", pd_stage_names[k]);
        pd_writer_real(w, name, job->stages.stage[k].seconds);
        snprintf(name, sizeof name, "exchanged_%s", pd_stage_names[k]);
        pd_writer_count(w, name, job->stages.stage[k].exchanged);
    }
}

/* Write the folder from which the paths of /files are found. */
static void write_directory(struct pd_writer *w)
{
    char folder[PATH_MAX];
    if (getcwd(folder, sizeof folder))
        pd_writer_text(w, "directory", folder);
}

void pd_provenance_write(const struct pd_job *job, struct pd_writer *w)
{
    const struct pd_totals *t = &job->collection.totals;
    pd_writer_text(w, "pardup_version", PARDUP_VERSION);
    pd_writer_count(w, "schema_version", SCHEMA_VERSION);
    if (!job->options->job.reproducible) {
        pd_writer_text(w, "command", job->options->command);
        write_directory(w);
    }
    write_options(job->options, w);
    pd_writer_text(w, "preset_chosen", pd_preset_names[job->preset]);
    pd_writer_text(w, "preset_reason", job->why_preset);
    pd_writer_count(w, "documents", t->documents + (job->known ? job->foreign_sources : 0));
    if (job->known)
        pd_writer_text(w, "known", job->options->check.index);
    if (job->options->input.against.n || job->known) { /* sources come behind */
        pd_writer_count(w, "targets", job->targets.to);
        pd_writer_count(w, "target_files", job->collection.target_files);
    }
    if (job->options->input.with.n)
        pd_writer_count(w, "first_with", job->targets.to);
    pd_writer_count(w, "documents_with_sentences", t->with_sentences);
    pd_writer_count(w, "sentences", t->sentences);
    pd_writer_count(w, "words", t->words);
    if (job->options->method.frame == PD_TEMPLATES_ASIDE) {
        pd_writer_count(w, "frame_sentences", t->frame_sentences);
        pd_writer_count(w, "frame_words", t->frame_words);
    }
    pd_writer_count(w, "bytes_read", t->bytes);
    pd_writer_count(w, "skipped_records", t->skipped);
    if (job->options->input.docs_from && !job->options->input.limit_docs)
        pd_writer_count(w, "unlisted_documents", t->unlisted);
    pd_writer_count(w, "replaced_sequences", t->replaced);
    if (job->background.hash)
        pd_writer_count(w, "frequencies_hash", job->background.hash);
    pd_writer_count(w, "terms_left_out", job->counted.terms_left_out);
    pd_writer_count(w, "antecedents_found", job->counted.antecedents);
    pd_writer_count(w, "classes_compared", job->matches.counts.classes);
    pd_writer_count(w, "candidates", job->matches.counts.candidates);
    pd_writer_count(w, "similar_classes", job->matches.counts.similar);
    pd_writer_count(w, "crowded_classes", job->matches.counts.crowded);
    pd_writer_count(w, "templates_found", job->written.templates);
    pd_writer_count(w, "template_sites", job->written.template_sites);
    const struct pd_aside_counts *asides = &job->gathered.asides;
    pd_writer_count(w, "template_units", asides->units - asides->doubtful_units);
    pd_writer_count(w, "template_words", asides->words - asides->doubtful_words);
    pd_writer_count(w, "doubtful_units", asides->doubtful_units);
    pd_writer_count(w, "doubtful_words", asides->doubtful_words);
    if (job->ignore.units.n) {
        pd_writer_count(w, "ignored_documents", asides->ignored_documents);
        pd_writer_count(w, "ignored_words", asides->ignored_words);
    }
    if (!job->options->job.reproducible)
        write_times(job, w);
}

static double megabytes(uint64_t bytes) { return (double)bytes / 1e6; }

/* COLLECTIVE. Log what each stage took. */
static void summarise_stages(const struct pd_job *job)
{
    const struct pd_stages *s = &job->stages;
    const double all = pd_clock() - s->job_started;
    pd_log(PD_LOG_INFO,
           "  stage    seconds  processor   (ranks busy: least/mean/most)   sent (most a rank)  "
           "  rounds   peak");
    for (int k = 0; k < PD_STAGES; k++) {
        const struct pd_stage *stage = &s->stage[k];
        pd_log(PD_LOG_INFO,
               "  %-7s %8.2f   %8.2f   (%8.2f %8.2f %8.2f)  %9.1f (%7.1f) MB %8llu %5.0f MB",
               pd_stage_names[k], stage->seconds, stage->processor, stage->least, stage->mean,
               stage->most, megabytes(stage->exchanged), megabytes(stage->most_sent),
               (unsigned long long)stage->rounds, megabytes(stage->peak));
    }
    pd_log(PD_LOG_INFO, "  all     %8.2f seconds, %.1f MB/s of documents", all,
           all > 0 ? megabytes(job->collection.totals.bytes) / all : 0);
    double signing = job->gathered.signing_seconds;
    pd_comm_max_double(job->comm, &signing, 1);
    pd_log(PD_LOG_INFO, "  signing %10.3f seconds of gather (the rank that took longest)", signing);
    pd_log(PD_LOG_INFO, "  exchange: at most %.1f MB a rank and round, in 5 buffers",
           megabytes(pd_exchange_round(job->comm)));
}

/* Log what --frame and --templates have set aside. */
static void summarise_asides(const struct pd_job *job)
{
    const struct pd_totals *t = &job->collection.totals;
    const struct pd_aside_counts *asides = &job->gathered.asides;
    pd_collection_tell_frame(&job->collection);
    pd_job_tell_ignored(job);
    if (job->options->method.templates != PD_TEMPLATES_ASIDE || asides->units == 0)
        return;
    char what[64] = "imprints";
    if (job->written.template_sites)
        snprintf(what, sizeof what, "templates of %s site%s",
                 pd_grouped(job->written.template_sites), pd_plural(job->written.template_sites));
    if (asides->units > asides->doubtful_units)
        pd_log(PD_LOG_INFO, "  %s: %s of %s units aside, %s of words", what,
               pd_grouped(asides->units - asides->doubtful_units), pd_grouped(t->sentences),
               pd_share_of(asides->words - asides->doubtful_words, t->words));
    if (asides->doubtful_units)
        pd_log(PD_LOG_INFO, "  links: %s unit%s aside, %s of words, not listed",
               pd_grouped(asides->doubtful_units), pd_plural(asides->doubtful_units),
               pd_share_of(asides->doubtful_words, t->words));
}

/* Log how signature sets were compared, if they were. */
static void summarise_join(const struct pd_job *job)
{
    const struct pd_join_counts *c = &job->matches.counts;
    if (pd_features[job->options->method.feature].counts == PD_COUNTS_SPOT_WORDS)
        pd_log(PD_LOG_INFO, "  antecedents          %12llu", pd_ull(job->counted.antecedents));
    if (job->options->method.join == PD_JOIN_EQUAL)
        return;
    pd_log(PD_LOG_INFO, "  classes compared     %12llu  (%llu probes in %llu passes)",
           pd_ull(c->classes), pd_ull(c->probes), pd_ull(c->passes));
    if (c->shared)
        pd_log(PD_LOG_INFO, "  counts of pairs      %12llu  (shared signatures)",
               pd_ull(c->shared));
    pd_log(PD_LOG_INFO, "  candidates           %12llu  (%llu compared to the end)",
           pd_ull(c->candidates), pd_ull(c->verified));
    pd_log(PD_LOG_INFO, "  similar classes      %12llu  pairs", pd_ull(c->similar));
    if (job->options->method.sct)
        pd_log(PD_LOG_INFO,
               "  classes set aside    %12llu  (all signatures in more than %lld documents)",
               pd_ull(c->crowded), (long long)job->options->method.sct);
    if (job->options->method.max_near)
        pd_log(PD_LOG_INFO, "  crowded classes      %12llu  set aside (similar to more than %lld)",
               pd_ull(c->crowded), (long long)job->options->method.max_near);
}

/* Numbers of the whole job, from all ranks. */
struct sums {
    uint64_t passages, pairs;
    uint64_t common; /* classes in more than --max-df documents */
    uint64_t peak;   /* bytes: the peak memory of each rank, added up */
    uint64_t beside; /* documents of files beside texts in families of documents */
};

/* Log the numbers that everybody wants. */
static void summarise_briefly(const struct pd_job *job, const struct sums *sums)
{
    const struct pd_totals *t = &job->collection.totals;
    char revisits[64] = "";
    if (t->fields.revisits)
        snprintf(revisits, sizeof revisits, ", %s revisit%s", pd_grouped(t->fields.revisits),
                 pd_plural(t->fields.revisits));
    pd_log(PD_LOG_INFO, "  %s document%s (%s), %s sentence%s; %s record%s skipped%s",
           pd_grouped(t->documents), pd_plural(t->documents), pd_size(t->bytes),
           pd_grouped(t->sentences), pd_plural(t->sentences), pd_grouped(t->skipped),
           pd_plural(t->skipped), revisits);
    if (job->known)
        pd_log(PD_LOG_INFO, "  %s known document%s in %s", pd_grouped(job->foreign_sources),
               pd_plural(job->foreign_sources), job->options->check.index);
    pd_log(PD_LOG_INFO, "  %s passage%s in %s pair%s of documents", pd_grouped(sums->passages),
           pd_plural(sums->passages), pd_grouped(sums->pairs), pd_plural(sums->pairs));
    if (sums->common)
        pd_log(PD_LOG_INFO, "  %s unit%s in over %s %s: %s (/aside)", pd_grouped(sums->common),
               sums->common == 1 ? " is" : "s are",
               pd_grouped((uint64_t)job->options->method.max_df),
               pd_max_df_of(&job->options->method),
               job->options->method.common == PD_COMMON_ASIDE ? "matched with nothing"
                                                              : "matched with the first");
    summarise_asides(job);
}

/* COLLECTIVE. Log everything that was counted, for --verbose. */
static void summarise_in_full(const struct pd_job *job, const struct sums *sums)
{
    const struct pd_totals *t = &job->collection.totals;
    const uint64_t *units = job->gathered.units;
    struct pd_left_out left_out = job->written.left_out;
    pd_comm_sum(job->comm, (uint64_t *)&left_out, sizeof left_out / sizeof(uint64_t));
    pd_log(PD_LOG_INFO, "  documents            %12llu  (%llu with sentences, %.1f MB)",
           pd_ull(t->documents), pd_ull(t->with_sentences), megabytes(t->bytes));
    if (job->options->input.against.n)
        pd_log(PD_LOG_INFO, "  targets              %12llu  (against %llu sources)",
               pd_ull(job->targets.to), pd_ull(job->sources.to - job->sources.from));
    if (job->options->input.with.n)
        pd_log(PD_LOG_INFO,
               "  targets              %12llu  (with each other and with %llu sources)",
               pd_ull(job->targets.to), pd_ull(t->documents - job->targets.to));
    pd_log(PD_LOG_INFO, "  sentences            %12llu  (%llu signed, %llu words)",
           pd_ull(t->sentences), pd_ull(units[PD_WHY_MATCHED]), pd_ull(t->words));
    pd_log(PD_LOG_INFO,
           "  units                %12llu  (%llu templates, %llu too short, %llu with too few "
           "counted words, %llu without a signature; %llu recur)",
           pd_ull(pd_gathered_units(&job->gathered)), pd_ull(units[PD_WHY_TEMPLATE]),
           pd_ull(units[PD_WHY_SHORT]), pd_ull(units[PD_WHY_FEW]), pd_ull(units[PD_WHY_NOTHING]),
           pd_ull(job->gathered.repeated));
    pd_log(PD_LOG_INFO,
           "  records skipped      %12llu  (%llu ignored, of them %llu revisit%s, %llu repaired)",
           pd_ull(t->skipped), pd_ull(t->ignored), pd_ull(t->fields.revisits),
           pd_plural(t->fields.revisits), pd_ull(t->repaired));
    if (job->options->method.max_df)
        pd_log(PD_LOG_INFO, "  common classes %-5s %12llu  (in more than %lld %s)",
               job->options->method.common == PD_COMMON_ASIDE ? "aside" : "", pd_ull(sums->common),
               (long long)job->options->method.max_df, pd_max_df_of(&job->options->method));
    summarise_asides(job);
    summarise_join(job);
    pd_log(PD_LOG_INFO, "  sentence pairs       %12llu  (in %llu slices)",
           pd_ull(job->aligned.dots), pd_ull(job->aligned.nslices));
    pd_log(PD_LOG_INFO, "  passages             %12llu", pd_ull(sums->passages));
    if (job->options->method.skip_same_host)
        pd_log(PD_LOG_INFO, "  left out, same host  %12llu", pd_ull(left_out.same_host));
    if (job->options->method.skip_same)
        pd_log(PD_LOG_INFO, "  left out, same field %12llu", pd_ull(left_out.same));
    if (job->options->method.theta_d > 0 || job->options->method.delta)
        pd_log(PD_LOG_INFO, "  pairs below          %12llu  (theta-d %g, delta %lld)",
               pd_ull(left_out.below), job->options->method.theta_d,
               (long long)job->options->method.delta);
    if (job->options->method.min_passage_words)
        pd_log(PD_LOG_INFO, "  left out, too short  %12llu", pd_ull(left_out.too_short));
    if (job->options->method.min_agreement > 0 || left_out.unlike)
        pd_log(PD_LOG_INFO, "  left out, unlike     %12llu", pd_ull(left_out.unlike));
    pd_log(PD_LOG_INFO, "  document pairs       %12llu", pd_ull(sums->pairs));
    summarise_stages(job);
}

/* COLLECTIVE. Log the result in a few lines, or with --verbose everything. */
void pd_provenance_summary(const struct pd_job *job)
{
    const uint64_t peak = pd_peak_memory();
    struct sums sums = {job->written.passages, job->written.pairs, job->matches.common.n, peak,
                        job->written.families.beside};
    uint64_t most = peak, least = UINT64_MAX - peak; /* the greatest complement is the least peak */
    pd_comm_sum(job->comm, (uint64_t *)&sums, sizeof sums / sizeof(uint64_t));
    pd_comm_max(job->comm, &most, 1);
    pd_comm_max(job->comm, &least, 1);
    if (job->collection.totals.documents == 1 && !job->known)
        pd_log(PD_LOG_WARN, "only one document: there is nothing to compare. docs/formats.md lists "
                            "the files that hold many");
    pd_families_tell(&job->written.families);
    pd_unread_beside(&job->collection.files, sums.beside);
    pd_log(PD_LOG_INFO, "%s", job->options->output);
    if (!job->options->verbose) {
        summarise_briefly(job, &sums);
        pd_stages_tell(&job->stages, job->known, " (--verbose says more)");
        return;
    }
    summarise_in_full(job, &sums);
    pd_log(PD_LOG_INFO,
           "  peak memory a rank: %.0f / %.0f / %.0f MB (least / mean / most, %d ranks)",
           megabytes(UINT64_MAX - least), megabytes(sums.peak) / job->comm->size, megabytes(most),
           job->comm->size);
}
