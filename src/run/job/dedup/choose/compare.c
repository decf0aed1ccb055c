/* run/job/dedup/choose/compare.c - see compare.h */
#include "run/job/dedup/choose/compare.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/search.h"
#include "pardup/document/fragment.h"

enum {
    SETS_SHARE = 4,      /* 1 / SETS_SHARE of what is held is for sets of words */
    SETS_MOST = 4 << 20, /* bytes of sets and of words that are held: more are of little use */
    WORDS_MOST = 16 << 20,
    LABEL_RUNS = 2,    /* so is one of 1 / LABEL_RUNS of the words, alone on its lines */
    FRAGMENT_RUNS = 3, /* a fragment is shorter than this many times --min-run */
    BITS_OF_WORD = 16 /* bits for each word of a passage, so that few words share a bit by chance */
};

void pd_comparing_open(struct pd_comparing *c, struct pd_dedup *d)
{
    const uint64_t held = pd_budget_bytes(d->memory, PD_BUDGET_HELD);
    *c = (struct pd_comparing){.d = d,
                               .gone.place = UINT64_MAX,
                               .kept.place = UINT64_MAX,
                               .text_place = UINT64_MAX,
                               .alignment = PD_ALIGNMENT};
    pd_ring_open(&c->sets, pd_min_size(held / SETS_SHARE, SETS_MOST));
    pd_ring_open(&c->words, pd_min_size(held - held / SETS_SHARE, WORDS_MOST));
    c->kept.held = &c->words;
}

void pd_comparing_close(struct pd_comparing *c)
{
    PD_RELEASE(pd_bytes, &c->gone.bytes, &c->kept.bytes);
    pd_alignment_release(&c->alignment);
    PD_RELEASE(pd_bytes, &c->terms, &c->matches, &c->bits.v, &c->set, &c->after, &c->text,
               &c->kept_text);
    pd_ring_close(&c->words);
    pd_ring_close(&c->sets);
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

/* The unit that has the word. */
static const struct pd_sentence *unit_with(const struct pd_dedup_words *w, size_t word)
{
    return w->units + first_unit(w, word + 1) - 1;
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
                                       .kept_end = c->kept.words[to - 1].end,
                                       .box = (uint32_t)u,
                                       .box_end = (uint32_t)u});
}

/* ---- numbers, names and boxes ---- */

/* Bring the text of `gone` to hand. */
static int bring_text(struct pd_comparing *c)
{
    struct pd_worded w;
    if (c->text_place == c->gone.place)
        return PD_OK;
    c->text_place = c->gone.place;
    PD_TRY(pd_dedup_worded(c->d, c->gone.place, &w));
    return pd_dedup_text(c->d, &w, &c->text);
}

