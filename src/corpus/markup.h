/* corpus/markup.h - elements, attributes and values of the small XML files of an office document. */
#ifndef PARDUP_CORPUS_MARKUP_H
#define PARDUP_CORPUS_MARKUP_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/bytes.h"

/* A place in XML. Set `at` and `end` before the first call; the other members are the last element. */
struct pd_markup {
    const char *at, *end;   /* what has not been looked at */
    const char *attributes; /* behind the element's name */
    const char *content;    /* behind its start tag */
};

/* Go to the next start tag of an element with this name, without its prefix. False: there is none. */
bool pd_markup_next(struct pd_markup *m, const char *name);

/*
 * Append the value of an attribute of the element at hand to `to`, which is emptied first. A name that
 * begins with a colon stands for any prefix. False: there is no such attribute.
 */
bool pd_markup_attribute(const struct pd_markup *m, const char *name, struct pd_bytes *to);

/* Append the text of the element at hand up to the next tag, without white space around it. */
void pd_markup_text(const struct pd_markup *m, struct pd_bytes *to);

#endif
