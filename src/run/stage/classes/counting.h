/*
 * run/stage/classes/counting.h - how often each term occurs in the background, and flags for the
 * words of the terms that this decides about.
 *
 * Every rank sends the counts of the words of its volumes to the owners of their terms
 * (pd_counting_gather). An owner reads the counts term by term (pd_counting_next). Or it picks
 * terms by their sums, and replies to every volume that has a picked term; the replies become flags
 * of the volume's words (pd_counting_flag). A gather serves one pass over the counts.
 *
 * With --frequencies rank 0 sends the lines of the table, too. Then the table says how often a term
 * occurs, and counts of volumes only say which volumes have it.
 */
#ifndef PARDUP_RUN_COUNTING_H
#define PARDUP_RUN_COUNTING_H

#include <stdbool.h>

#include "frequencies.h"
#include "pardup/feature/vocabulary.h"
#include "run/stage/job.h"

/* A word of one volume. As a reply, it travels to the rank of the volume. Order: where, number. */
struct pd_volume_word {
    uint64_t where;  /* rank << 32 | volume of that rank */
    uint64_t number; /* word number in the volume; in a reply also flags (pd_flagged_word) */
};

/*
 * How often one volume has a term; or, behind all volumes, how often the background of a table has
 * it. Goes to the owner of the term. Order: term, word.where, so that counts come in the same order
 * in every job.
 */
struct pd_term_count {
    uint64_t term;
    struct pd_volume_word word;
    uint64_t n; /* documents of the volume that have the word, or its occurrences in them */
};
PD_VEC(pd_term_counts, struct pd_term_count);

struct pd_counting {
    /* ---- set by the caller ---- */
    struct pd_job *job; /* borrowed */
    bool occurrences;   /* count occurrences, not documents */

    uint64_t least_sent;        /* counts below this number are not sent */
    struct pd_vocabulary *sent; /* terms whose counts are sent, borrowed; NULL: all terms */

    /* ---- one term, for the caller of pd_counting_next ---- */
    struct pd_term_counts group; /* its counts in volumes; with a table there may be none */

    /* ---- private: counts that are sent ---- */
    size_t volume, next_word; /* the volume whose counts are sent, and the next of its words */
    bool counted;             /* `volume` has been counted into `own` */

    /* counts of `volume` by word number; empty: its document frequencies are the counts */
    struct pd_terms own;
    struct pd_stored stored;     /* the document that is counted */
    struct pd_frequencies table; /* rank 0: the table of --frequencies, while it is sent */
    bool table_sent;             /* all of it has been sent */
    struct pd_shuffle counts;    /* struct pd_term_count, at the owners of the terms */

    /* ---- private: replies ---- */
    size_t replied;            /* counts of `group` that have been replied to */
    unsigned char flags;       /* the flags that the words of `group` get */
    uint64_t picked;           /* terms that this rank has picked */
    struct pd_shuffle replies; /* struct pd_volume_word, at the ranks of the volumes */
};

/*
 * COLLECTIVE. Send the counts of all words to the owners of their terms, and sort them. May be
 * called again. Agreed: PD_OK, PD_EIO, PD_EFORMAT (scratch cannot be read back) or PD_ESTOP.
 */
int pd_counting_gather(struct pd_counting *s);

/*
 * Not collective. Read all counts of the next term that this rank owns into s->group. *sum: how
 * often the background has it. PD_OK; PD_END (no more terms); PD_EIO or PD_EFORMAT.
 */
int pd_counting_next(struct pd_counting *s, uint64_t *sum);

/*
 * COLLECTIVE. Flag the words of all volumes as their frequency says (pd_word_flags). *picked: terms
 * of the collection that got another flag than their commonness. Agreed: as pd_counting_gather.
 */
int pd_counting_flag(struct pd_counting *s, uint64_t *picked);

void pd_counting_release(struct pd_counting *s);

/*
 * Not collective. Count a volume of this rank, for pd_counting_of(). PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_counting_volume(struct pd_counting *s, size_t volume);

/* How often volume v, which was counted last, has the word with this number. */
static inline uint64_t pd_counting_of(const struct pd_counting *s, const struct pd_volume *v,
                                      size_t word)
{
    return s->own.n ? s->own.v[word] : v->df.v[word];
}

/* A word number, with the flags that the word gets in the high 32 bits. */
static inline uint64_t pd_flagged_word(uint64_t number, unsigned char flags)
{
    return (uint64_t)flags << 32 | number;
}

/*
 * Not collective. Set flags of words of volume k of this rank (pd_flagged_word), beside the flags
 * that the words have. PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_flag_words(struct pd_job *job, size_t k, const struct pd_terms *words);

#endif
