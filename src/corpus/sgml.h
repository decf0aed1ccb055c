/*
 * corpus/sgml.h - as much of SGML as collections of documents use: no DTD, no omitted tags but what
 * is said below, names in one case a file.
 */
#ifndef PARDUP_CORPUS_SGML_H
#define PARDUP_CORPUS_SGML_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/bytes.h"

struct pd_span { /* borrowed bytes */
    const unsigned char *v;
    size_t n;
};

struct pd_span pd_span_trim(struct pd_span s); /* without white space at both ends */

/* Value of attribute `name` (case counts not) of the tag at s[0, n); v is NULL: none. */
struct pd_span pd_sgml_attribute(const unsigned char *s, size_t n, const char *name);

/* Bytes of the tag at s (to its '>'), 0 when s begins with none. */
size_t pd_sgml_tag(const unsigned char *s, size_t n);

/* Is the tag at s the start tag of `name`, without regard to case? */
bool pd_sgml_is(const unsigned char *s, size_t n, const char *name);

/*
 * The element at s (name NULL: whatever it is): its content, up to the end tag or, when there is
 * none, to the line end; *total: bytes of all of it. False when s does not begin with it.
 */
bool pd_sgml_element(const unsigned char *s, size_t n, const char *name, struct pd_span *content,
                     size_t *total);

/*
 * Append the text of s: tags end paragraphs, some tags within a line and comments are nothing,
 * &lt; &gt; &amp; &quot; and numbers of ASCII characters are what they stand for, control
 * characters go. Other references stay: their set is the collection's own.
 */
void pd_sgml_text(const unsigned char *s, size_t n, struct pd_bytes *out);

/* The same for the elements of s with one of the names (case counts), one after the other. */
bool pd_sgml_texts(const unsigned char *s, size_t n, const char *const *names, size_t nnames,
                   struct pd_bytes *out);

#endif
