/* run/write/provenance.c - see src/run/write/provenance.h */
#include "provenance.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "pardup/base/log.h"

enum { SCHEMA_VERSION = 1 };

static const char *unit_name(enum pd_unit_kind u)
{
    static const char *const names[] = {"sentence", "clause", "stop", "gram", "document"};
    return names[u];
}

static const char *feature_name(enum pd_feature_kind f)
{
    static const char *const names[] = {"words", "bag", "sequence", "shingle", "spot", "lengths"};
    return names[f];
}

static const char *join_name(enum pd_join_kind j)
{
    static const char *const names[] = {"equal", "jaccard", "overlap", "lsh"};
    return names[j];
}

static const char *edges_name(enum pd_edges e)
{
    static const char *const names[] = {"word", "sentence", "far"};
    return names[e];
}

static const char *compress_name(enum pd_compress c)
{
    static const char *const names[] = {"deflate", "zstd", "none"};
    return names[c];
}

/* How units are made, signed and compared. */
static void list_method(const struct pd_options *o, const struct pd_settings *to)
{
    char idf[64], window[64];
    snprintf(idf, sizeof idf, "%.17g,%.17g", o->method.idf[0], o->method.idf[1]);
    snprintf(window, sizeof window, "%lld,%lld", (long long)o->method.window[0],
             (long long)o->method.window[1]);
    to->text(to->ctx, "method", o->method.name);
    to->text(to->ctx, "units", unit_name(o->method.units));
    to->text(to->ctx, "window", window);
    to->count(to->ctx, "jump", o->method.jump);
    to->count(to->ctx, "sample", (uint64_t)o->method.sample);
    to->text(to->ctx, "feature", feature_name(o->method.feature));
    to->count(to->ctx, "ngram", (uint64_t)o->method.ngram);
    to->text(to->ctx, "antecedents", o->method.antecedents);
    to->text(to->ctx, "stop_words", o->method.stop_words);
    to->count(to->ctx, "spot_distance", (uint64_t)o->method.spot_distance);
    to->count(to->ctx, "spot_chain", (uint64_t)o->method.spot_chain);
    to->text(to->ctx, "idf", idf);
    to->real(to->ctx, "max_word_df", o->method.max_word_df);
    to->text(to->ctx, "join", join_name(o->method.join));
    to->real(to->ctx, "tau", o->method.tau);
    to->text(to->ctx, "sketch", o->method.sketch == PD_SKETCH_BITS ? "bits" : "minhash");
    to->count(to->ctx, "rows", (uint64_t)o->method.rows);
    to->count(to->ctx, "bits", (uint64_t)o->method.bits);
    to->count(to->ctx, "word_bits", (uint64_t)o->method.word_bits);
    to->count(to->ctx, "diffbit", (uint64_t)o->method.diffbit);
    to->count(to->ctx, "tables", (uint64_t)o->method.tables);
    to->real(to->ctx, "theta_d", o->method.theta_d);
    to->count(to->ctx, "delta", (uint64_t)o->method.delta);
}

void pd_provenance_options(const struct pd_options *o, const struct pd_settings *to)
{
    list_method(o, to);
    to->text(to->ctx, "format", pd_format_name(o->input.format));
    to->text(to->ctx, "content", o->input.content == PD_CONTENT_ALL ? "all" : "main");
    to->text(to->ctx, "words_kind", o->input.words == PD_WORDS_CHAR ? "char" : "icu");
    to->text(to->ctx, "id_field", o->input.id_field);
    to->text(to->ctx, "text_field", o->input.text_field);
    to->text(to->ctx, "url_field", o->input.url_field);
    to->count(to->ctx, "limit_docs", (uint64_t)o->input.limit_docs);
    to->count(to->ctx, "gamma", (uint64_t)o->method.gamma);
    to->count(to->ctx, "gap", (uint64_t)o->method.gap);
    to->count(to->ctx, "max_df", (uint64_t)o->method.max_df);
    to->count(to->ctx, "max_near", (uint64_t)o->method.max_near);
    to->count(to->ctx, "min_words", (uint64_t)o->method.min_words);
    to->text(to->ctx, "edges", edges_name(o->method.edges));
    to->count(to->ctx, "min_passage_words", (uint64_t)o->method.min_passage_words);
    to->count(to->ctx, "skip_same_host", o->method.skip_same_host);
}

static void write_text(void *w, const char *name, const char *value)
{
    pd_writer_text(w, name, value);
}

static void write_count(void *w, const char *name, uint64_t value)
{
    pd_writer_count(w, name, value);
}

static void write_real(void *w, const char *name, double value) { pd_writer_real(w, name, value); }

static void write_times(const struct pd_job *job, struct pd_writer *w)
{
    char name[64], start[32];
    const time_t began = time(NULL) - (time_t)(pd_clock() - job->stages.job_started);
    struct tm utc;
    uint64_t start_seconds = (uint64_t)began;
    pd_comm_max(job->comm, &start_seconds, 1); /* one value on all ranks */
    const time_t agreed = (time_t)start_seconds;
    strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&agreed, &utc));
    pd_writer_text(w, "start_time", start);
    pd_writer_count(w, "ranks", (uint64_t)job->comm->size);
    for (int k = 0; k < PD_STAGE_WRITE; k++) { /* writing is still under way */
        snprintf(name, sizeof name, "seconds_%s", pd_stage_names[k]);
        pd_writer_real(w, name, job->stages.stage[k].seconds);
        snprintf(name, sizeof name, "exchanged_%s", pd_stage_names[k]);
        pd_writer_count(w, name, job->stages.stage[k].exchanged);
    }
}

