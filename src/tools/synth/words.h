/*
 * tools/synth/words.h - the language of a synthetic collection.
 *
 * A word is made of syllables, which follow from its rank by frequency. The first PD_SYNTH_HEAD
 * ranks follow the law of Zipf and Mandelbrot. The ranks after them, the tail, follow a power law
 * without end, so the vocabulary keeps growing with the collection (Heaps' law with the exponent
 * 1 / PD_SYNTH_TAIL). The words of the first ranks and the lengths of sentences can instead be
 * learned from files.
 */
#ifndef PARDUP_TOOLS_SYNTH_WORDS_H
#define PARDUP_TOOLS_SYNTH_WORDS_H

#include "pardup/base/bytes.h"
#include "random.h"

#define PD_SYNTH_HEAD    32768u /* ranks that are kept in a table */
#define PD_SYNTH_TAIL    1.6    /* exponent of the power law behind them */
#define PD_SYNTH_LENGTHS 4096   /* lengths of sentences, all equally likely */
#define PD_SYNTH_WORD    24     /* bytes: room for the longest word and its length */

/* Entry k of the alias table: word k if a random 32-bit number is below `keep`, else `other`. */
struct pd_synth_alias {
    uint32_t keep;
    uint32_t other;
};

/* The words of a collection, with how often each is used, and the lengths of sentences. */
struct pd_synth_words {
    unsigned char (*head)[PD_SYNTH_WORD]; /* the words by rank: length in bytes, then the word */
    struct pd_synth_alias *alias;         /* to draw a rank: Walker's method, ACM TOMS 3 (1977) */
    uint32_t tail;                        /* how many of 2^16 words are drawn from the tail */
    uint16_t lengths[PD_SYNTH_LENGTHS];   /* words per sentence, ascending */
};

/* Make the words; pd_synth_words_release frees them. */
void pd_synth_words_init(struct pd_synth_words *w);

/*
 * Learn words and lengths of sentences.
 *   w      made by pd_synth_words_init()
 *   files  paths separated by commas
 * Returns PD_OK, PD_EIO, or PD_EFORMAT (the files have no word).
 */
int pd_synth_words_learn(struct pd_synth_words *w, const char *files);

/*
 * Make the alias table, by which words of the head are drawn in proportion to their weights.
 *   weight  PD_SYNTH_HEAD weights of any sum; overwritten
 */
void pd_synth_words_weigh(struct pd_synth_words *w, double *weight);
void pd_synth_words_release(struct pd_synth_words *w);

/* Draw a word of at least `least` bytes by frequency. Returns its length in bytes. */
size_t pd_synth_word(const struct pd_synth_words *w, struct pd_synth_random *r, size_t least,
                     unsigned char out[PD_SYNTH_WORD]);

/* Append the sentence of a key: a capital, words, marks between some of them, a mark at the end. */
void pd_synth_sentence_text(const struct pd_synth_words *w, uint64_t key, struct pd_bytes *out);

/* Append n capitalised words without a full stop, as in headings, navigation and names. */
void pd_synth_title(const struct pd_synth_words *w, struct pd_synth_random *r, unsigned n,
                    struct pd_bytes *out);

#endif
