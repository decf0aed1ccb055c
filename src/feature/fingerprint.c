/*
 * feature/fingerprint.c - units with one signature: bag, sequence, lengths; and multisets.
 *
 * bag: Yoon, Jang, Kim, Park, "Detecting Partial and Near Duplication in the Blogosphere", IEICE
 * Transactions E95-D(2), 2012, section 2. multiset: the qSign-lsh paper, section 3, whose index has
 * the frequency of each word in a sentence and the length of the sentence. sequence, lengths: Wang,
 * Chang, "Exploiting Sentence-Level Features for Near-Duplicate Document Detection", AIRS 2009,
 * section 3.1. A sequence of sentence lengths is hashed like a sequence of words. With
 * --char-ngram, a gram with single characters has the signature of a longer run, which begins with
 * it.
 */
#include "pardup/base/sort.h"
#include "sign.h"

/* Make the hash of a list the unit's only signature. A unit without items has no signature. */
static void sign_list(struct pd_signer *s, const uint64_t *items, size_t n)
{
    if (n == 0)
        return;
    s->identity.v[0] = pd_sign_list(PD_SEED_FIRST, items, n);
    s->identity.v[1] = pd_sign_list(PD_SEED_SECOND, items, n);
    pd_sigs_push(&s->set, s->identity.v[0]);
}

void pd_sign_bag(struct pd_signer *s, const struct pd_unit *unit)
{
    pd_sign_terms(s, unit, PD_WORD_LEFT_OUT);
    pd_sort_records(s->room.v, s->room.n, 1, 1);
    sign_list(s, s->room.v, s->room.n);
}

/*
 * The first time that a word occurs has the signature that the word has in a set. So the overlap of
 * two such sets is that of the multisets.
 */
void pd_sign_multiset(struct pd_signer *s, const struct pd_unit *unit)
{
    uint64_t times = 0;
    pd_sign_terms(s, unit, PD_WORD_LEFT_OUT);
    const uint64_t *terms = s->room.v;
    pd_sort_records(s->room.v, s->room.n, 1, 1);
    pd_sigs_reserve(&s->set, s->room.n);
    for (size_t k = 0; k < s->room.n; k++) {
        times = k && terms[k] == terms[k - 1] ? times + 1 : 0;
        s->set.v[s->set.n++] = times ? pd_mix(terms[k] + times) : terms[k];
    }
}

uint32_t pd_signer_words(const struct pd_signer *s, const struct pd_unit *gram)
{
    if (!s->char_ngram)
        return gram->nwords;
    const uint32_t all = gram->nwords + gram->nbehind, enough = s->ngram * s->char_ngram;
    uint32_t n = 0;
    for (uint32_t said = 0; said < enough; n++) {
        if (n == all)
            return 0;
        said += s->singles[gram->words[n]] ? s->ngram : s->char_ngram;
    }
    return n;
}

void pd_sign_sequence(struct pd_signer *s, const struct pd_unit *unit)
{
    pd_sign_terms(s, &(struct pd_unit){.words = unit->words, .nwords = pd_signer_words(s, unit)},
                  0);
    sign_list(s, s->room.v, s->room.n);
}

/*
 * A hash of a list waits for the hash of the word before, so four lists are hashed at the same
 * time. Word k of a document is in list k % LANES.
 */
enum { LANES = 4 };

static inline void add_word(struct pd_identity *lane, uint64_t term)
{
    lane->v[0] = pd_sign_next(lane->v[0], term);
    lane->v[1] = pd_sign_next(lane->v[1], term);
}

struct pd_identity pd_signer_whole(const struct pd_signer *s, const uint32_t *words, size_t nwords)
{
    const uint64_t salt = 0x452821E638D01377u; /* digits of pi: no unit has this identity */
    struct pd_identity whole = {{PD_SEED_FIRST ^ salt, PD_SEED_SECOND ^ salt}};
    struct pd_identity lanes[LANES] = {whole, whole, whole, whole};
    size_t k = 0;
    for (; k + LANES <= nwords; k += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            add_word(&lanes[lane], s->terms[words[k + lane]]);
    for (size_t lane = 0; k < nwords; k++, lane++)
        add_word(&lanes[lane], s->terms[words[k]]);
    for (size_t lane = 0; lane < LANES; lane++) {
        whole.v[0] = pd_sign_next(whole.v[0], lanes[lane].v[0]);
        whole.v[1] = pd_sign_next(whole.v[1], lanes[lane].v[1]);
    }
    return whole;
}

void pd_sign_lengths(struct pd_signer *s, const struct pd_unit *unit)
{
    pd_sigs_reserve(&s->room, unit->nbase);
    for (uint32_t k = 0; k < unit->nbase; k++)
        s->room.v[k] = unit->base[k].nwords;
    s->room.n = unit->nbase;
    sign_list(s, s->room.v, s->room.n);
}
