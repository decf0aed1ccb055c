/*
 * run/classes/count.c - what the collection as a whole says about its words: which are too frequent or too
 * rare to count, which are antecedents, which are stop words.
 *
 * Every rank sends the counts of its volumes to the ranks that own the terms; owners add them up and answer
 * about the terms they flag. Counts and answers spill like all records.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"
#include "pardup/feature/imatch.h"
#include "pardup/feature/vocabulary.h"
#include "pardup/store/sorter.h"
#include "run/job.h"
#include "wordlist.h"

enum { CANDIDATE_BYTES = 64 }; /* in the table of them, while it grows */

/* What is left out is frequent: in a document of so many. Then few words may be. */
enum { FREQUENT = 32 };

/* A word of a volume: who = rank << 32 | volume. */
struct answer {
    uint64_t who, number;
};

struct count {
    uint64_t term;
    struct answer where;
    uint64_t n; /* documents, or occurrences */
};
PD_VEC(counts, struct count);

struct counting {
    struct pd_job *job;
    unsigned char flag; /* what an answer means */
    bool occurrences;   /* count them, not documents */
    bool (*judge)(const struct counting *s, uint64_t n);
    uint64_t least, wanted; /* antecedents: occurrences, words; left out: less than `least` ... */
    uint64_t frequent;      /* ... and at least as many documents */

    uint64_t cut;               /* lower counts are not sent ... */
    struct pd_vocabulary *only; /* ... nor those of other terms; NULL: of any */

    size_t volume, next; /* at hand: its words before `next` are sent */
    bool counted;        /* that one, into n: ... */
    struct pd_terms n;   /* ... empty if its own frequencies are the counts */
    struct pd_stored stored;

    struct pd_shuffle counts;  /* at the owners of their terms */
    struct counts group;       /* all of one term ... */
    size_t told;               /* ... of whom so many have been answered */
    struct pd_shuffle flagged; /* answers, at the ranks that asked */
    uint64_t nflagged;
    struct pd_terms
        most; /* antecedents: the `wanted` largest sums seen, a heap with the least on top */
};

/* Add `step` to the counts of the words of a document: each word once, or as often as it stands there. */
static int count_document(struct counting *s, const struct pd_docrec *doc, uint64_t step,
                          uint64_t *seen, uint64_t stamp)
{
    const unsigned char *blob;
    PD_TRY(pd_library_blob(&s->job->collection.library, s->volume, doc, &blob));
    pd_blob_open(blob, &s->stored);
    pd_stored_numbers(&s->stored);
    for (size_t k = 0; k < s->stored.numbers.n; k++) {
        const uint32_t word = s->stored.numbers.v[k];
        if (s->occurrences || seen[word] != stamp)
            s->n.v[word] += step;
        seen[word] = stamp;
    }
    return PD_OK;
}

static int count_documents(struct counting *s, const struct pd_volume *v, uint64_t *seen)
{
    const struct pd_numbereds *beyond = &s->job->collection.beyond;
    uint64_t stamp = 0;
    for (size_t k = 0; s->occurrences && k < v->docs.n; k++)
        PD_TRY(count_document(s, &v->docs.v[k], 1, seen, ++stamp));
    for (size_t e = 0; e < beyond->n; e++) /* a document beyond the limit leaves no trace */
        for (uint64_t k = 0; beyond->v[e].volume == s->volume && k < beyond->v[e].n; k++)
            PD_TRY(count_document(s, &v->docs.v[beyond->v[e].at + k], UINT64_MAX, seen, ++stamp));
    return PD_OK;
}

/* Its documents' own frequencies do: all of them count, and each word once. */
static bool has_counts(const struct counting *s)
{
    const struct pd_numbereds *beyond = &s->job->collection.beyond;
    for (size_t e = 0; e < beyond->n; e++)
        if (beyond->v[e].volume == s->volume)
            return false;
    return !s->occurrences;
}

/* The counts of the volume at hand, into s->n. */
static int count_volume(struct counting *s)
{
    struct pd_volume *v;
    s->n.n = s->next = 0;
    s->counted = true;
    if (has_counts(s))
        return PD_OK;
    PD_TRY(pd_library_volume(&s->job->collection.library, s->volume, &v));
    const size_t nterms = v->terms.n;
    uint64_t *seen = pd_realloc(NULL, nterms + 1, sizeof *seen);
    memset(seen, 0, (nterms + 1) * sizeof *seen);
    pd_terms_reserve(&s->n, nterms);
    for (size_t k = 0; k < nterms; k++)
        pd_terms_push(&s->n, s->occurrences ? 0 : v->df.v[k]);
    const int status = count_documents(s, v, seen);
    free(seen);
    return status;
}

