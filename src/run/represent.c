/*
 * run/represent.c - one unit stands for each class; how frequent are the signatures of those units?
 */
#include <string.h>

#include "joining.h"
#include "pardup/base/buckets.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"
#include "pardup/join/tally.h"
#include "pardup/store/cursor.h"

/* Classes on their way from their owners to the holders of the text. */
struct sending {
    struct joining *j;
    struct pd_cursor classes;
    uint64_t base; /* number of this rank's first class */
};

static int fill_classes(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct sending *s = ctx;
    struct representative *out = (struct representative *)(void *)to;
    const size_t most = cap / sizeof *out;
    size_t k = 0;
    int status = PD_OK;
    while (k < most && status == PD_OK) {
        const unsigned char *rec;
        size_t left;
        status = pd_cursor_look(&s->classes, &rec, &left);
        if (status != PD_OK)
            break;
        const struct pd_class *c = (const struct pd_class *)(const void *)rec;
        if (c->nsigs <= PD_SET_MOST)
            out[k++] = (struct representative){c->at[0].doc, c->at[0].unit, s->base + c->number};
        s->classes.at += pd_class_bytes(c);
    }
    *n = k * sizeof *out;
    return status;
}

static int owner_of_text(const void *rec, int nranks, void *ctx)
{
    const struct sending *s = ctx;
    (void)nranks;
    return pd_collection_holder(&s->j->job->collection, ((const struct representative *)rec)->doc);
}

static int take_classes(const void *recs, size_t bytes, void *ctx)
{
    struct representatives *reps = &((struct sending *)ctx)->j->reps;
    representatives_append(reps, recs, bytes / sizeof *reps->v);
    return PD_OK;
}

int pd_joining_represent(struct joining *j)
{
    const struct pd_comm *c = j->job->comm;
    const uint64_t mine = j->job->nclasses;
    struct pd_packed *classes = j->job->joined.v[0].classes;
    struct pd_bytes all = {0};
    pd_comm_gather(c, &mine, sizeof mine, &all);
    j->first = pd_realloc(NULL, (size_t)c->size + 1, sizeof *j->first);
    j->first[0] = 0;
    for (int r = 0; r < c->size; r++)
        j->first[r + 1] = j->first[r] + ((const uint64_t *)(const void *)all.v)[r];
    pd_bytes_release(&all);
    j->job->counts.classes = j->first[c->size];
    struct sending s = {.j = j, .base = j->first[c->rank]};
    pd_cursor_begin(&s.classes, classes, 0, pd_packed_blocks(classes));
    const struct pd_route route = {sizeof(struct representative), fill_classes, owner_of_text,
                                   take_classes, &s};
    const int status = pd_exchange(c, &route, &j->job->stages.moved);
    pd_cursor_release(&s.classes);
    pd_sort_records(j->reps.v, j->reps.n, 3, 2);
    return status;
}

/* ---- frequencies ---- */

/* How many representatives of a rank have a signature; the answer has its code for n. */
struct frequency {
    pd_sig sig;
    uint32_t rank, n;
};
PD_VEC(frequencies, struct frequency);

struct ordering {
    struct pd_source source; /* of the answers */
    struct joining *j;
    struct pd_buckets *sigs;     /* of this rank's representatives, by their high bits */
    size_t bucket;               /* next to be counted ... */
    struct frequencies outgoing; /* ... and sent */
    struct pd_buckets *counts;   /* arrived, by the bits below those that name the rank */
    struct frequencies answers;
    struct pd_tally tally;
};

static int list_signatures(struct ordering *s)
{
    struct joining *j = s->j;
    const struct pd_sigs *set = &j->signing.signer.set;
    const double tau = j->job->options->tau;
    for (size_t k = 0; k < j->reps.n; k++) {
        size_t n;
        PD_TRY(pd_joining_sign(j, k, &n));
        for (size_t i = 0; i < n; i++)
            pd_buckets_push(s->sigs, (uint32_t)pd_part(set->v[i], PD_BUCKETS), &set->v[i],
                            sizeof *set->v);
        j->probe_bytes += (n - pd_similarity_smallest(tau, (uint32_t)n) + 1) * PD_PROBE_BYTES(n);
    }
    return PD_OK;
}

