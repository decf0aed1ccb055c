/* run/stage/similar/joining.c - see joining.h: what the files of the join stage share. */
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
