/*
 * run/stage/align/matches.c - see matches.h
 *
 * Fans travel to the ranks that write the first documents, but none of whole documents: equal
 * documents have the matches of their units. The rest is as for passages (dealing.h), but the dots
 * of a pair become rows one by one, where passages never hold them.
 */
#include "matches.h"

#include "dealing.h"
#include "expand.h"
#include "pardup/base/error.h"
#include "pardup/passage/diagonal.h"
#include "pardup/result/rows.h"
#include "run/stage/table/table.h"

struct matching {
    struct pd_job *job;
    struct pd_expanding expanding;
    struct pd_dealing dealing;
    struct pd_diagonals diagonals;
    struct pd_match_row row; /* the documents at hand */
    int status;              /* of pushing rows */
};

/* The first document of a fan decides. */
static int owner_of_fan(const void *rec, int nranks, void *ctx)
{
    const struct matching *m = ctx;
    return pd_to_writer(&((const struct pd_fan *)rec)->a, nranks, m->job);
}

static bool has_units(const void *rec, void *ctx)
{
    const struct pd_fan *fan = rec;
    (void)ctx;
    return fan->kind == PD_FAN_EQUAL || fan->kind == PD_FAN_SIMILAR;
}

static const struct pd_flow fans_flow = {.name = "matches",
                                         .budget = PD_BUDGET_FANS,
                                         .key_at = 1,
                                         .keys = 1,
                                         .owner = owner_of_fan,
                                         .arrive = has_units};

/* Make rows of a dot line (pd_dot_line_taker). */
static void take_line(void *ctx, uint32_t i, const uint32_t *js, const double *similarities,
                      size_t n)
{
    struct matching *m = ctx;
    m->row.unit_a = i;
    for (size_t k = 0; k < n && m->status >= 0; k++) {
        m->row.unit_b = js[k];
        m->row.similarity = similarities ? similarities[k] : 1;
        m->status = pd_spool_push(&m->job->aligned.matches, &m->row);
    }
}

/* Make the rows of all pairs of this rank. */
static int make_rows(struct matching *m)
{
    struct pd_pair_dots pair;
    int status;
    while ((status = pd_dealing_next(&m->dealing, UINT64_MAX, &pair)) == PD_OK) {
        m->row.a = pair.a;
        m->row.b = pair.b;
        pd_diagonals_each(&m->diagonals, &pair, take_line, m);
        PD_TRY(m->status);
        PD_TRY(pd_comm_check_stop());
    }
    return status < 0 ? status : pd_spool_finish(&m->job->aligned.matches);
}

int pd_matches_find(struct pd_job *job)
{
    struct matching m = {.job = job};
    if (!job->options->matches)
        return PD_OK;
    pd_job_spool(job, &job->aligned.matches, sizeof m.row, PD_BUDGET_MATCHES, "match-rows");
    pd_dealing_begin(&m.dealing, job, 0);
    m.diagonals.stopping = pd_comm_stopping;
    pd_shuffle_open(&m.dealing.fans, &job->transport, &fans_flow, &m, &job->spare);
    pd_expanding_begin(&m.expanding, job, 0);
    int status = pd_shuffle_gather(&m.dealing.fans, pd_expanding_fill, &m.expanding);
    pd_expanding_release(&m.expanding);
    PD_THEN(status, pd_comm_agree(job->comm, make_rows(&m)));
    pd_diagonals_release(&m.diagonals);
    pd_dealing_release(&m.dealing);
    return status;
}
