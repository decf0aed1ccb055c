/*
 * run/job/frequencies.c - see include/pardup/run/frequencies.h
 *
 * Volumes know words by number, and keep their forms. The counts of each volume go to the owners of
 * the words, who add them up; the sums go to rank 0, which writes them in order.
 */
#include "pardup/run/frequencies.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/store/commit.h"
#include "run/stage/classes/counting.h"
#include "run/stage/classes/frequencies.h"

enum { WORD_U64S = PD_FREQUENCIES_WORD_MOST / sizeof(uint64_t) };

/* A word and its counts. It goes to the owner of its first bytes, then to rank 0. Order: word. */
struct counted {
    uint64_t word[WORD_U64S]; /* the bytes of the word, the first one highest; then zeros */
    uint64_t documents, occurrences;
};

struct making {
    struct pd_job *job;
    struct pd_counting documents, occurrences; /* of the volume at hand */
    size_t volume, word;                       /* the next word to send */
    bool counted;                              /* `volume` has been counted */
    struct pd_shuffle counts;                  /* struct counted, at the owners of the words */
    struct pd_shuffle sums;                    /* struct counted, at rank 0 */
    uint64_t lines;                            /* rank 0: words in the table */
};

/* ---- counts of volumes to the owners ---- */

static void pack_word(const unsigned char *word, size_t n, struct counted *to)
{
    memset(to->word, 0, sizeof to->word);
    memcpy(to->word, word, n);
    for (size_t k = 0; k < WORD_U64S; k++)
        to->word[k] = be64toh(to->word[k]);
}

/* Make the record of a word. False: no table can have the word, or no document that counts. */
static bool make_record(const struct making *m, const struct pd_volume *v, size_t word,
                        struct counted *to)
{
    const size_t begin = word ? v->form_ends.v[word - 1] : 0, n = v->form_ends.v[word] - begin;
    to->documents = pd_counting_of(&m->documents, v, word);
    to->occurrences = pd_counting_of(&m->occurrences, v, word);
    if (!to->occurrences ||
        !pd_frequencies_takes(v->forms.v + begin, n, m->job->options->input.words))
        return false;
    pack_word(v->forms.v + begin, n, to);
    return true;
}

static int fill_counts(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct making *m = ctx;
    struct pd_library *lib = &m->job->collection.library;
    struct counted *out = (struct counted *)(void *)to;
    const size_t room = cap / sizeof *out;
    size_t k = 0;
    for (; k < room && m->volume < lib->shelf.n; m->volume++, m->word = 0, m->counted = false) {
        struct pd_volume *v;
        if (!m->counted) {
            PD_TRY(pd_counting_volume(&m->documents, m->volume));
            PD_TRY(pd_counting_volume(&m->occurrences, m->volume));
            m->counted = true;
        }
        PD_TRY(pd_library_volume(lib, m->volume, &v));
        for (; k < room && m->word < v->terms.n; m->word++)
            k += make_record(m, v, m->word, &out[k]);
        if (m->word < v->terms.n)
            break;
    }
    *n = k * sizeof *out;
    return m->volume == lib->shelf.n ? PD_END : PD_OK;
}

static const struct pd_flow counts_flow = {.name = "counts",
                                           .budget = PD_BUDGET_COUNTS,
                                           .size = sizeof(struct counted),
                                           .keys = WORD_U64S,
                                           .goes = PD_BY_MIX};

/* ---- sums to rank 0 ---- */

/* The next word that this rank owns, with the counts of all volumes. PD_END: there is none. */
static int next_sum(struct making *m, struct counted *sum)
{
    const void *rec;
    for (bool any = false;; any = true) {
        PD_TRY(pd_shuffle_look(&m->counts, &rec));
        const struct counted *next = rec;
        if (!next || (any && memcmp(next->word, sum->word, sizeof sum->word) != 0))
            return any ? PD_OK : PD_END;
        if (any) {
            sum->documents += next->documents;
            sum->occurrences += next->occurrences;
        } else {
            *sum = *next;
        }
        pd_shuffle_pass(&m->counts, sizeof *next);
    }
}

