/*
 * stop.h - stops that a few bytes around them decide, as they do nine times in ten.
 *
 * The rules (sentence.c) need the word before, the gap and the word behind. Of these shapes they
 * say the same of all: example.com and 3.14; a plain word with a full stop or an exclamation mark,
 * a space and a capital; text, an empty line and a letter. So what each byte near is tells them, in
 * a few look-ups (tests/unit/test_stop.c holds the two ways together).
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_STOP_H
#define PARDUP_DOCUMENT_STOP_H

#include <stdbool.h>
#include <stddef.h>

enum pd_stop {
    STOP_ASK,     /* the rules */
    STOP_NOTHING, /* no sentence ends here; go on at the next byte */
    STOP_END, /* behind the mark or before the line end, unless the sentence is overlong; the next
                     begins two bytes on, in a line of its own when this is a line end */
};

enum {
    PD_STOP_NAME = 20,                 /* bytes of a name looked through behind a full stop */
    PD_STOP_BEFORE = 8,                /* bytes read before the stop, */
    PD_STOP_BEHIND = PD_STOP_NAME + 2, /* and from it on */
};

/* Once, before the other. */
void pd_stop_load(void);

/* What is to be done at a byte that pd_block_stops() found. */
enum pd_stop pd_stop_at(const unsigned char *at);

/* The whole of pd_sentences_split() by the rules. */
struct pd_sentences;
void pd_sentences_split_plain(const unsigned char *text, size_t n, struct pd_sentences *out);

#endif
