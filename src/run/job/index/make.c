/* run/job/index/make.c - see include/pardup/run/index.h */
#include "pardup/base/numbers.h"
#include "pardup/run/index.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/feature/signer.h"
#include "pardup/index/merge.h"
#include "pardup/run/option_table.h"
#include "run/stage/classes/background.h"
#include "run/stage/source_rows.h"
#include "sources.h"

enum { SEGMENTS_FEW = 4 }; /* segments that are never merged: a look-up asks each of them */
enum { LINE_ROOM = 4096 };

struct making {
    struct pd_job *job;
    struct pd_index_writer writer; /* rank 0 */
    struct pd_index index;         /* --add, --refresh: the index so far, on every rank */
    char **paths;                  /* --refresh: the files of its sources */
    size_t npaths;
    struct pd_segment_counts counts;
};

/* ---- the manifest ---- */

bool pd_index_keeps_option(const struct pd_option *option)
{
    static const char *const of_these_sources[] = {"limit-docs", "docs-from", "strict"};
    for (size_t k = 0; k < sizeof of_these_sources / sizeof *of_these_sources; k++)
        if (strcmp(option->name, of_these_sources[k]) == 0)
            return false;
    return pd_option_belongs(option, "index") && option->role == PD_OPTION_SHAPES;
}

/* Keep all options that say how sources are read, and how units are made and compared. */
static void keep_options(const struct pd_options *o, struct pd_bytes *to)
{
    struct pd_setting setting;
    to->n = 0;
    for (const struct pd_option *option = pd_option_table; option->name; option++) {
        if (!pd_index_keeps_option(option))
            continue;
        pd_option_setting(option, o, &setting);
        const bool unset = option->kind == PD_OPTION_FLAG ? !setting.count : !*setting.text;
        if (unset)
            continue;
        pd_bytes_append(to, option->name, strlen(option->name) + 1);
        pd_bytes_append(to, setting.text, strlen(setting.text) + 1);
    }
}

static void keep_directory(struct pd_bytes *to)
{
    char folder[PATH_MAX];
    const char *here = getcwd(folder, sizeof folder) ? folder : "";
    to->n = 0;
    pd_bytes_append(to, here, strlen(here) + 1);
}

/* ---- the steps ---- */

/* Does the job begin with an index that is there? */
static bool takes_up(const struct pd_options *o) { return o->check.add || o->check.refresh; }

static void add_path(void *ctx, const char *path, uint64_t bytes)
{
    struct making *m = ctx;
    (void)bytes;
    m->paths[m->npaths++] = pd_source_path((const char *)m->index.manifest.directory.v, path);
}

/* Make the files of the sources the inputs of the job. */
static int list_sources(struct making *m)
{
    struct pd_texts *inputs = &m->job->settled.operands;
    if (m->index.manifest.head.partial)
        return pd_fail(PD_EUSAGE, "--refresh: the index has only some documents of its files "
                                  "(--limit-docs, --docs-from); make the index again");
    m->paths = pd_realloc(NULL, pd_source_files(&m->index) + 1, sizeof *m->paths);
    const int status = pd_source_each_file(&m->index, add_path, m);
    *inputs = (struct pd_texts){(const char **)m->paths, m->npaths};
    return status;
}

/* COLLECTIVE. Lock the index, and look at what is there. */
static int begin(struct making *m, const struct pd_options *o)
{
    bool exists = false;
    int status = PD_OK;
    if (m->job->comm->rank == 0) {
        status = pd_index_begin(&m->writer, o->output, !takes_up(o), &exists);
        if (status >= 0 && takes_up(o) && !exists)
            status = pd_fail(PD_EFORMAT, "%s: no index to add to", o->output);
        if (status >= 0 && !o->check.add) /* the new index takes nothing from an old one */
            m->writer.manifest.parts.n = m->writer.manifest.head.documents = 0;
    }
    PD_TRY(pd_comm_agree(m->job->comm, status));
    if (!takes_up(o))
        return PD_OK;
    PD_TRY(pd_comm_agree(m->job->comm, pd_index_open(&m->index, o->output)));
    return o->check.refresh ? pd_comm_agree(m->job->comm, list_sources(m)) : PD_OK;
}

/* Are texts kept? An index keeps the texts of all its sources, or of none. */
static bool keeps_texts(const struct making *m)
{
    return m->index.nsegments ? m->index.segments[0].counts.with_text
                              : m->job->options->check.with_text;
}

/* COLLECTIVE. List the files of the sources. */
static int list_files(struct making *m)
{
    char why[LINE_ROOM];
    const int status = pd_collection_list_files(&m->job->collection);
    if (status >= 0 || !m->job->options->check.refresh)
        return status;
    snprintf(why, sizeof why, "%s", pd_error_text());
    pd_error_clear();
    return pd_fail(status,
                   "--refresh: %s; the index stays as it is: put the source back, or make a new "
                   "index of the others",
                   why);
}

