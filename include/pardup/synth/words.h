/*
 * synth/words.h - the language of a synthetic collection.
 *
 * Words are made by syllables from their frequency rank. The first PD_SYNTH_HEAD ranks follow
 * Zipf-Mandelbrot; the rest a power law without end, so that the vocabulary keeps growing with the
 * collection (Heaps, exponent 1 / PD_SYNTH_TAIL). Or the head and the lengths of sentences are
 * learned from given files.
 */
#ifndef PARDUP_SYNTH_WORDS_H
#define PARDUP_SYNTH_WORDS_H

#include "pardup/base/bytes.h"
#include "pardup/synth/random.h"

#define PD_SYNTH_HEAD    32768u
#define PD_SYNTH_TAIL    1.6
#define PD_SYNTH_LENGTHS 4096 /* equally likely lengths */
#define PD_SYNTH_WORD    24   /* bytes: room for the longest word */

struct pd_synth_alias {
    uint32_t keep;
    uint32_t other; /* this word when a 32-bit number is below keep, else the other */
};

struct pd_synth_words {
    unsigned char (*head)[PD_SYNTH_WORD]; /* length, then the word */
    struct pd_synth_alias *alias;         /* Walker's method, ACM TOMS 3 (1977) */
    uint32_t tail;                        /* share of the tail, of 2^16 */
    uint16_t lengths[PD_SYNTH_LENGTHS];   /* words per sentence, ascending */
};

void pd_synth_words_init(struct pd_synth_words *w);

/* Take words and lengths of sentences from files (paths separated by commas). PD_OK, PD_EIO, or PD_EFORMAT (no word). */
int pd_synth_words_learn(struct pd_synth_words *w, const char *files);

/* Make ready to draw the words of the head with these weights, which are changed. */
void pd_synth_words_weigh(struct pd_synth_words *w, double *weight);
void pd_synth_words_release(struct pd_synth_words *w);

/* Write a word drawn by frequency, of at least `least` bytes; returns its length. */
size_t pd_synth_word(const struct pd_synth_words *w, struct pd_synth_random *r, size_t least,
                     unsigned char out[PD_SYNTH_WORD]);

/* Append a sentence: capital, words, commas and the like, full stop. */
void pd_synth_sentence_text(const struct pd_synth_words *w, uint64_t key, struct pd_bytes *out);

/* Append `n` capitalised words without a full stop: headings, navigation, names. */
void pd_synth_title(const struct pd_synth_words *w, struct pd_synth_random *r, unsigned n,
                    struct pd_bytes *out);

#endif
