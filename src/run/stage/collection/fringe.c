/* run/stage/collection/fringe.c - see src/run/stage/collection/fringe.h */
#include "fringe.h"

/* The fringe of a sentence of n > 0 words. */
static struct pd_fringe fringe_of(const struct pd_word *words, uint32_t n)
{
    struct pd_fringe fringe = {.first = pd_fringe_of(words[0].term),
                               .last = pd_fringe_of(words[n - 1].term)};
    for (uint32_t k = 0; k < n; k++)
        fringe.words = pd_words_hash(fringe.words, words[k].term);
    fringe.words &= PD_FRINGE_WORDS;
    return fringe;
}

void pd_fringes_list(const struct pd_document *d, struct pd_fringes *fringes, struct pd_docrec *rec)
{
    size_t at = 0, at_doubtful = 0, at_linked = 0, at_stray = 0;
    pd_fringes_reserve(fringes, d->sentences.n);
    for (size_t k = 0; k < d->sentences.n; k++) {
        const struct pd_sentence *s = &d->sentences.v[k];
        struct pd_fringe *f = &fringes->v[k];
        *f = fringe_of(d->words.v + s->word, s->nwords);
        f->linked = pd_document_is_linked(d, k, &at_linked);
        f->doubtful = pd_document_in_doubt(d, k, &at_doubtful) && !f->linked;
        f->stray = pd_document_is_stray(d, k, &at_stray);
        f->frame = pd_document_in_frame(d, k, &at) && !f->stray;
        if (f->frame) {
            rec->frame_sentences++;
            rec->frame_words += s->nwords;
        } else {
            rec->inner_hash = pd_words_hash(rec->inner_hash, f->words);
        }
    }
}
