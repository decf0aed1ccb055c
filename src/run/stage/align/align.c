/*
 * run/stage/align/align.c - the align stage: classes become fans of dots, fans become passages,
 * passages become rows.
 *
 * Fans travel to the holders of their first documents and are sorted by document, on disk if need
 * be. Then all ranks go through them in step, slice by slice of first documents. The rows of a
 * slice are finished before the next slice begins.
 */
#include <stdlib.h>
#include <string.h>

#include "dealing.h"
#include "expand.h"
#include "matches.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "refine.h"
#include "rows.h"
#include "run/stage/finding.h"
#include "run/stage/resume/checkpoint.h"
#include "slicing.h"
#include "visit.h"

/*
 * How many bytes of fans a slice has. Passages need several times the bytes of their fans, and
 * slices of more than SLICE_MOST are no faster. Where replies bring many words, slices are shorter:
 * it takes longer to touch memory for the first time than to open documents again. If volumes do
 * not stay in memory, each slice loads them all, so slices are larger then, but a job has at least
 * LOADING_LEAST of them, because each is a checkpoint.
 */
enum {
    SLICE_SHARE = 64,     /* volumes stay: a rank's fans take at most 1 / SLICE_SHARE of --memory */
    SLICE_MOST = 8 << 20, /* volumes stay: a rank's fans take at most this many bytes */
    WHOLE_MOST = 512 << 10, /* the same for whole documents, whose words travel with each match */
    LOADING_SHARE = 8, /* volumes are loaded: fans take at most 1 / LOADING_SHARE of --memory */
    LOADING_LEAST = 4, /* volumes are loaded: least slices of a job */
    SLICES_MOST = 512, /* most slices of a job, about; stronger than the limits above */
    SHORTEST = 8, /* volumes stay: the shortest slice has 1 / SHORTEST of the fans of the longest */
    REPLIES = 32 << 20 /* volumes stay: a rank's replies take about this many bytes at most */
};

struct aligning {
    struct pd_job *job;
    struct pd_holders holders;
    struct pd_expanding expanding;
    uint64_t *bins; /* for each bin of first documents, bytes of fans of all ranks */

    struct pd_dealing dealing; /* deals the fans to pairs */

    struct pd_finder finder;
    struct pd_refiner *refiner;  /* NULL: passages are not refined */
    struct pd_passages passages; /* passages of the pair at hand */
    size_t taken;                /* passages of `passages` that have been handed over */
    pd_doc to;                   /* the first document behind the slice */
    struct pd_visiting *visiting;

    /* For the progress, in bytes of fans of all ranks. */
    uint64_t slice; /* of the slice */
    uint64_t ended; /* of the slices that have ended */
    uint64_t all;   /* of all slices */
};

/*
 * A fan goes to the holder of its first document, so that passages are found where the text is.
 * Pieces are read by whichever rank is free, so each rank holds about the same share of any range
 * of documents. A rank that holds much more (fewer ranks have read the collection than go on with
 * it, or one file cannot be entered in the middle) has more to do, and spills more.
 */
static int owner_of_fan(const void *rec, int nranks, void *ctx)
{
    const struct aligning *s = ctx;
    (void)nranks;
    return pd_holders_rank(&s->holders, ((const struct pd_fan *)rec)->a);
}

/* Add a fan to its bin. */
static bool count_fan(const void *rec, void *ctx)
{
    struct aligning *s = ctx;
    const struct pd_fan *fan = rec;
    s->bins[pd_row_bin(s->job, fan->a)] += fan->size;
    return true;
}

static uint32_t partition_of_fan(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct aligning *s = ctx;
    return (uint32_t)((unsigned __int128)((const struct pd_fan *)rec)->a * npartitions /
                      s->job->collection.totals.documents);
}

static const struct pd_flow fans_flow = {.name = "fans",
                                         .budget = PD_BUDGET_FANS,
                                         .key_at = 1,
                                         .keys = 1,
                                         .owner = owner_of_fan,
                                         .partition = partition_of_fan,
                                         .arrive = count_fan};

