/* synth/similar.h - the words of sentences as sets, by the same rules for words as in pardup. */
#ifndef PARDUP_SYNTH_SIMILAR_H
#define PARDUP_SYNTH_SIMILAR_H

#include "pardup/synth/truth.h"

/* A set of hashes, borrowed. */
struct pd_synth_set {
    const uint64_t *v, *end; /* [v, end): ascending, each hash once */
};

/* The number of words of s[0, n). */
size_t pd_synth_count_words(const unsigned char *s, size_t n);

/* Append the hashes of the words of s[0, n), ascending, each once. */
void pd_synth_word_set(const unsigned char *s, size_t n, struct pd_synth_hashes *out);

/* The Jaccard index; 1 for two empty sets. */
double pd_synth_jaccard(struct pd_synth_set a, struct pd_synth_set b);

#endif
