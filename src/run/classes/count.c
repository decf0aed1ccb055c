/*
 * run/classes/count.c - the count stage: flags words that are too frequent or too rare in the
 * collection, antecedents (the frequent words at which the spots of SpotSigs begin), and stop
 * words.
 *
 * Every rank sends the counts of the words of its volumes to the owners of their terms. Owners add
 * the counts up, pick terms, and reply to every volume that has a picked term. The replies become
 * flags of the volume's words. Words of a list are flagged without messages.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/heap.h"
#include "pardup/feature/imatch.h"
#include "pardup/feature/signer.h"
#include "pardup/feature/vocabulary.h"
#include "run/job.h"
#include "wordlist.h"

enum {
    /* bytes of memory for a term in the table of candidates, while the table grows */
    CANDIDATE_BYTES = 64,

    /*
     * The candidate pass pays only if terms are left out for their frequency from documents /
     * CANDIDATES_PAY on: few terms are so frequent.
     */
    CANDIDATES_PAY = 32
};

/* A word of one volume. As a reply, it travels to the rank of the volume. Order: where, number. */
struct volume_word {
    uint64_t where;  /* rank << 32 | volume of that rank */
    uint64_t number; /* word number in the volume; in a reply also the flags (flagged_word) */
};

/* A word number, with the flags that the word gets in the high 32 bits. */
static uint64_t flagged_word(uint64_t number, unsigned char flags)
{
    return (uint64_t)flags << 32 | number;
}

/*
 * How often one volume has a term. Goes to the owner of the term. Order: term, word.where, so that
 * counts come in the same order in every job.
 */
struct count {
    uint64_t term;
    struct volume_word word;
    uint64_t n; /* documents of the volume that have the word, or its occurrences in them */
};
PD_VEC(counts, struct count);

struct counting {
    struct pd_job *job;
    bool occurrences; /* count occurrences, not documents */

    /* the flags of the words of a term whose counts have this sum; 0: it is not picked */
    unsigned char (*pick)(const struct counting *s, uint64_t sum);
    struct pd_df_range kept; /* pick by documents: terms outside this range are picked */
    uint64_t most_frequent;  /* pick by occurrences: the fewest with which a term is picked */

    uint64_t least_sent;        /* counts below this number are not sent */
    struct pd_vocabulary *sent; /* terms whose counts are sent; NULL: all terms */

    size_t volume, next_word; /* the volume whose counts are sent, and the next of its words */
    bool counted;             /* `volume` has been counted into `own` */

    /* counts of `volume` by word number; empty: its document frequencies are the counts */
    struct pd_terms own;
    struct pd_stored stored; /* the document that is counted */

    struct pd_shuffle counts;  /* struct count, at the owners of the terms */
    struct counts group;       /* all counts of one term */
    size_t replied;            /* counts of `group` that have been replied to */
    unsigned char flags;       /* the flags that the words of `group` get */
    uint64_t picked;           /* terms that this rank has picked */
    struct pd_shuffle replies; /* struct volume_word, at the ranks of the volumes */
};

/* ---- counts of a volume ---- */

/*
 * Add `step` to the count of each different word of a document, or of each occurrence. `stamp`
 * tells the document from others in `last_seen`, which has the stamp of the last document of each
 * word.
 */
static int count_document(struct counting *s, const struct pd_docrec *doc, uint64_t step,
                          uint64_t *last_seen, uint64_t stamp)
{
    const unsigned char *blob;
    PD_TRY(pd_library_blob(&s->job->collection.library, s->volume, doc, &blob));
    pd_blob_open(blob, PD_BLOB_ALL, &s->stored);
    pd_stored_numbers(&s->stored);
    for (size_t k = 0; k < s->stored.numbers.n; k++) {
        const uint32_t word = s->stored.numbers.v[k];
        if (s->occurrences || last_seen[word] != stamp)
            s->own.v[word] += step;
        last_seen[word] = stamp;
    }
    return PD_OK;
}