/* COLLECTIVE. Read the sources. */
static int read_sources(struct making *m)
{
    struct pd_job *job = m->job;
    struct pd_collection *col = &job->collection;
    if (keeps_texts(m)) {
        col->texts = pd_packed_create(pd_scratch_path(&job->scratch, "texts"));
        PD_TRY(pd_comm_agree(job->comm, col->texts ? PD_OK : PD_EIO));
    }
    PD_TRY(list_files(m));
    pd_job_choose_words(job);
    PD_TRY(pd_collection_cut(col));
    PD_TRY(pd_collection_read(col, NULL, &job->stages));
    if (!col->texts)
        return PD_OK;
    return pd_comm_agree(job->comm, pd_packed_finish(col->texts));
}

/*
 * COLLECTIVE. Say which words count: by the sources or the table, or as the index has it. An index
 * made with a table has all that the table says, and is made anew without it.
 */
static int flag_words(struct making *m)
{
    struct pd_job *job = m->job;
    struct pd_index_head *head = &m->writer.manifest.head;
    const char *path = NULL;
    if (job->options->check.add ||
        (job->options->check.refresh && job->options->method.frequencies))
        return pd_comm_agree(job->comm, pd_job_freeze(job, &m->index));
    PD_TRY(pd_job_count(job));
    if (job->comm->rank == 0) {
        path = pd_index_new_file(&m->writer, PD_INDEX_WORDS, &head->words);
        head->default_flags = pd_word_flags(job, 1);
        head->frozen = job->collection.totals.documents;
    }
    return pd_write_words(job, path, &head->words_sum);
}

/*
 * The folder from which paths of the sources are meant: empty, if it is the folder that the
 * manifest names; else the folder where the job runs, which may be another one with --add.
 */
static void name_folder(const struct making *m, char folder[PATH_MAX])
{
    const char *directory = (const char *)m->index.manifest.directory.v;
    if (!m->job->options->check.add || !getcwd(folder, PATH_MAX) || strcmp(folder, directory) == 0)
        folder[0] = '\0';
}

/* COLLECTIVE. Write the segment. */
static int write_segment(struct making *m)
{
    struct pd_index_part part = {.number = 0};
    const char *path = NULL;
    char folder[PATH_MAX];
    name_folder(m, folder);
    if (m->job->comm->rank == 0)
        path = pd_index_new_file(&m->writer, PD_INDEX_SEGMENT, &part.number);
    pd_stages_begin(&m->job->stages, PD_STAGE_GATHER);
    PD_TRY(pd_stages_end(&m->job->stages,
                         pd_write_segment(m->job, path, folder, &m->counts, &part.checksum)));
    part.documents = m->counts.documents;
    m->writer.manifest.head.documents += part.documents;
    pd_index_parts_push(&m->writer.manifest.parts, part);
    return PD_OK;
}

/* The segments before the new one and the new one, opened. */
static int open_all(struct making *m, struct pd_segment *all, size_t n)
{
    pd_doc base = 0;
    for (size_t k = 0; k < n; k++) {
        const struct pd_index_part *part = &m->writer.manifest.parts.v[k];
        all[k].base = base;
        PD_TRY(pd_segment_open(&all[k], pd_index_path(&m->writer, PD_INDEX_SEGMENT, part->number)));
        base += part->documents;
    }
    return PD_OK;
}

/* Make one segment of the last `take` of n segments. */
static int merge_last(struct making *m, const struct pd_segment *all, size_t n, size_t take)
{
    const struct pd_method_options *o = &m->job->options->method;
    char scratch[PATH_MAX], tables[PATH_MAX];
    struct pd_sets_making sets;
    const struct pd_merging how = {.sets = pd_sets_how(m->job, &sets, scratch),
                                   .segments = all + (n - take),
                                   .n = take,
                                   .max_df = (uint64_t)o->max_df,
                                   .count_times = o->max_df_of == PD_DF_TIMES,
                                   .tables = pd_tables_how(m->job, tables),
                                   .keep_first = o->common == PD_COMMON_FIRST};
    struct pd_index_part part = {.number = 0};
    struct pd_segment_counts counts;
    const char *path = pd_index_new_file(&m->writer, PD_INDEX_SEGMENT, &part.number);
    PD_TRY(pd_segments_merge(&how, path, &counts, &part.checksum));
    part.documents = counts.documents;
    m->writer.manifest.parts.n -= take;
    pd_index_parts_push(&m->writer.manifest.parts, part);
    return PD_OK;
}

