/*
 * run/gather.c - sign every unit, bring equal signature sets together, collapse them to classes.
 */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/buckets.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/comm/exchange.h"
#include "sign.h"

struct gathering {
    struct pd_signing signing;
    size_t doc;                  /* the document at hand ... */
    uint32_t unit;               /* ... and its next unit */
    uint64_t units, too_large;   /* units with a signature; with more than PD_SET_MOST */
    struct pd_buckets *postings; /* arrived, by the signature bits below those that name the rank */
};

static bool compares_sets(const struct pd_options *o) { return o->join != PD_JOIN_EQUAL; }

/* The posting of the unit at hand; false: it takes no part. */
static bool make_posting(struct gathering *s, struct pd_posting *out)
{
    const struct pd_detect *job = s->signing.job;
    const size_t n = pd_signing_sign(&s->signing, s->unit);
    if (n == 0)
        return false;
    const struct pd_identity name = pd_signer_identity(&s->signing.signer);
    *out = (struct pd_posting){.sig = name.v[0],
                               .more = name.v[1],
                               .doc = job->collection.docs.v[s->doc].number,
                               .nsigs = (uint32_t)n,
                               .unit = s->unit};
    if (pd_units_sided(&job->form) &&
        !pd_units_indexed(&job->form, &s->signing.stored.sentences, s->unit))
        out->nsigs |= PD_QUERY_ONLY;
    s->too_large += compares_sets(job->options) && n > PD_SET_MOST;
    return true;
}

static int fill_postings(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct gathering *s = ctx;
    struct pd_signing *signing = &s->signing;
    const struct pd_collection *col = &signing->job->collection;
    struct pd_posting *out = (struct pd_posting *)(void *)to;
    const size_t most = cap / sizeof *out;
    size_t k = 0;
    for (; s->doc < col->docs.n && k < most; s->doc++, s->unit = 0) {
        if (s->unit == 0)
            pd_signing_load(signing, s->doc);
        for (; s->unit < signing->units->n && k < most; s->unit++)
            k += make_posting(s, &out[k]);
        if (s->unit < signing->units->n)
            break; /* full in the middle of a document: go on with it next time */
    }
    s->units += k;
    *n = k * sizeof *out;
    pd_stages_progress(&signing->job->stages, s->doc, col->docs.n, 0, 0);
    return s->doc == col->docs.n ? PD_END : PD_OK;
}

static int owner_of_signature(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_part(((const struct pd_posting *)rec)->sig, nranks);
}

static int take_postings(const void *recs, size_t bytes, void *ctx)
{
    struct gathering *s = ctx;
    const struct pd_posting *p = recs;
    const uint64_t nranks = (uint64_t)s->signing.job->comm->size;
    for (size_t k = 0; k < bytes / sizeof *p; k++)
        pd_buckets_push(s->postings, (uint32_t)pd_part(p[k].sig * nranks, PD_BUCKETS), &p[k],
                        sizeof *p);
    return PD_OK;
}

/* Bucket by bucket, in order of signature: what is left of each is appended to the classes. */
static void collapse(struct gathering *s)
{
    struct pd_detect *job = s->signing.job;
    struct pd_postings *classes = &job->joined.postings;
    for (size_t k = 0; k < PD_BUCKETS; k++) {
        struct pd_bytes *bucket = &s->postings->v[k];
        struct pd_postings p = {(struct pd_posting *)(void *)bucket->v,
                                bucket->n / sizeof(struct pd_posting), 0};
        pd_classes_collapse(&p, (uint64_t)job->options->max_df, compares_sets(job->options),
                            &job->common);
        pd_postings_append(classes, p.v, p.n);
        pd_bytes_release(bucket);
    }
    job->joined.own = classes->n;
    if (pd_units_sided(&job->form) && !compares_sets(job->options))
        pd_joined_take_sides(&job->joined);
}

int pd_detect_gather(struct pd_detect *job)
{
    struct gathering s = {.postings = pd_buckets_new()};
    pd_stages_begin(&job->stages, PD_STAGE_GATHER);
    pd_signing_init(&s.signing, job);
    const struct pd_route route = {sizeof(struct pd_posting), fill_postings, owner_of_signature,
                                   take_postings, &s};
    const int status = pd_exchange(job->comm, &route, &job->stages.moved);
    if (status >= 0)
        collapse(&s);
    uint64_t sums[2] = {s.units, s.too_large};
    pd_comm_sum(job->comm, sums, 2);
    job->signed_units = sums[0];
    job->counts.too_large = sums[1];
    pd_signing_release(&s.signing);
    pd_buckets_free(s.postings);
    return pd_stages_end(&job->stages, status);
}
