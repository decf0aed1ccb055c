/*
 * run/align/sent_words.h - the words of a passage in its second document, on their way to the holder
 * of its first document.
 *
 * Most passages have the same words in both documents, and then no words travel: the two holders
 * compare a hash (pd_opened_hash). Otherwise the words follow the reply in records of their own.
 */
#ifndef PARDUP_RUN_SENT_WORDS_H
#define PARDUP_RUN_SENT_WORDS_H

#include "opened.h"
#include "pardup/passage/agreement.h"
#include "run/shuffle.h"

/*
 * Some words of the second document of a passage. Goes to the rank where the passage waits. Order:
 * waits_at, part. The reply comes before all parts.
 */
struct pd_words_part {
    uint32_t size;     /* bytes of the record */
    uint32_t zero;     /* 0: in place of padding */
    uint64_t waits_at; /* where the passage waits */
    uint64_t part;     /* number of the record, from PD_FIRST_PART on */
    uint64_t terms[];  /* the terms of the words, in order */
};
#define PD_FIRST_PART ((uint64_t)1 << 32) /* more than any number of words in a reply */
enum {
    PD_WORDS_IN_PART = 1024, /* most words in a record */
    PD_WORDS_PART_MOST = sizeof(struct pd_words_part) + PD_WORDS_IN_PART * sizeof(uint64_t)
};

/* Words [next, end) of a document that are still to be sent. Zeroed: none. */
struct pd_words_left {
    uint64_t waits_at, part; /* of the record that is written next */
    uint32_t next, end;
};

/*
 * Write the next record of words of the document at hand; some are left. There is room for
 * PD_WORDS_PART_MOST bytes. Returns its bytes.
 */
size_t pd_words_send(struct pd_words_left *left, struct pd_opened *d, struct pd_words_part *to);

/*
 * Read the records that hold n words of the passage that waits at `waits_at`, and replace the
 * contents of `terms` by their words. PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_words_receive(struct pd_shuffle *from, uint64_t waits_at, uint32_t n, struct pd_u64s *terms);

#endif