/*
 * Add the occurrences in all documents of the volume, if occurrences are counted; otherwise its
 * document frequencies are the counts so far. Then take away what documents beyond --limit-docs
 * have added: a step of -1, as an unsigned number.
 */
static int count_documents(struct counting *s, const struct pd_volume *v, uint64_t *last_seen)
{
    const struct pd_numbereds *beyond = &s->job->collection.beyond;
    const size_t ndocs = s->occurrences ? v->docs.n : 0;
    uint64_t stamp = 0;
    for (size_t k = 0; k < ndocs; k++)
        PD_TRY(count_document(s, &v->docs.v[k], 1, last_seen, ++stamp));
    for (size_t e = 0; e < beyond->n; e++) {
        if (beyond->v[e].volume != s->volume)
            continue;
        for (uint64_t k = 0; k < beyond->v[e].n; k++)
            PD_TRY(
                count_document(s, &v->docs.v[beyond->v[e].at + k], UINT64_MAX, last_seen, ++stamp));
    }
    return PD_OK;
}

/*
 * Do the volume's document frequencies serve as counts? They do if all its documents are numbered.
 */
static bool has_own_counts(const struct counting *s)
{
    const struct pd_numbereds *beyond = &s->job->collection.beyond;
    for (size_t e = 0; e < beyond->n; e++)
        if (beyond->v[e].volume == s->volume)
            return false;
    return !s->occurrences;
}

/* Count volume s->volume into s->own. */
static int count_volume(struct counting *s)
{
    struct pd_volume *v;
    s->own.n = s->next_word = 0;
    s->counted = true;
    if (has_own_counts(s))
        return PD_OK;
    PD_TRY(pd_library_volume(&s->job->collection.library, s->volume, &v));
    const size_t nwords = v->terms.n;
    uint64_t *last_seen = pd_realloc(NULL, nwords + 1, sizeof *last_seen);
    memset(last_seen, 0, (nwords + 1) * sizeof *last_seen);
    pd_terms_reserve(&s->own, nwords);
    for (size_t k = 0; k < nwords; k++)
        pd_terms_push(&s->own, s->occurrences ? 0 : v->df.v[k]);
    const int status = count_documents(s, v, last_seen);
    free(last_seen);
    return status;
}

/* ---- counts to the owners of their terms ---- */

/* Is a count of `n` for a term sent to its owner? */
static bool is_sent(const struct counting *s, uint64_t term, uint64_t n)
{
    return n && n >= s->least_sent && (!s->sent || pd_vocabulary_find(s->sent, term) != UINT32_MAX);
}

static int fill_counts(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct counting *s = ctx;
    struct pd_library *lib = &s->job->collection.library;
    struct count *out = (struct count *)(void *)to;
    const size_t room = cap / sizeof *out;
    size_t k = 0;
    for (; k < room && s->volume < lib->shelf.n; s->volume++) {
        struct pd_volume *v;
        if (!s->counted)
            PD_TRY(count_volume(s));
        PD_TRY(pd_library_volume(lib, s->volume, &v));
        const uint64_t where = (uint64_t)s->job->comm->rank << 32 | s->volume;
        for (; k < room && s->next_word < v->terms.n; s->next_word++) {
            const size_t word = s->next_word;
            const uint64_t count = s->own.n ? s->own.v[word] : v->df.v[word];
            if (is_sent(s, v->terms.v[word], count))
                out[k++] = (struct count){v->terms.v[word], {where, word}, count};
        }
        if (s->next_word < v->terms.n)
            break;
        s->counted = false;
    }
    *n = k * sizeof *out;
    return s->volume == lib->shelf.n ? PD_END : PD_OK;
}

static int owner_of_term(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_hash_range(((const struct count *)rec)->term, nranks);
}

/*
 * The product drops the leading bits of the term, which chose this owner: its terms fill all
 * partitions.
 */
static uint32_t partition_of_count(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct counting *s = ctx;
    const uint64_t nranks = (uint64_t)s->job->comm->size;
    return (uint32_t)pd_hash_range(((const struct count *)rec)->term * nranks, (int)npartitions);
}

