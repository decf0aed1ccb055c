/*
 * run/similar/join.c - the join stage: finds the classes that are similar, for methods that compare
 * sets.
 */
#include <stdlib.h>

#include "joining.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"

enum {
    PASS_MEMORY = 2, /* records of a pass take at most this many times the memory of all ranks */
    PASSES_FREE = 8  /* up to this many passes cost little: sets are small beside their records */
};
static const uint64_t PASS_BYTES = 64 << 20; /* a rank's records that need no second pass */

enum {
    ENTRY_BYTES = 24, /* bytes of the entry of a counted signature */
    SHARED_BYTES = 16 /* bytes of probes that take as long as counting one shared signature */
};

enum { SORT_BY_INSERTION = 64 }; /* most keys that are sorted by insertion */

int pd_joining_owner(const struct joining *j, uint64_t number)
{
    const size_t nranks = (size_t)j->job->comm->size;
    return (int)pd_search_last(j->first, nranks, sizeof *j->first, 0, number);
}

int pd_joining_new_sets(const struct joining *j, struct pd_packed **sets)
{
    *sets = pd_packed_create(pd_scratch_path(&j->job->scratch, "sets"));
    if (!*sets)
        return PD_EIO;
    PD_TRY(pd_packed_forget(*sets));
    pd_packed_hold(*sets, pd_transport_budget(&j->job->transport, PD_BUDGET_SETS));
    return PD_OK;
}

uint32_t pd_joining_probes(const struct joining *j, const struct signed_set *set)
{
    const struct pd_options *o = j->job->options;
    if (o->method.join == PD_JOIN_LSH)
        return (uint32_t)o->method.tables;
    if (set->nset == 0)
        return 0;
    const uint32_t prefix = set->nset - pd_similarity_smallest(o->method.tau, set->nset) + 1;
    const uint32_t single = (uint32_t)set->nset - set->nkeys - set->nrest;
    return prefix > single ? prefix - single : 0;
}

void pd_set_walk_begin(struct set_walk *w, struct pd_packed *sets)
{
    pd_cursor_begin(&w->cursor, sets, 0, pd_packed_blocks(sets));
    w->set = NULL;
}

int pd_set_walk_next(struct set_walk *w)
{
    const unsigned char *rec;
    size_t left;
    if (w->set)
        w->cursor.at += signed_set_bytes(w->set);
    w->set = NULL;
    const int status = pd_cursor_look(&w->cursor, &rec, &left);
    if (status == PD_OK)
        w->set = (const struct signed_set *)(const void *)rec;
    return status;
}

uint64_t pd_joining_passes(const struct joining *j, uint64_t bytes)
{
    const uint64_t ranks = (uint64_t)j->job->comm->size;
    const uint64_t most = j->job->transport.memory * PASS_MEMORY * ranks;
    pd_comm_sum(j->job->comm, &bytes, 1);
    const uint64_t needed = bytes / (most ? most : 1) + 1;
    const uint64_t useful = pd_min_u64(bytes / (PASS_BYTES * ranks) + 1, PASSES_FREE);
    return pd_max_u64(needed, useful);
}

void pd_joining_sort_keys(pd_key *v, size_t n)
{
    if (n > SORT_BY_INSERTION) {
        pd_sort_records(v, n, 1, 1);
        return;
    }
    for (size_t k = 1; k < n; k++) {
        const pd_key key = v[k];
        size_t at = k;
        for (; at > 0 && v[at - 1] > key; at--)
            v[at] = v[at - 1];
        v[at] = key;
    }
}

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
    const bool all = !lsh && (j->job->options->method.tau == 0 || counted < sent);
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
    pd_shuffle_close(&j.crowds);
    pd_shuffle_close(&j.found);
    return pd_stages_end(&job->stages, status);
}