void pd_provenance_write(const struct pd_job *job, struct pd_writer *w)
{
    const struct pd_totals *t = &job->collection.totals;
    pd_writer_text(w, "pardup_version", PARDUP_VERSION);
    pd_writer_count(w, "schema_version", SCHEMA_VERSION);
    pd_writer_text(w, "command", job->options->command);
    const struct pd_settings to = {write_text, write_count, write_real, w};
    pd_provenance_options(job->options, &to);
    pd_writer_count(w, "strict", job->options->input.strict);
    pd_writer_text(w, "compress", compress_name(job->options->job.compress));
    pd_writer_count(w, "documents", t->documents);
    pd_writer_count(w, "documents_with_sentences", t->with_sentences);
    pd_writer_count(w, "sentences", t->sentences);
    pd_writer_count(w, "words", t->words);
    pd_writer_count(w, "bytes_read", t->bytes);
    pd_writer_count(w, "skipped_records", t->skipped);
    pd_writer_count(w, "replaced_sequences", t->replaced);
    pd_writer_count(w, "terms_left_out", job->counted.terms_left_out);
    pd_writer_count(w, "antecedents_found", job->counted.antecedents);
    pd_writer_count(w, "classes_compared", job->matches.counts.classes);
    pd_writer_count(w, "candidates", job->matches.counts.candidates);
    pd_writer_count(w, "similar_classes", job->matches.counts.similar);
    pd_writer_count(w, "crowded_classes", job->matches.counts.crowded);
    pd_writer_count(w, "sets_too_large", job->gathered.too_large);
    write_times(job, w);
}

static double megabytes(uint64_t bytes) { return (double)bytes / 1e6; }

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

#define N(x) ((unsigned long long)(x))

/* What comparing sets took. */
static void summarise_join(const struct pd_job *job)
{
    const struct pd_join_counts *c = &job->matches.counts;
    if (job->options->method.feature == PD_FEATURE_SPOT)
        pd_log(PD_LOG_INFO, "  antecedents          %12llu", N(job->counted.antecedents));
    if (job->options->method.join == PD_JOIN_EQUAL)
        return;
    pd_log(PD_LOG_INFO, "  classes compared     %12llu  (%llu probes in %llu slices)",
           N(c->classes), N(c->probes), N(c->passes));
    if (job->gathered.too_large)
        pd_log(PD_LOG_WARN, "%llu units have more than %d signatures: compared for equality only",
               N(job->gathered.too_large), PD_SET_MOST);
    pd_log(PD_LOG_INFO, "  candidates           %12llu  (%llu compared to the end)",
           N(c->candidates), N(c->verified));
    pd_log(PD_LOG_INFO, "  similar classes      %12llu  pairs", N(c->similar));
    if (job->options->method.max_near)
        pd_log(PD_LOG_INFO, "  crowded classes      %12llu  set aside (similar to more than %lld)",
               N(c->crowded), (long long)job->options->method.max_near);
}

void pd_provenance_summary(const struct pd_job *job)
{
    const struct pd_totals *t = &job->collection.totals;
    const uint64_t peak = pd_peak_memory();
    uint64_t sums[4] = {job->written.passages, job->written.pairs, job->matches.common.n, peak},
             most = peak;
    uint64_t least = UINT64_MAX - peak;
    pd_comm_sum(job->comm, sums, 4);
    pd_comm_max(job->comm, &most, 1);
    pd_comm_max(job->comm, &least, 1);
    pd_log(PD_LOG_INFO, "%s", job->options->output);
    pd_log(PD_LOG_INFO, "  documents            %12llu  (%llu with sentences, %.1f MB)",
           N(t->documents), N(t->with_sentences), megabytes(t->bytes));
    pd_log(PD_LOG_INFO, "  sentences            %12llu  (%llu signed, %llu words)", N(t->sentences),
           N(job->gathered.signed_units), N(t->words));
    pd_log(PD_LOG_INFO, "  records skipped      %12llu  (%llu ignored, %llu repaired)",
           N(t->skipped), N(t->ignored), N(t->repaired));
    pd_log(PD_LOG_INFO, "  common classes aside %12llu  (in more than %lld documents)", N(sums[2]),
           (long long)job->options->method.max_df);
    summarise_join(job);
    pd_log(PD_LOG_INFO, "  sentence pairs       %12llu  (in %llu slices)", N(job->aligned.dots),
           N(job->aligned.nslices));
    pd_log(PD_LOG_INFO, "  passages             %12llu", N(sums[0]));
    if (job->options->method.skip_same_host)
        pd_log(PD_LOG_INFO, "  left out, same host  %12llu", N(job->written.left_out.same_host));
    if (job->options->method.theta_d > 0 || job->options->method.delta)
        pd_log(PD_LOG_INFO, "  pairs below          %12llu  (theta-d %g, delta %lld)",
               N(job->written.left_out.below), job->options->method.theta_d,
               (long long)job->options->method.delta);
    if (job->options->method.min_passage_words)
        pd_log(PD_LOG_INFO, "  left out, too short  %12llu", N(job->written.left_out.too_short));
    pd_log(PD_LOG_INFO, "  document pairs       %12llu", N(sums[1]));
    summarise_stages(job);
    pd_log(PD_LOG_INFO,
           "  peak memory a rank: %.0f / %.0f / %.0f MB (least / mean / most, %d ranks)",
           megabytes(UINT64_MAX - least), megabytes(sums[3]) / job->comm->size, megabytes(most),
           job->comm->size);
}
