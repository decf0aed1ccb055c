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

PD_VEC(pd_places, uint32_t);
PD_VEC(pd_numbers, uint32_t);
#define PD_DECODED        UINT32_MAX
#define PD_NUMBERS_BEHIND 32

/* Sentences and words of one document; words of sentence k are tokens [word, word + nwords). */
struct pd_stored {
    struct pd_sentences sentences;
    struct pd_tokens tokens;
    const unsigned char *words; /* of the blob: where they are ... */
    struct pd_places places;    /* ... those of each sentence; PD_DECODED: they are in tokens */
    struct pd_numbers numbers;  /* of all words, once asked for; then PD_NUMBERS_BEHIND zeros */
};

/* Append a document to `to`. Numbers of frequent words should be small: those below 2^16 take few bytes. */
void pd_blob_encode(const struct pd_sentence *sentences, size_t n, const struct pd_token *tokens,
                    struct pd_bytes *to);

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

/* Decode the words of sentence k, if they are not yet: whoever knows it need not have it searched. */
void pd_stored_sentence(struct pd_stored *out, size_t k);

/* Sentences and all words. Returns the blob's bytes. */
size_t pd_blob_decode(const unsigned char *blob, struct pd_stored *out);
void pd_stored_release(struct pd_stored *out);

#endif
