/* run/dedup/compare.c - see compare.h */
#include "run/dedup/compare.h"

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/search.h"

enum {
    SETS_SHARE = 4,      /* 1 / SETS_SHARE of what is held is for sets of words */
    SETS_MOST = 4 << 20, /* bytes of sets and of words that are held: more are of little use */
    WORDS_MOST = 16 << 20,
    BITS_OF_WORD = 16 /* bits for each word of a passage, so that few words share a bit by chance */
};

void pd_comparing_open(struct pd_comparing *c, struct pd_dedup *d)
{
    const uint64_t held = pd_budget_bytes(d->memory, PD_BUDGET_HELD);
    *c = (struct pd_comparing){
        .d = d, .gone.place = UINT64_MAX, .kept.place = UINT64_MAX, .alignment = PD_ALIGNMENT};
    pd_held_open(&c->sets, pd_min_size(held / SETS_SHARE, SETS_MOST));
    pd_held_open(&c->words, pd_min_size(held - held / SETS_SHARE, WORDS_MOST));
    c->kept.held = &c->words;
}

void pd_comparing_close(struct pd_comparing *c)
{
    pd_bytes_release(&c->gone.bytes);
    pd_bytes_release(&c->kept.bytes);
    pd_alignment_release(&c->alignment);
    pd_bytes_release(&c->terms);
    pd_bytes_release(&c->matches);
    pd_bytes_release(&c->bits.v);
    pd_bytes_release(&c->set);
    pd_bytes_release(&c->after);
    pd_held_close(&c->words);
    pd_held_close(&c->sets);
    pd_copieds_release(&c->found);
}

int pd_compare_document(struct pd_comparing *c, uint64_t place)
{
    PD_TRY(pd_dedup_words(c->d, place, &c->gone));
    pd_bytes_reserve(&c->after, (c->gone.nunits + 1) * sizeof(struct pd_unit_place));
    return PD_OK;
}

/* ---- where the words and units of a passage are ---- */

/* The words [*from, *to) that lie in the bytes of a passage. */
static void find_words(const struct pd_dedup_words *w, uint64_t bytes, size_t *from, size_t *to)
{
    const uint32_t begin = (uint32_t)(bytes >> 32), end = (uint32_t)bytes;
    *from = pd_search_first_u32(w->words, w->nwords, sizeof *w->words,
                                offsetof(struct pd_located, begin), begin);
    *to = pd_search_first_u32(w->words, w->nwords, sizeof *w->words,
                              offsetof(struct pd_located, end), (uint64_t)end + 1);
    *to = *to < *from ? *from : *to;
}

/* The first unit whose first word is not before word `from`. */
static size_t first_unit(const struct pd_dedup_words *w, size_t from)
{
    return pd_search_first_u32(w->units, w->nunits, sizeof *w->units,
                               offsetof(struct pd_sentence, word), from);
}

/* ---- units that are found ---- */

/* Does the text of the other document stay, as far as something was said to go? */
static bool stays(const struct pd_cuts *lost, uint32_t begin, uint32_t end)
{
    if (!lost)
        return true;
    const size_t next = pd_search_first_u32(lost->v, lost->n, sizeof *lost->v,
                                            offsetof(struct pd_cut, end), (uint64_t)begin + 1);
    return next == lost->n || lost->v[next].begin >= end;
}

/* Keep unit u, of whose words `matched` are among the words [from, to) of the other document. */
static void keep_unit(struct pd_comparing *c, const struct pd_claim *claim, size_t u,
                      uint32_t matched, uint32_t from, uint32_t to)
{
    const struct pd_sentence *unit = &c->gone.units[u];
    if (!stays(c->lost, c->kept.words[from].begin, c->kept.words[to - 1].end))
        return;
    pd_unit_places(c)[u] = pd_no_place;
    pd_copieds_push(&c->found,
                    (struct pd_copied){.place = claim->gone,
                                       .begin = unit->begin,
                                       .kept = claim->kept,
                                       .row = claim->row,
                                       .family = claim->family,
                                       .end = unit->end,
                                       .next = u + 1 < c->gone.nunits ? unit[1].begin : unit->end,
                                       .unit = (uint32_t)u,
                                       .words = unit->nwords,
                                       .matched = matched,
                                       .kept_words = to - from,
                                       .kept_from = from,
                                       .kept_to = to,
                                       .kept_begin = c->kept.words[from].begin,
                                       .kept_end = c->kept.words[to - 1].end});
}