/* Make the line of the next word that a table has. */
static int next_line(void *ctx, void *rec)
{
    struct counted *sum = rec;
    int status;
    while ((status = next_sum(ctx, sum)) == PD_OK && sum->occurrences == 1) {
    }
    return status;
}

static const struct pd_flow sums_flow = {.name = "sums",
                                         .budget = PD_BUDGET_FLAGGED,
                                         .size = sizeof(struct counted),
                                         .keys = WORD_U64S,
                                         .goes = PD_TO_FIRST};

/* ---- the file ---- */

static void print_line(const struct counted *sum, FILE *f)
{
    char word[PD_FREQUENCIES_WORD_MOST + 1] = "";
    uint64_t bytes[WORD_U64S];
    for (size_t k = 0; k < WORD_U64S; k++)
        bytes[k] = htobe64(sum->word[k]);
    memcpy(word, bytes, sizeof bytes);
    fprintf(f, "%s\t%" PRIu64 "\t%" PRIu64 "\n", word, sum->documents, sum->occurrences);
}

static int print_table(struct making *m, FILE *f)
{
    const struct pd_totals *t = &m->job->collection.totals;
    struct pd_bytes first = {0};
    const void *rec;
    int status;
    pd_frequencies_begin(m->job->options, t->with_sentences, t->words, &first);
    fwrite(first.v, 1, first.n, f);
    pd_bytes_release(&first);
    for (; (status = pd_shuffle_next(&m->sums, &rec)) == PD_OK; m->lines++)
        print_line(rec, f);
    return status < 0 ? status : PD_OK;
}

/* On rank 0. Write the table under another name, and give it its own when it is whole. */
static int write_file(struct making *m)
{
    struct pd_new_file n;
    PD_TRY(pd_new_file_open(&n, NULL, pd_printed("%s", m->job->options->output)));
    return pd_new_file_close(&n, print_table(m, n.f));
}

/* ---- the job ---- */

/* COLLECTIVE. Count the words of a collection that has been read. */
static int count(struct making *m)
{
    pd_shuffle_open(&m->counts, &m->job->transport, &counts_flow, m, NULL);
    pd_shuffle_open(&m->sums, &m->job->transport, &sums_flow, m, NULL);
    PD_TRY(pd_shuffle_gather(&m->counts, fill_counts, m));
    PD_TRY(pd_shuffle_make(&m->sums, next_line, m));
    return pd_comm_agree(m->job->comm, m->job->comm->rank == 0 ? write_file(m) : PD_OK);
}

static int run_steps(struct making *m)
{
    struct pd_job *job = m->job;
    struct pd_collection *col = &job->collection;
    col->whole_forms = true;
    PD_TRY(pd_collection_list_files(col));
    PD_TRY(pd_collection_cut(col));
    PD_TRY(pd_collection_read(col, NULL, &job->stages));
    if (col->totals.words == 0)
        return pd_fail(PD_EFORMAT, "%s: no words to count", col->files.v[0].path);
    pd_stages_begin(&job->stages, PD_STAGE_COUNT);
    return pd_stages_end(&job->stages, count(m));
}

static void tell(const struct making *m)
{
    const struct pd_totals *t = &m->job->collection.totals;
    pd_log(PD_LOG_INFO, "%s", m->job->options->output);
    pd_log(PD_LOG_INFO, "  %s words in %s documents; %s different words that occur twice or more",
           pd_grouped(t->words), pd_grouped(t->with_sentences), pd_grouped(m->lines));
}

int pd_frequencies_make(const struct pd_comm *c, const struct pd_options *o)
{
    struct pd_job job;
    struct making m = {
        .job = &job, .documents = {.job = &job}, .occurrences = {.job = &job, .occurrences = true}};
    pd_job_init(&job, c, o);
    int status = pd_scratch_open(&job.scratch, c, o);
    if (status >= 0) {
        pd_scratch_empty(&job.scratch);
        status = run_steps(&m);
    }
    if (status >= 0)
        tell(&m);
    PD_CLOSE(pd_shuffle, &m.counts, &m.sums);
    PD_RELEASE(pd_counting, &m.documents, &m.occurrences);
    pd_job_end(&job);
    return status;
}
