/*
 * store/docstore.h - what later stages need of the documents this rank has read.
 *
 * Sentence bounds and words (as vocabulary numbers), not the text: about three bytes a word, and
 * no page is decoded or parsed twice. One blob a document, varint-coded, in order of arrival.
 */
#ifndef PARDUP_STORE_DOCSTORE_H
#define PARDUP_STORE_DOCSTORE_H

#include "pardup/base/bytes.h"
#include "pardup/base/unit.h"

struct pd_blob {
    const unsigned char *at;
    size_t n;
};
PD_VEC(pd_blobs, struct pd_blob);
PD_VEC(pd_chunks, unsigned char *);

struct pd_docstore {
    struct pd_blobs blobs;
    struct pd_chunks chunks;
    size_t chunk_used, chunk_cap; /* of the newest chunk */
    uint64_t bytes;               /* of all blobs */
    struct pd_bytes scratch;
};

/* Sentences and words of one document; words of sentence k are tokens [word, word + nwords). */
struct pd_stored {
    struct pd_sentences sentences;
    struct pd_tokens tokens;
};

/* Append a document. Its number in the store is the count before the call. */
void pd_docstore_push(struct pd_docstore *s, const struct pd_sentence *sentences, size_t n,
                      const struct pd_token *tokens);

/* Decode document `k` into `out`, whose arrays are reused. */
void pd_docstore_read(const struct pd_docstore *s, size_t k, struct pd_stored *out);

void pd_docstore_release(struct pd_docstore *s);
void pd_stored_release(struct pd_stored *out);

#endif