/* n words of `kept` from word `from` on, and where the words of a unit stand among them. */
struct aligned {
    const uint64_t *kept;
    size_t from, n;
    uint32_t *at; /* for each word of the unit: 1 plus the number of its match; 0: none */
};

/* Set at[k], for each word k of `gone`, to 1 plus the index of its match in `kept`, or to 0. */
static void align(struct pd_comparing *c, struct pd_spoken kept, struct pd_spoken gone,
                  uint32_t *at)
{
    pd_align(&c->alignment, kept, gone);
    memcpy(at, c->alignment.at.v, gone.n * sizeof *at);
}

/* Which words of a unit have matches: how many, and from where up to where the matches are. */
static uint32_t count_matches(const struct aligned *a, uint32_t nwords, uint32_t *from,
                              uint32_t *to)
{
    uint32_t matched = 0;
    for (uint32_t k = 0; k < nwords; k++)
        if (a->at[k]) {
            *from = matched++ ? *from : a->at[k] - 1;
            *to = a->at[k];
        }
    return matched;
}

/* Look for a unit again near the match of the word in its middle, as all its words are there. */
static void narrow(struct pd_comparing *c, const struct pd_sentence *unit, struct aligned *a)
{
    uint32_t nwords = unit->nwords, middle = nwords / 2;
    while (middle > 0 && !a->at[middle])
        middle--;
    const size_t match = a->at[middle] ? a->at[middle] - 1 : 0;
    const size_t skip = match > nwords ? match - nwords : 0;
    const size_t end = match + nwords < a->n ? match + nwords : a->n;
    const uint64_t *terms = (const uint64_t *)(const void *)c->terms.v;
    a->kept += skip;
    a->from += skip;
    a->n = end - skip;
    align(c, (struct pd_spoken){a->kept, (uint32_t)a->n},
          (struct pd_spoken){terms + (unit->word - c->first), nwords}, a->at);
}

/* Keep unit u if enough of its words stand in the other document. */
static void judge_unit(struct pd_comparing *c, const struct pd_claim *claim, size_t u,
                       struct aligned a)
{
    const struct pd_sentence *unit = &c->gone.units[u];
    const double least = c->d->options->dedup.min_agreement * unit->nwords;
    uint32_t from = 0, to = 0, matched = count_matches(&a, unit->nwords, &from, &to);
    if (matched == 0 || matched < least)
        return;
    if (matched < c->d->options->dedup.min_agreement * (to - from)) {
        narrow(c, unit, &a);
        matched = count_matches(&a, unit->nwords, &from, &to);
    }
    if (matched > 0 && matched >= least &&
        matched >= c->d->options->dedup.min_agreement * (to - from))
        keep_unit(c, claim, u, matched, (uint32_t)a.from + from, (uint32_t)a.from + to);
}

/* ---- what need not be compared ---- */

/* Is unit u to be looked for in this passage? */
static bool is_wanted(const struct pd_comparing *c, size_t u, const struct pd_claim *claim)
{
    const struct pd_unit_place *p = &pd_unit_places(c)[u];
    return p->kept != claim->kept ? p->kept < claim->kept : p->row <= claim->row;
}

/* Has unit u words behind word `from`? */
static bool ends_behind(const struct pd_comparing *c, size_t u, size_t from)
{
    return (size_t)c->gone.units[u].word + c->gone.units[u].nwords > from;
}

/* The end of the units that lie among the words before `to`. */
static size_t units_before(const struct pd_comparing *c, size_t u, size_t to)
{
    while (u < c->gone.nunits && (size_t)c->gone.units[u].word + c->gone.units[u].nwords <= to)
        u++;
    return u;
}

