/*
 * run/count.c - document frequencies over the collection, and which terms they leave out.
 *
 * Every rank sends its counts to the ranks that own the terms; owners add them up and answer the
 * senders about the terms whose idf is out of range. No rank holds more than its own vocabulary
 * and its share of the collection's.
 */
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"
#include "pardup/feature/imatch.h"
#include "pardup/run/detect.h"

struct count { /* also the answer: a term left out */
    uint64_t term;
    uint32_t rank; /* who counted */
    uint32_t df;
};
PD_VEC(counts, struct count);

struct counting {
    struct pd_source source; /* of the answers */
    struct pd_detect *job;
    size_t next; /* vocabulary entry to send */
    struct counts counts, answers;
};

static int fill_counts(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct counting *s = ctx;
    const struct pd_entries *entries = &s->job->collection.vocabulary.entries;
    struct count *out = (struct count *)(void *)to;
    const size_t most = cap / sizeof *out;
    size_t k = 0;
    for (; k < most && s->next < entries->n; s->next++) {
        const struct pd_entry *e = &entries->v[s->next];
        if (e->df) /* 0: only in documents beyond --limit-docs */
            out[k++] = (struct count){e->term, (uint32_t)s->job->comm->rank, e->df};
    }
    *n = k * sizeof *out;
    return s->next == entries->n ? PD_END : PD_OK;
}

static int owner_of_term(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_part(((const struct count *)rec)->term, nranks);
}

static int owner_of_answer(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    (void)nranks;
    return (int)((const struct count *)rec)->rank;
}

static int take_counts(const void *recs, size_t bytes, void *ctx)
{
    struct counts *counts = &((struct counting *)ctx)->counts;
    counts_reserve(counts, counts->n + bytes / sizeof *counts->v);
    memcpy(counts->v + counts->n, recs, bytes);
    counts->n += bytes / sizeof *counts->v;
    return PD_OK;
}

static int take_answers(const void *recs, size_t bytes, void *ctx)
{
    struct pd_detect *job = ((struct counting *)ctx)->job;
    const struct count *v = recs;
    for (size_t k = 0; k < bytes / sizeof *v; k++)
        job->left_out[pd_vocabulary_find(&job->collection.vocabulary, v[k].term)] = 1;
    return PD_OK;
}

/* Add the ranks' counts up, term by term; keep those of the terms left out as answers. */
static void judge(struct counting *s)
{
    const struct pd_options *o = s->job->options;
    const uint64_t documents = s->job->collection.totals.with_sentences;
    pd_sort_records(s->counts.v, s->counts.n, 2, 2);
    for (size_t begin = 0, end; begin < s->counts.n; begin = end) {
        uint64_t df = 0;
        for (end = begin; end < s->counts.n && s->counts.v[end].term == s->counts.v[begin].term;)
            df += s->counts.v[end++].df;
        if (pd_imatch_counts(df, documents, o->idf_lo, o->idf_hi))
            continue;
        s->job->terms_left_out++;
        for (size_t k = begin; k < end; k++)
            counts_push(&s->answers, s->counts.v[k]);
    }
}

static int count(struct counting *s)
{
    struct pd_detect *job = s->job;
    struct pd_route route = {sizeof(struct count), fill_counts, owner_of_term, take_counts, s};
    PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
    judge(s);
    s->source = (struct pd_source){s->answers.v, s->answers.n, sizeof(struct count), 0};
    route.fill = pd_fill_from;
    route.owner = owner_of_answer;
    route.sink = take_answers;
    PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
    pd_comm_sum(job->comm, &job->terms_left_out, 1);
    return PD_OK;
}

int pd_detect_count(struct pd_detect *job)
{
    struct counting s = {.job = job};
    const size_t nterms = job->collection.vocabulary.entries.n;
    pd_stages_begin(&job->stages, PD_STAGE_COUNT);
    job->left_out = pd_realloc(NULL, nterms + 1, 1);
    memset(job->left_out, 0, nterms + 1);
    const int status = count(&s);
    counts_release(&s.counts);
    counts_release(&s.answers);
    return pd_stages_end(&job->stages, status);
}