/* Is the word a number, or inside its unit a name? Bytes of `text` count from `at`. */
static bool is_fact(const struct pd_dedup_words *w, size_t word, const struct pd_bytes *text,
                    uint32_t at)
{
    const struct pd_located *x = &w->words[word];
    const unsigned char *s = text->v + (x->begin - at);
    if (pd_has_digit(s, x->end - x->begin))
        return true;
    const size_t unit = first_unit(w, word);
    const bool first = unit < w->nunits && w->units[unit].word == word;
    return pd_may_be_name(s, x->end - x->begin, first);
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

/*
 * A unit and the words [from, to) that prove it are not all the same. Is the unit no sentence, as
 * in lists, tables and program text, or do they differ in a number or a name?
 */
static int differs(struct pd_comparing *c, const struct pd_claim *claim,
                   const struct pd_sentence *unit, const struct aligned *a, uint32_t from,
                   uint32_t to, bool *differ)
{
    const struct pd_located *kept = c->kept.words + a->from;
    struct pd_worded w;
    PD_TRY(bring_text(c));
    *differ = !pd_ends_sentence(c->text.v + unit->begin, unit->end - unit->begin);
    for (uint32_t k = 0; k < unit->nwords && !*differ; k++)
        *differ = !a->at[k] && is_fact(&c->gone, unit->word + k, &c->text, 0);
    if (*differ)
        return PD_OK;
    PD_TRY(pd_dedup_worded(c->d, claim->kept, &w));
    PD_TRY(pd_dedup_text_part(c->d, &w, kept[from].begin, kept[to - 1].end, &c->kept_text));
    uint32_t next = 0;
    for (uint32_t k = from; k < to && !*differ; k++) {
        while (next < unit->nwords && a->at[next] < k + 1)
            next++;
        *differ = (next == unit->nwords || a->at[next] != k + 1) &&
                  is_fact(&c->kept, a->from + k, &c->kept_text, kept[from].begin);
    }
    return PD_OK;
}

/*
 * Keep unit u if all of its words stand one behind the other among the words [from, to) of `kept`;
 * after the first choice, where claims may lead to a wrong place, anywhere in `kept`.
 */
static void find_same(struct pd_comparing *c, const struct pd_claim *claim, size_t u, size_t from,
                      size_t to)
{
    const struct pd_sentence *unit = &c->gone.units[u];
    const struct pd_located *words = c->gone.words + unit->word;
    const size_t n = unit->nwords;
    if (c->lost) {
        from = 0;
        to = c->kept.nwords;
    }
    for (size_t k = from, same = 0; k + n <= to && same < n; k++) {
        for (same = 0; same < n && words[same].term == c->kept.words[k + same].term; same++)
            ;
        if (same == n)
            keep_unit(c, claim, u, unit->nwords, (uint32_t)k, (uint32_t)(k + n));
    }
}

/* Keep unit u if enough of its words stand in the other document. */
static int judge_unit(struct pd_comparing *c, const struct pd_claim *claim, size_t u,
                      struct aligned a)
{
    const struct aligned window = a;
    bool differ = false;
    const struct pd_sentence *unit = &c->gone.units[u];
    const double least = c->d->options->dedup.min_agreement * unit->nwords;
    uint32_t from = 0, to = 0, matched = count_matches(&a, unit->nwords, &from, &to);
    if (matched == 0 || matched < least)
        return PD_OK;
    if (matched < c->d->options->dedup.min_agreement * (to - from)) {
        narrow(c, unit, &a);
        matched = count_matches(&a, unit->nwords, &from, &to);
    }
    if (matched == 0 || matched < least ||
        matched < c->d->options->dedup.min_agreement * (to - from))
        return PD_OK;
    if (c->d->careful && (matched < unit->nwords || matched < to - from))
        PD_TRY(differs(c, claim, unit, &a, from, to, &differ));
    if (differ)
        find_same(c, claim, u, window.from, window.from + window.n);
    else
        keep_unit(c, claim, u, matched, (uint32_t)a.from + from, (uint32_t)a.from + to);
    return PD_OK;
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

/* Words of the first and the last sentence of a passage that lie outside it. */
struct outside {
    size_t before, behind;
};

/* Widen the words [*from, *to) of a passage to whole sentences. */
static struct outside widen(const struct pd_comparing *c, size_t *from, size_t *to)
{
    const struct outside none = {0, 0};
    const struct pd_dedup_words *w = &c->gone;
    if (*from == *to)
        return none;
    const struct pd_sentence *first = unit_with(w, *from), *last = unit_with(w, *to - 1);
    const struct outside edges = {*from - first->word, last->word + last->nwords - *to};
    *from -= edges.before;
    *to += edges.behind;
    return edges;
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

/* Bring the words of a passage into c->terms, and align the words of `gone` with the words of `kept`. */
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
    const struct outside edges = widen(c, &from, &to);
    size_t u = first_unit(&c->gone, from);
    const size_t end = units_before(c, u, to);
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
    kept_from -= pd_min_size(edges.before, kept_from);
    kept_to = pd_min_size(kept_to + edges.behind, c->kept.nwords);
    set_bits(c, kept_from, kept_to);
    if (!any_may_stand(c, claim, u, end, (struct pd_word_set){c->bits.v.v, c->bits.log}))
        return PD_OK;
    const struct aligned passage = align_passage(c, from, to, kept_from, kept_to);
    for (; u < end; u++)
        if (is_wanted(c, u, claim))
            PD_TRY(judge_unit(c, claim, u,
                              (struct aligned){passage.kept, passage.from, passage.n,
                                               passage.at + (c->gone.units[u].word - from)}));
    return PD_OK;
}

/* Does no other text stand on the lines of unit u of `gone`, whose text is at hand? */
static bool is_alone(const struct pd_comparing *c, size_t u)
{
    const struct pd_bytes *t = &c->text;
    size_t begin = c->gone.units[u].begin, end = c->gone.units[u].end;
    while (begin > 0 && (t->v[begin - 1] == ' ' || t->v[begin - 1] == '\t'))
        begin--;
    while (end < t->n && (t->v[end] == ' ' || t->v[end] == '\t' || t->v[end] == '\r'))
        end++;
    return (begin == 0 || t->v[begin - 1] == '\n') && (end == t->n || t->v[end] == '\n');
}

/* Does unit u of `gone`, whose text is at hand, begin in a line that is a remark in program text? */
static bool is_remark(const struct pd_comparing *c, size_t u)
{
    const struct pd_bytes *t = &c->text;
    size_t at = c->gone.units[u].begin;
    while (at > 0 && t->v[at - 1] != '\n')
        at--;
    while (at < t->n && (t->v[at] == ' ' || t->v[at] == '\t'))
        at++;
    return at + 2 < t->n && memcmp(t->v + at, "// ", 3) == 0;
}

/* Is unit u of `gone`, whose text is at hand, a fragment? */
static bool is_fragment(const struct pd_comparing *c, size_t u)
{
    const struct pd_sentence *unit = &c->gone.units[u];
    const unsigned char *s = c->text.v + unit->begin;
    const size_t n = unit->end - unit->begin;
    if (unit->nwords < c->d->min_run / LABEL_RUNS && is_alone(c, u))
        return true;
    return (unit->nwords < FRAGMENT_RUNS * c->d->min_run && !pd_ends_sentence(s, n)) ||
           pd_has_braces(s, n) || is_remark(c, u);
}

/* Is unit u of `gone`, a fragment, a question? It goes with what follows, not with what is before. */
static bool is_question(const struct pd_comparing *c, size_t u)
{
    return c->text.v[c->gone.units[u].end - 1] == '?';
}

int pd_compare_boxes(struct pd_comparing *c)
{
    uint32_t from = UINT32_MAX, to = UINT32_MAX; /* the last box; empty: a unit in no box */
    if (c->found.n == 0 || c->d->min_run <= 1)
        return PD_OK;
    PD_TRY(bring_text(c));
    for (size_t k = 0; k < c->found.n; k++) {
        struct pd_copied *found = &c->found.v[k];
        const uint32_t unit = found->unit;
        if (unit != from && (unit < from || unit >= to)) {
            from = to = unit;
            while (to < c->gone.nunits && is_fragment(c, to) && (to == unit || !is_question(c, to)))
                to++;
            while (to > unit && from > 0 && !is_question(c, from) && is_fragment(c, from - 1))
                from--;
        }
        found->box = from;
        found->box_end = to;
    }
    return PD_OK;
}
