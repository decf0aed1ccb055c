/* passage/ends.c - see include/pardup/passage/ends.h */
#include "pardup/passage/ends.h"

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/search.h"
#include "pardup/passage/edges.h"

void pd_aside_add(struct pd_aside_runs *runs, uint32_t word, uint32_t end)
{
    struct pd_aside_run *last = runs->n ? &runs->v[runs->n - 1] : NULL;
    if (last && last->end == word)
        last->end = end;
    else
        pd_aside_runs_push(runs, (struct pd_aside_run){
                                     word, end, last ? last->before + last->end - last->word : 0});
}

/* How many runs begin before this word. */
static size_t runs_before(const struct pd_aside_runs *runs, uint32_t word)
{
    return pd_search_first_u32(runs->v, runs->n, sizeof *runs->v,
                               offsetof(struct pd_aside_run, word), word);
}

uint32_t pd_own_words(const struct pd_aside_runs *runs, uint32_t word)
{
    const size_t k = runs_before(runs, word);
    if (k == 0)
        return word;
    const struct pd_aside_run *run = &runs->v[k - 1];
    return word - run->before - (pd_min_u32(word, run->end) - run->word);
}

void pd_own_singles(const struct pd_aside_runs *runs, const struct pd_token *tokens,
                    uint32_t nwords, const unsigned char *singles, struct pd_single_counts *counts)
{
    uint32_t n = 0;
    size_t run = 0;
    counts->n = 0;
    pd_single_counts_push(counts, 0);
    for (uint32_t word = 0; word < nwords; word++) {
        if (run < runs->n && runs->v[run].word == word) {
            word = runs->v[run++].end - 1;
            continue;
        }
        n += singles[tokens[word].term];
        pd_single_counts_push(counts, n);
    }
}

static uint32_t word_behind(const struct pd_sentence *unit) { return unit->word + unit->nwords; }

/* The first word from which on all words before `word` are own words. */
static uint32_t own_from(const struct pd_aside_runs *runs, uint32_t word)
{
    const size_t k = runs_before(runs, word);
    return k ? pd_min_u32(word, runs->v[k - 1].end) : 0;
}

/* The end of the own words from `word` on. */
static uint32_t own_to(const struct pd_aside_runs *runs, uint32_t word, uint32_t nwords)
{
    const size_t k = runs_before(runs, word);
    if (k && runs->v[k - 1].end > word)
        return word;
    return k < runs->n ? runs->v[k].word : nwords;
}

struct pd_ends pd_ends_of(const struct pd_sentences *units, uint32_t nwords,
                          const struct pd_aside_runs *asides, uint32_t start, uint32_t length,
                          bool far)
{
    const struct pd_sentence *v = units->v;
    const uint32_t last = start + length - 1;
    const uint32_t from = v[start].word, to = word_behind(&v[last]);
    const uint32_t nback = from - own_from(asides, from);
    const uint32_t nahead = own_to(asides, to, nwords) - to;
    const uint32_t back = start > 0 ? pd_min_u32(nback, from - v[start - 1].word) : 0;
    const uint32_t ahead =
        last + 1 < units->n ? pd_min_u32(nahead, word_behind(&v[last + 1]) - to) : 0;
    return (struct pd_ends){.back = {from - 1, nback, far ? nback : back},
                            .ahead = {to, nahead, far ? nahead : ahead},
                            .inside = to - from,
                            .own = pd_ij(pd_own_words(asides, from), pd_own_words(asides, to))};
}

uint32_t pd_edge_compared(const struct pd_edge_side *side, uint32_t near_other)
{
    const uint32_t near = near_other > side->near ? near_other : side->near;
    const uint32_t n = side->n < near ? side->n : near;
    if (near_other == 0)
        return 0;
    return n < PD_EDGE_WORDS ? n : PD_EDGE_WORDS;
}

uint64_t pd_units_bytes(const struct pd_sentences *units, uint32_t start, uint32_t length)
{
    PD_CHECK((uint64_t)start + length <= units->n && length > 0);
    return pd_ij(units->v[start].begin, units->v[start + length - 1].end);
}
