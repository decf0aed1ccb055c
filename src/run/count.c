/*
 * run/count.c - what the collection as a whole says about its words: which are too frequent or too
 * rare to count, which are antecedents, which are stop words.
 *
 * Every rank sends its counts to the ranks that own the terms; owners add them up and answer the
 * senders about the terms they flag. No rank holds more than its own vocabulary and its share of
 * the collection's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"
#include "pardup/feature/imatch.h"
#include "pardup/run/detect.h"
#include "wordlist.h"

struct count { /* also the answer: a term that is flagged */
    uint64_t term;
    uint64_t rank; /* who counted */
    uint64_t n;
};
PD_VEC(counts, struct count);

struct counting {
    struct pd_source source; /* of the answers */
    struct pd_detect *job;
    const uint64_t *frequency; /* per vocabulary number; NULL: document frequencies */
    size_t next;               /* vocabulary entry to send */
    struct counts counts, answers;
    unsigned char flag; /* what an answer means */
    bool (*judge)(const struct counting *s, uint64_t n);
    uint64_t least; /* antecedents: occurrences */
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
        const uint64_t count = s->frequency ? s->frequency[s->next] : e->df;
        if (count) /* 0: only in documents beyond --limit-docs */
            out[k++] = (struct count){e->term, (uint64_t)s->job->comm->rank, count};
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
    counts_append(counts, recs, bytes / sizeof *counts->v);
    return PD_OK;
}

static int take_answers(const void *recs, size_t bytes, void *ctx)
{
    const struct counting *s = ctx;
    struct pd_detect *job = s->job;
    const struct count *v = recs;
    for (size_t k = 0; k < bytes / sizeof *v; k++)
        job->word_flags[pd_vocabulary_find(&job->collection.vocabulary, v[k].term)] |= s->flag;
    return PD_OK;
}

/* All ranks' counts of one term, which begin at `begin`: their end, and their sum. */
static size_t sum_term(const struct counts *counts, size_t begin, uint64_t *sum)
{
    size_t end = begin;
    *sum = 0;
    while (end < counts->n && counts->v[end].term == counts->v[begin].term)
        *sum += counts->v[end++].n;
    return end;
}

static int gather_counts(struct counting *s)
{
    struct pd_detect *job = s->job;
    const struct pd_route route = {sizeof(struct count), fill_counts, owner_of_term, take_counts,
                                   s};
    PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
    pd_sort_records(s->counts.v, s->counts.n, 3, 2);
    return PD_OK;
}

/* Keep the counts of the terms the judge picks, and answer with them. *flagged: distinct terms. */
static int answer_counts(struct counting *s, uint64_t *flagged)
{
    struct pd_detect *job = s->job;
    for (size_t begin = 0, end; begin < s->counts.n; begin = end) {
        uint64_t sum;
        end = sum_term(&s->counts, begin, &sum);
        if (!s->judge(s, sum))
            continue;
        ++*flagged;
        for (size_t k = begin; k < end; k++)
            counts_push(&s->answers, s->counts.v[k]);
    }
    s->source = (struct pd_source){s->answers.v, s->answers.n, sizeof(struct count), 0};
    const struct pd_route route = {sizeof(struct count), pd_fill_from, owner_of_answer,
                                   take_answers, s};
    PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
    pd_comm_sum(job->comm, flagged, 1);
    return PD_OK;
}

static bool is_left_out(const struct counting *s, uint64_t df)
{
    const struct pd_options *o = s->job->options;
    const uint64_t documents = s->job->collection.totals.with_sentences;
    return !pd_imatch_counts(df, documents, o->idf_lo, o->idf_hi) ||
           (double)df > o->max_word_df * (double)documents;
}

