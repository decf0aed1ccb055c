/*
 * word_form.h - what each character does to words, and the normalised form of a word.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_WORD_FORM_H
#define PARDUP_DOCUMENT_WORD_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/bytes.h"

/*
 * What a character does to words. The order matters: kinds from PD_CHAR_IGNORABLE on start no word.
 */
enum pd_char_kind {
    PD_CHAR_BREAK,  /* white space, punctuation, symbols: ends a word */
    PD_CHAR_RUN,    /* letter, digit or connector: starts or continues a run, which is one word */
    PD_CHAR_SINGLE, /* Han, Hiragana, Thai and its neighbours: a word of one letter */
    PD_CHAR_KANA,   /* Katakana: runs of their own, apart from Latin letters and digits */
    PD_CHAR_MARK, /* combining mark: continues a word, or starts a run where no word is before it */
    PD_CHAR_IGNORABLE,  /* invisible character: neither starts, ends nor splits a word */
    PD_CHAR_APOSTROPHE, /* part of a word when it stands between letters */
    PD_CHAR_POINT,      /* full stop or comma: part of a word when it stands between digits */
};

/* The kind of character c. */
enum pd_char_kind pd_kind_of(uint32_t c);

/* ASCII letters, digits and _ in lower case; 0 for all other bytes. */
extern const unsigned char pd_ascii_form[256];

/*
 * An entry of the table of U+0080 to U+07FF and U+1E00 to U+1FFF. In a word of only ASCII and
 * simple characters the normalised form of a simple character does not depend on its neighbours,
 * because the form is empty or begins with no mark that could be composed or reordered. Most
 * letters of Latin, Greek, Cyrillic, Hebrew and Arabic are simple, and so are the points of the
 * last two.
 */
struct pd_simple {
    unsigned char kind;    /* enum pd_char_kind */
    bool simple;           /* the character is simple, and continues a word */
    unsigned char n;       /* bytes of the normalised form of a simple character */
    unsigned char form[5]; /* the normalised form */
};

/* The table, built by the first call and never freed. Thread-safe. */
const struct pd_simple *pd_simple_forms(void);

/* The number of characters in each of the two ranges of the table. */
enum { PD_SIMPLE_LOW = 0x800 - 0x80, PD_SIMPLE_HIGH = 0x2000 - 0x1E00 };

/* The entry of character c in the table `forms`; NULL when c is in neither range. */
static inline const struct pd_simple *pd_simple_of(const struct pd_simple *forms, uint32_t c)
{
    if (c - 0x80 < PD_SIMPLE_LOW)
        return &forms[c - 0x80];
    return c - 0x1E00 < PD_SIMPLE_HIGH ? &forms[PD_SIMPLE_LOW + c - 0x1E00] : NULL;
}

/*
 * Append the normalised form of the word [begin, end), which may hold any characters, to `norm`.
 * The form may be empty. Linear time.
 */
void pd_word_form(const unsigned char *begin, const unsigned char *end, struct pd_bytes *norm);

#endif
