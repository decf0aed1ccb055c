/* run/stage/classes/background.c - see src/run/stage/classes/background.h */
#include "background.h"

#include "frequencies.h"
#include "pardup/base/error.h"
#include "pardup/feature/signer.h"

/* COLLECTIVE. Read the first line of the table on rank 0, and tell all ranks. */
static int read_totals(const struct pd_job *job, struct pd_background *b)
{
    struct pd_frequencies t = {.words = 0};
    int status = PD_OK;
    if (job->comm->rank == 0) {
        status = pd_frequencies_open(&t, job->options, 0);
        pd_frequencies_close(&t);
    }
    PD_TRY(pd_comm_agree(job->comm, status));
    b->documents = t.documents;
    b->words = t.words;
    pd_comm_max(job->comm, &b->documents, 1);
    pd_comm_max(job->comm, &b->words, 1);
    return PD_OK;
}

int pd_job_find_background(struct pd_job *job)
{
    const struct pd_method_options *o = &job->options->method;
    struct pd_background *b = &job->background;
    b->documents = job->collection.totals.with_sentences;
    b->words = job->collection.totals.words;
    if (o->frequencies)
        PD_TRY(read_totals(job, b));
    b->kept =
        pd_imatch_range(b->documents, o->idf[0], o->idf[1], (uint64_t)o->always_df, o->max_word_df);
    return PD_OK;
}

int pd_job_check_table(struct pd_job *job)
{
    const struct pd_options *o = job->options;
    uint64_t *hash = &job->background.hash;
    int status = PD_OK;
    if (!o->method.frequencies)
        return PD_OK;
    if (job->comm->rank == 0)
        status = pd_frequencies_check(o, hash);
    status = pd_comm_agree(job->comm, status);
    pd_comm_max(job->comm, hash, 1);
    return status;
}

/* ---- flags by frequency ---- */

enum { ALWAYS_RARE = 16 }; /* occurrences up to which a word counts whatever --rare says */

/*
 * Flags by occurrences. In a background of a few documents --rare would leave out all words that
 * two documents share, so few occurrences always count.
 */
static unsigned char rarity_flags(const struct pd_job *job, uint64_t occurrences)
{
    const uint64_t words = job->background.words;
    const unsigned commonness = PD_RARITY_MOST - pd_rarity(occurrences, words);
    const bool left_out = occurrences > ALWAYS_RARE &&
                          (double)occurrences > job->options->method.rare * (double)words;
    return (unsigned char)(commonness << PD_COMMONNESS_SHIFT | (left_out ? PD_WORD_LEFT_OUT : 0));
}

unsigned char pd_word_flags(const struct pd_job *job, uint64_t n)
{
    const struct pd_background *b = &job->background;
    const uint64_t least = job->counted.least;
    switch (pd_features[job->options->method.feature].counts) {
    case PD_COUNTS_DOCUMENTS:
        return n < b->kept.least || n >= b->kept.end ? PD_WORD_LEFT_OUT : 0;
    case PD_COUNTS_RARITY:
        return b->words ? rarity_flags(job, n) : 0;
    case PD_COUNTS_SPOT_WORDS:
        return least && n >= least ? PD_WORD_ANTECEDENT : 0;
    case PD_COUNTS_NOTHING:
        break;
    }
    return 0;
}