/* Words out of the idf range or above the cut-off, for the features that look at single words. */
static int flag_left_out(struct pd_detect *job)
{
    struct counting s = {.job = job, .flag = PD_WORD_LEFT_OUT, .judge = is_left_out};
    int status = PD_OK;
    if (job->options->feature == PD_FEATURE_WORDS || job->options->feature == PD_FEATURE_BAG) {
        status = gather_counts(&s);
        if (status >= 0)
            status = answer_counts(&s, &job->terms_left_out);
    }
    counts_release(&s.counts);
    counts_release(&s.answers);
    return status;
}

/* Terms this rank owns that occur at least `least` times. */
static uint64_t terms_with(const struct counts *counts, uint64_t least)
{
    uint64_t terms = 0, sum;
    for (size_t begin = 0; begin < counts->n; terms += sum >= least)
        begin = sum_term(counts, begin, &sum);
    return terms;
}

/* The greatest number of occurrences that at least `wanted` terms reach; 1 when there are fewer. */
static uint64_t occurrences_of(const struct pd_detect *job, const struct counts *counts,
                               uint64_t wanted)
{
    uint64_t least = 1;
    for (int bit = 62; bit >= 0; bit--) {
        uint64_t terms = terms_with(counts, least + ((uint64_t)1 << bit));
        pd_comm_sum(job->comm, &terms, 1);
        if (terms >= wanted)
            least += (uint64_t)1 << bit;
    }
    return least;
}

/* How often each word of the vocabulary stands in this rank's documents. The caller frees it. */
static uint64_t *count_occurrences(const struct pd_detect *job)
{
    const struct pd_collection *col = &job->collection;
    const size_t nterms = col->vocabulary.entries.n;
    uint64_t *n = pd_realloc(NULL, nterms + 1, sizeof *n);
    struct pd_stored stored = {0};
    memset(n, 0, (nterms + 1) * sizeof *n);
    for (size_t d = 0; d < col->docs.n; d++) {
        pd_docstore_read(&col->store, col->docs.v[d].stored, &stored);
        for (size_t k = 0; k < stored.tokens.n; k++)
            n[stored.tokens.v[k].term]++;
    }
    pd_stored_release(&stored);
    return n;
}

static bool is_antecedent(const struct counting *s, uint64_t n) { return n >= s->least; }

static int flag_most_frequent(struct pd_detect *job, uint64_t wanted)
{
    uint64_t *occurrences = count_occurrences(job);
    struct counting s = {
        .job = job, .flag = PD_WORD_ANTECEDENT, .judge = is_antecedent, .frequency = occurrences};
    int status = gather_counts(&s);
    if (status >= 0) {
        s.least = occurrences_of(job, &s.counts, wanted);
        status = answer_counts(&s, &job->antecedents);
    }
    counts_release(&s.counts);
    counts_release(&s.answers);
    free(occurrences);
    return status;
}

/* Antecedents and stop words of SpotSigs, from the collection or from lists. */
static int flag_spot_words(struct pd_detect *job)
{
    const struct pd_options *o = job->options;
    const struct pd_vocabulary *voc = &job->collection.vocabulary;
    const bool most_frequent = pd_is_number(o->antecedents);
    int status = pd_wordlist_flag(o->stop_words, o->words, voc, job->word_flags, PD_WORD_STOP);
    if (!most_frequent && status >= 0)
        status =
            pd_wordlist_flag(o->antecedents, o->words, voc, job->word_flags, PD_WORD_ANTECEDENT);
    PD_TRY(pd_comm_agree(job->comm, status));
    return most_frequent ? flag_most_frequent(job, strtoull(o->antecedents, NULL, 10)) : PD_OK;
}

int pd_detect_count(struct pd_detect *job)
{
    const size_t nterms = job->collection.vocabulary.entries.n;
    pd_stages_begin(&job->stages, PD_STAGE_COUNT);
    job->word_flags = pd_realloc(NULL, nterms + 1, 1);
    memset(job->word_flags, 0, nterms + 1);
    int status = flag_left_out(job);
    if (status >= 0 && job->options->feature == PD_FEATURE_SPOT)
        status = flag_spot_words(job);
    return pd_stages_end(&job->stages, status);
}
