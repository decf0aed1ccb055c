/*
 * run/stage/similar/probe.c - sets travel to their meetings and are compared there.
 *
 * Meetings are visited in several passes, so that the probes of one pass take at most a few times
 * --memory on disk. Probes spill by design: with passes that fit in memory, the sets would be read
 * ten times as often.
 */
#include <string.h>

#include "joining.h"
#include "pardup/base/error.h"
#include "pardup/join/minhash.h"
#include "pardup/store/sorter.h"

enum { SHOW_EVERY = 1 << 20 }; /* bytes of probes after which progress is shown again */

PD_VEC(probe_list, const struct pd_probe *);

struct probing {
    struct joining *j;
    uint64_t pass, npasses;
    struct set_walk walk;      /* the sets of this rank */
    uint32_t next, end;        /* probes [next, end) of walk.set are still to be written */
    struct pd_shuffle arrived; /* struct pd_probe, at the owners of their meetings */
    struct pd_spare spare;     /* memory that a pass hands on to the next */
    struct pd_bytes met;       /* all probes of one meeting */
    struct probe_list list;    /* the probes in `met` */
    struct pd_comparison comparison;
    uint64_t probes; /* probes that this rank has written */
};

static bool is_lsh(const struct joining *j) { return j->job->options->method.join == PD_JOIN_LSH; }

/* The number of meetings that a set goes to: where it is wanted; unsifted, one for each probe. */
static uint32_t meetings_of(const struct joining *j, const struct signed_set *set)
{
    if (!pd_joining_travels(j, set))
        return 0;
    return j->sifted ? set->nrest : pd_joining_probes(j, set);
}

/* The meeting of probe s->next of walk.set. */
static uint64_t next_meeting(const struct probing *s)
{
    const struct pd_options *o = s->j->job->options;
    const struct signed_set *set = s->walk.set;
    if (!is_lsh(s->j))
        return set->keys[s->next + (s->j->sifted ? set->nkeys : 0u)];
    if (o->method.sketch == PD_SKETCH_MINHASH)
        return pd_minhash_bucket(set->keys, set->nkeys, s->next, (uint32_t)o->method.rows);
    return pd_bit_sampling_bucket(&s->j->sampling, s->next, set->superimposed);
}

static void write_probe(struct probing *s, uint64_t meeting, unsigned char *to)
{
    const struct signed_set *set = s->walk.set;
    struct pd_probe *p = (struct pd_probe *)(void *)to;
    *p = (struct pd_probe){.size = PD_PROBE_BYTES(set->nkeys),
                           .nset = set->nset,
                           .meeting = meeting,
                           .number = set->number,
                           .superimposed = set->superimposed,
                           .table = s->next,
                           .nkeys = set->nkeys};
    memcpy(p->keys, set->keys, set->nkeys * sizeof *p->keys);
    s->probes++;
}

static int fill_probes(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct probing *s = ctx;
    const struct pd_cursor *at = &s->walk.cursor;
    int status = PD_OK;
    *n = 0;
    while (status == PD_OK) {
        for (; s->walk.set && s->next < s->end; s->next++) {
            const uint64_t meeting = next_meeting(s);
            if (!pd_joining_is_of_pass(meeting, s->pass, s->npasses))
                continue;
            if (*n + PD_PROBE_BYTES(s->walk.set->nkeys) > cap)
                return PD_OK;
            write_probe(s, meeting, to + *n);
            *n += PD_PROBE_BYTES(s->walk.set->nkeys);
        }
        status = pd_set_walk_next(&s->walk);
        s->next = 0;
        s->end = s->walk.set ? meetings_of(s->j, s->walk.set) : 0;
    }
    pd_stages_progress(&s->j->job->stages, s->pass * at->end + at->next, s->npasses * at->end, 0,
                       0);
    return status;
}

static int keep_similar(void *ctx, const struct pd_similar *v, size_t n)
{
    return pd_shuffle_push(&((struct joining *)ctx)->found, v, n * sizeof *v);
}

/*
 * Move the counts of partners from the table to s->j->crowds, if the table has grown to its budget,
 * or in any case if `all` is true.
 */
