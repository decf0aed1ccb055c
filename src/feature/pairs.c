/*
 * feature/pairs.c - a counted word with each of the next counted words, in any order.
 *
 * Torrejon, Ramos, "CoReMo 2.1 Plagiarism Detector System", CLEF 2013, compares sorted n-grams of
 * the words that are no stop words, and skips words between them.
 * Deviation: only pairs of words, which survive in text that was translated or whose words were
 * replaced. Instead of a list of stop words, words that are frequent in the collection are left
 * out. No stemming.
 */
#include "pardup/base/error.h"
#include "sign.h"

void pd_sign_pairs_begin(struct pd_signer *s)
{
    PD_CHECK(s->reach >= 1 && s->reach <= PD_REACH_MOST);
}

/* Add the signature of two terms, unless the set has it. */
static void add_pair(struct pd_signer *s, uint64_t x, uint64_t y)
{
    const uint64_t pair[2] = {x < y ? x : y, x < y ? y : x};
    const pd_sig sig = pd_sign_list(PD_SEED_FIRST, pair, 2);
    for (size_t k = 0; k < s->set.n; k++)
        if (s->set.v[k] == sig)
            return;
    s->room.v[s->set.n] = pd_sign_list(PD_SEED_SECOND, pair, 2);
    s->set.v[s->set.n++] = sig;
}

void pd_sign_pairs(struct pd_signer *s, const struct pd_unit *unit)
{
    const uint32_t last = unit->nbehind < PD_PAIR_WORDS ? unit->nbehind : PD_PAIR_WORDS;
    if (unit->nwords == 0 || s->flags[unit->words[0]] & PD_WORD_LEFT_OUT)
        return;
    const uint64_t first = s->terms[unit->words[0]];
    pd_sigs_reserve(&s->set, PD_REACH_MOST);
    pd_sigs_reserve(&s->room, PD_REACH_MOST);
    for (uint32_t k = 1, found = 0; k <= last && found < s->reach; k++) {
        if (s->flags[unit->words[k]] & PD_WORD_LEFT_OUT)
            continue;
        found++;
        if (s->terms[unit->words[k]] != first)
            add_pair(s, first, s->terms[unit->words[k]]);
    }
}
