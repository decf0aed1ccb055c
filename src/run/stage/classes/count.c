/*
 * run/stage/classes/count.c - the count stage: flags words that are too frequent or too rare in the
 * collection, antecedents (the frequent words at which the spots of SpotSigs begin), and stop
 * words.
 *
 * Words that are flagged for their frequency are counted first (counting.h). Words of a list are
 * flagged without messages.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "background.h"
#include "counting.h"
#include "pardup/base/error.h"
#include "pardup/base/heap.h"
#include "pardup/base/log.h"
#include "pardup/feature/signer.h"
#include "pardup/feature/vocabulary.h"
#include "pardup/index/index.h"
#include "pardup/run/option_table.h"
#include "wordlist.h"

enum {
    /* bytes of memory for a term in the table of candidates, while the table grows */
    CANDIDATE_BYTES = 64,

    /*
     * The candidate pass is made only if the terms that are left out occur in at least 1 /
     * CANDIDATES_PAY of the documents. Few terms are so frequent, so few counts are sent.
     */
    CANDIDATES_PAY = 32
};

/* ---- words left out by document frequency ---- */

/* List the terms that this rank owns and some volume has sent, up to `limit` + 1 terms. */
static int list_terms(struct pd_counting *s, size_t limit, struct pd_terms *terms)
{
    uint64_t sum;
    int status = PD_OK;
    while (terms->n <= limit && (status = pd_counting_next(s, &sum)) == PD_OK)
        pd_terms_push(terms, s->group.v[0].term);
    s->group.n = 0;
    return status < 0 ? status : PD_OK;
}

/*
 * COLLECTIVE. Enter the lists of all ranks into `candidates`, and send counts of candidates only.
 * If there are more than `limit` terms in all, do neither.
 */
static void share_candidates(struct pd_counting *s, const struct pd_terms *own, size_t limit,
                             struct pd_vocabulary *candidates)
{
    const struct pd_comm *c = s->job->comm;
    struct pd_bytes all = {0};
    uint64_t n = own->n;
    pd_comm_sum(c, &n, 1);
    if (n > limit)
        return;
    pd_comm_gather(c, own->v, own->n * sizeof *own->v, &all);
    for (size_t k = 0; k < n; k++)
        pd_vocabulary_enter(candidates, ((const uint64_t *)(const void *)all.v)[k]);
    s->sent = candidates;
    pd_bytes_release(&all);
}

/*
 * COLLECTIVE. If only frequent terms are left out, find candidates, the few terms that may be so
 * frequent. A term that is in at least kept->end documents of V volumes is in at least
 * kept->end / V documents of some volume. Afterwards only counts of candidates are sent: a few
 * thousand of the half million words of a volume. With a table, volumes do not say how frequent a
 * term is.
 */
static int find_candidates(struct pd_counting *s, struct pd_vocabulary *candidates)
{
    const struct pd_collection *col = &s->job->collection;
    const struct pd_df_range *kept = &s->job->background.kept;
    const size_t limit =
        pd_transport_budget(col->transport, PD_BUDGET_CANDIDATES) / CANDIDATE_BYTES;
    struct pd_terms own = {0};
    uint64_t volumes = col->library.shelf.n;
    pd_comm_sum(col->comm, &volumes, 1);
    if (kept->least > 1 || kept->end < col->totals.with_sentences / CANDIDATES_PAY || !volumes ||
        s->job->options->method.frequencies)
        return PD_OK;
    s->least_sent = (kept->end + volumes - 1) / volumes;
    int status = pd_counting_gather(s);
    s->least_sent = 0;
    PD_THEN(status, pd_comm_agree(col->comm, list_terms(s, limit, &own)));
    if (status >= 0)
        share_candidates(s, &own, limit, candidates);
    pd_terms_release(&own);
    return status;
}

/*
 * COLLECTIVE. Flag words outside the idf range or in too many documents (--idf, --always-df,
 * --max-word-df).
 */
static int flag_left_out(struct pd_job *job)
{
    struct pd_counting s = {.job = job};
    struct pd_vocabulary candidates = {0};
    int status = find_candidates(&s, &candidates);
    PD_THEN(status, pd_counting_gather(&s));
    PD_THEN(status, pd_counting_flag(&s, &job->counted.terms_left_out));
    pd_counting_release(&s);
    pd_vocabulary_release(&candidates);
    return status;
}

/* ---- the rarity of words ---- */

/*
 * COLLECTIVE. Give all words their commonness, and flag the words that are not rare (--rare).
 * Words of commonness 0, the great majority, need no reply.
 */
static int flag_rarity(struct pd_job *job)
{
    struct pd_counting s = {.job = job, .occurrences = true};
    int status = pd_counting_gather(&s);
    PD_THEN(status, pd_counting_flag(&s, &job->counted.terms_left_out));
    pd_counting_release(&s);
    return status;
}

/* ---- antecedents: the most frequent words ---- */

/* Offer the sums of all terms that this rank owns to `largest`. */
static int find_largest(struct pd_counting *s, struct pd_heap *largest)
{
    uint64_t sum;
    int status;
    while ((status = pd_counting_next(s, &sum)) == PD_OK)
        pd_heap_offer(largest, sum);
    return status < 0 ? status : PD_OK;
}

/*
 * COLLECTIVE. The greatest number of occurrences that at least largest->limit terms reach; 1 if
 * there are fewer terms. It is found bit by bit from the highest; numbers of occurrences are below
 * 2^63.
 */
