/*
 * stop.h - a shortcut for stops: decides nine in ten by the bytes around them, without the rules.
 *
 * A stop is a byte at which a sentence may end (block.h). The rules (ending_rules.c) look at the
 * word before it, the gap and the word after it. But some shapes of text always get the same
 * verdict: example.com and 3.14; a plain word, a full stop or exclamation mark, a space and a
 * capital; text, an empty line and a letter. A shape is recognised by the kinds of the four nearest
 * bytes, with a few look-ups. tests/unit/test_stop.c checks that the verdicts are equal to the
 * rules'.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_STOP_H
#define PARDUP_DOCUMENT_STOP_H

#include <stddef.h>

/* What to do at a stop. */
enum pd_stop {
    PD_STOP_ASK,     /* apply the rules */
    PD_STOP_NOTHING, /* no sentence ends here; go on at the next byte */

    /*
     * A sentence ends, unless it is overlong: after the mark, or before the line end. The next
     * sentence begins two bytes after the stop; after a line end it also begins a line.
     */
    PD_STOP_END,
};

enum {
    PD_STOP_NAME = 20,                 /* bytes after a full stop that are searched for a name */
    PD_STOP_BEFORE = 8,                /* bytes that pd_stop_at() reads before the stop */
    PD_STOP_BEHIND = PD_STOP_NAME + 2, /* bytes that pd_stop_at() reads from the stop on */
};

/* Build the table of shapes. To be called before pd_stop_at(). Not thread-safe. */
void pd_stop_load(void);

/*
 * What to do at `stop`, which pd_block_stops() found. PD_STOP_BEFORE bytes of text before it
 * and PD_STOP_BEHIND bytes from it on must be readable.
 */
enum pd_stop pd_stop_at(const unsigned char *stop);

/* Does what pd_sentences_split() does, but applies the rules at every stop. For tests. */
struct pd_sentences;
void pd_sentences_split_plain(const unsigned char *text, size_t n, struct pd_sentences *out);

#endif
