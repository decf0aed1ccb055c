/*
 * marker.h - list markers, which open a list item: "1.", "2)", "3.)", "(iv)", "b.", a bullet.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_MARKER_H
#define PARDUP_DOCUMENT_MARKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pd_marker {
    uint32_t style;  /* how the marker is written, equal in all of one list; 0: no marker */
    unsigned number; /* value as a decimal number or a letter (a is 1); 0: none */
    unsigned roman;  /* value as a Roman number; 0: none */
    size_t end;      /* offset of the first byte behind the marker */
    bool bullet;     /* the marker is a bullet and has no value */
    bool line_only;  /* a hyphen, dash, * or +, which is a bullet only at a line's start */
};

/*
 * Whether `c` and `next`, the byte behind it, are two letters that are not both Roman digits. No
 * marker begins with two such letters.
 */
static inline bool pd_marker_is_word(unsigned char c, unsigned char next)
{
    enum { LETTER = 1, ROMAN = 2, DIGIT = LETTER | ROMAN };
    static const unsigned char classes[256] = {
        ['A' ... 'H'] = LETTER, ['I'] = DIGIT,          ['J' ... 'U'] = LETTER,
        ['V'] = DIGIT,          ['W'] = LETTER,         ['X'] = DIGIT,
        ['Y' ... 'Z'] = LETTER, ['a' ... 'h'] = LETTER, ['i'] = DIGIT,
        ['j' ... 'u'] = LETTER, ['v'] = DIGIT,          ['w'] = LETTER,
        ['x'] = DIGIT,          ['y' ... 'z'] = LETTER};
    return (classes[c] & classes[next]) == LETTER;
}

/*
 * The marker that starts at text[i], with i <= n; its style is 0 when there is none. White space,
 * the end of the text, or a Chinese or Japanese character must follow a number or letter. White
 * space must follow a hyphen and the other `line_only` bullets. Anything may follow other bullets.
 */
struct pd_marker pd_marker_at(const unsigned char *text, size_t n, size_t i);

/*
 * The marker that opens the sentence at text[i]: as above, or the number of a section, "4.2." or
 * "B.4.12.". Within a sentence such a number is none, as it may be a version or a date.
 */
struct pd_marker pd_marker_opening(const unsigned char *text, size_t n, size_t i);

/* Whether `next` opens the item after `m` in the same list. A bullet follows an equal bullet. */
bool pd_marker_follows(const struct pd_marker *m, const struct pd_marker *next);

#endif
