/*
 * run/gather.c - sign every sentence, bring equal signatures together, collapse them to classes.
 */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/buckets.h"
#include "pardup/base/error.h"
#include "pardup/comm/exchange.h"
#include "pardup/feature/imatch.h"
#include "pardup/join/classes.h"
#include "pardup/run/detect.h"

struct signing {
    struct pd_detect *job;
    size_t doc;        /* the document at hand ... */
    uint32_t sentence; /* ... and its next sentence */
    struct pd_stored stored;
    uint32_t *seen; /* per vocabulary number: stamp of the last sentence that had it */
    uint32_t stamp;
    uint64_t units;              /* sentences with a signature */
    struct pd_buckets *postings; /* arrived, by the signature bits below those that name the rank */
};

/* The stamp of a new sentence; when 32 bits are used up, old stamps are wiped out. */
static uint32_t next_stamp(struct signing *s)
{
    if (++s->stamp == 0) {
        memset(s->seen, 0, s->job->collection.vocabulary.entries.n * sizeof *s->seen);
        s->stamp = 1;
    }
    return s->stamp;
}

/* I-Match over the sentence's distinct terms that count. Returns how many there are. */
static uint64_t sign(struct signing *s, const struct pd_sentence *sentence, pd_sig *sig)
{
    const struct pd_entry *entries = s->job->collection.vocabulary.entries.v;
    const struct pd_token *t = s->stored.tokens.v + sentence->word;
    const uint32_t stamp = next_stamp(s);
    struct pd_imatch set = {0};
    for (uint32_t k = 0; k < sentence->nwords; k++) {
        const uint32_t term = t[k].term;
        if (s->seen[term] == stamp || s->job->left_out[term])
            continue;
        s->seen[term] = stamp;
        pd_imatch_add(&set, entries[term].term);
    }
    *sig = pd_imatch_signature(&set);
    return set.nterms;
}

static int fill_postings(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct signing *s = ctx;
    const struct pd_collection *col = &s->job->collection;
    const int64_t min_words = s->job->options->min_words;
    struct pd_posting *out = (struct pd_posting *)(void *)to;
    const size_t most = cap / sizeof *out;
    size_t k = 0;
    for (; s->doc < col->docs.n && k < most; s->doc++, s->sentence = 0) {
        if (s->sentence == 0)
            pd_docstore_read(&col->store, col->docs.v[s->doc].stored, &s->stored);
        for (; s->sentence < s->stored.sentences.n && k < most; s->sentence++) {
            const struct pd_sentence *sentence = &s->stored.sentences.v[s->sentence];
            pd_sig sig;
            if (sentence->nwords >= min_words && sign(s, sentence, &sig) > 0)
                out[k++] = (struct pd_posting){sig, col->docs.v[s->doc].number, s->sentence, 1};
        }
        if (s->sentence < s->stored.sentences.n)
            break; /* full in the middle of a document: go on with it next time */
    }
    s->units += k;
    *n = k * sizeof *out;
    pd_stages_progress(&s->job->stages, s->doc, col->docs.n, 0, 0);
    return s->doc == col->docs.n ? PD_END : PD_OK;
}

static int owner_of_signature(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_part(((const struct pd_posting *)rec)->sig, nranks);
}

static int take_postings(const void *recs, size_t bytes, void *ctx)
{
    struct signing *s = ctx;
    const struct pd_posting *p = recs;
    const uint64_t nranks = (uint64_t)s->job->comm->size;
    for (size_t k = 0; k < bytes / sizeof *p; k++)
        pd_buckets_push(s->postings, (uint32_t)pd_part(p[k].sig * nranks, PD_BUCKETS), &p[k],
                        sizeof *p);
    return PD_OK;
}

/* Bucket by bucket, in order of signature: what is left of each is appended to job->postings. */
static void collapse(struct signing *s)
{
    struct pd_detect *job = s->job;
    for (size_t k = 0; k < PD_BUCKETS; k++) {
        struct pd_bytes *bucket = &s->postings->v[k];
        struct pd_postings p = {(struct pd_posting *)(void *)bucket->v,
                                bucket->n / sizeof(struct pd_posting), 0};
        pd_classes_collapse(&p, (uint64_t)job->options->max_df, &job->common);
        pd_postings_reserve(&job->postings, job->postings.n + p.n);
        if (p.n)
            memcpy(job->postings.v + job->postings.n, p.v, p.n * sizeof *p.v);
        job->postings.n += p.n;
        pd_bytes_release(bucket);
    }
}

int pd_detect_gather(struct pd_detect *job)
{
    struct signing s = {.job = job, .postings = pd_buckets_new()};
    const size_t nterms = job->collection.vocabulary.entries.n;
    pd_stages_begin(&job->stages, PD_STAGE_GATHER);
    s.seen = pd_realloc(NULL, nterms + 1, sizeof *s.seen);
    memset(s.seen, 0, (nterms + 1) * sizeof *s.seen);
    const struct pd_route route = {sizeof(struct pd_posting), fill_postings, owner_of_signature,
                                   take_postings, &s};
    const int status = pd_exchange(job->comm, &route, &job->stages.moved);
    if (status >= 0)
        collapse(&s);
    job->signed_units = s.units;
    pd_comm_sum(job->comm, &job->signed_units, 1);
    free(s.seen);
    pd_buckets_free(s.postings);
    pd_stored_release(&s.stored);
    return pd_stages_end(&job->stages, status);
}
