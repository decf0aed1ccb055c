/*
 * run/job/estimate/estimate.c - see src/run/job/estimate/estimate.h
 *
 * A trial runs the whole job on excerpts of the collection. Each trial reads at least twice the
 * bytes of the trial before, until a trial is large enough. An excerpt is several consecutive
 * pieces, because similar documents often stand together, but farther apart than one piece is long.
 * Excerpts are evenly spread. Of a piece that is larger than a rank's share of the excerpts, only
 * the beginning is read.
 */
#include "estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "extrapolate.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/row.h"
#include "pardup/run/uncut.h"
#include "run/stage/job.h"
#include "run/stage/resume/checkpoint.h"

/* most excerpts of a trial: more make averages truer, fewer show more of what neighbours share */
enum { EXCERPTS = 16 };
static const uint64_t first_trial = 1 << 20; /* stored bytes of the first trial for each rank */

struct estimating {
    const struct pd_comm *comm;
    const struct pd_options *asked; /* the options of the job */
    struct pd_options options;      /* the options of a trial */

    /*
     * path of a trial's result: beside the result of the job, so that it is written to the same
     * disk
     */
    char *output;
    struct pd_scratch scratch;
    struct pd_collection all; /* files and pieces of the collection; no document of it is read */
    uint64_t memory;          /* bytes a rank may use */
    struct pd_terms wholes; /* numbers of the pieces; of a file in stripes, only the first stripe */
    struct pd_expected expected;
    struct pd_trial before, last;     /* the last trial but one, and the last trial */
    size_t npieces;                   /* pieces of the last trial */
    struct pd_start starts[EXCERPTS]; /* where the excerpts of the last trial begin */
    bool cut;      /* the last trial read some pieces from their beginning only */
    double listed; /* seconds until the pieces were known */
};

/* ---- a trial ---- */

static uint64_t piece_bytes(const struct pd_piece *p) { return p->to - p->from; }

/* Choose piece number e->wholes.v[k] with all stripes of its file. Returns its stored bytes. */
static uint64_t choose_piece(const struct estimating *e, size_t k, struct pd_pieces *chosen)
{
    const struct pd_pieces *all = &e->all.pieces;
    size_t at = e->wholes.v[k];
    do
        pd_pieces_push(chosen, all->v[at++]);
    while (at < all->n && all->v[at].stripe > 0);
    return piece_bytes(&all->v[e->wholes.v[k]]);
}

/* Where the k-th of `parts` equal parts of n things begins. */
static size_t begin_of(size_t n, size_t k, size_t parts) { return n * k / parts; }

/*
 * Choose about n pieces, in excerpts: one from the middle of each of several equal parts of the
 * collection. Returns the stored bytes of the pieces.
 */
static uint64_t choose_pieces(struct estimating *e, size_t n, struct pd_collection *col)
{
    struct pd_excerpts *excerpts = &col->excerpts;
    uint64_t bytes = 0;
    excerpts->n = pd_min_u64(n, EXCERPTS);
    excerpts->starts = e->starts;
    e->npieces = 0;
    for (size_t k = 0; k < excerpts->n; k++) {
        const size_t begin = begin_of(e->wholes.n, k, excerpts->n);
        const size_t there = begin_of(e->wholes.n, k + 1, excerpts->n) - begin;
        const size_t wanted = begin_of(n, k + 1, excerpts->n) - begin_of(n, k, excerpts->n);
        const size_t take = pd_min_u64(wanted, there);
        const size_t from = begin + (there - take) / 2;
        const struct pd_piece *first = &e->all.pieces.v[e->wholes.v[from]];
        e->starts[k] = (struct pd_start){first->file, first->from};
        for (size_t at = from; at < from + take; at++)
            bytes += choose_piece(e, at, &col->pieces);
        e->npieces += take;
    }
    return bytes;
}

/* COLLECTIVE. The sum over all ranks. */
static double sum_of(const struct pd_comm *c, uint64_t mine)
{
    pd_comm_sum(c, &mine, 1);
    return (double)mine;
}

/*
 * COLLECTIVE. Read the `chosen` stored bytes of pieces that `job` has, and fill in figures of the
 * trial.
 */
static int read_excerpts(struct estimating *e, struct pd_job *job, uint64_t chosen,
                         struct pd_trial *t)
{
    struct pd_collection *col = &job->collection;
    pd_job_choose_words(job);
    const int status = pd_collection_read(col, NULL, &job->stages);
    const double stored = (double)chosen - sum_of(e->comm, col->excerpts.unread);
    t->figure[PD_FIGURE_STORED] = stored;
    PD_TRY(status);
    pd_job_choose_preset(job, fmin(stored / e->expected.stored, 1));
    if (stored < e->expected.stored) {
        col->excerpts.share = stored / e->expected.stored;
        pd_scale_idf(&job->settled.method, (double)col->totals.with_sentences, col->excerpts.share);
    }
    t->figure[PD_FIGURE_DOCUMENTS] = (double)col->totals.documents;
    t->figure[PD_FIGURE_SENTENCES] = (double)col->totals.sentences;
    t->figure[PD_FIGURE_WORDS] = (double)col->totals.words;
    t->figure[PD_FIGURE_VOLUMES] = sum_of(e->comm, pd_scratch_bytes(&job->scratch));
    return PD_OK;
}

