/*
 * run/job/index/segment.c - write a segment: see src/run/job/index/sources.h
 *
 * All ranks read, cut and sign their documents. Rank 0 receives documents and postings in order and
 * writes them one after the other, so the file does not depend on the ranks.
 */
#include <limits.h>
#include <stdio.h>

#include "pardup/base/error.h"
#include "pardup/index/sets.h"
#include "pardup/join/classes.h"
#include "run/stage/classes/brief.h"
#include "run/stage/classes/templates.h"
#include "sources.h"

struct segmenting {
    struct pd_job *job;
    struct pd_signing signing;
    uint64_t doc;            /* the next document of this rank */
    uint32_t unit;           /* its next unit */
    struct pd_asides asides; /* base units that are templates */
    uint64_t postings;       /* that this rank has sent */
    struct pd_shuffle names;
    struct pd_segment_writer *writer;
    struct pd_set_stream sets;   /* if the join compares sets */
    struct pd_u64s set;          /* of the class at hand */
    struct pd_collapse collapse; /* rank 0: makes the classes */
};

/* ---- names ---- */

static bool reports_copies(const struct segmenting *s)
{
    return s->job->options->method.copies == PD_COPIES_REPORT;
}

static bool compares_sets(const struct pd_job *job)
{
    return job->options->method.join != PD_JOIN_EQUAL;
}

/* The bits of names. A gram that is found falsely is seen only if it alone is a passage. */
static uint64_t name_bits(const struct pd_job *job)
{
    const struct pd_method_options *m = &job->options->method;
    return m->units == PD_UNIT_GRAM && m->gamma > 0 && !compares_sets(job) ? PD_SEGMENT_NAME_GRAM
                                                                           : PD_SEGMENT_NAME;
}

/* Give n postings of the document at hand the names that the segment has. Returns n. */
static size_t rename_postings(const struct segmenting *s, struct pd_posting *v, size_t n)
{
    const uint64_t bits = name_bits(s->job);
    for (size_t k = 0; k < n; k++)
        v[k] = pd_posting_of(pd_segment_name_of(v[k].sig, bits), 0, s->signing.number,
                             pd_posting_unit(&v[k]), pd_posting_flags(&v[k]));
    return n;
}

/*
 * Make the postings of unit s->unit. One that is not on the index side only counts for
 * --max-repeats. Returns how many.
 */
static size_t make_postings(struct segmenting *s, struct pd_posting *out)
{
    const struct pd_units_form *form = &s->job->form;
    if (!s->job->options->method.max_repeats && pd_units_sided(form) &&
        !pd_units_indexed(form, &s->signing.stored.sentences, s->unit))
        return 0;
    return rename_postings(s, out, pd_signing_postings(&s->signing, &s->asides, s->unit, out));
}

/* Write the postings of copies of the document at hand. Returns how many. */
static size_t make_copies(struct segmenting *s, struct pd_posting *out)
{
    size_t n = pd_signing_whole(&s->signing, &out[0]);
    n += pd_brief_sign(&s->signing, &s->asides.of_doc, pd_brief_by_units(&s->job->options->method),
                       &out[n]);
    return rename_postings(s, out, n);
}

static int fill_postings(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct segmenting *s = ctx;
    const uint64_t ndocs = s->job->collection.ndocs;
    struct pd_posting *out = (struct pd_posting *)(void *)to;
    const size_t room = cap / sizeof *out - PD_POSTINGS_MOST;
    size_t k = 0;
    for (; s->doc < ndocs && k < room; s->doc++, s->unit = 0) {
        if (s->unit == 0) {
            PD_TRY(pd_signing_load(&s->signing, s->doc));
            PD_TRY(pd_asides_load(&s->asides, s->signing.number, &s->signing.stored,
                                  s->signing.signer.terms));
        }
        for (; s->unit < s->signing.units->n && k < room; s->unit++)
            k += make_postings(s, &out[k]);
        if (s->unit < s->signing.units->n || (k >= room && reports_copies(s)))
            break; /* the buffer is full in the middle of a document */
        if (reports_copies(s) && !s->asides.is_stub)
            k += make_copies(s, &out[k]);
    }
    s->postings += k;
    *n = k * sizeof *out;
    pd_stages_progress(&s->job->stages, s->doc, ndocs, 0, 0);
    return s->doc == ndocs ? PD_END : PD_OK;
}

