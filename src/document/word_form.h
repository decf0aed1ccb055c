/*
 * word_form.h - what a character is to words, and the form in which a word is compared.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_WORD_FORM_H
#define PARDUP_DOCUMENT_WORD_FORM_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/bytes.h"

/* What a character does to words. SINGLE, KANA and RUN start one, the others only go on. */
enum kind {
    BREAK,
    RUN,        /* letters, digits, connectors */
    SINGLE,     /* a word of its own: Han, Hiragana */
    KANA,       /* Katakana: a run apart from Latin letters and digits */
    MARK,       /* belongs to what is before it, else starts a run */
    IGNORABLE,  /* invisible: neither starts, ends nor splits a word */
    APOSTROPHE, /* part of a word between letters */
    POINT,      /* part of a word between digits */
};

enum kind pd_kind_of(uint32_t c);

/* 0 for an ASCII byte that is no word, and for all others; else the byte in lower case. */
extern const unsigned char pd_ascii_form[256];

/*
 * A character of U+0080 to U+07FF or U+1E00 to U+1FFF. Where n > 0 its form is that of the character
 * alone whatever stands beside it, as long as that is such a character, too: it begins with no mark
 * that could be composed or sorted. Most letters of Latin, Greek, Cyrillic, Hebrew and Arabic are so.
 */
struct pd_simple {
    unsigned char kind; /* enum kind */
    unsigned char n;    /* bytes of its form; 0: it takes the long way */
    unsigned char form[6];
};
const struct pd_simple *pd_simple_forms(void); /* thread-safe */

enum { PD_SIMPLE_LOW = 0x800 - 0x80, PD_SIMPLE_HIGH = 0x2000 - 0x1E00 };

/* NULL for other characters. */
static inline const struct pd_simple *pd_simple_of(const struct pd_simple *forms, uint32_t c)
{
    if (c - 0x80 < PD_SIMPLE_LOW)
        return &forms[c - 0x80];
    return c - 0x1E00 < PD_SIMPLE_HIGH ? &forms[PD_SIMPLE_LOW + c - 0x1E00] : NULL;
}

/* Append the compared form of the word [s, end), whatever its characters. Linear time. */
void pd_word_form(const unsigned char *s, const unsigned char *end, struct pd_bytes *norm);

#endif
