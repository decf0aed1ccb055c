/*
 * ending.h - endings: the positions in a text at which a sentence may end, and what stands around
 * them.
 *
 * An ending is a full stop or other mark, a line end, or the start of a list marker. Only what is
 * near is looked at: the word before the mark, the white space behind it, and the first word behind
 * the white space. The same sentence therefore ends in the same way wherever it stands.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_ENDING_H
#define PARDUP_DOCUMENT_ENDING_H

#include "lexicon.h"
#include "lines.h"
#include "marker.h"

/* The mark at the ending, in bits. */
enum pd_mark {
    PD_PERIOD = 1 << 0,   /* one full stop: . */
    PD_DOTS = 1 << 1,     /* several full stops, or an ellipsis: .. ... … */
    PD_SPACED = 1 << 2,   /* three full stops with spaces between them: . . . */
    PD_BANG = 1 << 3,     /* a run of marks with an exclamation or question mark: ! ? ?! */
    PD_WIDE = 1 << 4,     /* a run of marks with 。 ！ ？ ｡ or a stop of another script */
    PD_WIDE_DOT = 1 << 5, /* a full-width full stop: ． */
    PD_ITEM = 1 << 6, /* a list marker in running text; the sentence may end before the marker */
    PD_LINE = 1 << 7, /* a line end that means more than a space */
    PD_ANY = PD_PERIOD | PD_DOTS | PD_BANG,
};

/*
 * What stands before the mark, in bits. The bits of enum pd_lexicon for the word before the mark
 * are added.
 */
enum pd_before {
    PD_INITIAL = 1 << 10,      /* the word is one letter: a capital, or of a script without case */
    PD_SMALL_LETTER = 1 << 11, /* the word is one small letter */
    PD_DOTTED = 1 << 12,       /* the word is letters with periods between them: U.S, Ph.D */
    PD_PLAIN_WORD = 1 << 13,   /* two bytes or more: letters, - and ', a small letter last */
    PD_NUMBER = 1 << 14,       /* a digit is before the mark */
    PD_SHORT = 1 << 15,        /* the word is a number of one or two digits */
    PD_ASIAN = 1 << 16,        /* a Chinese or Japanese character is before the mark */
    PD_BARE = 1 << 17,         /* white space is before the mark, or the sentence begins with it */
    PD_OPENED = 1 << 18,       /* an opening bracket is before the mark */
    PD_MARKER = 1 << 19,       /* the mark belongs to the list marker that opens the sentence */
    PD_NEXT_ITEM = 1 << 20, /* the mark is a bullet, or the list marker after the sentence's own */
    PD_COLON = 1 << 21,     /* the mark is the first marker of its list, and a colon is before it */
    PD_TITLED = 1 << 22,    /* the mark is between 《 and 》 */
    PD_BRACED = 1 << 23,    /* the mark is between （ and ） */
    PD_TIMED = 1 << 24,     /* the sentence is short so far and ends with a time of day: At 5 a.m */
    /*
     * Only for PD_LINE: the sentence is a short line that begins with a small letter, and the next
     * line is short and has no ! or ? and no . before white space
     */
    PD_LISTED = 1 << 25,
    PD_UNCAPPED = 1 << 27, /* set by sentence.c: the sentence is of text without capitals */
    PD_HANGING = 1 << 26, /* only for PD_LINE: a Japanese particle that needs a word is before it */
    PD_ABBREVIATION =
        PD_CLOCK | PD_ETC | PD_ENDER | PD_DOTTED | PD_INITIAL, /* may end a sentence */
};

/*
 * What stands behind the mark, and behind the quotes and brackets that close there, in bits. The
 * word is the first word, behind opening quotes, brackets and dashes. PD_STARTER and PD_DATE of
 * enum lexicon are added for the word.
 */
enum pd_after {
    PD_FINISH = 1 << 10, /* the paragraph ends */
    PD_BREAK = 1 << 11,  /* a line end that means more than a space */
    PD_GLUED = 1 << 12,  /* no white space */
    PD_SENTENCE =
        1 << 13,         /* no white space, but the word looks like a sentence start: end.The new */
    PD_UPPER = 1 << 14,  /* the first or second letter of the word is a capital: Apple, iPhone */
    PD_SMALL = 1 << 15,  /* the word begins with a small letter */
    PD_DIGIT = 1 << 16,  /* the word begins with a digit */
    PD_HAN = 1 << 17,    /* the word is Chinese or Japanese */
    PD_ROMAN = 1 << 18,  /* the word is a Roman number: I, IV, XII */
    PD_SINGLE = 1 << 19, /* the word is one letter and a period */
    PD_PAREN = 1 << 20,  /* an opening parenthesis is before the word */
    PD_COMMA = 1 << 21,  /* a comma, colon or other sign that cannot begin a sentence */
    PD_BULLET = 1 << 22, /* a list marker */
    PD_PARTICLE = 1 << 23, /* a Japanese particle behind a closing quote: 「…。」と言った */
};

/* The start of the sentence that is being read. */
struct pd_begun {
    size_t begin;            /* offset of its first byte that is not white space */
    struct pd_marker marker; /* list marker that opens the sentence; style 0: none */
};

/* A position at which a sentence may end. */
struct pd_ending {
    unsigned mark;   /* bits of enum pd_mark */
    unsigned before; /* bits of enum pd_before and enum pd_lexicon */
    unsigned after;  /* bits of enum pd_after and enum pd_lexicon */
    size_t end;      /* offset at which the sentence ends, if it ends here */
    size_t next;     /* offset at which reading goes on, if it does not */
};

/*
 * Read the mark or list marker at text[i] into *ending. `before` is filled in for a PD_ITEM only,
 * `after` never. False when there is none; *ending is then undefined. ':' and ';' must not be the
 * first character of the text.
 */
bool pd_ending_at(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                  struct pd_ending *ending);

/*
 * Fill in ending->before for the mark at text[i], which pd_ending_at() has read. When `before` is 0
 * or PD_PLAIN_WORD and the bare number of a footnote is behind a full stop, ending->end moves
 * behind the number.
 */
void pd_ending_before(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                      struct pd_ending *ending);

/*
 * The bits PD_LISTED and PD_HANGING of enum pd_before, for a PD_LINE whose gap begins at text[i]. A
 * character is before text[i].
 */
unsigned pd_ending_line(const struct pd_lines *lines, const struct pd_begun *begun, size_t i,
                        const struct pd_gap *gap);

/* Is the first letter of the sentence a small one, behind its list marker, quotes and brackets? */
bool pd_ending_begins_small(const struct pd_lines *lines, const struct pd_begun *begun);

/*
 * The bits of enum pd_after for a gap and the text behind it. `closed`: a closing quote or bracket
 * is before the gap.
 */
unsigned pd_ending_after(const struct pd_lines *lines, const struct pd_gap *gap, bool closed);

#endif