static const struct pd_flow names_flow = {.name = "names",
                                          .budget = PD_BUDGET_POSTINGS,
                                          .size = sizeof(struct pd_posting),
                                          .keys = PD_POSTING_U64S,
                                          .goes = PD_TO_FIRST,
                                          .spread = true};

/* ---- names that were set aside ---- */

static const struct pd_flow asides_flow = {.name = "asides",
                                           .budget = PD_BUDGET_IDS,
                                           .size = sizeof(uint64_t),
                                           .keys = 1,
                                           .goes = PD_TO_FIRST};

static int write_asides(struct segmenting *s, struct pd_shuffle *asides)
{
    const void *rec;
    int status = PD_OK;
    while (status >= 0 && (status = pd_shuffle_next(asides, &rec)) == PD_OK)
        status = pd_segment_add_aside(s->writer, *(const uint64_t *)rec);
    return status < 0 ? status : PD_OK;
}

/* COLLECTIVE. Find what is set aside. Rank 0 writes the names, by which targets are judged later. */
static int find_asides(struct segmenting *s)
{
    struct pd_shuffle asides = {0};
    if (s->job->options->method.templates != PD_TEMPLATES_ASIDE)
        return PD_OK;
    s->asides.keeps_names = true;
    PD_TRY(pd_asides_find(s->job, &s->asides));
    const struct pd_u64s *names = &s->asides.names;
    struct pd_source source = {names->v, names->n, sizeof *names->v, 0};
    pd_shuffle_open(&asides, &s->job->transport, &asides_flow, s, NULL);
    int status = pd_shuffle_gather(&asides, pd_fill_from, &source);
    PD_THEN(status, pd_comm_agree(s->job->comm,
                                  s->job->comm->rank == 0 ? write_asides(s, &asides) : PD_OK));
    pd_shuffle_close(&asides);
    return status;
}

/* ---- classes ---- */

/* Write a class. A common one keeps its occurrences in its first document, unless it is set aside. */
static int keep_class(void *ctx, const struct pd_class *class)
{
    struct segmenting *s = ctx;
    const bool common = pd_collapse_is_common(&s->collapse);
    const bool aside = common && s->job->options->method.common == PD_COMMON_ASIDE;
    for (uint64_t k = 0; k < class->n && !aside; k++) {
        const struct pd_occurrence *at = &class->at[k];
        const bool whole = at->flags & PD_WHOLE && !(at->flags & PD_BRIEF);
        if (common && at->doc != class->at[0].doc)
            break;
        PD_TRY(pd_segment_add_name(s->writer, class->sig, at->doc,
                                   whole ? PD_SEGMENT_WHOLE : at->unit));
    }
    if (common)
        return pd_segment_add_common(s->writer, class->sig, pd_collapse_count(&s->collapse));
    if (class->n == 0 || !compares_sets(s->job) || class->flags & PD_WHOLE)
        return PD_OK;
    PD_TRY(pd_set_stream_take(&s->sets, class->sig, &s->set));
    return pd_segment_add_set(s->writer, s->collapse.df, s->set.v, s->set.n);
}

