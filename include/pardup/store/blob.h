/*
 * store/blob.h - one document as later stages need it, packed.
 *
 * Sentence bounds and words (as numbers), not the text: about three bytes a word, and no page is
 * decoded or parsed twice.
 */
#ifndef PARDUP_STORE_BLOB_H
#define PARDUP_STORE_BLOB_H

#include "pardup/base/bytes.h"
#include "pardup/base/unit.h"

PD_VEC(pd_offsets, uint32_t);
PD_VEC(pd_word_numbers, uint32_t);
#define PD_DECODED        UINT32_MAX
#define PD_NUMBERS_BEHIND 32

/*
 * A byte of the terms of a sentence's first and last word: nearly all words that differ are told apart by it, and none
 * has to be decoded for that.
 */
struct pd_fringe {
    uint8_t first, last;
};
PD_VEC(pd_fringes, struct pd_fringe);

static inline uint8_t pd_fringe_of(uint64_t term) { return (uint8_t)term; }

/* Sentences and words of one document; words of sentence k are tokens [word, word + nwords). */
struct pd_stored {
    struct pd_sentences sentences;
    struct pd_tokens tokens;
    const unsigned char *table;     /* of the blob, a row a sentence */
    const unsigned char *words;     /* of the blob: where they are ... */
    struct pd_offsets places;       /* ... those of each sentence; PD_DECODED: they are in tokens */
    struct pd_word_numbers numbers; /* of all words, once asked for; then PD_NUMBERS_BEHIND zeros */
};

/* Append a document to `to`; a fringe a sentence. Numbers of frequent words should be small: those below 2^16 take few bytes. */
void pd_blob_encode(const struct pd_sentence *sentences, const struct pd_fringe *fringes, size_t n,
                    const struct pd_token *tokens, struct pd_bytes *to);

/*
 * Sentences of the document at `blob`, into `out`, whose arrays are reused; tokens has room for its
 * words, but none of them yet. The blob is borrowed as long as words are asked for.
 */
void pd_blob_open(const unsigned char *blob, struct pd_stored *out);

/*
 * The numbers of all words, without what else is known of them, in half the time. Before any words are asked
 * for; they may be, afterwards.
 */
void pd_stored_numbers(struct pd_stored *out);

/* Decode the words of all sentences that have some of [from, to), if they are not yet. */
void pd_stored_words(struct pd_stored *out, uint32_t from, uint32_t to);

struct pd_fringe pd_stored_fringe(const struct pd_stored *out, size_t k); /* of sentence k */

/* Sentences and all words. Returns the blob's bytes. */
size_t pd_blob_decode(const unsigned char *blob, struct pd_stored *out);
void pd_stored_release(struct pd_stored *out);

#endif
