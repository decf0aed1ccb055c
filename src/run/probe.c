/*
 * run/probe.c - representatives travel to where they meet others, and are compared there.
 *
 * In slices of the meeting places, so that the probes in flight fit --memory.
 */
#include <string.h>

#include "joining.h"
#include "pardup/base/buckets.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"
#include "pardup/join/minhash.h"

enum { PROBE_SHARE = 8 /* probes may fill this part of --memory */ };

PD_VEC(probe_list, const struct pd_probe *);
PD_VEC(keys, pd_key);

/* A probe among those of its bucket. */
struct met {
    uint64_t place;
    const struct pd_probe *probe;
};
PD_VEC(mets, struct met);

struct probing {
    struct joining *j;
    uint64_t slice, nslices;
    size_t rep;               /* the representative at hand ... */
    bool signed_;             /* ... is signed already: */
    struct keys keys;         /* its set, ascending; those before `single` are its alone */
    size_t single, next, end; /* probes to make: prefix keys, or tables of LSH */
    uint64_t superimposed;
    struct pd_buckets *arrived;
    struct mets mets;
    struct probe_list list;
    struct pd_comparison comparison;
    uint64_t probes;
};

static bool is_lsh(const struct joining *j) { return j->job->options->join == PD_JOIN_LSH; }

