/*
 * run/job/dedup/worded.h - the words of documents that are in passages, and places of the
 * documents.
 *
 * The words lie in the file of the rank that has read the document (shared.h). A place is the
 * number of a document among them in the order of --keep: the document with the lower place keeps a
 * text.
 */
#ifndef PARDUP_RUN_DEDUP_WORDED_H
#define PARDUP_RUN_DEDUP_WORDED_H

#include "pardup/document/document.h"
#include "pardup/result/given.h"
#include "run/job/dedup/job.h"
#include "run/job/dedup/keep.h"
#include "run/job/dedup/ring.h"

/* Where the words of a document lie. */
struct pd_worded {
    uint64_t order;           /* documents with lower numbers come first in the order of --keep */
    uint64_t doc;             /* row of /documents; decides between equal orders */
    uint64_t rank, at;        /* which file, and where it begins there */
    uint64_t id_n;            /* bytes of its id */
    uint64_t head_n;          /* bytes of its record's head, if they are all that is needed; or 0 */
    uint64_t units, nwords;   /* how many it has */
    uint64_t text_bytes;      /* of its cleaned text */
    uint64_t asides;          /* spans of its text that are set aside */
    uint64_t claims, nclaims; /* passages that may take text from it: the first, how many */
};
PD_VEC(pd_wordeds, struct pd_worded);
enum { PD_WORDED_U64S = 12 };
_Static_assert(sizeof(struct pd_worded) == 8 * PD_WORDED_U64S, "place has padding");

/* Facts by which a record is left out or written again. */
struct pd_dedup_record {
    uint64_t changed;   /* when the file was changed, as pd_file has it */
    uint64_t body_hash; /* pd_hash_bytes() of its body, by which it is known again */
    uint64_t record_n;  /* its decoded bytes */
    uint64_t stored;    /* stored bytes of the members that it fills, or 0 */
    uint64_t whole;     /* 1: the record is a file that is one document */
    uint64_t item;      /* 1: it may be an item of a list */
};

struct pd_located {
    uint64_t term;
    uint32_t begin, end; /* bytes of the text */
};

/* The words of a document, read back. */
struct pd_dedup_words {
    uint64_t place;        /* UINT64_MAX: none */
    struct pd_ring *held;  /* where words that are read stay; NULL: in `bytes` only */
    struct pd_bytes bytes; /* words that are not held */
    const struct pd_sentence *units;
    const struct pd_located *words;
    size_t nunits, nwords;
};

/*
 * COLLECTIVE. Write the words of all documents in passages to files, agree on their places, and
 * give this rank the documents of its places. Agreed: PD_OK or a failure.
 */
int pd_dedup_read_words(struct pd_dedup *d, struct pd_wordeds *own);

/*
 * Append what is written of a document behind its id: its base units, words and text, and the set
 * of its words.
 *   bits  room for that set
 */
struct pd_word_bits;
void pd_dedup_put_words(struct pd_bytes *b, struct pd_word_bits *bits, const struct pd_document *t);

/* ---- order.c ---- */

/* What decides the order, besides the document itself. */
struct pd_ordering {
    struct pd_names *listed;  /* ids of --keep list: in the order of the list; else NULL */
    struct pd_given given;    /* what documents they mean */
    struct pd_keep_keys keys; /* of longest, field: and best:, with the values of documents */
};

/* COLLECTIVE. Read the list of --keep, if there is one. Agreed: PD_OK or a failure. */
int pd_ordering_open(struct pd_dedup *d, struct pd_ordering *o);
void pd_ordering_close(struct pd_ordering *o);

/* COLLECTIVE. Set `order` of documents that this rank has read. Agreed: PD_OK or a failure. */
int pd_dedup_set_order(struct pd_dedup *d, struct pd_ordering *o, struct pd_wordeds *read);

/* ---- words_back.c ---- */

/* Where the words of the document at a place lie. */
int pd_dedup_worded(struct pd_dedup *d, uint64_t place, struct pd_worded *w);

/* Bring the words of a document into `w`. */
int pd_dedup_words(struct pd_dedup *d, uint64_t place, struct pd_dedup_words *w);

/*
 * Bring the set of its words into *set: fewer bytes than its words are.
 *   held   where sets that are read stay
 *   own    takes a set that cannot be held
 */
struct pd_word_set;
enum { PD_DEDUP_WORD_BITS = 8 }; /* for each word of a document */
int pd_dedup_word_set(struct pd_dedup *d, uint64_t place, struct pd_ring *held,
                      struct pd_bytes *own, struct pd_word_set *set);

/* Bring what the result says is set aside of a document into `asides`: struct pd_cut, in order. */
int pd_dedup_asides(struct pd_dedup *d, const struct pd_worded *w, struct pd_bytes *asides);

/* Bring the places of all words of a document into `words`: struct pd_located. */
int pd_dedup_located(struct pd_dedup *d, const struct pd_worded *w, struct pd_bytes *words);

/* Bring the id of a document into `id`. */
int pd_dedup_id(struct pd_dedup *d, const struct pd_worded *w, struct pd_bytes *id);

/* Bring what is known of the record of a document into *record, and its head into `head`. */
int pd_dedup_record(struct pd_dedup *d, const struct pd_worded *w, struct pd_dedup_record *record,
                    struct pd_bytes *head);

/* Bring the cleaned text of a document into `text`, so that no page is parsed again. */
int pd_dedup_text(struct pd_dedup *d, const struct pd_worded *w, struct pd_bytes *text);

/* The same for bytes [begin, end) of the text. */
int pd_dedup_text_part(struct pd_dedup *d, const struct pd_worded *w, uint32_t begin, uint32_t end,
                       struct pd_bytes *text);

#endif
