/* src/synth/similar.h - the words of sentences as sets, as pardup's own word rules see them. */
#ifndef PARDUP_SYNTH_SIMILAR_H
#define PARDUP_SYNTH_SIMILAR_H

#include "pardup/synth/truth.h"

struct pd_synth_set {
    const uint64_t *v, *end; /* ascending, each once */
};

size_t pd_synth_count_words(const unsigned char *s, size_t n);

/* Append the hashes of the words of s, ascending, each once. */
void pd_synth_word_set(const unsigned char *s, size_t n, struct pd_synth_hashes *out);

double pd_synth_jaccard(struct pd_synth_set a, struct pd_synth_set b);

#endif