static const struct pd_flow counts_flow = {.name = "counts",
                                           .budget = PD_BUDGET_COUNTS,
                                           .size = sizeof(struct count),
                                           .keys = 2,
                                           .owner = owner_of_term,
                                           .partition = partition_of_count};

/* COLLECTIVE. Send all counts to the owners of their terms. */
static int gather_counts(struct counting *s)
{
    pd_shuffle_close(&s->counts);
    pd_shuffle_open(&s->counts, &s->job->transport, &counts_flow, s, NULL);
    s->volume = 0;
    s->counted = false;
    PD_TRY(pd_shuffle_send(&s->counts, fill_counts, s));
    return pd_shuffle_sort(&s->counts);
}

/*
 * Read all counts of the next term into s->group, and add them up. PD_END: there are no more terms.
 */
static int next_group(struct counting *s, uint64_t *sum)
{
    const void *rec;
    s->group.n = 0;
    *sum = 0;
    for (;;) {
        PD_TRY(pd_shuffle_look(&s->counts, &rec));
        const struct count *count = rec;
        if (!count || (s->group.n && count->term != s->group.v[0].term))
            return s->group.n ? PD_OK : PD_END;
        counts_push(&s->group, *count);
        *sum += count->n;
        pd_shuffle_pass(&s->counts, sizeof *count);
    }
}

/* ---- replies to the volumes ---- */

static int fill_replies(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct counting *s = ctx;
    struct volume_word *out = (struct volume_word *)(void *)to;
    const size_t room = cap / sizeof *out;
    size_t k = 0;
    int status = PD_OK;
    while (k < room && status == PD_OK) {
        if (s->replied < s->group.n) {
            const struct volume_word word = s->group.v[s->replied++].word;
            out[k++] = (struct volume_word){word.where, flagged_word(word.number, s->flags)};
            continue;
        }
        uint64_t sum;
        status = next_group(s, &sum);
        s->flags = status == PD_OK ? s->pick(s, sum) : 0;
        s->picked += (s->flags & ((1 << PD_COMMONNESS_SHIFT) - 1)) != 0;
        s->replied = s->flags ? 0 : s->group.n;
    }
    *n = k * sizeof *out;
    return status;
}

static int rank_of_volume(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    (void)nranks;
    return (int)(((const struct volume_word *)rec)->where >> 32);
}

static const struct pd_flow replies_flow = {.name = "replies",
                                            .budget = PD_BUDGET_FLAGGED,
                                            .size = sizeof(struct volume_word),
                                            .keys = 2,
                                            .owner = rank_of_volume};

/* Set flags of words of volume k (flagged_word). */
static int flag_words(struct pd_job *job, size_t k, const struct pd_terms *words)
{
    struct pd_collection *col = &job->collection;
    struct pd_volume *v;
    PD_TRY(pd_library_volume(&col->library, k, &v));
    unsigned char *flags = pd_realloc(NULL, v->terms.n + 1, 1);
    if (v->flags)
        memcpy(flags, v->flags, v->terms.n);
    else
        memset(flags, 0, v->terms.n + 1);
    for (size_t i = 0; i < words->n; i++)
        flags[words->v[i] & UINT32_MAX] |= (unsigned char)(words->v[i] >> 32);
    return pd_library_mark(&col->library, k, flags, pd_scratch_path(col->scratch, "flags"));
}

/* Flag the words that replies name, volume by volume. */
static int apply_replies(struct counting *s)
{
    struct pd_terms words = {0}; /* words of `volume` with flags */
    uint64_t volume = 0;
    const void *rec;
    int status = pd_shuffle_sort_own(&s->replies);
    while (status >= 0 && (status = pd_shuffle_look(&s->replies, &rec)) == PD_OK) {
        const struct volume_word *word = rec;
        if (words.n && (word->where & UINT32_MAX) != volume) {
            status = flag_words(s->job, volume, &words);
            words.n = 0;
        }
        volume = word->where & UINT32_MAX;
        pd_terms_push(&words, word->number);
        pd_shuffle_pass(&s->replies, sizeof *word);
    }
    if (status >= 0 && words.n)
        status = flag_words(s->job, volume, &words);
    pd_terms_release(&words);
    return status < 0 ? status : PD_OK;
}

