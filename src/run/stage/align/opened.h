/*
 * run/stage/align/opened.h - the document at hand: its units, and the words around a passage in it.
 *
 * Words are decoded only where they are asked for. What a caller needs of the words next to a
 * passage is one byte each as a rule, and most documents are left without a word decoded.
 */
#ifndef PARDUP_RUN_OPENED_H
#define PARDUP_RUN_OPENED_H

#include "pardup/passage/ends.h"
#include "run/stage/job.h"
#include "run/view.h"

/* Zeroed but for `job`: no document is at hand. */
struct pd_opened {
    struct pd_job *job;
    struct pd_held held;          /* the document; rec is NULL: there is none */
    struct pd_stored stored;      /* all of the document, decoded as far as needed */
    struct pd_bytes in_frame;     /* scratch: which base units are in a frame */
    struct pd_view view;          /* its units, and what is set aside */
    const uint64_t *terms;        /* terms by word number */
    const unsigned char *singles; /* by word number (store/volume.h) */
    struct pd_u64s prefixes;      /* hashes of the first 0, 1, ... items (pd_opened_hash) */
    size_t hashed;                /* items that pd_opened_hash was asked for so far */
    struct pd_u64s powers;        /* powers of the base of the hashes, from 1 on */
};

/*
 * Make document `number` of a side the document at hand. `in_turn`: documents are visited in the
 * order in which they were read, so the document after it is prefetched. PD_OK, PD_EIO, PD_EFORMAT.
 */
int pd_opened_go(struct pd_opened *d, const struct pd_side *side, pd_doc number, bool in_turn);

/* No document is at hand any more. Its memory stays for the next one. */
void pd_opened_forget(struct pd_opened *d);
void pd_opened_release(struct pd_opened *d);

/* Count its single characters (pd_own_singles). */
void pd_opened_singles(const struct pd_opened *d, struct pd_single_counts *counts);

/* How many words of the document are not set aside. */
uint32_t pd_opened_own(const struct pd_opened *d);

/* The words around units [start, start + length) (passage/ends.h). */
struct pd_ends pd_opened_ends(const struct pd_opened *d, uint32_t start, uint32_t length);

/*
 * A hash of the words of units [start, start + length). If it is equal for two passages of equal
 * form, their words are equal, one by one. If it differs, their words may be equal, too, since they
 * may be divided differently into base units. If units are base units, no words are decoded. Cost:
 * at most O(1) for each unit of the document, and O(1) for each call.
 */
uint64_t pd_opened_hash(struct pd_opened *d, uint32_t start, uint32_t length);

/* Write the terms of words [from, to) of the document. They are decoded first. */
void pd_opened_terms(struct pd_opened *d, uint32_t from, uint32_t to, uint64_t *terms);

/* Decode the n words nearest to the passage on one side. */
void pd_opened_decode(struct pd_opened *d, const struct pd_edge_side *side,
                      enum pd_direction direction, uint32_t n);

/* Word k of a side, the nearest first; and the term of a word. The word has been decoded. */
const struct pd_token *pd_opened_word(const struct pd_opened *d, const struct pd_edge_side *side,
                                      enum pd_direction direction, uint32_t k);
static inline uint64_t pd_opened_term(const struct pd_opened *d, const struct pd_token *token)
{
    return d->terms[token->term];
}

/*
 * One byte (pd_fringe_of) of the word before a passage that begins with unit `start`, and of the
 * word behind a passage that ends before unit `end`. 0: there is no such word.
 */
uint8_t pd_opened_byte_back(const struct pd_opened *d, const struct pd_edge_side *back,
                            uint32_t start);
uint8_t pd_opened_byte_ahead(const struct pd_opened *d, const struct pd_edge_side *ahead,
                             uint32_t end);

/*
 * Write one byte of each of the n words nearest to the passage on a side, the nearest first; 0:
 * there is no such word. The words have been decoded.
 */
void pd_opened_bytes(const struct pd_opened *d, const struct pd_edge_side *side,
                     enum pd_direction direction, uint32_t n, uint8_t *bytes);

#endif