static uint64_t occurrences_reached(const struct pd_comm *c, const struct pd_heap *largest)
{
    uint64_t reached = 1;
    for (int bit = 62; bit >= 0; bit--) {
        const uint64_t tried = reached + ((uint64_t)1 << bit);
        uint64_t terms = pd_heap_count(largest, tried);
        pd_comm_sum(c, &terms, 1);
        if (terms >= largest->limit)
            reached = tried;
    }
    return reached;
}

/*
 * COLLECTIVE. Flag the `wanted` most frequent words, and all words as frequent as the last of them.
 * Counts go to their owners twice, because they cannot be kept until it is known how frequent an
 * antecedent is.
 */
static int flag_most_frequent(struct pd_job *job, uint64_t wanted)
{
    struct pd_counting s = {.job = job, .occurrences = true};
    struct pd_heap largest = {.limit = wanted};
    int status = pd_counting_gather(&s);
    PD_THEN(status, pd_comm_agree(job->comm, wanted ? find_largest(&s, &largest) : PD_OK));
    if (status >= 0) {
        job->counted.least = occurrences_reached(job->comm, &largest);
        status = pd_counting_gather(&s);
    }
    PD_THEN(status, pd_counting_flag(&s, &job->counted.antecedents));
    pd_heap_release(&largest);
    pd_counting_release(&s);
    return status;
}

/* ---- antecedents and stop words from lists ---- */

/* Flag the words of a list in all volumes of this rank. */
static int flag_list(struct pd_job *job, const char *list, unsigned char flag)
{
    struct pd_library *lib = &job->collection.library;
    struct pd_terms terms = {0};
    struct pd_terms words = {0};
    int status = pd_wordlist_read(list, &job->options->input, &terms);
    for (size_t k = 0; k < lib->shelf.n && status >= 0 && terms.n; k++) {
        struct pd_volume *v;
        status = pd_library_volume(lib, k, &v);
        words.n = 0;
        for (size_t i = 0; status >= 0 && i < v->terms.n; i++)
            if (pd_wordlist_has(&terms, v->terms.v[i]))
                pd_terms_push(&words, pd_flagged_word(i, flag));
        PD_THEN(status, pd_flag_words(job, k, &words));
    }
    PD_RELEASE(pd_terms, &terms, &words);
    return status;
}

/* COLLECTIVE. Flag antecedents and stop words of SpotSigs, from the collection or from lists. */
static int flag_spot_words(struct pd_job *job)
{
    const struct pd_options *o = job->options;
    const bool most_frequent = pd_is_number(o->method.antecedents);
    int status = flag_list(job, o->method.stop_words, PD_WORD_STOP);
    if (!most_frequent && status >= 0)
        status = flag_list(job, o->method.antecedents, PD_WORD_ANTECEDENT);
    PD_TRY(pd_comm_agree(job->comm, status));
    return most_frequent ? flag_most_frequent(job, strtoull(o->method.antecedents, NULL, 10))
                         : PD_OK;
}

/* ---- the stage ---- */

/* Give every volume flags, all clear. */
static int clear_flags(struct pd_job *job)
{
    static const struct pd_terms no_words;
    for (size_t k = 0; k < job->collection.library.shelf.n; k++)
        PD_TRY(pd_flag_words(job, k, &no_words));
    return PD_OK;
}

/*
 * Free the document frequencies of volumes that stay in memory: no later stage reads them. A volume
 * that is loaded again brings its own.
 */
static void forget_frequencies(struct pd_library *lib)
{
    for (size_t k = 0; k < lib->shelf.n; k++)
        if (lib->shelf.v[k].kept)
            pd_counts_release(&lib->shelf.v[k].volume.df);
}

int pd_job_count(struct pd_job *job)
{
    const enum pd_feature_counts counts = pd_features[job->options->method.feature].counts;
    pd_stages_begin(&job->stages, PD_STAGE_COUNT);
    int status = pd_comm_agree(job->comm, clear_flags(job));
    if (counts == PD_COUNTS_NOTHING && job->options->method.frequencies)
        pd_log(PD_LOG_WARN, "--frequencies: preset %s does not ask how rare words are; edited does",
               pd_preset_names[job->preset]);
    else if (status >= 0)
        status = pd_job_find_background(job);
    if (status >= 0 && counts == PD_COUNTS_DOCUMENTS)
        status = flag_left_out(job);
    else if (status >= 0 && counts == PD_COUNTS_RARITY)
        status = flag_rarity(job);
    else if (status >= 0 && counts == PD_COUNTS_SPOT_WORDS)
        status = flag_spot_words(job);
    forget_frequencies(&job->collection.library);
    return pd_stages_end(&job->stages, status);
}

int pd_job_freeze(struct pd_job *job, struct pd_index *index)
{
    struct pd_collection *col = &job->collection;
    for (size_t k = 0; k < col->library.shelf.n; k++) {
        struct pd_volume *v;
        PD_TRY(pd_library_volume(&col->library, k, &v));
        unsigned char *flags = pd_realloc(NULL, v->terms.n + 1, 1);
        for (size_t i = 0; i < v->terms.n; i++)
            flags[i] = pd_index_flags(index, v->terms.v[i]);
        flags[v->terms.n] = 0;
        PD_TRY(pd_library_mark(&col->library, k, flags, pd_scratch_path(col->scratch, "flags")));
    }
    return PD_OK;
}
