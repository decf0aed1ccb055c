/*
 * lexicon.h - words that decide whether a sentence ends: abbreviations and sentence starters.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_LEXICON_H
#define PARDUP_DOCUMENT_LEXICON_H

#include <stdbool.h>
#include <stddef.h>

/* What is known of a word. A word may be several things. */
enum lexicon {
    NEVER = 1 << 0,    /* abbreviation inside sentences: e.g., vs. */
    TITLE = 1 << 1,    /* abbreviation before a name: Dr., Mt. */
    NUMBERED = 1 << 2, /* abbreviation before a number: No., Fig. */
    ENDER = 1 << 3,    /* abbreviation that may close a sentence: Inc., Jr., Calif. */
    ETC = 1 << 4,      /* abbreviation that closes it before any capital: etc. */
    CLOCK = 1 << 5,    /* a.m., p.m. */
    CAPITAL = 1 << 6,  /* is an abbreviation only when capitalised: Sun., Miss. */
    STARTER = 1 << 7,  /* capitalised inside a sentence by few: The, However */
    DATE = 1 << 8,     /* month, weekday, time zone: follow 5 p.m. and 3. in one sentence */
    EXCLAIM = 1 << 9,  /* name written with an exclamation mark: Yahoo! */
};

/* Before the two below. Cheap when it has been done. */
void pd_lexicon_load(void);

/*
 * Bits of enum lexicon for a word (n bytes, its final period left out), 0 for an unknown word. `left`: bytes
 * that may be read from there on, n or more.
 */
unsigned pd_lexicon(const unsigned char *word, size_t n, size_t left);

/*
 * True when the word that ends before `end`, with an ASCII letter, is known to be no abbreviation
 * and no EXCLAIM, nor to end with one behind a hyphen; of most words it is. Reads the eight bytes
 * before.
 */
bool pd_lexicon_lacks(const unsigned char *end);

#endif
