/*
 * store/blob.h - the blob: one document as later stages need it, packed.
 *
 * A blob has the bounds of the base units and the word numbers of a document, not its text. It
 * takes about three bytes a word. With it no stage decodes or parses a page a second time.
 */
#ifndef PARDUP_STORE_BLOB_H
#define PARDUP_STORE_BLOB_H

#include <stdbool.h>

#include "pardup/base/bytes.h"
#include "pardup/base/unit.h"

PD_VEC(pd_offsets, uint32_t);
PD_VEC(pd_word_numbers, uint32_t);
#define PD_DECODED        UINT32_MAX /* in place of an offset: the words are decoded */
#define PD_NUMBERS_BEHIND 32         /* zeros after the word numbers of a document */

/*
 * The fringe of a sentence: what can be asked about its words without decoding them. `words` tells
 * whether two sentences are equal word for word. The bytes are for edge words: if two words differ,
 * their bytes nearly always differ. `frame`, `doubtful`, `linked` and `stray` are what the
 * reader of the page told of the sentence. At most one of them is true.
 */
struct pd_fringe {
    uint64_t words;      /* hash of the terms of all words, in order (pd_words_hash), 61 bits */
    uint8_t first, last; /* a byte each of the terms of the first and last word (pd_fringe_of) */
    bool frame;    /* the sentence is in the frame of its page (document/document.h), not stray */
    bool doubtful; /* it is in a doubtful block of the main content */
    bool linked;   /* it is in a linked block of the main content */
    bool stray;    /* it is in running text of the frame */
};
#define PD_FRINGE_WORDS (UINT64_MAX >> 3) /* the bits of `words` */
PD_VEC(pd_fringes, struct pd_fringe);

/* The byte of a term that goes into a fringe. */
static inline uint8_t pd_fringe_of(uint64_t term) { return (uint8_t)term; }

/*
 * The hash of some words and of one word more behind them; begin with 0. Terms are hashes, so that
 * a multiplication for each word is enough to tell sequences apart.
 */
static inline uint64_t pd_words_hash(uint64_t before, uint64_t term)
{
    const unsigned __int128 product = (unsigned __int128)(before ^ term) * 0x9E3779B97F4A7C15u;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Which sentences of a blob are opened. Sentences that are not, and their words, leave no trace. */
enum pd_blob_part { PD_BLOB_ALL, PD_BLOB_WITHOUT_FRAME };

/*
 * Sentences and words of one document. The words of sentence k are tokens [word, word + nwords) of
 * sentences.v[k]; they are valid once they are decoded.
 */
struct pd_stored {
    struct pd_sentences sentences;
    struct pd_tokens tokens;         /* one per word, also for words that are not decoded */
    const unsigned char *table;      /* in the blob: a row per sentence */
    struct pd_offsets rows;          /* per sentence: its row, if sentences were left out */
    size_t nrows;                    /* rows of the table */
    const unsigned char *words;      /* in the blob: the packed words */
    struct pd_offsets word_offsets;  /* per sentence: offset in `words`, or PD_DECODED */
    size_t words_n;                  /* bytes of `words` */
    struct pd_word_numbers numbers;  /* the numbers of all words: see pd_stored_numbers() */
    const struct pd_fringe *fringes; /* of the sentences of a document without a blob; else NULL */
};

/*
 * Append the blob of a document to `to`.
 *   sentences, fringes   n of each
 *   tokens               the words of all sentences; `term` is the word number. Frequent words
 *                        should have small numbers: numbers below 2^16 take the fewest bytes
 */
void pd_blob_encode(const struct pd_sentence *sentences, const struct pd_fringe *fringes, size_t n,
                    const struct pd_token *tokens, struct pd_bytes *to);

/*
 * Decode the sentences of a blob. No words are decoded, but `tokens` has room for all of them.
 *   blob   borrowed for as long as words or fringes are asked for
 *   out    zeroed, or used for another blob before: its arrays are used again
 */
void pd_blob_open(const unsigned char *blob, enum pd_blob_part part, struct pd_stored *out);

/*
 * Decode the numbers of all words into out->numbers.v, followed by PD_NUMBERS_BEHIND zeros. It
 * takes half the time of decoding the words with their bounds. Call it before any words are
 * decoded; words may be decoded afterwards.
 */
void pd_stored_numbers(struct pd_stored *out);

/* Decode all words of the sentences that have words in [from, to), unless they are decoded. */
void pd_stored_words(struct pd_stored *out, uint32_t from, uint32_t to);

/* The fringe of sentence k. */
struct pd_fringe pd_stored_fringe(const struct pd_stored *out, size_t k);

/* Decode the sentences and all words of a blob. Returns the size of the blob in bytes. */
size_t pd_blob_decode(const unsigned char *blob, enum pd_blob_part part, struct pd_stored *out);

/* Free the arrays; the struct is zeroed but for pointers into the blob. */
void pd_stored_release(struct pd_stored *out);

#endif