/*
 * COLLECTIVE. Make the fans of all first documents numbered `from` or more, and send each fan to
 * the holder of its first document.
 */
static int gather_fans(struct aligning *s, pd_doc from)
{
    struct pd_job *job = s->job;
    s->bins = pd_zeroed(PD_ROW_BINS, sizeof *s->bins);
    pd_shuffle_open(&s->dealing.fans, &job->transport, &fans_flow, s, &job->spare);
    pd_progress_begin(&job->stages.progress, "fans");
    pd_expanding_begin(&s->expanding, job, from);
    const int status = pd_shuffle_send(&s->dealing.fans, pd_expanding_fill, &s->expanding);
    uint64_t dots = s->expanding.expansion.dots;
    pd_expanding_release(&s->expanding);
    PD_TRY(status);
    pd_comm_sum(job->comm, &dots, 1);
    if (from == 0) /* a resumed job knows all dots from its first try */
        job->aligned.dots = dots;
    pd_comm_sum(job->comm, s->bins, PD_ROW_BINS);
    for (size_t k = 0; k < PD_ROW_BINS; k++) {
        s->bins[k] += job->more_rows != NULL; /* no bin is passed over */
        s->all += s->bins[k];
    }
    job->aligned.fan_bytes = s->all;
    PD_TRY(pd_shuffle_sort(&s->dealing.fans));
    pd_progress_begin(&job->stages.progress, pd_stage_names[PD_STAGE_ALIGN]);
    return PD_OK;
}

/* Find the passages of the next pair of the slice. PD_END: the slice has no more pair. */
static int find_more(struct aligning *s)
{
    struct pd_dealing *d = &s->dealing;
    const uint64_t done = d->done;
    struct pd_pair_dots pair;
    PD_TRY(pd_comm_check_stop());
    const int status = pd_dealing_next(d, s->to, &pair);
    if (d->done != done) {
        const uint64_t found = pd_min_u64(done * (uint64_t)s->job->comm->size, s->slice);
        pd_stages_progress(&s->job->stages, s->ended + found / 2, s->all, 0,
                           0); /* visits are half */
    }
    if (status != PD_OK)
        return status;
    if (pd_find_in_pair(&s->finder, &pair, &s->job->options->method, &s->passages))
        s->job->aligned.left_out.below++;
    return pd_comm_check_stop(); /* the pair may be incomplete */
}

/* A source of passages (struct pd_passage_source): all passages of the slice. */
static int fill_passages(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct aligning *s = ctx;
    struct pd_passages *v = &s->passages;
    int status = PD_OK;
    for (*n = 0; status == PD_OK;) {
        const size_t room = (cap - *n) / sizeof *v->v, left = v->n - s->taken;
        const size_t take = left < room ? left : room;
        if (take)
            memcpy(to + *n, v->v + s->taken, take * sizeof *v->v);
        *n += take * sizeof *v->v;
        s->taken += take;
        if (s->taken < v->n)
            return PD_OK;
        s->taken = v->n = 0;
        status = find_more(s);
    }
    return status;
}

/* COLLECTIVE. Make the rows of the slice of bins [from, to), and keep them as a checkpoint. */
static int align_slice(struct aligning *s, size_t from, size_t to)
{
    struct pd_job *job = s->job;
    struct pd_gathering_rows rows;
    const struct pd_passage_source found = {fill_passages, s};
    struct pd_passage_source source = found;
    int status = PD_OK;
    pd_rows_begin(&rows, job, from, to, s->bins);
    s->to = pd_row_bin_start(job, to);
    if (s->refiner)
        status = pd_refiner_go(s->refiner, &found, &source);
    PD_THEN(status, pd_visiting_go(s->visiting, &source, &rows));
    if (status >= 0 && job->more_rows)
        status = job->more_rows(job->rows_ctx, &rows);
    PD_THEN(status, pd_rows_end(&rows));
    pd_rows_abandon(&rows);
    return status < 0 ? status : pd_checkpoint_save_slice(job);
}

