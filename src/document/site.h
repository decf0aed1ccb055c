/*
 * site.h - a place where a sentence may end, and what can be seen from there.
 *
 * Seen is only what is near: the word before, the white space and the first word behind. So the
 * same sentence ends in the same way wherever it stands.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_SITE_H
#define PARDUP_DOCUMENT_SITE_H

#include "lexicon.h"
#include "lines.h"
#include "marker.h"

/* What stands at the site. */
enum mark {
    PERIOD = 1 << 0,   /* . */
    DOTS = 1 << 1,     /* .. ... … */
    SPACED = 1 << 2,   /* . . . */
    BANG = 1 << 3,     /* ! ? and runs with one of them */
    WIDE = 1 << 4,     /* 。 ！ ？ ； ｡ and the full stops of other scripts */
    WIDE_DOT = 1 << 5, /* ． */
    ITEM = 1 << 6,     /* a list marker in running text: the site is before it */
    LINE = 1 << 7,     /* a line end that is more than a space */
    ANY = PERIOD | DOTS | BANG,
};

/* Before the mark; bits of enum lexicon, of the word before the mark, are added. */
enum before {
    INITIAL = 1 << 10,   /* one capital letter */
    LETTER = 1 << 11,    /* one small letter */
    DOTTED = 1 << 12,    /* letters with periods: U.S, Ph.D */
    PLAIN = 1 << 13,     /* two letters or more, the last in lower case, no other sign */
    NUMBER = 1 << 14,    /* a digit */
    SHORT = 1 << 15,     /* a number of one or two digits */
    ASIAN = 1 << 16,     /* Chinese or Japanese */
    BARE = 1 << 17,      /* white space or nothing */
    OPENED = 1 << 18,    /* an opening bracket */
    MARKER = 1 << 19,    /* the mark belongs to the list marker that opens the sentence */
    NEXT_ITEM = 1 << 20, /* the marker here follows the one that opens the sentence */
    COLON = 1 << 21,     /* a colon, and the marker here is the first of its list */
    TITLED = 1 << 22,    /* within 《 》 */
    BRACED = 1 << 23,    /* within （ ） */
    TIMED = 1 << 24,     /* a time of the day is all the sentence has so far: At 5 a.m */
    LISTED = 1 << 25,    /* short lines in small letters, without marks; at a line end only */
    HANGING = 1 << 26,   /* a Japanese particle that needs a word behind it; at a line end only */
    ABBREVIATION = CLOCK | ETC | ENDER | DOTTED | INITIAL, /* that may end a sentence */
};

/* Behind the mark and the closing quotes and brackets; STARTER and DATE are added for the word. */
enum after {
    FINISH = 1 << 10,   /* the paragraph ends */
    BREAK = 1 << 11,    /* a line end that is more than a space */
    GLUED = 1 << 12,    /* no white space */
    SENTENCE = 1 << 13, /* a capitalised word and a space, as sentences begin */
    UPPER = 1 << 14,    /* capital letter; here and below behind opening quotes and dashes */
    SMALL = 1 << 15,    /* lower-case letter */
    DIGIT = 1 << 16,
    HAN = 1 << 17,      /* Chinese or Japanese */
    ROMAN = 1 << 18,    /* I, IV, XII */
    SINGLE = 1 << 19,   /* one letter and a period */
    PAREN = 1 << 20,    /* an opening parenthesis before the word */
    COMMA = 1 << 21,    /* , ; : and what else cannot begin a sentence */
    BULLET = 1 << 22,   /* a list marker */
    PARTICLE = 1 << 23, /* と behind a closing bracket: 「…。」と言った */
};

/* The sentence so far. */
struct pd_begun {
    size_t begin;            /* first byte, white space skipped */
    struct pd_marker marker; /* list marker that opens it */
};

struct pd_site {
    unsigned mark, before, after;
    size_t end;  /* of the sentence, should it end here */
    size_t next; /* where to go on reading, should it not */
};

/* Read the mark at text[i]: false when there is none, else *site: `before` of an ITEM only. */
bool pd_site_at(const struct pd_lines *l, const struct pd_begun *begun, size_t i,
                struct pd_site *site);

/* What is before the mark at text[i]: fills in `before`, and moves `end` behind a note's number. */
void pd_site_before(const struct pd_lines *l, const struct pd_begun *begun, size_t i,
                    struct pd_site *site);

/* Bits of enum before for the line end that is the gap behind text[i]. */
unsigned pd_site_line(const struct pd_lines *l, const struct pd_begun *begun, size_t i,
                      const struct pd_gap *gap);

/* Bits of enum after for what follows a gap. `closed`: a closing quote or bracket is before it. */
unsigned pd_site_after(const struct pd_lines *l, const struct pd_gap *gap, bool closed);

#endif
