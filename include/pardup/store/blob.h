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

/* Sentences and words of one document; words of sentence k are tokens [word, word + nwords). */
struct pd_stored {
    struct pd_sentences sentences;
    struct pd_tokens tokens;
};

/* Append a document to `to`. Numbers of frequent words should be small: theirs take fewer bytes. */
void pd_blob_encode(const struct pd_sentence *sentences, size_t n, const struct pd_token *tokens,
                    struct pd_bytes *to);

/* Decode the document at `blob` into `out`, whose arrays are reused. Returns the blob's bytes. */
size_t pd_blob_decode(const unsigned char *blob, struct pd_stored *out);
void pd_stored_release(struct pd_stored *out);

#endif