/* The signatures of one bucket, each once, behind those still to be sent. */
static void count_bucket(struct ordering *s, struct pd_bytes *bucket)
{
    const pd_sig *v = (const pd_sig *)(const void *)bucket->v;
    const size_t n = bucket->n / sizeof *v;
    const uint32_t rank = (uint32_t)s->j->job->comm->rank;
    pd_tally_reset(&s->tally, n);
    for (size_t k = 0; k < n; k++)
        pd_tally_add(&s->tally, v[k], 1);
    for (size_t k = 0; k < s->tally.nslots; k++)
        if (s->tally.slots[k].n)
            frequencies_push(&s->outgoing, (struct frequency){s->tally.slots[k].sig, rank,
                                                              (uint32_t)s->tally.slots[k].n});
    pd_bytes_release(bucket);
}

static int fill_frequencies(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct ordering *s = ctx;
    const size_t most = cap / sizeof *s->outgoing.v;
    while (s->outgoing.n < most && s->bucket < PD_BUCKETS)
        count_bucket(s, &s->sigs->v[s->bucket++]);
    const size_t taken = s->outgoing.n < most ? s->outgoing.n : most;
    s->outgoing.n -= taken; /* from the end: their order does not matter */
    *n = taken * sizeof *s->outgoing.v;
    if (taken)
        memcpy(to, s->outgoing.v + s->outgoing.n, *n);
    return s->bucket == PD_BUCKETS && s->outgoing.n == 0 ? PD_END : PD_OK;
}

static int owner_of_signature(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_part(((const struct frequency *)rec)->sig, nranks);
}

static int owner_of_answer(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    (void)nranks;
    return (int)((const struct frequency *)rec)->rank;
}

static int take_frequencies(const void *recs, size_t bytes, void *ctx)
{
    struct ordering *s = ctx;
    const struct frequency *v = recs;
    const uint64_t nranks = (uint64_t)s->j->job->comm->size;
    for (size_t k = 0; k < bytes / sizeof *v; k++)
        pd_buckets_push(s->counts, (uint32_t)pd_part(v[k].sig * nranks, PD_BUCKETS), &v[k],
                        sizeof *v);
    return PD_OK;
}

static int take_codes(const void *recs, size_t bytes, void *ctx)
{
    struct pd_codes *codes = &((struct ordering *)ctx)->j->codes;
    const struct frequency *v = recs;
    const size_t n = bytes / sizeof *v;
    pd_codes_reserve(codes, codes->n + n);
    for (size_t k = 0; k < n; k++)
        pd_codes_add(codes, v[k].sig, (uint8_t)v[k].n);
    return PD_OK;
}

/* Sum the ranks' counts up; answer about the signatures that more than one representative has. */
static void judge(struct ordering *s)
{
    for (size_t b = 0; b < PD_BUCKETS; b++) {
        struct pd_bytes *bytes = &s->counts->v[b];
        const struct frequency *v = (const struct frequency *)(const void *)bytes->v;
        const size_t n = bytes->n / sizeof *v;
        pd_tally_reset(&s->tally, n);
        for (size_t k = 0; k < n; k++)
            pd_tally_add(&s->tally, v[k].sig, v[k].n);
        for (size_t k = 0; k < n; k++) {
            const uint64_t df = pd_tally_at(&s->tally, v[k].sig)->n;
            if (df > 1)
                frequencies_push(&s->answers,
                                 (struct frequency){v[k].sig, v[k].rank, pd_key_code(df)});
        }
        pd_bytes_release(bytes);
    }
}

static int order(struct ordering *s)
{
    struct pd_detect *job = s->j->job;
    struct pd_route route = {sizeof(struct frequency), fill_frequencies, owner_of_signature,
                             take_frequencies, s};
    PD_TRY(pd_comm_agree(job->comm, list_signatures(s)));
    PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
    judge(s);
    s->source = (struct pd_source){s->answers.v, s->answers.n, sizeof *s->answers.v, 0};
    route.fill = pd_fill_from;
    route.owner = owner_of_answer;
    route.sink = take_codes;
    return pd_exchange(job->comm, &route, &job->stages.moved);
}

int pd_joining_order(struct joining *j)
{
    struct ordering s = {.j = j, .sigs = pd_buckets_new(), .counts = pd_buckets_new()};
    const int status = order(&s);
    pd_buckets_free(s.sigs);
    pd_buckets_free(s.counts);
    frequencies_release(&s.outgoing);
    frequencies_release(&s.answers);
    pd_tally_release(&s.tally);
    return status;
}
