/*
 * run/stage/align/visiting.h - the hops of passages: what travels, and what a rank has at hand.
 *
 * The passages of a slice make three hops. A passage is found at the holder of its first document,
 * where it gets its offsets in that document and waits. First hop: a request goes to the holder of
 * the second document. It says where the passage lies, and has one byte of the word next to the
 * passage at each end (struct pd_fringe). Second hop: the reply brings the offsets in the second
 * document. If a byte agrees, the reply also has the words beyond that end, so that the first
 * holder can see how far the words agree. Bytes rarely agree, so hardly any word is decoded. The
 * request also has a hash of the words of the passage. If the words differ in the second document,
 * they follow the reply, and the first holder finds out how many agree. Third hop: the passage
 * becomes a row and travels to the rank that writes it.
 *
 * Passages come in order of the first document. Requests are sorted by the second document, and
 * replies into the order in which the passages wait. So each document is decoded once in a hop, and
 * each volume that does not stay in memory is loaded once in a hop. If volumes do not ascend with
 * document numbers, as after some restarts, passages whose volume does not stay in memory are set
 * aside. They follow the others in the order of their volumes.
 */
#ifndef PARDUP_RUN_VISITING_H
#define PARDUP_RUN_VISITING_H

#include <stdbool.h>
#include <stddef.h>

#include "opened.h"
#include "pardup/base/error.h"
#include "pardup/passage/agreement.h"
#include "pardup/passage/edges.h"
#include "pardup/passage/ends.h"
#include "pardup/store/spool.h"
#include "run/shuffle.h"
#include "run/stage/finishing.h"
#include "visit.h"
#include "waits.h"

/* A passage that waits at the holder of its first document. */
struct pd_waiting {
    struct pd_passage p;
    uint64_t bytes_a, own_a; /* as in struct pd_row, for the units of the passage */
    uint32_t own;            /* own words of all of the first document */
    uint32_t nwords;         /* words of the passage in the first document */
};

/*
 * Asks for the offsets of a passage in its second document. Goes to the holder of the second
 * document. Order: b.
 */
struct pd_request {
    uint64_t b;                 /* locator of the second document (holders.h) */
    uint64_t waits_at;          /* where the passage waits (waits.h) */
    uint64_t words_a;           /* hash of the words of the passage in the first document */
    uint32_t start_b, length_b; /* units of the passage in the second document */

    /*
     * words of the units next to the passage in the first document, PD_EDGE_WORDS at most; 0: none,
     * or no edges
     */
    uint16_t near_back, near_ahead;

    /* bytes of the words next to the passage in the first document (pd_fringe_of) */
    uint8_t first_back, first_ahead;
    uint16_t zero; /* 0: in place of padding */

    /*
     * what the second document must not share, each number absent unless it is compared: the host
     * of the first document, then the hash of its field
     */
    uint64_t apart_a[];

    /*
     * Behind them, where edges may grow far and all words have been decoded: a byte each of the
     * PD_OUTER words next to the passage in the first document, before it and behind it, the
     * nearest first; 0: there is no such word.
     */
};
enum { PD_OUTER = 16 };

/* Words of the second document before (back) and behind (ahead) a passage. */
struct pd_sent_words {
    uint32_t nback, nahead;
    struct pd_edge_word v[]; /* nback words, then nahead words, each side nearest first */
};

/*
 * The reply to a request. Goes to the rank where the passage waits. Order: waits_at, sent, so that
 * it comes before the words that follow it (struct pd_words_part). If there are edge words, the
 * record ends with a struct pd_sent_words.
 */
struct pd_reply {
    uint32_t size; /* bytes of the record, with its edge words */

    uint32_t left_out; /* enum pd_reply_left_out; 0: the passage stays */
    uint64_t waits_at; /* where the passage waits */

    /*
     * words of the second document that follow in records of their own: all words of the passage;
     * 0: none, since both documents have the same words
     */
    uint64_t sent;

    uint64_t bytes_b, own_b; /* as in struct pd_row, for the units of the passage */
    uint64_t own;            /* own words of all of the second document */
};

/* What the two documents share, so that their passage is left out. */
enum pd_reply_left_out {
    PD_REPLY_SAME_HOST = 1, /* --skip-same-host */
    PD_REPLY_SAME_FIELD     /* --skip-same */
};

/* ---- the words of a passage in its second document, on their way to the holder of its first ---- */

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

/* ---- what a rank has at hand ---- */

enum {
    PD_REPLY_MOST = sizeof(struct pd_reply) + sizeof(struct pd_sent_words) +
                    2 * PD_EDGE_WORDS * sizeof(struct pd_edge_word)
};
_Static_assert(PD_REPLY_MOST <= PD_EXCHANGE_RECORD, "a record must fit");
_Static_assert((int)PD_REPLY_MOST >= (int)PD_WORDS_PART_MOST, "where a reply fits, a part fits");

/* The passages of a slice that this rank has to do with. */
struct pd_visiting {
    struct pd_job *job;
    const struct pd_holders *holders;
    struct pd_gathering_rows *rows; /* takes the rows of the slice */
    size_t request_bytes;           /* bytes of a request, with all that is behind it */
    size_t outer_at;                /* where bytes of outer words begin in a request; 0: none */

    struct pd_passage_reader passages;

    /*
     * struct pd_passage whose first document is not in memory, with its locator in place of its
     * number
     */
    struct pd_shuffle later;

    struct pd_shuffle requests; /* struct pd_request, at the holders of second documents */
    struct pd_shuffle replies;  /* struct pd_reply, at the ranks where the passages wait */
    struct pd_spool waiting;    /* struct pd_waiting, in the order in which requests were made */
    uint64_t replied;           /* bytes of replies that this rank has sent */
    uint64_t replies_read;      /* waiting passages whose replies have been read */
    struct pd_finishing finish; /* makes rows of the pair at hand */

    struct pd_shuffle *reading;  /* the shuffle that this hop reads in order; NULL: none yet */
    struct pd_opened opened;     /* the document at hand */
    pd_doc counted;              /* of which finish.singles tells; UINT64_MAX: of none */
    struct pd_edge_word *beyond; /* scratch: room for PD_EDGE_WORDS words */

    struct pd_words_left words_left; /* second hop: words behind the reply that was written last */
    struct pd_u64s words_a, words_b; /* third hop: the words of a passage whose words differ */
};

/*
 * Begin to read `shuffle`, whose records have all come, unless it is read already. PD_OK, or the
 * failure of pd_shuffle_sort_own().
 */
int pd_visiting_read(struct pd_visiting *v, struct pd_shuffle *shuffle);

/*
 * The hops: write the records that come next, as pd_shuffle_send() asks for them. ctx: struct
 * pd_visiting.
 */
int pd_visiting_fill_requests(void *ctx, unsigned char *to, size_t cap, size_t *n);
int pd_visiting_fill_replies(void *ctx, unsigned char *to, size_t cap, size_t *n);
int pd_visiting_fill_rows(void *ctx, unsigned char *to, size_t cap, size_t *n);

#endif
