/*
 * lexicon.h - words that decide whether a sentence ends: abbreviations and sentence starters.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_LEXICON_H
#define PARDUP_DOCUMENT_LEXICON_H

#include <stdbool.h>
#include <stddef.h>

/* Properties of a word, as bits; a word may have several. */
enum pd_lexicon {
    PD_NEVER = 1 << 0,    /* abbreviation inside sentences: e.g., vs. */
    PD_TITLE = 1 << 1,    /* abbreviation before a name: Dr., Mt. */
    PD_NUMBERED = 1 << 2, /* abbreviation before a number: No., Fig. */
    PD_ENDER = 1 << 3,    /* abbreviation that may close a sentence: Inc., Jr., Calif. */
    PD_ETC = 1 << 4,      /* abbreviation that closes a sentence before any capital: etc. */
    PD_CLOCK = 1 << 5,    /* abbreviation after a time of day: a.m., p.m. */
    PD_CAPITAL = 1 << 6,  /* the word is an abbreviation only when capitalised: Sun., Miss. */
    PD_STARTER = 1 << 7,  /* word rarely capitalised except to start a sentence: The, However */
    PD_DATE = 1 << 8,     /* month, weekday, time zone: may follow "5 p.m." or "3." in a sentence */
    PD_EXCLAIM = 1 << 9,  /* name written with an exclamation mark: Yahoo! */
};

/*
 * Build the table of words. To be called before the functions below; cheap when it has been built.
 * Thread-safe.
 */
void pd_lexicon_load(void);

/*
 * Look a word up.
 *   word    n bytes, without the final period
 *   left    bytes that may be read from `word` on, at least n
 * Returns bits of enum pd_lexicon, 0 for an unknown word.
 */
unsigned pd_lexicon(const unsigned char *word, size_t n, size_t left);

/*
 * A quick test that says true for most words: true when the word that ends before `end` is surely
 * no abbreviation and no PD_EXCLAIM, and does not end with one after a hyphen or other sign. False
 * says nothing. The word ends with an ASCII letter. Reads the eight bytes before `end`.
 */
bool pd_lexicon_lacks(const unsigned char *end);

#endif