/* Sets are short: insertion. */
static void sort_keys(pd_key *v, size_t n)
{
    if (n > 64) {
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

/* Sign the representative at hand and see which probes it makes. */
static int begin_probes(struct probing *s)
{
    struct joining *j = s->j;
    const struct pd_options *o = j->job->options;
    size_t n;
    PD_TRY(pd_joining_sign(j, s->rep, &n));
    const pd_sig *set = j->signing.signer.set.v;
    keys_reserve(&s->keys, n);
    s->keys.n = n;
    s->single = 0;
    for (size_t k = 0; k < n; k++) {
        const uint8_t code = is_lsh(j) ? 0 : pd_codes_find(&j->codes, set[k]);
        s->keys.v[k] = is_lsh(j) ? set[k] : pd_key_of(set[k], code);
        s->single += !is_lsh(j) && code == 0;
    }
    sort_keys(s->keys.v, n);
    if (is_lsh(j)) {
        s->superimposed = pd_superimposed(set, n, (unsigned)o->bits, (unsigned)o->word_bits);
        s->next = 0;
        s->end = (size_t)o->tables;
    } else {
        s->next = s->single;
        s->end = n - pd_similarity_smallest(o->tau, (uint32_t)n) + 1;
    }
    s->signed_ = true;
    return PD_OK;
}

static bool is_of_slice(const struct probing *s, uint64_t place)
{
    return pd_mix(place) / PD_BUCKETS % s->nslices == s->slice;
}

static uint64_t next_place(const struct probing *s)
{
    const struct pd_options *o = s->j->job->options;
    if (!is_lsh(s->j))
        return s->keys.v[s->next];
    if (o->sketch == PD_SKETCH_MINHASH)
        return pd_minhash_bucket(s->keys.v, s->keys.n, (uint32_t)s->next, (uint32_t)o->rows);
    return pd_sampling_bucket(&s->j->sampling, (unsigned)s->next, s->superimposed);
}

static void write_probe(struct probing *s, uint64_t place, unsigned char *to)
{
    const uint32_t nkeys = (uint32_t)(s->keys.n - s->single);
    struct pd_probe *p = (struct pd_probe *)(void *)to;
    *p = (struct pd_probe){.size = PD_PROBE_BYTES(nkeys),
                           .nset = (uint32_t)s->keys.n,
                           .place = place,
                           .number = s->j->reps.v[s->rep].number,
                           .superimposed = s->superimposed,
                           .table = (uint32_t)s->next,
                           .nkeys = nkeys};
    memcpy(p->keys, s->keys.v + s->single, nkeys * sizeof *p->keys);
    s->probes++;
}

static int fill_probes(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct probing *s = ctx;
    const size_t nreps = s->j->reps.n;
    *n = 0;
    for (; s->rep < nreps; s->rep++, s->signed_ = false) {
        if (!s->signed_)
            PD_TRY(begin_probes(s));
        for (; s->next < s->end; s->next++) {
            const uint64_t place = next_place(s);
            if (!is_of_slice(s, place))
                continue;
            if (*n + PD_PROBE_BYTES(s->keys.n - s->single) > cap)
                return PD_OK;
            write_probe(s, place, to + *n);
            *n += PD_PROBE_BYTES(s->keys.n - s->single);
        }
    }
    pd_stages_progress(&s->j->job->stages, s->slice * nreps + s->rep, s->nslices * nreps, 0, 0);
    return PD_END;
}

static int owner_of_place(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_part(pd_mix(((const struct pd_probe *)rec)->place), nranks);
}

static int take_probes(const void *recs, size_t bytes, void *ctx)
{
    struct probing *s = ctx;
    for (size_t at = 0; at < bytes;) {
        const struct pd_probe *p =
            (const struct pd_probe *)(const void *)((const unsigned char *)recs + at);
        pd_buckets_push(s->arrived, pd_mix(p->place) % PD_BUCKETS, p, p->size);
        at += p->size;
    }
    return PD_OK;
}

/* Compare those of one bucket that meet. */
static void compare_bucket(struct probing *s, const struct pd_bytes *bucket)
{
    s->mets.n = 0;
    for (size_t at = 0; at < bucket->n;) {
        const struct pd_probe *p = (const struct pd_probe *)(const void *)(bucket->v + at);
        mets_push(&s->mets, (struct met){p->place, p});
        at += p->size;
    }
    pd_sort_records(s->mets.v, s->mets.n, 2, 1);
    for (size_t begin = 0, end; begin < s->mets.n; begin = end) {
        s->list.n = 0;
        for (end = begin; end < s->mets.n && s->mets.v[end].place == s->mets.v[begin].place;)
            probe_list_push(&s->list, s->mets.v[end++].probe);
        pd_comparison_run(&s->comparison, s->list.v, s->list.n);
    }
}

static int probe_slices(struct probing *s)
{
    struct pd_detect *job = s->j->job;
    const struct pd_route route = {0, fill_probes, owner_of_place, take_probes, s};
    for (s->slice = 0; s->slice < s->nslices; s->slice++) {
        s->rep = 0;
        s->signed_ = false;
        PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
        int status = PD_OK;
        for (size_t b = 0; b < PD_BUCKETS && status >= 0; b++) {
            compare_bucket(s, &s->arrived->v[b]);
            pd_bytes_release(&s->arrived->v[b]);
            status = pd_joining_found(s->j);
            pd_stages_progress(&job->stages, s->slice * PD_BUCKETS + b, s->nslices * PD_BUCKETS, 0,
                               0);
        }
        PD_TRY(pd_comm_agree(job->comm, status));
    }
    return PD_OK;
}

/* Into how many slices all ranks' probes have to be cut. */
static uint64_t slices_needed(const struct joining *j)
{
    uint64_t bytes = j->probe_bytes;
    const uint64_t most = j->job->collection.memory / PROBE_SHARE * (uint64_t)j->job->comm->size;
    pd_comm_sum(j->job->comm, &bytes, 1);
    return bytes / (most ? most : 1) + 1;
}

int pd_joining_probe(struct joining *j)
{
    const struct pd_options *o = j->job->options;
    struct pd_join_counts *counts = &j->job->counts;
    struct probing s = {
        .j = j,
        .nslices = slices_needed(j),
        .arrived = pd_buckets_new(),
        .comparison = {.kind = o->join,
                       .tau = o->tau,
                       .masks = o->sketch == PD_SKETCH_BITS ? j->sampling.masks : NULL,
                       .rows = (uint32_t)o->rows,
                       .most = (uint64_t)o->max_near,
                       .found = &j->similar}};
    const int status = probe_slices(&s);
    uint64_t sums[3] = {s.probes, s.comparison.candidates, s.comparison.verified};
    pd_comm_sum(j->job->comm, sums, 3);
    counts->slices = s.nslices;
    counts->probes = sums[0];
    counts->candidates = sums[1];
    counts->verified = sums[2];
    pd_buckets_free(s.arrived);
    keys_release(&s.keys);
    mets_release(&s.mets);
    probe_list_release(&s.list);
    j->partners = s.comparison.partners;
    pd_comparison_release(&s.comparison);
    return status;
}