/* COLLECTIVE. Run the stages after read, and fill in the other figures of the trial. */
static int run_stages(struct estimating *e, struct pd_job *job, struct pd_trial *t)
{
    double *figure = t->figure, scratch;
    if (pd_job_set_sides(job) < 0) /* the excerpts lack one side: all documents are on both */
        pd_error_clear();
    PD_TRY(pd_job_count(job));
    PD_TRY(pd_job_gather(job));
    PD_TRY(pd_job_join(job));
    PD_TRY(pd_checkpoint_save_matches(job));
    figure[PD_FIGURE_UNITS] = (double)job->gathered.units[PD_WHY_MATCHED];
    figure[PD_FIGURE_COMPARED] =
        (double)(job->matches.counts.probes + job->matches.counts.candidates);
    figure[PD_FIGURE_SETS] = (double)job->matches.counts.set_bytes;
    scratch = sum_of(e->comm, pd_scratch_bytes(&job->scratch));
    figure[PD_FIGURE_CLASSES] = scratch - figure[PD_FIGURE_VOLUMES];
    PD_TRY(pd_job_align(job));
    figure[PD_FIGURE_FANS] = (double)job->aligned.fan_bytes;
    figure[PD_FIGURE_ROWS] = sum_of(e->comm, pd_scratch_bytes(&job->scratch)) - scratch;
    PD_TRY(pd_job_write(job));
    figure[PD_FIGURE_PASSAGES] = sum_of(e->comm, job->written.passages);
    figure[PD_FIGURE_PAIRS] = sum_of(e->comm, job->written.pairs);
    figure[PD_FIGURE_WRITTEN] =
        figure[PD_FIGURE_PASSAGES] * sizeof(struct pd_row) +
        figure[PD_FIGURE_DOCUMENTS] *
            (double)(sizeof(struct pd_docrec) + job->collection.id_width +
                     job->collection.url_width + job->collection.site_width);
    return PD_OK;
}

/* COLLECTIVE. Run the whole job on the pieces that `job` has. */
static int run_trial(struct estimating *e, struct pd_job *job, uint64_t chosen, struct pd_trial *t)
{
    pd_forget_peak_memory();
    /* memory of earlier trials that the allocator keeps and does not use again */
    double left = (double)pd_peak_memory();
    pd_comm_max_double(e->comm, &left, 1);
    left = fmax(left - e->expected.base, 0);
    int status = read_excerpts(e, job, chosen, t);
    PD_THEN(status, run_stages(e, job, t));
    memcpy(t->stage, job->stages.stage, sizeof t->stage);
    for (int k = 0; k < PD_STAGES; k++)
        t->stage[k].peak = (uint64_t)fmax((double)t->stage[k].peak - left, 0);
    return status;
}

/* COLLECTIVE. Run a trial that reads about `wanted` stored bytes. */
static int try_excerpts(struct estimating *e, uint64_t wanted, struct pd_trial *t)
{
    const double share = fmin((double)wanted / e->expected.stored, 1);
    const size_t least = e->wholes.n < (size_t)e->comm->size ? e->wholes.n : (size_t)e->comm->size;
    const size_t spread = (size_t)ceil((double)e->wholes.n * share);
    struct pd_job job;
    e->options = *e->asked;
    e->options.output = e->output;
    e->options.job.resume = false;
    e->options.input.limit_docs = 0;
    e->options.input.skip_unknown = true;
    e->options.job.progress = PD_PROGRESS_NONE;
    pd_job_init(&job, e->comm, &e->options);
    job.scratch = e->scratch;
    job.collection.files = e->all.files;
    if (share < 1)
        job.collection.excerpts.beginning = wanted / least;
    const uint64_t chosen = choose_pieces(e, pd_max_u64(spread, least), &job.collection);
    *t = (struct pd_trial){0};
    const int status = run_trial(e, &job, chosen, t);
    e->cut = t->figure[PD_FIGURE_STORED] < (double)chosen;
    job.collection.files = (struct pd_files){0};
    e->scratch = job.scratch;
    pd_job_release(&job);
    pd_scratch_empty(&e->scratch);
    if (e->comm->rank == 0)
        unlink(e->output);
    return status;
}

/*
 * COLLECTIVE. Run trials until one is large enough. All ranks see the same times (pd_stages_end),
 * so they stop after the same trial.
 */
