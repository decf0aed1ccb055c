/*
 * feature/pairs.c - a counted word with each of the next counted words, in any order, and the run
 * of words that begins with any word.
 *
 * Torrejon, Ramos, "CoReMo 2.1 Plagiarism Detector System", CLEF 2013, compares sorted n-grams of
 * the words that are no stop words, and skips words between them.
 */
#include "pardup/base/error.h"
#include "sign.h"

void pd_sign_pairs_begin(struct pd_signer *s)
{
    PD_CHECK(s->reach >= 1 && s->reach <= PD_REACH_MOST);
}

/*
 * Forget the counted words up to the first word of a unit, and look for counted words behind it
 * until there are s->reach. Units that follow each other share them, so each word is looked at
 * about once, not once for each word before it.
 */
static void look_ahead(struct pd_signer *s, const struct pd_unit *unit)
{
    struct pd_ahead *const ahead = &s->ahead;
    const uint32_t behind = unit->nbehind < PD_PAIR_WORDS ? unit->nbehind : PD_PAIR_WORDS;
    const uint32_t *const end = unit->words + behind;
    while (ahead->from < ahead->to && ahead->at[ahead->from % PD_REACH_MOST] <= unit->words)
        ahead->from++;
    if (ahead->looked < unit->words)
        ahead->looked = unit->words;
    while (ahead->to - ahead->from < s->reach && ahead->looked < end) {
        const uint32_t word = *++ahead->looked;
        ahead->at[ahead->to % PD_REACH_MOST] = ahead->looked;
        ahead->term[ahead->to % PD_REACH_MOST] = s->terms[word];
        ahead->to += !(s->flags[word] & PD_WORD_LEFT_OUT);
    }
}

/* Sign the unit's first word, which counts, with the counted words behind it. Returns how many. */
static size_t sign_with_others(struct pd_signer *s, const struct pd_unit *unit)
{
    struct pd_ahead *const ahead = &s->ahead;
    const uint64_t first = s->terms[unit->words[0]];
    look_ahead(s, unit);
    size_t n = 0;
    /* no branch on what differs from pair to pair: it could not be predicted */
    for (uint32_t k = ahead->from; k < ahead->to; k++) {
        const uint64_t second = ahead->term[k % PD_REACH_MOST];
        bool again = second == first; /* a pair of one term, or a pair that the set has */
        for (uint32_t m = ahead->from; m < k; m++)
            again |= ahead->term[m % PD_REACH_MOST] == second;
        const uint64_t x = first < second ? first : second, y = first < second ? second : first;
        s->set.v[n] = pd_sign_next(pd_sign_next(PD_SEED_FIRST, x), y);
        if (!s->first_halves)
            s->room.v[n] = pd_sign_next(pd_sign_next(PD_SEED_SECOND, x), y);
        n += !again;
    }
    return n;
}

/* Sign the run of words that begins with the unit, as signature n. */
static void sign_run(struct pd_signer *s, const struct pd_unit *unit, size_t n)
{
    pd_sig x = PD_SEED_FIRST, y = PD_SEED_SECOND;
    for (uint32_t k = 0; k < PD_RUN_WORDS; k++)
        x = pd_sign_next(x, s->terms[unit->words[k]]);
    for (uint32_t k = 0; k < PD_RUN_WORDS && !s->first_halves; k++)
        y = pd_sign_next(y, s->terms[unit->words[k]]);
    s->set.v[n] = x;
    s->room.v[n] = y;
}

void pd_sign_pairs(struct pd_signer *s, const struct pd_unit *unit)
{
    if (!unit->follows)
        s->ahead = (struct pd_ahead){.looked = unit->words};
    if (unit->nwords == 0)
        return;
    __builtin_prefetch(&s->terms[unit->words[PD_WORDS_AHEAD]]);
    __builtin_prefetch(&s->flags[unit->words[PD_WORDS_AHEAD]]);
    pd_sigs_reserve(&s->set, PD_REACH_MOST + 1);
    pd_sigs_reserve(&s->room, PD_REACH_MOST + 1);
    size_t n = s->flags[unit->words[0]] & PD_WORD_LEFT_OUT ? 0 : sign_with_others(s, unit);
    if (unit->nbehind + 1 >= PD_RUN_WORDS)
        sign_run(s, unit, n++);
    s->set.n = n;
}
