/*
 * seam.h - seams: what a printer put inside a word, such as the hyphen at the end of a line.
 *
 * A seam stands between two letters that are not Chinese or Japanese:
 *   - a soft hyphen (U+00AD) and a line end
 *   - a hyphen (- U+2010 U+2E17, or the sign U+00AC, which old texts have for it) and a line end,
 *     when the next line goes on in small letters, or when both parts are in capitals
 *   - a bar (| U+2223) between two letters, as editions of old books mark a line end. It is the
 *     only bar of the word, and what is behind it looks like the rest of a word as above.
 * A line end is one CR LF, LF or CR with blanks, and signs > of quotation behind it.
 *
 * A compound such as "well-" newline "known" cannot be told from a word that was divided, and is
 * joined. Of 7,600 hyphens before a line end and a small letter in eight scanned books, 96 of 100
 * divide a word. In a collection of news 70 of 100 do, and they are rare in text that was typed.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_SEAM_H
#define PARDUP_DOCUMENT_SEAM_H

#include <stdbool.h>

#include "pardup/document/document.h"

/* May the character at s, which begins with 0xC2 or 0xE2, begin a seam? */
static inline bool pd_seam_may_begin(const unsigned char *s)
{
    if (s[0] == 0xC2)
        return s[1] == 0xAC || s[1] == 0xAD;
    return (s[1] == 0x80 && s[2] == 0x90) || (s[1] == 0xB8 && s[2] == 0x97) ||
           (s[1] == 0x88 && s[2] == 0xA3);
}

/*
 * The end of the seam that begins at text[i], which is the first byte of a character of
 * text[begin, end); i when none begins there. Text outside is not read.
 */
size_t pd_seam_end(const unsigned char *text, size_t begin, size_t i, size_t end);

/*
 * Set the ends of d->seams, which are ascending places of text[begin, end) at which a seam may
 * begin, and leave out places without one. The text is valid UTF-8. Linear time.
 *   within   sentences of the text: a seam lies in one of them, and nothing outside that sentence
 *            is read; NULL for no such limit
 */
void pd_seams_check(const unsigned char *text, size_t begin, size_t end,
                    const struct pd_sentences *within, struct pd_seams *seams);

/* How far pd_seams_close() has come in the words of a text. */
struct pd_closing {
    size_t from; /* words before it have been read */
    size_t kept; /* they are the words before this one; from - kept words were appended to others */
    size_t seam; /* seams before it have been closed */
    bool grown;  /* the last kept word was joined, and its term is not set yet */
};

/*
 * Make one word of each two words with a seam of d->seams between them, in the next words of `d`
 * up to `to`, whose terms are known. The normalised form of a joined word is the forms of the two,
 * one behind the other, appended to d->norm. Words move down to c->kept. Linear time.
 */
void pd_seams_close(struct pd_document *d, struct pd_closing *c, size_t to);

/* Set the term of the last word, behind all calls of pd_seams_close(). */
void pd_seams_end(struct pd_document *d, struct pd_closing *c);

#endif
