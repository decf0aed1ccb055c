/*
 * run/stage/similar/join.c - the join stage: finds the classes that are similar, for methods that
 * compare sets.
 */
#include <stdlib.h>

#include "joining.h"
#include "pardup/base/error.h"

enum {
    ENTRY_BYTES = 24, /* bytes of the entry of a counted signature */
    SHARED_BYTES = 16 /* bytes of probes that take as long as counting one shared signature */
};

/* Flows of records that stay on this rank until partners.c sends them. */
static const struct pd_flow found_flow = {
    .name = "similar", .budget = PD_BUDGET_FOUND, .size = sizeof(struct pd_similar), .keys = 2};
static const struct pd_flow crowds_flow = {
    .name = "partners", .budget = PD_BUDGET_CROWDS, .size = sizeof(struct crowd), .keys = 1};

/*
 * COLLECTIVE. Choose which sets travel to meetings. Counting takes an entry for each signature of a
 * set and a step for each signature that two sets share. Travelling takes a probe for each
 * signature of the prefix, or a notice, if the sets are large; few sets follow their notices. Both
 * find the same pairs, so the cheaper way is taken.
 */
static void choose_way(struct joining *j)
{
    uint64_t sums[5] = {j->probe_bytes, j->nshared, j->nlarge, j->nprobes, j->nsigs};
    const bool lsh = j->job->options->method.join == PD_JOIN_LSH;
    pd_comm_sum(j->job->comm, sums, 5);
    const uint64_t noticed = sums[3] * sizeof(struct pd_notice);
    const uint64_t sent = sums[0] < noticed ? sums[0] : noticed;
    const uint64_t counted = sums[4] * ENTRY_BYTES + sums[1] * SHARED_BYTES;
    const bool asked = j->job->options->method.join == PD_JOIN_INDEX;
    const bool all = !lsh && (asked || j->job->options->method.tau == 0 || counted < sent);
    j->nlarge = sums[2];
    j->most_sent = all ? 0 : PD_SET_MOST;
}

static int join(struct joining *j)
{
    pd_shuffle_open(&j->found, &j->job->transport, &found_flow, NULL, NULL);
    pd_shuffle_open(&j->crowds, &j->job->transport, &crowds_flow, NULL, NULL);
    PD_TRY(pd_joining_represent(j));
    if (j->job->options->method.join != PD_JOIN_LSH)
        PD_TRY(pd_joining_order(j));
    choose_way(j);
    if (j->nlarge > 0 || j->most_sent == 0)
        PD_TRY(pd_joining_tally(j));
    if (j->most_sent > 0 && j->job->options->method.join != PD_JOIN_LSH)
        PD_TRY(pd_joining_sift(j));
    if (j->most_sent > 0)
        PD_TRY(pd_joining_probe(j));
    return pd_joining_expand(j);
}

int pd_job_join(struct pd_job *job)
{
    struct joining j = {.job = job};
    if (job->options->method.join == PD_JOIN_EQUAL)
        return PD_OK;
    pd_stages_begin(&job->stages, PD_STAGE_JOIN);
    const int status = join(&j);
    free(j.first);
    pd_packed_close(j.sets);
    PD_CLOSE(pd_shuffle, &j.crowds, &j.found);
    return pd_stages_end(&job->stages, status);
}
