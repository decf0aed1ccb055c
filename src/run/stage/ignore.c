/* run/stage/ignore.c - see src/run/stage/ignore.h */
#include "run/stage/ignore.h"

#include "pardup/base/error.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"
#include "pardup/run/walk.h"

/* Add the names of an ignored document. */
static int add_document(void *ctx, const struct pd_raw *raw, const struct pd_document *d,
                        pd_doc number)
{
    struct pd_ignore *g = ctx;
    const struct pd_word *words = d->words.v;
    (void)raw;
    (void)number;
    for (size_t k = 0; k < d->sentences.n; k++) {
        const struct pd_sentence *s = &d->sentences.v[k];
        uint64_t hash = 0;
        for (uint32_t w = s->word; w < s->word + s->nwords; w++)
            hash = pd_words_hash(hash, words[w].term);
        if (s->nwords)
            pd_u64s_push(&g->units, hash & PD_FRINGE_WORDS);
    }
    for (size_t k = 0; k + PD_IGNORE_RUN <= d->words.n; k++) {
        uint64_t hash = 0;
        for (size_t w = k; w < k + PD_IGNORE_RUN; w++)
            hash = pd_words_hash(hash, words[w].term);
        pd_u64s_push(&g->runs, hash);
    }
    return PD_OK;
}

static int read_files(struct pd_ignore *g, const struct pd_options *o)
{
    struct pd_options files = {.operands = o->input.ignore, .input = o->input};
    files.input.against = files.input.with = files.input.include = files.input.exclude =
        (struct pd_texts){NULL, 0};
    files.input.files_from = files.input.docs_from = NULL;
    files.input.limit_docs = 0;
    files.input.format = PD_FORMAT_AUTO;
    files.input.skip_unknown = false; /* a file that is not read would ignore nothing */
    return pd_walk(&files, add_document, g);
}

/* COLLECTIVE. Give rank 0's names to all ranks, in order. */
static void share(const struct pd_comm *c, struct pd_u64s *names)
{
    struct pd_bytes bytes = {0};
    pd_sort_records(names->v, names->n, 1, 1);
    pd_bytes_append(&bytes, names->v, names->n * sizeof *names->v);
    pd_comm_share(c, &bytes);
    names->n = 0;
    pd_u64s_append(names, bytes.v, bytes.n / sizeof *names->v);
    pd_bytes_release(&bytes);
}

int pd_ignore_read(struct pd_ignore *g, const struct pd_comm *c, const struct pd_options *o)
{
    if (o->input.ignore.n == 0)
        return PD_OK;
    PD_TRY(pd_comm_agree(c, c->rank == 0 ? read_files(g, o) : PD_OK));
    share(c, &g->units);
    share(c, &g->runs);
    return PD_OK;
}

void pd_ignore_release(struct pd_ignore *g) { PD_RELEASE(pd_u64s, &g->units, &g->runs); }

/* Does a run that an ignored file has begin at word k of n? */
static bool run_begins(const struct pd_ignore *g, const uint32_t *numbers, size_t k, size_t n,
                       const uint64_t *terms)
{
    uint64_t hash = 0;
    if (k + PD_IGNORE_RUN > n)
        return false;
    for (size_t w = k; w < k + PD_IGNORE_RUN; w++)
        hash = pd_words_hash(hash, terms[numbers[w]]);
    return pd_search_has(g->runs.v, g->runs.n, hash);
}

void pd_ignore_find(const struct pd_ignore *g, const struct pd_stored *stored,
                    const uint64_t *terms, struct pd_word_numbers *units)
{
    const size_t n = stored->tokens.n;
    size_t until = 0; /* the run at hand goes up to this word */
    units->n = 0;
    for (size_t k = 0; k < stored->sentences.n; k++) {
        const struct pd_sentence *s = &stored->sentences.v[k];
        uint64_t hash = 0, covered = 0;
        for (size_t w = s->word; w < s->word + s->nwords; w++) {
            hash = pd_words_hash(hash, terms[stored->numbers.v[w]]);
            if (run_begins(g, stored->numbers.v, w, n, terms))
                until = w + PD_IGNORE_RUN;
            covered += w < until;
        }
        if (s->nwords && (3 * covered >= 2 * (uint64_t)s->nwords ||
                          pd_search_has(g->units.v, g->units.n, hash & PD_FRINGE_WORDS)))
            pd_word_numbers_push(units, (uint32_t)k);
    }
}