/*
 * COLLECTIVE. Has some rank volumes that do not stay in memory, so that it loads them for each
 * slice?
 */
static bool loads_volumes(const struct pd_job *job)
{
    const struct pd_shelf *shelf = &job->collection.library.shelf;
    uint64_t n = 0;
    for (size_t k = 0; k < shelf->n; k++)
        n += !shelf->v[k].kept;
    pd_comm_max(job->comm, &n, 1);
    return n > 0;
}

/* COLLECTIVE. The bytes of fans of all ranks that a slice may have. `loading`: loads_volumes(). */
static uint64_t slice_bytes(const struct aligning *s, bool loading)
{
    const struct pd_job *job = s->job;
    const uint64_t cap = job->options->method.units == PD_UNIT_DOCUMENT ? WHOLE_MOST : SLICE_MOST;
    const uint64_t most = loading ? job->transport.memory / LOADING_SHARE
                                  : pd_min_u64(job->transport.memory / SLICE_SHARE, cap);
    uint64_t fits = most * (uint64_t)job->comm->size;
    if (loading && fits > s->all / LOADING_LEAST)
        fits = s->all / LOADING_LEAST;
    return fits > s->all / SLICES_MOST ? fits : s->all / SLICES_MOST;
}

/*
 * COLLECTIVE. Align slice by slice. The first one is short, since nobody knows yet how many bytes
 * of replies come for a byte of fans: many, where the words of passages differ.
 */
static int align_slices(struct aligning *s)
{
    const bool loading = loads_volumes(s->job);
    const uint64_t most = slice_bytes(s, loading), room = REPLIES * (uint64_t)s->job->comm->size;
    const uint64_t least = pd_max_u64(most / SHORTEST, s->all / SLICES_MOST);
    uint64_t fits = loading ? most : least;
    for (size_t begin = 0, end; begin < PD_ROW_BINS; begin = end) {
        const size_t left = PD_ROW_BINS - begin;
        uint64_t bytes, even = pd_slice_even(s->bins + begin, left, fits);
        end = begin + pd_slice_end(s->bins + begin, left, 0, even, &bytes);
        if (!bytes)
            continue;
        s->slice = bytes;
        s->dealing.done = 0;
        PD_TRY(align_slice(s, begin, end));
        s->ended += bytes;
        pd_stages_progress(&s->job->stages, s->ended, s->all, 0, 0);
        uint64_t replies = pd_visiting_replied(s->visiting);
        pd_comm_sum(s->job->comm, &replies, 1);
        if (!loading)
            fits = pd_slice_next(bytes, replies, room, least, most);
    }
    return PD_OK;
}

static int align(struct aligning *s)
{
    pd_doc from;
    pd_checkpoint_take_slices(s->job, &from);
    if (from < s->job->collection.totals.documents) {
        PD_TRY(gather_fans(s, from));
        PD_TRY(align_slices(s));
    }
    return PD_OK;
}

int pd_job_align(struct pd_job *job)
{
    struct aligning s = {.job = job};
    pd_dealing_begin(&s.dealing, job, (uint32_t)job->options->method.gamma);
    pd_finder_of(&s.finder, &job->options->method, pd_comm_stopping);
    pd_stages_begin(&job->stages, PD_STAGE_ALIGN);
    pd_holders_init(&s.holders, &job->collection);
    s.visiting = pd_visiting_new(job, &s.holders);
    if (job->options->method.refine != PD_REFINE_NONE)
        s.refiner = pd_refiner_new(job, &s.holders);
    int status = align(&s);
    free(s.bins);
    pd_dealing_release(&s.dealing);
    pd_finder_release(&s.finder);
    pd_refiner_free(s.refiner);
    pd_passages_release(&s.passages);
    pd_visiting_free(s.visiting);
    pd_holders_release(&s.holders);
    pd_spare_release(&job->spare);
    PD_THEN(status, pd_matches_find(job));
    return pd_stages_end(&job->stages, status);
}
