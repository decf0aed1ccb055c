/* run/stage/classes/counting.c - see src/run/stage/classes/counting.h */
#include "counting.h"

#include <stdlib.h>
#include <string.h>

#include "background.h"
#include "pardup/base/error.h"
#include "pardup/feature/signer.h"

/* ---- counts of a volume ---- */

/*
 * Add `step` to the count of each different word of a document, or of each occurrence. `stamp`
 * tells the document from others in `last_seen`, which has the stamp of the last document of each
 * word.
 */
static int count_document(struct pd_counting *s, const struct pd_docrec *doc, uint64_t step,
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
static int count_documents(struct pd_counting *s, const struct pd_volume *v, uint64_t *last_seen)
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
static bool has_own_counts(const struct pd_counting *s)
{
    const struct pd_numbereds *beyond = &s->job->collection.beyond;
    for (size_t e = 0; e < beyond->n; e++)
        if (beyond->v[e].volume == s->volume)
            return false;
    return !s->occurrences;
}

int pd_counting_volume(struct pd_counting *s, size_t volume)
{
    struct pd_volume *v;
    s->volume = volume;
    s->own.n = s->next_word = 0;
    s->counted = true;
    if (has_own_counts(s))
        return PD_OK;
    PD_TRY(pd_library_volume(&s->job->collection.library, s->volume, &v));
    const size_t nwords = v->terms.n;
    uint64_t *last_seen = pd_zeroed(nwords + 1, sizeof *last_seen);
    pd_terms_reserve(&s->own, nwords);
    for (size_t k = 0; k < nwords; k++)
        pd_terms_push(&s->own, s->occurrences ? 0 : v->df.v[k]);
    const int status = count_documents(s, v, last_seen);
    free(last_seen);
    return status;
}

/* ---- counts to the owners of their terms ---- */

#define OF_TABLE UINT64_MAX /* `where` of a count that a line of the table says */

/* Send lines of the table. */
static int fill_table(struct pd_counting *s, struct pd_term_count *out, size_t room, size_t *k)
{
    struct pd_frequency row;
    int status = PD_OK;
    if (!s->table.list)
        PD_TRY(pd_frequencies_open(&s->table, s->job->options, s->job->background.hash));
    while (*k < room && (status = pd_frequencies_next(&s->table, &row)) == PD_OK)
        out[(*k)++] = (struct pd_term_count){
            row.term, {OF_TABLE, 0}, s->occurrences ? row.occurrences : row.documents};
    if (status != PD_END)
        return status;
    s->table_sent = true;
    pd_frequencies_close(&s->table);
    return PD_OK;
}

/* Is a count of `n` for a term sent to its owner? */
static bool is_sent(const struct pd_counting *s, uint64_t term, uint64_t n)
{
    return n && n >= s->least_sent && (!s->sent || pd_vocabulary_find(s->sent, term) != UINT32_MAX);
}

static int fill_counts(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_counting *s = ctx;
    struct pd_library *lib = &s->job->collection.library;
    struct pd_term_count *out = (struct pd_term_count *)(void *)to;
    const size_t room = cap / sizeof *out;
    size_t k = 0;
    if (!s->table_sent)
        PD_TRY(fill_table(s, out, room, &k));
    for (; k < room && s->volume < lib->shelf.n; s->volume++) {
        struct pd_volume *v;
        if (!s->counted)
            PD_TRY(pd_counting_volume(s, s->volume));
        PD_TRY(pd_library_volume(lib, s->volume, &v));
        const uint64_t where = (uint64_t)s->job->comm->rank << 32 | s->volume;
        for (; k < room && s->next_word < v->terms.n; s->next_word++) {
            const size_t word = s->next_word;
            const uint64_t count = pd_counting_of(s, v, word);
            if (is_sent(s, v->terms.v[word], count))
                out[k++] = (struct pd_term_count){v->terms.v[word], {where, word}, count};
        }
        if (s->next_word < v->terms.n)
            break;
        s->counted = false;
    }
    *n = k * sizeof *out;
    return s->volume == lib->shelf.n && s->table_sent ? PD_END : PD_OK;
}

static const struct pd_flow counts_flow = {.name = "counts",
                                           .budget = PD_BUDGET_COUNTS,
                                           .size = sizeof(struct pd_term_count),
                                           .keys = 2,
                                           .goes = PD_BY_HASH,
                                           .spread = true};

int pd_counting_gather(struct pd_counting *s)
{
    pd_shuffle_close(&s->counts);
    pd_shuffle_open(&s->counts, &s->job->transport, &counts_flow, s, NULL);
    s->volume = 0;
    s->counted = false;
    s->table_sent = !s->job->options->method.frequencies || s->job->comm->rank != 0;
    return pd_shuffle_gather(&s->counts, fill_counts, s);
}

int pd_counting_next(struct pd_counting *s, uint64_t *sum)
{
    const bool by_table = s->job->options->method.frequencies;
    const void *rec;
    uint64_t term = 0;
    s->group.n = 0;
    *sum = by_table; /* a word that the table lacks counts once */
    for (bool any = false;; any = true) {
        PD_TRY(pd_shuffle_look(&s->counts, &rec));
        const struct pd_term_count *count = rec;
        if (!count || (any && count->term != term))
            return any ? PD_OK : PD_END;
        term = count->term;
        if (count->word.where == OF_TABLE)
            *sum = count->n;
        else
            pd_term_counts_push(&s->group, *count);
        *sum += by_table ? 0 : count->n;
        pd_shuffle_pass(&s->counts, sizeof *count);
    }
}

/* ---- replies to the volumes ---- */

static int fill_replies(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_counting *s = ctx;
    struct pd_volume_word *out = (struct pd_volume_word *)(void *)to;
    const size_t room = cap / sizeof *out;
    size_t k = 0;
    int status = PD_OK;
    while (k < room && status == PD_OK) {
        if (s->replied < s->group.n) {
            const struct pd_volume_word word = s->group.v[s->replied++].word;
            out[k++] = (struct pd_volume_word){word.where, pd_flagged_word(word.number, s->flags)};
            continue;
        }
        uint64_t sum;
        status = pd_counting_next(s, &sum);
        s->flags = status == PD_OK ? pd_word_flags(s->job, sum) : 0;
        s->picked += s->group.n && (s->flags & ((1 << PD_COMMONNESS_SHIFT) - 1)) != 0;
        s->replied = s->flags ? 0 : s->group.n;
    }
    *n = k * sizeof *out;
    return status;
}

static int rank_of_volume(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    (void)nranks;
    return (int)(((const struct pd_volume_word *)rec)->where >> 32);
}

static const struct pd_flow replies_flow = {.name = "replies",
                                            .budget = PD_BUDGET_FLAGGED,
                                            .size = sizeof(struct pd_volume_word),
                                            .keys = 2,
                                            .owner = rank_of_volume};

int pd_flag_words(struct pd_job *job, size_t k, const struct pd_terms *words)
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
static int apply_replies(struct pd_counting *s)
{
    struct pd_terms words = {0}; /* words of `volume` with flags */
    uint64_t volume = 0;
    const void *rec;
    int status = pd_shuffle_sort_own(&s->replies);
    while (status >= 0 && (status = pd_shuffle_next(&s->replies, &rec)) == PD_OK) {
        const struct pd_volume_word *word = rec;
        if (words.n && (word->where & UINT32_MAX) != volume) {
            status = pd_flag_words(s->job, volume, &words);
            words.n = 0;
        }
        volume = word->where & UINT32_MAX;
        pd_terms_push(&words, word->number);
    }
    if (status >= 0 && words.n)
        status = pd_flag_words(s->job, volume, &words);
    pd_terms_release(&words);
    return status < 0 ? status : PD_OK;
}

int pd_counting_flag(struct pd_counting *s, uint64_t *picked)
{
    const struct pd_comm *c = s->job->comm;
    pd_shuffle_open(&s->replies, &s->job->transport, &replies_flow, s, NULL);
    PD_TRY(pd_shuffle_send(&s->replies, fill_replies, s));
    *picked = s->picked;
    pd_comm_sum(c, picked, 1);
    return pd_comm_agree(c, apply_replies(s));
}

void pd_counting_release(struct pd_counting *s)
{
    PD_CLOSE(pd_shuffle, &s->counts, &s->replies);
    pd_frequencies_close(&s->table);
    pd_terms_release(&s->own);
    pd_stored_release(&s->stored);
    pd_term_counts_release(&s->group);
}