static int write_names(struct segmenting *s, uint64_t most)
{
    const struct pd_method_options *o = &s->job->options->method;
    const unsigned char *recs;
    size_t n;
    uint64_t done = 0;
    int status = pd_segment_names(s->writer, most);
    s->collapse = (struct pd_collapse){.max_df = (uint64_t)o->max_df,
                                       .count_times = o->max_df_of == PD_DF_TIMES,
                                       .max_repeats = (uint64_t)o->max_repeats,
                                       .first_repeats = o->repeats == PD_REPEATS_FIRST,
                                       .for_index = true,
                                       .keep = keep_class,
                                       .ctx = s};
    while (status >= 0 && (status = pd_sorter_next(s->names.sorter, &recs, &n)) == PD_OK) {
        n /= sizeof(struct pd_posting);
        status =
            pd_collapse_postings(&s->collapse, (const struct pd_posting *)(const void *)recs, n);
        pd_stages_progress(&s->job->stages, done += n, most, 0, 0);
    }
    return status < 0 ? status : pd_collapse_end(&s->collapse);
}

/* COLLECTIVE. Rank 0 writes the table of names. */
static int send_names(struct segmenting *s)
{
    const struct pd_comm *c = s->job->comm;
    pd_progress_begin(&s->job->stages.progress, "names");
    pd_shuffle_open(&s->names, &s->job->transport, &names_flow, s, NULL);
    PD_TRY(pd_shuffle_gather(&s->names, fill_postings, s));
    if (compares_sets(s->job))
        PD_TRY(pd_set_stream_send(&s->sets));
    uint64_t all = s->postings;
    pd_comm_sum(c, &all, 1);
    pd_progress_begin(&s->job->stages.progress, "classes");
    return pd_comm_agree(c, c->rank == 0 ? write_names(s, all) : PD_OK);
}

/* ---- the segment ---- */

const struct pd_sets_making *pd_sets_how(struct pd_job *job, struct pd_sets_making *how,
                                         char *scratch)
{
    if (!compares_sets(job))
        return NULL;
    snprintf(scratch, PATH_MAX, "%s", pd_scratch_path(&job->scratch, "keys"));
    *how = (struct pd_sets_making){.tau = job->options->method.tau,
                                   .smallest = pd_similarity_smallest,
                                   .memory =
                                       pd_transport_budget(&job->transport, PD_BUDGET_INDEX_KEYS),
                                   .sct = (uint64_t)job->options->method.sct,
                                   .scratch = scratch};
    return how;
}

struct pd_segment_making pd_tables_how(struct pd_job *job, char *scratch)
{
    snprintf(scratch, PATH_MAX, "%s", pd_scratch_path(&job->scratch, "tables"));
    return (struct pd_segment_making){pd_transport_budget(&job->transport, PD_BUDGET_INDEX_TABLES),
                                      scratch, pd_comm_check_stop, name_bits(job)};
}

int pd_write_segment(struct pd_job *job, const char *path, const char *folder,
                     struct pd_segment_counts *counts, uint64_t *checksum)
{
    struct segmenting s = {.job = job};
    int status = PD_OK;
    char scratch[PATH_MAX], tables[PATH_MAX];
    struct pd_sets_making how;
    pd_signing_init(&s.signing, job);
    s.sets.signing = &s.signing;
    if (job->comm->rank == 0) {
        const struct pd_segment_making tables_how = pd_tables_how(job, tables);
        s.writer = pd_segment_create(path, job->collection.texts != NULL, &tables_how);
        status = s.writer ? PD_OK : PD_EIO;
        if (s.writer && pd_sets_how(job, &how, scratch))
            pd_segment_keep_sets(s.writer, &how);
    }
    status = pd_comm_agree(job->comm, status);
    PD_THEN(status, find_asides(&s));
    PD_THEN(status, pd_send_documents(job, folder, &s.signing, &s.asides, s.writer));
    PD_THEN(status, send_names(&s));
    if (status >= 0 && s.writer) {
        status = pd_segment_finish(s.writer, counts, checksum);
        s.writer = NULL;
    }
    status = pd_comm_agree(job->comm, status);
    pd_segment_abandon(s.writer);
    pd_asides_close(&s.asides);
    pd_shuffle_close(&s.names);
    pd_signing_release(&s.signing);
    pd_collapse_release(&s.collapse);
    pd_u64s_release(&s.set);
    pd_set_stream_close(&s.sets);
    return status;
}
