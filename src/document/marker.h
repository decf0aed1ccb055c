/*
 * marker.h - what opens a list item: "1.", "2)", "3.)", "(iv)", "b.", a bullet.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_MARKER_H
#define PARDUP_DOCUMENT_MARKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pd_marker {
    uint32_t style;         /* equal for the markers of one list; 0: no marker */
    unsigned number, roman; /* read as decimal or letter, and as Roman number; 0: cannot be */
    size_t end;             /* first byte behind it */
    bool bullet;
    bool line_only; /* a hyphen or an asterisk: a bullet at the start of a line, else not */
};

/* Two letters, `next` behind `c`, that are no Roman number together: no marker begins so. */
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

/* The marker that starts at text[i] and is followed by white space; style 0 when there is none. */
struct pd_marker pd_marker_at(const unsigned char *text, size_t n, size_t i);

/* Is `next` the item after `m` in the same list? Two bullets of one kind are. */
bool pd_marker_follows(const struct pd_marker *m, const struct pd_marker *next);

#endif
