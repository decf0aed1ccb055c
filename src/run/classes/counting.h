/*
 * run/classes/counting.h - how often each term occurs in the collection, and flags for the words of
 * the terms that this decides about.
 *
 * Every rank sends the counts of the words of its volumes to the owners of their terms
 * (pd_counting_gather). An owner reads the counts term by term (pd_counting_next). Or it picks
 * terms by their sums, and replies to every volume that has a picked term; the replies become flags
 * of the volume's words (pd_counting_flag). A gather serves one pass over the counts.
 */
#ifndef PARDUP_RUN_COUNTING_H
#define PARDUP_RUN_COUNTING_H

#include <stdbool.h>

#include "pardup/feature/imatch.h"
#include "pardup/feature/vocabulary.h"
#include "run/job.h"

/* A word of one volume. As a reply, it travels to the rank of the volume. Order: where, number. */
struct pd_volume_word {
    uint64_t where;  /* rank << 32 | volume of that rank */
    uint64_t number; /* word number in the volume; in a reply also flags (pd_flagged_word) */
};

/*
 * How often one volume has a term. Goes to the owner of the term. Order: term, word.where, so that
 * counts come in the same order in every job.
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

    /* the flags of the words of a term whose counts have this sum; 0: it is not picked */
    unsigned char (*pick)(const struct pd_counting *s, uint64_t sum);
    struct pd_df_range kept; /* for `pick` by documents: terms outside this range are picked */
    uint64_t most_frequent;  /* for `pick` by occurrences: the fewest that a picked term has */

    uint64_t least_sent;        /* counts below this number are not sent */
    struct pd_vocabulary *sent; /* terms whose counts are sent, borrowed; NULL: all terms */

    /* ---- the counts of one term, for the caller of pd_counting_next ---- */
    struct pd_term_counts group;

    /* ---- private: counts that are sent ---- */
    size_t volume, next_word; /* the volume whose counts are sent, and the next of its words */
    bool counted;             /* `volume` has been counted into `own` */

    /* counts of `volume` by word number; empty: its document frequencies are the counts */
    struct pd_terms own;
    struct pd_stored stored;  /* the document that is counted */
    struct pd_shuffle counts; /* struct pd_term_count, at the owners of the terms */

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
 * Not collective. Read all counts of the next term that this rank owns into s->group, and add them
 * up. PD_OK; PD_END (no more terms); PD_EIO or PD_EFORMAT.
 */
int pd_counting_next(struct pd_counting *s, uint64_t *sum);

/*
 * COLLECTIVE. Pick terms, and flag their words in all volumes. *picked: terms of the collection
 * that got another flag than their commonness. Agreed: as pd_counting_gather.
 */
int pd_counting_flag(struct pd_counting *s, uint64_t *picked);

void pd_counting_release(struct pd_counting *s);

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