/* Rank 0: merge segments if there are many. */
static int merge(struct making *m)
{
    const struct pd_index_parts *parts = &m->writer.manifest.parts;
    const size_t n = parts->n;
    struct pd_segment *all = pd_zeroed(n, sizeof *all);
    uint64_t *documents = pd_realloc(NULL, n, sizeof *documents);
    for (size_t k = 0; k < n; k++)
        documents[k] = parts->v[k].documents;
    const size_t take = pd_segments_to_merge(documents, n);
    int status = PD_OK;
    if (take > 1 && n > SEGMENTS_FEW) {
        status = open_all(m, all, n);
        PD_THEN(status, merge_last(m, all, n, take));
    }
    for (size_t k = 0; k < n; k++)
        pd_segment_close(&all[k]);
    PD_FREE(all, documents);
    return status;
}

/* Rank 0: make the new files count. */
static int commit(struct making *m)
{
    struct pd_index_manifest *manifest = &m->writer.manifest;
    const struct pd_input_options *input = &m->job->options->input;
    const uint64_t partial = input->limit_docs || input->docs_from;
    manifest->head.partial = partial | (m->job->options->check.add ? manifest->head.partial : 0);
    if (!m->job->options->check.add) {
        keep_options(m->job->options, &manifest->options);
        keep_directory(&manifest->directory);
    }
    PD_TRY(merge(m));
    return pd_index_commit(&m->writer);
}

static int run_steps(struct making *m)
{
    struct pd_job *job = m->job;
    if (!takes_up(job->options))
        PD_TRY(pd_job_check_table(job));
    PD_TRY(read_sources(m));
    pd_job_choose_preset(job, 1);
    job->settled.preset = job->preset; /* later sources and targets are compared like these */
    PD_TRY(flag_words(m));
    PD_TRY(write_segment(m));
    return pd_comm_agree(job->comm, job->comm->rank == 0 ? commit(m) : PD_OK);
}

/*
 * Tell that few words say little about how rare a word is: below 2^PD_RARITY_MOST of them no word
 * has the greatest rarity.
 */
static void tell_rarity(const struct making *m)
{
    const struct pd_options *o = m->job->options;
    const uint64_t words = m->job->background.words;
    if (pd_features[o->method.feature].counts == PD_COUNTS_RARITY && !takes_up(o) &&
        !o->method.frequencies && words < (uint64_t)1 << PD_RARITY_MOST)
        pd_log(PD_LOG_INFO,
               "  %s words say little about how rare a word is: --frequencies of a larger "
               "background finds more edited copies",
               pd_grouped(words));
}

static void tell(const struct making *m)
{
    const struct pd_segment_counts *c = &m->counts;
    const struct pd_index_manifest *manifest = &m->writer.manifest;
    pd_log(PD_LOG_INFO, "%s", m->job->options->output);
    pd_log(PD_LOG_INFO, "  sources              %12s  (%s added, in %zu segment%s)",
           pd_grouped(manifest->head.documents), pd_grouped(c->documents), manifest->parts.n,
           manifest->parts.n == 1 ? "" : "s");
    pd_log(PD_LOG_INFO, "  sentences added      %12s  (%s of text)", pd_grouped(c->sentences),
           pd_size(c->text_bytes));
    pd_collection_tell_frame(&m->job->collection);
    const uint64_t max_df = (uint64_t)m->job->options->method.max_df;
    if (max_df)
        pd_log(PD_LOG_INFO, "  names added          %12s  (%s of them in over %s %s)",
               pd_grouped(c->entries), pd_grouped(c->common), pd_grouped(max_df),
               pd_max_df_of(&m->job->options->method));
    else
        pd_log(PD_LOG_INFO, "  names added          %12s", pd_grouped(c->entries));
    tell_rarity(m);
    if (m->job->options->verbose && m->job->comm->rank == 0)
        pd_index_tell_parts(m->job->options->output);
}

int pd_index_make(const struct pd_comm *c, const struct pd_options *o)
{
    struct pd_job job;
    struct making m = {.job = &job, .writer = {.lock = -1}};
    pd_job_init(&job, c, o);
    int status = begin(&m, job.options);
    PD_THEN(status, pd_scratch_open(&job.scratch, c, o));
    if (status >= 0) {
        pd_scratch_empty(&job.scratch);
        status = run_steps(&m);
    }
    if (status >= 0)
        tell(&m);
    pd_packed_close(job.collection.texts);
    pd_job_end(&job);
    pd_index_close(&m.index);
    pd_index_end(&m.writer);
    for (size_t k = 0; k < m.npaths; k++)
        free(m.paths[k]);
    free(m.paths);
    return status;
}