/*
 * COLLECTIVE. Pick terms, and flag their words in all volumes. *picked: picked terms of all ranks.
 */
static int flag_picked(struct counting *s, uint64_t *picked)
{
    const struct pd_comm *c = s->job->comm;
    pd_shuffle_open(&s->replies, &s->job->transport, &replies_flow, s, NULL);
    PD_TRY(pd_shuffle_send(&s->replies, fill_replies, s));
    *picked = s->picked;
    pd_comm_sum(c, picked, 1);
    return pd_comm_agree(c, apply_replies(s));
}

static void release(struct counting *s)
{
    pd_shuffle_close(&s->counts);
    pd_shuffle_close(&s->replies);
    pd_terms_release(&s->own);
    pd_stored_release(&s->stored);
    counts_release(&s->group);
}

/* ---- words left out by document frequency ---- */

static unsigned char pick_left_out(const struct counting *s, uint64_t df)
{
    return df < s->kept.least || df >= s->kept.end ? PD_WORD_LEFT_OUT : 0;
}

/* List the terms that this rank owns and some volume has sent, up to `limit` + 1 terms. */
static int list_terms(struct counting *s, size_t limit, struct pd_terms *terms)
{
    uint64_t sum;
    int status = PD_OK;
    while (terms->n <= limit && (status = next_group(s, &sum)) == PD_OK)
        pd_terms_push(terms, s->group.v[0].term);
    s->group.n = 0;
    return status < 0 ? status : PD_OK;
}

/*
 * COLLECTIVE. Enter the lists of all ranks into `candidates`, and send counts of candidates only.
 * If there are more than `limit` terms in all, do neither.
 */