static int try_all(struct estimating *e)
{
    const uint64_t all = (uint64_t)e->expected.stored;
    uint64_t wanted = first_trial * (uint64_t)e->comm->size;
    for (;; wanted *= 2) {
        struct pd_trial t;
        if (wanted > all / 2)
            wanted = all;
        const int status = try_excerpts(e, wanted, &t);
        if (status == PD_EFORMAT && t.figure[PD_FIGURE_DOCUMENTS] == 0 && wanted < all) {
            pd_error_clear(); /* the excerpts were too short to hold a document */
            continue;
        }
        PD_TRY(status);
        e->before = e->last;
        e->last = t;
        if (pd_trial_is_enough(&t, e->expected.stored) || wanted == all)
            return PD_OK;
    }
}

/* ---- the collection ---- */

/* COLLECTIVE. Fill in e->wholes, and what the caller sets in e->expected. */
static void look_at_pieces(struct estimating *e)
{
    const struct pd_pieces *all = &e->all.pieces;
    struct pd_expected *x = &e->expected;
    double longest = 0;
    for (size_t k = 0; k < all->n; k++) {
        const double bytes = (double)piece_bytes(&all->v[k]);
        longest = fmax(longest, bytes / fmax(all->v[k].nstripes, 1));
        if (all->v[k].stripe > 0)
            continue;
        pd_terms_push(&e->wholes, k);
        x->stored += bytes;
    }
    x->ranks = e->comm->size;
    x->memory = (double)e->memory;
    x->longest = x->stored > 0 ? longest / x->stored : 0;
    x->base = (double)pd_peak_memory();
    pd_comm_max_double(e->comm, &x->base, 1);
}

/* COLLECTIVE. List the files of the collection and cut them into pieces. */
static int list_collection(struct estimating *e)
{
    struct pd_job job;
    const double began = pd_clock();
    pd_forget_peak_memory();
    pd_job_init(&job, e->comm, e->asked);
    int status = pd_collection_list_files(&job.collection);
    PD_THEN(status, pd_collection_cut(&job.collection));
    e->all = job.collection;
    e->all.transport = NULL; /* `job` has it, and ends here */
    e->memory = job.transport.memory;
    e->listed = pd_clock() - began;
    if (status >= 0)
        look_at_pieces(e);
    return status;
}

static void name_output(struct estimating *e)
{
    e->output = pd_printed("%s.dry-run", e->asked->output ? e->asked->output : "pardup");
    e->options = *e->asked;
    e->options.output = e->output; /* scratch is named after it, not after the result of the job */
}

/* Print what the trials have read. */
static void print_basis(const struct estimating *e)
{
    const double share = e->last.figure[PD_FIGURE_STORED] / e->expected.stored;
    static const double mb = 1e6;
    if (share >= 1) {
        printf("based on the whole collection, %.1f MB as stored\n", e->expected.stored / mb);
        return;
    }
    printf("based on %.1f of %.1f MB as stored (%.1f %%): ", e->last.figure[PD_FIGURE_STORED] / mb,
           e->expected.stored / mb, 100 * share);
    if (e->cut && e->wholes.n == 1)
        printf("the beginning of one stream that cannot be entered in the middle\n");
    else
        printf("%zu of %zu pieces in %d excerpts, evenly spread%s\n", e->npieces, e->wholes.n,
               e->npieces < EXCERPTS ? (int)e->npieces : EXCERPTS,
               e->cut ? ", long ones from their beginning only" : "");
}

/* Say which files `dedup` could not write without parts of their records. */
static void print_uncut(const struct estimating *e)
{
    const struct pd_files *files = &e->all.files;
    size_t first = 0;
    const size_t n = pd_uncut_count(e->asked, files, e->all.target_files, &first);
    if (n)
        printf(
            "dedup: records cannot be cut in %zu of %zu files, such as %s: choose --as jsonl, or "
            "--remove documents\n",
            n, e->all.target_files, files->v[first].path);
}

static int estimate(struct estimating *e)
{
    PD_TRY(list_collection(e));
    PD_TRY(try_all(e));
    pd_expected_make(&e->expected, &e->before, &e->last, (double)e->asked->input.limit_docs);
    if (e->comm->rank == 0) {
        pd_expected_print(&e->expected, e->listed, e->asked->job.price);
        print_basis(e);
        print_uncut(e);
    }
    return PD_OK;
}

int pd_estimate(const struct pd_comm *c, const struct pd_options *options)
{
    struct estimating e = {.comm = c, .asked = options};
    name_output(&e);
    int status = pd_scratch_open(&e.scratch, c, &e.options);
    if (status >= 0) {
        status = pd_writer_check(c, e.output);
        PD_THEN(status, estimate(&e));
        pd_scratch_empty(&e.scratch);
        pd_scratch_close(&e.scratch);
    }
    pd_collection_release(&e.all);
    pd_terms_release(&e.wholes);
    free(e.output);
    return status;
}