static int put_counts_away(struct probing *s, bool all)
{
    struct pd_hash_table *t = &s->comparison.partners;
    if (!all &&
        PD_HASH_TABLE_BYTES(t->n) < pd_transport_budget(&s->j->job->transport, PD_BUDGET_TALLY))
        return PD_OK;
    for (size_t k = 0; k < t->nslots; k++) {
        const struct crowd crowd = {t->slots[k].key, t->slots[k].value};
        if (crowd.n)
            PD_TRY(pd_shuffle_push(&s->j->crowds, &crowd, sizeof crowd));
    }
    pd_hash_table_release(t);
    return PD_OK;
}

/* Compare the sets of the meeting in s->met. */
static int compare_met(struct probing *s)
{
    s->list.n = 0;
    for (size_t at = 0; at < s->met.n; at += s->list.v[s->list.n - 1]->size)
        probe_list_push(&s->list, (const struct pd_probe *)(const void *)(s->met.v + at));
    PD_TRY(pd_comparison_find(&s->comparison, s->list.v, s->list.n));
    return put_counts_away(s, false);
}

/* Compare the sets of all meetings of one pass that this rank owns. */
static int compare_arrived(struct probing *s)
{
    const uint64_t all = pd_sorter_bytes(s->arrived.sorter);
    uint64_t done = 0, shown = 0;
    int status;
    PD_TRY(pd_shuffle_sort_own(&s->arrived));
    while ((status = pd_shuffle_group(&s->arrived, s->arrived.flow.keys, &s->met)) == PD_OK) {
        done += s->met.n;
        if (done - shown > SHOW_EVERY) {
            pd_stages_progress(&s->j->job->stages, s->pass * all + done, s->npasses * all, 0, 0);
            shown = done;
        }
        PD_TRY(compare_met(s));
    }
    return status < 0 ? status : PD_OK;
}

static const struct pd_flow probes_flow = {.name = "probes",
                                           .budget = PD_BUDGET_PROBES,
                                           .key_at = offsetof(struct pd_probe, meeting) /
                                                     sizeof(uint64_t),
                                           .keys = 1,
                                           .goes = PD_BY_MIX,
                                           .spread = true};

/* COLLECTIVE. Send the sets to their meetings and compare them, pass by pass. */
static int probe_passes(struct probing *s)
{
    struct pd_job *job = s->j->job;
    for (s->pass = 0; s->pass < s->npasses; s->pass++) {
        pd_set_walk_begin(&s->walk, s->j->sets);
        pd_shuffle_open(&s->arrived, &job->transport, &probes_flow, s, &s->spare);
        PD_TRY(pd_shuffle_send(&s->arrived, fill_probes, s));
        PD_TRY(pd_comm_agree(job->comm, compare_arrived(s)));
        pd_shuffle_close(&s->arrived);
    }
    int status = pd_comparison_end(&s->comparison);
    PD_THEN(status, put_counts_away(s, true));
    return pd_comm_agree(job->comm, status);
}

int pd_joining_probe(struct joining *j)
{
    const struct pd_options *o = j->job->options;
    struct pd_join_counts *counts = &j->job->matches.counts;
    struct probing s = {
        .j = j,
        .npasses = pd_joining_passes(j, j->probe_bytes),
        .comparison = {.kind = o->method.join,
                       .tau = o->method.tau,
                       .masks = o->method.sketch == PD_SKETCH_BITS ? j->sampling.masks : NULL,
                       .rows = (uint32_t)o->method.rows,
                       .sifted = j->sifted,
                       .max_partners = (uint64_t)o->method.max_near,
                       .candidates = j->sift_candidates,
                       .keep = keep_similar,
                       .ctx = j}};
    if (is_lsh(j))
        pd_bit_sampling_make(&j->sampling, (unsigned)o->method.bits, (unsigned)o->method.diffbit,
                             (unsigned)o->method.tables);
    const int status = probe_passes(&s);
    uint64_t sums[3] = {j->sifted ? counts->probes : s.probes, s.comparison.candidates,
                        s.comparison.verified};
    pd_comm_sum(j->job->comm, sums, 3);
    counts->passes = s.npasses;
    counts->probes = sums[0];
    counts->candidates += sums[1];
    counts->verified += sums[2];
    pd_shuffle_close(&s.arrived);
    pd_spare_release(&s.spare);
    pd_cursor_release(&s.walk.cursor);
    pd_bytes_release(&s.met);
    probe_list_release(&s.list);
    pd_comparison_release(&s.comparison);
    pd_packed_close(j->sets);
    j->sets = NULL;
    return status;
}