static void share_candidates(struct counting *s, const struct pd_terms *own, size_t limit,
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
 * frequent. A term that is in at least s->kept.end documents of V volumes is in at least
 * s->kept.end / V documents of some volume. Afterwards only counts of candidates are sent: a few
 * thousand of the half million words of a volume.
 */
static int find_candidates(struct counting *s, struct pd_vocabulary *candidates)
{
    const struct pd_collection *col = &s->job->collection;
    const size_t limit =
        pd_transport_budget(col->transport, PD_BUDGET_CANDIDATES) / CANDIDATE_BYTES;
    struct pd_terms own = {0};
    uint64_t volumes = col->library.shelf.n;
    pd_comm_sum(col->comm, &volumes, 1);
    if (s->kept.least > 1 || s->kept.end < col->totals.with_sentences / CANDIDATES_PAY || !volumes)
        return PD_OK;
    s->least_sent = (s->kept.end + volumes - 1) / volumes;
    int status = gather_counts(s);
    s->least_sent = 0;
    if (status >= 0)
        status = pd_comm_agree(col->comm, list_terms(s, limit, &own));
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
    const struct pd_options *o = job->options;
    struct counting s = {.job = job,
                         .pick = pick_left_out,
                         .kept =
                             pd_imatch_range(job->collection.totals.with_sentences,
                                             o->method.idf[0], o->method.idf[1],
                                             (uint64_t)o->method.always_df, o->method.max_word_df)};
    struct pd_vocabulary candidates = {0};
    int status = find_candidates(&s, &candidates);
    if (status >= 0)
        status = gather_counts(&s);
    if (status >= 0)
        status = flag_picked(&s, &job->counted.terms_left_out);
    release(&s);
    pd_vocabulary_release(&candidates);
    return status;
}

/* ---- the rarity of words ---- */

enum { ALWAYS_RARE = 16 }; /* occurrences up to which a word counts whatever --rare says */

unsigned char pd_rarity_flags(const struct pd_job *job, uint64_t occurrences)
{
    const uint64_t words = job->collection.totals.words;
    const unsigned commonness = PD_RARITY_MOST - pd_rarity(occurrences, words);
    const bool left_out = occurrences > ALWAYS_RARE &&
                          (double)occurrences > job->options->method.rare * (double)words;
    return (unsigned char)(commonness << PD_COMMONNESS_SHIFT | (left_out ? PD_WORD_LEFT_OUT : 0));
}

static unsigned char pick_common(const struct counting *s, uint64_t occurrences)
{
    return pd_rarity_flags(s->job, occurrences);
}

/*
 * COLLECTIVE. Give all words their commonness, and flag the words that are not rare (--rare).
 * Words of commonness 0, the great majority, need no reply.
 */
static int flag_rarity(struct pd_job *job)
{
    struct counting s = {.job = job, .pick = pick_common, .occurrences = true};
    int status = gather_counts(&s);
    if (status >= 0)
        status = flag_picked(&s, &job->counted.terms_left_out);
    release(&s);
    return status;
}

/* ---- antecedents: the most frequent words ---- */

/* Offer the sums of all terms that this rank owns to `largest`. */
static int find_largest(struct counting *s, struct pd_heap *largest)
{
    uint64_t sum;
    int status;
    while ((status = next_group(s, &sum)) == PD_OK)
        pd_heap_offer(largest, sum);
    return status < 0 ? status : PD_OK;
}

/*
 * COLLECTIVE. The greatest number of occurrences that at least largest->limit terms reach; 1 if
 * there are fewer terms.
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

static unsigned char pick_antecedent(const struct counting *s, uint64_t occurrences)
{
    return occurrences >= s->most_frequent ? PD_WORD_ANTECEDENT : 0;
}

/*
 * COLLECTIVE. Flag the `wanted` most frequent words, and all words as frequent as the last of them.
 * Counts go to their owners twice, because they cannot be kept until it is known how frequent an
 * antecedent is.
 */
static int flag_most_frequent(struct pd_job *job, uint64_t wanted)
{
    struct counting s = {.job = job, .pick = pick_antecedent, .occurrences = true};
    struct pd_heap largest = {.limit = wanted};
    int status = gather_counts(&s);
    if (status >= 0)
        status = pd_comm_agree(job->comm, wanted ? find_largest(&s, &largest) : PD_OK);
    if (status >= 0) {
        s.most_frequent = occurrences_reached(job->comm, &largest);
        status = gather_counts(&s);
    }
    if (status >= 0)
        status = flag_picked(&s, &job->counted.antecedents);
    pd_heap_release(&largest);
    release(&s);
    return status;
}

/* ---- antecedents and stop words from lists ---- */

/* Flag the words of a list in all volumes of this rank. */
static int flag_list(struct pd_job *job, const char *list, unsigned char flag)
{
    struct pd_library *lib = &job->collection.library;
    struct pd_terms terms = {0};
    struct pd_terms words = {0};
    int status = pd_wordlist_read(list, job->options->input.words, &terms);
    for (size_t k = 0; k < lib->shelf.n && status >= 0 && terms.n; k++) {
        struct pd_volume *v;
        status = pd_library_volume(lib, k, &v);
        words.n = 0;
        for (size_t i = 0; status >= 0 && i < v->terms.n; i++)
            if (pd_wordlist_has(&terms, v->terms.v[i]))
                pd_terms_push(&words, flagged_word(i, flag));
        if (status >= 0)
            status = flag_words(job, k, &words);
    }
    pd_terms_release(&terms);
    pd_terms_release(&words);
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
        PD_TRY(flag_words(job, k, &no_words));
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
    if (status >= 0 && counts == PD_COUNTS_DOCUMENTS)
        status = flag_left_out(job);
    else if (status >= 0 && counts == PD_COUNTS_RARITY)
        status = flag_rarity(job);
    else if (status >= 0 && counts == PD_COUNTS_SPOT_WORDS)
        status = flag_spot_words(job);
    forget_frequencies(&job->collection.library);
    return pd_stages_end(&job->stages, status);
}
