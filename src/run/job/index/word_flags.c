/* run/job/index/word_flags.c - the frozen flags of words: see src/run/job/index/sources.h */
#include "pardup/base/error.h"
#include "pardup/feature/signer.h"
#include "pardup/store/spool.h"
#include "run/stage/classes/background.h"
#include "run/stage/classes/frequencies.h"
#include "run/stage/classes/wordlist.h"
#include "sources.h"

/* A word and its flags, on its way to rank 0. Order: term. */
struct flagged {
    uint64_t term, flags;
};

struct flagging {
    struct pd_job *job;
    unsigned char default_flags;
    size_t volume, word;         /* the next word to send */
    struct pd_terms listed;      /* rank 0: terms of lists, with their flags, still to be sent */
    struct pd_frequencies table; /* rank 0: the table of --frequencies; without one it is closed */
    struct pd_shuffle words;     /* struct flagged, at rank 0 */
};

/*
 * Take words of the table, which has all words whose flags are not the default flags, also words
 * that no source has.
 */
static int take_table(struct flagging *s, struct flagged *out, size_t room, size_t *k)
{
    const bool documents =
        pd_features[s->job->options->method.feature].counts == PD_COUNTS_DOCUMENTS;
    struct pd_frequency row;
    int status = PD_OK;
    while (*k < room && (status = pd_frequencies_next(&s->table, &row)) == PD_OK) {
        const unsigned char flags =
            pd_word_flags(s->job, documents ? row.documents : row.occurrences);
        if (flags != s->default_flags)
            out[(*k)++] = (struct flagged){row.term, flags};
    }
    return status;
}

static int fill_words(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct flagging *s = ctx;
    struct pd_library *lib = &s->job->collection.library;
    struct flagged *out = (struct flagged *)(void *)to;
    const size_t room = cap / sizeof *out;
    size_t k = 0;
    for (; k < room && s->listed.n; s->listed.n -= 2)
        out[k++] = (struct flagged){s->listed.v[s->listed.n - 2], s->listed.v[s->listed.n - 1]};
    if (s->job->options->method.frequencies) {
        const int status = s->table.list ? take_table(s, out, room, &k) : PD_END;
        *n = k * sizeof *out;
        return status;
    }
    while (k < room && s->volume < lib->shelf.n) {
        struct pd_volume *v;
        PD_TRY(pd_library_volume(lib, s->volume, &v));
        for (; k < room && s->word < v->terms.n; s->word++)
            if (v->flags[s->word] != s->default_flags)
                out[k++] = (struct flagged){v->terms.v[s->word], v->flags[s->word]};
        if (s->word < v->terms.n)
            break;
        s->volume++;
        s->word = 0;
    }
    *n = k * sizeof *out;
    return k < room ? PD_END : PD_OK;
}

static const struct pd_flow words_flow = {.name = "words",
                                          .budget = PD_BUDGET_FLAGGED,
                                          .size = sizeof(struct flagged),
                                          .keys = 1,
                                          .goes = PD_TO_FIRST};

/* List words of a list with a flag, also words that no source has. */
static int add_list(struct flagging *s, const char *list, unsigned char flag)
{
    struct pd_terms terms = {0};
    const int status = pd_wordlist_read(list, &s->job->options->input, &terms);
    for (size_t k = 0; status >= 0 && k < terms.n; k++) {
        pd_terms_push(&s->listed, terms.v[k]);
        pd_terms_push(&s->listed, flag | s->default_flags);
    }
    pd_terms_release(&terms);
    return status;
}

/* Open the table, and read the lists. */
static int begin(struct flagging *s)
{
    const struct pd_method_options *o = &s->job->options->method;
    if (s->job->comm->rank != 0)
        return PD_OK;
    if (o->frequencies)
        PD_TRY(pd_frequencies_open(&s->table, s->job->options, s->job->background.hash));
    if (pd_features[o->feature].counts != PD_COUNTS_SPOT_WORDS)
        return PD_OK;
    PD_TRY(add_list(s, o->stop_words, PD_WORD_STOP));
    return pd_is_number(o->antecedents) ? PD_OK : add_list(s, o->antecedents, PD_WORD_ANTECEDENT);
}

/* Take the next word, with the flags of all its records. PD_END: there is none. */
static int next_word(struct flagging *s, struct flagged *word)
{
    const void *rec;
    bool any = false;
    for (;; pd_shuffle_pass(&s->words, sizeof *word)) {
        PD_TRY(pd_shuffle_look(&s->words, &rec));
        const struct flagged *next = rec;
        if (!next || (any && next->term != word->term))
            return any ? PD_OK : PD_END;
        *word = (struct flagged){next->term, (any ? word->flags : 0) | next->flags};
        any = true;
    }
}

/* Write all terms, and keep their flags. */
static int write_terms(struct flagging *s, struct pd_spool *flags, struct pd_sections_writer *w)
{
    struct flagged word = {0, 0};
    int status = pd_sections_begin(w, "terms");
    while (status >= 0 && (status = next_word(s, &word)) == PD_OK) {
        status = pd_sections_append(w, &word.term, sizeof word.term);
        PD_THEN(status, pd_spool_push(flags, &word.flags));
    }
    return status < 0 ? status : pd_spool_finish(flags);
}

static int write_flags(struct pd_spool *flags, struct pd_sections_writer *w)
{
    const void *word;
    int status = pd_sections_begin(w, "flags");
    while (status >= 0 && (status = pd_spool_next(flags, &word)) == PD_OK) {
        const unsigned char flag = (unsigned char)*(const uint64_t *)word;
        status = pd_sections_append(w, &flag, sizeof flag);
    }
    return status < 0 ? status : PD_OK;
}

static int write_file(struct flagging *s, const char *path, uint64_t *checksum)
{
    struct pd_sections_writer *w = pd_sections_create(path);
    if (!w)
        return PD_EIO;
    struct pd_spool flags;
    pd_spool_init(&flags, &(struct pd_spooling){.size = sizeof(uint64_t),
                                                .memory = pd_transport_budget(
                                                    &s->job->transport, PD_BUDGET_INDEX_TABLES),
                                                .path = pd_scratch_path(&s->job->scratch, "flags"),
                                                .spare = &s->job->spare});
    int status = write_terms(s, &flags, w);
    PD_THEN(status, write_flags(&flags, w));
    pd_spool_release(&flags);
    if (status >= 0)
        return pd_sections_finish(w, checksum);
    pd_sections_abandon(w);
    return status;
}

int pd_write_words(struct pd_job *job, const char *path, uint64_t *checksum)
{
    struct flagging s = {.job = job, .default_flags = pd_word_flags(job, 1)};
    pd_shuffle_open(&s.words, &job->transport, &words_flow, &s, NULL);
    int status = pd_comm_agree(job->comm, begin(&s));
    PD_THEN(status, pd_shuffle_gather(&s.words, fill_words, &s));
    PD_THEN(status, pd_comm_agree(job->comm,
                                  job->comm->rank == 0 ? write_file(&s, path, checksum) : PD_OK));
    pd_shuffle_close(&s.words);
    pd_frequencies_close(&s.table);
    pd_terms_release(&s.listed);
    return status;
}