static bool is_sent(const struct counting *s, uint64_t term, uint64_t n)
{
    return n && n >= s->cut && (!s->only || pd_vocabulary_find(s->only, term) != UINT32_MAX);
}

static int fill_counts(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct counting *s = ctx;
    struct pd_library *lib = &s->job->collection.library;
    struct count *out = (struct count *)(void *)to;
    const size_t most = cap / sizeof *out;
    size_t k = 0;
    for (; k < most && s->volume < lib->shelf.n; s->volume++) {
        struct pd_volume *v;
        if (!s->counted)
            PD_TRY(count_volume(s));
        PD_TRY(pd_library_volume(lib, s->volume, &v));
        const uint64_t who = (uint64_t)s->job->comm->rank << 32 | s->volume;
        for (; k < most && s->next < v->terms.n; s->next++) {
            const uint64_t count = s->n.n ? s->n.v[s->next] : v->df.v[s->next];
            if (is_sent(s, v->terms.v[s->next], count))
                out[k++] = (struct count){v->terms.v[s->next], {who, s->next}, count};
        }
        if (s->next < v->terms.n)
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

/* COLLECTIVE. All counts to the owners of their terms. */
static int gather_counts(struct counting *s)
{
    pd_shuffle_close(&s->counts);
    pd_shuffle_open(&s->counts, &s->job->transport, &counts_flow, s, NULL);
    s->volume = 0;
    s->counted = false;
    PD_TRY(pd_shuffle_send(&s->counts, fill_counts, s));
    return pd_shuffle_sort(&s->counts);
}

/* All counts of the next term, in s->group, and their sum. PD_END: no more. */
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

/* Answers about the terms the judge picks. */
static int fill_answers(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct counting *s = ctx;
    struct answer *out = (struct answer *)(void *)to;
    const size_t most = cap / sizeof *out;
    size_t k = 0;
    int status = PD_OK;
    while (k < most && status == PD_OK) {
        if (s->told < s->group.n) {
            out[k++] = s->group.v[s->told++].where;
            continue;
        }
        uint64_t sum;
        status = next_group(s, &sum);
        const bool picked = status == PD_OK && s->judge(s, sum);
        s->nflagged += picked;
        s->told = picked ? 0 : s->group.n;
    }
    *n = k * sizeof *out;
    return status;
}

static int owner_of_answer(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    (void)nranks;
    return (int)(((const struct answer *)rec)->who >> 32);
}

static const struct pd_flow flagged_flow = {.name = "answers",
                                            .budget = PD_BUDGET_FLAGGED,
                                            .size = sizeof(struct answer),
                                            .keys = 2,
                                            .owner = owner_of_answer};

/* Set `flag` for the listed words of volume k. */
static int mark(struct pd_job *job, size_t k, unsigned char flag, const struct pd_counts *words)
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
        flags[words->v[i]] |= flag;
    return pd_library_mark(&col->library, k, flags, pd_scratch_path(col->scratch, "flags"));
}

/* Flag the words that were answered, volume by volume. */
static int apply_answers(struct counting *s)
{
    struct pd_counts words = {0};
    uint64_t volume = 0;
    const void *rec;
    int status = pd_shuffle_sort_own(&s->flagged);
    while (status >= 0 && (status = pd_shuffle_look(&s->flagged, &rec)) == PD_OK) {
        const struct answer *a = rec;
        if (words.n && (a->who & UINT32_MAX) != volume) {
            status = mark(s->job, volume, s->flag, &words);
            words.n = 0;
        }
        volume = a->who & UINT32_MAX;
        pd_counts_push(&words, (uint32_t)a->number);
        pd_shuffle_pass(&s->flagged, sizeof *a);
    }
    if (status >= 0 && words.n)
        status = mark(s->job, volume, s->flag, &words);
    pd_counts_release(&words);
    return status < 0 ? status : PD_OK;
}

/* COLLECTIVE. Flag the terms the judge picks, everywhere. *flagged: how many there are. */
static int answer_counts(struct counting *s, uint64_t *flagged)
{
    struct pd_job *job = s->job;
    pd_shuffle_open(&s->flagged, &job->transport, &flagged_flow, s, NULL);
    PD_TRY(pd_shuffle_send(&s->flagged, fill_answers, s));
    *flagged = s->nflagged;
    pd_comm_sum(job->comm, flagged, 1);
    return pd_comm_agree(job->comm, apply_answers(s));
}

static void release(struct counting *s)
{
    pd_shuffle_close(&s->counts);
    pd_shuffle_close(&s->flagged);
    pd_terms_release(&s->n);
    pd_terms_release(&s->most);
    pd_stored_release(&s->stored);
    counts_release(&s->group);
}

static bool is_frequent_enough(const struct pd_job *job, uint64_t df)
{
    return pd_imatch_counts(df, job->collection.totals.with_sentences, -INFINITY,
                            job->options->method.idf[1]);
}

static bool is_too_frequent(const struct pd_job *job, uint64_t df)
{
    const uint64_t documents = job->collection.totals.with_sentences;
    return !pd_imatch_counts(df, documents, job->options->method.idf[0], INFINITY) ||
           (double)df > job->options->method.max_word_df * (double)documents;
}

/* The least document frequency of which something holds that holds of all larger ones, too. */
static uint64_t least_df(const struct pd_job *job,
                         bool (*holds)(const struct pd_job *job, uint64_t df))
{
    uint64_t lo = 1, hi = job->collection.totals.with_sentences + 1;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (holds(job, mid))
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static bool is_left_out(const struct counting *s, uint64_t df)
{
    return df < s->least || df >= s->frequent;
}

/* Of the terms this rank owns, those that some volume has sent; if they are more than `most`, one more than that. */
static int list_terms(struct counting *s, size_t most, struct pd_terms *terms)
{
    uint64_t sum;
    int status = PD_OK;
    while (terms->n <= most && (status = next_group(s, &sum)) == PD_OK)
        pd_terms_push(terms, s->group.v[0].term);
    s->group.n = 0;
    return status < 0 ? status : PD_OK;
}

/*
 * COLLECTIVE. A term in `frequent` documents is in its share of them, or more, in some volume: only such terms
 * need be counted, a few thousand of the half million of each volume. Into `only`, unless they are too many.
 */
static int find_candidates(struct counting *s, struct pd_vocabulary *only)
{
    const struct pd_collection *col = &s->job->collection;
    struct pd_terms mine = {0};
    struct pd_bytes all = {0};
    const size_t most = pd_transport_budget(col->transport, PD_BUDGET_CANDIDATES) / CANDIDATE_BYTES;
    uint64_t volumes = col->library.shelf.n;
    pd_comm_sum(col->comm, &volumes, 1);
    if (s->least > 1 || s->frequent < col->totals.with_sentences / FREQUENT || !volumes)
        return PD_OK;
    s->cut = (s->frequent + volumes - 1) / volumes;
    int status = gather_counts(s);
    s->cut = 0;
    if (status >= 0)
        status = pd_comm_agree(col->comm, list_terms(s, most, &mine));
    uint64_t n = mine.n;
    pd_comm_sum(col->comm, &n, 1);
    uint64_t too_many = n > most; /* of ranks with different memory, on one */
    pd_comm_max(col->comm, &too_many, 1);
    if (status >= 0 && !too_many) {
        pd_comm_gather(col->comm, mine.v, mine.n * sizeof *mine.v, &all);
        for (size_t k = 0; k < n; k++)
            pd_vocabulary_enter(only, ((const uint64_t *)(const void *)all.v)[k]);
        s->only = only;
    }
    pd_terms_release(&mine);
    pd_bytes_release(&all);
    return status;
}

/* Words out of the idf range or above the cut-off, for the features that look at single words. */
static int flag_left_out(struct pd_job *job)
{
    struct counting s = {.job = job,
                         .flag = PD_WORD_LEFT_OUT,
                         .judge = is_left_out,
                         .least = least_df(job, is_frequent_enough),
                         .frequent = least_df(job, is_too_frequent)};
    struct pd_vocabulary only = {0};
    int status = find_candidates(&s, &only);
    if (status >= 0)
        status = gather_counts(&s);
    if (status >= 0)
        status = answer_counts(&s, &job->terms_left_out);
    release(&s);
    pd_vocabulary_release(&only);
    return status;
}

/* Put `sum` among the `wanted` largest. */
static void keep_largest(struct counting *s, uint64_t sum)
{
    struct pd_terms *heap = &s->most;
    size_t at;
    if (heap->n < s->wanted) {
        pd_terms_push(heap, sum);
        for (at = heap->n - 1; at > 0 && heap->v[(at - 1) / 2] > sum; at = (at - 1) / 2)
            heap->v[at] = heap->v[(at - 1) / 2];
        heap->v[at] = sum;
        return;
    }
    if (sum <= heap->v[0])
        return;
    for (at = 0;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < heap->n && heap->v[child + 1] < heap->v[child])
            child++;
        if (child >= heap->n || heap->v[child] >= sum)
            break;
        heap->v[at] = heap->v[child];
        at = child;
    }
    heap->v[at] = sum;
}

/* Of the terms this rank owns, the sums of the most frequent ones. */
static int find_largest(struct counting *s)
{
    uint64_t sum;
    int status;
    while ((status = next_group(s, &sum)) == PD_OK)
        keep_largest(s, sum);
    return status < 0 ? status : PD_OK;
}

/* The greatest number of occurrences that at least `wanted` terms reach; 1 when there are fewer. */
static uint64_t occurrences_wanted(const struct counting *s)
{
    uint64_t least = 1;
    for (int bit = 62; bit >= 0; bit--) {
        const uint64_t tried = least + ((uint64_t)1 << bit);
        uint64_t terms = 0;
        for (size_t k = 0; k < s->most.n; k++)
            terms += s->most.v[k] >= tried;
        pd_comm_sum(s->job->comm, &terms, 1);
        if (terms >= s->wanted)
            least = tried;
    }
    return least;
}

static bool is_antecedent(const struct counting *s, uint64_t n) { return n >= s->least; }

/* Counts go to their owners twice: they cannot be kept until the least number is known. */
static int flag_most_frequent(struct pd_job *job, uint64_t wanted)
{
    struct counting s = {.job = job,
                         .flag = PD_WORD_ANTECEDENT,
                         .judge = is_antecedent,
                         .occurrences = true,
                         .wanted = wanted};
    int status = gather_counts(&s);
    if (status >= 0)
        status = pd_comm_agree(job->comm, wanted ? find_largest(&s) : PD_OK);
    if (status >= 0) {
        s.least = occurrences_wanted(&s);
        status = gather_counts(&s);
    }
    if (status >= 0)
        status = answer_counts(&s, &job->antecedents);
    release(&s);
    return status;
}

/* Flag the words of a list. */
static int flag_list(struct pd_job *job, const char *list, unsigned char flag)
{
    struct pd_library *lib = &job->collection.library;
    struct pd_terms terms = {0};
    struct pd_counts words = {0};
    int status = pd_wordlist_read(list, job->options->input.words, &terms);
    for (size_t k = 0; k < lib->shelf.n && status >= 0 && terms.n; k++) {
        struct pd_volume *v;
        status = pd_library_volume(lib, k, &v);
        words.n = 0;
        for (size_t i = 0; status >= 0 && i < v->terms.n; i++)
            if (pd_wordlist_has(&terms, v->terms.v[i]))
                pd_counts_push(&words, (uint32_t)i);
        if (status >= 0)
            status = mark(job, k, flag, &words);
    }
    pd_terms_release(&terms);
    pd_counts_release(&words);
    return status;
}

/* Antecedents and stop words of SpotSigs, from the collection or from lists. */
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

/* Every volume has flags from here on. */
static int clear_flags(struct pd_job *job)
{
    static const struct pd_counts no_words;
    for (size_t k = 0; k < job->collection.library.shelf.n; k++)
        PD_TRY(mark(job, k, 0, &no_words));
    return PD_OK;
}

/* Their work is done. A volume that passes through memory brings its own again. */
static void forget_frequencies(struct pd_library *lib)
{
    for (size_t k = 0; k < lib->shelf.n; k++)
        if (lib->shelf.v[k].kept)
            pd_counts_release(&lib->shelf.v[k].volume.df);
}

int pd_job_count(struct pd_job *job)
{
    const enum pd_feature_kind feature = job->options->method.feature;
    pd_stages_begin(&job->stages, PD_STAGE_COUNT);
    int status = pd_comm_agree(job->comm, clear_flags(job));
    if (status >= 0 && (feature == PD_FEATURE_WORDS || feature == PD_FEATURE_BAG))
        status = flag_left_out(job);
    else if (status >= 0 && feature == PD_FEATURE_SPOT)
        status = flag_spot_words(job);
    forget_frequencies(&job->collection.library);
    return pd_stages_end(&job->stages, status);
}