/* Set the bits of the words [from, to) of `kept` that stay. */
static void set_bits(struct pd_comparing *c, size_t from, size_t to)
{
    const struct pd_cut *r = c->lost ? c->lost->v : NULL;
    size_t gone = 0;
    const size_t end = c->lost ? c->lost->n : 0;
    pd_word_bits_begin(&c->bits, to - from, BITS_OF_WORD);
    for (size_t k = from; k < to; k++) {
        const struct pd_located *word = &c->kept.words[k];
        while (gone < end && r[gone].end <= word->begin)
            gone++;
        if (gone < end && r[gone].begin < word->end)
            continue;
        pd_word_bits_add(&c->bits, word->term);
    }
}

/* Can enough words of unit u be in the set? False is certain. */
static bool may_stand(const struct pd_comparing *c, size_t u, struct pd_word_set set)
{
    const double rounding = 1e-6;
    const struct pd_sentence *unit = &c->gone.units[u];
    const struct pd_located *words = c->gone.words + unit->word;
    const double spare = unit->nwords * (1 - c->d->options->dedup.min_agreement) + rounding;
    uint32_t absent = 0;
    for (uint32_t k = 0; k < unit->nwords && absent <= spare; k++)
        absent += !pd_word_set_may_have(set, words[k].term);
    return absent <= spare && absent < unit->nwords;
}

/* Can a wanted unit of [u, end) be found among the words of the set? */
static bool any_may_stand(const struct pd_comparing *c, const struct pd_claim *claim, size_t u,
                          size_t end, struct pd_word_set set)
{
    for (; u < end; u++)
        if (is_wanted(c, u, claim) && may_stand(c, u, set))
            return true;
    return false;
}

/*
 * Keep unit u, which lies partly in the passage, if all of its words stand in the other document one
 * behind the other.
 *   word, kept   a word of the passage, and where it stands there
 */
static void judge_edge(struct pd_comparing *c, const struct pd_claim *claim, size_t u, size_t word,
                       size_t kept)
{
    const struct pd_sentence *unit = &c->gone.units[u];
    const size_t before = word - unit->word, from = kept - before;
    if (!is_wanted(c, u, claim) || kept < before || from + unit->nwords > c->kept.nwords)
        return;
    for (size_t k = 0; k < unit->nwords; k++)
        if (c->gone.words[unit->word + k].term != c->kept.words[from + k].term)
            return;
    keep_unit(c, claim, u, unit->nwords, (uint32_t)from, (uint32_t)from + unit->nwords);
}

/* Is a unit to be looked for in the passage, which has at least a part of it? */
static bool has_wanted(const struct pd_comparing *c, const struct pd_claim *claim)
{
    const uint32_t begin = (uint32_t)(claim->gone_bytes >> 32), end = (uint32_t)claim->gone_bytes;
    const struct pd_sentence *units = c->gone.units;
    size_t u = pd_search_first_u32(units, c->gone.nunits, sizeof *units,
                                   offsetof(struct pd_sentence, end), (uint64_t)begin + 1);
    while (u < c->gone.nunits && units[u].begin < end && !is_wanted(c, u, claim))
        u++;
    return u < c->gone.nunits && units[u].begin < end;
}

/* Bring the words of a passage into c->terms, and align those of `gone` with those of `kept`. */
static struct aligned align_passage(struct pd_comparing *c, size_t from, size_t to,
                                    size_t kept_from, size_t kept_to)
{
    const size_t n = to - from, kept_n = kept_to - kept_from;
    pd_bytes_reserve(&c->terms, (n + kept_n + 1) * sizeof(uint64_t));
    pd_bytes_reserve(&c->matches, (n + 1) * sizeof(uint32_t));
    uint64_t *gone = (uint64_t *)(void *)c->terms.v, *kept = gone + n;
    uint32_t *at = (uint32_t *)(void *)c->matches.v;
    for (size_t k = 0; k < n; k++)
        gone[k] = c->gone.words[from + k].term;
    for (size_t k = 0; k < kept_n; k++)
        kept[k] = c->kept.words[kept_from + k].term;
    c->first = from;
    align(c, (struct pd_spoken){kept, (uint32_t)kept_n}, (struct pd_spoken){gone, (uint32_t)n}, at);
    return (struct aligned){kept, kept_from, kept_n, at};
}

