/*
 * run_cut.h - long runs without a sentence end are cut by their content.
 *
 * Tables, transcripts and encoded data may have no mark for pages. Such a run is cut where its
 * words say so, and not at fixed distances. Equal text is therefore cut equally wherever it stands.
 * A gap is a cut when the hash of the three words before it is lower than the hash at each of the
 * REACH gaps on both sides.
 * Source: N. Bjorner, A. Blass, Y. Gurevich, "Content-dependent chunking for differential
 * compression, the local maximum approach", JCSS 76, 2010.
 *
 * A unit has REACH words or more, and 2 REACH + 1 in the mean. Text that stands farther than REACH
 * words from a gap does not matter.
 *
 * Deviation: words are hashed, not bytes, so another wrapping of lines gives the same cuts. A
 * unit of more than 1 KB, as of one word that repeats, is cut there.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_RUN_CUT_H
#define PARDUP_DOCUMENT_RUN_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most characters of a sentence: about 330 words of English. */
#define PD_LONG_SENTENCE ((size_t)2000)

/* Is the sentence text[begin, end) a long run, of more than PD_LONG_SENTENCE characters? */
bool pd_run_is_long(const unsigned char *text, size_t begin, size_t end);

enum { PD_RUN_REACH = 14, PD_RUN_WINDOW = 2 * PD_RUN_REACH + 1 };

/* The state of cutting text[begin, end). */
struct pd_long_run {
    const unsigned char *text;    /* borrowed */
    size_t end;                   /* end of the run */
    size_t next;                  /* the text before it has been read */
    size_t cut;                   /* the last cut, or the run's begin */
    size_t inside;                /* bytes that were read since white space */
    uint64_t hash, last[2];       /* of the bytes of this word so far, and of the two before */
    size_t gaps[PD_RUN_WINDOW];   /* places of the last gaps: gap k is at k % PD_RUN_WINDOW */
    uint64_t keys[PD_RUN_WINDOW]; /* hashes of the words at the gaps */
    size_t ngaps;                 /* gaps found so far */
};

/* Start to cut the long run text[begin, end), valid UTF-8, borrowed as long as `run` is used. */
void pd_run_open(struct pd_long_run *run, const unsigned char *text, size_t begin, size_t end);

/* The next cut, ascending; the run's end when there is none left. Linear time in all. */
size_t pd_run_next(struct pd_long_run *run);

#endif