/*
 * Keep the units that have words of a leak: at least one, and half of the words that the passage
 * has of the unit. So no word in a run of equal words is left.
 */
static int keep_touched(struct pd_comparing *c, const struct pd_claim *claim)
{
    size_t from, to, kept_from, kept_to;
    find_words(&c->gone, claim->gone_bytes, &from, &to);
    PD_TRY(pd_dedup_words(c->d, claim->kept, &c->kept));
    find_words(&c->kept, claim->kept_bytes, &kept_from, &kept_to);
    if (from == to || kept_from == kept_to)
        return PD_OK;
    size_t u = first_unit(&c->gone, from);
    u -= u > 0 && ends_behind(c, u - 1, from);
    const struct aligned passage = align_passage(c, from, to, kept_from, kept_to);
    for (; u < c->gone.nunits && c->gone.units[u].word < to; u++) {
        const size_t begin = c->gone.units[u].word, end = begin + c->gone.units[u].nwords;
        const size_t first = begin > from ? begin : from, behind = end < to ? end : to;
        struct aligned a = passage;
        uint32_t at_first = 0, at_end = 0;
        a.at += first - from;
        if (first >= behind || !is_wanted(c, u, claim))
            continue;
        const uint32_t matched = count_matches(&a, (uint32_t)(behind - first), &at_first, &at_end);
        if (matched > 0 && 2 * (size_t)matched >= behind - first)
            keep_unit(c, claim, u, matched, (uint32_t)kept_from + at_first,
                      (uint32_t)kept_from + at_end);
    }
    return PD_OK;
}

int pd_compare_claim(struct pd_comparing *c, const struct pd_claim *claim,
                     const struct pd_cuts *lost)
{
    size_t from, to, kept_from, kept_to;
    c->lost = lost;
    if (!has_wanted(c, claim))
        return PD_OK;
    if (c->d->options->dedup.run)
        return keep_touched(c, claim);
    find_words(&c->gone, claim->gone_bytes, &from, &to);
    size_t u = first_unit(&c->gone, from);
    const size_t end = units_before(c, u, to), u_first = u;
    while (u < end && !is_wanted(c, u, claim))
        u++;
    if (u == end || (lost && lost->n && lost->v[0].end == PD_ALL_LOST))
        return PD_OK;
    struct pd_word_set all;
    PD_TRY(pd_dedup_word_set(c->d, claim->kept, &c->sets, &c->set, &all));
    if (!any_may_stand(c, claim, u, end, all))
        return PD_OK;
    PD_TRY(pd_dedup_words(c->d, claim->kept, &c->kept));
    find_words(&c->kept, claim->kept_bytes, &kept_from, &kept_to);
    if (u_first > 0 && ends_behind(c, u_first - 1, from) && kept_from < kept_to)
        judge_edge(c, claim, u_first - 1, from, kept_from);
    if (end < c->gone.nunits && c->gone.units[end].word < to && kept_from < kept_to)
        judge_edge(c, claim, end, to - 1, kept_to - 1);
    set_bits(c, kept_from, kept_to);
    if (!any_may_stand(c, claim, u, end, (struct pd_word_set){c->bits.v.v, c->bits.log}))
        return PD_OK;
    const struct aligned passage = align_passage(c, from, to, kept_from, kept_to);
    for (; u < end; u++)
        if (is_wanted(c, u, claim))
            judge_unit(c, claim, u,
                       (struct aligned){passage.kept, passage.from, passage.n,
                                        passage.at + (c->gone.units[u].word - from)});
    return PD_OK;
}
